/* item_landed.c - how far one commit that repairs an item has come
 * What counts depends on where the culprit is: a repair of what is in mainline
 * has to be there; that it is in stable alone says nothing. */
#include <string.h>

#include "db/item_commits.h"

#define LANDED_MAX_REVERTS 20 /* of reverts of reverts ... */

/* How near `role` is to where the item needs it. */
enum reach { REACH_NOTHING, REACH_ON_THE_WAY, REACH_THERE };

static enum reach reach_of(int wanted, enum tree_role role)
{
	switch (role) {
	case TREE_MAINLINE:
		return wanted == TREE_STABLE ? REACH_ON_THE_WAY : REACH_THERE;
	case TREE_NEXT:
		return wanted == TREE_NEXT ? REACH_THERE : REACH_ON_THE_WAY;
	case TREE_STABLE:
		return wanted == TREE_STABLE || wanted == ROLE_UNKNOWN
			       ? REACH_THERE
			       : REACH_NOTHING;
	default:
		return wanted == TREE_SUBSYSTEM ? REACH_THERE
						: REACH_ON_THE_WAY;
	}
}

void landing_clear(struct landing *l)
{
	g_clear_pointer(&l->places, g_ptr_array_unref);
	g_clear_pointer(&l->commit, commit_free);
	g_clear_pointer(&l->revert, commit_free);
}

static void take_place(struct landing *l, int wanted,
		       const struct commit_place *p)
{
	enum reach r = p->present == KNOWN_YES ? reach_of(wanted, p->tree->role)
					       : REACH_NOTHING;

	if (r == REACH_THERE && (!l->there || p->merged < l->there))
		l->there = p->merged;
	if (r != REACH_NOTHING && (!l->landed || p->merged < l->landed)) {
		l->landed = p->merged;
		l->where = p;
	}
}

/* Is it itself in a tree behind the one at `at`? */
static gboolean is_farther(const struct landing *l, guint at)
{
	for (guint n = at + 1; n < l->places->len; n++) {
		const struct commit_place *p = l->places->pdata[n];

		if (p->present == KNOWN_YES && p->same == SAME_ID)
			return TRUE;
	}
	return FALSE;
}

/* It is the commit of the nearest tree that stands for all: the original for
 * its backports, never the other way round. */
static void take_nearest(struct landing *l, int wanted, store *st, GError **err)
{
	for (guint n = 0; n < l->places->len; n++) {
		const struct commit_place *p = l->places->pdata[n];

		if (p->present != KNOWN_YES || !p->commit ||
		    ((p->same == SAME_BACKPORT || p->same == SAME_PICKED) &&
		     !is_farther(l, n)) ||
		    reach_of(wanted, p->tree->role) == REACH_NOTHING)
			continue;
		if (strcmp(p->commit->id, l->commit->id) != 0) {
			struct commit *c =
				commit_find(st, p->commit->id, NULL, NULL, err);

			if (c) {
				commit_free(l->commit);
				l->commit = c;
			}
		}
		return;
	}
}

/* Is `c` in a tree that has what it reverts? `*when` gets the date. */
static gboolean stands(store *st, const struct landing *l, int wanted,
		       const struct commit *c, gint64 *when, GError **err)
{
	g_autoptr(GPtrArray) places = commit_places(st, c, err);

	for (guint n = 0; places && n < places->len && n < l->places->len;
	     n++) {
		const struct commit_place *p = places->pdata[n];
		const struct commit_place *of = l->places->pdata[n];

		if (p->present != KNOWN_YES || of->present != KNOWN_YES ||
		    p->merged < of->merged ||
		    reach_of(wanted, p->tree->role) == REACH_NOTHING)
			continue;
		*when = p->merged;
		return TRUE;
	}
	return FALSE;
}

/* A revert that was itself reverted is none, unless that was reverted, too. */
static gboolean is_reverted(store *st, const char *id, GError **err)
{
	g_autofree char *at = g_strdup(id);
	gboolean reverted = FALSE;

	for (guint n = 0; n < LANDED_MAX_REVERTS; n++) {
		g_autoptr(GPtrArray) by =
			commits_saying(st, SAYS_REVERTS, at, err);
		const struct commit_saying *last =
			by && by->len ? by->pdata[by->len - 1] : NULL;

		if (!last)
			break;
		reverted = !reverted;
		g_free(at);
		at = g_strdup(last->commit->id);
	}
	return reverted;
}

static gboolean take_revert(struct landing *l, store *st, int wanted,
			    GError **err)
{
	g_autoptr(GPtrArray) by =
		commits_saying(st, SAYS_REVERTS, l->commit->id, err);

	for (guint n = 0; by && n < by->len && !l->reverted; n++) {
		struct commit_saying *s = by->pdata[n];

		if (is_reverted(st, s->commit->id, err) ||
		    !stands(st, l, wanted, s->commit, &l->reverted, err))
			continue;
		l->revert = g_steal_pointer(&s->commit);
	}
	return by != NULL;
}

static gboolean wants_stable(const struct commit *c)
{
	return c->trailers && (strstr(c->trailers, "stable@vger.kernel.org") ||
			       strstr(c->trailers, "stable@kernel.org"));
}

/* Where stable trees are looked at, and it should be there but is not. */
static void take_stable(struct landing *l, int wanted,
			gboolean culprit_in_stable)
{
	if (wanted != TREE_MAINLINE || !l->there ||
	    !(wants_stable(l->commit) || culprit_in_stable))
		return;
	for (guint n = 0; n < l->places->len; n++) {
		const struct commit_place *p = l->places->pdata[n];

		if (p->tree->role != TREE_STABLE)
			continue;
		l->stable_missing = p->present == KNOWN_NO;
		if (p->present == KNOWN_YES)
			return;
	}
}

gboolean landing_find(store *st, struct commit *c, int wanted,
		      gboolean culprit_in_stable, struct landing *l,
		      GError **err)
{
	GError *error = NULL;

	*l = (struct landing){.commit = c};
	l->places = commit_places(st, c, err);
	if (!l->places)
		return FALSE;
	for (guint n = 0; n < l->places->len; n++)
		take_place(l, wanted, l->places->pdata[n]);
	take_nearest(l, wanted, st, &error);
	take_stable(l, wanted, culprit_in_stable);
	if (!error && l->landed)
		take_revert(l, st, wanted, &error);
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

const char *landing_status(const struct landing *l)
{
	return l->reverted ? "reverted"
	       : l->there  ? "merged"
	       : l->landed ? "applied"
			   : NULL;
}

/* ---- what each tree has of a fix */

static void add_tree(struct item_fix *fix, const struct code_tree *tree,
		     int present, const char *tag)
{
	struct item_fix_tree *t = g_new0(struct item_fix_tree, 1);

	t->name = g_strdup(tree->name);
	t->tag = g_strdup(tag);
	t->present = present;
	g_ptr_array_add(fix->trees, t);
}

static void begin_trees(struct item_fix *fix)
{
	if (fix->trees)
		g_ptr_array_set_size(fix->trees, 0);
	else
		fix->trees = g_ptr_array_new_with_free_func(
			(GDestroyNotify)item_fix_tree_free);
}

void fix_take_places(struct item_fix *fix, const GPtrArray *places)
{
	begin_trees(fix);
	for (guint n = 0; n < places->len; n++) {
		const struct commit_place *p = places->pdata[n];

		add_tree(fix, p->tree,
			 p->present == KNOWN_YES  ? 1
			 : p->present == KNOWN_NO ? 0
						  : -1,
			 p->tag);
	}
}

void fix_take_absence(struct item_fix *fix, const GPtrArray *trees)
{
	begin_trees(fix);
	for (guint n = 0; n < trees->len; n++) {
		const struct code_tree *tree = trees->pdata[n];

		add_tree(fix, tree, tree->looked ? 0 : -1, NULL);
	}
}
