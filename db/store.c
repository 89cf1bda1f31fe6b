/* store.c - the database as other layers see it: open, transact, copy
 * Keeps state and spool in step: the spool is committed first, and what was
 * dropped from it goes last. */
#include "db/store.h"

#include <glib/gstdio.h>

#include "db/db_priv.h"
#include "db/union.h"

store *store_open(const char *path, enum store_mode mode, GError **err)
{
	g_autoptr(store) st = g_new0(store, 1);

	st->path = g_strdup(path);
	st->mode = mode;
	st->state = db_open(path, &state_kind, mode, err);
	if (!st->state)
		return NULL;
	st->unsettled = g_hash_table_new_full(g_int64_hash, g_int64_equal,
					      g_free, NULL);
	if (mode == STORE_WRITE && !migrate_state(st, err))
		return NULL;
	return g_steal_pointer(&st);
}

void store_close(store *st)
{
	if (!st)
		return;
	if (st->search_free)
		st->search_free(st->search);
	if (st->kept_free)
		st->kept_free(st->kept);
	roles_free(st);
	if (st->keepers_free)
		st->keepers_free(st->keepers);
	spool_close(st);
	intern_free(st);
	g_clear_pointer(&st->unsettled, g_hash_table_destroy);
	db_close(st->state);
	g_free(st->path);
	g_free(st->spool_path);
	g_free(st->fts_path);
	g_free(st);
}

void store_set_paths(store *st, const char *spool, const char *fts)
{
	g_free(st->spool_path);
	st->spool_path = g_strdup(spool);
	g_free(st->fts_path);
	st->fts_path = g_strdup(fts);
	st->fts_named = fts != NULL;
}

static char *beside(const store *st, const char *suffix)
{
	if (g_str_equal(st->path, ":memory:"))
		return g_strdup(st->path);
	return g_strconcat(st->path, suffix, NULL);
}

const char *store_fts_path(store *st)
{
	if (!st->fts_path)
		st->fts_path = beside(st, "-fts");
	return st->fts_path;
}

const char *store_spool_path(store *st)
{
	if (!st->spool_path)
		st->spool_path = beside(st, "-spool");
	return st->spool_path;
}

static void forget(store *st)
{
	intern_forget(st);
	g_hash_table_remove_all(st->unsettled);
	st->next_node = 0;
	st->asked = FALSE;
}

/* What is remembered of the tables holds as long as nobody else writes. */
static gboolean begin(store *st, GError **err)
{
	gint64 version = 0;

	if (!db_run(st->state, err, "BEGIN IMMEDIATE"))
		return FALSE;
	if (db_get_int(st->state, &version, err, "PRAGMA data_version") < 0) {
		db_run(st->state, NULL, "ROLLBACK");
		return FALSE;
	}
	if (version != st->data_version)
		forget(st);
	st->data_version = version;
	st->asked = FALSE;
	st->writing = TRUE;
	return TRUE;
}

gboolean store_transact(store *st, store_fn fn, void *data, GError **err)
{
	gboolean ok;

	g_assert(!st->writing && st->mode == STORE_WRITE);
	if (!begin(st, err))
		return FALSE;
	ok = fn(st, data, err) && union_settle(st, err) &&
	     spool_commit(st, err) && db_run(st->state, err, "COMMIT");
	st->writing = FALSE;
	if (ok) {
		spool_purge(st);
		return TRUE;
	}
	/* a full disk may have rolled back already */
	if (!sqlite3_get_autocommit(db_handle(st->state)))
		db_run(st->state, NULL, "ROLLBACK");
	spool_rollback(st);
	forget(st);
	return FALSE;
}

gboolean store_write(store *st, store_fn fn, void *data, GError **err)
{
	if (st->writing)
		return fn(st, data, err);
	return store_transact(st, fn, data, err);
}

gint64 store_version(store *st, GError **err)
{
	gint64 version = 0;

	db_get_int(st->state, &version, err, "PRAGMA data_version");
	return version;
}

/* The snapshot begins with the first read, not with BEGIN. */
static db_snapshot *pin(db *d, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(d, err);
	gint64 n;

	if (!snap ||
	    db_get_int(d, &n, err, "SELECT count(*) FROM sqlite_schema") < 0)
		return NULL;
	return g_steal_pointer(&snap);
}

static gboolean same_file(const char *a, const char *b)
{
	GStatBuf x, y;

	return g_stat(a, &x) == 0 && g_stat(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static gboolean is_elsewhere(store *st, const char *file, GError **err)
{
	if (!same_file(file, st->path) &&
	    !same_file(file, store_spool_path(st)) &&
	    !same_file(file, store_fts_path(st)))
		return TRUE;
	g_set_error(err, STORE_ERROR, STORE_ERROR_IO,
		    "%s: belongs to the database itself; choose another name",
		    file);
	return FALSE;
}

gboolean store_backup(store *st, const char *file, GError **err)
{
	g_autofree char *spool_file = g_strconcat(file, "-spool", NULL);
	g_autoptr(db_snapshot) state = pin(st->state, err);
	g_autoptr(db_snapshot) spooled = NULL;
	g_autoptr(GError) why = NULL;
	db *spool;

	if (!state || !is_elsewhere(st, file, err) ||
	    !is_elsewhere(st, spool_file, err))
		return FALSE;
	spool = spool_db(st, &why);
	if (spool)
		spooled = pin(spool, &why);
	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	/* the state last: a backup with state has its spool */
	if (spooled && !db_backup(spool, spool_file, err))
		return FALSE;
	return db_backup(st->state, file, err);
}

gboolean store_check(store *st, GError **err)
{
	g_autoptr(GError) why = NULL;
	db *spool;

	if (!db_check(st->state, err))
		return FALSE;
	spool = spool_db(st, &why);
	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	return !spool || db_check(spool, err);
}
