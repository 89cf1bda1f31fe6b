/* warning.c - collecting what is odd about a message
 * Keeps texts printable; must not judge what a warning means. */
#include "mail/warning.h"

#include <string.h>

#include "mail/chars_priv.h"

static void warning_free(gpointer data)
{
	struct warning *w = data;

	g_free(w->code);
	g_free(w->text);
	g_free(w);
}

GPtrArray *warnings_new(void)
{
	return g_ptr_array_new_with_free_func(warning_free);
}

/* Control bytes and bytes that are no UTF-8 become \xNN. */
static char *visible(const char *s)
{
	GString *out = g_string_new(NULL);

	while (*s && out->len < WARNING_MAX_TEXT) {
		gunichar c = g_utf8_get_char_validated(s, -1);

		if (c == (gunichar)-1 || c == (gunichar)-2) {
			g_string_append_printf(out, "\\x%02x", (guchar)*s++);
			continue;
		}
		if (is_unsafe(c))
			g_string_append_printf(out, "\\x%02x", c);
		else
			g_string_append_unichar(out, c);
		s = g_utf8_next_char(s);
	}
	if (*s)
		g_string_append(out, "...");
	return g_string_free(out, FALSE);
}

static void append(GPtrArray *warnings, const char *code, char *text)
{
	struct warning *w = g_new(struct warning, 1);

	w->code = g_strdup(code);
	w->text = text;
	g_ptr_array_add(warnings, w);
}

/* The last entry counts those beyond the bound; its text is the counter. */
static void count_more(GPtrArray *warnings)
{
	struct warning *last;
	guint64 n;

	if (warnings->len == WARNINGS_MAX) {
		append(warnings, "more", g_strdup("1 further warning"));
		return;
	}
	last = g_ptr_array_index(warnings, WARNINGS_MAX);
	n = g_ascii_strtoull(last->text, NULL, 10) + 1;
	g_free(last->text);
	last->text =
		g_strdup_printf("%" G_GUINT64_FORMAT " further warnings", n);
}

void warnings_add(GPtrArray *warnings, const char *code, const char *format,
		  ...)
{
	g_autofree char *raw = NULL;
	g_autofree char *text = NULL;
	guint kept = MIN(warnings->len, WARNINGS_MAX);
	va_list ap;

	va_start(ap, format);
	raw = g_strdup_vprintf(format, ap);
	va_end(ap);
	text = visible(raw);
	for (guint i = 0; i < kept; i++) {
		const struct warning *w = g_ptr_array_index(warnings, i);

		if (g_str_equal(w->code, code) && g_str_equal(w->text, text))
			return;
	}
	if (kept == WARNINGS_MAX)
		count_more(warnings);
	else
		append(warnings, code, g_steal_pointer(&text));
}
