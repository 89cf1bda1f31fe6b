/* archive.h - public-inbox archives made on the fly
 * repo_*: a repository; v2*: commits of version 2; v1: of version 1. */
#ifndef TESTS_BOT_ARCHIVE_H
#define TESTS_BOT_ARCHIVE_H

#include <git2.h>

#include "tests/bot/heard.h"

/* A repository under construction. */
struct repo {
	git_repository *git;
	git_oid head;
	gboolean has_head;
	gint64 time; /* of the next commit */
};

static inline struct repo repo_new(struct heard *h, const char *name,
				   gboolean bare)
{
	g_autofree char *path = g_build_filename(h->dir, name, NULL);
	git_repository_init_options opt;
	struct repo r = {.time = 1000};

	git_repository_init_options_init(&opt,
					 GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	opt.flags = GIT_REPOSITORY_INIT_MKPATH |
		    (bare ? GIT_REPOSITORY_INIT_BARE : 0);
	opt.initial_head = "master";
	ck_assert_int_eq(git_repository_init_ext(&r.git, path, &opt), 0);
	return r;
}

static inline void repo_free(struct repo *r)
{
	git_repository_free(r->git);
}

static inline git_oid blob_of(struct repo *r, const char *subject)
{
	g_autofree char *text = heard_text(subject);
	git_oid id;

	ck_assert_int_eq(git_blob_create_from_buffer(&id, r->git, text,
						     strlen(text)),
			 0);
	return id;
}

/* A commit with this tree on top of `parents`. */
static inline git_oid commit_on(struct repo *r, const git_oid *tree, guint n,
				const git_oid *parents)
{
	const git_commit *list[2];
	git_commit *got[2];
	git_signature *who;
	git_tree *t;
	git_oid id;

	ck_assert_int_eq(git_tree_lookup(&t, r->git, tree), 0);
	ck_assert_int_eq(git_signature_new(&who, "A", "a@example.org",
					   r->time++, 120),
			 0);
	for (guint i = 0; i < n; i++) {
		ck_assert_int_eq(git_commit_lookup(&got[i], r->git,
						   &parents[i]),
				 0);
		list[i] = got[i];
	}
	ck_assert_int_eq(git_commit_create(&id, r->git, NULL, who, who, NULL,
					   "message", t, n, list),
			 0);
	for (guint i = 0; i < n; i++)
		git_commit_free(got[i]);
	git_signature_free(who);
	git_tree_free(t);
	return id;
}

static inline void set_head(struct repo *r, const git_oid *id)
{
	git_reference *ref;

	ck_assert_int_eq(git_reference_create(&ref, r->git, "refs/heads/master",
					      id, TRUE, NULL),
			 0);
	git_reference_free(ref);
	r->head = *id;
	r->has_head = TRUE;
}

static inline void commit(struct repo *r, const git_oid *tree)
{
	git_oid id = commit_on(r, tree, r->has_head ? 1 : 0, &r->head);

	set_head(r, &id);
}

static inline git_oid tree_of(struct repo *r, const char *name,
			      const git_oid *blob)
{
	git_treebuilder *b;
	git_oid tree;

	ck_assert_int_eq(git_treebuilder_new(&b, r->git, NULL), 0);
	if (name)
		ck_assert_int_eq(git_treebuilder_insert(NULL, b, name, blob,
							GIT_FILEMODE_BLOB),
				 0);
	ck_assert_int_eq(git_treebuilder_write(&tree, b), 0);
	git_treebuilder_free(b);
	return tree;
}

/* ---- version 2: "m" adds, "d" removes */

static inline void v2(struct repo *r, const char *name, const char *subject)
{
	git_oid blob = blob_of(r, subject);
	git_oid tree = tree_of(r, name, &blob);

	commit(r, &tree);
}

static inline void v2_fill(struct repo *r, const char *subjects)
{
	g_auto(GStrv) words = g_strsplit(subjects, " ", -1);

	for (guint i = 0; words[i]; i++)
		v2(r, "m", words[i]);
}

/* ---- version 1: a file a message */

static inline char *v1_path(const char *subject)
{
	char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA1, subject, -1);
	char *path = g_strdup_printf("%.2s/%s", sum, sum + 2);

	g_free(sum);
	return path;
}

/* The tree that holds, under the paths of `names`, mails of `subjects`. */
static inline void v1(struct repo *r, const char *names, const char *subjects)
{
	g_auto(GStrv) at = g_strsplit(names, " ", -1);
	g_auto(GStrv) of = g_strsplit(subjects, " ", -1);
	git_index *index;
	git_oid tree;

	ck_assert_int_eq(git_index_new(&index), 0);
	for (guint i = 0; at[i] && *at[i]; i++) {
		g_autofree char *path = v1_path(at[i]);
		git_index_entry e = {.mode = GIT_FILEMODE_BLOB, .path = path};

		e.id = blob_of(r, of[i]);
		ck_assert_int_eq(git_index_add(index, &e), 0);
	}
	ck_assert_int_eq(git_index_write_tree_to(&tree, index, r->git), 0);
	git_index_free(index);
	commit(r, &tree);
}

#endif
