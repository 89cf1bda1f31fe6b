/* blank_priv.h - what stands between words, in headers and in bodies
 * Bytes of ASCII alone, whatever the locale. */
#ifndef MAIL_BLANK_PRIV_H
#define MAIL_BLANK_PRIV_H

#include <glib.h>

/* A blank, a tab or what ends a line or page. */
static inline gboolean is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
