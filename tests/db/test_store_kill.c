/* test_store_kill.c - other users, and programs killed while they write */
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/db/folder.h"

/* ---- files that may not be written */

/* In a child. Root may write anything: `nobody` looks as nobody does. */
static gboolean as_somebody(gboolean (*fn)(const char *path), const char *path,
			    gboolean nobody)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0 && nobody && getuid() == 0 && setuid(65534) != 0)
		_exit(2);
	if (child == 0)
		_exit(!fn(path));
	ck_assert(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static gboolean reads_but_can_t_write(const char *path)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = store_open(path, STORE_READ, &err);
	g_autoptr(thread_auto) t = st ? thread_load(st, "a@x", &err) : NULL;
	store *w = NULL;

	if (!t || t->count != 2)
		return FALSE;
	w = store_open(path, STORE_WRITE, &err);
	return !w && g_error_matches(err, STORE_ERROR, STORE_ERROR_IO);
}

START_TEST(read_only)
{
	g_autofree char *path = in_dir("db");
	store *st = open_file(path);

	put(st, &first);
	put(st, &second);
	store_close(st);
	ck_assert(g_chmod(path, 0444) == 0 && g_chmod(dir, 0555) == 0);
	ck_assert(as_somebody(reads_but_can_t_write, path, TRUE));
	ck_assert(g_chmod(dir, 0755) == 0);
}
END_TEST

static gboolean is_refused(const char *path)
{
	g_autoptr(GError) err = NULL;
	store *st = store_open(path, STORE_READ, &err);

	return !st && g_error_matches(err, STORE_ERROR, STORE_ERROR_IO);
}

START_TEST(not_even_readable)
{
	g_autofree char *path = in_dir("db");

	store_close(open_file(path));
	ck_assert(g_chmod(path, 0) == 0 && g_chmod(dir, 0755) == 0);
	ck_assert(as_somebody(is_refused, path, TRUE));
}
END_TEST

/* ---- killed */

/* A child that adds mail after mail until it is killed; tells each commit. */
static void add_until_killed(const char *path, int tell)
{
	store *st = store_open(path, STORE_WRITE, NULL);
	guint i;

	for (i = 0; st; i++) {
		g_autofree char *id = g_strdup_printf("m%u@x", i);
		struct add a = {.kind = "mbox", .place = "/a"};

		a.bytes = mail_bytes(&(struct mail){id, "a@x", .day = 1});
		if (!store_transact(st, add_in, &a, NULL) ||
		    write(tell, "+", 1) != 1)
			break;
		g_bytes_unref(a.bytes);
	}
	_exit(1);
}

START_TEST(killed_and_opened_again)
{
	g_autofree char *path = in_dir("db");
	g_autoptr(GError) err = NULL;
	g_autoptr(thread_auto) t = NULL;
	int ends[2], told = 0, status;
	store *st = NULL;
	pid_t child;
	guint i;
	char c;

	ck_assert(pipe(ends) == 0);
	child = fork();
	if (child == 0)
		add_until_killed(path, ends[1]);
	close(ends[1]);
	while (told < 30 && read(ends[0], &c, 1) == 1)
		told++;
	ck_assert(kill(child, SIGKILL) == 0);
	ck_assert(waitpid(child, &status, 0) == child);
	while (read(ends[0], &c, 1) == 1)
		told++;
	close(ends[0]);
	st = store_open(path, STORE_READ, &err);
	must(st != NULL, err);
	t = thread_load(st, "a@x", &err);
	must(t != NULL, err);
	ck_assert_int_ge(t->count, told); /* what was told was kept */
	for (i = 0; i < t->count; i++) {
		g_autofree char *id = g_strdup_printf("m%u@x", i);
		g_autoptr(GBytes) raw = archive_raw(st, id, &err);

		must(raw != NULL, err);
	}
	store_close(st);
	st = open_file(path);
	must(store_check(st, &err), err);
	put(st, &first);
	store_close(st);
}
END_TEST

/* Opens what may not be there yet, and adds mails of its own. */
static void write_some(const char *path, guint who)
{
	g_autoptr(GError) err = NULL;
	store *st = store_open(path, STORE_WRITE, &err);
	guint i;

	for (i = 0; st && !err && i < 20; i++) {
		g_autofree char *id = g_strdup_printf("w%u-%u@x", who, i);
		struct add a = {.kind = "mbox", .place = "/a"};

		a.bytes = mail_bytes(&(struct mail){id, "a@x", .day = 1});
		store_transact(st, add_in, &a, &err);
		g_bytes_unref(a.bytes);
	}
	store_close(st);
	_exit(!st || err);
}

/* Whoever comes second waits until the file is made. */
START_TEST(made_by_several_at_once)
{
	enum { MAKERS = 4, FILES = 40 };
	pid_t children[MAKERS];
	int status;

	for (guint i = 0; i < MAKERS; i++) {
		children[i] = fork();
		for (guint k = 0; children[i] == 0 && k < FILES; k++) {
			g_autofree char *name = g_strdup_printf("db%u", k);
			g_autofree char *path = in_dir(name);
			store *st = store_open(path, STORE_WRITE, NULL);

			if (!st)
				_exit(1);
			store_close(st);
		}
		if (children[i] == 0)
			_exit(0);
	}
	for (guint i = 0; i < MAKERS; i++) {
		ck_assert(waitpid(children[i], &status, 0) == children[i]);
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}
END_TEST

START_TEST(writers_at_once)
{
	enum { WRITERS = 4 };
	g_autofree char *path = in_dir("db");
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	g_autoptr(thread_auto) t = NULL;
	pid_t children[WRITERS];
	int status;
	guint i;

	for (i = 0; i < WRITERS; i++) {
		children[i] = fork();
		if (children[i] == 0)
			write_some(path, i);
	}
	for (i = 0; i < WRITERS; i++) {
		ck_assert(waitpid(children[i], &status, 0) == children[i]);
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	st = open_file(path);
	t = thread_load(st, "a@x", &err);
	must(t != NULL, err);
	ck_assert_uint_eq(t->count, WRITERS * 20);
	must(store_check(st, &err), err);
}
END_TEST

static gboolean stop_here(guint done, guint all, void *data)
{
	_exit(done < all ? 0 : 1);
}

static gboolean rebuild_a_part(const char *path)
{
	g_autoptr(store) st = store_open(path, STORE_WRITE, NULL);

	if (st)
		archive_rebuild(st, stop_here, NULL, NULL);
	return FALSE; /* never reached */
}

static gboolean add_many(store *st, void *data, GError **err)
{
	guint i;

	for (i = 0; i < 2500; i++) {
		g_autofree char *id = g_strdup_printf("m%u@x", i);
		g_autofree char *up = g_strdup_printf("m%u@x", i * 7 / 8);
		struct add a = {.kind = "mbox", .place = "/a"};
		gboolean ok;

		a.bytes = mail_bytes(&(struct mail){id, up, up, .day = 1});
		ok = add_in(st, &a, err);
		g_bytes_unref(a.bytes);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

START_TEST(rebuild_killed_and_completed)
{
	g_autofree char *path = in_dir("db");
	g_autofree char *want = NULL, *got = NULL;
	g_autoptr(GError) err = NULL;
	store *st = open_file(path);

	run(st, add_many, NULL);
	want = picture_of(st);
	store_close(st);
	ck_assert(as_somebody(rebuild_a_part, path, FALSE));
	st = open_file(path);
	got = picture_of(st);
	ck_assert(!g_str_equal(got, want));
	g_free(got);
	must(archive_rebuild(st, NULL, NULL, &err), err);
	got = picture_of(st);
	ck_assert(g_str_equal(got, want));
	store_close(st);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("store kill");
	TCase *c = tcase_create("store kill");

	tcase_add_checked_fixture(c, make_dir, remove_dir);
	tcase_add_test(c, read_only);
	tcase_add_test(c, not_even_readable);
	tcase_add_test(c, killed_and_opened_again);
	tcase_add_test(c, made_by_several_at_once);
	tcase_add_test(c, writers_at_once);
	tcase_add_test(c, rebuild_killed_and_completed);
	suite_add_tcase(s, c);
	return s;
}
TEST_MAIN(suite)
