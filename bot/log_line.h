/* log_line.h - what the daemon says of its work, a line each on stderr
 * For the journal with its priorities, else with the time before it. */
#ifndef BOT_LOG_LINE_H
#define BOT_LOG_LINE_H

#include <glib.h>

/* As of syslog. */
enum log_line_level {
	LOG_LINE_ERROR = 3,
	LOG_LINE_WARNING = 4,
	LOG_LINE_NOTICE = 5,
	LOG_LINE_INFO = 6,
	LOG_LINE_DEBUG = 7,
};

/* What is below `least` is not said from now on. */
void log_line_init(enum log_line_level least);

/* One line, whatever is in it; from any thread. */
void log_line(enum log_line_level level, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

#endif
