/* search_priv.h - the full text file, shared by the files search*.c */
#ifndef DB_SEARCH_PRIV_H
#define DB_SEARCH_PRIV_H

#include "db/copies.h"
#include "db/db_priv.h"
#include "db/search.h"

#define SEARCH_MAX_TEXT (1024 * 1024) /* bytes indexed of one column */
#define SEARCH_BATCH	500	      /* messages of one transaction */
#define SEARCH_LAG_MAX	5000 /* further behind: not caught up by a flush */

enum search_column {
	COLUMN_SUBJECT,
	COLUMN_SENDER,
	COLUMN_TO,
	COLUMN_CC,
	COLUMN_OWN,
	COLUMN_QUOTED,
	COLUMN_DIFF,
	COLUMN_FILE,
	COLUMN_TRAILER,
	COLUMNS
};

struct search_doc {
	GString *text[COLUMNS];
};

struct search {
	db *fts;	    /* with the state attached as schema `state`;
			     * NULL: not opened yet */
	gboolean transient; /* there is no file: an empty one in memory */
	GHashTable *queue;  /* mid -> struct search_doc */
};

/* ---- search_file.c */

/* The open full text of a store; made on first use. In mode STORE_READ
 * without a file: an empty one in memory. NULL and *err. */
struct search *search_of(store *st, GError **err);
/* Its queue; opens nothing. */
GHashTable *search_queued(store *st);
/* After a failure: where it is damage, *err becomes one that names the file
 * at fault, which the connection can't tell, and the remedy. Always FALSE. */
gboolean search_blame(store *st, GError **err);

/* ---- search_doc.c */

/* What is indexed of a reading. You own it. */
struct search_doc *search_doc_new(const struct reading *r);
void search_doc_free(struct search_doc *doc);

/* ---- search_sql.c */

/* A condition over state.message m, state.node n: appended to `sql`, values
 * to `args` (struct db_arg; strings are kept in `keep`). FALSE and a
 * QUERY_ERROR where the query can't be answered. */
struct search_sql {
	store *st; /* asked for ids */
	GString *sql;
	GArray *args;
	GPtrArray *keep;
};
gboolean search_sql_build(struct search_sql *out, const struct query *q,
			  GError **err);

#endif
