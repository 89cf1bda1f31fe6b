/* track_find.c - which mail, and which item, a command speaks of */
#include <string.h>

#include "mail/links.h"

#include "db/track_priv.h"

/* ---- mails */

static void read_mail(struct track_mail *m, db_rows *rows)
{
	gint64 date = db_int(rows, 2), parent = db_int(rows, 3);
	gint64 raw = db_int(rows, 4);

	m->tid = db_int(rows, 0);
	m->mid = db_dup(rows, 1);
	m->date = date == DB_NULL ? 0 : date;
	m->parent = parent == DB_NULL ? 0 : parent;
	m->raw = raw == DB_NULL ? 0 : raw;
	m->subject = db_dup(rows, 5);
	m->name = db_dup(rows, 6);
	m->address = db_dup(rows, 7);
}

struct track_mail *track_mail_get(struct tracker *t, gint64 node)
{
	static const char sql[] =
		"SELECT n.tid, n.mid, n.date, n.parent, n.raw, m.subject,"
		" p.name, p.written FROM node n"
		" LEFT JOIN message m ON m.node = n.id"
		" LEFT JOIN person p ON p.id = m.person WHERE n.id = ?1";
	struct track_mail *m = g_hash_table_lookup(t->mails, &node);
	g_autoptr(db_rows) rows = NULL;

	if (m || t->error)
		return m;
	rows = db_query(t->st->state, &t->error, sql, INT(node));
	if (db_next(rows, &t->error) < 1)
		return NULL;
	m = g_new0(struct track_mail, 1);
	m->node = node;
	read_mail(m, rows);
	g_hash_table_insert(t->mails, &m->node, m);
	return m;
}

struct track_mail *track_mail_named(struct tracker *t, const char *mid)
{
	gint64 node;

	if (t->error || node_find(t->st, mid, &node, &t->error) < 1)
		return NULL;
	return track_mail_get(t, node);
}

/* Of what `m` refers to, the nearest before `ghost` that is there. */
static struct track_mail *referred(struct tracker *t, struct track_mail *m,
				   struct track_mail *ghost)
{
	static const char sql[] =
		"SELECT r.node FROM ref r JOIN node n ON n.id = r.node"
		" WHERE r.raw = ?1 AND r.seq >= 0 AND n.raw NOTNULL"
		" AND r.node NOT IN (?2, ?3) ORDER BY r.seq DESC LIMIT 1";
	gint64 node;

	if (db_get_int(t->st->state, &node, &t->error, sql, INT(m->raw),
		       INT(m->node), INT(ghost->node)) < 1)
		return NULL;
	return track_mail_get(t, node);
}

struct track_mail *track_mail_parent(struct tracker *t, struct track_mail *m)
{
	return m->parent ? track_mail_get(t, m->parent) : NULL;
}

/* Goes on behind a ghost by what the mail below it refers to. */
static struct track_mail *step_up(struct tracker *t, struct track_mail **below,
				  struct track_mail *m)
{
	if (m->raw) {
		*below = m;
		return track_mail_parent(t, m);
	}
	return *below ? referred(t, *below, m) : NULL;
}

struct track_mail *track_mail_root(struct tracker *t, struct track_mail *m)
{
	struct track_mail *below = NULL, *top = m;

	for (guint n = 0; m && n < TRACK_MAX_STEPS; n++) {
		top = m;
		m = step_up(t, &below, m);
	}
	return top;
}

GPtrArray *track_linked_by(struct tracker *t, struct track_mail *m)
{
	static const char sql[] =
		"SELECT mid FROM link WHERE node = ?1 AND role IN (?2, ?3)"
		" AND mid NOTNULL ORDER BY seq LIMIT ?4";
	g_autoptr(db_rows) rows = NULL;
	gboolean any = FALSE;

	if (m->asked || !m->raw)
		return m->linked;
	rows = db_query(t->st->state, &t->error, sql, INT(m->node),
			INT(LINK_LINK), INT(LINK_CLOSES),
			INT(TRACK_MAX_POINTERS));
	while (db_next(rows, &t->error) > 0) {
		struct tracked *i =
			g_hash_table_lookup(t->keys, db_text(rows, 0));

		any = TRUE;
		if (!i || i->dropped)
			continue;
		if (!m->linked)
			m->linked = g_ptr_array_new();
		if (!g_ptr_array_find(m->linked, i, NULL))
			g_ptr_array_add(m->linked, i);
	}
	/* what is not tracked yet may be later */
	m->asked = !any || m->linked;
	return m->linked;
}

GPtrArray *track_items_above(struct tracker *t, struct track_mail *m)
{
	struct track_mail *below = NULL;

	for (guint n = 0; m && n < TRACK_MAX_STEPS; n++) {
		GPtrArray *some = g_hash_table_lookup(t->heads, &m->node);

		if (some && some->len)
			return some;
		some = track_linked_by(t, m);
		if (some)
			return some;
		m = step_up(t, &below, m);
	}
	return NULL;
}

/* ---- items */

void track_add_head(struct tracker *t, gint64 node, struct tracked *i)
{
	GPtrArray *some = g_hash_table_lookup(t->heads, &node);

	if (!some) {
		some = g_ptr_array_new();
		g_hash_table_insert(t->heads, g_memdup2(&node, sizeof(node)),
				    some);
	}
	if (some->len < TRACK_MAX_HEADS && !g_ptr_array_find(some, i, NULL))
		g_ptr_array_add(some, i);
}

void track_remove_head(struct tracker *t, gint64 node, struct tracked *i)
{
	GPtrArray *some = g_hash_table_lookup(t->heads, &node);

	if (some && node != i->node)
		g_ptr_array_remove(some, i);
}

struct tracked *track_add(struct tracker *t, const char *key,
			  const char *ticket, const struct track_mail *m)
{
	struct tracked *i = g_new0(struct tracked, 1);

	i->key = g_strdup(key);
	i->ticket = g_strdup(ticket);
	i->notes = g_ptr_array_new();
	i->links = g_ptr_array_new();
	i->commands = g_ptr_array_new();
	i->duplicates = g_ptr_array_new();
	i->values =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (m) {
		i->node = m->node;
		i->tid = m->tid;
		i->date = m->date;
		track_add_head(t, i->node, i);
	}
	g_hash_table_insert(t->keys, i->key, i);
	if (ticket)
		g_hash_table_insert(t->tickets, i->ticket, i);
	g_ptr_array_add(t->all, i);
	return i;
}

/* By an id of ten characters or more; those that collide are not found. */
static struct tracked *by_id(struct tracker *t, const char *id)
{
	if (!t->ids) {
		t->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					       NULL);
		for (guint n = 0; n < t->all->len; n++) {
			struct tracked *i = t->all->pdata[n];

			g_hash_table_replace(t->ids,
					     item_id(i->key, i->date, 0), i);
		}
	}
	return g_hash_table_lookup(t->ids, id);
}

static struct tracked *at_mail(struct tracker *t, struct track_mail *m)
{
	GPtrArray *some = m ? track_items_above(t, m) : NULL;

	return some ? some->pdata[0] : NULL;
}

struct tracked *track_item_of(struct tracker *t, const struct reference *r,
			      struct track_mail *from, struct track_mail **m)
{
	*m = NULL;
	switch (r->kind) {
	case REFERENCE_MAIL:
		*m = track_mail_named(t, r->id);
		return at_mail(t, *m);
	case REFERENCE_PARENT:
		*m = track_mail_parent(t, from);
		return at_mail(t, *m);
	case REFERENCE_ROOT:
		*m = track_mail_root(t, from);
		return at_mail(t, *m);
	case REFERENCE_TICKET:
		return g_hash_table_lookup(t->tickets, r->id);
	case REFERENCE_ITEM:
		return by_id(t, r->id);
	default:
		return NULL;
	}
}
