#include "mail/metric.h"

enum metric_direction metric_direction(const char *metric)
{
	(void)metric;
	return METRIC_UNKNOWN;
}

gboolean metric_is_monitor(const char *metric)
{
	(void)metric;
	return FALSE;
}
