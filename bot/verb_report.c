/* verb_report.c - the weekly regression report as a mail */
#include <string.h>

#include "db/items.h"
#include "db/stats.h"

#include "bot/item_match.h"
#include "bot/item_news.h"
#include "bot/own_address.h"
#include "bot/verbs.h"
#include "bot/weekly_report.h"

static char *since_text, **to_texts;

static const GOptionEntry options[] = {
	{"since", 0, 0, G_OPTION_ARG_STRING, &since_text,
	 "the last report: a span of time like 7d, or a date", "D"},
	{"to", 0, 0, G_OPTION_ARG_STRING_ARRAY, &to_texts,
	 "whom it is for, instead of the lists of its items", "ADDRESS"},
	{NULL},
};

/* The lists of the settings that one of the items was seen on. */
static gboolean was_seen_on(GPtrArray *items, const char *list)
{
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];

		for (guint k = 0; k < i->lists->len; k++)
			if (g_str_equal(i->lists->pdata[k], list))
				return TRUE;
	}
	return FALSE;
}

/* Addresses, lent. */
static GPtrArray *recipients(struct session *s, GPtrArray *found)
{
	g_auto(GStrv) lists = config_names(s->config, "list");
	GPtrArray *to = g_ptr_array_new();

	for (guint n = 0; to_texts && to_texts[n]; n++)
		g_ptr_array_add(to, to_texts[n]);
	for (guint n = 0; !to_texts && lists[n]; n++) {
		const char *address =
			config_get(s->config, "list", lists[n], "address");

		if (address && was_seen_on(found, lists[n]))
			g_ptr_array_add(to, (gpointer)address);
	}
	return to;
}

static gboolean check_recipients(void)
{
	for (guint n = 0; to_texts && to_texts[n]; n++) {
		const char *at = strchr(to_texts[n], '@');

		if (at && at[1] && !to_texts[n][strcspn(to_texts[n], "\r\n")])
			continue;
		cli_error("report: --to %s: no address", to_texts[n]);
		return FALSE;
	}
	return TRUE;
}

/* The last report among the mail there is, since which is told then. */
static char *find_previous(struct session *s, store *st, gint64 *since,
			   GError **err)
{
	const char *address = config_get(s->config, "bot", NULL, "address");
	const char *host = config_get(s->config, "bot", NULL, "host");
	g_autofree char *end = host ? g_strconcat("@", host, NULL) : NULL;
	gint64 date = 0;
	char *mid = address && host
			    ? stats_newest_of(st, address, WEEKLY_ID_BEGIN, end,
					      s->now, &date, err)
			    : NULL;

	if (mid && !since_text)
		*since = date;
	return mid;
}

static int print_report(struct session *s, GPtrArray *found, gint64 since,
			const char *previous)
{
	g_autoptr(GPtrArray) to = recipients(s, found);
	struct weekly_report r = {
		.items = found,
		.since = since,
		.now = s->now,
		.name = config_get(s->config, "bot", NULL, "name"),
		.address = config_get(s->config, "bot", NULL, "address"),
		.host = config_get(s->config, "bot", NULL, "host"),
		.url = config_get(s->config, "bot", NULL, "url"),
		.to = to,
		.previous = previous,
	};
	g_autofree char *text = weekly_report_mail(&r);

	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return found->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query = g_strjoinv(" ", s->argv);
	g_autofree char *me = NULL, *previous = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GPtrArray) found = NULL;
	g_autoptr(store) st = NULL;
	gint64 since;
	int rc;

	if (!item_news_since(since_text, s->now, &since)) {
		cli_error("report: --since %s: neither a span of time like 7d "
			  "nor a date",
			  since_text);
		return EXIT_USAGE;
	}
	if (!check_recipients())
		return EXIT_USAGE;
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	me = own_address(st);
	all = items_load(st, &err);
	found = all ? items_matching(st, all, query, s->now, me, &err) : NULL;
	if (found)
		previous = find_previous(s, st, &since, &err);
	return found && !err ? print_report(s, found, since, previous)
			     : cli_fail(NULL, err);
}

const struct verb verb_report = {
	.name = "report",
	.synopsis = "[--since D] [--to ADDRESS]... [QUERY]",
	.help = "print the weekly regression report as a mail",
	.details =
		"Prints a mail about the regressions that match QUERY (as for "
		"status; without one all): those that are open, by tree and "
		"cycle, and those that ended since D, the time of the last "
		"report (7d by default, or a date). Each with its links, what "
		"introduced it, whom it waits for, fixes and reruns. If the "
		"last report is among the mail, sent from the address of the "
		"bot, it is since then, and the end has a link to it. To has "
		"the addresses of the configured lists that the items were "
		"seen on, or those given. The same "
		"items give the same mail. Nothing is sent. Exit code 1: no "
		"item matches.",
	.options = options,
	.max_args = -1,
	.run = run,
};
