/* ingest_place.h - where the mails of an ingest come from: only for ingest.c */
#ifndef BOT_INGEST_PLACE_H
#define BOT_INGEST_PLACE_H

#include <glib.h>

struct ingest_place {
	char *kind, *place;
	gboolean once;	    /* a stream: can't be read again */
	gint64 id;	    /* of the source, -1 = not asked yet */
	const char *cursor; /* of the open batch, lent by the queue */
	gboolean stuck;	    /* a mail can't be had: no position behind it */
};

/* A table of all that were seen; it owns them. */
GHashTable *ingest_places_new(void);
/* Found or made; lent by the table. `*last`: the one used last, or NULL. */
struct ingest_place *ingest_place_get(GHashTable *places,
				      struct ingest_place **last,
				      const char *kind, const char *place);

#endif
