/* source_git_tree.c - what a commit of an archive adds and removes
 * Version 2 keeps one entry a commit. Version 1 keeps all messages in one
 * tree: two trees are merged like sorted lists, equal parts are not opened. */
#include <string.h>

#include "bot/source_git.h"

#define TREE_DEPTH 3	/* xx / 38 digits / one file each where an id clashed */
#define LOOK_BACK  1000 /* commits that may show nothing of the layout */

struct entry {
	const char *name;
	gsize name_len;
	gboolean tree;
	const guint8 *oid;
};

/* A tree's bytes with a place in them. */
struct level {
	git_odb_object *obj; /* NULL: no tree */
	const char *pos, *end;
	struct entry entry;
	gboolean more; /* `entry` is valid */
};

static gboolean damaged(struct git_repo *r, const guint8 oid[OID_LEN],
			GError **err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;

	git_oid_fromraw(&id, oid);
	git_oid_tostr(hex, sizeof(hex), &id);
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_READ,
		    "%s: object %s is no tree", r->place, hex);
	return FALSE;
}

/* "MODE NAME\0<20 bytes>"; a tree that ends within one has no more. */
static void level_next(struct level *l)
{
	const char *blank, *nul;

	l->more = FALSE;
	if (!l->obj || l->pos >= l->end)
		return;
	blank = memchr(l->pos, ' ', l->end - l->pos);
	nul = blank ? memchr(blank, '\0', l->end - blank) : NULL;
	if (!nul || l->end - nul <= OID_LEN) {
		l->pos = l->end;
		return;
	}
	l->entry.tree = *l->pos == '4' || *l->pos == '0';
	l->entry.name = blank + 1;
	l->entry.name_len = nul - blank - 1;
	l->entry.oid = (const guint8 *)nul + 1;
	l->pos = nul + 1 + OID_LEN;
	l->more = TRUE;
}

static gboolean level_open(struct level *l, struct git_repo *r,
			   const guint8 *oid, GError **err)
{
	memset(l, 0, sizeof(*l));
	if (!oid)
		return TRUE;
	l->obj = git_repo_object(r, oid, err);
	if (!l->obj)
		return FALSE;
	if (git_odb_object_type(l->obj) != GIT_OBJECT_TREE) {
		git_odb_object_free(l->obj);
		l->obj = NULL;
		return damaged(r, oid, err);
	}
	l->pos = git_odb_object_data(l->obj);
	l->end = l->pos + git_odb_object_size(l->obj);
	level_next(l);
	return TRUE;
}

static void level_close(struct level *l)
{
	git_odb_object_free(l->obj);
	memset(l, 0, sizeof(*l));
}

/* git sorts a tree's name as if it ended in a slash */
static int compare(const struct entry *a, const struct entry *b)
{
	gsize len = MIN(a->name_len, b->name_len);
	int diff = memcmp(a->name, b->name, len);
	guint8 x, y;

	if (diff)
		return diff;
	x = a->name_len > len ? a->name[len] : a->tree ? '/' : '\0';
	y = b->name_len > len ? b->name[len] : b->tree ? '/' : '\0';
	return x - y;
}

/* ---- version 1 */

static gboolean is_hex(const struct entry *e, gsize len)
{
	if (e->name_len != len)
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isxdigit(e->name[i]))
			return FALSE;
	return TRUE;
}

/* TRUE if an entry at `depth` belongs to the archive. */
static gboolean fits(const struct entry *e, guint depth)
{
	switch (depth) {
	case 0:
		return e->tree && is_hex(e, 2);
	case 1:
		return is_hex(e, 38);
	default:
		return !e->tree && is_hex(e, 40);
	}
}

struct walk {
	struct git_repo *repo;
	const struct git_step *step;
	GArray *removed, *added; /* of oids */
	struct {
		struct level old, new;
	} level[TREE_DEPTH];
	guint depth; /* levels in use */
};

static gboolean descend(struct walk *w, const guint8 *old, const guint8 *new,
			GError **err)
{
	struct level *o = &w->level[w->depth].old;
	struct level *n = &w->level[w->depth].new;

	if (!level_open(o, w->repo, old, err))
		return FALSE;
	if (!level_open(n, w->repo, new, err)) {
		level_close(o);
		return FALSE;
	}
	w->depth++;
	return TRUE;
}

static void ascend(struct walk *w)
{
	w->depth--;
	level_close(&w->level[w->depth].old);
	level_close(&w->level[w->depth].new);
}

/* One name, as it was (or NULL) and as it is (or NULL). */
static gboolean changed(struct walk *w, const struct entry *old,
			const struct entry *new, GError **err)
{
	guint depth = w->depth - 1;

	if (old && !fits(old, depth))
		old = NULL;
	if (new && !fits(new, depth))
		new = NULL;
	if (old && new &&memcmp(old->oid, new->oid, OID_LEN) == 0)
		return TRUE;
	if (old && !old->tree)
		g_array_append_vals(w->removed, old->oid, OID_LEN);
	if (new && !new->tree)
		g_array_append_vals(w->added, new->oid, OID_LEN);
	if ((old && old->tree) || (new &&new->tree))
		return descend(w, old && old->tree ? old->oid : NULL,
			       new &&new->tree ? new->oid : NULL, err);
	return TRUE;
}

static gboolean walk_trees(struct walk *w, GError **err)
{
	while (w->depth > 0) {
		struct level *o = &w->level[w->depth - 1].old;
		struct level *n = &w->level[w->depth - 1].new;
		struct entry old = o->entry, new = n->entry;
		gboolean has_old = o->more, has_new = n->more;
		int order;

		if (!has_old && !has_new) {
			ascend(w);
			continue;
		}
		order = !has_old ? 1 : !has_new ? -1 : compare(&old, &new);
		if (order <= 0)
			level_next(o);
		if (order >= 0)
			level_next(n);
		if (!changed(w, order <= 0 ? &old : NULL,
			     order >= 0 ? &new : NULL, err))
			return FALSE;
	}
	return TRUE;
}

static gboolean say_all(const GArray *oids, gboolean added,
			const struct git_step *step, git_change_fn fn,
			void *data, GError **err)
{
	for (guint i = 0; i < oids->len; i += OID_LEN)
		if (!fn((const guint8 *)oids->data + i, added, step, data, err))
			return FALSE;
	return TRUE;
}

static gboolean changes_v1(struct git_repo *r, const guint8 *before,
			   const struct git_step *step, git_change_fn fn,
			   void *data, GError **err)
{
	struct walk w = {.repo = r, .step = step};
	gboolean ok;

	w.removed = g_array_new(FALSE, FALSE, 1);
	w.added = g_array_new(FALSE, FALSE, 1);
	ok = descend(&w, before, step->tree, err) && walk_trees(&w, err);
	while (w.depth > 0)
		ascend(&w);
	ok = ok && say_all(w.removed, FALSE, step, fn, data, err) &&
	     say_all(w.added, TRUE, step, fn, data, err);
	g_array_free(w.removed, TRUE);
	g_array_free(w.added, TRUE);
	return ok;
}

/* ---- version 2 */

static gboolean is_named(const struct entry *e, char name)
{
	return !e->tree && e->name_len == 1 && e->name[0] == name;
}

static gboolean changes_v2(struct git_repo *r, const struct git_step *step,
			   git_change_fn fn, void *data, GError **err)
{
	struct level l;
	gboolean ok = TRUE;

	if (!level_open(&l, r, step->tree, err))
		return FALSE;
	for (; ok && l.more; level_next(&l))
		if (is_named(&l.entry, 'm') || is_named(&l.entry, 'd'))
			ok = fn(l.entry.oid, l.entry.name[0] == 'm', step, data,
				err);
	level_close(&l);
	return ok;
}

gboolean git_changes(struct git_repo *r, enum git_layout layout,
		     const guint8 *before, const struct git_step *step,
		     git_change_fn fn, void *data, GError **err)
{
	return layout == GIT_LAYOUT_V1
		       ? changes_v1(r, before, step, fn, data, err)
		       : changes_v2(r, step, fn, data, err);
}

/* ---- which version */

static gboolean has_file(struct git_repo *r, const guint8 *oid)
{
	struct level l;
	gboolean found = FALSE;

	if (!level_open(&l, r, oid, NULL))
		return FALSE;
	for (; !found && l.more; level_next(&l))
		found = fits(&l.entry, 1);
	level_close(&l);
	return found;
}

static enum git_layout layout_of_tree(struct git_repo *r, const guint8 *oid)
{
	enum git_layout layout = GIT_LAYOUT_NONE;
	struct level l;

	if (!level_open(&l, r, oid, NULL))
		return GIT_LAYOUT_NONE;
	for (; !layout && l.more; level_next(&l)) {
		if (is_named(&l.entry, 'm') || is_named(&l.entry, 'd'))
			layout = GIT_LAYOUT_V2;
		else if (fits(&l.entry, 0) && has_file(r, l.entry.oid))
			layout = GIT_LAYOUT_V1;
	}
	level_close(&l);
	return layout;
}

enum git_layout git_layout_of(struct git_repo *r, const struct git_history *h)
{
	guint max = MIN(h->steps->len, LOOK_BACK);
	enum git_layout layout = GIT_LAYOUT_NONE;

	for (guint i = 0; !layout && i < max; i++)
		layout = layout_of_tree(
			r, g_array_index(h->steps, struct git_step, i).tree);
	return layout || !h->met ? layout : layout_of_tree(r, h->base);
}
