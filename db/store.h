/* store.h - the database file: the only layer that writes SQL
 * Never renders, never touches a socket. One store per thread. No SQLite type
 * leaves this folder's private headers. */
#ifndef DB_STORE_H
#define DB_STORE_H

#include <glib.h>

#define STORE_ERROR (store_error_quark())
GQuark store_error_quark(void);

enum store_error {
	STORE_ERROR_BUSY,    /* another writer holds it; nothing was changed */
	STORE_ERROR_SCHEMA,  /* the file is another version's */
	STORE_ERROR_CORRUPT, /* not a database, or a damaged one */
	STORE_ERROR_IO,	     /* disk full, permission, read error */
	STORE_ERROR_MISSING, /* raw bytes that a reference names are gone */
};

enum store_mode {
	STORE_READ,  /* the file must exist; never writes */
	STORE_WRITE, /* created and migrated forward if need be */
};

typedef struct store store;

/*
 * Open `path` (":memory:" in tests). Beside it live PATH-spool (raw mail that
 * no git archive holds; truth) and PATH-fts (full text; rebuildable), opened
 * when first needed. WAL, synchronous=FULL for state and spool.
 * STORE_READ of a file that does not exist: NULL with err unset.
 */
store *store_open(const char *path, enum store_mode mode, GError **err);
void store_close(store *st);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(store, store_close)

/* Where spool and full text live instead of beside the database; before
 * their first use. NULL keeps the default. */
void store_set_paths(store *st, const char *spool, const char *fts);

typedef gboolean (*store_fn)(store *st, void *data, GError **err);
/* One BEGIN IMMEDIATE transaction over state: commits on TRUE, rolls back on
 * FALSE; no nesting. The spool is committed before the state. */
gboolean store_transact(store *st, store_fn fn, void *data, GError **err);

/* Another number than before once another connection has written. 0 and *err:
 * it can't be told. */
gint64 store_version(store *st, GError **err);

/* Told after each batch of long work; FALSE stops it there. What is left is
 * done by the next call. */
typedef gboolean (*store_progress)(guint done, guint all, void *data);

/* Consistent copy while others write (SQLite's backup API), spool included
 * as FILE-spool; written beside and renamed. STORE_ERROR_IO, too, where FILE is
 * the database itself or one that is in use. */
gboolean store_backup(store *st, const char *file, GError **err);

/* PRAGMA quick_check of state and spool; FALSE with STORE_ERROR_CORRUPT. */
gboolean store_check(store *st, GError **err);

#endif
