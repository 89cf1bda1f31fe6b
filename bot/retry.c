/* retry.c - exponential back-off with jitter */
#include "bot/retry.h"

#include "bot/net.h"

#define MAX_DOUBLINGS 24

static guint64 jitter(guint64 ms, guint percent)
{
	guint64 range = ms * percent / 100;

	return ms - range + (guint64)(g_random_double() * 2.0 * (double)range);
}

guint64 retry_next(struct retry *r, const GError *why, guint poll)
{
	guint64 usual = (guint64)poll * 1000, ms, most;

	if (!why) {
		r->failures = 0;
		return jitter(usual, RETRY_POLL_JITTER);
	}
	if (net_is_passing(why)) {
		ms = r->first_ms ? r->first_ms : RETRY_FIRST_MS;
		most = MAX(RETRY_MAX_MS, usual);
	} else {
		ms = RETRY_LONG_MS;
		most = MAX(RETRY_LONG_MAX_MS, usual);
	}
	ms <<= MIN(r->failures, MAX_DOUBLINGS);
	r->failures++;
	return jitter(MIN(ms, most), RETRY_JITTER);
}
