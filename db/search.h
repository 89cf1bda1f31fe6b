/* search.h - full text over messages: a separate, rebuildable file
 * FTS5 with rowid = order of arrival. The index follows the state: what it
 * lacks is caught up by search_index(). */
#ifndef DB_SEARCH_H
#define DB_SEARCH_H

#include <glib.h>

#include "mail/reading.h"

#include "db/query.h"
#include "db/store.h"

struct search_hit {
	char *mid;
	gint64 date;
	char *subject, *from_name, *from_address;
};
void search_hit_free(struct search_hit *h);

/* Index every message that is not indexed yet, in batches; resumable. */
gboolean search_index(store *st, store_progress progress, void *data,
		      GError **err);
/* Throw the full text away, damaged or not; search_index() makes it anew. FALSE
 * and STORE_ERROR_CORRUPT: what is at its place is no full text of ours. */
gboolean search_discard(store *st, GError **err);
/* During an import: queue a reading just stored (its texts are copied; no file
 * is touched), then write what is queued after the state was committed. Saves
 * decoding twice; if the index lags behind, nothing is written. A failed flush
 * costs nothing but the full text: search_index() makes up for it. */
void search_queue(store *st, const char *mid, const struct reading *r);
gboolean search_flush(store *st, GError **err);
/* Messages stored but not indexed. */
gboolean search_behind(store *st, guint *count, GError **err);

/* Newest first, at most `limit` (0 = all). An unknown prefix or a kind of
 * value the prefix can't have is a QUERY_ERROR with its column. */
GPtrArray *search_run(store *st, const struct query *q, guint limit,
		      GError **err);

#endif
