/* tree_fetch.c - bare clones of trees that have a URL, kept up to date
 * The clone is only a copy: whoever deletes it gets it again. */
#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "bot/git_copy.h"
#include "bot/git_run.h"
#include "bot/trees_priv.h"

static gboolean fail(const struct tree_setting *t, const GError *why,
		     GError **err)
{
	g_set_error(err, TREES_ERROR,
		    g_error_matches(why, GIT_RUN_ERROR, GIT_RUN_ERROR_STOPPED)
			    ? TREES_ERROR_STOPPED
			    : TREES_ERROR_UNREAD,
		    "tree %s: %s", t->tree->name, why->message);
	return FALSE;
}

static gboolean make_clone(const struct tree_setting *t,
			   gboolean (*stopped)(void), GError **err)
{
	const char *const init[] = {"init",	   "--quiet",	  "--bare",
				    "--template=", t->repository, NULL};
	g_autofree char *folder = g_path_get_dirname(t->repository);
	g_autoptr(GError) why = NULL;

	if (g_mkdir_with_parents(folder, 0777) != 0) {
		g_set_error(err, TREES_ERROR, TREES_ERROR_UNREAD,
			    "tree %s: %s: %s", t->tree->name, folder,
			    g_strerror(errno));
		return FALSE;
	}
	return git_run(init, t->timeout, stopped, &why) || fail(t, why, err);
}

gboolean tree_fetch(const struct tree_setting *t, gboolean (*stopped)(void),
		    GError **err)
{
	g_autofree char *dir = g_strconcat("--git-dir=", t->repository, NULL);
	const char *const fetch[] = {dir,
				     "fetch",
				     "--quiet",
				     "--prune",
				     "--force",
				     "--no-tags",
				     "--no-auto-gc",
				     "--no-recurse-submodules",
				     "--no-write-fetch-head",
				     "--update-shallow",
				     "--",
				     t->tree->place,
				     "+refs/heads/*:refs/heads/*",
				     "+refs/tags/*:refs/tags/*",
				     NULL};
	g_autoptr(GError) why = NULL;
	gboolean ok;
	int lock;

	if (!git_is_repository(t->repository) && !make_clone(t, stopped, err))
		return FALSE;
	lock = git_copy_take(t->repository, &why);
	if (lock < 0)
		return fail(t, why, err);
	ok = git_run(fetch, t->timeout, stopped, &why);
	close(lock);
	return ok || fail(t, why, err);
}
