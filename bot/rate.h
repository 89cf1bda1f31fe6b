/* rate.h - so many a second at most: a bucket of tokens
 * Never reads a clock: the time is handed in. */
#ifndef BOT_RATE_H
#define BOT_RATE_H

#include <glib.h>

struct rate {
	guint most;  /* a second, and at once; 0: no limit */
	gint64 have; /* millionths of a token */
	gint64 then; /* when they were counted, microseconds */
};

/* Full. */
void rate_init(struct rate *r, guint most, gint64 now);
/* Microseconds to wait for the next token; 0: it was taken. */
gint64 rate_take(struct rate *r, gint64 now);

#endif
