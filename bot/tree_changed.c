/* tree_changed.c - which files differ between two trees, equal folders passed
 * over by their ids
 * libgit2's own diff looks at each entry of a folder in which anything
 * changed; most commits only modify a few files. */
#include <string.h>

#include "bot/trees_priv.h"

/* Two folders of the same path. */
struct pair {
	git_oid old, new;
	char *path; /* with a slash behind it, or "" */
};

static void pair_free(gpointer data)
{
	struct pair *p = data;

	g_free(p->path);
	g_free(p);
}

static void push_pair(GPtrArray *todo, const git_oid *old, const git_oid *new,
		      char *path)
{
	struct pair *p = g_new(struct pair, 1);

	p->old = *old;
	p->new = *new;
	p->path = path;
	g_ptr_array_add(todo, p);
}

void changed_file_free(gpointer data)
{
	struct changed_file *f = data;

	g_free(f->path);
	g_free(f);
}

/* The entries of one name; FALSE: more than the content differs. */
static gboolean compare_entries(const struct pair *p, const git_tree_entry *a,
				const git_tree_entry *b, GPtrArray *todo,
				GPtrArray *out)
{
	const git_oid *old = git_tree_entry_id(a), *new = git_tree_entry_id(b);
	struct changed_file *f;

	if (git_tree_entry_filemode_raw(a) != git_tree_entry_filemode_raw(b))
		return FALSE;
	if (git_oid_equal(old, new))
		return TRUE;
	if (git_tree_entry_type(a) == GIT_OBJECT_TREE) {
		push_pair(todo, old, new,
			  g_strconcat(p->path, git_tree_entry_name(a), "/",
				      NULL));
		return TRUE;
	}
	if (git_tree_entry_type(a) != GIT_OBJECT_BLOB)
		return FALSE;
	f = g_new(struct changed_file, 1);
	f->path = g_strconcat(p->path, git_tree_entry_name(a), NULL);
	f->old = *old;
	f->new = *new;
	g_ptr_array_add(out, f);
	return TRUE;
}

static gboolean compare_trees(const struct pair *p, git_tree *old,
			      git_tree *new, GPtrArray *todo, GPtrArray *out)
{
	size_t count = git_tree_entrycount(old);

	if (count != git_tree_entrycount(new))
		return FALSE;
	for (size_t i = 0; i < count; i++) {
		const git_tree_entry *a = git_tree_entry_byindex(old, i);
		const git_tree_entry *b = git_tree_entry_byindex(new, i);

		if (strcmp(git_tree_entry_name(a), git_tree_entry_name(b)) ||
		    !compare_entries(p, a, b, todo, out))
			return FALSE;
	}
	return TRUE;
}

static gboolean compare_pair(git_repository *repo, const struct pair *p,
			     GPtrArray *todo, GPtrArray *out)
{
	git_tree *old = NULL, *new = NULL;
	gboolean ok = git_tree_lookup(&old, repo, &p->old) == 0 &&
		      git_tree_lookup(&new, repo, &p->new) == 0 &&
		      compare_trees(p, old, new, todo, out);

	git_tree_free(old);
	git_tree_free(new);
	return ok;
}

static int by_path(gconstpointer a, gconstpointer b)
{
	return strcmp((*(struct changed_file *const *)a)->path,
		      (*(struct changed_file *const *)b)->path);
}

GPtrArray *tree_changed(git_repository *repo, const git_oid *old,
			const git_oid *new, guint max)
{
	g_autoptr(GPtrArray) todo = g_ptr_array_new_with_free_func(pair_free);
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func(changed_file_free);
	gboolean ok = TRUE;

	push_pair(todo, old, new, g_strdup(""));
	while (ok && todo->len) {
		struct pair *p =
			g_ptr_array_steal_index_fast(todo, todo->len - 1);

		ok = compare_pair(repo, p, todo, out) && out->len <= max;
		pair_free(p);
	}
	if (!ok)
		return NULL;
	g_ptr_array_sort(out, by_path);
	return g_steal_pointer(&out);
}
