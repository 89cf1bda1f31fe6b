/* git_run.h - the git program as a child: no shell, no hooks, a time limit
 * For what libgit2 shall not do here: talking to servers. */
#ifndef BOT_GIT_RUN_H
#define BOT_GIT_RUN_H

#include <gio/gio.h>

#define GIT_RUN_ERROR (git_run_error_quark())
GQuark git_run_error_quark(void);
enum git_run_error {
	GIT_RUN_ERROR_START,   /* there is no git */
	GIT_RUN_ERROR_FAILED,  /* it said so; the text has its last words */
	GIT_RUN_ERROR_TIME,    /* ended because it took too long */
	GIT_RUN_ERROR_STOPPED, /* ended because `stopped` said so */
};

#define GIT_RUN_MAX_WORDS (16 * 1024) /* bytes of what it says, kept */

/*
 * Run `git ARGS...` (NULL-ended) with nothing on its standard input, without
 * the user's settings and GIT_* environment; it asks no questions. After
 * `seconds`, or when `stopped` (may be NULL) says so, it is ended together with
 * all that it has started.
 */
gboolean git_run(const char *const *args, guint seconds,
		 gboolean (*stopped)(void), GError **err);
/* The same, ended also when `cancel` (may be NULL) is cancelled. */
gboolean git_run_cancellable(const char *const *args, guint seconds,
			     gboolean (*stopped)(void), GCancellable *cancel,
			     GError **err);

/* The folder has what git itself asks for before it believes in one. */
gboolean git_is_repository(const char *path);

#endif
