/* trees_priv.h - what the files of bot/tree*.c share */
#ifndef BOT_TREES_PRIV_H
#define BOT_TREES_PRIV_H

#include "db/commit_store.h"

#include "bot/git_repo.h"
#include "bot/trees.h"

/* One tree being read. */
struct tree_sync {
	store *st;
	struct git_repo *repo;
	const struct tree_setting *setting;
	const struct trees_options *opt;
	struct trees_counts *counts;
	gboolean deep;	  /* look below what is known, too */
	gint64 cut;	  /* older commits may be missing; 0: none is */
	GHashTable *seen; /* oid to struct tree_commit: what was read so far */
	guint round;	  /* number of the branch being walked, from 1 */
};

/* A commit as far as walks need it: branches share most of theirs. */
struct tree_commit {
	gint64 row, date;
	guint round; /* the last branch that was found to have it; there ... */
	gint64 merged;	/* ... since then; 0 not known yet */
	gboolean known; /* ... and before: it is looked at once more */
	guint parents;
	guint8 oid[COMMIT_OID_LEN];
	guint8 parent[]; /* COMMIT_OID_LEN bytes each */
};

gboolean tree_is_stopped(const struct tree_sync *s, GError **err);

/* ---- tree_fetch.c */
gboolean tree_fetch(const struct tree_setting *t, gboolean (*stopped)(void),
		    GError **err);

/* ---- tree_walk.c: one branch whose head is there */
GHashTable *tree_seen_new(void);
gboolean tree_walk(struct tree_sync *s, const char *name, const guint8 *head,
		   GError **err);

/* ---- tree_tags.c */
gboolean tree_tags(struct tree_sync *s, GError **err);

/* ---- tree_texts.c: MAINTAINERS and .mailmap, at the head of a branch */
gboolean tree_texts(struct tree_sync *s, const guint8 *head, GError **err);

/* ---- tree_changed.c */
struct changed_file {
	char *path;
	git_oid old, new;
};
void changed_file_free(gpointer data);
/* The files that were modified, by path; of struct changed_file. NULL: some
 * were added, deleted or changed otherwise, or more than `max`, or a tree can't
 * be read. */
GPtrArray *tree_changed(git_repository *repo, const git_oid *old,
			const git_oid *new, guint max);

/* ---- tree_diff.c */
gboolean tree_compare(struct tree_sync *s, GError **err);

#endif
