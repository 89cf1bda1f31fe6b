/* rerun_priv.h - what the parts of judging reruns share */
#ifndef MAIL_RERUN_PRIV_H
#define MAIL_RERUN_PRIV_H

#include "mail/rerun.h"

/* A table with the columns that a verdict is made of, and the row. */
struct place {
	const struct table *table;
	const struct rerun_mail *mail;
	int row, base, culprit; /* -1: not in it */
};

/* A column that stands for `commit`: it or its label, cut or not. */
gboolean rerun_is_commit(const struct table_column *c, const char *commit);

/* The report's own table that a table of a rerun must be compared with: of
 * the same setup and with the metric's row, if there is one; else the
 * headline's. `row` is -1 where it has no such row. FALSE: it shows none. */
gboolean rerun_reported(const struct report *r, const struct rerun_mail *report,
			const struct table *t, const char *metric,
			struct place *out);

/* Row of a metric by any of its names; -1 none. */
int rerun_find_row(const struct table *t, const char *metric);

/* Measure of a cell with all that is known of its runs; what had to be
 * assumed is told. `assumptions` NULL: of a metric that is only looked at, so
 * that inferring fewer runs is not worth its time. */
struct measure rerun_measure(const struct place *at, int column,
			     GPtrArray *assumptions, GPtrArray *notes);

/* The raw values behind a cell stand in its mail. */
gboolean rerun_has_raw(const struct place *at, int column);

/* Are two measures of one commit of the same environment: the intervals of
 * their means overlap. */
gboolean rerun_agree(const struct measure *a, const struct measure *b);

/* Name of a column for people: label or commit. Lent; never NULL. */
const char *rerun_column_name(const struct table_column *c);

/* The verdicts of one report while they are made. */
struct judging {
	const struct report *r;
	const struct rerun_mail *report;
	GHashTable *seen; /* measurements that were judged, as text */
	GPtrArray *out;
	guint over; /* there was no room for */
};

/* Judge one table of a mail; its roles are known. */
void rerun_judge_perf(struct judging *j, const struct rerun_mail *mail,
		      const struct table *t);
void rerun_judge_fails(struct judging *j, const struct rerun_mail *mail,
		       const struct table *t);

/* TRUE if the table tests another setup than the headline's table; what
 * `differs` is yours. */
gboolean rerun_other_setup(const struct judging *j, const struct table *t,
			   char **differs);

/* A rerun without a judgement, appended; NULL: there are enough. `column`
 * -1: base and culprit alone. */
struct rerun *rerun_add(struct judging *j, const struct place *at, int column);
/* TRUE the first time that this measurement is asked for. */
gboolean rerun_is_new(struct judging *j, const struct place *at, int column);

#endif
