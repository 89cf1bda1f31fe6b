/* db_conn.h - what a connection is made of: for db.c and db_open.c alone */
#ifndef DB_DB_CONN_H
#define DB_DB_CONN_H

#include "db/db_priv.h"

struct db {
	sqlite3 *handle;
	char *path;
	GHashTable *statements; /* text (by address) to sqlite3_stmt */
	gint64 give_up;		/* monotonic time until a lock is waited for */
	guint snapshots;	/* nested readers of one snapshot */
	guint inside;		/* those that a transaction covers */
};

#endif
