/* folder.h - a database in a folder of its own for each test */
#ifndef TESTS_DB_FOLDER_H
#define TESTS_DB_FOLDER_H

#include "tests/db/support.h"
#include "tests/folder.h"

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
