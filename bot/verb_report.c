/* verb_report.c - the weekly regression report as a mail */
#include "db/items.h"

#include "bot/item_match.h"
#include "bot/item_news.h"
#include "bot/verbs.h"
#include "bot/weekly_report.h"

static char *since_text;

static const GOptionEntry options[] = {
	{"since", 0, 0, G_OPTION_ARG_STRING, &since_text,
	 "the last report: a span of time like 7d (default), or a date", "D"},
	{NULL},
};

static int print_report(struct session *s, GPtrArray *found, gint64 since)
{
	struct weekly_report r = {
		.items = found,
		.since = since,
		.now = s->now,
		.name = config_get(s->config, "bot", NULL, "name"),
		.address = config_get(s->config, "bot", NULL, "address"),
		.host = config_get(s->config, "bot", NULL, "host"),
		.url = config_get(s->config, "bot", NULL, "url"),
	};
	g_autofree char *text = weekly_report_mail(&r);

	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return found->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query = g_strjoinv(" ", s->argv);
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
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	all = items_load(st, &err);
	found = all ? items_matching(all, query, s->now, &err) : NULL;
	return found ? print_report(s, found, since) : cli_fail(NULL, err);
}

const struct verb verb_report = {
	.name = "report",
	.synopsis = "[--since D] [QUERY]",
	.help = "print the weekly regression report as a mail",
	.details =
		"Prints a mail about the regressions that match QUERY (as for "
		"status; without one all): those that are open, by tree and "
		"cycle, and those that ended since D, the time of the last "
		"report (7d by default, or a date). Each with its links, what "
		"introduced it, whom it waits for, fixes and reruns. The same "
		"items give the same mail. Nothing is sent. Exit code 1: no "
		"item matches.",
	.options = options,
	.max_args = -1,
	.run = run,
};
