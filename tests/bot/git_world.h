/* git_world.h - small repositories made by git itself, and a database
 * Scripts run in the test's folder, with invented people and a clock that
 * moves a day with each commit. */
#ifndef TESTS_BOT_GIT_WORLD_H
#define TESTS_BOT_GIT_WORLD_H

#include <string.h>

#include "db/problems.h"

#include "bot/trees.h"

#include "tests/bot/box.h"
#include "tests/folder.h"

#define NOW 1700000000

static store *st;
static GPtrArray *settings;
static struct trees_counts counts;

static const char prelude[] =
	"set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
	"GIT_AUTHOR_NAME='Ann Other' GIT_AUTHOR_EMAIL=ann@example.org "
	"GIT_COMMITTER_NAME='Max Taker' GIT_COMMITTER_EMAIL=max@example.org\n"
	"touch day\n"
	"tick() { echo x >>day; d=$(wc -l <day); "
	"GIT_AUTHOR_DATE=\"$((1577836800 + d * 86400)) +0100\"; "
	"GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE; "
	"export GIT_AUTHOR_DATE GIT_COMMITTER_DATE; }\n"
	"repo() { git init -q -b master \"$1\"; }\n"
	/* c REPO FILE TITLE [BODY]: a commit that adds a line */
	"c() { tick; echo \"$3\" >>$1/$2; git -C $1 add $2; "
	"if [ -n \"$4\" ]; then git -C $1 commit -qm \"$3\" -m \"$4\"; "
	"else git -C $1 commit -qm \"$3\"; fi; }\n";

/* Run a shell script; its output, without the last newline. */
static inline char *sh(const char *script)
{
	g_autofree char *all = g_strconcat(prelude, script, NULL);
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", all, NULL};
	g_autoptr(GError) err = NULL;
	g_autofree char *said = NULL;
	char *out = NULL;
	int status = 0;

	ck_assert_msg(g_spawn_sync(dir, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL,
				   &out, &said, &status, &err),
		      "%s", err ? err->message : "");
	ck_assert_msg(status == 0, "%s: %s%s", script, out, said);
	return g_strchomp(out);
}

static inline void do_sh(const char *script)
{
	g_free(sh(script));
}

/* Settings: `text` with %s for the folder. */
static inline void configure(const char *text)
{
	g_autofree char *file = in_dir("culprit.conf");
	g_autofree char *db = in_dir("c.db");
	g_auto(GStrv) parts = g_strsplit(text, "%s", -1);
	g_autofree char *whole = g_strjoinv(dir, parts);
	g_autoptr(GError) err = NULL;
	g_autoptr(config) c = NULL;

	ck_assert(g_file_set_contents(file, whole, -1, NULL));
	c = config_load(file, &err);
	ck_assert_msg(c != NULL, "%s", err ? err->message : "");
	g_clear_pointer(&settings, g_ptr_array_unref);
	settings = trees_settings(c, db, &err);
	ck_assert_msg(settings != NULL, "%s", err ? err->message : "");
	ck_assert(trees_configure(st, settings, NULL));
}

/* All trees; what went wrong, NULL if nothing did. */
static inline char *sync_at(gint64 now)
{
	const struct trees_options opt = {.now = now};
	char *wrong = NULL;

	memset(&counts, 0, sizeof(counts));
	for (guint i = 0; i < settings->len; i++) {
		g_autoptr(GError) err = NULL;

		if (trees_sync(st, settings->pdata[i], &opt, &counts, &err))
			continue;
		g_free(wrong);
		wrong = g_strdup(err->message);
	}
	return wrong;
}

static inline void sync_all(void)
{
	g_autofree char *wrong = sync_at(NOW);

	ck_assert_msg(!wrong, "%s", wrong);
}

/* The commit of this title; yours. */
static inline struct commit *titled(const char *title)
{
	g_autoptr(GPtrArray) some = commits_by_title(st, title, NULL, NULL);

	ck_assert_ptr_nonnull(some);
	ck_assert_msg(some->len > 0, "%s: no such commit", title);
	return g_ptr_array_steal_index(some, 0);
}

static inline struct commit *by_id(const char *id)
{
	struct commit *c = commit_find(st, id, NULL, NULL, NULL);

	ck_assert_msg(c != NULL, "%s", id);
	return c;
}

/* "TREE yes BRANCH TAG SAME, TREE no, TREE ?" of a commit. */
static inline char *places_of(const struct commit *c)
{
	g_autoptr(GPtrArray) all = commit_places(st, c, NULL);
	GString *out = g_string_new(NULL);

	ck_assert_ptr_nonnull(all);
	for (guint i = 0; i < all->len; i++) {
		const struct commit_place *p = all->pdata[i];

		g_string_append_printf(out, "%s%s %s", i ? ", " : "",
				       p->tree->name,
				       p->present == KNOWN_NOT	 ? "?"
				       : p->present == KNOWN_YES ? "yes"
								 : "no");
		if (p->commit)
			g_string_append_printf(out, " %s %s %s%s", p->branch,
					       p->tag ? p->tag : "-",
					       commit_same_name(p->same),
					       p->left ? " left" : "");
	}
	return g_string_free(out, FALSE);
}

static inline void want_places(const char *title, const char *want)
{
	g_autoptr(commit_auto) c = titled(title);
	g_autofree char *got = places_of(c);

	ck_assert_str_eq(got, want);
}

/* A mail into the database. */
static inline void mail(const char *text)
{
	g_autoptr(GBytes) raw = g_bytes_new(text, strlen(text));
	g_autoptr(GError) err = NULL;

	ck_assert_msg(store_transact(st, box_add, raw, &err), "%s",
		      err ? err->message : "");
}

/* "EVIDENCE TITLE, ..." of the commits of a patch mail. */
static inline char *became(const char *mid)
{
	g_autoptr(GPtrArray) links = commits_of_patch(st, mid, NULL);
	GString *out = g_string_new(NULL);

	ck_assert_ptr_nonnull(links);
	for (guint i = 0; i < links->len; i++) {
		const struct commit_link *l = links->pdata[i];

		g_string_append_printf(out, "%s%s %s", i ? ", " : "",
				       commit_evidence_name(l->evidence),
				       l->commit->subject);
	}
	return g_string_free(out, FALSE);
}

static inline void want_became(const char *mid, const char *want)
{
	g_autofree char *got = became(mid);

	ck_assert_str_eq(got, want);
}

static inline void world_setup(void)
{
	g_autoptr(GError) err = NULL;

	make_dir();
	st = store_open(":memory:", STORE_WRITE, &err);
	ck_assert_msg(st != NULL, "%s", err ? err->message : "");
}

static inline void world_teardown(void)
{
	g_clear_pointer(&settings, g_ptr_array_unref);
	store_close(st);
	remove_dir();
}

#endif
