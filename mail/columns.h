/* columns.h - how wide a text is on a terminal */
#ifndef MAIL_COLUMNS_H
#define MAIL_COLUMNS_H

#include <glib.h>

#define MAIL_COLUMNS 72 /* of a line that we write */

/* Of valid UTF-8: wide characters count 2, combining ones 0, a tab up to the
 * next multiple of 8 from the beginning of `text`. */
guint text_columns(const char *text, gsize len);

#endif
