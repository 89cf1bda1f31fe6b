/* rerun_measure.c - a cell's numbers with all that is known of its runs
 * Decides nothing. */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/rerun_priv.h"
#include "mail/stats.h"
#include "mail/table_runs.h"
#include "mail/test_key.h"

#define RUNS_DEFAULT  3
#define OUTLIER_SIGMA 4
#define OUTLIER_RUNS  4 /* fewer have none */

int rerun_find_row(const struct table *t, const char *metric)
{
	int row = table_find(t, metric);
	g_autofree char *name = NULL;

	if (row >= 0)
		return row;
	name = metric_canonical(metric);
	for (guint i = 0; i < t->rows->len; i++) {
		g_autofree char *other =
			metric_canonical(table_row(t, i)->metric);

		if (!strcmp(name, other))
			return (int)i;
	}
	return -1;
}

static gboolean place_in(const struct table *t, const struct rerun_mail *mail,
			 const struct report *r, const char *metric,
			 struct place *out)
{
	*out = (struct place){t, mail, -1, -1, -1};
	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_column *c = table_column(t, i);

		if (out->culprit < 0 && rerun_is_commit(c, r->commit))
			out->culprit = (int)i;
		else if (out->base < 0)
			out->base = (int)i;
	}
	if (metric)
		out->row = rerun_find_row(t, metric);
	return out->culprit >= 0;
}

gboolean rerun_reported(const struct report *r, const struct rerun_mail *report,
			const struct table *t, const char *metric,
			struct place *out)
{
	GPtrArray *tables = report->tables;
	gboolean found = FALSE;

	for (guint i = 0; tables && i < tables->len; i++) {
		const struct table *own = tables->pdata[i];
		struct place at;

		if (own->depth || !place_in(own, report, r, metric, &at))
			continue;
		if (at.row >= 0 && t && test_key_same_setup(t, own, NULL)) {
			*out = at;
			return TRUE;
		}
		/* the headline's stands first */
		if (!found || (out->row < 0 && at.row >= 0))
			*out = at;
		found = TRUE;
	}
	return found;
}

gboolean rerun_other_setup(const struct judging *j, const struct table *t,
			   char **differs)
{
	struct place of;

	*differs = NULL;
	return rerun_reported(j->r, j->report, NULL, j->r->metric, &of) &&
	       !test_key_same_setup(t, of.table, differs);
}

/* Printed integers are truncated, others have two decimals. */
static gboolean prints_as(double mean, double printed)
{
	double within = fabs(printed) < 1000 ? 0.0051 : 1;

	if (fabs(printed) > 1e8)
		within = fabs(printed) * 5.1e-4;
	return fabs(mean - printed) <= within;
}

static const struct table_samples *raw_values(const struct place *at,
					      const struct table_cell *cell)
{
	const char *metric = table_row(at->table, (guint)at->row)->metric;
	GPtrArray *samples = at->mail->samples;

	for (guint i = 0; samples && i < samples->len; i++) {
		const struct table_samples *s = samples->pdata[i];

		if (s->values->len > 1 && s->metric &&
		    !strcmp(s->metric, metric) &&
		    prints_as(stats_of((const double *)s->values->data,
				       s->values->len)
				      .mean,
			      cell->mean))
			return s;
	}
	return NULL;
}

gboolean rerun_has_raw(const struct place *at, int column)
{
	return raw_values(at, table_cell(at->table, (guint)at->row,
					 (guint)column)) != NULL;
}

/* The value that is farthest off, if the others agree much better. */
static void tell_outlier(const struct table_samples *s, const char *column,
			 GPtrArray *notes)
{
	const double *v = (const double *)s->values->data;
	guint n = s->values->len, far = 0;
	double mean = stats_of(v, n).mean;
	g_autofree double *others = NULL;
	struct stats_sample rest;

	if (!notes || n < OUTLIER_RUNS)
		return;
	for (guint i = 1; i < n; i++)
		if (fabs(v[i] - mean) > fabs(v[far] - mean))
			far = i;
	others = g_memdup2(v, n * sizeof(*v));
	others[far] = others[n - 1];
	rest = stats_of(others, n - 1);
	if (fabs(v[far] - rest.mean) > OUTLIER_SIGMA * rest.sd)
		g_ptr_array_add(notes,
				g_strdup_printf("%s: one of %u runs is far "
						"off: %g, the others %.4g",
						column, n, v[far], rest.mean));
}

/* By inference, where it says less than what was told. */
static guint fewest_runs(const struct table *t, guint column)
{
	guint a = table_runs_by_fractions(t, column);
	guint b = table_runs_by_deviation(t, column);

	return a && b ? MIN(a, b) : MAX(a, b);
}

struct measure rerun_measure(const struct place *at, int column,
			     GPtrArray *assumptions, GPtrArray *notes)
{
	const struct table_cell *cell =
		table_cell(at->table, (guint)at->row, (guint)column);
	const struct table_column *c = table_column(at->table, (guint)column);
	const struct table_samples *raw = raw_values(at, cell);
	const char *name = rerun_column_name(c);
	guint runs = c->runs;

	if (raw) {
		tell_outlier(raw, name, notes);
		return verdict_measure_raw((const double *)raw->values->data,
					   raw->values->len);
	}
	if (!runs) {
		runs = MAX(RUNS_DEFAULT,
			   table_runs_least(at->table, (guint)column));
		if (assumptions)
			g_ptr_array_add(assumptions,
					g_strdup_printf("%u runs of %s assumed",
							runs, name));
	}
	return verdict_measure(cell, runs,
			       assumptions
				       ? fewest_runs(at->table, (guint)column)
				       : 0);
}

static double half_width(const struct measure *m)
{
	return m->runs > 1
		       ? stats_t_quantile(0.975, m->runs - 1) * fabs(m->mean) *
					 m->sd_worst / sqrt(m->runs) +
				 m->rounding
		       : INFINITY;
}

gboolean rerun_agree(const struct measure *a, const struct measure *b)
{
	return fabs(a->mean - b->mean) <= half_width(a) + half_width(b);
}
