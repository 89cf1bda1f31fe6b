/* item_commits.h - what git trees say of an item: internal to db/
 * item_culprit.c finds what introduced it; item_landed.c how far a commit has
 * come; item_commits.c which commits repair it. Nothing of this is asked while
 * no tree is known. */
#ifndef DB_ITEM_COMMITS_H
#define DB_ITEM_COMMITS_H

#include "db/commits.h"
#include "db/items_priv.h"

#define ROLE_UNKNOWN   (-1)
#define ITEM_MAX_FOUND 50 /* commits that may repair one item */

/* How far a commit has come; `there`: where the item needs it. */
struct landing {
	struct commit *commit; /* that stands for it in the nearest tree */
	GPtrArray *places;     /* of struct commit_place */
	const struct commit_place *where; /* where it landed first; lent */
	gint64 landed, there;		  /* dates, 0: not */
	gboolean stable_missing;
	gint64 reverted;
	struct commit *revert;
};
/* Takes `c`, also when it fails; `wanted` is an enum tree_role. */
gboolean landing_find(store *st, struct commit *c, int wanted,
		      gboolean culprit_in_stable, struct landing *l,
		      GError **err);
const char *landing_status(const struct landing *l); /* NULL: nowhere */
void landing_clear(struct landing *l);

/* What each tree has of a fix: of its commit, of struct commit_place; or of one
 * without a commit: looked for and not found, where the tree was read. */
void fix_take_places(struct item_fix *fix, const GPtrArray *places);
void fix_take_absence(struct item_fix *fix, const GPtrArray *trees);

/* ---- item_commits.c */

/* The one of that commit, patch or title; NULL: none. Lent. */
struct item_fix *item_fix_find(const struct item *i, const char *id,
			       const char *mid, const char *subject);

/* ---- item_needs.c: what the fixes need; after all of these are found */
gboolean item_find_needs(struct item_cache *c, struct item_facts *f,
			 GError **err);

/* ---- item_culprit.c: fills commit, range, tree, cycle, describe */
gboolean item_find_culprit(struct item_cache *c, struct item_facts *f,
			   GError **err);

#endif
