/* folder.h - a folder of its own for each test, and a database in it */
#ifndef TESTS_DB_FOLDER_H
#define TESTS_DB_FOLDER_H

#include <glib/gstdio.h>

#include "tests/db/support.h"

static char *dir;

static inline void make_dir(void)
{
	dir = g_dir_make_tmp("store-XXXXXX", NULL);
	ck_assert(dir != NULL);
}

static inline void remove_dir(void)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);

		g_remove(path);
	}
	g_dir_close(d);
	g_rmdir(dir);
	g_free(dir);
}

static inline char *in_dir(const char *name)
{
	return g_build_filename(dir, name, NULL);
}

static inline store *open_file(const char *path)
{
	g_autoptr(GError) err = NULL;
	store *st = store_open(path, STORE_WRITE, &err);

	must(st != NULL, err);
	return st;
}

static const struct mail first = {"a@x", .day = 1};
static const struct mail second = {"b@x", "a@x", "a@x", .day = 2};

#endif
