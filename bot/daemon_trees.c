/* daemon_trees.c - a thread for each git tree, over one connection
 * Fetching goes on side by side; what is new is taken in one after the other,
 * beside the mail, as SQLite lets writers take turns. */
#include "bot/counts_text.h"
#include "bot/daemon_priv.h"
#include "bot/fetch.h"
#include "bot/log_line.h"
#include "bot/source.h"
#include "bot/trees.h"

struct tree_keeper {
	store *st;
	void *git;
	GMutex lock; /* of `st` */
	GCancellable *cancel;
	page_keeper *pages;
	GPtrArray *loops; /* of struct tree_loop */
};

struct tree_loop {
	tree_keeper *keeper;
	const struct tree_setting *t;
	GThread *thread;
	struct retry retry;
};

static void tell(struct tree_loop *l, const struct trees_counts *c)
{
	g_autoptr(GString) s = g_string_new(NULL);
	gboolean news = c->commits || c->landed || c->gone || c->tags;

	counts_text_trees(s, c, 1);
	log_line(news ? LOG_LINE_INFO : LOG_LINE_DEBUG, "tree %s: %s",
		 l->t->tree->name, s->str);
	if (news)
		page_keeper_touch(l->keeper->pages, NULL, 0);
}

static gpointer run_loop(gpointer data)
{
	struct tree_loop *l = data;
	tree_keeper *k = l->keeper;
	guint64 wait;

	do {
		const struct trees_options opt = {.now = cli_now(),
						  .stopped = daemon_is_ending,
						  .lock = &k->lock};
		struct trees_counts counts = {0};
		g_autoptr(GError) why = NULL;

		trees_sync(k->st, l->t, &opt, &counts, &why);
		if (daemon_is_ending())
			break;
		tell(l, &counts);
		wait = retry_next(&l->retry, why, l->t->poll);
		if (why)
			log_line(LOG_LINE_WARNING,
				 "%s; next try in %" G_GUINT64_FORMAT " s",
				 why->message, wait / 1000);
	} while (fetch_wait(k->cancel, wait));
	return NULL;
}

tree_keeper *tree_keeper_start(const struct daemon_options *opt,
			       GCancellable *cancel, page_keeper *pages,
			       GError **err)
{
	tree_keeper *k = g_new0(tree_keeper, 1);

	k->git = source_git_cache_new();
	k->st = cli_store_open(opt->s, STORE_WRITE, k->git, err);
	k->cancel = g_object_ref(cancel);
	k->pages = pages;
	k->loops = g_ptr_array_new_with_free_func(g_free);
	g_mutex_init(&k->lock);
	if (!k->st) {
		tree_keeper_end(k);
		return NULL;
	}
	for (guint i = 0; i < opt->trees->len; i++) {
		struct tree_loop *l = g_new0(struct tree_loop, 1);

		l->keeper = k;
		l->t = opt->trees->pdata[i];
		g_ptr_array_add(k->loops, l);
		l->thread = g_thread_new("tree", run_loop, l);
	}
	return k;
}

void tree_keeper_end(tree_keeper *k)
{
	if (!k)
		return;
	for (guint i = 0; i < k->loops->len; i++)
		g_thread_join(((struct tree_loop *)k->loops->pdata[i])->thread);
	g_ptr_array_unref(k->loops);
	g_mutex_clear(&k->lock);
	g_object_unref(k->cancel);
	store_close(k->st);
	source_git_cache_free(k->git);
	g_free(k);
}
