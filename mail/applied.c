/* applied.c - what became of a patch, in words */
#include "mail/applied.h"

struct applied *applied_read(const message *msg, const struct subject *s,
			     const body *b, const struct robot *robot)
{
	(void)msg;
	(void)s;
	(void)b;
	(void)robot;
	return NULL;
}

void applied_free(struct applied *a)
{
	g_free(a);
}

const char *applied_kind_name(enum applied_kind k)
{
	static const char *const names[] = {"applied",	"queued",
					    "merged",	"picked-stable",
					    "rejected", "reverted",
					    "promised"};

	return names[k];
}
