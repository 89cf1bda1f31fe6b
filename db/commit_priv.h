/* commit_priv.h - what the files of db/commit*.c share */
#ifndef DB_COMMIT_PRIV_H
#define DB_COMMIT_PRIV_H

#include "db/commits.h"
#include "db/db_priv.h"

#define COMMIT_MAX_NAMED 1000000 /* ids in mail that are looked up */

/* The ids between which those lie that begin with `prefix`. FALSE: not 7 to 40
 * hex digits. */
gboolean commit_id_range(const char *prefix, guint8 low[COMMIT_OID_LEN],
			 guint8 high[COMMIT_OID_LEN]);

/* Columns of a commit, for a SELECT over git_commit c and git_person w. */
#define COMMIT_COLUMNS                                            \
	"c.id, lower(hex(c.oid)), c.subject, w.name, w.address, " \
	"c.author_date, c.commit_date, c.parents, "               \
	"lower(hex(c.patch_id)), c.trailers "
#define COMMIT_TABLES	    "FROM git_commit c JOIN git_person w ON w.id = c.author "
#define COMMIT_COLUMN_COUNT 10
/* The one in a row, from column `col` on. */
struct commit *commit_read(sqlite3_stmt *rows, int col);
struct commit *commit_load(store *st, gint64 row, GError **err);

/* Appends the ids (gint64) of the first column to `rows_out`. */
gboolean commit_take_ids(sqlite3_stmt *rows, GArray *out, GError **err);

/* ---- commit_notices.c */

/* An answer that names a commit, and the patch that it speaks of. */
struct commit_notice {
	gint64 patch;	 /* node */
	char *mid;	 /* of the answer */
	gboolean listed; /* it lists the patch with that commit */
};
/* Of struct commit_notice, what is said to be applied first, by Message-ID.
 * You own it; NULL and *err. */
GArray *commit_notices_find(store *st, const struct commit *c, GError **err);
/* Appends the rows (gint64) of known commits that notices in the patch's
 * thread name. */
gboolean commit_notices_named(store *st, gint64 patch, GArray *ids,
			      GError **err);

#endif
