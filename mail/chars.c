/* chars.c - what several files do with the blanks of a text */
#include "mail/chars_priv.h"

char *chars_squeeze(const char *text, gsize len, gsize max)
{
	GString *out = g_string_sized_new(MIN(len, max));
	const char *end;

	for (gsize i = 0; i < len && text[i] && out->len < max; i++) {
		if (!is_blank(text[i]))
			g_string_append_c(out, text[i]);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	g_utf8_validate(out->str, (gssize)out->len, &end);
	g_string_truncate(out, (gsize)(end - out->str));
	return g_string_free(out, FALSE);
}
