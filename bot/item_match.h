/* item_match.h - which tracked items a query means
 * The query language of db/query.h, evaluated over the values of items. */
#ifndef BOT_ITEM_MATCH_H
#define BOT_ITEM_MATCH_H

#include <glib.h>

#include "db/items.h"
#include "db/query.h"

typedef struct item_matcher item_matcher;

/* `q` has to outlive the result. A prefix or value that items don't know is a
 * QUERY_ERROR with its column. `now`: ages are as of then. `me`: the address
 * that person:me means (lent), NULL unknown. `st`: whose git trees tree: may
 * name; NULL: any. */
item_matcher *item_matcher_new(store *st, const struct query *q, gint64 now,
			       const char *me, GError **err);
void item_matcher_free(item_matcher *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(item_matcher, item_matcher_free)

gboolean item_matches(const item_matcher *m, const struct item *i);

/* Text to query to those of `items` that match, in their order; the array
 * lends from `items`. */
GPtrArray *items_matching(store *st, GPtrArray *items, const char *query,
			  gint64 now, const char *me, GError **err);

#endif
