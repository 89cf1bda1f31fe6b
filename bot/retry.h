/* retry.h - how long until a source or tree is looked at again
 * Never all at the same moment, never again and again without a pause. */
#ifndef BOT_RETRY_H
#define BOT_RETRY_H

#include <glib.h>

#define RETRY_FIRST_MS	   1000		     /* after what may pass */
#define RETRY_MAX_MS	   (10 * 60 * 1000)  /* or the poll, if longer */
#define RETRY_LONG_MS	   (5 * 60 * 1000)   /* after what will not */
#define RETRY_LONG_MAX_MS  (6 * 3600 * 1000) /* ... */
#define RETRY_JITTER	   25  /* percent more or less after a failure */
#define RETRY_POLL_JITTER  10  /* ... between two looks */
#define RETRY_CALM_SECONDS 600 /* what held for so long starts afresh */

struct retry {
	guint failures; /* one after the other */
	guint first_ms; /* 0: RETRY_FIRST_MS */
};

/* Milliseconds until the next look, `poll` seconds after one that went well
 * (`why` NULL); else longer with each failure. What net_is_passing() calls
 * lasting (a wrong password, a bad certificate) is tried seldom. */
guint64 retry_next(struct retry *r, const GError *why, guint poll);

#endif
