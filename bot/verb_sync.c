/* verb_sync.c - what is new at the configured places, brought in */
#include <glib-unix.h>
#include <stdio.h>

#include "db/search.h"

#include "bot/counts_text.h"
#include "bot/fetch.h"
#include "bot/progress.h"
#include "bot/rederive.h"
#include "bot/trouble.h"
#include "bot/verbs.h"

#define PROBLEMS_SHOWN 20 /* the rest is counted */

struct syncing {
	struct session *s;
	store *st;
	GMutex lock; /* the store, and all of this while sources are read */
	GCancellable *cancel;
	GMainLoop *loop;
	progress *bar;
	gint64 begun;
	struct ingest_counts mail;
	guint sources, unread_sources, problems;
	struct trees_counts commits;
	guint trees, unread_trees;
	int rc;
};

static void fail(struct syncing *sy, const GError *why)
{
	int rc;

	progress_hide(sy->bar);
	rc = cli_fail(NULL, why);
	sy->rc = MAX(sy->rc, rc);
}

/* ---- sources: called by their threads, one at a time */

static void on_progress(const struct remote *r, const struct ingest_counts *c,
			guint64 expected, void *data)
{
	struct syncing *sy = data;
	g_autofree char *how_far = NULL;
	g_autofree char *line = NULL;

	if (progress_is_off(sy->bar))
		return;
	how_far = progress_messages(c->seen, expected, sy->begun);
	line = g_strdup_printf("%s: %s", r->name, how_far);
	progress_set(sy->bar, r->name, line);
	if (progress_is_due(sy->bar))
		progress_draw(sy->bar);
}

static void on_problem(const struct remote *r, const char *text, void *data)
{
	struct syncing *sy = data;

	sy->rc = MAX(sy->rc, EXIT_UNREAD);
	if (sy->problems++ >= PROBLEMS_SHOWN)
		return;
	progress_hide(sy->bar);
	cli_error("%s", text);
}

static void on_ended(const struct remote *r, const struct ingest_counts *c,
		     const GError *why, gint64 wait, void *data)
{
	struct syncing *sy = data;

	ingest_counts_add(&sy->mail, c);
	progress_set(sy->bar, r->name, NULL);
	if (!why)
		return;
	sy->unread_sources++;
	fail(sy, why);
}

static gboolean quit(gpointer loop)
{
	g_main_loop_quit(loop);
	return G_SOURCE_REMOVE;
}

/* Perhaps before the loop has begun: asked of it, not told. */
static void on_finished(void *data)
{
	struct syncing *sy = data;

	g_idle_add(quit, sy->loop);
}

static gboolean on_interrupt(gint fd, GIOCondition condition, gpointer data)
{
	struct syncing *sy = data;

	g_cancellable_cancel(sy->cancel);
	return G_SOURCE_REMOVE;
}

static void read_sources(struct syncing *sy, GPtrArray *remotes)
{
	const struct fetch_options opt = {
		.st = sy->st,
		.lock = &sy->lock,
		.clock = cli_now,
		.stopped = cli_interrupted,
		.cancel = sy->cancel,
		.watch = {.problem = on_problem,
			  .progress = on_progress,
			  .ended = on_ended,
			  .finished = on_finished,
			  .data = sy},
	};
	guint watch;
	fetch *f;

	sy->sources = remotes->len;
	if (!remotes->len)
		return;
	watch = g_unix_fd_add(cli_interrupt_fd(), G_IO_IN, on_interrupt, sy);
	f = fetch_start(remotes, &opt);
	g_main_loop_run(sy->loop);
	fetch_join(f);
	if (!g_cancellable_is_cancelled(sy->cancel))
		g_source_remove(watch);
}

static gboolean on_indexed(guint done, guint all, void *data)
{
	struct syncing *sy = data;

	if (progress_is_due(sy->bar)) {
		g_autofree char *text =
			g_strdup_printf("full text: %u of %u messages", done,
					all);

		progress_set(sy->bar, "", text);
		progress_draw(sy->bar);
	}
	return !cli_interrupted();
}

static void catch_up_index(struct syncing *sy)
{
	g_autoptr(GError) err = NULL;

	if (sy->sources && !cli_interrupted() &&
	    !search_index(sy->st, on_indexed, sy, &err))
		fail(sy, err);
	progress_set(sy->bar, "", NULL);
}

/* ---- trees */

static void read_trees(struct syncing *sy, GPtrArray *settings)
{
	const struct trees_options opt = {.now = sy->s->now,
					  .stopped = cli_interrupted};

	for (guint i = 0; i < settings->len && !cli_interrupted(); i++) {
		const struct tree_setting *t = settings->pdata[i];
		g_autofree char *line =
			g_strdup_printf("tree %s", t->tree->name);
		g_autoptr(GError) err = NULL;

		progress_set(sy->bar, "", line);
		progress_draw(sy->bar);
		sy->trees++;
		if (trees_sync(sy->st, t, &opt, &sy->commits, &err))
			continue;
		sy->unread_trees++;
		fail(sy, err);
		if (err->domain != TREES_ERROR)
			return;
	}
}

/* ---- which */

static gboolean is_wanted(struct session *s, const char *name)
{
	return s->argc == 0 ||
	       g_strv_contains((const char *const *)s->argv, name);
}

static void drop_unwanted(struct session *s, GPtrArray *remotes,
			  GPtrArray *trees)
{
	for (guint i = remotes->len; i-- > 0;)
		if (!is_wanted(s, ((struct remote *)remotes->pdata[i])->name))
			g_ptr_array_remove_index(remotes, i);
	for (guint i = trees->len; i-- > 0;)
		if (!is_wanted(s, ((struct tree_setting *)trees->pdata[i])
					  ->tree->name))
			g_ptr_array_remove_index(trees, i);
}

/* A name that nothing has is a slip of the keyboard. */
static gboolean names_are_known(struct session *s)
{
	g_auto(GStrv) trees = config_names(s->config, "tree");
	g_auto(GStrv) sources = config_names(s->config, "source");

	for (int i = 0; i < s->argc; i++) {
		if (g_strv_contains((const char *const *)trees, s->argv[i]) ||
		    g_strv_contains((const char *const *)sources, s->argv[i]))
			continue;
		cli_error("sync: %s: there is neither [tree %s] nor [source "
			  "%s] in the settings",
			  s->argv[i], s->argv[i], s->argv[i]);
		return FALSE;
	}
	return TRUE;
}

/* ---- */

static void say_summary(const struct syncing *sy)
{
	g_autoptr(GString) s = g_string_new(NULL);

	if (sy->sources) {
		g_string_append_printf(s, "%u %s: ", sy->sources,
				       sy->sources == 1 ? "source" : "sources");
		if (sy->unread_sources)
			g_string_append_printf(s, "%u failed, ",
					       sy->unread_sources);
		counts_text_mail(s, &sy->mail);
	}
	if (sy->sources && sy->trees)
		g_string_append(s, "; ");
	if (sy->trees || !sy->sources)
		counts_text_trees(s, &sy->commits,
				  sy->trees - sy->unread_trees);
	fprintf(stderr, "culprit: sync: %s\n", s->str);
}

/* All settings of trees are taken in, so that their names are known; sources
 * that were removed are no problem any more. */
static gboolean prepare(struct syncing *sy, GPtrArray *remotes,
			GPtrArray *trees)
{
	g_autoptr(GError) err = NULL;

	if (rederive_rest(sy->s, sy->st, &err) &&
	    trees_configure(sy->st, trees, &err) &&
	    trouble_keep_sources(sy->st, remotes, &err))
		return TRUE;
	sy->rc = cli_fail(NULL, err);
	return FALSE;
}

static void sync_all(struct syncing *sy, GPtrArray *remotes, GPtrArray *trees)
{
	if (!prepare(sy, remotes, trees))
		return;
	drop_unwanted(sy->s, remotes, trees);
	read_sources(sy, remotes);
	if (sy->rc != EXIT_DONE && sy->rc != EXIT_UNREAD)
		return;
	catch_up_index(sy);
	read_trees(sy, trees);
	progress_hide(sy->bar);
	if (!sy->s->quiet)
		say_summary(sy);
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) trees =
		trees_settings(s->config, s->db_path, &err);
	g_autoptr(GPtrArray) remotes =
		trees ? remotes_settings(s->config, s->db_path, &err) : NULL;
	struct syncing sy = {.s = s, .begun = g_get_monotonic_time()};
	int rc;

	if (!remotes)
		return cli_fail(NULL, err);
	if (!names_are_known(s))
		return EXIT_USAGE;
	sy.st = cli_store(s, STORE_WRITE, &rc);
	if (!sy.st)
		return rc;
	sy.cancel = g_cancellable_new();
	sy.loop = g_main_loop_new(NULL, FALSE);
	sy.bar = progress_new(!s->quiet);
	g_mutex_init(&sy.lock);
	sync_all(&sy, remotes, trees);
	g_mutex_clear(&sy.lock);
	progress_free(sy.bar);
	g_main_loop_unref(sy.loop);
	g_object_unref(sy.cancel);
	store_close(sy.st);
	return cli_exit_code(sy.rc);
}

const struct verb verb_sync = {
	.name = "sync",
	.synopsis = "[SOURCE...]",
	.help = "bring in what is new at the configured places",
	.details =
		"Fetches new mail from the sources of the settings, all at "
		"once, and then what is new in their git trees; or only from "
		"those named. A source that can't be read, or only in part, "
		"gives exit code 4, is listed by culprit problems until it "
		"works again, and the others are read. Mail that is known "
		"already, from whatever source, is not doubled. A tree with a "
		"URL is kept as a bare clone beside the database, one with a "
		"path is read where it is. New commits, branches that were "
		"rewritten and tags are taken in; a tree that can't be read "
		"keeps what is known of it. Interrupted, it keeps what was "
		"done; the next one goes on there.",
	.max_args = -1,
	.run = run,
};
