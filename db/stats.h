/* stats.h - how much mail there is, and how new it is */
#ifndef DB_STATS_H
#define DB_STATS_H

#include <glib.h>

#include "mail/auto.h"

#include "db/store.h"

struct list_stats {
	char *name;    /* as given, configured or in List-Id */
	guint64 mails; /* seen on it */
	gint64 newest; /* date of the newest; 0 unknown */
};

struct stats {
	guint64 mails, threads;
	gint64 oldest, newest; /* dates; 0 unknown */
	GPtrArray *lists;      /* of struct list_stats, by name */
};

struct stats *stats_load(store *st, GError **err);
void stats_free(struct stats *s);
AUTO_STRUCT(stats, stats_free)

/* The date of the newest mail, 0 without one. */
gboolean stats_newest(store *st, gint64 *newest, GError **err);

/* The newest mail of `address` that is older than `before` and whose Message-ID
 * begins and ends so: its Message-ID, which you own, and date. NULL with err
 * unset: none. */
char *stats_newest_of(store *st, const char *address, const char *begin,
		      const char *end, gint64 before, gint64 *date,
		      GError **err);

#endif
