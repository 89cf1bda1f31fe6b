/* ingest_priv.h - what the files of bot/ingest*.c share */
#ifndef BOT_INGEST_PRIV_H
#define BOT_INGEST_PRIV_H

#include "bot/ingest.h"
#include "bot/ingest_place.h"

struct queued {
	enum source_event_type type;
	struct ingest_place *at;
	guint8 oid[OID_LEN];
	gboolean in_git;
	gint64 received;
	guint64 offset;
	GBytes *raw;
	char *text;	  /* MAIL: file's name or NULL; CURSOR; BROKEN: why */
	const char *code; /* BROKEN: a literal of source.c */
};

struct ingest {
	store *st;
	struct ingest_options opt;
	struct source_context context;
	GHashTable *places;	   /* "kind\nplace" -> struct ingest_place */
	struct ingest_place *last; /* the one used last */
	GArray *queue;		   /* of struct queued */
	gsize bytes;		   /* of mail in the queue */
	guint mails;
	struct ingest_counts counts, batch; /* committed; in the open batch */
	GPtrArray *problems;		    /* texts of the open batch */
	GPtrArray *added;		    /* Message-IDs that are new in it */
	gboolean stopped;
	gboolean begun;	   /* the transaction, so it may have changed things */
	GError *failed;	   /* of the store; nothing works after it */
	GError *unindexed; /* why the full text is left for the end */
};

gboolean ingest_is_stopped(ingest *in);

/* ---- ingest_queue.c: what sources said and is not committed yet */

void queued_clear(gpointer data); /* of a struct queued */
void queue_event(ingest *in, const struct source_event *ev);
void queue_clear(ingest *in);
/* Later than it can be; `*now` is the time it is then. */
gboolean ingest_is_ahead(const ingest *in, gint64 time, gint64 *now);

/* ---- ingest_batch.c: the queue as one transaction, with the store held */

gboolean place_find_id(ingest *in, struct ingest_place *p, GError **err);
/* FALSE: the store failed, now or before. */
gboolean batch_run(ingest *in, GError **err);
/* A stored position without the list it counts for; NULL: of another one. */
char *cursor_unwrap(const ingest *in, const char *stored);

#endif
