/* notify.h - telling systemd how we are (sd_notify), without its library
 * Where nobody listens ($NOTIFY_SOCKET unset) nothing happens. */
#ifndef BOT_NOTIFY_H
#define BOT_NOTIFY_H

#include <glib.h>

/* "READY=1", "WATCHDOG=1", "STATUS=...", several lines at once, too. */
void notify_say(const char *text);
/* Microseconds within which WATCHDOG=1 must be said again; 0: no watchdog. */
guint64 notify_watchdog(void);

#endif
