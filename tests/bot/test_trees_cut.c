/* test_trees_cut.c - git trees that are not whole: shallow, damaged, without
 * the branches that were asked for */
#include "tests/bot/git_world.h"

#define ONE "[tree mainline]\npath=%s/a\nbranches=master\n"

/* ---- shallow */

START_TEST(a_shallow_clone_is_not_looked_at_below)
{
	do_sh("repo a; c a f one; c a f two; c a f three; "
	      "git clone -q --depth 1 file://$PWD/a s");
	configure(ONE "[tree stable]\npath=%s/s\nbranches=master\n");
	sync_all();
	want_places("one", "mainline yes master - id, stable ?");
	want_places("three",
		    "mainline yes master - id, stable yes master - id");
	do_sh("git -C s fetch -q --unshallow");
	sync_all();
	ck_assert_uint_eq(counts.landed, 2);
	want_places("one", "mainline yes master - id, stable yes master - id");
	sync_all();
	ck_assert_uint_eq(counts.landed, 0);
}
END_TEST

START_TEST(a_shallow_url_is_fetched)
{
	do_sh("repo a; c a f one; c a f two; "
	      "git clone -q --depth 1 file://$PWD/a s");
	configure(ONE "[tree stable]\nurl=file://%s/s\nbranches=master\n");
	sync_all();
	want_places("two", "mainline yes master - id, stable yes master - id");
	want_places("one", "mainline yes master - id, stable ?");
}
END_TEST

/* ---- damage */

START_TEST(a_branch_that_cant_be_read_is_not_gone)
{
	g_autofree char *wrong = NULL;

	do_sh("repo a; c a f one; git -C a branch other; c a f two");
	configure("[tree mainline]\npath=%s/a\nbranches=master other\n");
	sync_all();
	do_sh("mv a/.git/refs/heads/master keep; "
	      "echo 1234567890123456789012345678901234567890 "
	      ">a/.git/refs/heads/master");
	wrong = sync_at(NOW);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_ptr_nonnull(strstr(wrong, "the head of master"));
	want_places("two", "mainline yes master - id");
	do_sh("mv keep a/.git/refs/heads/master");
	sync_all();
	want_places("two", "mainline yes master - id");
}
END_TEST

START_TEST(a_commit_that_is_lost_is_told)
{
	do_sh("repo a; c a f one; c a f two; c a f three; git clone -q a b; "
	      "id=$(git -C b rev-parse HEAD~1); cd b/.git/objects; "
	      "rm -f $(echo $id | sed 's,..,&/,')");
	configure(ONE "[tree stable]\npath=%s/b\nbranches=master\n");
	sync_all();
	want_places("one", "mainline yes master - id, stable ?");
	want_places("three",
		    "mainline yes master - id, stable yes master - id");
}
END_TEST

START_TEST(no_branch_fits)
{
	g_autofree char *wrong = NULL;

	do_sh("repo a; c a f one");
	configure("[tree mainline]\npath=%s/a\nbranches=trunk rel-*\n");
	wrong = sync_at(NOW);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_ptr_nonnull(strstr(wrong, "fits trunk rel-*"));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("trees_cut");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, world_setup, world_teardown);
	tcase_add_test(c, a_shallow_clone_is_not_looked_at_below);
	tcase_add_test(c, a_shallow_url_is_fetched);
	tcase_add_test(c, a_branch_that_cant_be_read_is_not_gone);
	tcase_add_test(c, a_commit_that_is_lost_is_told);
	tcase_add_test(c, no_branch_fits);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
