/* verb_search.c - messages that match a query, newest first */
#include <jansson.h>
#include <string.h>

#include "mail/date.h"

#include "db/search.h"

#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static char *format;
static int limit;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_STRING, &format,
	 "text (default), tsv, json, ndjson or mids", "FORMAT"},
	{"limit", 'n', 0, G_OPTION_ARG_INT, &limit,
	 "at most N messages (default: all)", "N"},
	{NULL},
};

static json_t *hit_tree(const struct search_hit *h)
{
	g_autofree char *date = date_to_rfc3339(h->date);

	return json_pack("{s:s, s:s?, s:s, s:{s:s, s:s}}", "message_id", h->mid,
			 "date", date, "subject", h->subject, "from", "name",
			 h->from_name, "address", h->from_address);
}

static void add_json_line(GString *out, json_t *tree)
{
	g_autofree char *line = view_line_take(tree);

	g_string_append(out, line);
}

/* Subjects and names hold no newline, but may hold a tab. */
static void add_cell(GString *out, const char *text, char end)
{
	g_autofree char *cell = g_strdup(text);

	g_string_append(out, g_strdelimit(cell, "\t\n\r", ' '));
	g_string_append_c(out, end);
}

static void add_tsv(GString *out, const struct search_hit *h)
{
	g_autofree char *date = date_to_rfc3339(h->date);

	add_cell(out, date ? date : "-", '\t');
	add_cell(out, h->mid, '\t');
	add_cell(out, h->from_address, '\t');
	add_cell(out, h->from_name, '\t');
	add_cell(out, h->subject, '\n');
}

static void add_text(GString *out, const struct search_hit *h)
{
	g_autofree char *date = date_to_overview(h->date);
	g_autofree char *text =
		g_strdup_printf("%-16s  %s\n%18s%s  <%s>\n",
				date ? date : "unknown date", h->subject, "",
				*h->from_name ? h->from_name : h->from_address,
				h->mid);

	g_string_append(out, plain_text(text));
}

static char *print_hits(const GPtrArray *hits)
{
	GString *out = g_string_new(NULL);
	json_t *all = json_array();

	for (guint i = 0; i < hits->len; i++) {
		const struct search_hit *h = hits->pdata[i];

		if (!strcmp(format, "json"))
			json_array_append_new(all, hit_tree(h));
		else if (!strcmp(format, "ndjson"))
			add_json_line(out, hit_tree(h));
		else if (!strcmp(format, "tsv"))
			add_tsv(out, h);
		else if (!strcmp(format, "mids"))
			add_cell(out, h->mid, '\n');
		else
			add_text(out, h);
	}
	if (!strcmp(format, "json"))
		add_json_line(out,
			      json_pack("{s:s, s:o}", "schema",
					"culprit/messages/1", "messages", all));
	else
		json_decref(all);
	return g_string_free(out, FALSE);
}

static gboolean format_known(void)
{
	static const char *const known[] = {"text",   "tsv",  "json",
					    "ndjson", "mids", NULL};

	if (!format)
		format = g_strdup("text");
	if (g_strv_contains(known, format))
		return TRUE;
	cli_error("search: --format %s: expected text, tsv, json, ndjson or "
		  "mids",
		  format);
	return FALSE;
}

static int search(struct session *s, store *st, const struct query *q)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) hits = NULL;
	g_autofree char *text = NULL;
	guint behind = 0;

	hits = search_run(st, q, (guint)MAX(limit, 0), &err);
	if (!hits || !search_behind(st, &behind, &err))
		return cli_fail(NULL, err);
	if (behind && !s->quiet)
		cli_error("search: %u messages are not in the full text yet: "
			  "run 'culprit index'",
			  behind);
	text = print_hits(hits);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return hits->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *text = g_strjoinv(" ", s->argv);
	g_autoptr(query_auto) q = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	if (!format_known())
		return EXIT_USAGE;
	q = query_parse(text, s->now, &err);
	if (!q)
		return cli_fail(NULL, err);
	st = cli_store(s, STORE_READ, &rc);
	return st ? search(s, st, q) : rc;
}

const struct verb verb_search = {
	.name = "search",
	.synopsis = "[--format FORMAT] [--limit N] QUERY...",
	.help = "list the messages that match a query",
	.details =
		"Lists messages, newest first. A query is words, "
		"\"phrases\", words* and PREFIX:VALUE terms, joined by AND "
		"(or a blank), OR, NOT (or -) and parentheses. A Message-ID, "
		"<Message-ID>, or the URL of a message or its thread in a web "
		"archive finds that message, if it is there. Prefixes: s: "
		"subject, b: body, q: quoted and nq: own text, bs: subject "
		"and body, f: from, t: to, c: cc, tc: to or cc, a: any of "
		"them, person: also in trailers, trailer: a trailer "
		"(trailer:\"tested-by jane\"), l: list, m: Message-ID, "
		"thread: a Message-ID of the thread, d: date and rt: time of "
		"arrival (2024-01-31, 7d, A..B), dfn: file name in a patch, "
		"patchid: git patch-id, is: patch, cover, pull, report, "
		"reply, notice or other. s:/x/, f:/x/ and m:/x/ are regular "
		"expressions. Exit code 1: nothing matches.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
