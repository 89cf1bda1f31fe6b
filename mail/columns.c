/* columns.c - how wide a text is on a terminal */
#include "mail/columns.h"

#define TAB 8

guint text_columns(const char *text, gsize len)
{
	guint n = 0;

	for (const char *p = text; p < text + len; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (c == '\t')
			n += TAB - n % TAB;
		else if (!g_unichar_iszerowidth(c))
			n += g_unichar_iswide(c) ? 2 : 1;
	}
	return n;
}
