/* verb_index.c - brings the full text up to what is stored */
#include "bot/rederive.h"
#include "bot/verbs.h"

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
	    (!cli_interrupted() && !rederive_text(s, st, &added, &err)))
		return cli_fail(s->db_path, err);
	if (!s->quiet)
		g_printerr("culprit: index: %u messages added\n", added);
	return EXIT_DONE;
}

const struct verb verb_index = {
	.name = "index",
	.synopsis = "",
	.help = "bring the full text up to date",
	.details = "Adds to the full text the messages that an import with "
		   "--no-index, or one that was stopped, has left out. The "
		   "full text is derived: it may be deleted at any time.",
	.max_args = 0,
	.run = run,
};
