/* test_table_truth.c - checks and runs on all tables of real mail */
#include <string.h>

#include "mail/message.h"
#include "mail/table.h"
#include "mail/table_check.h"
#include "mail/table_runs.h"

#include "tests/mail/corpus_help.h"

struct seen {
	guint tables, rows, wrong_rates;
	guint both;	/* columns whose runs both methods tell */
	guint counted;	/* columns with rows of failures */
	guint inferred; /* of these, those that a method tells, too */
};

typedef void (*table_fn)(struct table *t, struct seen *seen);

struct walk {
	table_fn fn;
	struct seen seen;
};

static void each_message(GBytes *raw, gpointer data)
{
	struct walk *w = data;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = NULL;

	if (!msg)
		return;
	b = body_parse(message_body(msg), message_body_len(msg));
	tables = tables_read(b);
	for (guint i = 0; i < tables->len; i++) {
		struct table *t = tables->pdata[i];

		w->seen.tables++;
		w->seen.rows += t->rows->len;
		w->fn(t, &w->seen);
	}
}

/* Nobody mistyped a measurement; failure rates are wrong in two mails and
 * what quotes them. */
static void look_at_findings(struct table *t, struct seen *seen)
{
	for (guint i = 0; i < t->findings->len; i++) {
		const struct table_finding *f = t->findings->pdata[i];

		ck_assert_msg(!strcmp(f->code, "fail-rate-wrong"), "%s: %s",
			      f->code, f->text);
		ck_assert(strstr(f->text, "xfstests.") ||
			  strstr(f->text, "dmesg."));
		seen->wrong_rates++;
	}
}

START_TEST(findings)
{
	struct walk w = {.fn = look_at_findings};

	corpus_each(each_message, &w);
	if (!test_corpus())
		return;
	ck_assert_uint_gt(w.seen.tables, 100);
	ck_assert_uint_gt(w.seen.rows, 45000);
	ck_assert_uint_eq(w.seen.wrong_rates, 15);
}
END_TEST

static void look_at_runs(struct table *t, struct seen *seen)
{
	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_column *c = table_column(t, i);
		guint f = table_runs_by_fractions(t, i);
		guint d = table_runs_by_deviation(t, i);

		ck_assert(!d || d >= table_runs_least(t, i));
		if (f && d) {
			ck_assert_uint_eq(d % f, 0); /* n or a part of it */
			seen->both++;
		}
		if (c->runs_source != TABLE_RUNS_FAIL_TABLE)
			continue;
		ck_assert_uint_ge(c->runs, table_runs_least(t, i));
		seen->counted++;
		if (!f && !d)
			continue;
		ck_assert_uint_eq(d ? d : f, c->runs);
		seen->inferred++;
	}
}

START_TEST(numbers_of_runs)
{
	struct walk w = {.fn = look_at_runs};

	corpus_each(each_message, &w);
	if (!test_corpus())
		return;
	ck_assert_uint_gt(w.seen.both, 40);
	ck_assert_uint_gt(w.seen.counted, 40);
	ck_assert_uint_gt(w.seen.inferred, 20);
}
END_TEST

/* What is found in a mail: runs of columns and codes of findings. */
static char *told(const char *text, guint *tables_seen)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables = tables_read(b);
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < tables->len; i++) {
		const struct table *t = tables->pdata[i];

		for (guint k = 0; k < t->columns->len; k++)
			g_string_append_printf(s, "%u:%u ",
					       table_column(t, k)->runs,
					       table_column(t, k)->runs_source);
		for (guint k = 0; k < t->findings->len; k++) {
			const struct table_finding *f = t->findings->pdata[k];

			g_string_append_printf(s, "%s:%d ", f->code, f->row);
		}
		g_string_append_c(s, '\n');
	}
	*tables_seen += tables->len;
	return g_string_free(s, FALSE);
}

static void quote_message(GBytes *raw, gpointer data)
{
	guint *seen = data, again = 0, before = *seen;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autofree char *plain = NULL, *quoted = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!msg)
		return;
	plain = told(message_body(msg), seen);
	if (*seen == before)
		return;
	lines = g_strsplit(message_body(msg), "\n", -1);
	for (guint i = 0; lines[i]; i++)
		g_string_append_printf(text, "> %s\n", lines[i]);
	quoted = told(text->str, &again);
	ck_assert_msg(!strcmp(plain, quoted), "%s:\n%s\n%s", message_id(msg),
		      plain, quoted);
}

START_TEST(quoting_changes_nothing)
{
	guint seen = 0;

	corpus_each(quote_message, &seen);
	if (test_corpus())
		ck_assert_uint_gt(seen, 100);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("table_truth");
	TCase *c = tcase_create("table_truth");

	tcase_add_test(c, findings);
	tcase_add_test(c, numbers_of_runs);
	tcase_add_test(c, quoting_changes_nothing);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
