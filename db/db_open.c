/* db_open.c - opening, creating, checking and copying one SQLite file
 * Tells our files from foreign, damaged and newer ones before anything is
 * read from them. Knows no table. */
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "db/db_conn.h"
#include "db/db_priv.h"

#define BACKUP_PAGES 1000 /* copied at a time */

GResource *culprit_db_get_resource(void); /* made from *.sql */
void culprit_db_register_resource(void);

static gpointer register_once(gpointer unused)
{
	culprit_db_register_resource();
	return culprit_db_get_resource();
}

gboolean db_script_resource(db *d, const char *resource, GError **err)
{
	static GOnce once = G_ONCE_INIT;
	GResource *all = g_once(&once, register_once, NULL);
	g_autoptr(GBytes) text =
		g_resource_lookup_data(all, resource,
				       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

	g_assert(text);
	return db_script(d, g_bytes_get_data(text, NULL), err);
}

void db_close(db *d)
{
	if (!d)
		return;
	g_hash_table_destroy(d->statements);
	sqlite3_close_v2(d->handle);
	g_free(d->path);
	g_free(d);
}

static void finalize(gpointer s)
{
	sqlite3_finalize(s);
}

/* Another writer leaves gaps of a few milliseconds between its batches:
 * SQLite's own handler sleeps too long to meet them. */
static int wait_for_lock(void *data, int tries)
{
	db *d = data;

	if (tries == 0)
		d->give_up = g_get_monotonic_time() + DB_BUSY_TIMEOUT * 1000;
	if (g_get_monotonic_time() >= d->give_up)
		return 0;
	g_usleep(g_random_int_range(500, 2000));
	return 1;
}

static db *connect_to(const char *name, const char *path, int flags,
		      GError **err)
{
	g_autoptr(db) d = g_new0(db, 1);
	int rc;

	d->path = g_strdup(path);
	d->statements = g_hash_table_new_full(NULL, NULL, NULL, finalize);
	rc = sqlite3_open_v2(name, &d->handle,
			     flags | SQLITE_OPEN_NOMUTEX |
				     SQLITE_OPEN_EXRESCODE,
			     NULL);
	if (rc != SQLITE_OK) {
		int system = sqlite3_system_errno(d->handle);

		g_set_error(err, STORE_ERROR, STORE_ERROR_IO, "%s: %s", path,
			    system ? g_strerror(system) : sqlite3_errstr(rc));
		return NULL;
	}
	sqlite3_busy_handler(d->handle, wait_for_lock, d);
	return g_steal_pointer(&d);
}

/* A file on read-only media has no place for the shared memory of WAL. If it
 * has no log either, nobody can be writing to it. */
static db *connect_immutable(const char *path, GError **err)
{
	g_autofree char *wal = g_strconcat(path, "-wal", NULL);
	g_autofree char *escaped = NULL, *uri = NULL;
	GStatBuf sb;

	if (g_stat(wal, &sb) == 0 && sb.st_size > 0)
		return NULL;
	escaped = g_uri_escape_string(path, "/", TRUE);
	uri = g_strdup_printf("file:%s?immutable=1", escaped);
	return connect_to(uri, path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
			  err);
}

static gboolean pragma_int(db *d, const char *sql, gint64 *out, GError **err)
{
	*out = 0;
	return db_get_int(d, out, err, sql) >= 0;
}

/* 1: ours, of this version or one that can be carried over; 0: nothing in it
 * yet; -1 and *err. All at one moment: another program may be creating it. */
static int identify(db *d, const struct db_kind *kind, enum store_mode mode,
		    GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(d, err);
	gint64 version, id, tables;

	if (!snap || !pragma_int(d, "PRAGMA user_version", &version, err) ||
	    !pragma_int(d, "PRAGMA application_id", &id, err) ||
	    !pragma_int(d, "SELECT count(*) FROM sqlite_schema", &tables, err))
		return -1;
	if (version == 0 && id == 0 && tables == 0)
		return 0;
	if (id != kind->application_id) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_CORRUPT,
			    "%s: a database of another program", d->path);
		return -1;
	}
	if (version > kind->version) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_SCHEMA,
			    "%s: written by a newer version (schema %d, "
			    "known up to %d); update culprit",
			    d->path, (int)version, kind->version);
		return -1;
	}
	if (version < kind->version && mode == STORE_READ) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_SCHEMA,
			    "%s: written by an older version (schema %d, "
			    "now %d): run culprit rebuild once",
			    d->path, (int)version, kind->version);
		return -1;
	}
	return 1;
}

/* The version is checked again inside: two programs may start at once. */
static gboolean create(db *d, const struct db_kind *kind, GError **err)
{
	g_autofree char *mark = NULL;
	gboolean ok;
	int found, i;

	if (!db_run(d, err, "BEGIN IMMEDIATE"))
		return FALSE;
	found = identify(d, kind, STORE_WRITE, err);
	ok = found >= 0;
	for (i = 0; ok && found == 0 && kind->scripts[i]; i++)
		ok = db_script_resource(d, kind->scripts[i], err);
	mark = g_strdup_printf("PRAGMA application_id = %d;"
			       "PRAGMA user_version = %d;",
			       kind->application_id, kind->version);
	ok = ok && (found == 1 || db_script(d, mark, err)) &&
	     db_run(d, err, "COMMIT");
	if (!ok && !sqlite3_get_autocommit(d->handle))
		db_run(d, NULL, "ROLLBACK");
	return ok;
}

/* SQLite does not wait here where two programs make the file at once: each
 * reads it and wants to write. */
static gboolean use_log(db *d, GError **err)
{
	gint64 give_up = g_get_monotonic_time() + DB_BUSY_TIMEOUT * 1000;
	g_autofree char *pragmas =
		g_strdup_printf("PRAGMA journal_mode = WAL;"
				"PRAGMA wal_autocheckpoint = %d;",
				DB_CHECKPOINT);

	for (;;) {
		g_autoptr(GError) why = NULL;

		if (db_script(d, pragmas, &why))
			return TRUE;
		if (!g_error_matches(why, STORE_ERROR, STORE_ERROR_BUSY) ||
		    g_get_monotonic_time() >= give_up) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		g_usleep(g_random_int_range(500, 2000));
	}
}

static gboolean prepare_writing(db *d, const struct db_kind *kind, int found,
				GError **err)
{
	if (sqlite3_db_readonly(d->handle, "main") == 1) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_IO,
			    "%s: it can't be written to", d->path);
		return FALSE;
	}
	if (!use_log(d, err))
		return FALSE;
	return found == 1 || create(d, kind, err);
}

/* 1: there is something to open; 0: no such file; -1 and *err. */
static int look(const char *path, GError **err)
{
	GStatBuf sb;

	if (g_stat(path, &sb) == 0 && sb.st_size > 0)
		return 1;
	if (errno == 0 || errno == ENOENT)
		return 0;
	g_set_error(err, STORE_ERROR, STORE_ERROR_IO, "%s: %s", path,
		    g_strerror(errno));
	return -1;
}

db *db_open(const char *path, const struct db_kind *kind, enum store_mode mode,
	    GError **err)
{
	g_autofree char *cache = NULL;
	g_autoptr(GError) why = NULL;
	g_autoptr(db) d = NULL;
	int found;

	errno = 0;
	if (mode == STORE_READ && look(path, err) <= 0)
		return NULL;
	d = connect_to(path, path,
		       mode == STORE_READ
			       ? SQLITE_OPEN_READONLY
			       : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		       err);
	if (!d)
		return NULL;
	found = identify(d, kind, mode, &why);
	if (found < 0 && mode == STORE_READ &&
	    g_error_matches(why, STORE_ERROR, STORE_ERROR_IO)) {
		db *calm = connect_immutable(path, NULL);

		if (calm) {
			db_close(d);
			d = calm;
			g_clear_error(&why);
			found = identify(d, kind, mode, &why);
		}
	}
	if (found < 0) {
		g_propagate_error(err, g_steal_pointer(&why));
		return NULL;
	}
	cache = g_strdup_printf("PRAGMA cache_size = -%d;"
				"PRAGMA synchronous = FULL;"
				"PRAGMA temp_store = MEMORY;",
				kind->cache_kib);
	if (!db_script(d, cache, err))
		return NULL;
	if (mode == STORE_READ)
		return found ? g_steal_pointer(&d) : NULL;
	return prepare_writing(d, kind, found, err) ? g_steal_pointer(&d)
						    : NULL;
}

gboolean db_check(db *d, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(d, err, "PRAGMA main.quick_check(1)");
	const char *said;

	if (db_next(rows, err) < 0)
		return FALSE;
	said = db_text(rows, 0);
	if (g_strcmp0(said, "ok") == 0)
		return TRUE;
	/* "*** in database main ***" is the first line */
	if (said && g_str_has_prefix(said, "***") && strchr(said, '\n'))
		said = strchr(said, '\n') + 1;
	g_set_error(err, STORE_ERROR, STORE_ERROR_CORRUPT, "%s: %s: %s",
		    d->path, DB_DAMAGED, said ? said : "no more is known");
	return FALSE;
}

static gboolean copy_pages(db *from, sqlite3 *to, GError **err)
{
	sqlite3_backup *b =
		sqlite3_backup_init(to, "main", from->handle, "main");
	int rc;

	if (!b)
		return db_fail(to, sqlite3_extended_errcode(to), err);
	do {
		rc = sqlite3_backup_step(b, BACKUP_PAGES);
	} while (rc == SQLITE_OK);
	sqlite3_backup_finish(b);
	return rc == SQLITE_DONE || db_fail(to, rc, err);
}

static gboolean io_fail(const char *path, GError **err)
{
	g_set_error(err, STORE_ERROR, STORE_ERROR_IO, "%s: %s", path,
		    g_strerror(errno));
	return FALSE;
}

/* A file or a folder. */
static gboolean sync_path(const char *path, GError **err)
{
	int fd = g_open(path, O_RDONLY | O_CLOEXEC, 0);
	gboolean ok = fd >= 0 && fsync(fd) == 0;

	if (!ok)
		io_fail(path, err);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Its log would be taken for one of the new file, and spoil it. */
static gboolean has_no_log(const char *file, GError **err)
{
	g_autofree char *wal = g_strconcat(file, "-wal", NULL);
	GStatBuf sb;

	if (g_stat(wal, &sb) < 0 || sb.st_size == 0)
		return TRUE;
	g_set_error(err, STORE_ERROR, STORE_ERROR_IO,
		    "%s: is a database in use, or one that was not closed; "
		    "choose another name",
		    file);
	return FALSE;
}

gboolean db_backup(db *d, const char *file, GError **err)
{
	g_autofree char *part = g_strconcat(file, ".part", NULL);
	g_autofree char *folder = g_path_get_dirname(file);
	g_autoptr(db) to = NULL;
	gboolean ok;

	if (!has_no_log(file, err))
		return FALSE;
	g_unlink(part);
	to = connect_to(part, part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			err);
	ok = to && copy_pages(d, to->handle, err);
	g_clear_pointer(&to, db_close);
	ok = ok && sync_path(part, err) &&
	     (g_rename(part, file) == 0 || io_fail(file, err)) &&
	     sync_path(folder, err);
	if (!ok)
		g_unlink(part);
	return ok;
}
