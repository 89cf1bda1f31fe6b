/* commit_tags.c - tags of a tree, and which commit came with which
 * A tag is spread over all of its ancestors that no older tag has. */
#include <string.h>

#include "db/commit_priv.h"
#include "db/commit_store.h"

#define OID(oid) BLOB(oid, COMMIT_OID_LEN)

void stored_tag_free(struct stored_tag *t)
{
	g_free(t->name);
	g_free(t);
}

static struct stored_tag *read_tag(sqlite3_stmt *rows)
{
	struct stored_tag *t = g_new0(struct stored_tag, 1);

	t->row = db_int(rows, 0);
	t->name = db_dup(rows, 1);
	t->date = db_int(rows, 2);
	memcpy(t->oid, sqlite3_column_blob(rows, 3), COMMIT_OID_LEN);
	return t;
}

/* v5.13-rc7 before v5.13; else as numbers count. */
static int compare_names(const char *a, const char *b)
{
	gsize la = strlen(a), lb = strlen(b);

	if (la < lb && !strncmp(a, b, la) && g_str_has_prefix(b + la, "-rc"))
		return 1;
	if (lb < la && !strncmp(a, b, lb) && g_str_has_prefix(a + lb, "-rc"))
		return -1;
	return strverscmp(a, b);
}

static int by_date(gconstpointer a, gconstpointer b)
{
	const struct stored_tag *x = *(struct stored_tag *const *)a;
	const struct stored_tag *y = *(struct stored_tag *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return compare_names(x->name, y->name);
}

/* Name to struct stored_tag. */
static GHashTable *tags_by_name(store *st, gint64 tree, GError **err)
{
	g_autoptr(GHashTable) all =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
				      (GDestroyNotify)stored_tag_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, name, date, oid FROM git_tag "
			 "WHERE tree = ?",
			 INT(tree));
	struct stored_tag *t;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		t = read_tag(rows);
		g_hash_table_replace(all, t->name, t);
	}
	return rc ? NULL : g_steal_pointer(&all);
}

static gboolean forget_spread(store *st, gint64 tree, GError **err)
{
	return db_run(st->state, err, "DELETE FROM git_tagged WHERE tree = ?",
		      INT(tree)) &&
	       db_run(st->state, err,
		      "UPDATE git_tag SET spread = 0 WHERE tree = ?",
		      INT(tree));
}

static gboolean delete_tags(store *st, gint64 tree, GHashTable *gone,
			    GError **err)
{
	GHashTableIter iter;
	gpointer tag;

	if (!g_hash_table_size(gone))
		return TRUE;
	if (!forget_spread(st, tree, err))
		return FALSE;
	g_hash_table_iter_init(&iter, gone);
	while (g_hash_table_iter_next(&iter, NULL, &tag))
		if (!db_run(st->state, err, "DELETE FROM git_tag WHERE id = ?",
			    INT(((struct stored_tag *)tag)->row)))
			return FALSE;
	return TRUE;
}

/* As it was: then it is taken out. */
static gboolean is_known(GHashTable *known, const struct stored_tag *t)
{
	gpointer found = g_hash_table_lookup(known, t->name);
	const struct stored_tag *old = found;

	return old && old->date == t->date &&
	       !memcmp(old->oid, t->oid, COMMIT_OID_LEN) &&
	       g_hash_table_remove(known, t->name);
}

gboolean commit_store_tags(store *st, gint64 tree, GPtrArray *tags,
			   GError **err)
{
	g_autoptr(GHashTable) known = tags_by_name(st, tree, err);
	g_autoptr(GPtrArray) new = g_ptr_array_new();

	if (!known)
		return FALSE;
	for (guint i = 0; i < tags->len; i++)
		if (!is_known(known, tags->pdata[i]))
			g_ptr_array_add(new, tags->pdata[i]);
	/* what is left in `known` vanished or moved */
	if (!delete_tags(st, tree, known, err))
		return FALSE;
	for (guint i = 0; i < new->len; i++) {
		const struct stored_tag *t = new->pdata[i];

		if (!db_run(st->state, err,
			    "INSERT INTO git_tag (tree, name, oid, date) "
			    "VALUES (?, ?, ?, ?)",
			    INT(tree), TEXT(t->name), OID(t->oid),
			    INT(t->date)))
			return FALSE;
	}
	return TRUE;
}

static GPtrArray *load_unspread(store *st, gint64 tree, GError **err)
{
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func((GDestroyNotify)stored_tag_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT t.id, t.name, t.date, t.oid FROM git_tag t "
			 "JOIN git_commit c ON c.oid = t.oid WHERE t.tree = ?1 "
			 "AND t.spread = 0 AND t.name GLOB '*[0-9]*' "
			 "AND EXISTS (SELECT 1 FROM git_presence p "
			 "JOIN git_branch b ON b.id = p.branch WHERE "
			 "p.git_commit = c.id AND b.tree = ?1)",
			 INT(tree));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, read_tag(rows));
	if (rc)
		return NULL;
	g_ptr_array_sort(out, by_date);
	return g_steal_pointer(&out);
}

GPtrArray *commit_store_unspread(store *st, gint64 tree, GError **err)
{
	g_autoptr(GPtrArray) out = load_unspread(st, tree, err);
	gint64 newer = 0;

	if (!out || !out->len)
		return g_steal_pointer(&out);
	if (db_get_int(st->state, &newer, err,
		       "SELECT count(*) FROM git_tag WHERE tree = ? AND "
		       "spread = 1 AND date >= ?",
		       INT(tree),
		       INT(((struct stored_tag *)out->pdata[0])->date)) < 0)
		return NULL;
	if (!newer)
		return g_steal_pointer(&out);
	return forget_spread(st, tree, err) ? load_unspread(st, tree, err)
					    : NULL;
}

gboolean commit_store_tag(store *st, gint64 tree, gint64 tag, const guint8 *oid,
			  gboolean *old, GError **err)
{
	if (!db_run(st->state, err,
		    "INSERT OR IGNORE INTO git_tagged (git_commit, tree, tag) "
		    "SELECT id, ?2, ?3 FROM git_commit WHERE oid = ?1",
		    OID(oid), INT(tree), INT(tag)))
		return FALSE;
	*old = sqlite3_changes(db_handle(st->state)) == 0;
	return TRUE;
}

gboolean commit_store_spread(store *st, gint64 tag, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE git_tag SET spread = 1 WHERE id = ?", INT(tag));
}

gboolean commit_store_text(store *st, gint64 tree, const char *path,
			   const guint8 *oid, GBytes *text, GError **err)
{
	gsize len = 0;
	const char *data = text ? g_bytes_get_data(text, &len) : NULL;

	if (!text)
		return db_run(st->state, err,
			      "DELETE FROM git_text WHERE tree = ? AND "
			      "path = ?",
			      INT(tree), TEXT(path));
	return db_run(st->state, err,
		      "INSERT INTO git_text (tree, path, oid, text) "
		      "VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
		      "oid = ?3, text = ?4",
		      INT(tree), TEXT(path), OID(oid),
		      BLOB(len ? data : "", (int)len));
}
