/* item_links.c - what belongs to an item beside its own thread
 * Links that commands made, and mails that name the report in Link: or
 * Closes:. What is written in the threads of those that are watched is
 * activity of the item. */
#include <string.h>

#include "mail/links.h"
#include "mail/msgid.h"

#include "db/track_priv.h"

static gboolean is_linked(const struct item *i, const char *mid)
{
	for (guint n = 0; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];

		if (l->mid && !strcmp(l->mid, mid))
			return TRUE;
	}
	return FALSE;
}

/* A command took it away. */
static gboolean is_unlinked(const struct tracked *x, const char *mid)
{
	for (guint n = 0; n < x->notes->len; n++) {
		const struct track_note *note = x->notes->pdata[n];
		g_autofree char *of = NULL;

		if (note->undone || strcmp(note->note.type, "unlinked") != 0)
			continue;
		of = msgid_from_text(note->note.text);
		if (of && !strcmp(of, mid))
			return TRUE;
	}
	return FALSE;
}

static void add_link(struct item *i, const char *mid, const char *title)
{
	struct item_link *l = g_new0(struct item_link, 1);
	g_autofree char *path = msgid_to_url(mid);

	l->mid = g_strdup(mid);
	l->url = g_strdup_printf("https://lore.kernel.org/all/%s/", path);
	l->title = g_strdup(title);
	l->monitored = TRUE;
	g_ptr_array_add(i->links, l);
}

static gboolean add_mails(store *st, struct item_facts *f, GError **err)
{
	static const char sql[] =
		"SELECT DISTINCT n.mid, m.subject FROM link l"
		" JOIN node n ON n.id = l.node JOIN message m ON m.node = n.id"
		" WHERE l.mid = ?1 AND l.role IN (?2, ?3) AND l.node <> ?4"
		" ORDER BY n.date, n.mid LIMIT ?5";
	struct item *i = f->item;
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (i->report_url)
		return TRUE;
	rows = db_query(st->state, err, sql, TEXT(i->mid), INT(LINK_LINK),
			INT(LINK_CLOSES), INT(f->node), INT(ITEM_MAX_LINKED));
	while ((rc = db_next(rows, err)) > 0) {
		const char *mid = db_text(rows, 0);

		if (!is_linked(i, mid) && !is_unlinked(f->tracked, mid))
			add_link(i, mid, db_text(rows, 1));
	}
	return rc == 0;
}

/* ---- what is written there */

static gboolean take_activity(struct item_cache *c, struct item *i,
			      const struct item_link *l, GError **err)
{
	struct item_thread *t;
	gint64 node, tid;
	int rc = node_find(c->st, l->mid, &node, err);

	if (rc > 0)
		rc = db_get_int(c->st->state, &tid, err,
				"SELECT tid FROM node WHERE id = ?1",
				INT(node));
	if (rc < 1)
		return rc == 0;
	t = item_thread_get(c, tid, l->mid, err);
	if (!t)
		return FALSE;
	i->last_activity = MAX(i->last_activity, item_thread_newest(t, node));
	return TRUE;
}

gboolean item_find_links(struct item_cache *c, struct item_facts *f,
			 GError **err)
{
	struct item *i = f->item;

	if (!add_mails(c->st, f, err))
		return FALSE;
	for (guint n = 0; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];

		if (l->monitored && l->mid && !take_activity(c, i, l, err))
			return FALSE;
	}
	return TRUE;
}
