/* cli_error.c - what is said on stderr, and which exit code it means */
#include <errno.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "mail/error.h"

#include "db/outbox_queue.h"
#include "db/query.h"
#include "db/store.h"

#include "templates/render.h"

#include "bot/cli_priv.h"
#include "bot/config.h"
#include "bot/net.h"
#include "bot/plain_text.h"
#include "bot/source.h"
#include "bot/trees.h"

#define ANY_CODE       -1
#define LINE_MAX_BYTES 4000 /* the rest of what is said is cut */

static const struct {
	GQuark (*domain)(void);
	int code;
	int exit;
} exit_table[] = {
	{config_error_quark, ANY_CODE, EXIT_USAGE},
	{query_error_quark, ANY_CODE, EXIT_USAGE},
	{template_error_quark, ANY_CODE, EXIT_USAGE},
	{g_option_error_quark, ANY_CODE, EXIT_USAGE},
	{mail_error_quark, MAIL_ERROR_SYNTAX, EXIT_USAGE},
	{mail_error_quark, ANY_CODE, EXIT_UNREAD},
	{source_error_quark, ANY_CODE, EXIT_UNREAD},
	{trees_error_quark, ANY_CODE, EXIT_UNREAD},
	{net_error_quark, ANY_CODE, EXIT_UNREAD},
	{outbox_error_quark, ANY_CODE, EXIT_USAGE},
	{store_error_quark, STORE_ERROR_SCHEMA, EXIT_DAMAGED},
	{store_error_quark, STORE_ERROR_CORRUPT, EXIT_DAMAGED},
	{store_error_quark, ANY_CODE, EXIT_UNREAD},
	{g_file_error_quark, ANY_CODE, EXIT_UNREAD},
	{g_io_error_quark, ANY_CODE, EXIT_UNREAD},
	{g_convert_error_quark, ANY_CODE, EXIT_UNREAD},
};

static int exit_of(const GError *err)
{
	for (guint i = 0; i < G_N_ELEMENTS(exit_table); i++)
		if (err->domain == exit_table[i].domain() &&
		    (exit_table[i].code == ANY_CODE ||
		     exit_table[i].code == err->code))
			return exit_table[i].exit;
	return EXIT_BUG;
}

/* One line that a terminal shows as it is, whatever a file is called. */
static void say(const char *text)
{
	g_autofree char *line =
		g_utf8_make_valid(text, strnlen(text, LINE_MAX_BYTES));

	g_strchomp(line);
	for (char *p = line; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	fprintf(stderr, "culprit: %s\n", plain_text(line));
}

void cli_error(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	say(text);
}

int cli_fail(const char *what, const GError *err)
{
	if (what)
		cli_error("%s: %s", what, err->message);
	else
		cli_error("%s", err->message);
	return exit_of(err);
}

static GLogWriterOutput write_log(GLogLevelFlags level, const GLogField *fields,
				  gsize n_fields, gpointer verbose)
{
	const GLogLevelFlags loud =
		G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING;

	if (!(level & loud) && !GPOINTER_TO_INT(verbose))
		return G_LOG_WRITER_HANDLED;
	for (gsize i = 0; i < n_fields; i++)
		if (g_str_equal(fields[i].key, "MESSAGE"))
			say(fields[i].value);
	return G_LOG_WRITER_HANDLED;
}

void cli_log_init(gboolean verbose)
{
	g_log_set_writer_func(write_log, GINT_TO_POINTER(verbose), NULL);
}

/* Why stdout failed, 0 = it did not. A reader that has seen enough (head) is
 * nothing to talk about: then we end as a program that knows no SIGPIPE. */
static int stdout_failure;

static void stdout_failed(int why)
{
	if (stdout_failure)
		return;
	stdout_failure = why ? why : EIO;
	if (why != EPIPE)
		cli_error("stdout: %s", g_strerror(stdout_failure));
}

gboolean cli_write(const char *text, gssize len)
{
	gsize size = len < 0 ? strlen(text) : (gsize)len;

	if (fwrite(text, 1, size, stdout) == size)
		return TRUE;
	stdout_failed(errno);
	return FALSE;
}

int cli_flush(int rc)
{
	if (ferror(stdout) || fflush(stdout))
		stdout_failed(errno);
	if (!stdout_failure)
		return rc;
	if (stdout_failure == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return EXIT_UNREAD;
}
