/* verb_status.c - tracked items that match a query, newest activity first */
#include <jansson.h>

#include "mail/date.h"

#include "db/items.h"
#include "db/stats.h"

#include "bot/duration.h"
#include "bot/item_match.h"
#include "bot/list_format.h"
#include "bot/own_address.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

#define DEFAULT_QUERY "is:open"
#define COMMIT_SHOWN  12

static char *format_text, *max_age;
static enum list_format format;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_STRING, &format_text, LIST_FORMATS,
	 "FORMAT"},
	{"max-age", 0, 0, G_OPTION_ARG_STRING, &max_age,
	 "exit with 3 if the newest mail is older than this, like 7d",
	 "DURATION"},
	{NULL},
};

static const char *kind_text(const struct item *i)
{
	const char *kind = report_direction_name(i->direction);

	return kind ? kind : "unknown";
}

static void add_tsv(GString *out, const struct item *i)
{
	list_cell(out, i->id, '\t');
	list_cell(out, i->state, '\t');
	list_cell(out, i->open ? "open" : "closed", '\t');
	list_cell(out, kind_text(i), '\t');
	list_cell(out, i->metric, '\t');
	list_cell_change(out, i->change_percent, '\t');
	list_cell(out, i->commit, '\t');
	list_cell_date(out, i->reported, '\t');
	list_cell_date(out, i->last_activity, '\t');
	g_string_append_printf(out, "%u\t", i->messages);
	list_cell(out, i->mid, '\t');
	list_cell(out, i->title, '\n');
}

static void add_text(GString *out, const struct item *i)
{
	g_autofree char *day = date_to_rfc3339(i->last_activity);
	g_autofree char *commit =
		g_strndup(i->commit ? i->commit : "-", COMMIT_SHOWN);

	g_string_append_printf(out, "%s  %-14s %-10.10s  %s\n", i->id,
			       i->only_said ? "says applied" : i->state,
			       day ? day : "-", i->title);
	g_string_append_printf(out, "%19s%s %s\n", "", commit,
			       i->commit_subject ? i->commit_subject : "");
}

static char *print_items(GPtrArray *items, const char *base_url)
{
	GString *out = g_string_new(NULL);

	if (format == LIST_JSON)
		view_items_append(out, items, base_url);
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];

		if (format == LIST_NDJSON)
			g_string_append_printf(out, "%s\n",
					       view_item_line(i, base_url));
		else if (format == LIST_TSV)
			add_tsv(out, i);
		else if (format == LIST_TEXT)
			add_text(out, i);
	}
	return g_string_free(out, FALSE);
}

/* FALSE after saying what is wrong with the options. */
static gboolean check_options(gint64 *limit)
{
	if (!list_format_parse("status", format_text, &format))
		return FALSE;
	if (max_age && !duration_parse(max_age, limit)) {
		cli_error("status: --max-age %s: not a duration; %s", max_age,
			  DURATION_FORMS);
		return FALSE;
	}
	return TRUE;
}

/* After the answer: is it of fresh mail? */
static int check_age(struct session *s, store *st, gint64 limit, int rc)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *date = NULL;
	gint64 newest = 0;

	if (!max_age)
		return rc;
	if (!stats_newest(st, &newest, &err))
		return cli_fail(NULL, err);
	if (newest && s->now - newest <= limit)
		return rc;
	date = date_to_rfc3339(newest);
	cli_error("%s: the newest mail is %s%s, more than %s ago", s->db_path,
		  date ? "of " : "unknown", date ? date : "", max_age);
	return EXIT_STALE;
}

static int print_matching(struct session *s, store *st, const char *query)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *me = own_address(st);
	g_autoptr(GPtrArray) all = items_load(st, &err);
	g_autoptr(GPtrArray) found =
		all ? items_matching(st, all, query, s->now, me, &err) : NULL;
	g_autofree char *text = NULL;

	if (!all)
		return cli_fail(NULL, err);
	if (!found)
		return cli_fail(NULL, err);
	text = print_items(found, config_get(s->config, "bot", NULL, "url"));
	if (format == LIST_TEXT || format == LIST_TSV)
		plain_text(text);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return found->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query =
		s->argc ? g_strjoinv(" ", s->argv) : g_strdup(DEFAULT_QUERY);
	g_autoptr(store) st = NULL;
	gint64 limit = 0;
	int rc;

	if (!check_options(&limit))
		return EXIT_USAGE;
	st = cli_store(s, STORE_READ, &rc);
	if (!st) /* without a database there is no fresh mail either */
		return rc == EXIT_NONE && max_age ? EXIT_STALE : rc;
	rc = print_matching(s, st, query);
	if (rc == EXIT_DONE || rc == EXIT_NONE)
		rc = check_age(s, st, limit, rc);
	return rc;
}

const struct verb verb_status = {
	.name = "status",
	.alias = "q",
	.synopsis = "[--format text|tsv|json|ndjson] [--max-age DURATION] "
		    "[QUERY]",
	.help = "list tracked items; without a query those that are open",
	.details =
		"Lists the tracked items that match QUERY, newest activity "
		"first. Terms are words, \"phrases\", /patterns/ and values "
		"behind a prefix: is:open, closed, stalled, backburner, "
		"disputed, assigned, muted, "
		"regression, improvement, verified, inconsistent, perf, func "
		"or a state; state:, s: (title), sub: (subsystem), list:, "
		"metric:, test:, param.KEY:, machine:, series:, culprit:, "
		"base:, introduced: (v6.2..v6.3), fix:, tree: (NAME=yes, "
		"NAME=no: is a fix there), person:, wait: (role), prio:, assigned:, "
		"muted: (people), set.KEY: (what commands set), verdict: "
		"(recovered, not-recovered, ...), runs: and change: (>5, "
		"<-10, 5..20), age: (>14d), d: (date of the report), m: "
		"(Message-ID). "
		"AND, OR, NOT and parentheses join them; is, state, sub and "
		"list given twice mean either. The columns of tsv: id, state, "
		"open or closed, direction, metric, change, commit, reported, "
		"last activity, mails, Message-ID, title. Exit code 1: none "
		"matches.",
	.options = options,
	.max_args = -1,
	.run = run,
};
