/* query_dates.h - dates as people type them in queries
 * Internal to db/query. UTC only; the caller gives the present. */
#ifndef DB_QUERY_DATES_H
#define DB_QUERY_DATES_H

#include <glib.h>

/*
 * The half-open span [*low, *high) that a date means at `now`: 2024, 2024-01,
 * 2024-01-31 or 20240131 (the year, month, day), 20240131120000 and RFC 3339
 * (that second), today, yesterday, 7d, 2w, 3m, 1y, 12h, 3.days.ago,
 * last.week (month, year, day): the UTC day of that instant; hours: the
 * second. FALSE if it is none of these.
 */
gboolean query_date_span(const char *text, gint64 now, gint64 *low,
			 gint64 *high);

#endif
