/* item_news.c - what happened to items since some time */
#include "bot/item_news.h"

#include "mail/date.h"

#include "db/query_dates.h"

#include "bot/duration.h"

static gboolean is_remark(const struct item_event *e)
{
	static const char *const remarks[] = {"ignored", "note", NULL};

	return g_strv_contains(remarks, e->type);
}

GPtrArray *item_news_events(const struct item *i, gint64 since, gint64 now)
{
	GPtrArray *out = g_ptr_array_new();

	for (guint n = 0; n < i->events->len; n++) {
		struct item_event *e = i->events->pdata[n];

		if (e->time > since && e->time <= now && !is_remark(e))
			g_ptr_array_add(out, e);
	}
	return out;
}

struct item_news *item_news_new(GPtrArray *items, gint64 since, gint64 now)
{
	struct item_news *news = g_new0(struct item_news, 1);

	news->since = since;
	news->now = now;
	news->fresh = g_ptr_array_new();
	news->changed = g_ptr_array_new();
	news->stalled = g_ptr_array_new();
	for (guint n = 0; n < items->len; n++) {
		struct item *i = items->pdata[n];
		g_autoptr(GPtrArray) events = item_news_events(i, since, now);

		if (i->reported > since && i->reported <= now)
			g_ptr_array_add(news->fresh, i);
		else if (events->len)
			g_ptr_array_add(news->changed, i);
		else if (i->open && i->stalled)
			g_ptr_array_add(news->stalled, i);
	}
	return news;
}

void item_news_free(struct item_news *n)
{
	if (!n)
		return;
	g_ptr_array_unref(n->fresh);
	g_ptr_array_unref(n->changed);
	g_ptr_array_unref(n->stalled);
	g_free(n);
}

gboolean item_news_since(const char *text, gint64 now, gint64 *since)
{
	gint64 span, high;

	if (!text) {
		*since = now - NEWS_DEFAULT_SINCE;
		return TRUE;
	}
	if (duration_parse(text, &span)) {
		*since = now - span;
		return TRUE;
	}
	return date_from_rfc3339(text, since) ||
	       query_date_span(text, now, since, &high);
}
