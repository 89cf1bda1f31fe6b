/* rederive.c - a rebuild, and what an interrupted one left to do
 * Says how far it is; what is derived, and how, is db/'s. */
#include "bot/rederive.h"

#include "db/archive.h"
#include "db/health.h"
#include "db/search.h"

#include "bot/progress.h"

struct bar {
	const char *what;
	progress *on;
	guint done;
};

static gboolean on_progress(guint done, guint all, void *data)
{
	struct bar *b = data;

	b->done = done;
	if (progress_is_due(b->on)) {
		g_autofree char *text =
			g_strdup_printf("%s: %u of %u", b->what, done, all);

		progress_set(b->on, "", text);
		progress_draw(b->on);
	}
	return !cli_interrupted();
}

gboolean rederive_all(const struct session *s, store *st, guint *messages,
		      GError **err)
{
	g_autoptr(progress) on = progress_new(!s->quiet);
	struct bar b = {"deriving", on, 0};
	gboolean ok = archive_rebuild(st, on_progress, &b, err);

	*messages = b.done;
	return ok;
}

gboolean rederive_rest(const struct session *s, store *st, GError **err)
{
	gboolean pending;
	guint messages;

	if (!health_rebuild(st, &pending, err))
		return FALSE;
	if (!pending)
		return TRUE;
	if (!s->quiet)
		cli_error("%s: a rebuild has not ended; it is completed first",
			  s->db_path);
	return rederive_all(s, st, &messages, err);
}

gboolean rederive_text(const struct session *s, store *st, guint *messages,
		       GError **err)
{
	g_autoptr(progress) on = progress_new(!s->quiet);
	struct bar b = {"indexing", on, 0};
	gboolean ok = search_index(st, on_progress, &b, err);

	*messages = b.done;
	return ok;
}
