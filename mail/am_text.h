/* am_text.h - a commit message as text and trailers
 * Only for mail/am_*.c. */
#ifndef MAIL_AM_TEXT_H
#define MAIL_AM_TEXT_H

#include <glib.h>

#include "mail/trailers.h"

struct am_text {
	GString *prose;	     /* all but the trailers; no newline at its end */
	GPtrArray *trailers; /* "Key: value" lines, notes below included */
	GPtrArray *read;     /* of struct trailer: the same where they are
			      * understood, else NULL */
};

/* The last paragraph's lines of the form "word: value" are trailers; what
 * stands between them moves above, into a paragraph of its own. */
void am_text_init(struct am_text *t, const char *message);
void am_text_clear(struct am_text *t);

#endif
