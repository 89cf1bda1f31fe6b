/* item_notices.c - what answers say became of a patch: applied, dropped
 * A claim of its sender; git knows better where it is asked. A notice speaks of
 * the nearest patch or cover above it, or of the patches that it lists. */
#include <string.h>

#include "mail/subject.h"

#include "db/items_priv.h"
#include "db/said.h"

/* A notice in its thread. */
struct placed {
	int about; /* the nearest patch or cover above; -1 */
	gint64 date;
	char *mid, *name, *address, *by; /* shared strings */
	struct said *said;
};

static void placed_clear(void *data)
{
	struct placed *p = data;

	item_ref_drop(p->mid);
	item_ref_drop(p->name);
	item_ref_drop(p->address);
	item_ref_drop(p->by);
	said_free(p->said);
}

static gboolean read_one(struct item_cache *c, struct item_thread *t,
			 db_rows *rows, GError **err)
{
	gint64 node = db_int(rows, 0);
	int at = item_thread_index(t, node);
	struct placed p = {.about = at < 0 ? -1 : t->above[at]};

	p.said = said_load_node(c->st, node, err);
	if (!p.said)
		return FALSE;
	p.date = db_int(rows, 1);
	p.mid = item_ref_column(rows, 2);
	p.name = item_ref_column(rows, 3);
	p.address = item_ref_column(rows, 4);
	p.by = item_ref_person(p.name, p.address);
	g_array_append_val(t->notices, p);
	return TRUE;
}

static gboolean read_notices(struct item_cache *c, struct item_thread *t,
			     GError **err)
{
	static const char sql[] =
		"SELECT a.node, n.date, n.mid, p.name, p.written FROM node n"
		" JOIN applied a ON a.node = n.id"
		" JOIN message m ON m.node = n.id"
		" JOIN person p ON p.id = m.person"
		" WHERE n.tid = ?1 AND n.date NOTNULL"
		" ORDER BY n.date, n.mid LIMIT ?2";
	g_autoptr(db_rows) rows = db_query(c->st->state, err, sql, INT(t->tid),
					   INT(ITEM_MAX_LOOKS));
	int rc;

	t->notices = g_array_new(FALSE, FALSE, sizeof(struct placed));
	g_array_set_clear_func(t->notices, placed_clear);
	while ((rc = db_next(rows, err)) > 0)
		if (!read_one(c, t, rows, err))
			return FALSE;
	return rc == 0;
}

static gboolean lists(const struct applied *a, const struct item_patch *p)
{
	for (guint n = 0; n < a->items->len; n++) {
		const struct applied_item *i = a->items->pdata[n];
		g_autofree char *key = i->title ? subject_key(i->title) : NULL;

		if ((i->mid && !strcmp(i->mid, p->mid)) ||
		    (key && !strcmp(key, p->title_key)))
			return TRUE;
	}
	return FALSE;
}

/* A subset that lists nothing says of no patch that it is in it. */
static gboolean speaks_of(const struct item_thread *t, const struct placed *n,
			  const struct item_patch *p, int at)
{
	const struct applied *a = n->said->applied;

	if (!a || n->date < p->date)
		return FALSE;
	if (a->items->len)
		return lists(a, p);
	return at >= 0 && n->about >= 0 &&
	       item_thread_covers(t, n->about, at) &&
	       (!a->partial || n->about == at);
}

/* Robots speak for whoever runs them; that a patch does not apply, anybody can
 * find out. */
static gboolean ask_gate(struct item_cache *c, const struct applied *a,
			 const struct item_note *note,
			 const struct item_patch *p, const char **why,
			 GError **err)
{
	*why = NULL;
	return a->robot || a->kind == APPLIED_REJECTED ||
	       item_gate_ask(c, note, p, why, err);
}

gboolean item_notices_find(struct item_cache *c, struct item_patch *p,
			   item_notice_fn fn, void *data, GError **err)
{
	struct item_thread *t = item_thread_get(c, p->tid, p->mid, err);
	int at;

	if (!t || (!t->notices && !read_notices(c, t, err)))
		return FALSE;
	at = item_thread_index(t, p->node);
	for (guint n = 0; n < t->notices->len; n++) {
		const struct placed *x =
			&g_array_index(t->notices, struct placed, n);
		struct item_note note = {.time = x->date,
					 .by = x->by,
					 .name = x->name,
					 .address = x->address,
					 .mid = x->mid};

		const char *why;

		if (!speaks_of(t, x, p, at))
			continue;
		if (!ask_gate(c, x->said->applied, &note, p, &why, err))
			return FALSE;
		fn(x->said->applied, &note, why, data);
	}
	return TRUE;
}
