/* secret.c - a password from a file or a command; never shown, never stored
 * Its bytes are in one place only, which is wiped. */
#include "bot/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/net.h"

#define TICK_MS 20 /* between looks whether a command has ended */

struct secret {
	gsize len;
	gboolean whole;			 /* the line has ended */
	char text[SECRET_MAX_BYTES + 2]; /* one more, to see what is longer */
};

void secret_free(secret *s)
{
	if (!s)
		return;
	explicit_bzero(s, sizeof(*s));
	g_free(s);
}

const char *secret_text(const secret *s)
{
	return s->text;
}

static gboolean complain(GError **err, const char *of, const char *why)
{
	g_set_error(err, NET_ERROR, NET_ERROR_SECRET, "password of %s: %s", of,
		    why);
	return FALSE;
}

/* Up to the end of the first line; the rest is read and forgotten. 0 at the
 * end, below it on failure, as read(). */
static gssize read_some(secret *s, int fd)
{
	char rest[512];
	gsize room = SECRET_MAX_BYTES + 1 - s->len;
	gboolean full = s->whole || room == 0;
	gssize n = full ? read(fd, rest, sizeof(rest))
			: read(fd, s->text + s->len, room);
	char *end;

	if (full)
		explicit_bzero(rest, sizeof(rest));
	if (full || n <= 0)
		return n;
	end = memchr(s->text + s->len, '\n', (gsize)n);
	s->whole = end != NULL;
	s->len = end ? (gsize)(end - s->text) : s->len + (gsize)n;
	if (end)
		explicit_bzero(end, sizeof(s->text) - s->len);
	return n;
}

static gboolean check_text(secret *s, const char *of, GError **err)
{
	if (s->len && s->text[s->len - 1] == '\r')
		s->text[--s->len] = '\0';
	if (s->len > SECRET_MAX_BYTES)
		return complain(err, of, "longer than any password");
	if (s->len == 0)
		return complain(err, of, "the first line is empty");
	if (strlen(s->text) != s->len)
		return complain(err, of, "has a zero byte in it");
	return TRUE;
}

/* ---- from a file */

/* A group may read it: that is how services are given theirs. */
static gboolean check_file(int fd, const char *file, GError **err)
{
	g_autofree char *quoted = NULL, *remedy = NULL;
	struct stat st;

	if (fstat(fd, &st))
		return complain(err, file, g_strerror(errno));
	if (!S_ISREG(st.st_mode))
		return complain(err, file, "no regular file");
	if (!(st.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)))
		return TRUE;
	quoted = g_shell_quote(file);
	remedy = g_strconcat("others can read or change the file; run: "
			     "chmod 600 ",
			     quoted, NULL);
	return complain(err, file, remedy);
}

static gboolean from_file(secret *s, const char *file, GError **err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	gssize n = 1;
	gboolean ok;

	if (fd < 0)
		return complain(err, file, g_strerror(errno));
	ok = check_file(fd, file, err);
	while (ok && n > 0 && !s->whole && s->len <= SECRET_MAX_BYTES)
		n = read_some(s, fd);
	if (n < 0)
		ok = complain(err, file, g_strerror(errno));
	close(fd);
	return ok && check_text(s, file, err);
}

/* ---- from a command */

/* What it starts shall end with it. Between fork and exec. */
static void own_group(gpointer data)
{
	setpgid(0, 0);
}

static gboolean start(const char *command, GPid *pid, int *fd, GError **err)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) why = NULL;

	/* GLib's own words would repeat it, and who knows what is in it. */
	if (!g_shell_parse_argv(command, NULL, &words, NULL))
		return complain(err, "the command",
				"it is empty, or a quote "
				"in it does not end");
	if (g_spawn_async_with_pipes(NULL, words, NULL,
				     G_SPAWN_SEARCH_PATH |
					     G_SPAWN_DO_NOT_REAP_CHILD,
				     own_group, NULL, pid, NULL, fd, NULL,
				     &why))
		return TRUE;
	return complain(err, "the command", why->message);
}

/* Read until its end, or a reason to end it, which is in *err. A helper that
 * outlives it and keeps the pipe is not waited for. */
static gboolean watch(secret *s, GPid pid, int fd, GCancellable *cancel,
		      int *status, GError **err)
{
	gint64 until = g_get_monotonic_time() +
		       SECRET_MAX_SECONDS * G_TIME_SPAN_SECOND;
	struct pollfd out = {fd, POLLIN, 0};
	gboolean exited = FALSE;
	int ready;

	for (;;) {
		ready = poll(&out, 1, TICK_MS);
		if (ready > 0 && read_some(s, fd) <= 0)
			out.fd = -1;
		else if (ready > 0)
			continue;
		if (exited)
			return TRUE;
		/* once more round: its last words may be in the pipe */
		exited = waitpid(pid, status, WNOHANG) == pid;
		if (g_cancellable_is_cancelled(cancel)) {
			g_set_error(err, NET_ERROR, NET_ERROR_STOPPED,
				    "interrupted while waiting for a password");
			break;
		}
		if (g_get_monotonic_time() > until) {
			complain(err, "the command", "takes too long");
			break;
		}
	}
	kill(-pid, SIGKILL);
	if (!exited)
		waitpid(pid, status, 0);
	return FALSE;
}

static gboolean from_command(secret *s, const char *command,
			     GCancellable *cancel, GError **err)
{
	GPid pid;
	int fd, status = 0;
	gboolean ok;

	if (!start(command, &pid, &fd, err))
		return FALSE;
	ok = watch(s, pid, fd, cancel, &status, err);
	close(fd);
	if (!ok)
		return FALSE;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return complain(err, "the command", "it failed");
	return check_text(s, "the command", err);
}

secret *secret_load(const char *file, const char *command, GCancellable *cancel,
		    GError **err)
{
	secret *s = g_new0(secret, 1);

	g_assert(!file != !command);
	if (file ? from_file(s, file, err)
		 : from_command(s, command, cancel, err))
		return s;
	secret_free(s);
	return NULL;
}
