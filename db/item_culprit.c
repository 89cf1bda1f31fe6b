/* item_culprit.c - what introduced it: names looked up in the git trees
 * What no tree knows stays as it was written. */
#include <string.h>

#include "mail/version_range.h"

#include "db/item_commits.h"

/* ---- tags of mainline, for cycles */

static gboolean read_tags(struct item_cache *c, const char *tree, GError **err)
{
	g_autoptr(GPtrArray) tags = tags_load(c->st, tree, err);

	for (guint n = 0; tags && n < tags->len; n++) {
		const struct tag *t = tags->pdata[n];
		struct version_tag v = {g_strdup(t->name), t->date};

		g_ptr_array_add(c->tag_names, (gpointer)v.name);
		g_array_append_val(c->tags, v);
	}
	return tags != NULL;
}

static gboolean read_trees(struct item_cache *c, GError **err)
{
	if (c->trees)
		return TRUE;
	c->trees = trees_load(c->st, err);
	if (!c->trees)
		return FALSE;
	c->tags = g_array_new(FALSE, FALSE, sizeof(struct version_tag));
	c->tag_names = g_ptr_array_new_with_free_func(g_free);
	for (guint n = 0; n < c->trees->len; n++) {
		const struct code_tree *t = c->trees->pdata[n];

		if (t->role == TREE_MAINLINE)
			return read_tags(c, t->name, err);
	}
	return TRUE;
}

static const struct version_tag *tags_of(const struct item_cache *c)
{
	return (const struct version_tag *)(void *)c->tags->data;
}

static void set(char **to, const char *value)
{
	g_free(*to);
	*to = g_strdup(value);
}

/* ---- a commit */

static gboolean take_places(struct item_cache *c, struct item_facts *f,
			    const struct commit *commit, GError **err)
{
	g_autoptr(GPtrArray) places = commit_places(c->st, commit, err);

	for (guint n = 0; places && n < places->len; n++) {
		const struct commit_place *p = places->pdata[n];

		if (p->present != KNOWN_YES)
			continue;
		if (p->tree->role == TREE_STABLE)
			f->in_stable = TRUE;
		if (!f->item->commit_url && p->same == SAME_ID)
			f->item->commit_url =
				code_tree_url(p->tree, commit->id);
		if (f->role != ROLE_UNKNOWN || p->same != SAME_ID)
			continue;
		f->role = (int)p->tree->role;
		if (!f->item->tree)
			set(&f->item->tree, p->tree->name);
		if (!f->item->branch)
			set(&f->item->branch, p->branch);
	}
	return places != NULL;
}

static void take_cycle(struct item_cache *c, struct item_facts *f)
{
	struct item *i = f->item;

	if (f->role == TREE_NEXT)
		i->cycle = version_cycle_name(CYCLE_NEXT);
	else if (f->role == TREE_MAINLINE)
		i->cycle = version_cycle_name(
			version_cycle_of(i->describe, tags_of(c), c->tags->len,
					 items_now(c->st)));
}

static gboolean take_commit(struct item_cache *c, struct item_facts *f,
			    const struct commit *commit, GError **err)
{
	struct item *i = f->item;
	GError *error = NULL;

	set(&i->commit, commit->id);
	set(&i->commit_subject, commit->subject);
	g_free(i->author);
	i->author = commit->author_address && *commit->author_address
			    ? g_strdup_printf("%s <%s>", commit->author_name,
					      commit->author_address)
			    : g_strdup(commit->author_name);
	i->describe = commit_describe(c->st, commit, &error);
	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	if (!take_places(c, f, commit, err))
		return FALSE;
	take_cycle(c, f);
	return TRUE;
}

/* ---- a range, or a tag */

/* A name of a release, or an id, to its commit; NULL: no tree knows it. */
static struct commit *look_up(struct item_cache *c, const char *name,
			      GError **err)
{
	g_autoptr(tag_auto) tag = tag_find(c->st, name, err);

	return commit_find(c->st, tag ? tag->id : name, NULL, NULL, err);
}

/* An open range ends in what the tree had when it was written. */
static char *tip_at(struct item_cache *c, int role, gint64 when, GError **err)
{
	static const char sql[] =
		"SELECT lower(hex(c.oid)) FROM git_commit c"
		" WHERE c.commit_date <= ?2 AND EXISTS (SELECT 1 FROM"
		"  git_presence p JOIN git_branch b ON b.id = p.branch"
		"  JOIN git_tree t ON t.id = b.tree WHERE p.git_commit = c.id"
		"  AND t.role = ?1 AND p.merged = c.commit_date"
		"  AND p.gone IS NULL)"
		" ORDER BY c.commit_date DESC LIMIT 1";
	g_autoptr(db_rows) rows =
		db_query(c->st->state, err, sql, INT(role), INT(when));

	return db_next(rows, err) > 0 ? db_dup(rows, 0) : NULL;
}

static const struct code_tree *tree_with(const struct item_cache *c, int role)
{
	for (guint n = 0; n < c->trees->len; n++) {
		const struct code_tree *t = c->trees->pdata[n];

		if ((int)t->role == role)
			return t;
	}
	return NULL;
}

static int role_named(const char *kind)
{
	return !kind			 ? ROLE_UNKNOWN
	       : !strcmp(kind, "next")	 ? TREE_NEXT
	       : !strcmp(kind, "stable") ? TREE_STABLE
					 : TREE_MAINLINE;
}

/* The ends of a range, as far as trees know them. */
struct ends {
	struct commit *from, *to;
};

static void ends_clear(struct ends *e)
{
	g_clear_pointer(&e->from, commit_free);
	g_clear_pointer(&e->to, commit_free);
}

/* The name of a release that stands for an end: its own, or the first one that
 * holds the commit. */
static char *end_name(struct item_cache *c, const struct version *v,
		      const struct commit *commit, GError **err)
{
	if (v->kind != VERSION_COMMIT || !commit)
		return g_strdup(v->text);
	return commit_describe(c->st, commit, err);
}

static gboolean range_cycle(struct item_cache *c, struct item_facts *f,
			    const struct version_range *r, struct ends *e,
			    GError **err)
{
	GError *error = NULL;
	g_autofree char *from = end_name(c, &r->from, e->from, &error);
	g_autofree char *to =
		error || r->open ? NULL : end_name(c, &r->to, e->to, &error);
	g_autofree char *text = NULL;
	g_autoptr(version_range_auto) named = NULL;

	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	/* an end that is in no release yet is what is being made */
	text = g_strdup_printf("%s..%s", from ? from : "", to ? to : "");
	named = from ? version_range_parse(text) : NULL;
	if (named)
		f->item->cycle = version_cycle_name(
			version_range_cycle(named, tags_of(c), c->tags->len,
					    f->introduced, items_now(c->st)));
	return TRUE;
}

static gboolean end_range(struct item_cache *c, struct item_facts *f,
			  const struct version_range *r, GError **err)
{
	GError *error = NULL;
	/* without such a tree all others would be searched in vain */
	g_autofree char *tip =
		tree_with(c, f->role)
			? tip_at(c, f->role, f->introduced, &error)
			: NULL;

	if (tip) {
		g_free(f->item->range);
		f->item->range = g_strdup_printf("%s..%s", r->from.text, tip);
	}
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

static gboolean place_range(struct item_cache *c, struct item_facts *f,
			    const struct version_range *r, struct ends *e,
			    GError **err)
{
	const struct code_tree *tree;

	if (!e->from || (!r->open && !e->to))
		return TRUE;
	f->role = role_named(version_range_tree(r));
	if (f->role == ROLE_UNKNOWN) {
		if (!take_places(c, f, e->to ? e->to : e->from, err))
			return FALSE;
	} else if (!f->item->tree) {
		tree = tree_with(c, f->role);
		set(&f->item->tree, tree ? tree->name : NULL);
	}
	if (r->open && !end_range(c, f, r, err))
		return FALSE;
	if (f->role == TREE_NEXT)
		f->item->cycle = version_cycle_name(CYCLE_NEXT);
	return f->role != TREE_MAINLINE || range_cycle(c, f, r, e, err);
}

static gboolean take_range(struct item_cache *c, struct item_facts *f,
			   GError **err)
{
	g_autoptr(version_range_auto) r = version_range_parse(f->item->range);
	struct ends e = {NULL, NULL};
	GError *error = NULL;

	if (!r)
		return TRUE;
	if (r->range)
		e.from = look_up(c, r->from.text, &error);
	if (!error && !r->open)
		e.to = look_up(c, r->to.text, &error);
	if (!error && !r->range && e.to) {
		g_clear_pointer(&f->item->range, g_free);
		take_commit(c, f, e.to, &error);
	} else if (!error && r->range) {
		place_range(c, f, r, &e, &error);
	}
	ends_clear(&e);
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

static gboolean is_looked_at(const struct item_cache *c)
{
	for (guint n = 0; n < c->trees->len; n++)
		if (((const struct code_tree *)c->trees->pdata[n])->looked)
			return TRUE;
	return FALSE;
}

gboolean item_find_culprit(struct item_cache *c, struct item_facts *f,
			   GError **err)
{
	struct item *i = f->item;
	g_autoptr(commit_auto) commit = NULL;
	GError *error = NULL;

	f->role = ROLE_UNKNOWN;
	if (!read_trees(c, err))
		return FALSE;
	if (!c->trees->len)
		return TRUE;
	if (i->range)
		return take_range(c, f, err);
	if (!i->commit)
		return TRUE;
	commit = commit_find(c->st, i->commit, i->commit_subject, NULL, &error);
	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	i->commit_unknown = !commit && f->introduced && is_looked_at(c);
	return !commit || take_commit(c, f, commit, err);
}
