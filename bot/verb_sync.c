/* verb_sync.c - what is new at the configured places, brought in */
#include <stdio.h>

#include "bot/ingest.h"
#include "bot/trees.h"
#include "bot/verbs.h"

/* What all of them brought. */
struct sums {
	guint trees, failed;
	struct trees_counts counts;
};

static void append_count(GString *s, guint64 n, const char *what)
{
	if (n)
		g_string_append_printf(s, ", %" G_GUINT64_FORMAT " %s", n,
				       what);
}

static void say_summary(const struct sums *sums)
{
	const struct trees_counts *c = &sums->counts;
	g_autoptr(GString) s = g_string_new(NULL);

	g_string_append_printf(s, "%u %s read: %" G_GUINT64_FORMAT " new %s",
			       sums->trees - sums->failed,
			       sums->trees - sums->failed == 1 ? "tree"
							       : "trees",
			       c->commits,
			       c->commits == 1 ? "commit" : "commits");
	append_count(s, c->landed, "landed in a branch");
	append_count(s, c->gone, "gone from a branch");
	append_count(s, c->rewritten,
		     c->rewritten == 1 ? "branch rewritten"
				       : "branches rewritten");
	append_count(s, c->tags, c->tags == 1 ? "new tag" : "new tags");
	fprintf(stderr, "culprit: sync: %s\n", s->str);
}

static gboolean is_wanted(struct session *s, const char *name)
{
	for (int i = 0; i < s->argc; i++)
		if (g_str_equal(s->argv[i], name))
			return TRUE;
	return s->argc == 0;
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

static int sync_trees(struct session *s, store *st, GPtrArray *settings,
		      struct sums *sums)
{
	const struct trees_options opt = {.now = s->now,
					  .stopped = cli_interrupted};
	int rc = EXIT_DONE;

	for (guint i = 0; i < settings->len && !cli_interrupted(); i++) {
		const struct tree_setting *t = settings->pdata[i];
		g_autoptr(GError) err = NULL;

		if (!is_wanted(s, t->tree->name))
			continue;
		sums->trees++;
		if (trees_sync(st, t, &opt, &sums->counts, &err))
			continue;
		sums->failed++;
		rc = cli_fail(NULL, err);
		if (err->domain != TREES_ERROR)
			return rc;
	}
	return rc;
}

static int sync_sources(struct session *s, store *st, GPtrArray *remotes)
{
	int rc = EXIT_DONE;

	for (guint i = 0; i < remotes->len && !cli_interrupted(); i++) {
		const struct remote *r = remotes->pdata[i];
		const struct ingest_options opt = {.list = r->list,
						   .index = TRUE,
						   .clock = cli_now,
						   .stopped = cli_interrupted};
		g_autoptr(ingest) in = ingest_new(st, &opt);
		g_autoptr(GError) err = NULL;

		if (!is_wanted(s, r->name))
			continue;
		if (!ingest_remote(in, r, FALSE, &err))
			rc = cli_fail(NULL, err);
		g_clear_error(&err);
		if (!ingest_finish(in, &err))
			rc = cli_fail(NULL, err);
	}
	return rc;
}

static int run(struct session *s)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) settings =
		trees_settings(s->config, s->db_path, &err);
	g_autoptr(GPtrArray) remotes = NULL;
	struct sums sums = {0};
	g_autoptr(store) st = NULL;
	int rc, of_trees;

	if (settings)
		remotes = remotes_settings(s->config, s->db_path, &err);
	if (!remotes)
		return cli_fail(NULL, err);
	if (!names_are_known(s))
		return EXIT_USAGE;
	st = cli_store(s, STORE_WRITE, &rc);
	if (!st)
		return rc;
	if (!trees_configure(st, settings, &err))
		return cli_fail(NULL, err);
	rc = sync_sources(s, st, remotes);
	if (rc == EXIT_DONE || rc == EXIT_UNREAD) {
		of_trees = sync_trees(s, st, settings, &sums);
		rc = MAX(rc, of_trees);
	}
	if (!s->quiet)
		say_summary(&sums);
	return cli_exit_code(rc);
}

const struct verb verb_sync = {
	.name = "sync",
	.synopsis = "[SOURCE...]",
	.help = "bring in what is new at the configured places",
	.details =
		"Fetches what is new in the git trees of the settings, or in "
		"those named: a tree with a URL is kept as a bare clone beside "
		"the database, one with a path is read where it is. New "
		"commits, branches that were rewritten and tags are taken in. "
		"A tree that can't be read gives exit code 4, is listed by "
		"culprit problems, and keeps what is known of it; the others "
		"are read. Interrupted, it keeps what was done.",
	.max_args = -1,
	.run = run,
};
