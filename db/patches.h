/* patches.h - series and patches as stored
 * Series are not stored: they are assembled (mail/series) from the facts of
 * each patch mail when asked for, so order of arrival cannot matter. */
#ifndef DB_PATCHES_H
#define DB_PATCHES_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/series.h"

#include "db/store.h"

struct series_set {
	GArray *mails;	   /* of struct series_mail */
	GPtrArray *series; /* of struct series; those of the asked thread and
			    * of whatever is connected with them, or all */
	gpointer priv;	   /* owner of the strings */
};

/* The series with a patch or cover in the thread of `mid`, and every version
 * linked to them. Each equal to the one of series_load_all(). NULL with err
 * unset: the id is not known. */
struct series_set *series_load(store *st, const char *mid, GError **err);
struct series_set *series_load_all(store *st, GError **err);
void series_set_free(struct series_set *s);
AUTO_STRUCT(series_set, series_set_free)

/* A trailer as stored, with the message that gave it. */
struct given_trailer {
	char *mid; /* who said it: Message-ID */
	char *key, *value, *name, *address, *note;
	enum { GIVEN_COMMIT, GIVEN_NOTES, GIVEN_REPLY } where;
	gboolean relayed;
	gint64 date;
};
void given_trailer_free(struct given_trailer *t);
/* Of one message, or (thread = TRUE) of all of its thread, by date. */
GPtrArray *trailers_load(store *st, const char *mid, gboolean thread,
			 GError **err);

#endif
