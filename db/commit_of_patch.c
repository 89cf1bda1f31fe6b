/* commit_of_patch.c - the commits that a patch mail became
 * Finds those that may be it; whether they are is said by commit_links.c. */
#include <string.h>

#include "db/commit_priv.h"

/* Commits that share something with the patch ?1, at most ?2 of each. */
static const char *const questions[] = {
	"SELECT c.id FROM patch p JOIN git_commit c ON c.patch_id = p.patch_id "
	"WHERE p.node = ?1 LIMIT ?2",
	"SELECT c.id FROM patch p JOIN git_commit c ON c.patch_id = "
	"p.mended_id WHERE p.node = ?1 LIMIT ?2",
	"SELECT c.id FROM patch p JOIN git_commit c ON c.blobs = p.blobs "
	"WHERE p.node = ?1 LIMIT ?2",
	"SELECT c.id FROM patch p JOIN git_commit c ON c.title_key = "
	"p.title_key WHERE p.node = ?1 LIMIT ?2",
	"SELECT c.id FROM patch p JOIN git_commit c ON c.author_date = p.date "
	"WHERE p.node = ?1 LIMIT ?2",
	"SELECT s.git_commit FROM node n JOIN git_saying s "
	"ON s.mid = n.mid COLLATE NOCASE WHERE n.id = ?1 LIMIT ?2",
};

static gboolean ask(store *st, const char *sql, gint64 node, GArray *out,
		    GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, INT(node), INT(COMMITS_MAX));

	return commit_take_ids(rows, out, err);
}

static gboolean is_patch(store *st, gint64 node, gboolean *is, GError **err)
{
	gint64 diff = 0;
	int rc = db_get_int(st->state, &diff, err,
			    "SELECT has_diff FROM patch WHERE node = ?",
			    INT(node));

	*is = diff != 0;
	return rc >= 0;
}

/* If the patch is among those of the commit, that link. */
static gboolean take(store *st, gint64 row, const char *mid, GPtrArray *out,
		     GError **err)
{
	g_autoptr(commit_auto) c = commit_load(st, row, err);
	g_autoptr(GPtrArray) links = c ? patches_of_commit(st, c, err) : NULL;

	for (guint i = 0; links && i < links->len; i++) {
		struct commit_link *l = links->pdata[i];

		if (strcmp(l->mid, mid) != 0)
			continue;
		g_ptr_array_add(out, l);
		links->pdata[i] = NULL;
	}
	return links != NULL;
}

/* How near to mainline a commit is: the role of its first tree. */
static gint64 rank_of(store *st, const struct commit *c)
{
	gint64 rank = G_MAXINT;

	db_get_int(st->state, &rank, NULL,
		   "SELECT t.role * 2 + (p.gone NOTNULL) FROM git_presence p "
		   "JOIN git_branch b ON b.id = p.branch JOIN git_tree t "
		   "ON t.id = b.tree WHERE p.git_commit = ? ORDER BY 1 LIMIT 1",
		   INT(c->row));
	return rank;
}

static int by_strength(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct commit_link *x = *(struct commit_link *const *)a;
	const struct commit_link *y = *(struct commit_link *const *)b;
	gint64 rx, ry;

	if (x->evidence != y->evidence)
		return x->evidence < y->evidence ? -1 : 1;
	rx = rank_of(data, x->commit);
	ry = rank_of(data, y->commit);
	if (rx != ry)
		return rx < ry ? -1 : 1;
	if (x->commit->commit_date != y->commit->commit_date)
		return x->commit->commit_date < y->commit->commit_date ? -1 : 1;
	return strcmp(x->commit->id, y->commit->id);
}

static int by_number(gconstpointer a, gconstpointer b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return x < y ? -1 : x > y;
}

static GPtrArray *load(store *st, gint64 node, const char *mid, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_link_free);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(gint64));
	gint64 last = 0, row;

	for (guint i = 0; i < G_N_ELEMENTS(questions); i++)
		if (!ask(st, questions[i], node, rows, err))
			return NULL;
	if (!commit_notices_named(st, node, rows, err))
		return NULL;
	g_array_sort(rows, by_number);
	for (guint i = 0; i < rows->len; i++) {
		row = g_array_index(rows, gint64, i);
		if (row != last && !take(st, row, mid, out, err))
			return NULL;
		last = row;
	}
	g_ptr_array_sort_with_data(out, by_strength, st);
	return g_steal_pointer(&out);
}

GPtrArray *commits_of_patch(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(db_rows) rows = NULL;
	g_autofree char *known = NULL;
	gint64 node = 0;
	gboolean is = FALSE;
	int rc = snap ? node_find(st, mid, &node, err) : -1;

	if (rc < 0 || (rc && !is_patch(st, node, &is, err)))
		return NULL;
	if (!is)
		return g_ptr_array_new_with_free_func(
			(GDestroyNotify)commit_link_free);
	rows = db_query(st->state, err, "SELECT mid FROM node WHERE id = ?",
			INT(node));
	if (db_next(rows, err) <= 0)
		return NULL;
	known = db_dup(rows, 0);
	return load(st, node, known, err);
}
