/* notify.c - a datagram to the socket that the service manager named */
#include "bot/notify.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_say(const char *text)
{
	const char *path = g_getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	gsize len = path ? strlen(path) : 0;
	int fd;

	if (len == 0 || len >= sizeof(to.sun_path) ||
	    (*path != '/' && *path != '@'))
		return;
	memcpy(to.sun_path, path, len);
	if (*path == '@') /* in no file system */
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
	       (struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}

guint64 notify_watchdog(void)
{
	const char *usec = g_getenv("WATCHDOG_USEC");
	const char *pid = g_getenv("WATCHDOG_PID");

	if (!usec || (pid && g_ascii_strtoll(pid, NULL, 10) != getpid()))
		return 0;
	return g_ascii_strtoull(usec, NULL, 10);
}
