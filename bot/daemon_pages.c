/* daemon_pages.c - the site follows the database
 * At once when something is new, and then not before three times as long as
 * writing took: a flood of mail must not become a flood of pages. */
#include "db/search.h"

#include "bot/daemon_priv.h"
#include "bot/log_line.h"
#include "bot/pages.h"
#include "bot/source.h"

#define REST_TIMES  3
#define RETRY_USEC  (30 * G_USEC_PER_SEC) /* after a failure */
#define NEAR_MAILS  50 /* more: only the whole site is worth it */
#define INDEX_PAUSE (5 * G_TIME_SPAN_MILLISECOND)

struct page_keeper {
	const struct daemon_options *opt;
	GMutex *store_lock;
	GThread *thread;
	GMutex lock;
	GCond changed;
	gboolean dirty, ending; /* under the lock */
	GPtrArray *mids;	/* what came since; NULL: too many */
	/* of the thread */
	void *git;
	store *st;
	template_set *templates;
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

static gboolean write_pages(page_keeper *k)
{
	const config *c = k->opt->s->config;
	const char *dir = config_get(c, "pages", NULL, "output");
	struct pages_counts counts = {0};
	g_autoptr(GError) err = NULL;

	if (open_store(k, &err) && k->opt->no_pages)
		return TRUE;
	if (k->st &&
	    pages_write(k->st, c, k->templates, dir, FALSE, &counts, &err)) {
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

/* FALSE: it shall end. */
static gboolean await_change(page_keeper *k)
{
	gboolean go;

	g_mutex_lock(&k->lock);
	while (!k->dirty && !k->ending)
		g_cond_wait(&k->changed, &k->lock);
	k->dirty = FALSE;
	go = !k->ending;
	g_mutex_unlock(&k->lock);
	return go;
}

static void rest(page_keeper *k, gint64 usec)
{
	gint64 until = g_get_monotonic_time() + usec;

	g_mutex_lock(&k->lock);
	while (!k->ending && g_cond_wait_until(&k->changed, &k->lock, until))
		;
	g_mutex_unlock(&k->lock);
}

static gpointer run_keeper(gpointer data)
{
	page_keeper *k = data;

	while (await_change(k)) {
		gint64 begun = g_get_monotonic_time();

		if (write_pages(k)) {
			catch_up_index(k);
			rest(k, REST_TIMES * (g_get_monotonic_time() - begun));
			continue;
		}
		rest(k, RETRY_USEC);
		page_keeper_touch(k, NULL, 0);
	}
	return NULL;
}

page_keeper *page_keeper_start(const struct daemon_options *opt, GMutex *lock)
{
	page_keeper *k = g_new0(page_keeper, 1);

	k->opt = opt;
	k->store_lock = lock;
	k->dirty = TRUE;
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
	g_mutex_lock(&k->lock);
	k->dirty = TRUE;
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
