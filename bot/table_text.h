/* table_text.h - a comparison table for people to read */
#ifndef BOT_TABLE_TEXT_H
#define BOT_TABLE_TEXT_H

#include <glib.h>

#include "mail/table.h"

/* Columns with what is known of them, then rows: failures, and the metrics of
 * the test itself; those of monitors only where `all`, else their number is
 * told. Rejects and findings follow. Plain text, ends with a newline. */
void table_text(GString *out, const struct table *t, gboolean all);

#endif
