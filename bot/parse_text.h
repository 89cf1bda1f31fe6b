/* parse_text.h - what was understood of a message, for a person to read */
#ifndef BOT_PARSE_TEXT_H
#define BOT_PARSE_TEXT_H

#include "mail/reading.h"

/* Lines that end in a newline; safe for a terminal. You own the text. */
char *parse_text(const struct reading *r, gboolean with_body);

#endif
