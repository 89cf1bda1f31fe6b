/* wrap_text.h - paragraphs for mail of 72 columns, and for terminals of 80 */
#ifndef BOT_WRAP_TEXT_H
#define BOT_WRAP_TEXT_H

#include "mail/columns.h"

#define TERMINAL_COLUMNS 80

/* Append `text` in lines of MAIL_COLUMNS at most, broken at blanks; those after
 * the first begin with `indent`. A longer word (a URL) has a line of its own.
 * Ends with a newline. */
void text_wrap(GString *out, const char *text, const char *indent);

/* The same for a terminal, where `text` begins at column `at` and goes on there;
 * what fits stays as it is. */
void text_hang(GString *out, const char *text, guint at);

/* `text` and below it a rule of `sign`, as long as its longest line. */
void text_heading(GString *out, const char *text, char sign);

#endif
