/* verb_backup.c - a consistent copy of the database */
#include "bot/verbs.h"

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	if (!store_backup(st, s->argv[0], &err))
		return cli_fail(NULL, err);
	return EXIT_DONE;
}

const struct verb verb_backup = {
	.name = "backup",
	.synopsis = "FILE",
	.help = "copy the database while others use it",
	.details = "Writes a consistent copy of the database to FILE and of "
		   "the raw mail it keeps to FILE-spool. Both replace a copy "
		   "made before only when they are complete. Other programs "
		   "may go on reading and writing.",
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
