/* rederive.c - a rebuild, and what an interrupted one left to do
 * Says how far it is; what is derived, and how, is db/'s. */
#include "bot/rederive.h"

#include <stdio.h>
#include <unistd.h>

#include "db/archive.h"
#include "db/health.h"
#include "db/search.h"

struct bar {
	const char *what;
	gboolean shown; /* stderr is a terminal */
	guint done;
};

static gboolean on_progress(guint done, guint all, void *data)
{
	struct bar *b = data;

	b->done = done;
	if (b->shown)
		fprintf(stderr, "\r%s %u of %u%s", b->what, done, all,
			done == all ? "\n" : "");
	return !cli_interrupted();
}

static struct bar bar_new(const struct session *s, const char *what)
{
	return (struct bar){.what = what,
			    .shown = !s->quiet && isatty(STDERR_FILENO)};
}

gboolean rederive_all(const struct session *s, store *st, guint *messages,
		      GError **err)
{
	struct bar b = bar_new(s, "deriving");
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
	struct bar b = bar_new(s, "indexing");
	gboolean ok = search_index(st, on_progress, &b, err);

	*messages = b.done;
	return ok;
}
