/* lock_file.c - flock on a file that tells who holds it
 * The file stays: removing it would let two hold "it" at once. */
#include "bot/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PID_CHARS 32

static int fail(int fd, const char *path, GError **err)
{
	g_set_error(err, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s",
		    path, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int held(int fd, const char *path, GError **err)
{
	char pid[PID_CHARS + 1] = "";

	if (pread(fd, pid, PID_CHARS, 0) < 0)
		pid[0] = '\0';
	g_strchomp(pid);
	close(fd);
	g_set_error(err, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
		    "%s: locked by another process%s%s", path, *pid ? ", " : "",
		    pid);
	return -1;
}

int lock_file_take(const char *path, GError **err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	char pid[PID_CHARS];
	int len;

	if (fd < 0)
		return fail(fd, path, err);
	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? held(fd, path, err)
					    : fail(fd, path, err);
	len = snprintf(pid, sizeof(pid), "%d\n", (int)getpid());
	if (ftruncate(fd, 0) || pwrite(fd, pid, (gsize)len, 0) != len)
		return fail(fd, path, err);
	return fd;
}

int lock_file_of_database(const char *path, GError **err)
{
	g_autofree char *file = g_strconcat(path, "-lock", NULL);

	return lock_file_take(file, err);
}
