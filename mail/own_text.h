/* own_text.h - our own words in a mail, wrapped
 * Lines of MAIL_COLUMNS at most, broken at blanks; what must not be broken is
 * left as it is. */
#ifndef MAIL_OWN_TEXT_H
#define MAIL_OWN_TEXT_H

#include <glib.h>

/*
 * Append `text` line by line. Left whole: quoted lines, lines that begin with
 * a blank or '|', columns, rules, logs, trailers, commands, lines of a diff. A
 * word longer than the width stands alone. No break leaves "From ", '>',
 * '#culprit' or a signature's mark at the beginning of a line; a commit
 * ('1234abcd ("title")') is not torn before its title. No line ends in
 * blanks; ends with a newline unless empty.
 */
void own_text_wrap(GString *out, const char *text);

#endif
