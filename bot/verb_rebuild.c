/* verb_rebuild.c - derive everything again from the stored raw mail */
#include <stdio.h>

#include "db/health.h"
#include "db/search.h"

#include "bot/rederive.h"
#include "bot/verbs.h"

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	guint messages, indexed;
	guint64 gone;
	int rc;

	st = cli_store_present(s, &rc);
	if (!st)
		return rc;
	if (!rederive_all(s, st, &messages, &err))
		return cli_fail(NULL, err);
	if (!cli_interrupted() && (!search_discard(st, &err) ||
				   !rederive_text(s, st, &indexed, &err)))
		return cli_fail(NULL, err);
	if (!health_gone(st, &gone, &err))
		return cli_fail(NULL, err);
	if (gone) {
		cli_error("rebuild: %" G_GUINT64_FORMAT " of %u mails can't be "
			  "had (culprit problems lists them); import them "
			  "again",
			  gone, messages);
		return EXIT_UNREAD;
	}
	if (!s->quiet)
		fprintf(stderr, "culprit: %u messages derived again\n",
			messages);
	return EXIT_DONE;
}

const struct verb verb_rebuild = {
	.name = "rebuild",
	.help = "derive everything again from the stored raw mail",
	.synopsis = "",
	.details = "Throws away all that follows from the raw mail (threads, "
		   "patches, items, the index) and derives it again. The "
		   "result is the same, unless the program has learned "
		   "something since. What was interrupted is completed by the "
		   "next run, or by the next import.",
	.max_args = 0,
	.run = run,
};
