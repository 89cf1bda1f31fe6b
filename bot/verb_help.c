/* verb_help.c - help on a verb, and the texts made of the tables */
#include "bot/cli_priv.h"
#include "bot/verbs.h"

static gboolean completion;
static char *mdoc;

static const GOptionEntry options[] = {
	{"completion", 0, 0, G_OPTION_ARG_NONE, &completion,
	 "print a completion script for bash", NULL},
	{"mdoc", 0, 0, G_OPTION_ARG_STRING, &mdoc,
	 "print a part of the manual: verbs or settings", "PART"},
	{NULL},
};

static char *help_text(struct session *s)
{
	const struct verb *v;

	if (completion)
		return cli_help_completion();
	if (!g_strcmp0(mdoc, "verbs"))
		return cli_help_mdoc_verbs();
	if (!g_strcmp0(mdoc, "settings"))
		return cli_help_mdoc_settings();
	if (mdoc) {
		cli_error("help: --mdoc %s: the parts are verbs and settings",
			  mdoc);
		return NULL;
	}
	if (!s->argc)
		return cli_help_all();
	v = cli_verb_find(s->argv[0]);
	if (v)
		return cli_help_verb(v);
	cli_error("help: %s is no verb; culprit --help lists them", s->argv[0]);
	return NULL;
}

static int run(struct session *s)
{
	g_autofree char *text = help_text(s);

	g_clear_pointer(&mdoc, g_free);
	if (!text)
		return EXIT_USAGE;
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_help = {
	.name = "help",
	.synopsis = "[--completion] [--mdoc PART] [VERB]",
	.help = "print help on a verb",
	.details = "Prints how a verb is called and what it does; without a "
		   "verb, what verbs there are.",
	.options = options,
	.max_args = 1,
	.no_config = TRUE,
	.run = run,
};
