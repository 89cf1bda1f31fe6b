/* ingest.c - from what sources say to committed batches
 * Sources fill a queue; a full queue becomes one transaction. */
#include "bot/ingest.h"

#include <string.h>

#include "db/search.h"
#include "db/wanted.h"

#include "bot/ingest_priv.h"
#include "bot/trouble.h"

/* ---- the store, if others use it, too */

static void hold(ingest *in)
{
	if (in->opt.lock)
		g_mutex_lock(in->opt.lock);
}

static void release(ingest *in)
{
	if (in->opt.lock)
		g_mutex_unlock(in->opt.lock);
}

static gboolean flush(ingest *in, GError **err)
{
	gboolean ok;

	hold(in);
	ok = batch_run(in, err);
	release(in);
	return ok;
}

/* ---- what sources call */

static gboolean on_event(const struct source_event *ev, void *data)
{
	ingest *in = data;

	queue_event(in, ev);
	if (in->mails >= INGEST_BATCH_MAILS ||
	    in->bytes >= INGEST_BATCH_BYTES ||
	    in->queue->len >= INGEST_BATCH_EVENTS)
		return flush(in, NULL) && !in->stopped;
	return !g_cancellable_is_cancelled(in->opt.cancel);
}

static char *on_cursor(const char *kind, const char *place, void *data)
{
	ingest *in = data;
	struct ingest_place *p =
		ingest_place_get(in->places, &in->last, kind, place);
	g_autofree char *stored = NULL;

	if (in->opt.again || in->failed)
		return NULL;
	hold(in);
	if (place_find_id(in, p, &in->failed))
		stored = archive_cursor(in->st, p->id, &in->failed);
	release(in);
	return cursor_unwrap(in, stored);
}

static GHashTable *on_oids(const char *kind, const char *place, void *data)
{
	ingest *in = data;
	struct ingest_place *p =
		ingest_place_get(in->places, &in->last, kind, place);

	GHashTable *oids = NULL;

	hold(in);
	if (batch_run(in, NULL) && place_find_id(in, p, &in->failed))
		oids = archive_source_oids(in->st, p->id, &in->failed);
	release(in);
	return oids;
}

static gboolean on_keep(void *data, GError **err)
{
	ingest *in = data;

	if (!flush(in, err))
		return FALSE;
	if (!in->stopped)
		return TRUE;
	g_set_error_literal(err, SOURCE_ERROR, SOURCE_ERROR_STOPPED,
			    "interrupted");
	return FALSE;
}

static void on_expect(guint64 mails, void *data)
{
	ingest *in = data;

	if (!in->opt.expect)
		return;
	hold(in);
	in->opt.expect(mails, in->opt.data);
	release(in);
}

static GPtrArray *on_wanted(const char *place, guint max, void *data)
{
	ingest *in = data;
	GPtrArray *mids = NULL;

	hold(in);
	if (batch_run(in, NULL) && !in->stopped)
		mids = wanted_find(in->st, place, max, &in->failed);
	release(in);
	return mids;
}

/* ---- the module's face */

ingest *ingest_new(store *st, const struct ingest_options *opt)
{
	ingest *in = g_new0(ingest, 1);

	in->st = st;
	in->opt = *opt;
	in->places = ingest_places_new();
	in->queue = g_array_new(FALSE, TRUE, sizeof(struct queued));
	g_array_set_clear_func(in->queue, queued_clear);
	in->problems = g_ptr_array_new_with_free_func(g_free);
	in->added = g_ptr_array_new_with_free_func(g_free);
	in->context = (struct source_context){.sink = on_event,
					      .cursor_of = on_cursor,
					      .oids_of = on_oids,
					      .stopped = opt->stopped,
					      .cancel = opt->cancel,
					      .keep = on_keep,
					      .expect = on_expect,
					      .wanted = on_wanted,
					      .git = source_git_cache_new(),
					      .data = in};
	return in;
}

void ingest_free(ingest *in)
{
	if (!in)
		return;
	g_array_free(in->queue, TRUE);
	g_hash_table_unref(in->places);
	g_ptr_array_unref(in->problems);
	g_ptr_array_unref(in->added);
	source_git_cache_free(in->context.git);
	g_clear_error(&in->failed);
	g_clear_error(&in->unindexed);
	g_free(in);
}

typedef gboolean (*settle_fn)(store *st, const char *name, const GError *why,
			      GError **err);

/* A source has ended; takes `*why`, which is set unless it was read to its
 * end. */
static gboolean settle(ingest *in, settle_fn set, const char *name,
		       GError **why, GError **err)
{
	g_autoptr(GError) e = g_steal_pointer(why);
	gboolean written = FALSE;

	if (in->failed) {
		g_propagate_error(err, g_error_copy(in->failed));
		return FALSE;
	}
	if (g_error_matches(e, SOURCE_ERROR, SOURCE_ERROR_STOPPED) ||
	    g_error_matches(e, NET_ERROR, NET_ERROR_STOPPED))
		return TRUE;
	hold(in);
	if (!e || batch_run(in, err))
		written = set(in->st, name, e, err);
	release(in);
	if (!written || !e)
		return written;
	g_propagate_error(err, g_steal_pointer(&e));
	return FALSE;
}

gboolean ingest_path(ingest *in, const char *path, GError **err)
{
	g_autoptr(GError) why = NULL;

	source_read_path(path, &in->context, &why);
	return settle(in, trouble_set_path, path, &why, err);
}

gboolean ingest_remote(ingest *in, const struct remote *r, gboolean follow,
		       GError **err)
{
	g_autoptr(GError) why = NULL;

	if (follow)
		r->ops->follow(r, &in->context, &why);
	else
		r->ops->read(r, &in->context, &why);
	flush(in, NULL); /* settle() tells if it failed */
	return settle(in, trouble_set_source, r->name, &why, err);
}

gboolean ingest_thread(ingest *in, const struct remote *r, const char *mid,
		       gboolean *found, GError **err)
{
	g_autoptr(GError) why = NULL;

	*found = FALSE;
	r->ops->thread(r, mid, &in->context, found, &why);
	if (!flush(in, err))
		return FALSE;
	if (!why)
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}

static gboolean on_indexed(guint done, guint all, void *data)
{
	ingest *in = data;

	if (in->opt.progress)
		in->opt.progress(&in->counts, done, all, in->opt.data);
	return !ingest_is_stopped(in);
}

static gboolean finish_held(ingest *in, GError **err)
{
	if (!batch_run(in, err))
		return FALSE;
	if (!in->opt.index || in->stopped)
		return TRUE;
	g_clear_error(&in->unindexed);
	return search_index(in->st, on_indexed, in, err);
}

gboolean ingest_finish(ingest *in, GError **err)
{
	gboolean ok;

	hold(in);
	ok = finish_held(in, err);
	release(in);
	return ok;
}

const struct ingest_counts *ingest_counts(const ingest *in)
{
	return &in->counts;
}
