/* table_runs.h - how many runs stand behind a column
 * Sources in order: said in the text, rows of failures, raw values, inferred
 * from the printed numbers. */
#ifndef MAIL_TABLE_RUNS_H
#define MAIL_TABLE_RUNS_H

#include "mail/table.h"

/* Fills runs and runs_source of every column that has none yet. */
void table_infer_runs(struct table *t);

/* "tested for 5 times" and the like in the sender's own text. */
void tables_state_runs(GPtrArray *tables, const body *b);

/* Raw values: `"metric": [` and its lines of values up to `]`. */
struct table_samples {
	char *metric;
	char *label; /* the commit named by its file or the line above; NULL */
	GArray *values; /* of double */
	guint line;	/* from 1 */
	guint depth;
};
GPtrArray *table_samples_read(const body *b);
void table_samples_free(struct table_samples *s);
AUTO_STRUCT(table_samples, table_samples_free)

/* Ties each to the cell whose printed mean is its mean, in every table that
 * has one such: sets the runs of that column (RAW). */
void table_samples_bind(GPtrArray *tables, GPtrArray *samples);

/* Bounds of n by one method each; 0: it has no answer. Column of one table. */
guint table_runs_by_fractions(const struct table *t, guint column);
guint table_runs_by_deviation(const struct table *t, guint column);
/* n is at least this, by the largest deviation that was printed. */
guint table_runs_least(const struct table *t, guint column);

#endif
