/* wrap_text.c - paragraphs for mail of 72 columns, and for terminals of 80 */
#include "bot/wrap_text.h"

#include <string.h>

guint text_columns(const char *text)
{
	guint n = 0;

	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (!g_unichar_iszerowidth(c))
			n += g_unichar_iswide(c) ? 2 : 1;
	}
	return n;
}

/* From column `at` on. */
static void wrap(GString *out, const char *text, const char *indent, guint at,
		 guint columns)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
	guint margin = text_columns(indent);
	gboolean fresh = TRUE; /* nothing on this line yet */

	for (guint n = 0; words[n]; n++) {
		guint width = text_columns(words[n]);

		if (!*words[n])
			continue;
		if (!fresh && at + 1 + width > columns) {
			g_string_append_printf(out, "\n%s", indent);
			at = margin;
			fresh = TRUE;
		}
		g_string_append_printf(out, "%s%s", fresh ? "" : " ", words[n]);
		at += width + !fresh;
		fresh = FALSE;
	}
	g_string_append_c(out, '\n');
}

void text_wrap(GString *out, const char *text, const char *indent)
{
	wrap(out, text, indent, 0, WRAP_COLUMNS);
}

void text_hang(GString *out, const char *text, guint at)
{
	g_autofree char *indent = g_strnfill(at, ' ');

	if (at + text_columns(text) <= TERMINAL_COLUMNS)
		g_string_append_printf(out, "%s\n", text);
	else
		wrap(out, text, indent, at, TERMINAL_COLUMNS);
}

void text_heading(GString *out, const char *text, char sign)
{
	gsize from = out->len;
	g_auto(GStrv) lines = NULL;
	guint longest = 0;

	text_wrap(out, text, "");
	lines = g_strsplit(out->str + from, "\n", -1);
	for (guint n = 0; lines[n]; n++)
		longest = MAX(longest, text_columns(lines[n]));
	for (guint n = 0; n < MIN(longest, WRAP_COLUMNS); n++)
		g_string_append_c(out, sign);
	g_string_append_c(out, '\n');
}
