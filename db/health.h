/* health.h - can everything that the rows refer to be had?
 * Reads only; whether the files themselves are sound is store_check(). */
#ifndef DB_HEALTH_H
#define DB_HEALTH_H

#include <glib.h>

#include "db/store.h"

#define HEALTH_SAMPLE 16 /* mails fetched of each place */

/* A place that keeps the bytes of mail: a git archive, or the spool. */
struct health_place {
	char *kind, *place; /* "git", "spool" */
	guint64 mails;	    /* whose bytes are there */
	guint64 missing; /* spool: all counted; others: those of the sample */
	char *fault;	 /* why the first of them can't be had, or NULL */
};
void health_place_free(struct health_place *p);

/* All places, by kind and name. Mail is fetched by the function given to
 * archive_set_fetch(). You own the array. */
GPtrArray *health_places(store *st, GError **err);

/* How many mails the last rebuild could not get at (0 while one is pending):
 * they are in no thread until they are imported again. */
gboolean health_gone(store *st, guint64 *mails, GError **err);

/* TRUE in *pending if a rebuild was begun and is not complete. */
gboolean health_rebuild(store *st, gboolean *pending, GError **err);

#endif
