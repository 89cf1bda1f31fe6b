/* commit_store.c - trees, branches and commits, written down */
#include "db/commit_store.h"

#include <string.h>

#include "mail/diff.h"
#include "mail/subject.h"

#include "db/db_priv.h"

#define OID(oid) BLOB(oid, COMMIT_OID_LEN)

/* ---- trees and branches */

static gboolean store_tree(store *st, struct code_tree *t, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO git_tree (name, place, role, rank, weburl, "
		      "configured) VALUES (?, ?, ?, ?, ?, 1) "
		      "ON CONFLICT (name) DO UPDATE SET place = ?2, role = ?3, "
		      "rank = ?4, weburl = ?5, configured = 1",
		      TEXT(t->name), TEXT(t->place), INT(t->role),
		      INT(t->order), TEXT(t->weburl)) &&
	       db_get_int(st->state, &t->row, err,
			  "SELECT id FROM git_tree WHERE name = ?",
			  TEXT(t->name)) > 0;
}

gboolean commit_store_trees(store *st, GPtrArray *trees, GError **err)
{
	if (!db_run(st->state, err, "UPDATE git_tree SET configured = 0"))
		return FALSE;
	for (guint i = 0; i < trees->len; i++)
		if (!store_tree(st, trees->pdata[i], err))
			return FALSE;
	return TRUE;
}

gboolean commit_store_looked(store *st, gint64 tree, gint64 when, gint64 since,
			     GError **err)
{
	return db_run(st->state, err,
		      "UPDATE git_tree SET looked = ?, since = ? WHERE id = ?",
		      INT(when), INT(since ? since : DB_NULL), INT(tree));
}

gboolean commit_store_since(store *st, gint64 tree, gint64 *since, GError **err)
{
	*since = 0;
	if (db_get_int(st->state, since, err,
		       "SELECT since FROM git_tree WHERE id = ?",
		       INT(tree)) < 0)
		return FALSE;
	if (*since == DB_NULL)
		*since = 0;
	return TRUE;
}

gboolean commit_store_problem(store *st, const char *tree, const char *text,
			      GError **err)
{
	return db_run(st->state, err,
		      "DELETE FROM problem WHERE kind = 'tree' AND place = ?",
		      TEXT(tree)) &&
	       (!text ||
		archive_problem(st, "tree", tree, "unreadable", text, err));
}

void stored_branch_free(struct stored_branch *b)
{
	g_free(b->name);
	g_free(b);
}

static gboolean read_oid(sqlite3_stmt *rows, int col, guint8 *oid)
{
	if (sqlite3_column_bytes(rows, col) != COMMIT_OID_LEN)
		return FALSE;
	memcpy(oid, sqlite3_column_blob(rows, col), COMMIT_OID_LEN);
	return TRUE;
}

static struct stored_branch *read_branch(sqlite3_stmt *rows)
{
	struct stored_branch *b = g_new0(struct stored_branch, 1);

	b->row = db_int(rows, 0);
	b->name = db_dup(rows, 1);
	b->has_head = read_oid(rows, 2, b->head);
	return b;
}

GPtrArray *commit_store_branches(store *st, gint64 tree, GError **err)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(
		(GDestroyNotify)stored_branch_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, name, head FROM git_branch WHERE tree = ? "
			 "ORDER BY id",
			 INT(tree));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(all, read_branch(rows));
	return rc ? NULL : g_steal_pointer(&all);
}

struct stored_branch *commit_store_branch(store *st, gint64 tree,
					  const char *name, GError **err)
{
	g_autoptr(db_rows) rows = NULL;

	if (!db_run(st->state, err,
		    "INSERT OR IGNORE INTO git_branch (tree, name) "
		    "VALUES (?, ?)",
		    INT(tree), TEXT(name)))
		return NULL;
	rows = db_query(st->state, err,
			"SELECT id, name, head FROM git_branch WHERE tree = ? "
			"AND name = ?",
			INT(tree), TEXT(name));
	return db_next(rows, err) > 0 ? read_branch(rows) : NULL;
}

gboolean commit_store_head(store *st, gint64 branch, const guint8 *head,
			   GError **err)
{
	return db_run(st->state, err,
		      "UPDATE git_branch SET head = ? WHERE id = ?", OID(head),
		      INT(branch));
}

/* ---- commits */

gint64 commit_store_find(store *st, const guint8 *oid, GError **err)
{
	gint64 row = 0;

	return db_get_int(st->state, &row, err,
			  "SELECT id FROM git_commit WHERE oid = ?",
			  OID(oid)) < 0
		       ? -1
		       : row;
}

gint64 commit_store_find_in(store *st, const guint8 *oid, gint64 branch,
			    gboolean *there, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT c.id, p.git_commit FROM git_commit c "
		"LEFT JOIN git_presence p ON p.git_commit = c.id "
		"AND p.branch = ?2 AND p.gone IS NULL WHERE c.oid = ?1",
		OID(oid), INT(branch));
	int rc = db_next(rows, err);

	*there = rc > 0 && db_int(rows, 1) != DB_NULL;
	return rc > 0 ? db_int(rows, 0) : rc;
}

static gint64 person_row(store *st, const struct address *who, GError **err)
{
	gint64 row;
	int rc;

	rc = db_get_int(st->state, &row, err,
			"SELECT id FROM git_person WHERE address = ? AND "
			"name = ?",
			TEXT(who->address), TEXT(who->name));
	if (rc)
		return rc < 0 ? -1 : row;
	if (!db_run(st->state, err,
		    "INSERT INTO git_person (address, name) VALUES (?, ?)",
		    TEXT(who->address), TEXT(who->name)))
		return -1;
	return sqlite3_last_insert_rowid(db_handle(st->state));
}

static gboolean add_note(store *st, gint64 commit, guint seq,
			 const struct commit_note *n, GError **err)
{
	g_autofree char *key = n->subject ? subject_key(n->subject) : NULL;

	return db_run(st->state, err,
		      "INSERT INTO git_saying (git_commit, seq, says, id, "
		      "subject, title_key, mid, url) "
		      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		      INT(commit), INT(seq), INT(n->says), TEXT(n->id),
		      TEXT(n->subject), TEXT(key), TEXT(n->mid), TEXT(n->url));
}

static gboolean add_committer(store *st, const struct address *who,
			      GError **err)
{
	gint64 row = person_row(st, who, err);

	return row > 0 &&
	       db_run(st->state, err,
		      "INSERT OR IGNORE INTO git_committer VALUES (?)",
		      INT(row));
}

gint64 commit_store_add(store *st, const guint8 *oid,
			const struct commit_object *c, GError **err)
{
	g_autofree char *key = subject_key(c->subject);
	gint64 author = person_row(st, c->author, err), row;

	if (author < 0 || !add_committer(st, c->committer, err) ||
	    !db_run(st->state, err,
		    "INSERT INTO git_commit (oid, subject, title_key, author, "
		    "author_date, commit_date, parents, trailers) "
		    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		    OID(oid), TEXT(c->subject), TEXT(key), INT(author),
		    INT(c->author_date), INT(c->commit_date),
		    INT(c->parents->len / COMMIT_OID_LEN), TEXT(c->trailers)))
		return -1;
	row = sqlite3_last_insert_rowid(db_handle(st->state));
	for (guint i = 0; i < c->notes->len; i++)
		if (!add_note(st, row, i, c->notes->pdata[i], err))
			return -1;
	return row;
}

gboolean commit_store_present(store *st, gint64 commit, gint64 branch,
			      gint64 merged, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO git_presence (git_commit, branch, merged) "
		      "VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET merged = ?3, "
		      "gone = NULL",
		      INT(commit), INT(branch), INT(merged));
}

gboolean commit_store_gone(store *st, gint64 commit, gint64 branch, gint64 when,
			   GError **err)
{
	return db_run(st->state, err,
		      "UPDATE git_presence SET gone = ?3 WHERE git_commit = ?1 "
		      "AND branch = ?2 AND gone IS NULL",
		      INT(commit), INT(branch), INT(when));
}

gboolean commit_store_all_gone(store *st, gint64 branch, gint64 when,
			       GError **err)
{
	return db_run(st->state, err,
		      "UPDATE git_presence SET gone = ?2 WHERE branch = ?1 "
		      "AND gone IS NULL",
		      INT(branch), INT(when));
}

gboolean commit_store_each(store *st, gint64 branch, commit_store_oid_fn fn,
			   void *data, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT c.oid, c.id FROM git_presence p "
			 "JOIN git_commit c ON c.id = p.git_commit "
			 "WHERE p.branch = ? AND p.gone IS NULL",
			 INT(branch));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		if (!fn(sqlite3_column_blob(rows, 0), db_int(rows, 1), data,
			err))
			return FALSE;
	return rc == 0;
}
