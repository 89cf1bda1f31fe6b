/* verb_rerun.c - what later measurements of an item showed */
#include "db/measures.h"

#include "bot/item_arg.h"
#include "bot/plain_text.h"
#include "bot/rerun_text.h"
#include "bot/table_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

/* What measured something else says nothing of this item. */
static gboolean is_beside(const struct rerun *r)
{
	return !r->headline && r->other_setup;
}

/* Lent: those that are about this item. */
static GPtrArray *choose(const struct item *i)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint n = 0; n < i->reruns->len; n++)
		if (!is_beside(i->reruns->pdata[n]))
			g_ptr_array_add(list, i->reruns->pdata[n]);
	return list;
}

static char *as_line(const struct item *i)
{
	json_t *o = json_object(), *list = json_array();
	const char *direction = report_direction_name(i->direction);

	for (guint n = 0; n < i->reruns->len; n++)
		json_array_append_new(list, view_rerun(i->reruns->pdata[n]));
	json_object_set_new(o, "schema", json_string("culprit/rerun/1"));
	json_object_set_new(o, "id", json_string(i->id));
	json_object_set_new(o, "report_message_id", json_string(i->mid));
	json_object_set_new(o, "metric",
			    i->metric ? json_string(i->metric) : json_null());
	json_object_set_new(o, "direction",
			    direction ? json_string(direction) : json_null());
	json_object_set_new(o, "reruns", list);
	return view_line_take(o);
}

static void add_lines(GString *out, const char *what, GPtrArray *texts)
{
	for (guint n = 0; texts && n < texts->len; n++)
		g_string_append_printf(out, "    %s: %s\n", what,
				       (const char *)texts->pdata[n]);
}

/* The tables of the mail, once, below the last verdict on it. */
static gboolean add_tables(GString *out, store *st, const char *mid,
			   GError **err)
{
	g_autoptr(measures_auto) m = measures_load(st, mid, err);

	for (guint n = 0; m && n < m->tables->len; n++) {
		const struct table *t = m->tables->pdata[n];

		if (!t->depth)
			table_text(out, t, FALSE);
	}
	return m != NULL;
}

static gboolean add_rerun(GString *out, store *st, GPtrArray *list, guint n,
			  GError **err)
{
	const struct rerun *r = list->pdata[n];
	const struct rerun *next =
		n + 1 < list->len ? list->pdata[n + 1] : NULL;
	g_autofree char *sentence = rerun_sentence(r);

	g_string_append_printf(out, "%s\n", sentence);
	if (!r->headline)
		g_string_append(out, "    beside the headline: decides "
				     "nothing\n");
	if (r->other_setup)
		g_string_append(out, "    another test or machine: decides "
				     "nothing\n");
	add_lines(out, "assumed", r->assumptions);
	add_lines(out, "note", r->judgement.notes);
	if (next && !strcmp(next->message_id, r->message_id))
		return TRUE;
	g_string_append_printf(out, "  measured in <%s>\n", r->message_id);
	return add_tables(out, st, r->message_id, err);
}

static char *as_text(store *st, const struct item *i, GPtrArray *list,
		     GError **err)
{
	g_autoptr(GString) out = g_string_new(i->title);

	g_string_append_printf(out, "\n%s, reported in <%s>\n", i->id, i->mid);
	for (guint n = 0; n < list->len; n++) {
		g_string_append_c(out, '\n');
		if (!add_rerun(out, st, list, n, err))
			return NULL;
	}
	if (!list->len)
		g_string_append(out, "nothing was measured after it\n");
	return plain_text(g_string_free(g_steal_pointer(&out), FALSE));
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(item_auto) i = NULL;
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(store) st = NULL;
	g_autofree char *text = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	i = item_arg(s, st, s->argv[0], &rc);
	if (!i)
		return rc;
	list = choose(i);
	text = as_json ? as_line(i) : as_text(st, i, list, &err);
	if (!text)
		return cli_fail(s->db_path, err);
	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return list->len ? EXIT_DONE : EXIT_NONE;
}

const struct verb verb_rerun = {
	.name = "rerun",
	.synopsis = "[--json] ID",
	.help = "show what later measurements of an item say",
	.details = "For every measurement after the report: the verdict on "
		   "each candidate, how sure it is, what was assumed, and the "
		   "rows of the test itself. docs/verdicts.md has the rule. "
		   "ID is whatever names an item for culprit show. Exit code "
		   "1 if nothing was measured again.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
