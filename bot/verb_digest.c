/* verb_digest.c - what changed since some time */
#include "mail/date.h"

#include "bot/item_match.h"
#include "bot/item_news.h"
#include "bot/list_format.h"
#include "bot/own_address.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

#define EVENTS_SHOWN 20 /* of one item */

static char *format_text, *since_text;

static const GOptionEntry options[] = {
	{"since", 0, 0, G_OPTION_ARG_STRING, &since_text,
	 "a span of time like 7d (default), or a date", "D"},
	{"format", 0, 0, G_OPTION_ARG_STRING, &format_text, LIST_FORMATS,
	 "FORMAT"},
	{NULL},
};

/* ---- for people */

static void add_events(GString *out, const struct item *i,
		       const struct item_news *news)
{
	g_autoptr(GPtrArray) events =
		item_news_events(i, news->since, news->now);
	guint first =
		events->len > EVENTS_SHOWN ? events->len - EVENTS_SHOWN : 0;

	if (first)
		g_string_append_printf(out, "%19s%u earlier events\n", "",
				       first);
	for (guint n = first; n < events->len; n++) {
		const struct item_event *e = events->pdata[n];
		g_autofree char *date = date_to_rfc3339(e->time);

		g_string_append_printf(out, "%19s%.10s %s%s%s\n", "",
				       date ? date : "no date", e->type,
				       e->by && *e->by ? ", " : "",
				       e->by ? e->by : "");
	}
}

static void add_items(GString *out, const char *head, GPtrArray *items,
		      const struct item_news *news, gboolean events)
{
	if (!items->len)
		return;
	g_string_append_printf(out, "%s%s: %u\n", out->len ? "\n" : "", head,
			       items->len);
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];
		const struct item_waiting *w = &i->waiting;

		g_string_append_printf(out, "%s  %-14s %s\n", i->id, i->state,
				       i->title);
		if (events)
			add_events(out, i, news);
		if (i->open && w->role)
			g_string_append_printf(out, "%19swaiting for: %s%s%s\n",
					       "", w->role,
					       w->person && *w->person ? " "
								       : "",
					       w->person ? w->person : "");
	}
}

static void add_text(GString *out, const struct item_news *news)
{
	add_items(out, "new", news->fresh, news, FALSE);
	add_items(out, "changed", news->changed, news, TRUE);
	add_items(out, "stalled", news->stalled, news, FALSE);
}

/* ---- for programs */

static json_t *view_event(const struct item_event *e)
{
	g_autofree char *date = date_to_rfc3339(e->time);

	return json_pack("{s:s?, s:s, s:s?, s:s?, s:s?, s:s?}", "time", date,
			 "type", e->type, "by", e->by, "message_id", e->mid,
			 "commit", e->commit, "text", e->text);
}

static json_t *view_one(const struct item *i, const struct item_news *news,
			const char *base_url)
{
	g_autoptr(GPtrArray) events =
		item_news_events(i, news->since, news->now);
	json_t *o = view_item_short(i, base_url), *list = json_array();

	for (guint n = 0; n < events->len; n++)
		json_array_append_new(list, view_event(events->pdata[n]));
	json_object_set_new(o, "events", list);
	return o;
}

static json_t *view_all(GPtrArray *items, const struct item_news *news,
			const char *base_url)
{
	json_t *out = json_array();

	for (guint n = 0; n < items->len; n++)
		json_array_append_new(out, view_one(items->pdata[n], news,
						    base_url));
	return out;
}

static void add_json(GString *out, const struct item_news *news,
		     const char *base_url)
{
	g_autofree char *since = date_to_rfc3339(news->since);
	g_autofree char *now = date_to_rfc3339(news->now);

	list_json_take(out, json_pack("{s:s, s:s?, s:s?, s:o, s:o, s:o}",
				      "schema", "culprit/digest/1", "since",
				      since, "until", now, "new",
				      view_all(news->fresh, news, base_url),
				      "changed",
				      view_all(news->changed, news, base_url),
				      "stalled",
				      view_all(news->stalled, news, base_url)));
}

/* What it is, and the item; one by one. */
static void add_lines(GString *out, const char *what, GPtrArray *items,
		      const struct item_news *news, enum list_format format,
		      const char *base_url)
{
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];
		json_t *o;

		if (format == LIST_NDJSON) {
			o = view_one(i, news, base_url);
			json_object_set_new(o, "news", json_string(what));
			list_json_take(out, o);
			continue;
		}
		list_cell(out, what, '\t');
		list_cell(out, i->id, '\t');
		list_cell(out, i->state, '\t');
		list_cell(out, i->waiting.role, '\t');
		list_cell(out, i->waiting.person, '\t');
		list_cell_date(out, i->last_activity, '\t');
		list_cell(out, i->title, '\n');
	}
}

static char *print_news(const struct item_news *news, enum list_format format,
			const char *base_url)
{
	GString *out = g_string_new(NULL);

	if (format == LIST_TEXT) {
		add_text(out, news);
	} else if (format == LIST_JSON) {
		add_json(out, news, base_url);
	} else {
		add_lines(out, "new", news->fresh, news, format, base_url);
		add_lines(out, "changed", news->changed, news, format,
			  base_url);
		add_lines(out, "stalled", news->stalled, news, format,
			  base_url);
	}
	return g_string_free(out, FALSE);
}

static int answer(struct session *s, store *st, const char *query,
		  enum list_format format, gint64 since)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *me = own_address(st);
	g_autoptr(GPtrArray) all = items_load(st, &err);
	g_autoptr(GPtrArray) found =
		all ? items_matching(st, all, query, s->now, me, &err) : NULL;
	g_autoptr(item_news_auto) news =
		found ? item_news_new(found, since, s->now) : NULL;
	g_autofree char *text = NULL;

	if (!news)
		return cli_fail(NULL, err);
	text = print_news(news, format,
			  config_get(s->config, "bot", NULL, "url"));
	if (format == LIST_TEXT || format == LIST_TSV)
		plain_text(text);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return news->fresh->len || news->changed->len || news->stalled->len
		       ? EXIT_DONE
		       : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query = g_strjoinv(" ", s->argv);
	g_autoptr(store) st = NULL;
	enum list_format format;
	gint64 since;
	int rc;

	if (!list_format_parse("digest", format_text, &format))
		return EXIT_USAGE;
	if (!item_news_since(since_text, s->now, &since)) {
		cli_error("digest: --since %s: neither a span of time like 7d "
			  "nor a date",
			  since_text);
		return EXIT_USAGE;
	}
	st = cli_store(s, STORE_READ, &rc);
	return st ? answer(s, st, query, format, since) : rc;
}

const struct verb verb_digest = {
	.name = "digest",
	.synopsis = "[--since D] [--format text|tsv|json|ndjson] [QUERY]",
	.help = "tell what changed since some time",
	.details =
		"Of the items that match QUERY (as for status; without one "
		"all), tells which are new since D, what happened to others, "
		"and of the rest which are stalled. D is a span of time "
		"(7d by default) or a date. person: and sub: in the query make "
		"it the digest of a person or a subsystem. The columns of tsv: "
		"new, changed or stalled, item, state, role and person waited "
		"for, last activity, title. Exit code 1: nothing happened.",
	.options = options,
	.max_args = -1,
	.run = run,
};
