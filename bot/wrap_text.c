/* wrap_text.c - paragraphs for mail of 72 columns, and for terminals of 80 */
#include "bot/wrap_text.h"

#include <string.h>

/* From column `at` on. */
static void wrap(GString *out, const char *text, const char *indent, guint at,
		 guint columns)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
	guint margin = text_columns(indent, strlen(indent));
	gboolean fresh = TRUE; /* nothing on this line yet */

	for (guint n = 0; words[n]; n++) {
		guint width = text_columns(words[n], strlen(words[n]));

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
	wrap(out, text, indent, 0, MAIL_COLUMNS);
}

void text_hang(GString *out, const char *text, guint at)
{
	g_autofree char *indent = g_strnfill(at, ' ');

	if (at + text_columns(text, strlen(text)) <= TERMINAL_COLUMNS)
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
		longest =
			MAX(longest, text_columns(lines[n], strlen(lines[n])));
	for (guint n = 0; n < MIN(longest, MAIL_COLUMNS); n++)
		g_string_append_c(out, sign);
	g_string_append_c(out, '\n');
}
