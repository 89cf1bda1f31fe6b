/* verb_pages.c - writes the site */
#include "db/health.h"

#include "bot/pages.h"
#include "bot/verbs.h"

static gboolean force;
static char *templates;

static const GOptionEntry options[] = {
	{"force", 0, 0, G_OPTION_ARG_NONE, &force,
	 "write files even if they are equal", NULL},
	{"templates", 0, 0, G_OPTION_ARG_FILENAME, &templates,
	 "a folder whose files override the built-in ones", "DIR"},
	{NULL},
};

static int run(struct session *s)
{
	const char *dir =
		s->argc ? s->argv[0]
			: config_get(s->config, "pages", NULL, "output");
	g_autoptr(template_set) set = template_set_open(templates);
	struct pages_counts counts = {0};
	g_autoptr(GError) err = NULL;
	g_autofree char *text = NULL;
	g_autoptr(store) st = NULL;
	gboolean pending = FALSE;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	if (!health_rebuild(st, &pending, &err))
		return cli_fail(NULL, err);
	if (pending) /* said already; pages would be removed that come again */
		return EXIT_UNREAD;
	if (!pages_write(st, s->config, set, dir, force, &counts, &err))
		return cli_fail("pages", err);
	text = g_strdup_printf("%u written, %u unchanged, %u removed\n",
			       counts.written, counts.unchanged,
			       counts.removed);
	return s->quiet || cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_pages = {
	.name = "pages",
	.synopsis = "[--force] [--templates DIR] [FOLDER]",
	.help = "write the site",
	.details = "Writes the site to FOLDER, or to the folder of the "
		   "settings: a page for each tracked item with its facts "
		   "as JSON beside it, a page for each of their threads, "
		   "lists, problems, and what the site is made of. Only "
		   "files that differ are written, each at once or not at "
		   "all; pages of an earlier run that are not needed any more "
		   "are removed. Prints how many were written, unchanged and "
		   "removed.",
	.options = options,
	.max_args = 1,
	.run = run,
};
