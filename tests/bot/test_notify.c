/* test_notify.c - what the service manager hears, and one lock for one */
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/lock_file.h"
#include "bot/notify.h"

#include "tests/folder.h"

static int listen_at(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	g_strlcpy(at.sun_path, path, sizeof(at.sun_path));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

START_TEST(a_manager_is_told)
{
	g_autofree char *path = in_dir("socket");
	int fd = listen_at(path);
	char got[100] = "";

	g_setenv("NOTIFY_SOCKET", path, TRUE);
	notify_say("READY=1\nSTATUS=well");
	ck_assert_int_eq(recv(fd, got, sizeof(got) - 1, MSG_DONTWAIT), 19);
	ck_assert_str_eq(got, "READY=1\nSTATUS=well");
	close(fd);
}
END_TEST

static const char *const nobody[] = {NULL, "", "relative", "/no/such/socket"};

START_TEST(nobody_listens)
{
	if (nobody[_i])
		g_setenv("NOTIFY_SOCKET", nobody[_i], TRUE);
	else
		g_unsetenv("NOTIFY_SOCKET");
	notify_say("READY=1"); /* neither fails nor hangs */
}
END_TEST

static const struct {
	const char *usec;
	gboolean ours, others;
	guint64 want;
} watchdogs[] = {
	{NULL, FALSE, FALSE, 0},
	{"60000000", FALSE, FALSE, 60000000},
	{"60000000", TRUE, FALSE, 60000000},
	{"60000000", FALSE, TRUE, 0},
	{"rubbish", FALSE, FALSE, 0},
};

START_TEST(the_watchdog_is_for_one_process)
{
	g_autofree char *pid =
		g_strdup_printf("%d", watchdogs[_i].ours ? (int)getpid() : 1);

	g_unsetenv("WATCHDOG_USEC");
	g_unsetenv("WATCHDOG_PID");
	if (watchdogs[_i].usec)
		g_setenv("WATCHDOG_USEC", watchdogs[_i].usec, TRUE);
	if (watchdogs[_i].ours || watchdogs[_i].others)
		g_setenv("WATCHDOG_PID", pid, TRUE);
	ck_assert_uint_eq(notify_watchdog(), watchdogs[_i].want);
}
END_TEST

/* In another process: 1 if it gets the lock, 0 if it is told who has it. */
static int other_gets(const char *path)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		g_autofree char *holder =
			g_strdup_printf("process, %d", (int)getppid());
		g_autoptr(GError) err = NULL;
		int fd = lock_file_take(path, &err);

		if (fd >= 0)
			_exit(1);
		_exit(g_error_matches(err, G_FILE_ERROR, G_FILE_ERROR_AGAIN) &&
				      g_str_has_suffix(err->message, holder)
			      ? 0
			      : 2);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

START_TEST(a_lock_is_for_one)
{
	g_autofree char *path = in_dir("lock");
	g_autoptr(GError) err = NULL;
	int fd = lock_file_take(path, &err);

	ck_assert_msg(fd >= 0, "%s", err ? err->message : "");
	ck_assert_int_eq(other_gets(path), 0);
	close(fd);
	/* its file stays and holds nobody */
	ck_assert_int_eq(other_gets(path), 1);
	fd = lock_file_take(path, NULL);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_lt(lock_file_take("/no/such/lock", &err), 0);
	ck_assert(g_error_matches(err, G_FILE_ERROR, G_FILE_ERROR_NOENT));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("notify");
	TCase *tc = tcase_create("notify");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, a_manager_is_told);
	tcase_add_loop_test(tc, nobody_listens, 0, G_N_ELEMENTS(nobody));
	tcase_add_loop_test(tc, the_watchdog_is_for_one_process, 0,
			    G_N_ELEMENTS(watchdogs));
	tcase_add_test(tc, a_lock_is_for_one);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
