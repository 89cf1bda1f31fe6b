/* metric.h - what is known of metrics by their names
 * From config/metrics.conf, which is built in. */
#ifndef MAIL_METRIC_H
#define MAIL_METRIC_H

#include <glib.h>

#include "mail/table.h"

/* Which way is better. Names are matched after renaming; the first pattern
 * that fits decides. Monitors (perf-*, vmstat ...) are METRIC_UNKNOWN. */
enum metric_direction metric_direction(const char *metric);

/* TRUE for what a monitor measures beside the test: never decides. */
gboolean metric_is_monitor(const char *metric);

/* TRUE for a failure by its name (dmesg.*, *.fail, last_state.*). */
gboolean metric_is_failure(const char *metric);

/* TRUE if the metric is one of the test's own results: "fio.write_iops" of
 * "fio-basic", and not "fio.time.*". NULL: of whatever test. */
gboolean metric_is_of_test(const char *metric, const char *testcase);

/* Today's name of a metric that was renamed ("phoronix-test-suite.x" is
 * "pts.x"). You own it. */
char *metric_canonical(const char *metric);

/* By a headline: "regression" of a metric that went down: higher is better. */
enum metric_direction metric_direction_by_word(gboolean regression,
					       double change);

/* The patterns as text, for the checks of the file itself. NULL or the first
 * line that is wrong; you own it. */
char *metric_check(const char *text, gsize len);

#endif
