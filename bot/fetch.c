/* fetch.c - the threads of the sources
 * Each has an ingest of its own; the store is shared under one lock. */
#include "bot/fetch.h"

/* One source and its thread. */
struct feed {
	struct fetch *fetch;
	const struct remote *r;
	GThread *thread;
	struct retry retry;
	guint64 expected; /* messages of the present look */
};

struct fetch {
	struct fetch_options opt;
	GPtrArray *feeds;
	guint running;	 /* under the lock */
	gboolean failed; /* the database; told already; under the lock */
};

/* ---- what an ingest tells, passed on; with the store held */

static void on_added(const char *const *mids, guint n, void *data)
{
	struct feed *d = data;
	const struct fetch_watch *w = &d->fetch->opt.watch;

	if (w->added)
		w->added(d->r, mids, n, w->data);
}

static void on_problem(const char *text, void *data)
{
	struct feed *d = data;
	const struct fetch_watch *w = &d->fetch->opt.watch;

	if (w->problem)
		w->problem(d->r, text, w->data);
}

static void on_progress(const struct ingest_counts *counts, guint done,
			guint all, void *data)
{
	struct feed *d = data;
	const struct fetch_watch *w = &d->fetch->opt.watch;

	if (w->progress)
		w->progress(d->r, counts, d->expected, w->data);
}

static void on_expect(guint64 mails, void *data)
{
	struct feed *d = data;

	d->expected += mails;
}

static void tell_following(struct feed *d)
{
	const struct fetch_watch *w = &d->fetch->opt.watch;

	g_mutex_lock(d->fetch->opt.lock);
	if (w->following)
		w->following(d->r, w->data);
	g_mutex_unlock(d->fetch->opt.lock);
}

/* ---- one look */

static gboolean is_over(const struct fetch *f)
{
	return g_cancellable_is_cancelled(f->opt.cancel) ||
	       (f->opt.stopped && f->opt.stopped());
}

static gboolean is_of_store(const GError *why)
{
	return why->domain != NET_ERROR && why->domain != SOURCE_ERROR;
}

static gboolean is_final(const struct fetch *f, const GError *why)
{
	return is_of_store(why) &&
	       (!f->opt.forever ||
		(why->code != STORE_ERROR_BUSY && why->code != STORE_ERROR_IO));
}

/* "source NAME: WHY" whoever says so; of the database, as it is. */
static GError *name_source(const struct remote *r, const GError *why)
{
	g_autofree char *prefix = g_strdup_printf("source %s: ", r->name);
	GError *named = g_error_copy(why);

	if (!is_of_store(why) && !g_str_has_prefix(why->message, prefix))
		g_prefix_error_literal(&named, prefix);
	return named;
}

/* An interrupt ends what is under way in many ways, none of them an error;
 * but for the database, which holds what is kept. */
static void tell_end(struct feed *d, const ingest *in, const GError *why,
		     gint64 wait)
{
	struct fetch *f = d->fetch;
	const struct fetch_watch *w = &f->opt.watch;
	g_autoptr(GError) named = NULL;

	if (why && !is_of_store(why) && is_over(f))
		why = NULL;
	if (why)
		why = named = name_source(d->r, why);
	g_mutex_lock(f->opt.lock);
	if (why && is_final(f, why)) {
		if (f->failed)
			why = NULL;
		f->failed = TRUE;
		g_cancellable_cancel(f->opt.cancel);
	}
	if (w->ended)
		w->ended(d->r, ingest_counts(in), why, wait, w->data);
	g_mutex_unlock(f->opt.lock);
}

static ingest *begin_look(struct feed *d)
{
	const struct fetch_options *opt = &d->fetch->opt;
	const struct ingest_options with = {.list = d->r->list,
					    .index = TRUE,
					    .clock = opt->clock,
					    .stopped = opt->stopped,
					    .problem = on_problem,
					    .added = on_added,
					    .progress = on_progress,
					    .expect = on_expect,
					    .cancel = opt->cancel,
					    .lock = opt->lock,
					    .data = d};

	d->expected = 0;
	return ingest_new(opt->st, &with);
}

static void look_once(struct feed *d)
{
	g_autoptr(ingest) in = begin_look(d);
	g_autoptr(GError) why = NULL;

	ingest_remote(in, d->r, FALSE, &why);
	tell_end(d, in, why, -1);
}

/* ---- look after look */

/* What is there first, so that it is known whether the source works; then what
 * comes, where the type can hear of it. */
static void look(struct feed *d, ingest *in, GError **why)
{
	gint64 begun;

	if (!ingest_remote(in, d->r, FALSE, why) || !d->r->ops->follow ||
	    is_over(d->fetch))
		return;
	tell_following(d);
	begun = g_get_monotonic_time();
	ingest_remote(in, d->r, TRUE, why);
	if (g_get_monotonic_time() - begun >
	    RETRY_CALM_SECONDS * G_TIME_SPAN_SECOND)
		d->retry.failures = 0;
}

gboolean fetch_wait(GCancellable *cancel, guint64 ms)
{
	gint64 end = g_get_monotonic_time() + (gint64)ms * 1000;
	GPollFD fd;

	if (!g_cancellable_make_pollfd(cancel, &fd))
		return FALSE;
	while (!g_cancellable_is_cancelled(cancel)) {
		gint64 left = end - g_get_monotonic_time();

		if (left <= 0)
			break;
		g_poll(&fd, 1, (int)MIN(left / 1000 + 1, G_MAXINT));
	}
	g_cancellable_release_fd(cancel);
	return !g_cancellable_is_cancelled(cancel);
}

static void look_forever(struct feed *d)
{
	guint64 wait = 0;
	gboolean last;

	do {
		g_autoptr(ingest) in = begin_look(d);
		g_autoptr(GError) why = NULL;

		look(d, in, &why);
		last = is_over(d->fetch) || (why && is_final(d->fetch, why));
		if (!last)
			wait = retry_next(&d->retry, why, d->r->poll);
		tell_end(d, in, why, last ? -1 : (gint64)wait);
	} while (!last && fetch_wait(d->fetch->opt.cancel, wait));
}

/* ---- */

static gpointer run_feed(gpointer data)
{
	struct feed *d = data;
	struct fetch *f = d->fetch;

	if (f->opt.forever)
		look_forever(d);
	else
		look_once(d);
	g_mutex_lock(f->opt.lock);
	if (--f->running == 0 && f->opt.watch.finished)
		f->opt.watch.finished(f->opt.watch.data);
	g_mutex_unlock(f->opt.lock);
	return NULL;
}

fetch *fetch_start(GPtrArray *remotes, const struct fetch_options *opt)
{
	fetch *f = g_new0(fetch, 1);

	f->opt = *opt;
	f->opt.cancel = g_object_ref(opt->cancel);
	f->feeds = g_ptr_array_new_with_free_func(g_free);
	f->running = remotes->len;
	for (guint i = 0; i < remotes->len; i++) {
		struct feed *d = g_new0(struct feed, 1);

		d->fetch = f;
		d->r = remotes->pdata[i];
		d->retry.first_ms = opt->first_retry_ms;
		g_ptr_array_add(f->feeds, d);
	}
	for (guint i = 0; i < remotes->len; i++) {
		struct feed *d = f->feeds->pdata[i];

		d->thread = g_thread_new("source", run_feed, d);
	}
	return f;
}

void fetch_join(fetch *f)
{
	if (!f)
		return;
	for (guint i = 0; i < f->feeds->len; i++)
		g_thread_join(((struct feed *)f->feeds->pdata[i])->thread);
	g_ptr_array_unref(f->feeds);
	g_object_unref(f->opt.cancel);
	g_free(f);
}
