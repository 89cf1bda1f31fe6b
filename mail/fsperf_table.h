/* fsperf_table.h - the tables of fsperf, the btrfs performance tests */
#ifndef MAIL_FSPERF_TABLE_H
#define MAIL_FSPERF_TABLE_H

#include "mail/table.h"

/* Cheap: FALSE if the body can't hold such a table. */
gboolean fsperf_table_likely(const body *b);

/* Appends the tables of the body in the order of their lines. Columns are
 * "baseline" and "current"; the deviation, printed as an absolute number,
 * becomes sd_pct of the baseline's cell. */
void fsperf_tables_read(const body *b, GPtrArray *tables);

#endif
