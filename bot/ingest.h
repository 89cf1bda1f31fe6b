/* ingest.h - mail from sources into the database, batch by batch
 * One transaction a batch: raw mail, values and position together, so that a
 * kill at any moment loses and doubles nothing. Never prints. */
#ifndef BOT_INGEST_H
#define BOT_INGEST_H

#include <glib.h>

#include "db/store.h"

#include "bot/remote.h"

#define INGEST_BATCH_MAILS  1000
#define INGEST_BATCH_BYTES  (32 * 1024 * 1024)
#define INGEST_BATCH_EVENTS (4 * INGEST_BATCH_MAILS) /* positions, problems */

struct ingest_counts {
	guint64 seen;	 /* messages handed over by sources */
	guint64 new;	 /* a Message-ID not seen before */
	guint64 copies;	 /* other content under an id that is known */
	guint64 known;	 /* bytes or content that were there already */
	guint64 deleted; /* gone from their archive and nowhere else */
	guint64 broken;	 /* messages and parts that can't be read: problems */
	guint64 skipped; /* files that are no mail and do not look like it */
};

struct ingest_options {
	const char *list;	   /* they are of this list; may be NULL */
	gboolean index;		   /* full text, too */
	gboolean again;		   /* as if no position were stored */
	gint64 (*clock)(void);	   /* no mail is later; NULL: not known */
	gboolean (*stopped)(void); /* finish the message in hand; may be NULL */
	/* A part could not be read and was recorded. One line, what and why. */
	void (*problem)(const char *text, void *data);
	/* New in the batch that was just committed, by Message-ID. */
	void (*added)(const char *const *mids, guint n, void *data);
	/* After each batch and, if `all` > 0, while the index catches up. */
	void (*progress)(const struct ingest_counts *counts, guint done,
			 guint all, void *data);
	void *data; /* for the functions above, which may be NULL */
	/* The same as `stopped` for who waits for a server. Where there is one,
	 * what was fetched is still taken in after it, up to a batch. */
	GCancellable *cancel; /* may be NULL */
	/* Several ingests of one store, each in a thread of its own: held
	 * whenever this one touches the store or calls a function above, but
	 * for `stopped`. NULL: the store is ours. */
	GMutex *lock;
	/* So many more are to come; may be NULL. */
	void (*expect)(guint64 mails, void *data);
};

void ingest_counts_add(struct ingest_counts *sum,
		       const struct ingest_counts *more);

typedef struct ingest ingest;

/* Options are copied; strings and `st` must outlive the ingest. */
ingest *ingest_new(store *st, const struct ingest_options *opt);
/* What was not finished is not kept. */
void ingest_free(ingest *in);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ingest, ingest_free)

/* Read one path. FALSE with SOURCE_ERROR: it could not be read, or only up to
 * some point; go on with others. FALSE with another error: the store failed,
 * nothing of the open batch is kept, and no further call succeeds. After an
 * interrupt TRUE. */
gboolean ingest_path(ingest *in, const char *path, GError **err);

/* The same of a source of the settings; `follow`: until cancelled, else what
 * is new by now. What it said is committed when this returns. FALSE with
 * NET_ERROR or SOURCE_ERROR: it could not be read, or only up to some point,
 * which `problems` tells until it works again. */
gboolean ingest_remote(ingest *in, const struct remote *r, gboolean follow,
		       GError **err);

/* The mails of the thread of `mid`, of a source whose type can give them
 * (ops->thread); `*found`: it has one. Committed when this returns. FALSE with
 * NET_ERROR or SOURCE_ERROR: it could not be asked, or not be read to its end;
 * with another: the store failed. */
gboolean ingest_thread(ingest *in, const struct remote *r, const char *mid,
		       gboolean *found, GError **err);

/* Commit what is pending and let the index catch up. FALSE: the store failed
 * as above, or the full text did, and all mail is kept. */
gboolean ingest_finish(ingest *in, GError **err);

/* What was committed so far. Lent. */
const struct ingest_counts *ingest_counts(const ingest *in);

#endif
