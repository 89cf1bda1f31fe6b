/* rerun.c - from a report and the mails after it to verdicts
 * Chooses what is judged and says what words claim beside it; the rule itself
 * is verdict.c. */
#include "mail/rerun.h"

#include <string.h>

#include "mail/rerun_priv.h"
#include "mail/test_key.h"

#define COMMIT_SHORT 10

void rerun_free(struct rerun *r)
{
	if (!r)
		return;
	g_free(r->message_id);
	g_free(r->metric);
	g_free(r->candidate);
	g_free(r->candidate_subject);
	judgement_clear(&r->judgement);
	g_ptr_array_unref(r->assumptions);
	g_free(r);
}

struct rerun *rerun_add(struct judging *j, const struct place *at, int column)
{
	struct rerun *x;

	if (j->out->len >= RERUN_MAX) {
		j->over++;
		return NULL;
	}
	x = g_new0(struct rerun, 1);
	x->message_id = g_strdup(at->mail->message_id);
	x->metric = g_strdup(table_row(at->table, (guint)at->row)->metric);
	x->assumptions = g_ptr_array_new_with_free_func(g_free);
	if (column >= 0) {
		const struct table_column *c =
			table_column(at->table, (guint)column);

		x->candidate =
			g_strdup(c->commit ? c->commit : rerun_column_name(c));
		x->candidate_subject = g_strdup(c->subject);
	}
	g_ptr_array_add(j->out, x);
	return x;
}

static void append_cell(GString *key, const struct place *at, int column)
{
	const struct table_column *c;
	const struct table_cell *cell;

	if (column < 0) {
		g_string_append(key, "|-");
		return;
	}
	c = table_column(at->table, (guint)column);
	cell = table_cell(at->table, (guint)at->row, (guint)column);
	g_string_append_printf(key, "|%.*s %s %d:%d", COMMIT_SHORT,
			       c->commit ? c->commit : rerun_column_name(c),
			       cell->printed ? cell->printed : "", cell->fails,
			       cell->runs);
}

gboolean rerun_is_new(struct judging *j, const struct place *at, int column)
{
	const char *metric = table_row(at->table, (guint)at->row)->metric;
	GString *key = g_string_new(metric);
	struct test_key test;

	if (test_key_of_table(at->table, metric, &test))
		g_string_append_printf(key, "|%s", test.strict);
	append_cell(key, at, at->base);
	append_cell(key, at, at->culprit);
	append_cell(key, at, column);
	return g_hash_table_add(j->seen, g_string_free(key, FALSE));
}

static void judge_table(struct judging *j, const struct rerun_mail *mail,
			struct table *t)
{
	struct place of = {.table = NULL};

	rerun_reported(j->r, j->report, t, j->r->metric, &of);
	rerun_roles(t, j->r, of.table, mail->titles);
	if (t->depth || !t->columns->len)
		return;
	if (j->r->category == REPORT_PERFORMANCE)
		rerun_judge_perf(j, mail, t);
	else
		rerun_judge_fails(j, mail, t);
}

static gboolean says(const struct rerun_mail *mail, enum verdict_word_kind kind,
		     const char **text)
{
	for (guint i = 0; mail->words && i < mail->words->len; i++) {
		const struct verdict_word *w = mail->words->pdata[i];

		if (w->kind == kind) {
			*text = w->text;
			return TRUE;
		}
	}
	return FALSE;
}

/* What words say against the numbers; they change nothing. */
static void add_words(struct rerun *x, const struct rerun_mail *mail)
{
	enum verdict v = x->judgement.verdict;
	gboolean good = v == VERDICT_RECOVERED || v == VERDICT_KEPT;
	gboolean bad = v == VERDICT_NOT_RECOVERED || v == VERDICT_LOST;
	const char *text;

	if (says(mail, WORD_RETRACTED, &text))
		judgement_note(&x->judgement,
			       "the sender takes the report back: \"%s\"",
			       text);
	if ((bad && says(mail, WORD_TESTED_OK, &text)) ||
	    (good && says(mail, WORD_TESTED_BAD, &text)))
		judgement_note(&x->judgement, "its words say otherwise: \"%s\"",
			       text);
}

static void add_claims(struct judging *j, GPtrArray *mails)
{
	for (guint i = 0; i < mails->len; i++) {
		const struct rerun_mail *mail = mails->pdata[i];

		for (guint k = 0; k < j->out->len; k++) {
			struct rerun *x = j->out->pdata[k];

			if (!strcmp(x->message_id, mail->message_id))
				add_words(x, mail);
			if (mail->tested_by && x->candidate &&
			    (x->judgement.verdict == VERDICT_NOT_RECOVERED ||
			     x->judgement.verdict == VERDICT_LOST))
				judgement_note(&x->judgement,
					       "contradicts the Tested-by in "
					       "<%s>",
					       mail->message_id);
		}
	}
}

static void tell_over(struct judging *j)
{
	struct rerun *last = g_ptr_array_index(j->out, j->out->len - 1);

	judgement_note(&last->judgement,
		       "%u further measurements are not judged", j->over);
}

static gint by_date(gconstpointer a, gconstpointer b)
{
	const struct rerun_mail *x = *(const struct rerun_mail *const *)a;
	const struct rerun_mail *y = *(const struct rerun_mail *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->message_id, y->message_id);
}

GPtrArray *rerun_judge(const struct report *r, const struct rerun_mail *report,
		       const struct rerun_mail *mails, guint count)
{
	struct judging j = {.r = r, .report = report};
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	j.out = g_ptr_array_new_with_free_func((GDestroyNotify)rerun_free);
	if (r->category != REPORT_PERFORMANCE &&
	    r->category != REPORT_FUNCTIONAL && r->category != REPORT_BOOT)
		return j.out;
	j.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; report->tables && i < report->tables->len; i++) {
		struct table *t = report->tables->pdata[i];

		if (!t->depth)
			rerun_roles(t, r, t, NULL);
	}
	for (guint i = 0; i < count; i++)
		if (strcmp(mails[i].message_id, report->message_id) != 0)
			g_ptr_array_add(sorted, (gpointer)&mails[i]);
	g_ptr_array_sort(sorted, by_date);
	for (guint i = 0; i < sorted->len; i++) {
		const struct rerun_mail *mail = sorted->pdata[i];

		for (guint k = 0; mail->tables && k < mail->tables->len; k++)
			judge_table(&j, mail, mail->tables->pdata[k]);
	}
	add_claims(&j, sorted);
	if (j.over)
		tell_over(&j);
	g_hash_table_unref(j.seen);
	return j.out;
}
