/* folder.h - a folder of its own for each test, removed with all in it
 * For tcase_add_checked_fixture(c, make_dir, remove_dir). */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <glib/gstdio.h>

#include "tests/test.h"

static char *dir;

static inline void make_dir(void)
{
	dir = g_dir_make_tmp("culprit-test-XXXXXX", NULL);
	ck_assert_ptr_nonnull(dir);
}

/* Links are removed, not what they lead to. */
static inline void remove_tree(const char *path)
{
	g_autoptr(GDir) d = g_file_test(path, G_FILE_TEST_IS_SYMLINK)
				    ? NULL
				    : g_dir_open(path, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		remove_tree(child);
	}
	g_remove(path);
}

static inline void remove_dir(void)
{
	remove_tree(dir);
	g_clear_pointer(&dir, g_free);
}

static inline char *in_dir(const char *path)
{
	return g_build_filename(dir, path, NULL);
}

static inline gboolean exists(const char *path)
{
	g_autofree char *full = in_dir(path);

	return g_file_test(full, G_FILE_TEST_EXISTS);
}

#endif
