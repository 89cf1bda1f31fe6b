/* duration.h - spans of time as people write them: "10min", "7d" */
#ifndef BOT_DURATION_H
#define BOT_DURATION_H

#include <glib.h>

#define DURATION_MAX   (100LL * 366 * 24 * 3600) /* a century, in seconds */
#define DURATION_FORMS "10min, 36h, 7d or 2w"

/* A whole number and one of s, min, h, d, w, y (365 days), nothing else: "m"
 * could be minutes or months. FALSE if it is not, or beyond DURATION_MAX. */
gboolean duration_parse(const char *text, gint64 *seconds);

#endif
