/* test_git_run.c - the git program as a child: what it is told, and its end
 * The git of these tests is a script, found first. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "bot/git_run.h"

#include "tests/folder.h"

#define LONG 600 /* seconds: never reached */

static char *path;

static void setup(void)
{
	make_dir();
	path = g_strdup(g_getenv("PATH"));
}

static void teardown(void)
{
	g_setenv("PATH", path, TRUE);
	g_free(path);
	remove_dir();
}

/* git is `body` from now on; $OUT is a file that the test reads. */
static void be_git(const char *body)
{
	g_autofree char *file = in_dir("git");
	g_autofree char *out = in_dir("out");
	g_autofree char *dirs = g_strjoin(":", dir, path, NULL);
	g_autofree char *text =
		g_strdup_printf("#!/bin/sh\nOUT='%s'\n%s\n", out, body);

	ck_assert(g_file_set_contents(file, text, -1, NULL));
	ck_assert_int_eq(g_chmod(file, 0755), 0);
	g_setenv("PATH", dirs, TRUE);
}

static char *out_text(void)
{
	g_autofree char *file = in_dir("out");
	char *text = NULL;

	ck_assert(g_file_get_contents(file, &text, NULL, NULL));
	return text;
}

static gboolean never(void)
{
	return FALSE;
}

static gboolean always(void)
{
	return TRUE;
}

static GError *run_it(guint seconds, gboolean (*stopped)(void))
{
	const char *const args[] = {"fetch", "--", "a; touch b", NULL};
	GError *err = NULL;
	gboolean ok = git_run(args, seconds, stopped, &err);

	ck_assert_int_eq(ok, err == NULL);
	return err;
}

START_TEST(arguments_are_no_shell_words)
{
	g_autofree char *text = NULL;

	be_git("for a; do last=$a; done; printf %s \"$last\" >\"$OUT\"");
	ck_assert_ptr_null(run_it(LONG, never));
	text = out_text();
	ck_assert_str_eq(text, "a; touch b");
	ck_assert(!exists("b"));
}
END_TEST

START_TEST(hooks_and_questions_are_off)
{
	g_autofree char *text = NULL;

	g_setenv("GIT_DIR", "/elsewhere", TRUE);
	g_setenv("GIT_EXTERNAL_DIFF", "evil", TRUE);
	be_git("echo \"$*\" >\"$OUT\"; env | grep ^GIT_ >>\"$OUT\"; cat");
	ck_assert_ptr_null(run_it(LONG, never));
	text = out_text();
	ck_assert_ptr_nonnull(strstr(text, "core.hooksPath=/dev/null"));
	ck_assert_ptr_nonnull(strstr(text, "GIT_TERMINAL_PROMPT=0"));
	ck_assert_ptr_nonnull(strstr(text, "GIT_CONFIG_GLOBAL=/dev/null"));
	ck_assert_ptr_null(strstr(text, "GIT_DIR"));
	ck_assert_ptr_null(strstr(text, "GIT_EXTERNAL_DIFF"));
	g_unsetenv("GIT_DIR");
	g_unsetenv("GIT_EXTERNAL_DIFF");
}
END_TEST

START_TEST(its_last_words_are_the_reason)
{
	static const struct {
		const char *body, *text;
	} cases[] = {
		{"echo 'fatal: no such place' >&2; echo more >&2; exit 128",
		 "git: no such place"},
		{"printf 'one\\rtwo\\n' >&2; exit 1", "git: two"},
		{"exit 3", "git: failed"},
		{"kill -9 $$", "git: failed"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) err = NULL;

		be_git(cases[i].body);
		err = run_it(LONG, never);
		ck_assert_ptr_nonnull(err);
		ck_assert_int_eq(err->code, GIT_RUN_ERROR_FAILED);
		ck_assert_str_eq(err->message, cases[i].text);
	}
}
END_TEST

START_TEST(it_may_say_much)
{
	g_autoptr(GError) err = NULL;

	be_git("head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1");
	err = run_it(LONG, never);
	ck_assert_ptr_nonnull(err);
	ck_assert_int_eq(err->code, GIT_RUN_ERROR_FAILED);
	ck_assert_uint_le(strlen(err->message), GIT_RUN_MAX_WORDS + 100);
}
END_TEST

START_TEST(a_program_that_is_not_there)
{
	g_autoptr(GError) err = NULL;

	g_setenv("PATH", dir, TRUE);
	err = run_it(LONG, never);
	ck_assert_ptr_nonnull(err);
	ck_assert_int_eq(err->code, GIT_RUN_ERROR_START);
}
END_TEST

/* The helper that it leaves behind ends, too. */
static void is_gone(void)
{
	g_autofree char *text = out_text();
	pid_t pid = (pid_t)g_ascii_strtoll(text, NULL, 10);

	ck_assert_int_gt(pid, 1);
	/* reaped by nobody here: a zombie at most */
	for (int i = 0; i < 100 && kill(pid, 0) == 0; i++) {
		g_autofree char *stat =
			g_strdup_printf("/proc/%d/stat", (int)pid);
		g_autofree char *line = NULL;

		if (g_file_get_contents(stat, &line, NULL, NULL) &&
		    strstr(line, ") Z"))
			return;
		g_usleep(20000);
	}
	ck_assert_int_ne(kill(pid, 0), 0);
}

static const char hangs[] =
	"trap '' TERM; (trap '' TERM; exec sleep 300) & echo $! >\"$OUT\"; "
	"wait; wait; sleep 300";

START_TEST(what_hangs_is_ended_with_its_helpers)
{
	g_autoptr(GError) err = NULL;

	be_git(hangs);
	err = run_it(1, never);
	ck_assert_ptr_nonnull(err);
	ck_assert_int_eq(err->code, GIT_RUN_ERROR_TIME);
	is_gone();
}
END_TEST

START_TEST(an_interrupt_ends_it)
{
	g_autoptr(GError) err = NULL;

	be_git("exec sleep 300");
	err = run_it(LONG, always);
	ck_assert_ptr_nonnull(err);
	ck_assert_int_eq(err->code, GIT_RUN_ERROR_STOPPED);
}
END_TEST

static gpointer cancel_when_running(gpointer cancel)
{
	while (!exists("out"))
		g_usleep(1000);
	g_cancellable_cancel(cancel);
	return NULL;
}

START_TEST(who_waits_can_cancel)
{
	const char *const args[] = {"fetch", NULL};
	g_autoptr(GCancellable) cancel = g_cancellable_new();
	g_autoptr(GError) err = NULL;
	GThread *t;

	be_git("echo x >\"$OUT\"; exec sleep 300");
	t = g_thread_new("cancel", cancel_when_running, cancel);
	ck_assert(!git_run_cancellable(args, LONG, NULL, cancel, &err));
	g_thread_join(t);
	ck_assert_int_eq(err->code, GIT_RUN_ERROR_STOPPED);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("git_run");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, arguments_are_no_shell_words);
	tcase_add_test(c, hooks_and_questions_are_off);
	tcase_add_test(c, its_last_words_are_the_reason);
	tcase_add_test(c, it_may_say_much);
	tcase_add_test(c, a_program_that_is_not_there);
	tcase_add_test(c, what_hangs_is_ended_with_its_helpers);
	tcase_add_test(c, an_interrupt_ends_it);
	tcase_add_test(c, who_waits_can_cancel);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
