/* trouble.c - a path that could not be read, kept for `problems`
 * What is wrong with parts of a path is told by the ingest, not here. */
#include "bot/trouble.h"

#include <stdlib.h>

#include "db/archive.h"

#include "bot/source.h"

struct trouble {
	const char *place;
	const GError *why; /* NULL: it is over */
};

static gboolean write_it(store *st, void *data, GError **err)
{
	const struct trouble *t = data;
	g_autofree char *code = NULL;

	if (!t->why)
		return archive_forget_path(st, t->place, err);
	code = g_strconcat(ARCHIVE_PATH_CODE, source_error_code(t->why), NULL);
	return archive_forget_path(st, t->place, err) &&
	       archive_problem(st, "source", t->place, code, t->why->message,
			       err);
}

gboolean trouble_set_path(store *st, const char *path, const GError *why,
			  GError **err)
{
	g_autofree char *full = realpath(path, NULL);
	struct trouble t = {full, why};

	return !full || g_str_equal(path, "-") ||
	       store_transact(st, write_it, &t, err);
}

gboolean trouble_set_source(store *st, const char *name, const GError *why,
			    GError **err)
{
	g_autofree char *place = g_strdup_printf("[source %s]", name);
	struct trouble t = {place, why};

	return store_transact(st, write_it, &t, err);
}
