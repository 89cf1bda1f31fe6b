/* git_copy.c - a bare repository that is ours alone */
#include "bot/git_copy.h"

#include <glib/gstdio.h>

#include "bot/lock_file.h"

#define OUR_LOCK "culprit-lock"

/* The folders of `dir` are added to `folders`, git's locks are removed. */
static void clean(const char *dir, GQueue *folders)
{
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		GStatBuf st;

		if (g_lstat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode) &&
		    g_queue_get_length(folders) < GIT_COPY_MAX_FOLDERS)
			g_queue_push_tail(folders, g_steal_pointer(&path));
		else if (S_ISREG(st.st_mode) && g_str_has_suffix(name, ".lock"))
			g_unlink(path);
	}
}

int git_copy_take(const char *dir, GError **err)
{
	g_autofree char *path = g_build_filename(dir, OUR_LOCK, NULL);
	int fd = lock_file_take(path, err);
	GQueue folders = G_QUEUE_INIT;
	char *folder;

	if (fd < 0)
		return -1;
	g_queue_push_tail(&folders, g_strdup(dir));
	while ((folder = g_queue_pop_head(&folders))) {
		clean(folder, &folders);
		g_free(folder);
	}
	return fd;
}
