#include "mail/verdict.h"

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {"inconclusive",   "recovered",
					    "partial",	      "not-recovered",
					    "not-reproduced", "reproduced",
					    "kept",	      "lost"};

	return names[v];
}

const char *confidence_name(enum confidence c)
{
	static const char *const names[] = {NULL, "medium", "high"};

	return names[c];
}
