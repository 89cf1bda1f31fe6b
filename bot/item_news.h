/* item_news.h - what happened to items since some time
 * For the digest and the weekly report. */
#ifndef BOT_ITEM_NEWS_H
#define BOT_ITEM_NEWS_H

#include <glib.h>

#include "mail/auto.h"

#include "db/items.h"

#define NEWS_DEFAULT_SINCE (7 * 86400)

/* Everything is lent by the items. `since` < time <= `now`. */
struct item_news {
	gint64 since, now;
	GPtrArray *fresh;   /* of struct item: reported since */
	GPtrArray *changed; /* of others something happened */
	GPtrArray *stalled; /* none of these; open, and nobody acts */
};

struct item_news *item_news_new(GPtrArray *items, gint64 since, gint64 now);
void item_news_free(struct item_news *n);
AUTO_STRUCT(item_news, item_news_free)

/* The events of an item in that time, of struct item_event, lent; you own the
 * array. Remarks without effect are left out. */
GPtrArray *item_news_events(const struct item *i, gint64 since, gint64 now);

/* --since: a span before `now` ("7d"), or a date. FALSE: neither. */
gboolean item_news_since(const char *text, gint64 now, gint64 *since);

#endif
