/* tree_diff.c - what commits change: patch-id, blobs, paths
 * The same diff as in the mail: with renames found, as `git format-patch` has
 * it. Changes too large for a mail have no patch-id. */
#include <string.h>

#include "mail/diff.h"
#include "mail/patch_id.h"

#include "bot/source.h"
#include "bot/trees_priv.h"

#define BATCH	    200	  /* commits of one transaction */
#define NEWEST	    10000 /* looked at whether or not there is mail */
#define MAX_DELTAS  1000  /* files of a change that gets a patch-id */
#define MAX_TEXT    (8 * 1024 * 1024)
#define MAX_RENAME  400 /* files among which renames are looked for */
#define MAX_WORKERS 8
#define CACHE_BYTES (48 * 1024 * 1024)
#define MAX_CACHED  (256 * 1024) /* bytes of a folder's list */
#define HEX	    GIT_OID_HEXSZ

static int append_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		       const git_diff_line *line, void *data)
{
	GString *text = data;

	(void)delta;
	(void)hunk;
	if (text->len + line->content_len > MAX_TEXT)
		return -1;
	if (line->origin == GIT_DIFF_LINE_CONTEXT ||
	    line->origin == GIT_DIFF_LINE_ADDITION ||
	    line->origin == GIT_DIFF_LINE_DELETION)
		g_string_append_c(text, line->origin);
	g_string_append_len(text, line->content, (gssize)line->content_len);
	return 0;
}

static gboolean hex_bytes(const char *hex, guint8 *out)
{
	git_oid id;

	if (git_oid_fromstr(&id, hex) != 0)
		return FALSE;
	memcpy(out, id.id, COMMIT_OID_LEN);
	return TRUE;
}

static guint8 *patch_id_of(git_diff *diff)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *hex = NULL;
	guint8 *id = g_malloc(COMMIT_OID_LEN);

	if (git_diff_print(diff, GIT_DIFF_FORMAT_PATCH, append_line, text) == 0)
		hex = patch_id_compute(text->str, text->len, PATCH_ID_GIT);
	if (hex && hex_bytes(hex, id))
		return id;
	g_free(id);
	return NULL;
}

static void add_pair(GPtrArray *pairs, const git_oid *old, const git_oid *new)
{
	char pre[HEX + 1], post[HEX + 1];

	git_oid_tostr(pre, sizeof(pre), old);
	git_oid_tostr(post, sizeof(post), new);
	g_ptr_array_add(pairs, g_strdup_printf("%.*s %.*s", DIFF_BLOB_HEX, pre,
					       DIFF_BLOB_HEX, post));
}

static guint8 *key_of(GPtrArray *pairs)
{
	guint8 *key = pairs->len ? g_malloc(DIFF_BLOBS_LEN) : NULL;

	if (key)
		diff_pairs_key(pairs, key);
	return key;
}

static guint8 *blobs_of(git_diff *diff)
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (!git_oid_equal(&d->old_file.id, &d->new_file.id))
			add_pair(pairs, &d->old_file.id, &d->new_file.id);
	}
	return key_of(pairs);
}

static GPtrArray *paths_of(git_diff *diff)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->new_file.path)
			g_ptr_array_add(paths, g_strdup(d->new_file.path));
		if (d->old_file.path &&
		    g_strcmp0(d->old_file.path, d->new_file.path) != 0)
			g_ptr_array_add(paths, g_strdup(d->old_file.path));
	}
	return paths;
}

/* Only where something came and something went is there a rename to find. */
static void find_renames(git_diff *diff)
{
	git_diff_find_options opt;
	gboolean added = FALSE, deleted = FALSE;

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		git_delta_t status = git_diff_get_delta(diff, i)->status;

		added |= status == GIT_DELTA_ADDED;
		deleted |= status == GIT_DELTA_DELETED;
	}
	git_diff_find_options_init(&opt, GIT_DIFF_FIND_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_FIND_RENAMES;
	opt.rename_limit = MAX_RENAME;
	if (added && deleted)
		git_diff_find_similar(diff, &opt);
}

static git_diff *diff_of(git_repository *repo, git_commit *c)
{
	git_diff_options opt;
	git_commit *up = NULL;
	git_tree *new = NULL, *old = NULL;
	git_diff *diff = NULL;

	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_INDENT_HEURISTIC;
	opt.id_abbrev = HEX;
	if (git_commit_tree(&new, c) == 0 &&
	    git_commit_parent(&up, c, 0) == 0 &&
	    git_commit_tree(&old, up) == 0 &&
	    git_diff_tree_to_tree(&diff, repo, old, new, &opt) != 0)
		diff = NULL;
	git_tree_free(old);
	git_tree_free(new);
	git_commit_free(up);
	return diff;
}

/* ---- files that were only modified, without libgit2's look at all others */

static gboolean print_file(git_repository *repo, const struct changed_file *f,
			   const git_diff_options *opt, GString *text)
{
	git_blob *old = NULL, *new = NULL;
	git_patch *patch = NULL;
	gboolean ok = git_blob_lookup(&old, repo, &f->old) == 0 &&
		      git_blob_lookup(&new, repo, &f->new) == 0 &&
		      git_patch_from_blobs(&patch, old, f->path, new, f->path,
					   opt) == 0 &&
		      git_patch_print(patch, append_line, text) == 0;

	git_patch_free(patch);
	git_blob_free(new);
	git_blob_free(old);
	return ok;
}

static guint8 *patch_id_of_files(git_repository *repo, GPtrArray *files)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *hex = NULL;
	guint8 *id = g_malloc(COMMIT_OID_LEN);
	git_diff_options opt;
	gboolean ok = TRUE;

	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_INDENT_HEURISTIC;
	opt.id_abbrev = HEX;
	for (guint i = 0; ok && i < files->len; i++)
		ok = print_file(repo, files->pdata[i], &opt, text);
	if (ok)
		hex = patch_id_compute(text->str, text->len, PATCH_ID_GIT);
	if (hex && hex_bytes(hex, id))
		return id;
	g_free(id);
	return NULL;
}

static gboolean compare_modified(git_repository *repo, git_commit *c,
				 struct commit_change *change)
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) files = NULL;
	git_commit *up = NULL;

	if (git_commit_parent(&up, c, 0) == 0)
		files = tree_changed(repo, git_commit_tree_id(up),
				     git_commit_tree_id(c), MAX_DELTAS);
	git_commit_free(up);
	if (!files)
		return FALSE;
	change->paths = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < files->len; i++) {
		const struct changed_file *f = files->pdata[i];

		g_ptr_array_add(change->paths, g_strdup(f->path));
		add_pair(pairs, &f->old, &f->new);
	}
	change->patch_id = patch_id_of_files(repo, files);
	change->blobs = key_of(pairs);
	return TRUE;
}

static void compare(git_repository *repo, const guint8 *oid,
		    struct commit_change *change)
{
	git_commit *c = NULL;
	git_diff *diff = NULL;
	git_oid id;

	git_oid_fromraw(&id, oid);
	if (git_commit_lookup(&c, repo, &id) == 0 &&
	    git_commit_parentcount(c) == 1 &&
	    !compare_modified(repo, c, change))
		diff = diff_of(repo, c);
	if (diff && git_diff_num_deltas(diff) <= MAX_DELTAS) {
		find_renames(diff);
		change->patch_id = patch_id_of(diff);
		change->blobs = blobs_of(diff);
	}
	if (diff)
		change->paths = paths_of(diff);
	git_diff_free(diff);
	git_commit_free(c);
}

static void change_clear(gpointer data)
{
	struct commit_change *change = data;

	g_free(change->patch_id);
	g_free(change->blobs);
	if (change->paths)
		g_ptr_array_unref(change->paths);
}

/* ---- several at a time: git is read by threads, the database by one */

/* Commits [from, from + changes->len) of `todo`. */
struct batch {
	struct tree_sync *s;
	GArray *todo;
	guint from;
	GArray *changes; /* of struct commit_change */
	guint workers;
};

struct worker {
	struct batch *b;
	guint number;
	void *cache;
	struct git_repo *repo; /* its own */
	GThread *thread;
};

static void *work(void *data)
{
	struct worker *w = data;
	struct batch *b = w->b;

	for (guint i = w->number; i < b->changes->len; i += b->workers)
		compare(w->repo->repo,
			g_array_index(b->todo, struct uncompared, b->from + i)
				.oid,
			&g_array_index(b->changes, struct commit_change, i));
	return NULL;
}

static void compare_batch(struct batch *b, struct worker *workers)
{
	for (guint i = 1; i < b->workers; i++)
		workers[i].thread = g_thread_new("diff", work, &workers[i]);
	work(&workers[0]);
	for (guint i = 1; i < b->workers; i++)
		g_thread_join(workers[i].thread);
}

static gboolean write_batch(store *st, void *data, GError **err)
{
	struct batch *b = data;

	for (guint i = 0; i < b->changes->len; i++)
		if (!commit_store_compared(
			    st,
			    g_array_index(b->todo, struct uncompared,
					  b->from + i)
				    .row,
			    &g_array_index(b->changes, struct commit_change, i),
			    err))
			return FALSE;
	return TRUE;
}

static gboolean compare_all(struct batch *b, struct worker *workers,
			    GError **err)
{
	gboolean ok = TRUE;

	for (; ok && b->from < b->todo->len; b->from += BATCH) {
		if (tree_is_stopped(b->s, err))
			return FALSE;
		b->changes =
			g_array_new(FALSE, TRUE, sizeof(struct commit_change));
		g_array_set_clear_func(b->changes, change_clear);
		g_array_set_size(b->changes,
				 MIN(BATCH, b->todo->len - b->from));
		compare_batch(b, workers);
		ok = store_transact(b->s->st, write_batch, b, err);
		g_array_unref(b->changes);
	}
	return ok;
}

static gboolean hire(struct batch *b, struct worker *workers, GError **err)
{
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < b->workers; i++) {
		workers[i].b = b;
		workers[i].number = i;
		workers[i].cache = source_git_cache_new();
		workers[i].repo = git_repo_get(workers[i].cache,
					       b->s->setting->repository, err);
		ok = workers[i].repo != NULL;
	}
	return ok;
}

gboolean tree_compare(struct tree_sync *s, GError **err)
{
	struct worker workers[MAX_WORKERS] = {0};
	g_autoptr(GArray) todo =
		commit_store_uncompared(s->st, s->setting->tree->row, NEWEST,
					err);
	struct batch b = {.s = s, .todo = todo};
	gboolean ok;

	if (!todo || !todo->len)
		return todo != NULL;
	b.workers = todo->len < BATCH
			    ? 1
			    : MIN(g_get_num_processors(), MAX_WORKERS);
	/* the tree of one commit is the older one of the next */
	git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE,
			 (size_t)MAX_CACHED);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_BYTES);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
	ok = hire(&b, workers, err) && compare_all(&b, workers, err);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	for (guint i = 0; i < b.workers; i++) {
		git_repo_unref(workers[i].repo);
		source_git_cache_free(workers[i].cache);
	}
	return ok;
}
