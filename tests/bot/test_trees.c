/* test_trees.c - git trees taken in: what is new, what was rewritten, where
 * a commit is, clones of URLs */
#include <glib/gstdio.h>

#include "tests/bot/git_world.h"

#define ONE "[tree mainline]\npath=%s/a\nbranches=master\n"
#define TWO                                                           \
	ONE "[tree stable]\npath=%s/s\nbranches=linux-*.y\norder=1\n" \
	    "[tree next]\npath=%s/n\nbranches=master\norder=-1\n"

/* ---- what is new */

START_TEST(commits_come_once)
{
	g_autoptr(commit_auto) c = NULL;
	g_autoptr(GPtrArray) files = NULL;

	do_sh("repo a; c a f first; c a f second 'Reported-by: Rae "
	      "Porter <rae@example.org>'");
	configure(ONE);
	sync_all();
	ck_assert_uint_eq(counts.commits, 2);
	sync_all();
	ck_assert_uint_eq(counts.commits, 0);
	do_sh("c a g third");
	sync_all();
	ck_assert_uint_eq(counts.commits, 1);
	c = titled("second");
	ck_assert_str_eq(c->author_name, "Ann Other");
	ck_assert_str_eq(c->author_address, "ann@example.org");
	ck_assert_str_eq(c->trailers,
			 "Reported-by: Rae Porter <rae@example.org>");
	ck_assert_int_eq(c->author_date, 1577836800 + 2 * 86400);
	files = commit_files(st, c, NULL);
	ck_assert_uint_eq(files->len, 1);
	ck_assert_str_eq(files->pdata[0], "f");
}
END_TEST

START_TEST(patch_ids_are_those_of_git)
{
	g_autofree char *want = NULL;
	g_autoptr(commit_auto) c = NULL;

	do_sh("repo a; for i in 1 2 3 4 5 6 7 8 9; do echo $i; done >a/long; "
	      "c a long one; git -C a mv long far; c a f moved");
	want = sh("git -C a show -M | git patch-id --stable | cut -c1-40");
	configure(ONE);
	sync_all();
	c = titled("moved");
	ck_assert_str_eq(c->patch_id, want);
}
END_TEST

START_TEST(an_empty_tree_has_nothing)
{
	do_sh("repo a; repo b; c b f first");
	configure(ONE "[tree other]\npath=%s/b\n");
	sync_all();
	want_places("first", "mainline no, other yes master - id");
}
END_TEST

START_TEST(ids_abbreviated_and_ambiguous)
{
	g_autofree char *id = NULL;
	g_autoptr(commit_auto) c = NULL;
	gboolean many;

	do_sh("repo a; c a f first; c a f second");
	configure(ONE);
	sync_all();
	id = sh("git -C a rev-parse HEAD");
	for (gsize len = 7; len <= 40; len++) {
		g_autofree char *up = g_ascii_strup(id, (gssize)len);
		g_autoptr(commit_auto) found =
			commit_find(st, up, NULL, &many, NULL);

		ck_assert_ptr_nonnull(found);
		ck_assert_str_eq(found->id, id);
	}
	id[6] = '\0';
	c = commit_find(st, id, NULL, &many, NULL);
	ck_assert_ptr_null(c);
	ck_assert(!many);
}
END_TEST

/* ---- merges and tags */

START_TEST(the_merge_brings_it_in)
{
	g_autoptr(commit_auto) side = NULL;
	g_autoptr(GPtrArray) places = NULL;
	const struct commit_place *p;

	do_sh("repo a; c a f base; git -C a tag v1.0-rc1; "
	      "git -C a checkout -qb side; c a g aside; "
	      "git -C a checkout -q master; c a f middle; tick; "
	      "git -C a tag -am x v1.0; tick; "
	      "git -C a merge -q --no-ff -m merged side; "
	      "c a f behind; tick; git -C a tag -am x v1.1");
	configure(ONE);
	sync_all();
	side = titled("aside");
	places = commit_places(st, side, NULL);
	p = places->pdata[0];
	ck_assert_int_eq(p->merged, 1577836800 + 5 * 86400);
	want_places("aside", "mainline yes master v1.1 id");
	want_places("base", "mainline yes master v1.0-rc1 id");
	want_places("middle", "mainline yes master v1.0 id");
}
END_TEST

START_TEST(tags_of_the_same_second)
{
	do_sh("repo a; c a f one; export GIT_COMMITTER_DATE='1600000000 +0000';"
	      "git -C a tag -am x v1.0-rc1; "
	      "GIT_AUTHOR_DATE=$GIT_COMMITTER_DATE; echo 2 >>a/f; "
	      "git -C a commit -qam two; git -C a tag -am x v1.0; "
	      "git -C a tag -am x v1.1-rc1");
	configure(ONE);
	sync_all();
	want_places("one", "mainline yes master v1.0-rc1 id");
	want_places("two", "mainline yes master v1.0 id");
}
END_TEST

START_TEST(tags_that_come_late_move_or_go)
{
	do_sh("repo a; c a f one; c a f two; tick; git -C a tag -am x v2");
	configure(ONE);
	sync_all();
	want_places("one", "mainline yes master v2 id");
	do_sh("GIT_COMMITTER_DATE='1577900000 +0000' "
	      "git -C a tag -am x v1 master~1");
	sync_all();
	want_places("one", "mainline yes master v1 id");
	want_places("two", "mainline yes master v2 id");
	do_sh("git -C a tag -d v1; git -C a tag no-digits master~1");
	sync_all();
	want_places("one", "mainline yes master v2 id");
}
END_TEST

/* A tag may be fetched before the branch that it is in. */
START_TEST(a_tag_alone_puts_nothing_into_a_tree)
{
	g_autoptr(tag_auto) t = NULL;

	do_sh("repo a; c a f one; git -C a checkout -qb ahead; c a f two; "
	      "git -C a tag v9; git -C a checkout -q master; "
	      "git -C a branch -qD ahead");
	configure(ONE);
	sync_all();
	ck_assert_uint_eq(counts.commits, 1);
	want_places("one", "mainline yes master - id");
	t = tag_find(st, "v9", NULL);
	ck_assert_ptr_nonnull(t);
	ck_assert(!t->in_branch);
	do_sh("git -C a merge -q v9");
	sync_all();
	want_places("two", "mainline yes master v9 id");
}
END_TEST

/* ---- rewritten */

START_TEST(a_rebased_commit_is_followed)
{
	g_autofree char *old = NULL, *new = NULL, *got = NULL;
	g_autoptr(commit_auto) was = NULL, now = NULL;
	enum commit_same same;

	do_sh("repo a; c a f base; git -C a checkout -qb topic; c a g work; "
	      "git -C a checkout -q master; c a f base2; "
	      "git -C a checkout -q topic");
	configure("[tree next]\npath=%s/a\nbranches=topic\n");
	sync_all();
	old = sh("git -C a rev-parse topic");
	do_sh("tick; git -C a rebase -q master");
	new = sh("git -C a rev-parse topic");
	sync_all();
	ck_assert_uint_eq(counts.rewritten, 1);
	ck_assert_uint_eq(counts.gone, 1);
	was = by_id(old);
	now = commit_follow(st, was, &same, NULL);
	ck_assert_ptr_nonnull(now);
	ck_assert_str_eq(now->id, new);
	ck_assert_int_eq(same, SAME_CHANGE);
	got = places_of(was);
	ck_assert_str_eq(got, "next yes topic - change");
}
END_TEST

START_TEST(an_amended_commit_is_followed)
{
	g_autofree char *old = NULL;
	g_autoptr(commit_auto) was = NULL, now = NULL;
	enum commit_same same;

	do_sh("repo a; c a f base; c a g work");
	configure(ONE);
	sync_all();
	old = sh("git -C a rev-parse master");
	do_sh("tick; echo more >>a/g; git -C a commit -qa --amend --no-edit");
	sync_all();
	was = by_id(old);
	now = commit_follow(st, was, &same, NULL);
	ck_assert_ptr_nonnull(now);
	ck_assert_int_eq(same, SAME_AMENDED);
	ck_assert_ptr_null(commit_follow(st, now, &same, NULL));
}
END_TEST

START_TEST(what_was_dropped_was_there_until)
{
	g_autofree char *wrong = NULL;

	do_sh("repo a; c a f base; c a g work");
	configure(ONE);
	sync_all();
	/* also where git has forgotten it */
	do_sh("git -C a reset -q --hard HEAD~1; "
	      "git -C a reflog expire --expire=now --all; "
	      "git -C a gc -q --prune=now");
	wrong = sync_at(NOW + 5);
	ck_assert_ptr_null(wrong);
	ck_assert_uint_eq(counts.gone, 1);
	want_places("work", "mainline no master - id left");
	want_places("base", "mainline yes master - id");
	do_sh("c a g again");
	sync_all();
	ck_assert_uint_eq(counts.rewritten, 0);
}
END_TEST

START_TEST(a_branch_that_vanished)
{
	do_sh("repo s; c s f base; git -C s checkout -qb linux-1.y; "
	      "c s f old; git -C s checkout -qb linux-2.y; c s f new");
	configure("[tree stable]\npath=%s/s\n");
	sync_all();
	want_places("old", "stable yes linux-1.y - id");
	do_sh("git -C s branch -qD linux-1.y");
	sync_all();
	want_places("old", "stable yes linux-2.y - id");
	do_sh("git -C s checkout -q master; git -C s branch -qD linux-2.y");
	sync_all();
	want_places("old", "stable no linux-1.y - id left");
}
END_TEST

/* ---- other trees */

static char *own_id(const char *title)
{
	g_autoptr(commit_auto) c = titled(title);

	return g_strdup(c->id);
}

static void make_three(void)
{
	do_sh("repo a; c a f base; git clone -q a s; git clone -q a n; "
	      "git -C s checkout -qb linux-1.y; c a f broken; "
	      "c a g 'mend: it' \"Fixes: $(git -C a rev-parse --short=12 "
	      "HEAD) (\\\"broken\\\")\"; c a h picked; tick; "
	      "git -C a tag -am x v1; git -C s fetch -q ../a master; tick; "
	      "git -C s cherry-pick -x FETCH_HEAD >/dev/null; tick; "
	      "echo backported >>s/g; git -C s add g; "
	      "git -C s commit -qm 'mend: it' -m \"commit "
	      "$(git -C a rev-parse HEAD~1) upstream.\"; "
	      "git -C s tag -am x v0.1");
	configure(TWO);
}

START_TEST(picked_and_backported)
{
	g_autoptr(GPtrArray) fixes = NULL;
	g_autofree char *broken = NULL, *wrong = NULL;

	make_three();
	wrong = sync_at(NOW);
	ck_assert_ptr_null(wrong);
	want_places("broken", "mainline yes master v1 id, next no, stable no");
	want_places("picked", "mainline yes master v1 id, next no, "
			      "stable yes linux-1.y v0.1 picked");
	want_places("mend: it", "mainline yes master v1 id, next no, "
				"stable yes linux-1.y v0.1 backport");
	broken = own_id("broken");
	fixes = commits_saying(st, SAYS_FIXES, broken, NULL);
	ck_assert_uint_eq(fixes->len, 1);
	ck_assert_str_eq(
		((struct commit_saying *)fixes->pdata[0])->commit->subject,
		"mend: it");
}
END_TEST

START_TEST(a_revert_says_so)
{
	g_autoptr(GPtrArray) by = NULL;
	g_autofree char *id = NULL;

	do_sh("repo a; c a f base; c a f bad; tick; "
	      "git -C a revert --no-edit HEAD >/dev/null");
	configure(ONE);
	sync_all();
	id = own_id("bad");
	by = commits_saying(st, SAYS_REVERTS, id, NULL);
	ck_assert_uint_eq(by->len, 1);
	ck_assert_str_eq(
		((struct commit_saying *)by->pdata[0])->commit->subject,
		"Revert \"bad\"");
}
END_TEST

START_TEST(not_looked_is_not_no)
{
	g_autofree char *wrong = NULL;

	do_sh("repo a; c a f base; c a f new");
	configure(ONE "[tree stable]\npath=%s/nothing\n");
	wrong = sync_at(NOW);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_ptr_nonnull(strstr(wrong, "tree stable: "));
	want_places("base", "mainline yes master - id, stable ?");
	/* read, but not so far back */
	do_sh("repo nothing; tick; c nothing f later");
	configure(ONE "[tree stable]\npath=%s/nothing\nbranches=master\n"
		      "since=2020-01-03\n");
	sync_all();
	want_places("base", "mainline yes master - id, stable ?");
	want_places("new", "mainline yes master - id, stable no");
}
END_TEST

START_TEST(asked_to_look_further_back)
{
	do_sh("repo a; c a f one; c a f two; c a f three");
	configure(ONE "since=2020-01-04\n");
	sync_all();
	ck_assert_uint_eq(counts.commits, 1);
	configure(ONE);
	sync_all();
	ck_assert_uint_eq(counts.commits, 2);
	want_places("one", "mainline yes master - id");
}
END_TEST

/* ---- branch names */

START_TEST(names_that_want_to_be_more)
{
	do_sh("repo a; c a f base; id=$(git -C a rev-parse HEAD); for n in "
	      "'--upload-pack=touch x' '-x' 'a;touch${IFS}x' '$(touch x)' "
	      "\"a'b\" 'a/b/c' 'h\xc3\xa9' 'a\xff'; do git -C a update-ref "
	      "\"refs/heads/$n\" $id || :; done; c a f tip");
	configure("[tree hostile]\nurl=file://%s/a\nbranches=* \n");
	sync_all();
	want_places("tip", "hostile yes master - id");
	ck_assert(!exists("x"));
}
END_TEST

START_TEST(a_name_does_not_lead_out_of_the_folder)
{
	do_sh("repo a; c a f base");
	configure("[tree ../../evil]\nurl=file://%s/a\n");
	sync_all();
	ck_assert(exists("c.db-trees/%..%2F..%2Fevil.git/HEAD"));
}
END_TEST

/* ---- clones */

START_TEST(a_clone_that_vanished_comes_again)
{
	do_sh("repo a; c a f base");
	configure("[tree far]\nurl=%s/a\n");
	sync_all();
	ck_assert(exists("c.db-trees/far.git/HEAD"));
	do_sh("rm -rf c.db-trees; c a f more");
	sync_all();
	ck_assert_uint_eq(counts.commits, 1);
	ck_assert_uint_eq(counts.rewritten, 0);
	want_places("base", "far yes master - id");
	do_sh("rm -rf c.db-trees/far.git/objects; c a f again");
	sync_all();
	want_places("again", "far yes master - id");
}
END_TEST

START_TEST(a_place_that_vanished_is_told)
{
	g_autofree char *wrong = NULL;
	g_autoptr(GPtrArray) problems = NULL;

	do_sh("repo a; c a f base");
	configure("[tree far]\nurl=file://%s/a\n");
	sync_all();
	do_sh("mv a b");
	wrong = sync_at(NOW + 10);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_ptr_nonnull(strstr(wrong, "tree far: git: "));
	want_places("base", "far yes master - id");
	problems = problems_load(st, NULL);
	ck_assert_uint_eq(problems->len, 1);
	ck_assert_str_eq(((struct problem *)problems->pdata[0])->kind, "tree");
	do_sh("mv b a");
	sync_all();
	g_ptr_array_unref(problems);
	problems = problems_load(st, NULL);
	ck_assert_uint_eq(problems->len, 0);
}
END_TEST

START_TEST(without_git_local_trees_are_read)
{
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	g_autofree char *wrong = NULL;

	do_sh("repo a; c a f base; git clone -q a b");
	configure(ONE "[tree far]\nurl=file://%s/b\n");
	g_setenv("PATH", dir, TRUE);
	wrong = sync_at(NOW);
	g_setenv("PATH", path, TRUE);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_ptr_nonnull(strstr(wrong, "git can't be started"));
	want_places("base", "mainline yes master - id, far ?");
}
END_TEST

START_TEST(protocols_that_run_programs_are_refused)
{
	g_autofree char *wrong = NULL;

	configure("[tree evil]\nurl=ext::sh -c touch% %s/x\n");
	wrong = sync_at(NOW);
	ck_assert_ptr_nonnull(wrong);
	ck_assert(!exists("x"));
}
END_TEST

START_TEST(files_at_the_head)
{
	g_autofree char *text = NULL, *none = NULL, *oid = NULL, *want = NULL;

	do_sh("repo a; c a MAINTAINERS one; c a MAINTAINERS two");
	configure(ONE);
	sync_all();
	text = tree_file(st, NULL, "MAINTAINERS", &oid, NULL);
	ck_assert_str_eq(text, "one\ntwo\n");
	want = sh("git -C a rev-parse HEAD:MAINTAINERS");
	ck_assert_str_eq(oid, want);
	none = tree_file(st, "mainline", ".mailmap", NULL, NULL);
	ck_assert_ptr_null(none);
	do_sh("git -C a rm -q MAINTAINERS; tick; git -C a commit -qm away");
	sync_all();
	none = tree_file(st, NULL, "MAINTAINERS", NULL, NULL);
	ck_assert_ptr_null(none);
}
END_TEST

START_TEST(settings_that_make_no_sense)
{
	static const struct {
		const char *text, *wrong;
	} cases[] = {
		{"[tree a]\norder=1\n", "needs a path or a url"},
		{"[tree a]\npath=/x\nurl=https://x\n", "keep one"},
		{"[tree a]\nurl=--upload-pack=x\n", "must not begin"},
		{"[tree a]\npath=/x\nsince=soon\n", "must be a date"},
		{"[tree a]\npath=/x\nweburl=javascript:x\n", "https://"},
	};
	g_autofree char *file = in_dir("c.conf");

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) err = NULL;
		g_autoptr(config) c = NULL;

		ck_assert(g_file_set_contents(file, cases[i].text, -1, NULL));
		c = config_load(file, &err);
		ck_assert_ptr_nonnull(c);
		ck_assert_ptr_null(trees_settings(c, "/db", &err));
		ck_assert_ptr_nonnull(strstr(err->message, cases[i].wrong));
		ck_assert_ptr_nonnull(strstr(err->message, "[tree a]"));
	}
}
END_TEST

START_TEST(roles_by_name_and_in_order)
{
	g_autoptr(GPtrArray) trees = NULL;
	GString *got = g_string_new(NULL);

	configure("[tree btrfs]\npath=%s/a\n[tree stable]\npath=%s/b\n"
		  "[tree linux-next]\npath=%s/c\norder=-1\n"
		  "[tree linus]\npath=%s/d\n"
		  "[tree aaa]\npath=%s/e\nrole=mainline\norder=3\n");
	trees = trees_load(st, NULL);
	for (guint i = 0; i < trees->len; i++) {
		const struct code_tree *t = trees->pdata[i];

		g_string_append_printf(got, "%s=%s ", t->name,
				       tree_role_name(t->role));
	}
	ck_assert_str_eq(got->str, "linus=mainline aaa=mainline "
				   "linux-next=next stable=stable "
				   "btrfs=subsystem ");
	g_string_free(got, TRUE);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("trees");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, world_setup, world_teardown);
	tcase_add_test(c, commits_come_once);
	tcase_add_test(c, patch_ids_are_those_of_git);
	tcase_add_test(c, an_empty_tree_has_nothing);
	tcase_add_test(c, ids_abbreviated_and_ambiguous);
	tcase_add_test(c, the_merge_brings_it_in);
	tcase_add_test(c, tags_of_the_same_second);
	tcase_add_test(c, tags_that_come_late_move_or_go);
	tcase_add_test(c, a_tag_alone_puts_nothing_into_a_tree);
	tcase_add_test(c, a_rebased_commit_is_followed);
	tcase_add_test(c, an_amended_commit_is_followed);
	tcase_add_test(c, what_was_dropped_was_there_until);
	tcase_add_test(c, a_branch_that_vanished);
	tcase_add_test(c, picked_and_backported);
	tcase_add_test(c, a_revert_says_so);
	tcase_add_test(c, not_looked_is_not_no);
	tcase_add_test(c, asked_to_look_further_back);
	tcase_add_test(c, names_that_want_to_be_more);
	tcase_add_test(c, a_name_does_not_lead_out_of_the_folder);
	tcase_add_test(c, a_clone_that_vanished_comes_again);
	tcase_add_test(c, a_place_that_vanished_is_told);
	tcase_add_test(c, without_git_local_trees_are_read);
	tcase_add_test(c, protocols_that_run_programs_are_refused);
	tcase_add_test(c, files_at_the_head);
	tcase_add_test(c, settings_that_make_no_sense);
	tcase_add_test(c, roles_by_name_and_in_order);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
