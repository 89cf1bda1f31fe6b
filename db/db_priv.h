/* db_priv.h - SQLite, for the files of db/ alone
 * Connections, statements and errors; the store's own innards. Nothing of
 * this may be seen outside this folder. */
#ifndef DB_DB_PRIV_H
#define DB_DB_PRIV_H

#include <glib.h>
#include <sqlite3.h>

#include "mail/address.h"
#include "mail/evidence.h"

#include "db/archive.h"
#include "db/store.h"

#define DB_BUSY_TIMEOUT 5000 /* milliseconds until STORE_ERROR_BUSY */
#define DB_CHECKPOINT	4000 /* pages in the WAL before it is folded in */
#define DB_DAMAGED	"damaged; restore a backup, or move it away and import again"

/* ---- db.c: one SQLite file and its prepared statements */

/* What kind of file it is; tells ours from those of other programs. */
struct db_kind {
	gint32 application_id;
	int version;		    /* user_version */
	const char *const *scripts; /* resources that make a new one */
	int cache_kib;
};

typedef struct db db;

/* Open, and create in mode STORE_WRITE. Errors as in store_open(); NULL with
 * err unset: STORE_READ of a file that is not there or has nothing in it. */
db *db_open(const char *path, const struct db_kind *kind, enum store_mode mode,
	    GError **err);
void db_close(db *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(db, db_close)
sqlite3 *db_handle(db *d);
const char *db_path(const db *d);

/* Set *err from the connection's last failure `rc`; the text names the file.
 * Always FALSE. */
gboolean db_fail(sqlite3 *handle, int rc, GError **err);

/* Values bound to a statement: ?1, ?2 ... in order. Text and blobs are lent
 * until the statement is done. */
struct db_arg {
	enum {
		DB_ARG_END,
		DB_ARG_NULL,
		DB_ARG_INT,
		DB_ARG_REAL,
		DB_ARG_TEXT,
		DB_ARG_BLOB
	} type;
	int len;
	union {
		gint64 i;
		double d;
		const void *p;
	};
};
#define DB_NULL G_MININT64 /* as an integer: bound as NULL, read from NULL */
/* clang-format off */
#define INT(v)	   { .type = DB_ARG_INT, .i = (v) }
#define REAL(v)	   { .type = DB_ARG_REAL, .d = (v) } /* NAN: NULL */
#define TEXT(s)	   { .type = DB_ARG_TEXT, .len = -1, .p = (s) } /* or NULL */
#define TEXTN(s, n) { .type = DB_ARG_TEXT, .len = (n), .p = (s) }
#define BLOB(b, n) { .type = DB_ARG_BLOB, .len = (n), .p = (b) } /* or NULL */
/* clang-format on */
/* What stands before the first one makes the list of none possible. */
#define DB_ARGS(...)                                     \
	((const struct db_arg[]){{.type = DB_ARG_NULL},  \
				 ##__VA_ARGS__,          \
				 {.type = DB_ARG_END}} + \
	 1)

/*
 * Rows of a query. `sql` must be a string that lives as long as the program:
 * its statement is prepared once and kept. One reader of a statement at a
 * time; db_rows_done() (or g_autoptr) ends it.
 *
 *	g_autoptr(db_rows) rows = db_query(d, err, "SELECT ...", INT(7));
 *	while ((rc = db_next(rows, err)) > 0)
 *		... sqlite3_column_int64(rows, 0) ...
 */
typedef struct sqlite3_stmt db_rows;
db_rows *db_query_args(db *d, GError **err, const char *sql,
		       const struct db_arg *args);
#define db_query(d, err, sql, ...) \
	db_query_args(d, err, sql, DB_ARGS(__VA_ARGS__))
/* For SQL made at run time: prepared anew, finalised by db_once_done(). */
typedef struct sqlite3_stmt db_once;
db_once *db_query_once(db *d, GError **err, const char *sql,
		       const struct db_arg *args);
/* 1: a row; 0: no more; -1 and *err. A NULL `rows` is an error told before. */
int db_next(sqlite3_stmt *rows, GError **err);
void db_rows_done(db_rows *rows);
void db_once_done(db_once *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(db_rows, db_rows_done)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(db_once, db_once_done)

/* Run a statement that gives no rows. */
gboolean db_run_args(db *d, GError **err, const char *sql,
		     const struct db_arg *args);
#define db_run(d, err, sql, ...) db_run_args(d, err, sql, DB_ARGS(__VA_ARGS__))
/* The integer in the first column of the first row: 1, *out set (DB_NULL for
 * NULL); 0 no row, *out untouched; -1 and *err. */
int db_get_int_args(db *d, gint64 *out, GError **err, const char *sql,
		    const struct db_arg *args);
#define db_get_int(d, out, err, sql, ...) \
	db_get_int_args(d, out, err, sql, DB_ARGS(__VA_ARGS__))
/* Several statements in one text, kept nowhere. */
gboolean db_script(db *d, const char *sql, GError **err);
gboolean db_script_resource(db *d, const char *resource, GError **err);

/* Columns: NULL and DB_NULL for NULL. Lent until the next step. */
const char *db_text(sqlite3_stmt *rows, int col);
gint64 db_int(sqlite3_stmt *rows, int col);
char *db_dup(sqlite3_stmt *rows, int col);

/* All reads until its end see one state of the file; nests, and does nothing
 * inside of a transaction. Declare it before the rows it covers. */
typedef struct db db_snapshot;
db_snapshot *db_snapshot_begin(db *d, GError **err);
void db_snapshot_end(db_snapshot *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(db_snapshot, db_snapshot_end)

gboolean db_check(db *d, GError **err);
/* Copy as it is now to `file`, which appears whole or not at all. */
gboolean db_backup(db *d, const char *file, GError **err);

/* ---- store.c */

struct intern;
struct spool;

struct store {
	db *state;
	char *path, *spool_path, *fts_path;
	gboolean fts_named; /* by store_set_paths() */
	enum store_mode mode;
	gboolean writing;    /* inside store_transact() */
	gint64 data_version; /* another connection wrote if it differs */

	struct intern *intern;	 /* intern.c */
	gint64 next_node;	 /* union.c: 0 = ask the database */
	guint8 unknown[OID_LEN]; /* archive.c: just asked for, not there */
	gboolean asked;		 /* ... if anything was */
	GHashTable *unsettled;	 /* union.c: tids to be split at the end */
	guint64 relabelled;	 /* union.c: nodes moved by joins so far */
	struct spool *spool;	 /* spool.c */
	archive_fetch_fn fetch;	 /* archive.c */
	void *fetch_data;
	guint track; /* items.c: what becomes an item; 0: not told */
	gint64 now;
	void *kept; /* item_kept.c: items of the last question */
	GDestroyNotify kept_free;
	GHashTable *roles; /* roles.c: people of the settings; NULL none */
	struct roles_trust *trust; /* roles.c: NULL: From is believed */
	void *keepers;		   /* keepers.c: what it keeps of git trees */
	GDestroyNotify keepers_free;
	void *search; /* search*.c: whatever it keeps */
	GDestroyNotify search_free;
};

/* Run `fn` in the open transaction, or in one of its own. */
gboolean store_write(store *st, store_fn fn, void *data, GError **err);
/* Where full text and spool live. */
const char *store_fts_path(store *st);
const char *store_spool_path(store *st);

/* ---- roles.c */

/* "" for operators. `address` in any case. */
gboolean roles_has(store *st, const char *list, const char *address);
guint roles_count(store *st);
/* How sure the sender of a stored mail is, PROVEN where nobody wants to know.
 * FALSE and *err. */
gboolean roles_evidence(store *st, const char *mid, enum evidence *e,
			GError **err);
void roles_free(store *st);

/* ---- migrate.c */

extern const struct db_kind state_kind, spool_kind;
/* Drop and create the tables of derived.sql; forget which raw is what. */
gboolean migrate_drop_derived(store *st, GError **err);
/* Make a state that an older version wrote one of this version, its rebuild
 * begun; nothing to do for others. Writes a transaction of its own. */
gboolean migrate_state(store *st, GError **err);

/* ---- rebuild.c */

/* Inside a transaction: mark a rebuild as begun, unless one is. */
gboolean rebuild_begin(store *st, GError **err);

/* ---- spool.c */

gboolean spool_put(store *st, const guint8 *oid, GBytes *raw, GError **err);
/* STORE_ERROR_MISSING if it is not there. */
GBytes *spool_get(store *st, const guint8 *oid, GError **err);
/* Drop it once the state that no longer needs it is committed. */
void spool_drop(store *st, const guint8 *oid);
gboolean spool_commit(store *st, GError **err); /* before the state */
/* After the state; what it can't delete is a harmless orphan. */
void spool_purge(store *st);
void spool_rollback(store *st);
db *spool_db(store *st, GError **err); /* NULL, err unset: none yet */
void spool_close(store *st);

/* ---- intern.c: ids of names kept once, found or made; -1 and *err */

#define INTERN_MAX 40000 /* names of one table remembered in memory */

enum intern_table {
	INTERN_LIST,
	INTERN_ADDRESS,
	INTERN_PATH,
	INTERN_STRING,
	INTERN_PERSON,
	INTERN_TABLES
};
/* Preference of a mail seen on a list: 0 best, those that change nothing. */
int intern_list_rank(const char *name);
gint64 intern_text(store *st, enum intern_table table, const char *text,
		   GError **err);
gint64 intern_address(store *st, const char *written, GError **err);
gint64 intern_person(store *st, const struct address *who, GError **err);
void intern_forget(store *st); /* after a rollback, or another writer */
void intern_free(store *st);

/* ---- thread.c */

/* Exact, else case-blind. 1, *node set; 0 unknown; -1 and *err. */
int node_find(store *st, const char *mid, gint64 *node, GError **err);

#endif
