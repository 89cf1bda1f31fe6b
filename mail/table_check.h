/* table_check.h - do the numbers of a table agree with each other
 * Adds findings; never corrects a number. Sound: a finding is only made where
 * no rounding or truncation can explain what was printed. */
#ifndef MAIL_TABLE_CHECK_H
#define MAIL_TABLE_CHECK_H

#include "mail/table.h"

#define TABLE_CHECK_MAX 200 /* findings of one table; more are only counted */

/* The findings of one table: change-mismatch, fail-rate-wrong, column-count,
 * label-mismatch, duplicate-differs, sd-too-large, fails-exceed-runs. */
void table_check(struct table *t);

/* Against the headline of the report that the table stands in:
 * headline-mismatch, direction-contradicts. */
void table_check_headline(struct table *t, const char *metric,
			  double change_written, gboolean regression);

struct interval {
	double lo, hi;
};

/* The true values which are printed as `text`: integers are truncated toward
 * zero, others rounded to their last digit. */
struct interval table_interval(const char *text);
/* Of a change as printed, "%" or not. */
struct interval table_change_interval(const char *text);

#endif
