/* verb_fix.c - which fix of an item is pending, and how far it has come */
#include "mail/date.h"
#include "mail/msgid.h"

#include "bot/item_arg.h"
#include "bot/plain_text.h"
#include "bot/rerun_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

static char *as_line(const struct item *i)
{
	json_t *o = json_object();

	json_object_set_new(o, "schema", json_string("culprit/fix/1"));
	json_object_set_new(o, "id", json_string(i->id));
	json_object_set_new(o, "state", json_string(i->state));
	json_object_set_new(o, "fixes", view_fixes(i));
	return view_line_take(o);
}

static void add_trees(GString *out, const struct item_fix *fix)
{
	if (!fix->trees || !fix->trees->len) {
		g_string_append(out, "    trees: not looked\n");
		return;
	}
	for (guint n = 0; n < fix->trees->len; n++) {
		g_autofree char *text = fix_tree_text(fix->trees->pdata[n]);

		g_string_append_printf(out, "    %s\n", text);
	}
}

/* Words are told with their sentence, commits with their tree. */
static gboolean is_about_trees(const char *type)
{
	static const char *const types[] = {"applied",
					    "says-applied",
					    "not-counted",
					    "dropped",
					    "promised",
					    "rejected",
					    "version-promised",
					    "fixed",
					    "stable-pending",
					    "reverted",
					    NULL};

	return g_strv_contains(types, type);
}

/* Who reviewed and tested it, as far as the events tell. */
static void add_said(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];
		g_autofree char *date = date_to_rfc3339(e->time);

		if (strcmp(e->type, "reviewed") != 0 &&
		    strcmp(e->type, "tested") != 0 &&
		    !g_str_has_prefix(e->type, "rerun-") &&
		    !is_about_trees(e->type))
			continue;
		g_string_append_printf(
			out, "  %.10s %s by %s%s%s\n", date ? date : "no date",
			e->type, e->by && *e->by ? e->by : "nobody known",
			is_about_trees(e->type) && e->text ? ": " : "",
			is_about_trees(e->type) && e->text ? e->text : "");
	}
}

static void add_fix(GString *out, const struct item_fix *fix)
{
	g_autofree char *date = date_to_rfc3339(fix->date);
	const char *role = strcmp(fix->role, "fix") ? fix->role : "";

	g_string_append_printf(out, "%s%s%s: %s\n", fix_status_text(fix),
			       *role ? ", " : "", role,
			       fix->subject ? fix->subject
			       : fix->id    ? fix->id
					    : "a fix");
	g_string_append_printf(out, "    %.10s by %s <%s>, because of: %s\n",
			       date ? date : "no date",
			       fix->author_name ? fix->author_name : "",
			       fix->author_address ? fix->author_address : "",
			       fix->evidence ? fix->evidence : "nothing known");
	if (fix->id)
		g_string_append_printf(out, "    commit %s\n", fix->id);
	if (fix->mid)
		g_string_append_printf(out, "    mailed as <%s>\n", fix->mid);
	add_trees(out, fix);
}

static char *as_text(const struct item *i)
{
	GString *out = g_string_new(i->title);

	g_string_append_printf(out, "\n%s, %s\n", i->id, i->state);
	for (guint n = 0; n < i->fixes->len; n++)
		add_fix(out, i->fixes->pdata[n]);
	if (i->fixes->len)
		add_said(out, i);
	else
		g_string_append(out, "no fix is known\n");
	return plain_text(g_string_free(out, FALSE));
}

static int run(struct session *s)
{
	g_autoptr(item_auto) i = NULL;
	g_autoptr(store) st = NULL;
	g_autofree char *text = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	i = item_arg(s, st, s->argv[0], &rc);
	if (!i)
		return rc;
	text = as_json ? as_line(i) : as_text(i);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return i->fixes->len ? EXIT_DONE : EXIT_NONE;
}

const struct verb verb_fix = {
	.name = "fix",
	.synopsis = "[--json] ID",
	.help = "show which fix of an item is pending, and where it is",
	.details = "Prints each fix of the item: its status, who posted it "
		   "and when, why it counts as one, the commit and the trees "
		   "that have it, and who reviewed or tested it. A tree that "
		   "was not read says so. ID is whatever names an item for "
		   "culprit show. Exit code 1 if no fix is known.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
