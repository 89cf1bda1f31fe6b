/* trouble.c - a path that could not be read, kept for `problems`
 * What is wrong with parts of a path is told by the ingest, not here. */
#include "bot/trouble.h"

#include <stdlib.h>

#include "db/archive.h"

#include "bot/remote.h"

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

static char *place_of(const char *name)
{
	return g_strdup_printf("[source %s]", name);
}

gboolean trouble_set_source(store *st, const char *name, const GError *why,
			    GError **err)
{
	g_autofree char *place = place_of(name);
	struct trouble t = {place, why};

	return store_transact(st, write_it, &t, err);
}

static gboolean is_of_any(GPtrArray *remotes, const char *place)
{
	for (guint i = 0; i < remotes->len; i++) {
		const struct remote *r = remotes->pdata[i];
		g_autofree char *its = place_of(r->name);

		if (g_str_equal(place, its))
			return TRUE;
	}
	return FALSE;
}

static gboolean keep_sources(store *st, void *data, GError **err)
{
	g_autoptr(GPtrArray) places = archive_bad_paths(st, err);

	for (guint i = 0; places && i < places->len; i++) {
		const char *place = places->pdata[i];

		if (g_str_has_prefix(place, "[source ") &&
		    !is_of_any(data, place) &&
		    !archive_forget_path(st, place, err))
			return FALSE;
	}
	return places != NULL;
}

gboolean trouble_keep_sources(store *st, GPtrArray *remotes, GError **err)
{
	return store_transact(st, keep_sources, remotes, err);
}
