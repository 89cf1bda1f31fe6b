/* trees.h - git trees: what is new in them, written into the database
 * A tree with a URL is kept as a bare clone beside the database; one with a
 * path is read where it is. docs/trees.md. */
#ifndef BOT_TREES_H
#define BOT_TREES_H

#include "db/commits.h"

#include "bot/config.h"

#define TREES_MAX_BRANCHES 2000	    /* of one tree */
#define TREES_MAX_COMMITS  16000000 /* new ones of one branch */
#define TREES_MAX_TAGS	   200000

#define TREES_ERROR (trees_error_quark())
GQuark trees_error_quark(void);
enum trees_error {
	TREES_ERROR_UNREAD,  /* no repository, can't be fetched, damaged */
	TREES_ERROR_STOPPED, /* interrupted; what was done is kept */
};

/* [tree NAME] */
struct tree_setting {
	struct code_tree *tree;
	char **branches;  /* patterns; empty: the usual one of its role */
	char *repository; /* where it is read */
	gboolean remote;  /* `place` is a URL that is fetched into it */
	guint timeout;	  /* seconds */
	guint poll;	  /* seconds between two looks of the daemon */
};
void tree_setting_free(struct tree_setting *t);

/* All of them, in the order of the file. NULL with CONFIG_ERROR_SYNTAX. */
GPtrArray *trees_settings(const config *c, const char *db_path, GError **err);
/* Take them into the database, so that their names are known. */
gboolean trees_configure(store *st, GPtrArray *settings, GError **err);

struct trees_counts {
	guint64 commits; /* not seen before */
	guint64 landed;	 /* now in a branch */
	guint64 gone;	 /* not in a branch any more */
	guint rewritten; /* branches */
	guint tags;
};

struct trees_options {
	gint64 now;
	gboolean (*stopped)(void);
	/* Several trees of one store, each in a thread of its own: held but
	 * while a repository is fetched. NULL: the store is ours. */
	GMutex *lock;
};

/* Fetch, and take in what is new. What was done before an error is kept. */
gboolean trees_sync(store *st, const struct tree_setting *t,
		    const struct trees_options *opt,
		    struct trees_counts *counts, GError **err);

#endif
