/* cli.c - from the command line to a verb and back to an exit code
 * Knows no verb: those are in the table of verbs.h. */
#include "bot/cli.h"

#include <string.h>

#include "mail/date.h"
#include "mail/suggest.h"

#include "bot/cli_priv.h"

struct global_options cli_globals;

const GOptionEntry cli_global_options[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME, &cli_globals.config,
	 "settings file", "FILE"},
	{"db", 0, 0, G_OPTION_ARG_FILENAME, &cli_globals.db, "database file",
	 "FILE"},
	{"now", 0, 0, G_OPTION_ARG_FILENAME, &cli_globals.now,
	 "use this time as the present, like 2024-01-31T12:00:00Z", "TIME"},
	{"quiet", 'q', 0, G_OPTION_ARG_NONE, &cli_globals.quiet,
	 "no summary at the end", NULL},
	{"verbose", 'v', 0, G_OPTION_ARG_NONE, &cli_globals.verbose,
	 "say more about what is done", NULL},
	{"version", 0, 0, G_OPTION_ARG_NONE, &cli_globals.version,
	 "print the version", NULL},
	{"help", 'h', 0, G_OPTION_ARG_NONE, &cli_globals.help,
	 "print help, about the verb where there is one", NULL},
	{NULL},
};

static gint64 fixed_now; /* of --now, else 0 */

const struct verb *cli_verb_find(const char *name)
{
	for (guint i = 0; cli_verbs[i]; i++)
		if (g_str_equal(cli_verbs[i]->name, name) ||
		    !g_strcmp0(cli_verbs[i]->alias, name))
			return cli_verbs[i];
	return NULL;
}

static int unknown_verb(const char *name)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	const char *near;

	for (guint i = 0; cli_verbs[i]; i++)
		g_ptr_array_add(known, (char *)cli_verbs[i]->name);
	g_ptr_array_add(known, NULL);
	near = suggest_nearest(name, (const char *const *)known->pdata);
	if (near)
		cli_error("%s: no such verb; did you mean %s?", name, near);
	else
		cli_error("%s: no such verb; culprit --help lists them", name);
	return EXIT_USAGE;
}

/* Strings are taken as the bytes they are: no locale has a say. */
static void add_entries(GOptionContext *context, const GOptionEntry *entries)
{
	g_autoptr(GArray) copy = g_array_new(TRUE, TRUE, sizeof(*entries));

	for (; entries && entries->long_name; entries++) {
		GOptionEntry entry = *entries;

		if (entry.arg == G_OPTION_ARG_STRING)
			entry.arg = G_OPTION_ARG_FILENAME;
		else if (entry.arg == G_OPTION_ARG_STRING_ARRAY)
			entry.arg = G_OPTION_ARG_FILENAME_ARRAY;
		g_array_append_val(copy, entry);
	}
	g_option_context_add_main_entries(context,
					  (const GOptionEntry *)copy->data,
					  NULL);
}

/* GOption keeps the "--" that ended the options in some cases. */
static void remove_dashes(char **args)
{
	for (; *args && !g_str_equal(*args, "--"); args++)
		;
	if (!*args)
		return;
	g_free(*args);
	for (; *args; args++)
		args[0] = args[1];
}

/* Take the options out of `*args`; with `verb` NULL only those before the
 * verb. FALSE after saying what is wrong. */
static gboolean parse_options(char ***args, const struct verb *verb)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) err = NULL;

	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, !verb);
	add_entries(context, cli_global_options);
	if (verb)
		add_entries(context, verb->options);
	if (g_option_context_parse_strv(context, args, &err)) {
		remove_dashes(*args + 1);
		return TRUE;
	}
	err->message[0] = g_ascii_tolower(err->message[0]);
	if (verb)
		cli_error("%s: %s; see culprit help %s%s", verb->name,
			  err->message, verb->name,
			  verb->synopsis && strstr(verb->synopsis, "QUERY")
				  ? "; what a query leaves out is NOT TERM, "
				    "or -TERM behind --"
				  : "");
	else
		cli_error("%s; see culprit --help", err->message);
	return FALSE;
}

static gboolean count_args(const struct verb *v, int argc, char **argv)
{
	if (argc < v->min_args)
		cli_error("%s: arguments missing; usage: culprit %s %s",
			  v->name, v->name, v->synopsis);
	else if (v->max_args >= 0 && argc > v->max_args)
		cli_error("%s: %s is one argument too many; usage: culprit "
			  "%s %s",
			  v->name, argv[v->max_args], v->name, v->synopsis);
	else
		return TRUE;
	return FALSE;
}

config *cli_config_again(GError **err)
{
	return config_load(cli_globals.config, err);
}

gint64 cli_now(void)
{
	return fixed_now ? fixed_now : g_get_real_time() / G_USEC_PER_SEC;
}

static gboolean set_now(struct session *s)
{
	if (!cli_globals.now ||
	    date_from_rfc3339(cli_globals.now, &fixed_now)) {
		s->now = cli_now();
		return TRUE;
	}
	cli_error("--now %s: not a time like 2024-01-31T12:00:00Z",
		  cli_globals.now);
	return FALSE;
}

static int run_verb(const struct verb *v, char **args)
{
	struct session s = {
		.quiet = cli_globals.quiet,
		.verbose = cli_globals.verbose,
		.argc = g_strv_length(args),
		.argv = args,
	};
	g_autoptr(config) settings = NULL;
	g_autoptr(GError) err = NULL;

	if (!count_args(v, s.argc, s.argv) || !set_now(&s))
		return EXIT_USAGE;
	if (!v->no_config) {
		settings = config_load(cli_globals.config, &err);
		if (!settings)
			return cli_fail(NULL, err);
		s.config = settings;
		s.db_path = cli_globals.db ? cli_globals.db
					   : config_get(settings, "store", NULL,
							"path");
	}
	return v->run(&s);
}

static int print_text(char *text)
{
	gboolean ok = cli_write(text, -1);

	g_free(text);
	return ok ? EXIT_DONE : EXIT_UNREAD;
}

static int run_line(char ***args)
{
	const struct verb *verb = NULL;

	if (!parse_options(args, NULL))
		return EXIT_USAGE;
	if ((*args)[1] && !cli_globals.version && !cli_globals.help) {
		verb = cli_verb_find((*args)[1]);
		if (!verb)
			return unknown_verb((*args)[1]);
		g_free((*args)[0]);
		memmove(*args, *args + 1,
			sizeof(char *) * g_strv_length(*args));
		if (!parse_options(args, verb))
			return EXIT_USAGE;
	}
	cli_signals_init(cli_globals.verbose);
	cli_log_init(cli_globals.verbose);
	if (cli_globals.version)
		return print_text(g_strdup("culprit " CULPRIT_VERSION "\n"));
	if (cli_globals.help)
		return print_text(verb ? cli_help_verb(verb) : cli_help_all());
	if (verb)
		return run_verb(verb, *args + 1);
	cli_error("no verb given; culprit --help lists them");
	return EXIT_USAGE;
}

int cli_main(int argc, char **argv)
{
	g_auto(GStrv) args = NULL;
	int rc;

	cli_fds_init();
	g_set_prgname("culprit");
	args = argc > 0 ? g_strdupv(argv) : g_strsplit("culprit", " ", 1);
	rc = cli_flush(run_line(&args));
	cli_store_end();
	g_free(cli_globals.config);
	g_free(cli_globals.db);
	g_free(cli_globals.now);
	return cli_exit_code(rc);
}
