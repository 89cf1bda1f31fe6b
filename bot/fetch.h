/* fetch.h - all sources at once: a thread each, over one store
 * None waits for another but for the moment in which that one's batch is
 * written. What a source failed at is told and does not stop the others. */
#ifndef BOT_FETCH_H
#define BOT_FETCH_H

#include "bot/ingest.h"
#include "bot/retry.h"

/* What is told of a source. Called from its thread with the store held, so one
 * at a time; each may be NULL. */
struct fetch_watch {
	/* New in the database, by Message-ID. */
	void (*added)(const struct remote *r, const char *const *mids, guint n,
		      void *data);
	/* Something of it could not be read; the rest goes on. */
	void (*problem)(const struct remote *r, const char *text, void *data);
	/* After each batch of the present look. `expected`: messages of it as
	 * far as the source could tell, 0 unknown. */
	void (*progress)(const struct remote *r,
			 const struct ingest_counts *counts, guint64 expected,
			 void *data);
	/* All that was there was read; from now on more is waited for. */
	void (*following)(const struct remote *r, void *data);
	/* A look has ended: to its end (`why` NULL), interrupted (too), or at
	 * an error. The next one is in `wait` ms; -1: there is none. */
	void (*ended)(const struct remote *r,
		      const struct ingest_counts *counts, const GError *why,
		      gint64 wait, void *data);
	/* The last thread is about to end: fetch_join() will not wait. */
	void (*finished)(void *data);
	void *data;
};

struct fetch_options {
	store *st;
	GMutex *lock;		   /* held by whoever touches `st` */
	gint64 (*clock)(void);	   /* as of ingest_options */
	gboolean (*stopped)(void); /* may be NULL */
	GCancellable *cancel;	   /* ends all; what is read is kept */
	gboolean forever;	   /* follow and poll until cancelled */
	guint first_retry_ms;	   /* as of struct retry */
	struct fetch_watch watch;
};

typedef struct fetch fetch;

/* Begin with each of `remotes` (of struct remote), which outlive it, as the
 * options do, but for the struct. Without `forever` each is read once. A
 * failure of the database is told once and ends all; in `forever` only if the
 * database is damaged, else it is tried again. */
fetch *fetch_start(GPtrArray *remotes, const struct fetch_options *opt);

/* Wait until all have ended, and free it. NULL is fine. */
void fetch_join(fetch *f);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(fetch, fetch_join)

/* Wait `ms` or until cancelled: then FALSE. */
gboolean fetch_wait(GCancellable *cancel, guint64 ms);

#endif
