/* source_git.h - the parts of the reader of git archives */
#ifndef BOT_SOURCE_GIT_H
#define BOT_SOURCE_GIT_H

#include "bot/git_repo.h"
#include "bot/source_priv.h"

/* What a commit says. */
struct git_step {
	guint8 id[OID_LEN], tree[OID_LEN];
	gint64 time; /* committer's; 0 unknown */
};

struct git_history {
	GArray *steps;	      /* of struct git_step, newest first */
	gboolean met;	      /* ends before the commit where it was to stop */
	GError *cut;	      /* why it ends at a commit that can't be had */
	gboolean merges;      /* a commit has several parents */
	guint8 base[OID_LEN]; /* met: tree of the commit where it stopped */
};
void git_history_clear(struct git_history *h);

/* From `head` back along first parents to `stop` (NULL: to the root). */
gboolean git_history_walk(struct git_repo *r, const guint8 head[OID_LEN],
			  const guint8 *stop, struct git_history *h,
			  GError **err);
/* The same over all parents, in an order where children come first. */
gboolean git_history_walk_all(struct git_repo *r, const guint8 head[OID_LEN],
			      const guint8 *stop, struct git_history *h,
			      GError **err);

enum git_layout {
	GIT_LAYOUT_NONE, /* not an archive of mail */
	GIT_LAYOUT_V1,	 /* a file xx/38 hex digits a message */
	GIT_LAYOUT_V2,	 /* "m": the message a commit adds; "d": removes */
};
/* What the newest commits, else the one where it stopped show. */
enum git_layout git_layout_of(struct git_repo *r, const struct git_history *h);

typedef gboolean (*git_change_fn)(const guint8 oid[OID_LEN], gboolean added,
				  const struct git_step *step, void *data,
				  GError **err);
/* The messages that `step` removes and adds against `before` (v1 only; a
 * tree, NULL = none), removals first. SOURCE_ERROR_MISSING, _READ: of the
 * tree, nothing was said; else the error of `fn`. */
gboolean git_changes(struct git_repo *r, enum git_layout layout,
		     const guint8 *before, const struct git_step *step,
		     git_change_fn fn, void *data, GError **err);

#endif
