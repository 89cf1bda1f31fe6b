/* date.h - dates of mail: parsing damaged ones, printing ours
 * Never reads the clock. Times are seconds since 1970 UTC. */
#ifndef MAIL_DATE_H
#define MAIL_DATE_H

#include <glib.h>

/*
 * Parse a Date header value. Accepts +hh:mm and named zones, asctime, two
 * digit years, missing seconds, comments. FALSE for garbage, impossible
 * dates (30 Feb), zones beyond +-14:00 (`*zone` then still tells it).
 * `zone` (may be NULL): minutes east of UTC; G_MAXINT if none was written.
 */
gboolean date_parse(const char *value, gint64 *utc, int *zone);

/* "2024-01-31T14:09:33Z"; NULL for 0 or out of the years 1970-9999. */
char *date_to_rfc3339(gint64 utc);
/* Parse RFC 3339, the form of --now; FALSE if it is not. */
gboolean date_from_rfc3339(const char *text, gint64 *utc);
/* "2023-08-24  6:33", hour padded by a blank, as public-inbox prints it; NULL
 * as above. */
char *date_to_overview(gint64 utc);

/* "Wed, 14 Oct 2026 08:15:22 +0000", for a Date field; NULL as above. */
char *date_to_mail(gint64 utc);

/* "Mon" to "Sun" of 1 to 7, "Jan" to "Dec" of 1 to 12: English whatever the
 * locale; static. */
const char *date_day_name(int day);
const char *date_month_name(int month);

#endif
