/* track_load.c - reports and commands, as a tracker begins with them */
#include <string.h>

#include "db/track_priv.h"

static gint64 known(gint64 time)
{
	return time == DB_NULL ? 0 : time;
}

/* ---- robots' reports */

/* Of reports of one bug the first one is the item. */
static void add_report(struct tracker *t, db_rows *rows, GHashTable *bugs)
{
	const char *bug = db_text(rows, 4);
	struct track_mail m = {.node = db_int(rows, 0),
			       .tid = db_int(rows, 1),
			       .date = known(db_int(rows, 3))};
	struct tracked *first = bug ? g_hash_table_lookup(bugs, bug) : NULL;

	if (first) {
		track_add_head(t, m.node, first);
		return;
	}
	first = track_add(t, db_text(rows, 2), NULL, &m);
	first->robot = TRUE;
	first->reported = db_dup(rows, 5);
	first->commit = g_strdup(first->reported);
	if (bug)
		g_hash_table_insert(bugs, g_strdup(bug), first);
}

gboolean track_load_reports(struct tracker *t)
{
	static const char sql[] =
		"SELECT r.node, n.tid, n.mid, n.date, r.bug_id,"
		" r.commit_id FROM report r"
		" JOIN node n ON n.id = r.node WHERE 1 << r.category & ?1"
		" ORDER BY r.bug_id, n.date, n.mid";
	g_autoptr(GHashTable) bugs =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(db_rows) rows = db_query(t->st->state, &t->error, sql,
					   INT(items_tracked(t->st) & 0xff));
	int rc;

	while ((rc = db_next(rows, &t->error)) > 0)
		add_report(t, rows, bugs);
	return rc == 0;
}

/* ---- commands */

/* In a mail what makes items comes first, and a poke last. */
static int rank_of(const char *verb)
{
	return !strcmp(verb, "introduced") ? 0 : !strcmp(verb, "poke") ? 2 : 1;
}

static int compare_commands(gconstpointer a, gconstpointer b)
{
	const struct track_command *x = *(struct track_command *const *)a;
	const struct track_command *y = *(struct track_command *const *)b;
	int order;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	order = strcmp(x->mid, y->mid);
	if (!order)
		order = rank_of(x->verb) - rank_of(y->verb);
	return order ? order : (x->seq > y->seq) - (x->seq < y->seq);
}

static struct track_command *read_command(db_rows *rows)
{
	struct track_command *c = g_new0(struct track_command, 1);

	c->node = db_int(rows, 0);
	c->date = known(db_int(rows, 1));
	c->mid = item_ref_column(rows, 2);
	c->name = item_ref_column(rows, 3);
	c->address = item_ref_column(rows, 4);
	c->by = item_ref_person(c->name, c->address);
	c->seq = (guint)db_int(rows, 5);
	c->marker = db_dup(rows, 6);
	c->verb = db_dup(rows, 7);
	c->written = db_dup(rows, 8);
	c->args = db_dup(rows, 9);
	c->line = (guint)db_int(rows, 10);
	c->block = (guint)db_int(rows, 11);
	c->status = (enum command_status)db_int(rows, 12);
	c->problem = db_dup(rows, 13);
	c->parent = db_int(rows, 14) != 0;
	c->root = db_int(rows, 15) != 0;
	c->target = db_dup(rows, 16);
	return c;
}

void track_command_free(struct track_command *c)
{
	item_ref_drop(c->mid);
	item_ref_drop(c->name);
	item_ref_drop(c->address);
	item_ref_drop(c->by);
	g_free(c->marker);
	g_free(c->verb);
	g_free(c->written);
	g_free(c->args);
	g_free(c->problem);
	g_free(c->target);
	g_free(c->text);
	g_free(c);
}

static gboolean is_quiet(const struct track_command *c)
{
	return c->status == COMMAND_OK && (!strcmp(c->verb, "poke") ||
					   !strcmp(c->verb, "ignore-activity"));
}

/* Commands of one mail stand together. */
static void number(GPtrArray *all)
{
	guint first = 0;
	gboolean use = FALSE, quiet = FALSE, atomic = FALSE;

	for (guint n = 0; n < all->len; n++) {
		struct track_command *c = all->pdata[n], *next;

		c->at = n;
		use = use || !strcmp(c->verb, "use");
		quiet = quiet || is_quiet(c);
		atomic = atomic || (c->status == COMMAND_OK &&
				    !strcmp(c->verb, "atomic"));
		next = n + 1 < all->len ? all->pdata[n + 1] : NULL;
		if (next && next->node == c->node)
			continue;
		for (; first <= n; first++) {
			c = all->pdata[first];
			c->has_use = use;
			c->quiet = quiet;
			c->atomic = atomic;
		}
		use = quiet = atomic = FALSE;
	}
}

gboolean track_load_commands(struct tracker *t)
{
	static const char sql[] =
		"SELECT c.node, n.date, n.mid, p.name, p.written, c.seq,"
		" c.marker, c.verb, c.written, c.args, c.line, c.block,"
		" c.status, c.problem, c.parent, c.root, c.target"
		" FROM command c JOIN node n ON n.id = c.node"
		" JOIN message m ON m.node = c.node"
		" JOIN person p ON p.id = m.person"
		" WHERE c.line > 0 OR NOT EXISTS (SELECT 1 FROM command u"
		"  WHERE u.node = n.parent AND u.line = 0) LIMIT ?1";
	g_autoptr(db_rows) rows =
		db_query(t->st->state, &t->error, sql, INT(COMMANDS_MAX_ALL));
	int rc;

	while ((rc = db_next(rows, &t->error)) > 0)
		g_ptr_array_add(t->commands, read_command(rows));
	g_ptr_array_sort(t->commands, compare_commands);
	number(t->commands);
	return rc == 0;
}
