/* union_split.c - threads that lost a mail: what still hangs together
 * Reads the references of one thread and finds its components anew; done once
 * a thread and transaction, however many mails went. */
#include "db/db_priv.h"
#include "db/union.h"

struct member {
	gint64 id;
	guint up;   /* union-find in memory: index, itself at a root */
	guint size; /* at a root */
	gint64 tid; /* at a root: the thread it gets, 0 not yet */
	gboolean real;
	gboolean wanted; /* real, or something refers to it */
};

struct part {
	GArray *members;   /* of struct member, by id */
	GHashTable *index; /* &member.id to index + 1 */
};

static guint top_of(struct part *p, guint i)
{
	struct member *m = &g_array_index(p->members, struct member, i);
	struct member *up;

	while (m->up != i) {
		up = &g_array_index(p->members, struct member, m->up);
		m->up = up->up; /* halve the path */
		i = m->up;
		m = &g_array_index(p->members, struct member, i);
	}
	return i;
}

static void tie(struct part *p, gint64 a, gint64 b)
{
	guint x = GPOINTER_TO_UINT(g_hash_table_lookup(p->index, &a));
	guint y = GPOINTER_TO_UINT(g_hash_table_lookup(p->index, &b));
	struct member *m = (struct member *)p->members->data;

	if (!x || !y)
		return;
	m[x - 1].wanted = m[y - 1].wanted = TRUE;
	x = top_of(p, x - 1);
	y = top_of(p, y - 1);
	if (x == y)
		return;
	if (m[x].size < m[y].size) {
		guint swap = x;

		x = y;
		y = swap;
	}
	m[y].up = x;
	m[x].size += m[y].size;
}

static gboolean load_members(store *st, struct part *p, gint64 tid,
			     GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, raw IS NOT NULL OR EXISTS (SELECT 1 FROM "
			 "raw WHERE raw.node = node.id AND spare = 1) "
			 "FROM node WHERE tid = ?",
			 INT(tid));
	struct member m = {.size = 1};
	struct member *all;
	guint i;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		m.id = db_int(rows, 0);
		m.up = p->members->len;
		m.real = m.wanted = db_int(rows, 1);
		g_array_append_val(p->members, m);
	}
	all = (struct member *)p->members->data;
	for (i = 0; i < p->members->len; i++)
		g_hash_table_insert(p->index, &all[i].id,
				    GUINT_TO_POINTER(i + 1));
	return rc == 0;
}

/* Ties of the mails that are here, and of those waiting for them. */
static gboolean load_ties(store *st, struct part *p, gint64 node, GError **err)
{
	/* every copy counts: the primary one, the spare ones, marc.info */
	static const char sql[] =
		"SELECT r.node FROM node n JOIN ref r ON r.raw = n.raw "
		"WHERE n.id = ?1 "
		"UNION ALL SELECT r.node FROM raw w JOIN ref r ON r.raw = w.id "
		"WHERE w.node = ?1 AND w.spare = 1 "
		"UNION ALL SELECT w.node FROM node n JOIN marc m "
		"ON m.mid = n.mid JOIN raw w ON w.id = m.raw WHERE n.id = ?1";
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		if (db_int(rows, 0) != DB_NULL)
			tie(p, node, db_int(rows, 0));
	return rc == 0;
}

/* The largest component keeps the tid; ghosts that nothing names vanish. */
static gboolean write_members(store *st, struct part *p, gint64 tid,
			      GError **err)
{
	struct member *m = (struct member *)p->members->data;
	guint i, largest = 0;
	struct member *top;
	gboolean ok = TRUE;

	for (i = 0; i < p->members->len; i++)
		if (m[i].up == i && m[i].wanted &&
		    (!m[largest].wanted || m[i].size > m[largest].size))
			largest = i;
	if (p->members->len && m[largest].wanted)
		m[largest].tid = tid;
	for (i = 0; ok && i < p->members->len; i++) {
		if (!m[i].wanted) {
			ok = db_run(st->state, err,
				    "DELETE FROM node WHERE id = ?",
				    INT(m[i].id));
			continue;
		}
		top = &m[top_of(p, i)];
		if (top->tid == tid)
			continue;
		if (!top->tid)
			top->tid = union_new_thread(st, top->size, err);
		ok = top->tid > 0 &&
		     db_run(st->state, err,
			    "UPDATE node SET tid = ? WHERE id = ?",
			    INT(top->tid), INT(m[i].id));
	}
	if (ok && p->members->len && m[largest].tid == tid)
		return db_run(st->state, err,
			      "UPDATE thread SET size = ? WHERE tid = ?",
			      INT(m[largest].size), INT(tid));
	return ok && db_run(st->state, err, "DELETE FROM thread WHERE tid = ?",
			    INT(tid));
}

static gboolean split(store *st, gint64 tid, GError **err)
{
	struct part p = {
		.members = g_array_new(FALSE, FALSE, sizeof(struct member)),
		.index = g_hash_table_new(g_int64_hash, g_int64_equal),
	};
	gboolean ok = load_members(st, &p, tid, err);
	guint i;

	for (i = 0; ok && i < p.members->len; i++) {
		struct member *m = &g_array_index(p.members, struct member, i);

		if (m->real)
			ok = load_ties(st, &p, m->id, err);
	}
	ok = ok && write_members(st, &p, tid, err);
	g_hash_table_destroy(p.index);
	g_array_unref(p.members);
	return ok;
}

gboolean union_settle(store *st, GError **err)
{
	GHashTableIter it;
	gpointer tid;

	g_hash_table_iter_init(&it, st->unsettled);
	while (g_hash_table_iter_next(&it, &tid, NULL))
		if (!split(st, *(gint64 *)tid, err))
			return FALSE;
	g_hash_table_remove_all(st->unsettled);
	return TRUE;
}
