/* test_git_copy.c - locks of the dead in a copy of a repository */
#include <glib/gstdio.h>
#include <unistd.h>

#include "bot/git_copy.h"

#include "tests/folder.h"

static char *make_file(const char *name)
{
	char *path = in_dir(name);
	g_autofree char *folder = g_path_get_dirname(path);

	ck_assert_int_eq(g_mkdir_with_parents(folder, 0755), 0);
	ck_assert(g_file_set_contents(path, "x", 1, NULL));
	return path;
}

static gboolean is_there(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

START_TEST(test_left_locks)
{
	g_autofree char *shallow = make_file("shallow.lock");
	g_autofree char *deep = make_file("refs/heads/a/b.lock");
	g_autofree char *ref = make_file("refs/heads/a/master");
	g_autofree char *pack = make_file("objects/pack/lock.pack");
	int fd = git_copy_take(dir, NULL);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert(!is_there(shallow) && !is_there(deep));
	ck_assert(is_there(ref) && is_there(pack));
}
END_TEST

/* Who is at work keeps its locks. */
START_TEST(test_one_at_a_time)
{
	int first = git_copy_take(dir, NULL);
	g_autofree char *lock = make_file("HEAD.lock");
	g_autoptr(GError) err = NULL;
	int again;

	ck_assert_int_ge(first, 0);
	ck_assert_int_eq(git_copy_take(dir, &err), -1);
	ck_assert(g_error_matches(err, G_FILE_ERROR, G_FILE_ERROR_AGAIN));
	ck_assert(is_there(lock));
	close(first);
	again = git_copy_take(dir, NULL);
	ck_assert_int_ge(again, 0);
	ck_assert(!is_there(lock));
	close(again);
}
END_TEST

START_TEST(test_no_folder)
{
	g_autofree char *none = in_dir("none");
	g_autoptr(GError) err = NULL;

	ck_assert_int_eq(git_copy_take(none, &err), -1);
	ck_assert_ptr_nonnull(err);
}
END_TEST

static Suite *git_copy_suite(void)
{
	Suite *suite = suite_create("git_copy");
	TCase *tc = tcase_create("git_copy");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, test_left_locks);
	tcase_add_test(tc, test_one_at_a_time);
	tcase_add_test(tc, test_no_folder);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(git_copy_suite)
