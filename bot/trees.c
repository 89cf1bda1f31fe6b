/* trees.c - one tree: fetched, its branches walked, tags, changes, files
 * What is in the database is as it was before, or as it is now in the tree,
 * branch by branch. */
#include "bot/trees.h"

#include <fnmatch.h>
#include <string.h>

#include "bot/source.h"
#include "bot/trees_priv.h"

#define HEAD_PREFIX  "refs/heads/"
#define NAME_MAX_LEN 255

G_DEFINE_QUARK(culprit - trees - error, trees_error)

/* A branch that counts. */
struct branch {
	char *name;
	guint pattern;	 /* the first one that it fits */
	gboolean broken; /* its head can't be read */
	guint8 head[COMMIT_OID_LEN];
};

static void branch_free(gpointer data)
{
	struct branch *b = data;

	g_free(b->name);
	g_free(b);
}

/* ---- which branches */

/* What HEAD says, where nothing else is said. */
static char *head_branch(git_repository *repo)
{
	git_reference *ref = NULL;
	char *name = NULL;

	if (git_reference_lookup(&ref, repo, "HEAD") == 0 &&
	    git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC &&
	    g_str_has_prefix(git_reference_symbolic_target(ref), HEAD_PREFIX))
		name = g_strdup(git_reference_symbolic_target(ref) +
				strlen(HEAD_PREFIX));
	git_reference_free(ref);
	return name;
}

static char **patterns_of(const struct tree_sync *s)
{
	static const char *const stable[] = {"linux-*.y", NULL};
	const struct tree_setting *t = s->setting;
	GPtrArray *list;

	if (t->branches[0])
		return g_strdupv(t->branches);
	if (t->tree->role == TREE_STABLE)
		return g_strdupv((char **)stable);
	list = g_ptr_array_new();
	g_ptr_array_add(list, g_strdup("master"));
	g_ptr_array_add(list, g_strdup("main"));
	if (!t->remote) {
		char *name = head_branch(s->repo->repo);

		if (name)
			g_ptr_array_insert(list, 0, name);
	}
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* -1: it does not count. */
static int pattern_of(char **patterns, const char *name)
{
	for (int i = 0; patterns[i]; i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return i;
	return -1;
}

static struct branch *read_branch(git_reference *ref, char **patterns)
{
	const char *name = git_reference_name(ref) + strlen(HEAD_PREFIX);
	git_object *peeled = NULL;
	struct branch *b;
	int pattern;

	if (strlen(name) > NAME_MAX_LEN || !g_utf8_validate(name, -1, NULL))
		return NULL;
	pattern = pattern_of(patterns, name);
	if (pattern < 0)
		return NULL;
	b = g_new0(struct branch, 1);
	b->name = g_strdup(name);
	b->pattern = (guint)pattern;
	b->broken = git_reference_peel(&peeled, ref, GIT_OBJECT_COMMIT) != 0;
	if (!b->broken)
		memcpy(b->head, git_object_id(peeled)->id, COMMIT_OID_LEN);
	git_object_free(peeled);
	return b;
}

static int by_pattern(gconstpointer a, gconstpointer b)
{
	const struct branch *x = *(struct branch *const *)a;
	const struct branch *y = *(struct branch *const *)b;

	if (x->pattern != y->pattern)
		return x->pattern < y->pattern ? -1 : 1;
	return strverscmp(x->name, y->name);
}

/* Was there ever one that fits? Then it is gone. */
static gboolean was_any(const struct tree_sync *s, char **patterns,
			gboolean *any, GError **err)
{
	g_autoptr(GPtrArray) known =
		commit_store_branches(s->st, s->setting->tree->row, err);

	*any = FALSE;
	for (guint i = 0; known && i < known->len; i++) {
		const struct stored_branch *b = known->pdata[i];

		*any |= pattern_of(patterns, b->name) >= 0;
	}
	return known != NULL;
}

/* What can't be told apart from branches that are gone is an error. */
static gboolean are_enough(const struct tree_sync *s, GPtrArray *found,
			   guint seen, char **patterns, GError **err)
{
	g_autofree char *wanted = NULL;
	gboolean any;

	if (found->len > TREES_MAX_BRANCHES) {
		g_set_error(err, TREES_ERROR, TREES_ERROR_UNREAD,
			    "tree %s: more than %d branches count; set "
			    "branches",
			    s->setting->tree->name, TREES_MAX_BRANCHES);
		return FALSE;
	}
	if (found->len || !seen)
		return TRUE;
	if (!was_any(s, patterns, &any, err) || any)
		return any;
	wanted = g_strjoinv(" ", patterns);
	g_set_error(err, TREES_ERROR, TREES_ERROR_UNREAD,
		    "tree %s: none of its branches fits %s; set branches",
		    s->setting->tree->name, wanted);
	return FALSE;
}

static GPtrArray *find_branches(const struct tree_sync *s, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(branch_free);
	g_auto(GStrv) patterns = patterns_of(s);
	git_reference_iterator *iter = NULL;
	git_reference *ref;
	struct branch *b;
	guint seen = 0;

	if (git_reference_iterator_glob_new(&iter, s->repo->repo,
					    HEAD_PREFIX "*") != 0)
		return g_steal_pointer(&out);
	while (out->len <= TREES_MAX_BRANCHES &&
	       git_reference_next(&ref, iter) == 0) {
		seen++;
		b = read_branch(ref, patterns);
		if (b)
			g_ptr_array_add(out, b);
		git_reference_free(ref);
	}
	git_reference_iterator_free(iter);
	if (!are_enough(s, out, seen, patterns, err))
		return NULL;
	g_ptr_array_sort(out, by_pattern);
	/* of the names that a branch of its kind usually has, one */
	if (!s->setting->branches[0] && s->setting->tree->role != TREE_STABLE &&
	    out->len > 1)
		g_ptr_array_set_size(out, 1);
	return g_steal_pointer(&out);
}

/* ---- branches that are no more */

struct dropping {
	struct tree_sync *s;
	GPtrArray *branches;
};

static gboolean is_there(GPtrArray *branches, const char *name)
{
	for (guint i = 0; i < branches->len; i++)
		if (g_str_equal(((struct branch *)branches->pdata[i])->name,
				name))
			return TRUE;
	return FALSE;
}

static gboolean drop_branches(store *st, void *data, GError **err)
{
	struct dropping *d = data;
	g_autoptr(GPtrArray) known =
		commit_store_branches(st, d->s->setting->tree->row, err);

	for (guint i = 0; known && i < known->len; i++) {
		const struct stored_branch *b = known->pdata[i];

		if (!b->has_head || is_there(d->branches, b->name))
			continue;
		if (!commit_store_all_gone(st, b->row, d->s->opt->now, err) ||
		    !commit_store_head(st, b->row, NULL, err))
			return FALSE;
	}
	return known != NULL;
}

/* ---- */

static gboolean mark_looked(store *st, void *data, GError **err)
{
	struct tree_sync *s = data;
	const struct code_tree *t = s->setting->tree;

	return commit_store_problem(st, t->name, NULL, err) &&
	       commit_store_looked(st, t->row, s->opt->now,
				   MAX(t->since, s->cut), err);
}

/* Asked for more than it was read for, or it ended too early: from the
 * beginning. */
static gboolean find_depth(struct tree_sync *s, GError **err)
{
	const struct code_tree *t = s->setting->tree;
	gint64 since;

	if (!commit_store_since(s->st, t->row, &since, err))
		return FALSE;
	s->deep = since && t->since < since;
	return TRUE;
}

static gboolean take_branches(struct tree_sync *s, GPtrArray *branches,
			      GError **err)
{
	struct dropping d = {s, branches};

	for (guint i = 0; i < branches->len; i++) {
		const struct branch *b = branches->pdata[i];

		if (!b->broken && !tree_walk(s, b->name, b->head, err))
			return FALSE;
	}
	return store_transact(s->st, drop_branches, &d, err);
}

static gboolean are_whole(const struct tree_sync *s, GPtrArray *branches,
			  GError **err)
{
	for (guint i = 0; i < branches->len; i++) {
		const struct branch *b = branches->pdata[i];

		if (!b->broken)
			continue;
		g_set_error(err, TREES_ERROR, TREES_ERROR_UNREAD,
			    "tree %s: the head of %s can't be read",
			    s->setting->tree->name, b->name);
		return FALSE;
	}
	return TRUE;
}

static gboolean take_all(struct tree_sync *s, GError **err)
{
	g_autoptr(GPtrArray) branches = find_branches(s, err);

	return branches && find_depth(s, err) &&
	       take_branches(s, branches, err) && tree_tags(s, err) &&
	       are_whole(s, branches, err) &&
	       (!branches->len ||
		tree_texts(s, ((struct branch *)branches->pdata[0])->head,
			   err)) &&
	       store_transact(s->st, mark_looked, s, err) &&
	       tree_compare(s, err);
}

/* "tree NAME: WHY" whoever says so; of the database, as it is. */
static GError *name_tree(const struct tree_setting *t, GError *why)
{
	GError *named;

	if (why->domain == TREES_ERROR || why->domain == STORE_ERROR)
		return why;
	named = g_error_new(TREES_ERROR, TREES_ERROR_UNREAD, "tree %s: %s",
			    t->tree->name, why->message);
	g_error_free(why);
	return named;
}

struct failing {
	const struct tree_setting *t;
	const GError *why;
};

static gboolean note_problem(store *st, void *data, GError **err)
{
	struct failing *f = data;

	return commit_store_problem(st, f->t->tree->name, f->why->message, err);
}

static gboolean sync_one(struct tree_sync *s, GError **err)
{
	const struct tree_setting *t = s->setting;
	void *cache = source_git_cache_new();
	gboolean ok = FALSE;

	s->repo = git_repo_get(cache, t->repository, err);
	s->seen = tree_seen_new();
	if (s->repo)
		ok = take_all(s, err);
	g_hash_table_unref(s->seen);
	git_repo_unref(s->repo);
	source_git_cache_free(cache);
	return ok;
}

gboolean trees_sync(store *st, const struct tree_setting *t,
		    const struct trees_options *opt,
		    struct trees_counts *counts, GError **err)
{
	struct tree_sync s = {.st = st,
			      .setting = t,
			      .opt = opt,
			      .counts = counts};
	GError *why = NULL;
	struct failing f = {t, NULL};
	gboolean fetched = !t->remote || tree_fetch(t, opt->stopped, &why);

	if (opt->lock)
		g_mutex_lock(opt->lock);
	if (!fetched || !sync_one(&s, &why))
		f.why = why = name_tree(t, why);
	if (why && why->domain != STORE_ERROR &&
	    !g_error_matches(why, TREES_ERROR, TREES_ERROR_STOPPED))
		store_transact(st, note_problem, &f, NULL);
	if (opt->lock)
		g_mutex_unlock(opt->lock);
	if (!why)
		return TRUE;
	g_propagate_error(err, why);
	return FALSE;
}

static gboolean configure(store *st, void *data, GError **err)
{
	GPtrArray *settings = data;
	g_autoptr(GPtrArray) trees = g_ptr_array_new();

	for (guint i = 0; i < settings->len; i++)
		g_ptr_array_add(
			trees,
			((struct tree_setting *)settings->pdata[i])->tree);
	return commit_store_trees(st, trees, err);
}

gboolean trees_configure(store *st, GPtrArray *settings, GError **err)
{
	return store_transact(st, configure, settings, err);
}
