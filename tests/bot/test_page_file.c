/* test_page_file.c - files are written whole, once, and removed by us alone */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/page_file.h"

#include "tests/folder.h"

static char *content(const char *path)
{
	g_autofree char *full = in_dir(path);
	char *text = NULL;

	g_file_get_contents(full, &text, NULL, NULL);
	return text;
}

/* One run that writes these paths, each with its own name as text. */
static struct pages_counts write_site(const char *const *paths, gboolean force)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(page_dir) d = page_dir_open(dir, force, &err);

	ck_assert_msg(d != NULL, "%s", err ? err->message : "");
	for (; *paths; paths++)
		ck_assert(
			page_dir_put(d, *paths, *paths, strlen(*paths), &err));
	ck_assert_msg(page_dir_finish(d, &err), "%s", err ? err->message : "");
	return *page_dir_counts(d);
}

static const char *const three[] = {"index.html", "r/202001-a/index.html",
				    "r/202001-a/data.json", NULL};
static const char *const one[] = {"index.html", NULL};

START_TEST(second_run_writes_nothing)
{
	struct pages_counts first = write_site(three, FALSE);
	struct pages_counts second = write_site(three, FALSE);
	struct pages_counts forced = write_site(three, TRUE);
	g_autofree char *text = content("r/202001-a/data.json");

	ck_assert_uint_eq(first.written, 3);
	ck_assert_uint_eq(second.written, 0);
	ck_assert_uint_eq(second.unchanged, 3);
	ck_assert_uint_eq(forced.written, 3);
	ck_assert_str_eq(text, "r/202001-a/data.json");
}
END_TEST

START_TEST(equal_files_keep_their_time)
{
	struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	g_autofree char *path = in_dir("index.html");
	struct stat st;

	write_site(one, FALSE);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
	write_site(one, FALSE);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mtime, 1000);
	ck_assert_int_eq(st.st_mode & 0777, 0644);
}
END_TEST

/* Only what a run before wrote is removed, and folders that are empty then. */
START_TEST(vanished_pages_are_removed)
{
	g_autofree char *foreign = in_dir("r/202001-a/notes.txt");
	struct pages_counts counts;

	write_site(three, FALSE);
	counts = write_site(one, FALSE);
	ck_assert_uint_eq(counts.removed, 2);
	ck_assert(!exists("r"));
	write_site(three, FALSE);
	ck_assert(g_file_set_contents(foreign, "mine", -1, NULL));
	counts = write_site(one, FALSE);
	ck_assert_uint_eq(counts.removed, 2);
	ck_assert(exists("r/202001-a/notes.txt"));
	ck_assert(!exists("r/202001-a/index.html"));
}
END_TEST

START_TEST(a_damaged_list_removes_nothing_else)
{
	g_autofree char *list = in_dir(PAGE_FILE_LIST);
	g_autofree char *mine = in_dir("mine.html");
	g_autofree char *outside = g_strconcat(dir, "-outside", NULL);
	g_autofree char *base = g_path_get_basename(outside);
	g_autofree char *text =
		g_strdup_printf("../%s\n%s\nr/../../%s\n.hidden\n\n", base,
				outside, base);

	ck_assert(g_file_set_contents(mine, "x", -1, NULL));
	ck_assert(g_file_set_contents(outside, "x", -1, NULL));
	ck_assert(g_file_set_contents(list, text, -1, NULL));
	ck_assert_uint_eq(write_site(one, FALSE).removed, 0);
	ck_assert(exists("mine.html"));
	ck_assert(g_file_test(outside, G_FILE_TEST_EXISTS));
	g_unlink(outside);
}
END_TEST

/* A run that ends early (a kill, an error) takes nothing away, and leaves no
 * half file. */
START_TEST(unfinished_run_keeps_all)
{
	g_autoptr(GError) err = NULL;
	page_dir *d;

	write_site(three, FALSE);
	d = page_dir_open(dir, FALSE, &err);
	ck_assert(page_dir_put(d, "index.html", "new", 3, &err));
	page_dir_close(d);
	ck_assert(exists("r/202001-a/index.html"));
	ck_assert(!exists(PAGE_FILE_NEW "-0"));
	ck_assert_uint_eq(write_site(three, FALSE).written, 0);
}
END_TEST

/* What a killed run left beside the pages is taken away. */
START_TEST(leftovers_are_removed)
{
	g_autofree char *left = in_dir(PAGE_FILE_NEW "-7");

	ck_assert(g_file_set_contents(left, "half", -1, NULL));
	write_site(one, FALSE);
	ck_assert(!exists(PAGE_FILE_NEW "-7"));
}
END_TEST

/* More than one batch: all of them get there. */
START_TEST(many_files)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	for (guint n = 0; n < 700; n++)
		g_ptr_array_add(paths, g_strdup_printf("r/%u.html", n));
	g_ptr_array_add(paths, NULL);
	ck_assert_uint_eq(
		write_site((const char *const *)paths->pdata, FALSE).written,
		700);
	for (guint n = 0; n < 700; n++) {
		g_autofree char *text = content(paths->pdata[n]);

		ck_assert_pstr_eq(text, paths->pdata[n]);
	}
}
END_TEST

START_TEST(one_writer_at_a_time)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(page_dir) first = page_dir_open(dir, FALSE, NULL);
	g_autoptr(page_dir) second = page_dir_open(dir, FALSE, &err);

	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(second);
	ck_assert(g_str_has_suffix(err->message, "another run writes there"));
}
END_TEST

/* What stands in the way is replaced if it is a link or told if a folder. */
START_TEST(things_in_the_way)
{
	g_autofree char *target = in_dir("target");
	g_autofree char *link = in_dir("index.html");
	g_autofree char *folder = in_dir("about.html");
	g_autofree char *text = NULL;
	g_autoptr(GError) err = NULL;
	g_autoptr(page_dir) d = page_dir_open(dir, FALSE, &err);

	ck_assert(g_file_set_contents(target, "safe", -1, NULL));
	ck_assert_int_eq(symlink("target", link), 0);
	ck_assert_int_eq(g_mkdir(folder, 0755), 0);
	ck_assert(page_dir_put(d, "index.html", "x", 1, &err));
	ck_assert(page_dir_put(d, "about.html", "x", 1, &err));
	ck_assert(!page_dir_finish(d, &err));
	ck_assert(strstr(err->message, "about.html: ") != NULL);
	text = content("target");
	ck_assert_str_eq(text, "safe");
}
END_TEST

START_TEST(a_folder_that_can_not_be)
{
	g_autofree char *file = in_dir("file");
	g_autofree char *below = in_dir("file/site");
	g_autoptr(GError) err = NULL;

	ck_assert(g_file_set_contents(file, "x", -1, NULL));
	ck_assert_ptr_null(page_dir_open(below, FALSE, &err));
	ck_assert(g_str_has_prefix(err->message, below));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("page_file");
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, second_run_writes_nothing);
	tcase_add_test(tc, equal_files_keep_their_time);
	tcase_add_test(tc, vanished_pages_are_removed);
	tcase_add_test(tc, a_damaged_list_removes_nothing_else);
	tcase_add_test(tc, unfinished_run_keeps_all);
	tcase_add_test(tc, leftovers_are_removed);
	tcase_add_test(tc, many_files);
	tcase_add_test(tc, one_writer_at_a_time);
	tcase_add_test(tc, things_in_the_way);
	tcase_add_test(tc, a_folder_that_can_not_be);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
