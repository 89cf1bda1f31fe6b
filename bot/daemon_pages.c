/* daemon_pages.c - the site follows the database
 * What new mail touches is written at once, the whole site when it was quiet
 * for a while; never more than a quarter of the time: a flood of mail must not
 * become a flood of pages. */
#include "db/health.h"
#include "db/search.h"

#include "bot/daemon_priv.h"
#include "bot/log_line.h"
#include "bot/pages.h"
#include "bot/source.h"

#define REST_TIMES 3			 /* as long as writing took */
#define RETRY_USEC (30 * G_USEC_PER_SEC) /* after a failure */
#define QUIET_USEC (5 * G_USEC_PER_SEC)	 /* without mail: the whole site */
#define LATE_USEC  (60 * G_USEC_PER_SEC) /* ... however unquiet it is */
#define NEAR_MAILS 50 /* more: only the whole site is worth it */
#define OTHERS_USEC \
	(30 * G_USEC_PER_SEC) /* between looks at what others
					   * wrote */
#define INDEX_PAUSE (5 * G_TIME_SPAN_MILLISECOND)

struct page_keeper {
	const struct daemon_options *opt;
	GMutex *store_lock;
	GThread *thread;
	GMutex lock; /* of what follows */
	GCond changed;
	gboolean ending;
	GPtrArray *mids;    /* whose surroundings are to be written */
	gint64 whole_asked; /* since when the whole site is; 0: not */
	gint64 whole_at;    /* when it is time for it */
	gint64 whole_rest;  /* nor the whole site before */
	gint64 near_rest;   /* nothing near is written before */
	/* of the thread */
	void *git;
	store *st;
	template_set *templates;
	gboolean complete; /* the whole site was written once */
	gint64 version;	   /* of the database that it was written of */
};

static GPtrArray *no_mids(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

/* ---- the pages */

static gboolean open_store(page_keeper *k, GError **err)
{
	if (!k->st)
		k->st = cli_store_open(k->opt->s, STORE_READ, k->git, err);
	if (!k->st)
		return FALSE;
	cli_store_date(k->opt->s, k->st);
	return TRUE;
}

static void tell(const struct pages_counts *c)
{
	log_line(c->written + c->removed ? LOG_LINE_INFO : LOG_LINE_DEBUG,
		 "pages: %u written, %u unchanged, %u removed", c->written,
		 c->unchanged, c->removed);
}

/* Pages would be removed that come again. */
static gboolean is_whole(page_keeper *k, GError **err)
{
	gboolean pending;

	if (!health_rebuild(k->st, &pending, err))
		return FALSE;
	if (pending)
		g_set_error_literal(err, STORE_ERROR, STORE_ERROR_BUSY,
				    "a rebuild has not ended");
	return !pending;
}

/* The whole site, or what is near `mids`. */
static gboolean write_site(page_keeper *k, GPtrArray *mids,
			   struct pages_counts *counts, GError **err)
{
	const config *c = k->opt->s->config;
	const char *dir = config_get(c, "pages", NULL, "output");

	if (!open_store(k, err))
		return FALSE;
	if (!mids)
		k->version = store_version(k->st, NULL);
	if (k->opt->no_pages)
		return TRUE;
	if (!is_whole(k, err))
		return FALSE;
	return mids ? pages_write_near(k->st, c, k->templates, dir, mids,
				       counts, err)
		    : pages_write(k->st, c, k->templates, dir, FALSE, counts,
				  err);
}

static gboolean write_pages(page_keeper *k, GPtrArray *mids)
{
	struct pages_counts counts = {0};
	g_autoptr(GError) err = NULL;

	if (write_site(k, mids, &counts, &err)) {
		tell(&counts);
		return TRUE;
	}
	log_line(LOG_LINE_WARNING, "pages: %s",
		 err ? err->message : "the database is gone");
	return FALSE;
}

/* ---- the full text, where it is behind */

static gboolean one_batch(guint done, guint all, void *data)
{
	return FALSE;
}

/* FALSE: nothing is, or all that can be was done. */
static gboolean is_behind(page_keeper *k, guint *behind)
{
	guint before = *behind;

	return k->st && search_behind(k->st, behind, NULL) && *behind > 0 &&
	       *behind < before;
}

static void catch_up_index(page_keeper *k)
{
	guint behind = G_MAXUINT;

	while (!daemon_is_ending() && is_behind(k, &behind)) {
		g_autoptr(GError) err = NULL;
		gboolean ok;

		g_mutex_lock(k->store_lock);
		ok = search_index(k->opt->st, one_batch, NULL, &err);
		g_mutex_unlock(k->store_lock);
		if (!ok) {
			log_line(LOG_LINE_WARNING, "full text: %s",
				 err->message);
			break;
		}
		g_usleep(INDEX_PAUSE); /* who waits for the lock shall get it */
	}
}

/* ---- the thread */

/* When there will be something to write; G_MAXINT64: it is not known. */
static gint64 due(const page_keeper *k)
{
	gint64 at = G_MAXINT64;

	if (k->whole_asked)
		at = MAX(MIN(k->whole_at, k->whole_asked + LATE_USEC),
			 k->whole_rest);
	if (k->mids->len && k->complete)
		at = MIN(at, k->near_rest);
	return at;
}

/* An import beside us, say. With the lock held. */
static void look_at_others(page_keeper *k)
{
	if (!k->st || store_version(k->st, NULL) == k->version)
		return;
	k->whole_asked = k->whole_at = g_get_monotonic_time();
}

/* What to write, NULL: the whole site. FALSE: the end. */
static gboolean await_work(page_keeper *k, GPtrArray **mids)
{
	gboolean go;
	gint64 at;

	g_mutex_lock(&k->lock);
	while (!k->ending && (at = due(k)) > g_get_monotonic_time()) {
		gboolean idle = at == G_MAXINT64;

		if (idle)
			at = g_get_monotonic_time() + OTHERS_USEC;
		if (!g_cond_wait_until(&k->changed, &k->lock, at) && idle)
			look_at_others(k);
	}
	*mids = NULL;
	go = !k->ending;
	if (k->mids->len && k->complete) {
		*mids = k->mids;
		k->mids = no_mids();
	} else {
		g_ptr_array_set_size(k->mids, 0);
		k->whole_asked = 0;
	}
	g_mutex_unlock(&k->lock);
	return go;
}

static void rest(page_keeper *k, gboolean whole, gint64 usec)
{
	g_mutex_lock(&k->lock);
	if (whole)
		k->whole_rest = g_get_monotonic_time() + usec;
	else
		k->near_rest = g_get_monotonic_time() + usec;
	g_mutex_unlock(&k->lock);
}

static void work(page_keeper *k, GPtrArray *mids)
{
	gint64 begun = g_get_monotonic_time();

	if (!write_pages(k, mids)) {
		page_keeper_touch(k, NULL, 0);
		rest(k, TRUE, RETRY_USEC);
		return;
	}
	rest(k, !mids, REST_TIMES * (g_get_monotonic_time() - begun));
	if (mids)
		return;
	k->complete = TRUE;
	catch_up_index(k);
}

static gpointer run_keeper(gpointer data)
{
	page_keeper *k = data;
	GPtrArray *mids;

	while (await_work(k, &mids)) {
		work(k, mids);
		g_clear_pointer(&mids, g_ptr_array_unref);
	}
	g_clear_pointer(&mids, g_ptr_array_unref);
	return NULL;
}

page_keeper *page_keeper_start(const struct daemon_options *opt, GMutex *lock)
{
	page_keeper *k = g_new0(page_keeper, 1);

	k->opt = opt;
	k->store_lock = lock;
	k->whole_asked = k->whole_at = g_get_monotonic_time();
	k->mids = no_mids();
	k->git = source_git_cache_new();
	k->templates = template_set_open(NULL);
	g_mutex_init(&k->lock);
	g_cond_init(&k->changed);
	k->thread = g_thread_new("pages", run_keeper, k);
	return k;
}

void page_keeper_touch(page_keeper *k, const char *const *mids, guint n)
{
	gint64 now = g_get_monotonic_time();

	g_mutex_lock(&k->lock);
	if (k->mids->len + n > NEAR_MAILS)
		n = 0;
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(k->mids, g_strdup(mids[i]));
	if (!k->whole_asked)
		k->whole_asked = now;
	k->whole_at = n ? now + QUIET_USEC : now;
	g_cond_signal(&k->changed);
	g_mutex_unlock(&k->lock);
}

void page_keeper_end(page_keeper *k)
{
	if (!k)
		return;
	g_mutex_lock(&k->lock);
	k->ending = TRUE;
	g_cond_signal(&k->changed);
	g_mutex_unlock(&k->lock);
	g_thread_join(k->thread);
	store_close(k->st);
	source_git_cache_free(k->git);
	template_set_free(k->templates);
	g_ptr_array_unref(k->mids);
	g_mutex_clear(&k->lock);
	g_cond_clear(&k->changed);
	g_free(k);
}
