/* verb_next.c - who must act next, and since when */
#include <string.h>

#include "mail/date.h"

#include "db/items.h"

#include "bot/item_match.h"
#include "bot/list_format.h"
#include "bot/own_address.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"
#include "bot/wrap_text.h"

#define DEFAULT_QUERY "is:open"
#define DAY	      86400

static char *format_text;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_STRING, &format_text, LIST_FORMATS,
	 "FORMAT"},
	{NULL},
};

/* Who is waited for longest comes first. */
static int by_since(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->waiting.since != y->waiting.since)
		return x->waiting.since < y->waiting.since ? -1 : 1;
	return strcmp(x->id, y->id);
}

static GPtrArray *those_waiting(GPtrArray *found)
{
	GPtrArray *out = g_ptr_array_new();

	for (guint n = 0; n < found->len; n++) {
		const struct item *i = found->pdata[n];

		if (i->waiting.role)
			g_ptr_array_add(out, found->pdata[n]);
	}
	g_ptr_array_sort(out, by_since);
	return out;
}

#define TEXT_AT 19 /* column of what stands behind the id */

static void add_hanging(GString *out, const char *text)
{
	g_string_append_printf(out, "%*s", TEXT_AT, "");
	text_hang(out, text, TEXT_AT);
}

static void add_text(GString *out, const struct item *i, gint64 now)
{
	const struct item_waiting *w = &i->waiting;
	g_autofree char *since = date_to_rfc3339(w->since);

	g_string_append_printf(out, "%s  %s", i->id, w->role);
	if (since && now >= w->since)
		g_string_append_printf(out,
				       ", since %.10s (%" G_GINT64_FORMAT
				       " days)",
				       since, (now - w->since) / DAY);
	g_string_append(out, i->stalled ? ", stalled\n" : "\n");
	if (w->person && *w->person)
		add_hanging(out, w->person);
	add_hanging(out, i->title);
	if (w->reason && w->mid) {
		g_autofree char *why =
			g_strdup_printf("%s: <%s>", w->reason, w->mid);

		add_hanging(out, why);
	} else if (w->reason) {
		add_hanging(out, w->reason);
	}
}

static void add_tsv(GString *out, const struct item *i)
{
	const struct item_waiting *w = &i->waiting;

	list_cell(out, i->id, '\t');
	list_cell(out, w->role, '\t');
	list_cell(out, w->person, '\t');
	list_cell_date(out, w->since, '\t');
	list_cell(out, i->stalled ? "stalled" : NULL, '\t');
	list_cell(out, w->reason, '\t');
	list_cell(out, w->mid, '\t');
	list_cell(out, i->title, '\n');
}

static char *print_waiting(GPtrArray *items, enum list_format format,
			   const char *base_url, gint64 now)
{
	GString *out = g_string_new(NULL);

	if (format == LIST_JSON)
		view_items_append(out, items, base_url);
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];

		if (format == LIST_TEXT)
			add_text(out, i, now);
		else if (format == LIST_TSV)
			add_tsv(out, i);
		else if (format == LIST_NDJSON)
			g_string_append_printf(out, "%s\n",
					       view_item_line(i, base_url));
	}
	return g_string_free(out, FALSE);
}

static int answer(struct session *s, store *st, const char *query,
		  enum list_format format)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *me = own_address(st);
	g_autoptr(GPtrArray) all = items_load(st, &err);
	g_autoptr(GPtrArray) found =
		all ? items_matching(st, all, query, s->now, me, &err) : NULL;
	g_autoptr(GPtrArray) waiting = found ? those_waiting(found) : NULL;
	g_autofree char *text = NULL;

	if (!found)
		return cli_fail(NULL, err);
	text = print_waiting(waiting, format,
			     config_get(s->config, "bot", NULL, "url"), s->now);
	if (format == LIST_TEXT || format == LIST_TSV)
		plain_text(text);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return waiting->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query =
		s->argc ? g_strjoinv(" ", s->argv) : g_strdup(DEFAULT_QUERY);
	g_autoptr(store) st = NULL;
	enum list_format format;
	int rc;

	if (!list_format_parse("next", format_text, &format))
		return EXIT_USAGE;
	st = cli_store(s, STORE_READ, &rc);
	return st ? answer(s, st, query, format) : rc;
}

const struct verb verb_next = {
	.name = "next",
	.synopsis = "[--format text|tsv|json|ndjson] [QUERY]",
	.help = "tell who must act next, and since when",
	.details =
		"Lists who is waited for in the items that match QUERY (as for "
		"status; without one those that are open), the longest wait "
		"first: role, person, since when, why, and the mail that shows "
		"it. wait:ROLE and person:NAME in the query choose. The "
		"columns of tsv: item, role, person, since, stalled or -, "
		"reason, Message-ID, title. Exit code 1: nobody is waited for.",
	.options = options,
	.max_args = -1,
	.run = run,
};
