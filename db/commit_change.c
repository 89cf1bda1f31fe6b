/* commit_change.c - what commits change, written down */
#include <string.h>

#include "mail/diff.h"

#include "db/commit_priv.h"
#include "db/commit_store.h"

#define BEFORE_MAIL (30 * 86400) /* a patch may be posted after the commit */

#define IN_TREE                                                   \
	" EXISTS (SELECT 1 FROM git_presence p JOIN git_branch b" \
	" ON b.id = p.branch WHERE p.git_commit = c.id AND b.tree = ?1)"

static gboolean take_rows(sqlite3_stmt *rows, GHashTable *seen, GArray *out,
			  GError **err)
{
	struct uncompared u;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		u.row = db_int(rows, 0);
		memcpy(u.oid, sqlite3_column_blob(rows, 1), COMMIT_OID_LEN);
		if (g_hash_table_add(seen, GSIZE_TO_POINTER(u.row)))
			g_array_append_val(out, u);
	}
	return rc == 0;
}

/* The oldest date that matters; G_MAXINT64: none. */
static gboolean bound_of(store *st, gint64 tree, guint newest, gint64 *bound,
			 GError **err)
{
	gint64 mail = DB_NULL, nth = 0;

	if (db_get_int(st->state, &mail, err,
		       "SELECT min(date) FROM node WHERE raw NOTNULL "
		       "AND date > 0") < 0 ||
	    db_get_int(st->state, &nth, err,
		       "SELECT c.commit_date FROM git_commit c "
		       "WHERE" IN_TREE
		       " ORDER BY c.commit_date DESC LIMIT 1 OFFSET ?2",
		       INT(tree), INT(newest)) < 0)
		return FALSE;
	*bound = mail == DB_NULL ? nth : MIN(mail - BEFORE_MAIL, nth);
	return TRUE;
}

static gboolean take_named(store *st, gint64 tree, const char *id,
			   GHashTable *seen, GArray *out, GError **err)
{
	guint8 low[COMMIT_OID_LEN], high[COMMIT_OID_LEN];
	g_autoptr(db_rows) rows = NULL;

	if (!commit_id_range(id, low, high))
		return TRUE;
	rows = db_query(st->state, err,
			"SELECT c.id, c.oid FROM git_commit c WHERE c.oid "
			"BETWEEN ?2 AND ?3 AND c.compared = 0 AND" IN_TREE,
			INT(tree), BLOB(low, COMMIT_OID_LEN),
			BLOB(high, COMMIT_OID_LEN));
	return take_rows(rows, seen, out, err);
}

static gboolean add_named(store *st, gint64 tree, GHashTable *seen, GArray *out,
			  GError **err)
{
	g_autoptr(db_rows) ids =
		db_query(st->state, err,
			 "SELECT DISTINCT id FROM commit_ref LIMIT ?",
			 INT(COMMIT_MAX_NAMED));
	int rc;

	while ((rc = db_next(ids, err)) > 0)
		if (!take_named(st, tree, db_text(ids, 0), seen, out, err))
			return FALSE;
	return rc == 0;
}

GArray *commit_store_uncompared(store *st, gint64 tree, guint newest,
				GError **err)
{
	g_autoptr(GArray) out =
		g_array_new(FALSE, FALSE, sizeof(struct uncompared));
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(db_rows) rows = NULL;
	gint64 bound;

	if (!bound_of(st, tree, newest, &bound, err))
		return NULL;
	rows = db_query(st->state, err,
			"SELECT c.id, c.oid FROM git_commit c WHERE "
			"c.compared = 0 AND c.commit_date >= ?2 AND" IN_TREE
			" ORDER BY c.commit_date DESC",
			INT(tree), INT(bound));
	if (!take_rows(rows, seen, out, err) ||
	    !add_named(st, tree, seen, out, err))
		return NULL;
	return g_steal_pointer(&out);
}

static gint64 path_row(store *st, const char *path, GError **err)
{
	gint64 row;
	int rc = db_get_int(st->state, &row, err,
			    "SELECT id FROM git_path WHERE text = ?",
			    TEXT(path));

	if (rc)
		return rc < 0 ? -1 : row;
	if (!db_run(st->state, err, "INSERT INTO git_path (text) VALUES (?)",
		    TEXT(path)))
		return -1;
	return sqlite3_last_insert_rowid(db_handle(st->state));
}

static gboolean add_path(store *st, gint64 commit, const char *path,
			 GError **err)
{
	g_autofree char *text = g_utf8_make_valid(path, -1);
	gint64 row = path_row(st, text, err);

	return row > 0 && db_run(st->state, err,
				 "INSERT OR IGNORE INTO git_file VALUES (?, ?)",
				 INT(commit), INT(row));
}

gboolean commit_store_compared(store *st, gint64 commit,
			       const struct commit_change *change, GError **err)
{
	const GPtrArray *paths = change->paths;

	for (guint i = 0; paths && i < MIN(paths->len, COMMIT_MAX_FILES); i++)
		if (!add_path(st, commit, paths->pdata[i], err))
			return FALSE;
	return db_run(st->state, err,
		      "UPDATE git_commit SET compared = 1, patch_id = ?, "
		      "blobs = ?, files = ? WHERE id = ?",
		      BLOB(change->patch_id, COMMIT_OID_LEN),
		      BLOB(change->blobs, DIFF_BLOBS_LEN),
		      INT(paths ? (gint64)paths->len : DB_NULL), INT(commit));
}
