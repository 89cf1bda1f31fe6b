/* ingest.h - mail from a source into the database, batch by batch
 * One transaction a batch: raw mail, values and position together, so that a
 * kill at any moment loses and doubles nothing. */
#ifndef BOT_INGEST_H
#define BOT_INGEST_H

#include <glib.h>

#include "db/store.h"

#include "bot/source.h"

#define INGEST_BATCH_MAILS 1000
#define INGEST_BATCH_BYTES (32 * 1024 * 1024)

struct ingest_options {
	const char *list; /* --list, may be NULL */
	gboolean index;	  /* full text, too */
	gboolean quiet;
};

struct ingest_counts {
	guint64 seen, new, copies, deleted, flagged, broken;
};

/* Read one path into the store. Unreadable parts are recorded as problems,
 * counted in `broken`, and the rest is taken. FALSE: the path could not be
 * read at all or the store failed (then nothing of the open batch is kept). */
gboolean ingest_path(store *st, const char *path,
		     const struct ingest_options *opt,
		     struct ingest_counts *counts, GError **err);

#endif
