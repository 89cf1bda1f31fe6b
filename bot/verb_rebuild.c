/* verb_rebuild.c - derive everything again from the stored raw mail */
#include <stdio.h>
#include <unistd.h>

#include "db/health.h"
#include "db/search.h"

#include "bot/lock_file.h"
#include "bot/rederive.h"
#include "bot/verbs.h"

static int rebuild(struct session *s, store *st)
{
	g_autoptr(GError) err = NULL;
	guint messages, indexed;
	guint64 gone;

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

/* Not beside the daemon, which would write pages of half a database. */
static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	int rc, fd;

	st = cli_store_present(s, &rc);
	if (!st)
		return rc;
	fd = lock_file_of_database(s->db_path, &err);
	if (fd < 0)
		return cli_fail("rebuild", err);
	rc = rebuild(s, st);
	close(fd);
	return rc;
}

const struct verb verb_rebuild = {
	.name = "rebuild",
	.help = "derive everything again from the stored raw mail",
	.synopsis = "",
	.details = "Throws away all that follows from the raw mail (threads, "
		   "patches, items, the index) and derives it again. The "
		   "result is the same, unless the program has learned "
		   "something since. What was interrupted is completed by the "
		   "next run, or by the next import. Not while culprit run "
		   "works on the database.",
	.max_args = 0,
	.run = run,
};
