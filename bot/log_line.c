/* log_line.c - one write a line, so that threads do not mix theirs */
#include "bot/log_line.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/plain_text.h"

#define LINE_MAX_BYTES 4000 /* the rest is cut */

static enum log_line_level least_level = LOG_LINE_INFO;
static gboolean to_journal;

/* Is stderr the stream that the journal gave us ("DEVICE:INODE")? */
static gboolean is_journal(void)
{
	const char *stream = g_getenv("JOURNAL_STREAM");
	g_autofree char *ours = NULL;
	struct stat sb;

	if (!stream || fstat(STDERR_FILENO, &sb))
		return FALSE;
	ours = g_strdup_printf("%lu:%lu", (gulong)sb.st_dev, (gulong)sb.st_ino);
	return g_str_equal(stream, ours);
}

void log_line_init(enum log_line_level least)
{
	least_level = least;
	to_journal = is_journal();
}

static char *prefix_of(enum log_line_level level)
{
	g_autoptr(GDateTime) now = NULL;

	if (to_journal)
		return g_strdup_printf("<%d>", (int)level);
	now = g_date_time_new_now_utc();
	return g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ culprit: ");
}

void log_line(enum log_line_level level, const char *format, ...)
{
	g_autofree char *text = NULL, *valid = NULL, *line = NULL;
	g_autofree char *prefix = NULL;
	va_list args;
	ssize_t n;

	if (level > least_level)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	valid = g_utf8_make_valid(text, (gssize)strnlen(text, LINE_MAX_BYTES));
	for (char *p = valid; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	prefix = prefix_of(level);
	line = g_strconcat(prefix, plain_text(g_strchomp(valid)), "\n", NULL);
	n = write(STDERR_FILENO, line, strlen(line));
	(void)n; /* nobody reads it: nothing to be done */
}
