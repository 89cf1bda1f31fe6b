/* cli_help.c - help, manual and completion, made of the tables
 * Nothing here names a verb, an option or a setting by itself. */
#include <string.h>

#include "bot/cli_priv.h"
#include "bot/config.h"

#define HELP_WIDTH 79
#define MDOC_WIDTH 70

static const char *option_arg(const GOptionEntry *o)
{
	return o->arg_description ? o->arg_description : "";
}

/* "  -q, --quiet" and the text behind it, in a column of its own. */
static void add_option(GString *out, const GOptionEntry *o)
{
	g_autofree char *left = NULL;

	if (o->flags & G_OPTION_FLAG_HIDDEN)
		return;
	if (o->short_name)
		left = g_strdup_printf("-%c, --%s %s", o->short_name,
				       o->long_name, option_arg(o));
	else
		left = g_strdup_printf("--%s %s", o->long_name, option_arg(o));
	g_string_append_printf(out, "  %-20s  %s\n", g_strchomp(left),
			       o->description);
}

static void add_options(GString *out, const char *head, const GOptionEntry *o)
{
	if (!o || !o->long_name)
		return;
	g_string_append_printf(out, "\n%s:\n", head);
	for (; o->long_name; o++)
		add_option(out, o);
}

char *cli_help_all(void)
{
	GString *out = g_string_new(
		"usage: culprit [OPTIONS] VERB [OPTIONS] [ARGUMENTS]\n\n"
		"Verbs:\n");

	for (guint i = 0; cli_verbs[i]; i++)
		g_string_append_printf(out, "  %-10s  %s\n", cli_verbs[i]->name,
				       cli_verbs[i]->help);
	add_options(out, "Options, before or after the verb",
		    cli_global_options);
	g_string_append(out, "\n\"culprit help VERB\" tells more of one.\n");
	return g_string_free(out, FALSE);
}

/* Words of `text`, filled into lines of HELP_WIDTH. */
static void add_filled(GString *out, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	glong column = 0;

	for (guint i = 0; words[i]; i++) {
		glong width = g_utf8_strlen(words[i], -1);

		if (!width)
			continue;
		if (column && column + 1 + width > HELP_WIDTH) {
			g_string_append_c(out, '\n');
			column = 0;
		} else if (column) {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, words[i]);
		column += width;
	}
	g_string_append_c(out, '\n');
}

char *cli_help_verb(const struct verb *v)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "usage: culprit %s%s%s\n", v->name,
			       *v->synopsis ? " " : "", v->synopsis);
	if (v->alias)
		g_string_append_printf(out, "alias: %s\n", v->alias);
	g_string_append_c(out, '\n');
	add_filled(out, v->details);
	add_options(out, "Options", v->options);
	g_string_append(out, "\n\"culprit --help\" lists the options that "
			     "every verb takes.\n");
	return g_string_free(out, FALSE);
}

/* ---- mdoc */

static void mdoc_word(GString *out, const char *word)
{
	for (; *word; word++) {
		if (*word == '\\')
			g_string_append(out, "\\e");
		else if (*word == '-')
			g_string_append(out, "\\-");
		else
			g_string_append_c(out, *word);
	}
}

/* A text line, filled; a sentence begins a new one, as mdoc wants it. */
static void mdoc_text(GString *out, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	gsize start = out->len;

	for (guint i = 0; words[i]; i++) {
		const char *end = words[i] + strlen(words[i]);

		if (*words[i] == '.' || *words[i] == '\'')
			g_string_append(out, "\\&");
		mdoc_word(out, words[i]);
		if (!words[i + 1])
			break;
		if ((end > words[i] && strchr(".:?", end[-1])) ||
		    out->len - start + strlen(words[i + 1]) > MDOC_WIDTH) {
			g_string_append_c(out, '\n');
			start = out->len;
		} else {
			g_string_append_c(out, ' ');
		}
	}
}

/* A macro's argument: one word, quoted. */
static void mdoc_arg(GString *out, const char *text)
{
	g_string_append(out, " \"");
	for (; *text; text++) {
		if (*text == '"')
			g_string_append(out, "\\(dq");
		else if (*text == '\\')
			g_string_append(out, "\\e");
		else
			g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

static void mdoc_options(GString *out, const GOptionEntry *o)
{
	if (!o || !o->long_name)
		return;
	g_string_append(out, ".Bl -tag -width Ds -compact\n");
	for (; o->long_name; o++) {
		g_string_append(out, ".It");
		if (o->short_name)
			g_string_append_printf(out, " Fl %c ,", o->short_name);
		g_string_append_printf(out, " Fl \\-%s", o->long_name);
		if (*option_arg(o)) {
			g_string_append(out, " Ar");
			mdoc_arg(out, option_arg(o));
		}
		g_string_append_c(out, '\n');
		mdoc_text(out, o->description);
		g_string_append(out, ".\n");
	}
	g_string_append(out, ".El\n");
}

char *cli_help_mdoc_verbs(void)
{
	GString *out = g_string_new("The options are, before or after the "
				    "verb:\n.Pp\n");

	mdoc_options(out, cli_global_options);
	g_string_append(out, ".Pp\nThe verbs are:\n.Bl -tag -width Ds\n");
	for (guint i = 0; cli_verbs[i]; i++) {
		const struct verb *v = cli_verbs[i];

		g_string_append_printf(out, ".It Cm %s", v->name);
		if (*v->synopsis) {
			g_string_append(out, " No");
			mdoc_arg(out, v->synopsis);
		}
		g_string_append_c(out, '\n');
		if (v->alias)
			g_string_append_printf(out, "Alias:\n.Cm %s .\n",
					       v->alias);
		mdoc_text(out, v->details);
		g_string_append_c(out, '\n');
		mdoc_options(out, v->options);
	}
	g_string_append(out, ".El\n");
	return g_string_free(out, FALSE);
}

static const char *type_name(enum config_type type)
{
	switch (type) {
	case CONFIG_STRING:
		return "text";
	case CONFIG_PATH:
		return "path";
	case CONFIG_LIST:
		return "list";
	case CONFIG_INT:
		return "number";
	case CONFIG_DURATION:
		return "span of time";
	case CONFIG_ENUM:
		return "one of";
	}
	g_assert_not_reached();
}

static void mdoc_key(GString *out, const struct config_key *k)
{
	g_autofree char *choices = NULL;

	g_string_append(out, ".It Cm");
	mdoc_arg(out, k->key);
	g_string_append_printf(out, " Pq %s", type_name(k->type));
	if (k->choices) {
		g_auto(GStrv) all = g_strsplit(k->choices, "|", -1);

		choices = g_strjoinv(" ", all);
		g_string_append_printf(out, " : %s", choices);
	}
	g_string_append_c(out, '\n');
	mdoc_text(out, k->help);
	if (k->preset) {
		g_string_append(out, ".\nDefault:\n.Ql");
		mdoc_arg(out, k->preset);
	}
	g_string_append(out, k->preset ? " .\n" : ".\n");
}

char *cli_help_mdoc_settings(void)
{
	GString *out = g_string_new(NULL);
	const char *group = "";

	for (const struct config_key *k = config_keys; k->group; k++) {
		if (!g_str_equal(k->group, group)) {
			g_string_append(out, *group ? ".El\n" : "");
			g_string_append_printf(out, ".Ss Group %s\n", k->group);
			g_string_append(out, ".Bl -tag -width Ds -compact\n");
		}
		group = k->group;
		mdoc_key(out, k);
	}
	g_string_append(out, ".El\n");
	return g_string_free(out, FALSE);
}

/* ---- completion for bash */

static void add_words(GString *out, const GOptionEntry *o)
{
	for (; o && o->long_name; o++)
		g_string_append_printf(out, " --%s", o->long_name);
}

char *cli_help_completion(void)
{
	GString *out = g_string_new("# bash completion for culprit\n"
				    "_culprit()\n{\n"
				    "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
				    "\tlocal verb= words w\n\n"
				    "\tfor w in \"${COMP_WORDS[@]:1:"
				    "COMP_CWORD-1}\"; do\n"
				    "\t\tcase $w in\n");

	for (guint i = 0; cli_verbs[i]; i++)
		g_string_append_printf(out, "\t\t%s) verb=$w; break ;;\n",
				       cli_verbs[i]->name);
	g_string_append(out,
			"\t\tesac\n\tdone\n\tcase $verb in\n\t'') words='");
	for (guint i = 0; cli_verbs[i]; i++)
		g_string_append_printf(out, "%s ", cli_verbs[i]->name);
	g_string_append(out, "' ;;\n");
	for (guint i = 0; cli_verbs[i]; i++) {
		if (!cli_verbs[i]->options)
			continue;
		g_string_append_printf(out, "\t%s) words='",
				       cli_verbs[i]->name);
		add_words(out, cli_verbs[i]->options);
		g_string_append(out, "' ;;\n");
	}
	g_string_append(out, "\tesac\n\twords+='");
	add_words(out, cli_global_options);
	g_string_append(out, "'\n\tCOMPREPLY=($(compgen -W \"$words\" -- "
			     "\"$cur\"))\n}\n"
			     "complete -o default -F _culprit culprit\n");
	return g_string_free(out, FALSE);
}
