/* verb_rebuild.c - derive everything again from the stored raw mail */
#include <stdio.h>
#include <unistd.h>

#include "db/archive.h"
#include "db/health.h"
#include "db/search.h"

#include "bot/verbs.h"

struct progress {
	const char *what;
	gboolean shown; /* stderr is a terminal */
	guint done;
};

static gboolean on_progress(guint done, guint all, void *data)
{
	struct progress *p = data;

	p->done = done;
	if (p->shown)
		fprintf(stderr, "\r%s %u of %u%s", p->what, done, all,
			done == all ? "\n" : "");
	return !cli_interrupted();
}

static int run(struct session *s)
{
	struct progress p = {
		.what = "deriving",
		.shown = !s->quiet && isatty(STDERR_FILENO),
	};
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	guint messages;
	guint64 gone;
	int rc;

	st = cli_store_present(s, &rc);
	if (!st)
		return rc;
	if (!archive_rebuild(st, on_progress, &p, &err))
		return cli_fail(NULL, err);
	messages = p.done;
	p.what = "indexing";
	if (!cli_interrupted() && !search_index(st, on_progress, &p, &err))
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
		   "next run.",
	.max_args = 0,
	.run = run,
};
