/* test_key.h - which measurements of different mails may be compared
 * The same test with the same parameters on the same machine: a series of
 * observations through time. */
#ifndef MAIL_TEST_KEY_H
#define MAIL_TEST_KEY_H

#include <glib.h>

#include "mail/report.h"
#include "mail/table.h"

#define TEST_KEY_CHARS 16 /* hex digits of SHA-256 */

/* Both over the sorted axes "key=value" and the metric by its name of today.
 * The loose key leaves out what describes the environment (compiler, kconfig,
 * rootfs, ucode, cpufreq_governor, debug-setup) and axes that are compared
 * (commit). FALSE, and both are "": no test or no machine is known. */
struct test_key {
	char series[TEST_KEY_CHARS + 1];
	char strict[TEST_KEY_CHARS + 1];
	gboolean derived; /* from a report's parameters: no axes were there */
};

gboolean test_key_of_table(const struct table *t, const char *metric,
			   struct test_key *key);
/* Of a report whose table has no axes; the machine is its short name, else
 * the sentence that describes it. */
gboolean test_key_of_report(const struct report *r, struct test_key *key);

/* TRUE if the axes agree but for those of the environment: two tables show
 * the same test on the same machine. Axes that only one of them has do not
 * count against it. `differs` (may be NULL): "fs: ext4, xfs" for what does
 * not; you own it. */
gboolean test_key_same_setup(const struct table *a, const struct table *b,
			     char **differs);

#endif
