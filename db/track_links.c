/* track_links.c - links of an item, and the threads that it watches */
#include <string.h>

#include "mail/msgid.h"
#include "mail/subject.h"

#include "db/track_priv.h"

void item_link_free(struct item_link *l)
{
	if (!l)
		return;
	g_free(l->url);
	g_free(l->title);
	g_free(l->mid);
	g_free(l);
}

static struct item_link *find_link(const struct tracked *i,
				   const struct reference *r, guint *at)
{
	const char *mid = r->kind == REFERENCE_MAIL ? r->id : NULL;

	for (guint n = 0; n < i->links->len; n++) {
		struct item_link *l = i->links->pdata[n];

		*at = n;
		if (mid ? l->mid && !strcmp(l->mid, mid)
			: !l->mid && !g_strcmp0(l->url, r->url))
			return l;
	}
	return NULL;
}

static struct item_link *add_link(struct tracked *i, const struct reference *r)
{
	struct item_link *l = g_new0(struct item_link, 1);

	if (r->kind == REFERENCE_MAIL)
		l->mid = g_strdup(r->id);
	if (r->url) {
		l->url = g_strdup(r->url);
	} else {
		g_autofree char *path = msgid_to_url(r->id);

		l->url = g_strdup_printf("https://lore.kernel.org/all/%s/",
					 path);
	}
	g_ptr_array_add(i->links, l);
	return l;
}

/* Its mails belong to the item from now on. */
static gboolean watch(struct tracker *t, struct tracked *i, struct item_link *l)
{
	struct track_mail *m = l->mid ? track_mail_named(t, l->mid) : NULL;

	if (l->monitored)
		return FALSE;
	l->monitored = TRUE;
	if (m)
		track_add_head(t, m->node, i);
	return TRUE;
}

static struct reference *reference_copy(const struct reference *r)
{
	struct reference *copy = g_new0(struct reference, 1);

	copy->kind = r->kind;
	copy->text = g_strdup(r->text);
	copy->id = g_strdup(r->id);
	copy->url = g_strdup(r->url);
	return copy;
}

gboolean track_link(struct tracker *t, struct tracked *i,
		    struct track_command *c, const struct reference *r,
		    const char *title, gboolean monitor)
{
	guint at;
	const struct item_link *l = find_link(i, r, &at);
	struct track_note *n;

	if (!l && i->links->len >= TRACK_MAX_LINKS) {
		track_outcome(c, OUTCOME_REFUSED,
			      "more links than are kept of one report");
		return TRUE;
	}
	if (l && (!title || !g_strcmp0(l->title, title)) &&
	    (!monitor || l->monitored))
		return FALSE;
	n = track_note(t, i, c, "linked",
		       r->kind == REFERENCE_MAIL ? r->id : r->url, NULL);
	n->ref = reference_copy(r);
	n->title = title;
	n->monitor = monitor;
	track_take(t, n);
	return TRUE;
}

static void put_link(struct tracker *t, const struct track_note *n)
{
	struct tracked *i = n->item;
	guint at;
	struct item_link *l = find_link(i, n->ref, &at);

	if (!l && i->links->len >= TRACK_MAX_LINKS)
		return;
	if (!l)
		l = add_link(i, n->ref);
	if (n->title) {
		g_free(l->title);
		l->title = g_strdup(n->title);
	}
	if (n->monitor)
		watch(t, i, l);
}

void track_watch_title(struct tracker *t, struct tracked *i, const char *title)
{
	static const char sql[] =
		"SELECT n.mid, m.subject FROM patch p"
		" JOIN node n ON n.id = p.node JOIN message m ON m.node = n.id"
		" WHERE p.title_key = ?1 ORDER BY n.date, n.mid LIMIT ?2";
	g_autofree char *key = subject_key(title);
	g_autoptr(db_rows) rows = NULL;

	if (t->error || !*key)
		return;
	rows = db_query(t->st->state, &t->error, sql, TEXT(key),
			INT(TRACK_MAX_POINTERS));
	while (db_next(rows, &t->error) > 0) {
		g_autofree char *mid = db_dup(rows, 0);
		struct reference r = {.kind = REFERENCE_MAIL, .id = mid};
		struct item_link *l;
		guint at;

		if (i->links->len >= TRACK_MAX_LINKS || find_link(i, &r, &at))
			continue;
		l = add_link(i, &r);
		l->title = db_dup(rows, 1);
		watch(t, i, l);
	}
}

/* One that belongs to it since it names the report. */
static GPtrArray *named_in(struct tracker *t, const struct reference *r)
{
	struct track_mail *m =
		r->kind == REFERENCE_MAIL ? track_mail_named(t, r->id) : NULL;

	return m ? track_linked_by(t, m) : NULL;
}

gboolean track_unlink(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct reference *r)
{
	GPtrArray *some = named_in(t, r);
	struct track_note *n;
	guint at;

	if (!find_link(i, r, &at) &&
	    !(some && g_ptr_array_find(some, i, NULL))) {
		track_outcome(c, OUTCOME_REFUSED, "%s is not linked here",
			      r->text);
		return TRUE;
	}
	n = track_note(t, i, c, "unlinked", r->text, NULL);
	n->ref = reference_copy(r);
	track_take(t, n);
	return TRUE;
}

static void drop_link(struct tracker *t, struct tracked *i, guint at)
{
	struct item_link *l = g_ptr_array_steal_index(i->links, at);
	struct track_mail *m =
		l->monitored && l->mid ? track_mail_named(t, l->mid) : NULL;

	if (m)
		track_remove_head(t, m->node, i);
	item_link_free(l);
}

static void take_away(struct tracker *t, struct track_note *n)
{
	struct tracked *i = n->item;
	GPtrArray *some;
	guint at;

	if (find_link(i, n->ref, &at)) {
		drop_link(t, i, at);
		return;
	}
	some = named_in(t, n->ref);
	n->unjoined = some && g_ptr_array_remove(some, i);
}

void track_take_link(struct tracker *t, struct track_note *n)
{
	if (n->head)
		track_add_head(t, n->head, n->item);
	else if (n->ref && !strcmp(n->note.type, "linked"))
		put_link(t, n);
	else if (n->ref)
		take_away(t, n);
}

void track_drop_links(struct tracker *t, struct tracked *i)
{
	while (i->links->len)
		drop_link(t, i, i->links->len - 1);
	for (guint k = 0; k < i->notes->len; k++) {
		struct track_note *n = i->notes->pdata[k];
		GPtrArray *some = n->unjoined ? named_in(t, n->ref) : NULL;

		if (n->head)
			track_remove_head(t, n->head, i);
		if (some && !g_ptr_array_find(some, i, NULL))
			g_ptr_array_add(some, i);
		n->unjoined = FALSE;
	}
}
