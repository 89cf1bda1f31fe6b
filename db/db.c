/* db.c - statements of one SQLite connection, and what its failures mean
 * The text of a query is its identity: prepared once, kept, bound, stepped.
 * Knows no table. */
#include <math.h>
#include <string.h>

#include "db/db_conn.h"
#include "db/db_priv.h"

G_DEFINE_QUARK(store - error - quark, store_error)

static enum store_error code_of(int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return STORE_ERROR_BUSY;
	case SQLITE_NOMEM:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_NOLFS:
		return STORE_ERROR_IO;
	default:
		/* NOTADB, CORRUPT; and a table or a constraint that is not
		 * as this program made it */
		return STORE_ERROR_CORRUPT;
	}
}

/* What happened, and what can be done; what the system says of it, too. */
static const char *reason_of(sqlite3 *handle, int rc, int *system)
{
	*system = 0;
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return "locked by another program; try again later";
	case SQLITE_NOTADB:
		return "not a database";
	case SQLITE_CORRUPT:
		return DB_DAMAGED;
	case SQLITE_FULL:
		return "no space left for it";
	case SQLITE_NOMEM:
		return "out of memory";
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		*system = sqlite3_system_errno(handle);
		return sqlite3_errstr(rc);
	default:
		return sqlite3_errmsg(handle);
	}
}

gboolean db_fail(sqlite3 *handle, int rc, GError **err)
{
	const char *path = sqlite3_db_filename(handle, "main");
	int system;
	const char *reason = reason_of(handle, rc, &system);

	g_set_error(err, STORE_ERROR, code_of(rc), "%s: %s%s%s",
		    path && *path ? path : ":memory:", reason,
		    system ? ": " : "", system ? g_strerror(system) : "");
	return FALSE;
}

sqlite3 *db_handle(db *d)
{
	return d->handle;
}

const char *db_path(const db *d)
{
	return d->path;
}

static gboolean bind_args(sqlite3_stmt *s, const struct db_arg *args,
			  GError **err)
{
	int i, rc = SQLITE_OK;

	for (i = 1; args->type != DB_ARG_END && rc == SQLITE_OK; args++, i++) {
		if (args->type == DB_ARG_INT && args->i != DB_NULL)
			rc = sqlite3_bind_int64(s, i, args->i);
		else if (args->type == DB_ARG_REAL && !isnan(args->d))
			rc = sqlite3_bind_double(s, i, args->d);
		else if (args->type == DB_ARG_TEXT && args->p)
			rc = sqlite3_bind_text(s, i, args->p, args->len,
					       SQLITE_STATIC);
		else if (args->type == DB_ARG_BLOB && args->p)
			rc = sqlite3_bind_blob(s, i, args->p, args->len,
					       SQLITE_STATIC);
		else
			rc = sqlite3_bind_null(s, i);
	}
	g_assert(i - 1 == sqlite3_bind_parameter_count(s) || rc != SQLITE_OK);
	return rc == SQLITE_OK || db_fail(sqlite3_db_handle(s), rc, err);
}

static sqlite3_stmt *kept(db *d, const char *sql, GError **err)
{
	sqlite3_stmt *s = g_hash_table_lookup(d->statements, sql);
	int rc;

	if (s) {
		g_assert(!sqlite3_stmt_busy(s));
		return s;
	}
	rc = sqlite3_prepare_v3(d->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
				&s, NULL);
	if (rc != SQLITE_OK) {
		db_fail(d->handle, rc, err);
		return NULL;
	}
	g_hash_table_insert(d->statements, (gpointer)sql, s);
	return s;
}

db_rows *db_query_args(db *d, GError **err, const char *sql,
		       const struct db_arg *args)
{
	sqlite3_stmt *s = kept(d, sql, err);

	return s && bind_args(s, args, err) ? s : NULL;
}

db_once *db_query_once(db *d, GError **err, const char *sql,
		       const struct db_arg *args)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(d->handle, sql, -1, &s, NULL);

	if (rc != SQLITE_OK) {
		db_fail(d->handle, rc, err);
		return NULL;
	}
	if (bind_args(s, args, err))
		return s;
	sqlite3_finalize(s);
	return NULL;
}

int db_next(sqlite3_stmt *rows, GError **err)
{
	int rc;

	if (!rows)
		return -1;
	rc = sqlite3_step(rows);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		db_fail(sqlite3_db_handle(rows), rc, err);
	sqlite3_reset(rows);
	return rc == SQLITE_DONE ? 0 : -1;
}

void db_rows_done(db_rows *rows)
{
	sqlite3_reset(rows);
}

void db_once_done(db_once *rows)
{
	sqlite3_finalize(rows);
}

gboolean db_run_args(db *d, GError **err, const char *sql,
		     const struct db_arg *args)
{
	g_autoptr(db_rows) rows = db_query_args(d, err, sql, args);

	return db_next(rows, err) >= 0;
}

int db_get_int_args(db *d, gint64 *out, GError **err, const char *sql,
		    const struct db_arg *args)
{
	g_autoptr(db_rows) rows = db_query_args(d, err, sql, args);
	int rc = db_next(rows, err);

	if (rc > 0)
		*out = db_int(rows, 0);
	return rc;
}

gboolean db_script(db *d, const char *sql, GError **err)
{
	int rc = sqlite3_exec(d->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK || db_fail(d->handle, rc, err);
}

const char *db_text(sqlite3_stmt *rows, int col)
{
	return (const char *)sqlite3_column_text(rows, col);
}

gint64 db_int(sqlite3_stmt *rows, int col)
{
	if (sqlite3_column_type(rows, col) == SQLITE_NULL)
		return DB_NULL;
	return sqlite3_column_int64(rows, col);
}

char *db_dup(sqlite3_stmt *rows, int col)
{
	return g_strdup(db_text(rows, col));
}

/* ---- snapshots */

db_snapshot *db_snapshot_begin(db *d, GError **err)
{
	if (!d->snapshots && !sqlite3_get_autocommit(d->handle)) {
		d->inside++;
		return d;
	}
	if (!d->snapshots && !db_run(d, err, "BEGIN"))
		return NULL;
	d->snapshots++;
	return d;
}

void db_snapshot_end(db_snapshot *s)
{
	if (s->inside)
		s->inside--;
	else if (--s->snapshots == 0)
		db_run(s, NULL, "COMMIT");
}
