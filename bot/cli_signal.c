/* cli_signal.c - signals and inherited file descriptors */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "bot/cli_priv.h"

static volatile sig_atomic_t caught; /* the signal, 0 = none */
static volatile sig_atomic_t catching;
static gboolean heeded;
static int told = -1; /* readable from the first signal on */

/* A second signal ends it at once, but not the echo of the first: timeout(1)
 * and shells signal a process and then its group. */
static void on_stop(int sig)
{
	static struct timespec first;
	const guint64 one = 1;
	struct timespec now;
	ssize_t n;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!catching || (caught && now.tv_sec - first.tv_sec > 1))
		_exit(128 + sig);
	if (caught)
		return;
	caught = sig;
	first = now;
	n = told >= 0 ? write(told, &one, sizeof(one)) : 0;
	(void)n;
}

/* A failed assertion: say what to do, end with the code of a bug. */
static void on_abort(int sig)
{
	static const char text[] = "culprit: internal error: this is a bug; "
				   "run again with -v and report it\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	_exit(EXIT_BUG);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

void cli_signals_init(gboolean verbose)
{
	handle(SIGINT, on_stop);
	handle(SIGTERM, on_stop);
	handle(SIGPIPE, SIG_IGN);
	handle(SIGXFSZ, SIG_IGN); /* writing fails instead, which is told */
	if (!verbose)
		handle(SIGABRT, on_abort);
}

/* A closed stdin, stdout or stderr must not become the number of a database
 * file. Reading from or writing to the stand-in fails as it should. */
void cli_fds_init(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null",
			     fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void cli_catch_signals(void)
{
	if (told < 0)
		told = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	catching = 1;
}

int cli_interrupt_fd(void)
{
	return told;
}

gboolean cli_interrupted(void)
{
	return caught != 0;
}

void cli_interrupt_heeded(void)
{
	heeded = TRUE;
}

int cli_exit_code(int rc)
{
	return caught && !heeded ? 128 + caught : rc;
}
