/* verb_index.c - brings the full text up to what is stored */
#include <stdio.h>

#include "db/search.h"

#include "bot/rederive.h"
#include "bot/verbs.h"

static gboolean again;

static const GOptionEntry options[] = {
	{"again", 0, 0, G_OPTION_ARG_NONE, &again,
	 "throw the full text away and make it anew", NULL},
	{NULL},
};

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	guint added = 0;
	int rc;

	st = cli_store_present(s, &rc);
	if (!st)
		return rc;
	if (!rederive_rest(s, st, &err) ||
	    (again && !search_discard(st, &err)) ||
	    (!cli_interrupted() && !rederive_text(s, st, &added, &err)))
		return cli_fail(NULL, err);
	if (!s->quiet)
		fprintf(stderr, "culprit: index: %u messages added\n", added);
	return EXIT_DONE;
}

const struct verb verb_index = {
	.name = "index",
	.synopsis = "[--again]",
	.help = "bring the full text up to date",
	.details = "Adds to the full text the messages that an import with "
		   "--no-index, or one that was stopped, has left out. The "
		   "full text is derived: one that is damaged is made anew "
		   "with --again.",
	.options = options,
	.max_args = 0,
	.run = run,
};
