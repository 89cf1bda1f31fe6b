/* verdict_set.c - reports among mails, and the reruns that belong to each
 * Decides only what belongs to what; the numbers are judged in mail/rerun. */
#include "bot/verdict_set.h"

#include <string.h>

#define COMMIT_PREFIX_MIN 8

struct verdict_set {
	GPtrArray *mails;    /* of struct reading */
	GHashTable *by_id;   /* Message-ID to struct reading */
	GHashTable *answers; /* Message-ID to GPtrArray of struct reading */
};

verdict_set *verdict_set_new(void)
{
	verdict_set *set = g_new0(verdict_set, 1);

	set->mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)reading_free);
	set->by_id = g_hash_table_new(g_str_hash, g_str_equal);
	set->answers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					     (GDestroyNotify)g_ptr_array_unref);
	return set;
}

void verdict_set_free(verdict_set *set)
{
	if (!set)
		return;
	g_hash_table_unref(set->answers);
	g_hash_table_unref(set->by_id);
	g_ptr_array_unref(set->mails);
	g_free(set);
}

void verdict_set_add(verdict_set *set, struct reading *r)
{
	const char *id = message_id(r->msg);
	GPtrArray *ids = message_thread_ids(r->msg);

	if (!g_hash_table_insert(set->by_id, (void *)id, r)) {
		reading_free(r);
		return;
	}
	g_ptr_array_add(set->mails, r);
	for (guint i = 0; i < ids->len; i++) {
		GPtrArray *list =
			g_hash_table_lookup(set->answers, ids->pdata[i]);

		if (!list) {
			list = g_ptr_array_new();
			g_hash_table_insert(set->answers, ids->pdata[i], list);
		}
		g_ptr_array_add(list, r);
	}
}

static gboolean is_judged(const struct reading *r)
{
	return r->report && (r->report->category == REPORT_PERFORMANCE ||
			     r->report->category == REPORT_FUNCTIONAL);
}

/* ---- what belongs to a report */

static gboolean links_to(const struct reading *r, const char *id)
{
	for (guint i = 0; i < r->links->len; i++) {
		const struct link *l = r->links->pdata[i];

		if (l->message_id && !strcmp(l->message_id, id))
			return TRUE;
	}
	return FALSE;
}

/* The culprit among the columns of a table. */
static gboolean shows_commit(const struct reading *r, const char *commit)
{
	for (guint i = 0; commit && i < r->tables->len; i++) {
		const struct table *t = r->tables->pdata[i];
		int at = table_find_column(t, commit);
		const char *c = at < 0 ? NULL : table_column(t, at)->commit;

		if (c && strlen(c) >= COMMIT_PREFIX_MIN)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_subject(const struct reading *r, const struct reading *of)
{
	g_autofree char *a = subject_key(r->subject->base);
	g_autofree char *b = subject_key(of->subject->base);

	return *a && !strcmp(a, b);
}

/* All that answer the report, and what answers those. */
static GHashTable *find_answers(const verdict_set *set,
				const struct reading *report)
{
	GHashTable *found = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) queue = g_ptr_array_new();

	g_ptr_array_add(queue, (void *)message_id(report->msg));
	for (guint i = 0; i < queue->len; i++) {
		GPtrArray *list =
			g_hash_table_lookup(set->answers, queue->pdata[i]);

		for (guint n = 0; list && n < list->len; n++) {
			struct reading *r = list->pdata[n];

			if (g_hash_table_add(found, r))
				g_ptr_array_add(queue,
						(void *)message_id(r->msg));
		}
	}
	return found;
}

static GPtrArray *find_mails(const verdict_set *set,
			     const struct reading *report)
{
	g_autoptr(GHashTable) answers = find_answers(set, report);
	const char *id = message_id(report->msg);
	GPtrArray *mails = g_ptr_array_new();

	for (guint i = 0; i < set->mails->len; i++) {
		struct reading *r = set->mails->pdata[i];

		if (r == report || is_judged(r))
			continue;
		if (g_hash_table_contains(answers, r) || links_to(r, id) ||
		    shows_commit(r, report->report->commit) ||
		    has_subject(r, report))
			g_ptr_array_add(mails, r);
	}
	return mails;
}

/* ---- handing it to the judge */

static int by_date(gconstpointer a, gconstpointer b)
{
	const struct reading *x = *(struct reading *const *)a;
	const struct reading *y = *(struct reading *const *)b;
	gint64 at = message_date(x->msg), bt = message_date(y->msg);

	if (at != bt)
		return at < bt ? -1 : 1;
	return strcmp(message_id(x->msg), message_id(y->msg));
}

static gboolean has_tested(const struct reading *r)
{
	for (guint i = 0; i < r->trailers->len; i++) {
		const struct trailer *t = r->trailers->pdata[i];

		if (t->where == TRAILER_MESSAGE && t->counts && !t->relayed &&
		    !strcmp(t->key, "Tested-by"))
			return TRUE;
	}
	return FALSE;
}

static struct rerun_mail as_mail(const struct reading *r, GPtrArray *titles)
{
	return (struct rerun_mail){
		.message_id = message_id(r->msg),
		.date = message_date(r->msg),
		.subject = message_subject(r->msg),
		.tables = r->tables,
		.samples = r->samples,
		.words = r->words,
		.titles = titles,
		.tested_by = has_tested(r),
	};
}

static GPtrArray *judge(const verdict_set *set, const struct reading *report)
{
	g_autoptr(GPtrArray) mails = find_mails(set, report);
	g_autoptr(GPtrArray) titles = g_ptr_array_new();
	g_autoptr(GArray) list =
		g_array_new(FALSE, FALSE, sizeof(struct rerun_mail));
	struct rerun_mail first = as_mail(report, titles);

	g_ptr_array_sort(mails, by_date);
	for (guint i = 0; i < mails->len; i++) {
		const struct reading *r = mails->pdata[i];
		struct rerun_mail m = as_mail(r, titles);

		if (r->kind == KIND_PATCH)
			g_ptr_array_add(titles, r->subject->base);
		g_array_append_val(list, m);
	}
	return rerun_judge(report->report, &first,
			   (struct rerun_mail *)(void *)list->data, list->len);
}

static void report_free_one(void *data)
{
	struct verdict_report *v = data;

	g_ptr_array_unref(v->reruns);
	g_free(v);
}

GPtrArray *verdict_set_judge(const verdict_set *set)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(report_free_one);
	g_autoptr(GPtrArray) reports = g_ptr_array_new();

	for (guint i = 0; i < set->mails->len; i++)
		if (is_judged(set->mails->pdata[i]))
			g_ptr_array_add(reports, set->mails->pdata[i]);
	g_ptr_array_sort(reports, by_date);
	for (guint i = 0; i < reports->len; i++) {
		struct verdict_report *v = g_new(struct verdict_report, 1);

		v->report = reports->pdata[i];
		v->reruns = judge(set, v->report);
		g_ptr_array_add(out, v);
	}
	return out;
}
