/* verb_trees.c - which trees have what introduced an item, and what repairs it */
#include <string.h>

#include "bot/commit_facts.h"
#include "bot/item_arg.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"
#include "bot/view.h"

#define SHORT_ID 12

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

/* A commit of which is asked where it is. */
struct row {
	const char *role;		/* "culprit", or of a fix */
	const char *id, *subject, *mid; /* lent; NULL unknown */
	struct commit *commit;		/* NULL: in no tree */
	GPtrArray *places;		/* NULL: not looked */
};

static void row_clear(gpointer data)
{
	struct row *r = data;

	commit_free(r->commit);
	if (r->places)
		g_ptr_array_unref(r->places);
}

static gboolean add_row(store *st, struct row r, GArray *rows, GError **err)
{
	GError *why = NULL;

	if (r.id)
		r.commit = commit_find(st, r.id, r.subject, NULL, &why);
	if (r.commit)
		r.places = commit_places(st, r.commit, &why);
	g_array_append_val(rows, r);
	if (!why)
		return TRUE;
	g_propagate_error(err, why);
	return FALSE;
}

static gboolean find_rows(store *st, const struct item *i, GArray *rows,
			  GError **err)
{
	struct row culprit = {.role = "culprit",
			      .id = i->commit,
			      .subject = i->commit_subject};

	if (i->commit && !add_row(st, culprit, rows, err))
		return FALSE;
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];
		struct row r = {.role = fix->role ? fix->role : "fix",
				.id = fix->id,
				.subject = fix->subject,
				.mid = fix->mid};

		if (!add_row(st, r, rows, err))
			return FALSE;
	}
	return TRUE;
}

/* ---- as it is shown */

static void set(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, text ? json_string(text) : json_null());
}

static json_t *view_row(const struct row *r)
{
	json_t *o = json_object();

	set(o, "role", r->role);
	set(o, "id", r->commit ? r->commit->id : r->id);
	set(o, "subject", r->commit ? r->commit->subject : r->subject);
	set(o, "message_id", r->mid);
	json_object_set_new(o, "trees",
			    r->places ? view_places(r->places) : json_array());
	return o;
}

static char *as_line(const char *id, GArray *rows)
{
	json_t *o = json_object(), *commits = json_array();

	for (guint i = 0; i < rows->len; i++)
		json_array_append_new(commits,
				      view_row(&g_array_index(rows, struct row,
							      i)));
	set(o, "schema", "culprit/trees/1");
	set(o, "id", id);
	json_object_set_new(o, "commits", commits);
	return view_line_take(o);
}

static void add_text(GString *out, const struct row *r, GPtrArray *trees)
{
	const char *id = r->commit ? r->commit->id : r->id;
	const char *subject = r->commit ? r->commit->subject : r->subject;

	g_string_append_printf(out, "%s %.*s%s%s\n", r->role,
			       id ? SHORT_ID : -1,
			       id ? id : "(no commit of it is known)",
			       subject ? " " : "", subject ? subject : "");
	if (r->mid && !r->commit)
		g_string_append_printf(out, "  mailed as <%s>\n", r->mid);
	if (r->commit)
		places_text(out, r->places, "  ");
	else
		trees_text(out, trees, "  ");
}

static char *as_text(GArray *rows, GPtrArray *trees)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < rows->len; i++)
		add_text(out, &g_array_index(rows, struct row, i), trees);
	if (!rows->len)
		g_string_append(out, "neither a culprit nor a fix is known\n");
	return plain_text(g_string_free(out, FALSE));
}

static int print(const char *id, GArray *rows, GPtrArray *trees)
{
	g_autofree char *text =
		as_json ? as_line(id, rows) : as_text(rows, trees);

	if (!cli_write(text, -1))
		return EXIT_UNREAD;
	return rows->len ? EXIT_DONE : EXIT_NONE;
}

static int run(struct session *s)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) trees = NULL;
	g_autoptr(item_auto) i = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	g_array_set_clear_func(rows, row_clear);
	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	i = item_arg(s, st, s->argv[0], &rc);
	if (!i)
		return rc;
	trees = trees_load(st, &err);
	if (!trees || !find_rows(st, i, rows, &err))
		return cli_fail(s->db_path, err);
	return print(i->id, rows, trees);
}

const struct verb verb_trees = {
	.name = "trees",
	.synopsis = "[--json] ID",
	.help = "tell which trees have an item's culprit and fixes",
	.details = "For the commit that introduced what the item reports, and "
		   "for each one that repairs it, prints a line a tree: since "
		   "when it is there, under which id where that is another "
		   "one, and the first tag that contains it. A tree that was "
		   "not read, or not that far back, says so. ID is whatever "
		   "names an item for culprit show.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
