/* chars_priv.h - kinds of characters that several files tell apart
 * Whatever the locale. */
#ifndef MAIL_CHARS_PRIV_H
#define MAIL_CHARS_PRIV_H

#include <glib.h>

/* A blank, a tab or what ends a line or page. */
static inline gboolean is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* What a terminal would obey: controls, marks that end a line or turn the
 * reading direction. */
static inline gboolean is_unsafe(gunichar c)
{
	return g_unichar_iscntrl(c) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Up to its NUL and to `max` bytes, runs of blanks made one, none in front; one
 * may stay at the end. Cut before a character that is not whole. You own it. */
char *chars_squeeze(const char *text, gsize len, gsize max);

#endif
