/* rate.c - a bucket of tokens */
#include "bot/rate.h"

void rate_init(struct rate *r, guint most, gint64 now)
{
	r->most = most;
	r->have = (gint64)most * G_USEC_PER_SEC;
	r->then = now;
}

gint64 rate_take(struct rate *r, gint64 now)
{
	gint64 full = (gint64)r->most * G_USEC_PER_SEC;
	gint64 passed = CLAMP(now - r->then, 0, G_USEC_PER_SEC);

	if (!r->most)
		return 0;
	r->have = MIN(full, r->have + passed * r->most);
	r->then = now;
	if (r->have < G_USEC_PER_SEC)
		return (G_USEC_PER_SEC - r->have + r->most - 1) / r->most;
	r->have -= G_USEC_PER_SEC;
	return 0;
}
