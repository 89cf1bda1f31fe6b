/* message_help.h - parsing mails in the tests of message */
#ifndef TESTS_MAIL_MESSAGE_HELP_H
#define TESTS_MAIL_MESSAGE_HELP_H

#include <string.h>

#include "mail/message.h"

#include "tests/test.h"

static inline message *parse(const char *raw, gsize len, gint64 received)
{
	g_autoptr(GBytes) bytes = g_bytes_new(raw, len);
	GError *err = NULL;
	message *msg = message_parse(bytes, received, &err);

	ck_assert_ptr_nonnull(msg);
	ck_assert_ptr_null(err);
	return msg;
}

static inline message *parse_text(const char *raw)
{
	return parse(raw, strlen(raw), 0);
}

/* Elements joined by blanks. */
static inline char *join(GPtrArray *strings)
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < strings->len; i++)
		g_string_append_printf(s, "%s%s", i ? " " : "",
				       (char *)g_ptr_array_index(strings, i));
	return g_string_free(s, FALSE);
}

static inline char *warning_codes(const message *msg)
{
	GPtrArray *w = message_warnings(msg);
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < w->len; i++) {
		const struct warning *one = g_ptr_array_index(w, i);

		g_string_append_printf(s, "%s%s", i ? " " : "", one->code);
	}
	return g_string_free(s, FALSE);
}

#endif
