/* git_copy.h - a bare repository that is ours alone: one writer at a time, and
 * nothing left of one that was killed */
#ifndef BOT_GIT_COPY_H
#define BOT_GIT_COPY_H

#include <glib.h>

#define GIT_COPY_MAX_FOLDERS 100000 /* looked through for left locks */

/* Before something is fetched into the repository `dir`, which exists: the
 * descriptor holds it until it is closed. git's own locks in it are removed:
 * whoever took them is dead, since git_run() takes git along. -1 as
 * lock_file_take(): another process fetches into it. */
int git_copy_take(const char *dir, GError **err);

#endif
