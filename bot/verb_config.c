/* verb_config.c - are the settings right, and what is in force */
#include "bot/remote.h"
#include "bot/send.h"
#include "bot/trees.h"
#include "bot/verbs.h"

static gboolean check, show;

static const GOptionEntry options[] = {
	{"check", 0, 0, G_OPTION_ARG_NONE, &check,
	 "only say whether the settings are right", NULL},
	{"show", 0, 0, G_OPTION_ARG_NONE, &show,
	 "print all settings in force as a settings file (the default)", NULL},
	{NULL},
};

static char *check_text(struct session *s)
{
	const char *file = config_file(s->config);

	if (!file)
		return g_strdup("no settings file; built-in defaults\n");
	return g_strdup_printf("%s: right\n", file);
}

/* Of sources, trees and sending, what belongs together; the rest ended the program when
 * it was read. */
static gboolean make_sense(struct session *s, GError **err)
{
	g_autoptr(GPtrArray) trees = trees_settings(s->config, s->db_path, err);
	g_autoptr(GPtrArray) remotes =
		trees ? remotes_settings(s->config, s->db_path, err) : NULL;
	g_autoptr(send_settings_auto) sending =
		remotes ? send_settings_new(s->config, s->db_path, err) : NULL;

	return sending != NULL;
}

static int run(struct session *s)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) err = NULL;

	if (check && show) {
		cli_error("config: --check and --show exclude each other");
		return EXIT_USAGE;
	}
	if (check && !make_sense(s, &err))
		return cli_fail(NULL, err);
	text = check ? check_text(s) : config_show(s->config);
	if (check && s->quiet)
		return EXIT_DONE;
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

const struct verb verb_config = {
	.name = "config",
	.synopsis = "[--check | --show]",
	.help = "check the settings, or show those in force",
	.details = "Reads the settings file. An unknown group or key, or a "
		   "value of the wrong kind, is an error that names file and "
		   "line; --check also finds what a source, a tree or "
		   "[send] lacks. "
		   "Passwords are never part of the settings, so none "
		   "is shown.",
	.options = options,
	.max_args = 0,
	.run = run,
};
