/* tree_tags.c - the tags of a tree, spread over what they contain
 * A tag counts once a branch has it: what was fetched by its tag alone is not
 * in the tree. */
#include <string.h>

#include "bot/trees_priv.h"

#define TAG_PREFIX   "refs/tags/"
#define NAME_MAX_LEN 255

static gint64 date_of(git_object *target, const git_commit *c)
{
	const git_signature *who =
		git_object_type(target) == GIT_OBJECT_TAG
			? git_tag_tagger((const git_tag *)target)
			: NULL;

	return who ? who->when.time : git_commit_time(c);
}

/* NULL: it is no tag of a commit, or nothing that can be shown. */
static struct stored_tag *read_tag(git_repository *repo, git_reference *ref)
{
	const char *name = git_reference_name(ref) + strlen(TAG_PREFIX);
	const git_oid *id = git_reference_target(ref);
	git_object *target = NULL, *peeled = NULL;
	struct stored_tag *t = NULL;

	if (!id || strlen(name) > NAME_MAX_LEN ||
	    !g_utf8_validate(name, -1, NULL) ||
	    git_object_lookup(&target, repo, id, GIT_OBJECT_ANY) != 0)
		return NULL;
	if (git_object_peel(&peeled, target, GIT_OBJECT_COMMIT) == 0) {
		t = g_new0(struct stored_tag, 1);
		t->name = g_strdup(name);
		t->date = date_of(target, (git_commit *)peeled);
		memcpy(t->oid, git_object_id(peeled)->id, COMMIT_OID_LEN);
	}
	git_object_free(peeled);
	git_object_free(target);
	return t;
}

static GPtrArray *read_tags(struct tree_sync *s)
{
	GPtrArray *tags =
		g_ptr_array_new_with_free_func((GDestroyNotify)stored_tag_free);
	git_reference_iterator *iter = NULL;
	git_reference *ref;

	if (git_reference_iterator_glob_new(&iter, s->repo->repo,
					    TAG_PREFIX "*") != 0)
		return tags;
	while (tags->len < TREES_MAX_TAGS &&
	       git_reference_next(&ref, iter) == 0) {
		struct stored_tag *t = read_tag(s->repo->repo, ref);

		if (t)
			g_ptr_array_add(tags, t);
		git_reference_free(ref);
	}
	git_reference_iterator_free(iter);
	return tags;
}

/* A shallow clone ends where an object is missing. */
static void push_parents(struct tree_sync *s, const guint8 *oid,
			 GByteArray *stack)
{
	const struct tree_commit *seen = g_hash_table_lookup(s->seen, oid);
	git_odb_object *obj = seen ? NULL : git_repo_object(s->repo, oid, NULL);
	gint64 date;

	if (seen && seen->parents)
		g_byte_array_append(stack, seen->parent,
				    seen->parents * COMMIT_OID_LEN);
	if (obj)
		commit_object_parents(git_odb_object_data(obj),
				      git_odb_object_size(obj), stack, &date);
	git_odb_object_free(obj);
}

/* All that the tag contains and no older one does. */
static gboolean spread(struct tree_sync *s, const struct stored_tag *t,
		       GError **err)
{
	g_autoptr(GByteArray) stack = g_byte_array_new();
	guint8 oid[COMMIT_OID_LEN];

	g_byte_array_append(stack, t->oid, COMMIT_OID_LEN);
	while (stack->len) {
		guint at = stack->len - COMMIT_OID_LEN;
		gboolean old;

		memcpy(oid, stack->data + at, COMMIT_OID_LEN);
		g_byte_array_set_size(stack, at);
		if (!commit_store_tag(s->st, s->setting->tree->row, t->row, oid,
				      &old, err))
			return FALSE;
		if (!old)
			push_parents(s, oid, stack);
	}
	return commit_store_spread(s->st, t->row, err);
}

struct tagging {
	struct tree_sync *s;
	GPtrArray *tags;
};

static gboolean take_tags(store *st, void *data, GError **err)
{
	struct tagging *g = data;
	gint64 tree = g->s->setting->tree->row;
	g_autoptr(GPtrArray) todo = NULL;

	if (!commit_store_tags(st, tree, g->tags, err))
		return FALSE;
	todo = commit_store_unspread(st, tree, err);
	for (guint i = 0; todo && i < todo->len; i++)
		if (tree_is_stopped(g->s, err) ||
		    !spread(g->s, todo->pdata[i], err))
			return FALSE;
	g->s->counts->tags += todo ? todo->len : 0;
	return todo != NULL;
}

gboolean tree_tags(struct tree_sync *s, GError **err)
{
	g_autoptr(GPtrArray) tags = read_tags(s);
	struct tagging g = {s, tags};

	return store_transact(s->st, take_tags, &g, err);
}
