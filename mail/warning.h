/* warning.h - what is odd about a message: a code and a text
 * A warning never stops anything; it ends on the problems page. */
#ifndef MAIL_WARNING_H
#define MAIL_WARNING_H

#include <glib.h>

#define WARNINGS_MAX	 32 /* further ones are counted in a last "more" entry */
#define WARNING_MAX_TEXT 500 /* bytes, about; the rest is "..." */

struct warning {
	char *code; /* lower case, words joined by '-': "bad-date" */
	char *text; /* one line, valid UTF-8, names the object */
};

/* An array that owns its elements. */
GPtrArray *warnings_new(void);

/* Append a warning; the same code and text is kept once. `format` as printf;
 * control bytes and invalid UTF-8 of the arguments are made visible. */
void warnings_add(GPtrArray *warnings, const char *code, const char *format,
		  ...) G_GNUC_PRINTF(3, 4);

#endif
