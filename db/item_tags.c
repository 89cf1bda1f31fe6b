/* item_tags.c - the tags of a thread, and those that speak of one patch
 * A mail speaks of the nearest patch or cover above it. So the tags of a
 * thread are sorted by that, and a patch finds its own, and those of the
 * covers above it, without going through all. */
#include <string.h>

#include "mail/trailers.h"

#include "db/items_priv.h"

/* A tag in its thread. */
struct placed {
	struct item_tag *tag;
	int about; /* the nearest patch or cover at or above the mail; or -1 */
	int index; /* of the mail */
	gboolean own; /* speaks of nothing but the mail that it stands in */
};

/* Those about one node: the spans of tests and of reviews. */
struct spans {
	guint first[2], count[2];
};

struct item_thread_tags {
	GArray *all;	     /* of struct placed, by (kind, about, index) */
	struct spans *about; /* [about + 1] */
};

void item_thread_tags_free(struct item_thread_tags *tags)
{
	if (!tags)
		return;
	g_array_unref(tags->all);
	g_free(tags->about);
	g_free(tags);
}

static void clear_placed(void *data)
{
	item_tag_unref(((struct placed *)data)->tag);
}

static int compare_placed(gconstpointer a, gconstpointer b)
{
	const struct placed *x = a, *y = b;

	if (x->tag->tested != y->tag->tested)
		return x->tag->tested ? -1 : 1;
	if (x->about != y->about)
		return x->about < y->about ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->tag->seq - y->tag->seq;
}

static struct item_tag *read_tag(db_rows *rows)
{
	struct item_tag *tag = g_rc_box_new0(struct item_tag);

	tag->mid = item_ref_column(rows, 1);
	tag->date = db_int(rows, 2);
	tag->key = g_ref_string_new_intern(db_text(rows, 3));
	tag->name = item_ref_column(rows, 4);
	tag->address = item_ref_column(rows, 5);
	tag->by = item_ref_person(tag->name, tag->address);
	tag->seq = (int)db_int(rows, 7);
	tag->tested = g_str_has_suffix(tag->key, "ested-by");
	return tag;
}

static GArray *read_all(struct item_cache *c, const struct item_thread *t,
			GError **err)
{
	static const char sql[] =
		"SELECT n.id, n.mid, n.date, t.key, t.name, t.address,"
		" t.place, t.seq FROM node n JOIN trailer_text t"
		" ON t.node = n.id WHERE n.tid = ?1 AND n.date NOTNULL AND"
		" t.counts AND t.person IS NOT NULL AND"
		" (lower(t.key) LIKE '%tested-by' OR"
		" t.key IN ('Reviewed-by', 'Acked-by'))";
	g_autoptr(db_rows) rows = db_query(c->st->state, err, sql, INT(t->tid));
	g_autoptr(GArray) all =
		g_array_new(FALSE, FALSE, sizeof(struct placed));
	int rc;

	g_array_set_clear_func(all, clear_placed);
	while ((rc = db_next(rows, err)) > 0) {
		struct placed p = {
			.index = item_thread_index(t, db_int(rows, 0))};

		if (p.index < 0)
			continue;
		p.about = t->above[p.index];
		p.own = db_int(rows, 6) != TRAILER_MESSAGE;
		p.tag = read_tag(rows);
		g_array_append_val(all, p);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}

static gboolean read_tags(struct item_cache *c, struct item_thread *t,
			  GError **err)
{
	GArray *all = read_all(c, t, err);

	if (!all)
		return FALSE;
	g_array_sort(all, compare_placed);
	t->tags = g_new0(struct item_thread_tags, 1);
	t->tags->all = all;
	t->tags->about = g_new0(struct spans, t->t->nodes->len + 1);
	for (guint n = 0; n < all->len; n++) {
		const struct placed *p = &g_array_index(all, struct placed, n);
		struct spans *s = &t->tags->about[p->about + 1];
		guint kind = !p->tag->tested;

		if (!s->count[kind]++)
			s->first[kind] = n;
	}
	return TRUE;
}

/* ---- those of one patch */

/* What is gathered, and where from. */
struct gather {
	const struct item_thread *t;
	struct item_patch *p;
	int index; /* of the patch */
	guint kind, looks;
};

static gboolean look(struct gather *g)
{
	if (g->looks++ >= ITEM_MAX_LOOKS)
		g->p->tags_cut = TRUE;
	return g->looks <= ITEM_MAX_LOOKS;
}

/* Tags about `about` in mails from `from` to before `to`; FALSE: enough. */
static gboolean gather_from(struct gather *g, int about, int from, int to)
{
	const struct spans *s = &g->t->tags->about[about + 1];
	const struct placed *all = (const struct placed *)g->t->tags->all->data;
	guint n = s->first[g->kind], end = n + s->count[g->kind];

	for (guint high = end; n < high;) {
		guint mid = n + (high - n) / 2;

		if (all[mid].index < from)
			n = mid + 1;
		else
			high = mid;
	}
	for (; n < end && all[n].index < to; n++) {
		if (!look(g))
			return FALSE;
		if (all[n].index == g->index || !all[n].own)
			g_ptr_array_add(g->p->tags,
					g_rc_box_acquire(all[n].tag));
	}
	return TRUE;
}

static void gather(struct gather *g)
{
	int about = g->t->above[g->index], end = (int)g->t->t->nodes->len;
	int cover = g->t->cover[g->index];

	/* a diff in an answer: what stands below it, but is about no patch */
	if (about != g->index && (about < 0 || about != cover) &&
	    !gather_from(g, about, g->index, g->t->end[g->index]))
		return;
	if (about == g->index && !gather_from(g, about, 0, end))
		return;
	for (; cover >= 0; cover = g->t->cover[cover])
		if (!look(g) || !gather_from(g, cover, 0, end))
			return;
}

static int compare_tags(gconstpointer a, gconstpointer b)
{
	const struct item_tag *x = *(struct item_tag *const *)a;
	const struct item_tag *y = *(struct item_tag *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	if (strcmp(x->mid, y->mid))
		return strcmp(x->mid, y->mid);
	return x->seq - y->seq;
}

gboolean item_tags_find(struct item_cache *c, struct item_patch *p,
			GError **err)
{
	struct item_thread *t;
	struct gather g = {.p = p};

	if (p->tags)
		return TRUE;
	t = item_thread_get(c, p->tid, p->mid, err);
	if (!t || (!t->tags && !read_tags(c, t, err)))
		return FALSE;
	p->tags =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_tag_unref);
	g.t = t;
	g.index = item_thread_index(t, p->node);
	for (g.kind = 0; g.kind < 2 && g.index >= 0; g.kind++) {
		g.looks = 0;
		gather(&g);
	}
	g_ptr_array_sort(p->tags, compare_tags);
	return TRUE;
}
