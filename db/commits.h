/* commits.h - what is known of commits in git trees, and which mail is whose
 * Read only; bot/trees.c brings the commits in (db/commit_store.h). Links
 * between mail and commits are not stored: they are found when asked for, so
 * order of arrival cannot matter. docs/trees.md. */
#ifndef DB_COMMITS_H
#define DB_COMMITS_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/commit_object.h"

#include "db/store.h"

#define COMMITS_MAX	   100 /* found by one question; the rest is left out */
#define COMMITS_MIN_PREFIX 7   /* digits */

/* ---- trees */

enum tree_role { /* stored as numbers: append only */
		 TREE_MAINLINE,
		 TREE_NEXT,
		 TREE_STABLE,
		 TREE_SUBSYSTEM,
};
const char *tree_role_name(enum tree_role role); /* "mainline" ... */

/* A [tree NAME] of the settings, as of the last sync. */
struct code_tree {
	gint64 row;
	char *name;
	char *place;  /* path or URL */
	char *weburl; /* or NULL */
	enum tree_role role;
	int order;
	gint64 looked; /* when it was last read; 0: never, so nothing is known
			* of what is in it */
	gint64 since;  /* older commits were not taken; 0: all were */
};
void code_tree_free(struct code_tree *t);
/* Where that commit can be looked at; NULL: no web view is set, or no id is
 * given. You own it. */
char *code_tree_url(const struct code_tree *t, const char *id);
AUTO_STRUCT(code_tree, code_tree_free)

/* Those configured at the last sync: mainline, next, stable, subsystem, and
 * within a role by order and name. Of struct code_tree; empty if there are none.
 * You own it. */
GPtrArray *trees_load(store *st, GError **err);

/* The text of "MAINTAINERS" or ".mailmap" at the head of that tree's first
 * branch; `tree` NULL: of the first tree of trees_load() that has one. `oid`
 * (may be NULL) gets its blob id, hex, that you own. NULL with err unset: there
 * is none. */
char *tree_file(store *st, const char *tree, const char *path, char **oid,
		GError **err);

/* ---- commits */

struct commit {
	gint64 row;
	char *id;      /* all hex digits, lower-case */
	char *subject; /* never NULL */
	char *author_name;
	char *author_address; /* as written */
	gint64 author_date;
	gint64 commit_date;
	guint parents;
	char *patch_id; /* as `git patch-id --stable`; NULL: not known */
	char *trailers; /* "Key: value" lines, NULL if none */
};
void commit_free(struct commit *c);
AUTO_STRUCT(commit, commit_free)

/* The commit whose id begins so (COMMITS_MIN_PREFIX digits or more, any case).
 * NULL with err unset: none, no id, or several (*many, may be NULL, tells).
 * With `subject` (of `id ("subject")`; may be NULL) that decides between
 * several. */
struct commit *commit_find(store *st, const char *prefix, const char *subject,
			   gboolean *many, GError **err);

/* The commits of this title, oldest first; of this author's if `author` (an
 * address, may be NULL). Titles are compared by subject_key(). */
GPtrArray *commits_by_title(store *st, const char *title, const char *author,
			    GError **err);

/* Paths that the commit changes, of char *; NULL with err unset: not known.
 * You own it. */
GPtrArray *commit_files(store *st, const struct commit *c, GError **err);

/* ---- what commits say of others, and of mail */

const char *commit_says_name(enum commit_says says); /* "fixes" ... */

struct commit_saying {
	enum commit_says says;
	struct commit *commit; /* that says so */
	char *id;      /* the id as written there; NULL: not of a commit */
	char *subject; /* ("title") behind it, or NULL */
	char *mid;     /* the Message-ID it links, or NULL */
	char *url;     /* or NULL */
};
void commit_saying_free(struct commit_saying *s);
AUTO_STRUCT(commit_saying, commit_saying_free)

/* Commits that say this of the commit with that whole id: an abbreviation
 * there counts if no other known commit begins so, or its title is this one's.
 * Of struct commit_saying, oldest commit first. You own it. */
GPtrArray *commits_saying(store *st, enum commit_says says, const char *id,
			  GError **err);
/* Commits that link the mail (SAYS_LINK, SAYS_CLOSES, SAYS_MENTIONS_URL). */
GPtrArray *commits_linking(store *st, const char *mid, GError **err);
/* ... or a URL outside of mail (a ticket), compared as written. */
GPtrArray *commits_linking_url(store *st, const char *url, GError **err);
/* All that one commit says, as written. */
GPtrArray *commit_sayings(store *st, const struct commit *c, GError **err);

/* ---- mail to commit and back */

enum commit_evidence {		      /* strongest first */
		       EVIDENCE_LINK, /* the commit names the mail */
		       EVIDENCE_PATCH_ID,
		       EVIDENCE_BLOBS,	/* the same files before and after */
		       EVIDENCE_DATE,	/* author and date to the second */
		       EVIDENCE_NOTICE, /* an answer names the commit */
		       EVIDENCE_TITLE,	/* author and title: probable */
};
const char *commit_evidence_name(enum commit_evidence e); /* "link" ... */

struct commit_link {
	char *mid; /* the patch */
	struct commit *commit;
	enum commit_evidence evidence; /* the strongest */
	guint also;	    /* all kinds found: bits 1 << EVIDENCE_... */
	char *evidence_mid; /* NOTICE: the mail that says so; else NULL */
};
void commit_link_free(struct commit_link *l);
AUTO_STRUCT(commit_link, commit_link_free)

/* The commits that a patch mail became, strongest evidence first, then
 * mainline first. Of struct commit_link; empty if the mail is no patch. */
GPtrArray *commits_of_patch(store *st, const char *mid, GError **err);
/* The patch mails that became a commit, the newest version before it first. */
GPtrArray *patches_of_commit(store *st, const struct commit *c, GError **err);

/* ---- where a commit is */

enum commit_same { /* how the commit in the tree is the one asked for */
		   SAME_ID,
		   SAME_BACKPORT, /* one says "commit X upstream" of the other */
		   SAME_PICKED,	  /* ... "(cherry picked from commit X)" */
		   SAME_CHANGE,	  /* patch-id, author and title */
		   SAME_AMENDED,  /* author and title; another diff */
};
const char *commit_same_name(enum commit_same same);

enum known { KNOWN_NO, KNOWN_YES, KNOWN_NOT }; /* NOT: not looked */

/* What one tree has of a commit. */
struct commit_place {
	struct code_tree *tree; /* yours with the place */
	enum known present;
	enum commit_same same; /* if present, or `left` */
	struct commit *commit; /* as it is there; NULL if not */
	char *branch;	       /* where it came first; NULL if not */
	gint64 merged;	       /* date of the first-parent commit with which it
				 * came into that branch; 0 if not present */
	char *tag;	       /* first tag that contains it; NULL: none yet */
	gint64 tag_date;
	gint64 left; /* it was there until a sync at that time found it gone; 0 */
};
void commit_place_free(struct commit_place *p);
AUTO_STRUCT(commit_place, commit_place_free)

/* One struct commit_place for each tree, as in trees_load(). */
GPtrArray *commit_places(store *st, const struct commit *c, GError **err);

/* The commit that took the place of one that is in no branch any more (amended,
 * rebased): found by author, title and patch-id. `same` tells how alike. NULL
 * with err unset: it is still there, or no other is known. */
struct commit *commit_follow(store *st, const struct commit *c,
			     enum commit_same *same, GError **err);

/* First tag that contains it, in the tree nearest to mainline. You own it; NULL
 * with err unset: in none yet. */
char *commit_describe(store *st, const struct commit *c, GError **err);

/* ---- tags */

struct tag {
	char *name;
	char *id; /* of the commit */
	gint64 date;
	char *tree;
	gboolean in_branch; /* a branch of the tree contains it */
};
void tag_free(struct tag *t);
AUTO_STRUCT(tag, tag_free)

/* By name, of the first tree that has it. NULL with err unset: none. */
struct tag *tag_find(store *st, const char *name, GError **err);
/* Of one tree, oldest first. Of struct tag; you own it. */
GPtrArray *tags_load(store *st, const char *tree, GError **err);

#endif
