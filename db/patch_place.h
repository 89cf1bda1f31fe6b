/* patch_place.h - one thread of a closure: its facts, by whom, who links them
 * Only for db/patch*.c. */
#ifndef DB_PATCH_PLACE_H
#define DB_PATCH_PLACE_H

#include "db/patch_facts.h"

/* A sender in a thread: where to go on from. */
struct hit {
	gint64 tid;
	const char *sender; /* lent by the set */
};

/* One thread of the closure. */
struct place {
	gint64 tid;
	GHashTable *rows;      /* node id -> struct series_mail */
	GHashTable *by_sender; /* -> array of struct series_mail, lent */
	GHashTable *by_author; /* the same; taken out when looked at */
	GHashTable *senders;   /* those concerned */
	GHashTable *newer;     /* hits: by sender, newer versions that link his
				* mails; by "", that link the root */
};

/* NULL and *err. Strings live with `set`. */
struct place *place_read(store *st, struct series_set *set, gint64 tid,
			 GError **err);
void place_free(gpointer place);

/* A table name -> array of struct hit, which owns both. */
GHashTable *hits_new(void);
/* Takes `key`. */
void hits_add(GHashTable *by, char *key, const struct hit *hit);

#endif
