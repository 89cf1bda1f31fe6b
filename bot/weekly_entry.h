/* weekly_entry.h - one regression in the weekly report
 * Internal to bot/weekly_report.c. */
#ifndef BOT_WEEKLY_ENTRY_H
#define BOT_WEEKLY_ENTRY_H

#include "db/items.h"

#include "bot/weekly_report.h"

void weekly_entry(GString *out, const struct item *i,
		  const struct weekly_report *r, gboolean ended);

/* Its range or tree says that it is of "next" or "stable". */
gboolean weekly_is_of(const struct item *i, const char *kind);

/* A name for a header: quoted where it has to be, encoded beyond ASCII. */
char *weekly_phrase(const char *name);

#endif
