/* verb_check.c - may the numbers of an item be trusted */
#include "bot/item_arg.h"
#include "bot/item_check.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

static char *as_line(const struct item_check *c)
{
	return view_line_take(item_check_view(c));
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(item_auto) i = NULL;
	g_autoptr(item_check_auto) c = NULL;
	g_autoptr(store) st = NULL;
	g_autofree char *text = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	i = item_arg(s, st, s->argv[0], &rc);
	if (!i)
		return rc;
	c = item_check_load(st, i, &err);
	if (!c)
		return cli_fail(s->db_path, err);
	text = as_json ? as_line(c) : plain_text(item_check_text(c));
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_check = {
	.name = "check",
	.synopsis = "[--json] WHAT",
	.help = "tell whether the numbers of a report can be trusted",
	.details = "Reads the tables of an item's report and reruns once more "
		   "and tells what contradicts itself in them, how many runs "
		   "stand behind each column and how that is known, the "
		   "deviation of the metric, what the reruns show, and which "
		   "earlier reports of the same test on the same machine "
		   "there are, and how many of them were taken back. WHAT is "
		   "as for show.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
