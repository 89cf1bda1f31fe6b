/* git_repo.h - git repositories kept open, read object by object
 * Raw objects only: nothing is checked out, nothing is ever written. */
#ifndef BOT_GIT_REPO_H
#define BOT_GIT_REPO_H

#include <git2.h>
#include <glib.h>

#include "mail/auto.h"

#include "db/archive.h"

#define GIT_REPOS_MAX	 16   /* open at a time in one cache */
#define GIT_VERIFY_EVERY 1000 /* blobs read for one that is hashed */

struct git_repo {
	git_repository *repo;
	git_odb *odb;
	char *place;
	guint64 reads;
	gboolean suspect; /* a wrong hash was seen: hash every blob */
	gatomicrefcount refs;
};

/* The repository at `place` (bare, or a work tree's top); a reference you
 * own. NULL with SOURCE_ERROR_OPEN. `cache` is of source_git_cache_new(). */
struct git_repo *git_repo_get(void *cache, const char *place, GError **err);
void git_repo_unref(struct git_repo *r);
AUTO_STRUCT(git_repo, git_repo_unref)

/* An object of any kind; NULL and SOURCE_ERROR_MISSING or _READ. */
git_odb_object *git_repo_object(struct git_repo *r, const guint8 oid[OID_LEN],
				GError **err);
/* A blob, now and then hashed. SOURCE_ERROR_NO_MAIL: it is larger than
 * SOURCE_MAX_MAIL or no blob at all; it was not loaded. */
GBytes *git_repo_blob(struct git_repo *r, const guint8 oid[OID_LEN],
		      GError **err);

#endif
