/* test_secret.c - passwords of files and commands, and that nobody is told */
#include <string.h>

#include "bot/net.h"
#include "bot/secret.h"

#include "tests/folder.h"

static char *file_with(const char *text, gsize len, guint mode)
{
	char *path = in_dir("password");

	ck_assert(g_file_set_contents(path, text, (gssize)len, NULL));
	ck_assert_int_eq(g_chmod(path, (int)mode), 0);
	return path;
}

/* The longest one that is taken, and the shortest that is not. */
static char *long_line(gsize len)
{
	char *text = g_strnfill(len + 1, 'x');

	text[len] = '\n';
	return text;
}

static void is_refused(secret *s, const GError *err, const char *text)
{
	ck_assert_ptr_null(s);
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_SECRET));
	ck_assert_msg(strstr(err->message, text) != NULL, "%s", err->message);
	ck_assert_ptr_null(strstr(err->message, "hunter2"));
}

static const struct {
	const char *text;
	gsize len;
	const char *want; /* NULL: refused */
	const char *why;
} files[] = {
	{"hunter2", 7, "hunter2", NULL},
	{"hunter2\n", 8, "hunter2", NULL},
	{"hunter2\r\nuser: x\n", 17, "hunter2", NULL},
	{" hunter2 \n", 10, " hunter2 ", NULL},
	{"h\xc3\xbcnter2\n", 9, "h\xc3\xbcnter2", NULL},
	{"", 0, NULL, "empty"},
	{"\nhunter2\n", 9, NULL, "empty"},
	{"\r\nhunter2\n", 10, NULL, "empty"},
	{"hun\0hunter2\n", 12, NULL, "zero byte"},
	{"hunter2\nmore\0\n", 14, "hunter2", NULL},
};

START_TEST(test_file)
{
	g_autofree char *path = file_with(files[_i].text, files[_i].len, 0600);
	g_autoptr(GError) err = NULL;
	g_autoptr(secret) s = secret_load(path, NULL, NULL, &err);

	if (!files[_i].want) {
		is_refused(s, err, files[_i].why);
		ck_assert_ptr_nonnull(strstr(err->message, path));
		return;
	}
	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_str_eq(secret_text(s), files[_i].want);
}
END_TEST

START_TEST(test_long)
{
	g_autofree char *fits = long_line(SECRET_MAX_BYTES);
	g_autofree char *too = long_line(SECRET_MAX_BYTES + 1);
	g_autofree char *path = file_with(fits, SECRET_MAX_BYTES + 1, 0600);
	g_autoptr(GError) err = NULL;
	secret *s = secret_load(path, NULL, NULL, &err);

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_uint_eq(strlen(secret_text(s)), SECRET_MAX_BYTES);
	secret_free(s);
	g_free(path);
	path = file_with(too, SECRET_MAX_BYTES + 2, 0600);
	s = secret_load(path, NULL, NULL, &err);
	is_refused(s, err, "longer");
}
END_TEST

START_TEST(test_modes)
{
	static const struct {
		guint mode;
		gboolean fine;
	} modes[] = {{0600, TRUE},  {0400, TRUE},  {0640, TRUE},
		     {0440, TRUE},  {0644, FALSE}, {0604, FALSE},
		     {0602, FALSE}, {0660, FALSE}};

	for (guint i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *path =
			file_with("hunter2\n", 8, modes[i].mode);
		g_autoptr(GError) err = NULL;
		g_autoptr(secret) s = secret_load(path, NULL, NULL, &err);

		if (!modes[i].fine)
			is_refused(s, err, "chmod 600");
		else
			ck_assert_msg(s != NULL, "%o: %s", modes[i].mode,
				      err ? err->message : "?");
	}
}
END_TEST

START_TEST(test_no_file)
{
	g_autoptr(GError) err = NULL, other = NULL;
	g_autofree char *path = in_dir("nowhere");
	secret *s = secret_load(path, NULL, NULL, &err);

	is_refused(s, err, "No such file");
	s = secret_load(dir, NULL, NULL, &other);
	is_refused(s, other, "no regular file");
}
END_TEST

static const struct {
	const char *command, *want, *why;
} commands[] = {
	{"echo hunter2", "hunter2", NULL},
	{"printf 'two words\\n%x' 10", "two words", NULL},
	{"sh -c 'cat; echo hunter2'", "hunter2", NULL},
	/* more than a pipe holds, behind the line */
	{"sh -c 'echo hunter2; head -c 300000 /dev/zero'", "hunter2", NULL},
	/* a helper that stays and keeps the pipe */
	{"sh -c 'while test -e %s; do sleep 1; done 2>&- & echo hunter2'",
	 "hunter2", NULL},
	/* no shell: this is a word like others */
	{"echo $HOME", "$HOME", NULL},
	{"sh -c 'echo hunter2; exit 3'", NULL, "it failed"},
	{"sh -c 'echo hunter2; kill -9 $$'", NULL, "it failed"},
	{"true", NULL, "empty"},
	{"/nowhere/at-all", NULL, "No such file"},
	{"echo 'hunter2", NULL, "a quote"},
	{"", NULL, "empty"},
	{"sh -c 'head -c 100000 /dev/zero | tr \"\\0\" x'", NULL, "longer"},
};

START_TEST(test_command)
{
	g_autoptr(GError) err = NULL;
	g_auto(GStrv) parts = g_strsplit(commands[_i].command, "%s", 2);
	g_autofree char *command = g_strjoinv(dir, parts);
	g_autoptr(secret) s = secret_load(NULL, command, NULL, &err);

	if (!commands[_i].want) {
		is_refused(s, err, commands[_i].why);
		return;
	}
	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_str_eq(secret_text(s), commands[_i].want);
}
END_TEST

static gpointer cancel_later(gpointer data)
{
	g_autofree char *path = in_dir("running");

	while (!g_file_test(path, G_FILE_TEST_EXISTS))
		g_usleep(1000);
	g_cancellable_cancel(data);
	return NULL;
}

START_TEST(test_cancel)
{
	g_autoptr(GCancellable) c = g_cancellable_new();
	g_autofree char *command =
		g_strdup_printf("sh -c 'touch %s/running; sleep 600 2>&-'",
				dir);
	g_autoptr(GError) err = NULL;
	GThread *t = g_thread_new("cancel", cancel_later, c);
	secret *s = secret_load(NULL, command, c, &err);

	g_thread_join(t);
	ck_assert_ptr_null(s);
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_STOPPED));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("secret");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, make_dir, remove_dir);
	tcase_add_loop_test(c, test_file, 0, G_N_ELEMENTS(files));
	tcase_add_test(c, test_long);
	tcase_add_test(c, test_modes);
	tcase_add_test(c, test_no_file);
	tcase_add_loop_test(c, test_command, 0, G_N_ELEMENTS(commands));
	tcase_add_test(c, test_cancel);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
