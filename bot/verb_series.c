/* verb_series.c - tests through time */
#include "bot/item_match.h"
#include "bot/list_format.h"
#include "bot/own_address.h"
#include "bot/plain_text.h"
#include "bot/series_list.h"
#include "bot/verbs.h"

static char *format_text;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_STRING, &format_text, LIST_FORMATS,
	 "FORMAT"},
	{NULL},
};

static char *print_series(const struct series_list *l, enum list_format format)
{
	GString *out = g_string_new(NULL);
	json_t *all = json_array();

	for (guint n = 0; n < l->series->len; n++) {
		const struct series_of_test *one = l->series->pdata[n];

		if (format == LIST_TEXT) {
			g_string_append(out, n ? "\n" : "");
			series_text(out, one);
		} else if (format == LIST_TSV) {
			series_tsv(out, one);
		} else if (format == LIST_NDJSON) {
			list_json_take(out, series_view(one));
		} else {
			json_array_append_new(all, series_view(one));
		}
	}
	if (format == LIST_JSON)
		list_json_take(out, json_pack("{s:s, s:o}", "schema",
					      "culprit/series-list/1", "series",
					      all));
	else
		json_decref(all);
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
	g_autoptr(series_list_auto) l =
		found ? series_list_load(st, all, found, &err) : NULL;
	g_autofree char *text = NULL;

	if (!l)
		return cli_fail(NULL, err);
	text = print_series(l, format);
	if (format == LIST_TEXT || format == LIST_TSV)
		plain_text(text);
	if (l->cut)
		cli_error("series: more than %d series match; these are the "
			  "first",
			  SERIES_LIST_MAX);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return l->series->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autofree char *query = g_strjoinv(" ", s->argv);
	g_autoptr(store) st = NULL;
	enum list_format format;
	int rc;

	if (!list_format_parse("series", format_text, &format))
		return EXIT_USAGE;
	st = cli_store(s, STORE_READ, &rc);
	return st ? answer(s, st, query, format) : rc;
}

const struct verb verb_series = {
	.name = "series",
	.synopsis = "[--format text|tsv|json|ndjson] QUERY",
	.help = "show tests through time: reports and what was measured",
	.details =
		"For the items that match QUERY (as for status; an item's id "
		"will do), shows the series that they belong to: one metric of "
		"one test on one machine, with the same parameters. Each is "
		"shown whole: all its reports, and every value that a mail "
		"printed, by date. The columns of tsv: series, date, metric, "
		"commit, role, value, deviation in percent, runs, Message-ID. "
		"Exit code 1: no item with a series matches.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
