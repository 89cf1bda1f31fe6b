/* fuzz_metric.c - any text as the file of metrics, and as a metric's name */
#include <stdint.h>
#include <string.h>

#include "mail/metric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *problem = metric_check((const char *)data, size);
	g_autofree char *name = g_strndup((const char *)data, size);
	g_autofree char *now = metric_canonical(name);
	g_autofree char *again = metric_canonical(now);

	g_assert(!problem || g_utf8_validate(problem, -1, NULL));
	g_assert(!strcmp(now, again));
	g_assert(metric_direction(name) == metric_direction(now));
	g_assert(!metric_is_monitor(name) ||
		 metric_direction(name) == METRIC_UNKNOWN);
	metric_is_failure(name);
	g_assert(!metric_is_of_test(name, NULL) || !metric_is_monitor(name));
	return 0;
}
