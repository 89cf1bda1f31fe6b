/* commit_store.h - what bot/trees.c found in git, written down
 * Knows no git: commits come as values. Everything that writes is called in a
 * transaction. */
#ifndef DB_COMMIT_STORE_H
#define DB_COMMIT_STORE_H

#include "mail/commit_object.h"

#include "db/commits.h"

#define COMMIT_MAX_FILES 2000 /* of one commit, kept */

/* ---- trees and branches */

/* Those in the settings, of struct code_tree (row is set); others keep what they
 * had, but are not configured any more. */
gboolean commit_store_trees(store *st, GPtrArray *trees, GError **err);
/* It was read at that time, down to commits of the time `since`, 0: all. */
gboolean commit_store_looked(store *st, gint64 tree, gint64 when, gint64 since,
			     GError **err);
/* How far down it was read; 0: all. */
gboolean commit_store_since(store *st, gint64 tree, gint64 *since,
			    GError **err);

/* What is wrong with it now, for problems_load(); NULL: nothing is. */
gboolean commit_store_problem(store *st, const char *tree, const char *text,
			      GError **err);

struct stored_branch {
	gint64 row;
	char *name;
	gboolean has_head; /* FALSE: the branch was gone, or is new */
	guint8 head[COMMIT_OID_LEN];
};
void stored_branch_free(struct stored_branch *b);
/* All that the tree ever had. Of struct stored_branch. */
GPtrArray *commit_store_branches(store *st, gint64 tree, GError **err);
/* Found or made; NULL and *err. */
struct stored_branch *commit_store_branch(store *st, gint64 tree,
					  const char *name, GError **err);
/* `head` NULL: the branch is gone. */
gboolean commit_store_head(store *st, gint64 branch, const guint8 *head,
			   GError **err);

/* ---- commits */

/* Its row, 0 if it is not known, -1 and *err. */
gint64 commit_store_find(store *st, const guint8 *oid, GError **err);
/* The same; `*there` tells whether the branch contains it. */
gint64 commit_store_find_in(store *st, const guint8 *oid, gint64 branch,
			    gboolean *there, GError **err);
/* One that is not known; its row, -1 and *err. */
gint64 commit_store_add(store *st, const guint8 *oid,
			const struct commit_object *c, GError **err);

gboolean commit_store_present(store *st, gint64 commit, gint64 branch,
			      gint64 merged, GError **err);
gboolean commit_store_gone(store *st, gint64 commit, gint64 branch, gint64 when,
			   GError **err);
gboolean commit_store_all_gone(store *st, gint64 branch, gint64 when,
			       GError **err);
/* The ids of all that the branch contains: FALSE from `fn` stops. */
typedef gboolean (*commit_store_oid_fn)(const guint8 *oid, gint64 commit,
					void *data, GError **err);
gboolean commit_store_each(store *st, gint64 branch, commit_store_oid_fn fn,
			   void *data, GError **err);

/* ---- what they change */

struct commit_change {
	guint8 *patch_id; /* COMMIT_OID_LEN bytes, or NULL */
	guint8 *blobs;	  /* DIFF_BLOBS_LEN bytes, or NULL */
	GPtrArray *paths; /* of char *; NULL unknown */
};
struct uncompared {
	gint64 row;
	guint8 oid[COMMIT_OID_LEN];
};
/* Those of a tree whose change has not been looked at and may matter: not
 * older than the mail that there is, or among the `newest` ones, or named by
 * mail. Newest first. Of struct uncompared. */
GArray *commit_store_uncompared(store *st, gint64 tree, guint newest,
				GError **err);
gboolean commit_store_compared(store *st, gint64 commit,
			       const struct commit_change *change,
			       GError **err);

/* ---- tags and files */

struct stored_tag {
	gint64 row;
	char *name;
	gint64 date;
	guint8 oid[COMMIT_OID_LEN];
};
void stored_tag_free(struct stored_tag *t);
/* The tags that the tree has now (row not set). Those that vanished, moved, or
 * are new and older than others make what git_tagged says of it void. */
gboolean commit_store_tags(store *st, gint64 tree, GPtrArray *tags,
			   GError **err);
/* Those whose commit is in a branch and which were not spread yet, in the
 * order in which that has to be done. Of struct stored_tag. */
GPtrArray *commit_store_unspread(store *st, gint64 tree, GError **err);
/* The commit is contained in that tag, unless it is in another one already:
 * `*old` tells, also where the commit is not known. */
gboolean commit_store_tag(store *st, gint64 tree, gint64 tag, const guint8 *oid,
			  gboolean *old, GError **err);
gboolean commit_store_spread(store *st, gint64 tag, GError **err);

/* `text` NULL: it is not there any more. */
gboolean commit_store_text(store *st, gint64 tree, const char *path,
			   const guint8 *oid, GBytes *text, GError **err);

#endif
