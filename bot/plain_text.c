/* plain_text.c - text out of mails, made safe for a terminal */
#include "bot/plain_text.h"

#include <glib.h>
#include <string.h>

static gboolean is_dropped(gunichar c)
{
	return (c < 0x20 && c != '\n' && c != '\t') ||
	       (c >= 0x7f && c <= 0x9f) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

char *plain_text(char *text)
{
	char *to = text;

	for (const char *p = text; *p;) {
		gunichar c = g_utf8_get_char_validated(p, -1);
		gsize len;

		if (c == (gunichar)-1 || c == (gunichar)-2) {
			*to++ = '?';
			p++;
			continue;
		}
		len = (gsize)(g_utf8_next_char(p) - p);
		if (!is_dropped(c)) {
			memmove(to, p, len);
			to += len;
		}
		p += len;
	}
	*to = '\0';
	return text;
}
