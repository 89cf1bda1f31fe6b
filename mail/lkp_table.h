/* lkp_table.h - the tables of kernel test robot mails, both eras
 * Grammar: docs/tables.md. Reads what stands there, whatever mailers did to
 * its blanks; never guesses. */
#ifndef MAIL_LKP_TABLE_H
#define MAIL_LKP_TABLE_H

#include "mail/table.h"

/* Cheap: FALSE if the body can't hold a row of such a table. */
gboolean lkp_table_likely(const body *b);

/* Appends the tables of the body to `tables` in the order of their lines. A
 * failure block and the perf block below it with the same columns are one
 * table. */
void lkp_tables_read(const body *b, GPtrArray *tables);

/* One table in the robot's own format, from the values: label line, rule,
 * the heads and rows of failures, then of measurements. `axes`: with the axes
 * and the commit list above. Only style TABLE_LKP and TABLE_LKP_OLD. */
void lkp_table_print(const struct table *t, gboolean axes, GString *out);

/* A value, its deviation and a change as the robot prints them (truncation,
 * widths). `sd` in percent, NAN or up to 2: blanks. */
void lkp_print_value(GString *out, double mean);
void lkp_print_sd(GString *out, double sd_pct);
void lkp_print_change(GString *out, double change, enum table_change kind);

#endif
