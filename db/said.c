/* said.c - stored notices back to the values of mail/ */
#include "db/said.h"

#include <string.h>

#include "db/db_priv.h"

static int number_or_none(db_rows *rows, int col)
{
	gint64 n = db_int(rows, col);

	return n == DB_NULL ? -1 : (int)n;
}

static gboolean load_applied(store *st, gint64 node, struct said *s,
			     GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT kind, tree, branch, commits, text, line, partial, "
		"robot FROM applied WHERE node = ?1",
		INT(node));
	struct applied *a;
	int rc = db_next(rows, err);

	if (rc <= 0)
		return rc == 0;
	a = s->applied = applied_new((enum applied_kind)db_int(rows, 0));
	a->tree = db_dup(rows, 1);
	a->branch = db_dup(rows, 2);
	if (db_text(rows, 3)) {
		g_auto(GStrv) hex = g_strsplit(db_text(rows, 3), "\n", -1);

		for (guint i = 0; hex[i]; i++)
			g_ptr_array_add(a->commits, g_strdup(hex[i]));
	}
	a->text = db_dup(rows, 4);
	a->line = (guint)db_int(rows, 5);
	a->partial = db_int(rows, 6) != 0;
	a->robot = db_int(rows, 7) != 0;
	return TRUE;
}

static gboolean load_items(store *st, gint64 node, struct applied *a,
			   GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT number, total, title, commit_id, mid"
			 " FROM applied_item WHERE node = ?1 ORDER BY seq",
			 INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct applied_item *i =
			applied_add_item(a, number_or_none(rows, 0),
					 number_or_none(rows, 1));

		if (!i)
			break;
		i->title = db_dup(rows, 2);
		i->commit = db_dup(rows, 3);
		i->mid = db_dup(rows, 4);
	}
	return rc >= 0;
}

struct said *said_load_node(store *st, gint64 node, GError **err)
{
	g_autoptr(said_auto) s = g_new0(struct said, 1);

	if (!load_applied(st, node, s, err) ||
	    (s->applied && !load_items(st, node, s->applied, err)))
		return NULL;
	return g_steal_pointer(&s);
}

struct said *said_load(store *st, const char *mid, GError **err)
{
	gint64 node;
	int rc = node_find(st, mid, &node, err);

	if (rc < 0)
		return NULL;
	return rc ? said_load_node(st, node, err) : g_new0(struct said, 1);
}

void said_free(struct said *s)
{
	if (!s)
		return;
	applied_free(s->applied);
	g_free(s);
}
