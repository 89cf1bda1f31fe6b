/* commits.c - the questions of commits.h: nothing is known yet */
#include "db/commits.h"

#include "db/db_priv.h"

GPtrArray *trees_load(store *st, GError **err)
{
	return g_ptr_array_new();
}

char *tree_file(store *st, const char *tree, const char *path, char **oid,
		GError **err)
{
	return NULL;
}

struct commit *commit_find(store *st, const char *prefix, const char *subject,
			   gboolean *many, GError **err)
{
	return NULL;
}

GPtrArray *commits_by_title(store *st, const char *title, const char *author,
			    GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commit_files(store *st, const struct commit *c, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commits_saying(store *st, enum commit_says says, const char *id,
			  GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commits_linking(store *st, const char *mid, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commits_linking_url(store *st, const char *url, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commit_sayings(store *st, const struct commit *c, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commits_of_patch(store *st, const char *mid, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *patches_of_commit(store *st, const struct commit *c, GError **err)
{
	return g_ptr_array_new();
}

GPtrArray *commit_places(store *st, const struct commit *c, GError **err)
{
	return g_ptr_array_new();
}

struct commit *commit_follow(store *st, const struct commit *c,
			     enum commit_same *same, GError **err)
{
	return NULL;
}

char *commit_describe(store *st, const struct commit *c, GError **err)
{
	return NULL;
}

struct tag *tag_find(store *st, const char *name, GError **err)
{
	return NULL;
}

GPtrArray *tags_load(store *st, const char *tree, GError **err)
{
	return g_ptr_array_new();
}

void tree_free(struct tree *t)
{
	g_free(t);
}

void commit_free(struct commit *c)
{
	g_free(c);
}

void commit_saying_free(struct commit_saying *s)
{
	g_free(s);
}

void commit_link_free(struct commit_link *l)
{
	g_free(l);
}

void commit_place_free(struct commit_place *p)
{
	g_free(p);
}

void tag_free(struct tag *t)
{
	g_free(t);
}

const char *tree_role_name(enum tree_role role)
{
	return "";
}

const char *commit_evidence_name(enum commit_evidence e)
{
	return "";
}

const char *commit_same_name(enum commit_same same)
{
	return "";
}
