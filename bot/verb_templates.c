/* verb_templates.c - are the templates right */
#include "templates/render.h"

#include "bot/verbs.h"

static gboolean check;
static char *dir;

static const GOptionEntry options[] = {
	{"check", 0, 0, G_OPTION_ARG_NONE, &check,
	 "read every template and partial (the default)", NULL},
	{"dir", 0, 0, G_OPTION_ARG_FILENAME, &dir,
	 "a folder whose files override the built-in ones", "DIR"},
	{NULL},
};

static int run(struct session *s)
{
	g_autoptr(template_set) set = template_set_open(dir);
	g_autoptr(GError) err = NULL;

	if (!template_set_check(set, &err))
		return cli_fail("templates", err);
	if (s->quiet)
		return EXIT_DONE;
	return cli_write("templates: right\n", -1) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_templates = {
	.name = "templates",
	.synopsis = "[--check] [--dir DIR]",
	.help = "check the templates that pages and mails are made of",
	.details = "Reads every template and the partials it includes. A "
		   "mistake is told with file and line: tags that do not "
		   "match, and values in places of a page where they could "
		   "do harm. Files in DIR take the place of the built-in "
		   "templates of the same name.",
	.options = options,
	.max_args = 0,
	.run = run,
};
