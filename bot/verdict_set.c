/* verdict_set.c - reports among mails, and the reruns that belong to each
 * Decides only what belongs to what; the numbers are judged in mail/rerun. */
#include "bot/verdict_set.h"

#include <string.h>

#define COMMIT_PREFIX_MIN 8

struct verdict_set {
	GPtrArray *mails;  /* of struct reading */
	GHashTable *by_id; /* Message-ID to struct reading */
	/* To GPtrArray of struct reading: */
	GHashTable *answers;  /* of a Message-ID */
	GHashTable *links;    /* to one */
	GHashTable *subjects; /* by what is compared of them */
	GHashTable *commits;  /* by the begin of a commit among columns */
};

static GHashTable *lists_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     (GDestroyNotify)g_ptr_array_unref);
}

/* Takes `key`. */
static void lists_take(GHashTable *lists, char *key, struct reading *r)
{
	GPtrArray *list = g_hash_table_lookup(lists, key);

	if (list) {
		g_free(key);
	} else {
		list = g_ptr_array_new();
		g_hash_table_insert(lists, key, list);
	}
	if (!list->len || list->pdata[list->len - 1] != r)
		g_ptr_array_add(list, r);
}

verdict_set *verdict_set_new(void)
{
	verdict_set *set = g_new0(verdict_set, 1);

	set->mails =
		g_ptr_array_new_with_free_func((GDestroyNotify)reading_free);
	set->by_id = g_hash_table_new(g_str_hash, g_str_equal);
	set->answers = lists_new();
	set->links = lists_new();
	set->subjects = lists_new();
	set->commits = lists_new();
	return set;
}

void verdict_set_free(verdict_set *set)
{
	if (!set)
		return;
	g_hash_table_unref(set->commits);
	g_hash_table_unref(set->subjects);
	g_hash_table_unref(set->links);
	g_hash_table_unref(set->answers);
	g_hash_table_unref(set->by_id);
	g_ptr_array_unref(set->mails);
	g_free(set);
}

static void add_commits(verdict_set *set, const struct table *t,
			struct reading *r)
{
	for (guint i = 0; i < t->columns->len; i++) {
		const char *c = table_column(t, i)->commit;

		if (c && strlen(c) >= COMMIT_PREFIX_MIN)
			lists_take(set->commits,
				   g_ascii_strdown(c, COMMIT_PREFIX_MIN), r);
	}
}

void verdict_set_add(verdict_set *set, struct reading *r)
{
	const char *id = message_id(r->msg);
	GPtrArray *ids = message_thread_ids(r->msg);
	g_autofree char *key = NULL;

	if (!g_hash_table_insert(set->by_id, (void *)id, r)) {
		reading_free(r);
		return;
	}
	g_ptr_array_add(set->mails, r);
	for (guint i = 0; i < ids->len; i++)
		lists_take(set->answers, g_strdup(ids->pdata[i]), r);
	for (guint i = 0; i < r->links->len; i++) {
		const struct link *l = r->links->pdata[i];

		if (l->message_id)
			lists_take(set->links, g_strdup(l->message_id), r);
	}
	key = subject_key(r->subject->base);
	if (*key)
		lists_take(set->subjects, g_steal_pointer(&key), r);
	for (guint i = 0; i < r->tables->len; i++)
		add_commits(set, r->tables->pdata[i], r);
}

static gboolean is_judged(const struct reading *r)
{
	return r->report && (r->report->category == REPORT_PERFORMANCE ||
			     r->report->category == REPORT_FUNCTIONAL);
}

/* ---- what belongs to a report */

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

static void add_list(GHashTable *found, GHashTable *lists, const char *key)
{
	GPtrArray *list = g_hash_table_lookup(lists, key);

	for (guint i = 0; list && i < list->len; i++)
		g_hash_table_add(found, list->pdata[i]);
}

/* All that answer the report, and what answers those. */
static void add_answers(const verdict_set *set, const struct reading *report,
			GHashTable *found)
{
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
}

static void add_same_commit(const verdict_set *set,
			    const struct reading *report, GHashTable *found)
{
	const char *commit = report->report->commit;
	g_autofree char *key = NULL;
	GPtrArray *list;

	if (!commit || strlen(commit) < COMMIT_PREFIX_MIN)
		return;
	key = g_ascii_strdown(commit, COMMIT_PREFIX_MIN);
	list = g_hash_table_lookup(set->commits, key);
	for (guint i = 0; list && i < list->len; i++)
		if (shows_commit(list->pdata[i], commit))
			g_hash_table_add(found, list->pdata[i]);
}

static GPtrArray *find_mails(const verdict_set *set,
			     const struct reading *report)
{
	g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);
	g_autofree char *subject = subject_key(report->subject->base);
	GPtrArray *mails = g_ptr_array_new();
	GHashTableIter at;
	void *r;

	add_answers(set, report, found);
	add_list(found, set->links, message_id(report->msg));
	add_list(found, set->subjects, subject);
	add_same_commit(set, report, found);
	g_hash_table_iter_init(&at, found);
	while (g_hash_table_iter_next(&at, &r, NULL))
		if (r != report && !is_judged(r))
			g_ptr_array_add(mails, r);
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
