/* commit_notices.c - answers that name a commit, and the patch they mean
 * What such an answer says is a hint: commit_links.c compares the patch with
 * the commit before it believes it. */
#include "mail/applied.h"
#include "mail/subject.h"

#include "db/commit_priv.h"

#define MAX_ANSWERS 200 /* that name one commit, of each kind */
#define MAX_NAMED   200 /* commits named in one thread */
#define STEPS	    3	/* from the answer up to the patch */

/* An answer that names the commit. */
struct answer {
	gint64 node;
	char *mid;
};

static void answer_clear(gpointer data)
{
	g_free(((struct answer *)data)->mid);
}

static void notice_clear(gpointer data)
{
	g_free(((struct commit_notice *)data)->mid);
}

static void add(GArray *out, gint64 patch, const struct answer *a,
		gboolean listed)
{
	struct commit_notice n = {patch, g_strdup(a->mid), listed};

	g_array_append_val(out, n);
}

/* The patch that an answer is about; 0: none. */
static gboolean patch_above(store *st, gint64 node, gint64 *patch, GError **err)
{
	gint64 up = node, is_patch;
	int rc;

	*patch = 0;
	for (int i = 0; i < STEPS; i++) {
		rc = db_get_int(st->state, &up, err,
				"SELECT parent FROM node WHERE id = ?",
				INT(up));
		if (rc <= 0 || up == DB_NULL)
			return rc >= 0;
		rc = db_get_int(st->state, &is_patch, err,
				"SELECT has_diff AND NOT reply FROM patch "
				"WHERE node = ?",
				INT(up));
		if (rc < 0)
			return FALSE;
		if (rc && is_patch) {
			*patch = up;
			return TRUE;
		}
	}
	return TRUE;
}

static gboolean take_above(store *st, const struct answer *a, GArray *out,
			   GError **err)
{
	gint64 patch;

	if (!patch_above(st, a->node, &patch, err))
		return FALSE;
	if (patch)
		add(out, patch, a, FALSE);
	return TRUE;
}

/* ---- notices that list patches, each with its commit */

/* The newest patch of that title that the notice can mean. */
static int find_titled(store *st, const struct answer *a, const char *title,
		       gint64 *patch, GError **err)
{
	g_autofree char *key = subject_key(title);

	return db_get_int(st->state, patch, err,
			  "SELECT p.node FROM node a JOIN node n "
			  "ON n.tid = a.tid JOIN patch p ON p.node = n.id "
			  "WHERE a.id = ?1 AND p.title_key = ?2 AND p.has_diff "
			  "AND NOT p.reply AND p.date <= a.date "
			  "ORDER BY p.date DESC, n.mid LIMIT 1",
			  INT(a->node), TEXT(key));
}

/* FALSE and *err; *any: it has a list in which the commit is. */
static gboolean take_list(store *st, const struct answer *a,
			  const struct commit *c, GArray *out, gboolean *any,
			  GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT title, mid FROM applied_item WHERE node = ?1 AND "
		"commit_id NOTNULL AND substr(?2, 1, length(commit_id)) = "
		"commit_id ORDER BY seq",
		INT(a->node), TEXT(c->id));
	int rc;

	*any = FALSE;
	while ((rc = db_next(rows, err)) > 0) {
		const char *title = db_text(rows, 0), *mid = db_text(rows, 1);
		gint64 patch = 0;
		int found = mid	    ? node_find(st, mid, &patch, err)
			    : title ? find_titled(st, a, title, &patch, err)
				    : 0;

		if (found < 0)
			return FALSE;
		if (found)
			add(out, patch, a, TRUE);
		*any = TRUE;
	}
	return rc == 0;
}

static gboolean take_notice(store *st, const struct answer *a,
			    const struct commit *c, GArray *out, GError **err)
{
	gboolean any;

	return take_list(st, a, c, out, &any, err) &&
	       (any || take_above(st, a, out, err));
}

/* ---- which answers there are */

static GArray *read_answers(store *st, const char *sql, const struct commit *c,
			    GError **err)
{
	g_autoptr(GArray) out =
		g_array_new(FALSE, FALSE, sizeof(struct answer));
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, TEXT(c->id), INT(MAX_ANSWERS));
	int rc;

	g_array_set_clear_func(out, answer_clear);
	while ((rc = db_next(rows, err)) > 0) {
		struct answer a = {db_int(rows, 0), db_dup(rows, 1)};

		g_array_append_val(out, a);
	}
	return rc ? NULL : g_steal_pointer(&out);
}

/* Any words of an answer, and what is said to be applied. */
static const char mentions[] =
	"SELECT DISTINCT n.id, n.mid FROM commit_ref r "
	"JOIN node n ON n.id = r.node LEFT JOIN patch p "
	"ON p.node = n.id AND p.has_diff WHERE r.id BETWEEN "
	"substr(?1, 1, 7) AND ?1 AND substr(?1, 1, length(r.id)) = "
	"r.id AND p.node IS NULL AND n.parent NOTNULL "
	"ORDER BY n.mid LIMIT ?2";
static const char notices[] =
	"SELECT n.id, n.mid FROM applied_commit a JOIN node n ON n.id = a.node "
	"JOIN applied x ON x.node = a.node WHERE substr(a.id, 1, 7) = "
	"substr(?1, 1, 7) AND substr(?1, 1, length(a.id)) = a.id AND "
	"x.kind <= 3 ORDER BY n.mid LIMIT ?2";
G_STATIC_ASSERT(APPLIED_PICKED_STABLE == 3);

GArray *commit_notices_find(store *st, const struct commit *c, GError **err)
{
	g_autoptr(GArray) out =
		g_array_new(FALSE, FALSE, sizeof(struct commit_notice));
	g_autoptr(GArray) told = read_answers(st, notices, c, err);
	g_autoptr(GArray) named =
		told ? read_answers(st, mentions, c, err) : NULL;

	g_array_set_clear_func(out, notice_clear);
	if (!named)
		return NULL;
	for (guint i = 0; i < told->len; i++)
		if (!take_notice(st, &g_array_index(told, struct answer, i), c,
				 out, err))
			return NULL;
	for (guint i = 0; i < named->len; i++)
		if (!take_above(st, &g_array_index(named, struct answer, i),
				out, err))
			return NULL;
	return g_steal_pointer(&out);
}

/* ---- from the patch */

gboolean commit_notices_named(store *st, gint64 patch, GArray *ids,
			      GError **err)
{
	g_autoptr(GPtrArray) named = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT DISTINCT a.id FROM node p JOIN node n ON n.tid = p.tid "
		"JOIN applied_commit a ON a.node = n.id WHERE p.id = ?1 "
		"ORDER BY a.id LIMIT ?2",
		INT(patch), INT(MAX_NAMED));
	GError *why = NULL;
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(named, db_dup(rows, 0));
	for (guint i = 0; !rc && !why && i < named->len; i++) {
		g_autoptr(commit_auto) c =
			commit_find(st, named->pdata[i], NULL, NULL, &why);

		if (c)
			g_array_append_val(ids, c->row);
	}
	if (why)
		g_propagate_error(err, why);
	return rc == 0 && !why;
}
