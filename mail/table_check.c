/* table_check.c - do the numbers of a table agree with each other
 * Works with the intervals of values that are printed alike, so that no
 * rounding is ever taken for a mistake. */
#include "mail/table_check.h"

#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/table_check_priv.h"

#define SLACK	1e-6 /* relative: of the arithmetic, not of the print */
#define PERCENT 100.0
#define LARGE	1e6 /* percent: written with an exponent */

enum { NUMBER_SIZE = 32 };

/* A number as printed. */
struct written {
	double value;
	int decimals; /* of the mantissa */
	int exponent;
	gboolean is_scientific;
};

static gboolean read_number(const char *text, struct written *w)
{
	const char *p = text;
	char *end;

	*w = (struct written){0};
	if (*p == '+' || *p == '-')
		p++;
	if (!g_ascii_isdigit(*p))
		return FALSE;
	w->value = g_ascii_strtod(text, &end);
	while (g_ascii_isdigit(*p))
		p++;
	if (*p == '.')
		while (g_ascii_isdigit(p[1])) {
			p++;
			w->decimals++;
		}
	if (!isfinite(w->value))
		return FALSE;
	if (p < end && strchr(p, 'e') && w->value != 0) {
		w->is_scientific = TRUE;
		w->exponent = (int)floor(log10(fabs(w->value)) + SLACK);
	}
	return TRUE;
}

static struct interval around(double v, double half)
{
	return (struct interval){v - half, v + half};
}

static const struct interval nowhere = {NAN, NAN};

/* `digits`: of the mantissa behind the point, where it is scientific; zeros at
 * the end may have been dropped. */
static struct interval rounded(const struct written *w, int digits)
{
	return around(w->value,
		      0.5 * pow(10, w->is_scientific ? w->exponent - digits
						     : -w->decimals));
}

struct interval table_interval(const char *text)
{
	struct written w;

	if (!read_number(text, &w))
		return nowhere;
	if (w.is_scientific || w.decimals)
		return rounded(&w, 3);
	if (w.value > 0)
		return (struct interval){w.value, w.value + 1};
	if (w.value < 0)
		return (struct interval){w.value - 1, w.value};
	return (struct interval){-1, 1};
}

struct interval table_change_interval(const char *text)
{
	struct written w;

	return read_number(text, &w) ? rounded(&w, 1) : nowhere;
}

/* fsperf rounds, and prints a whole number only where it is one. */
static struct interval fsperf_interval(const char *text)
{
	struct written w;

	if (!read_number(text, &w))
		return nowhere;
	return w.is_scientific || w.decimals ? rounded(&w, 2)
					     : around(w.value, 0);
}

static struct interval value_interval(const struct table *t, const char *text)
{
	return t->style == TABLE_FSPERF ? fsperf_interval(text)
					: table_interval(text);
}

static gboolean disjoint(struct interval a, struct interval b)
{
	double slack = SLACK * MAX(MAX(fabs(a.lo), fabs(a.hi)), 1);

	return a.hi + slack < b.lo || b.hi + slack < a.lo;
}

/* All changes from a value in `base` to one in `v`. */
static struct interval percent_change(struct interval base, struct interval v)
{
	double b[] = {base.lo, base.hi}, x[] = {v.lo, v.hi};
	struct interval all = {INFINITY, -INFINITY};

	for (int i = 0; i < 4; i++) {
		double c = PERCENT * (x[i & 1] / b[i >> 1] - 1);

		all.lo = MIN(all.lo, c);
		all.hi = MAX(all.hi, c);
	}
	return all;
}

/* What the change must be; FALSE: it can't be told. */
static gboolean expected_change(const struct table *t, guint row, guint column,
				struct interval *all)
{
	const struct table_cell *first = table_cell(t, row, 0);
	const struct table_cell *c = table_cell(t, row, column);
	struct interval base, v;

	if (!first->printed || !c->printed || !c->change_printed)
		return FALSE;
	base = value_interval(t, first->printed);
	v = value_interval(t, c->printed);
	if (isnan(base.lo) || isnan(v.lo))
		return FALSE;
	if (c->change_kind == TABLE_CHANGE_POINTS) {
		*all = (struct interval){v.lo - base.hi, v.hi - base.lo};
		return TRUE;
	}
	if (t->style == TABLE_FSPERF && base.lo == 0 && base.hi == 0) {
		/* by convention */
		*all = around(v.lo == 0 && v.hi == 0 ? 0 : PERCENT, 0);
		return TRUE;
	}
	if (base.lo <= 0 && base.hi >= 0)
		return FALSE;
	*all = percent_change(base, v);
	return TRUE;
}

/* "+1.0 to +1.2 %", "+9.99e+25 %" */
static char *change_text(const struct table *t, const struct table_cell *c,
			 struct interval all)
{
	gboolean large = fabs(all.lo) >= LARGE || fabs(all.hi) >= LARGE;
	const char *form = large		      ? "%+.3g"
			   : t->style == TABLE_FSPERF ? "%+.2f"
						      : "%+.1f";
	char lo[NUMBER_SIZE], hi[NUMBER_SIZE];
	gboolean same;

	g_ascii_formatd(lo, sizeof(lo), form, all.lo);
	g_ascii_formatd(hi, sizeof(hi), form, all.hi);
	same = !strcmp(lo, hi);
	return g_strconcat(lo, same ? "" : " to ", same ? "" : hi,
			   c->change_kind == TABLE_CHANGE_POINTS ? " points"
								 : " %",
			   NULL);
}

static void check_change(struct table *t, struct check_count *n, guint row,
			 guint column)
{
	const struct table_cell *c = table_cell(t, row, column);
	struct interval all, told;
	g_autofree char *text = NULL;

	if (!expected_change(t, row, column, &all))
		return;
	told = table_change_interval(c->change_printed);
	if (isnan(told.lo) || !disjoint(told, all))
		return;
	if (!check_room(n))
		return;
	text = change_text(t, c, all);
	table_add_finding(t, "change-mismatch", (int)row,
			  "%s: %s is printed between %s and %s, which is %s",
			  table_row(t, row)->metric, c->change_printed,
			  table_cell(t, row, 0)->printed, c->printed, text);
}

static double rate(const struct table_cell *c, gint32 runs)
{
	return PERCENT * c->fails / runs;
}

/* The robot's own mistake: it divides by the runs of the column before. */
static gboolean by_column_before(const struct table *t, guint row, guint column,
				 struct interval told)
{
	const struct table_cell *first = table_cell(t, row, 0);
	const struct table_cell *before = table_cell(t, row, column - 1);
	double wrong;

	if (before->runs <= 0)
		return FALSE;
	wrong = rate(table_cell(t, row, column), before->runs) -
		rate(first, first->runs);
	return !disjoint(told, around(wrong, 0));
}

static void check_rate(struct table *t, struct check_count *n, guint row,
		       guint column)
{
	const struct table_cell *first = table_cell(t, row, 0);
	const struct table_cell *c = table_cell(t, row, column);
	struct interval told;
	double right;

	if (!c->change_printed || first->fails < 0 || first->runs <= 0 ||
	    c->fails < 0 || c->runs <= 0)
		return;
	right = rate(c, c->runs) - rate(first, first->runs);
	told = table_change_interval(c->change_printed);
	if (isnan(told.lo) || !disjoint(told, around(right, 0)) ||
	    !check_room(n))
		return;
	table_add_finding(t, "fail-rate-wrong", (int)row,
			  "%s: %s is printed, but from %d:%d to %d:%d it is "
			  "%+.0f points%s",
			  table_row(t, row)->metric, c->change_printed,
			  first->fails, first->runs, c->fails, c->runs, right,
			  by_column_before(t, row, column, told)
				  ? "; the runs of the column before were "
				    "taken"
				  : "");
}

/* More than one a run: a sum, which was cut to a whole number. */
static gboolean is_sum(const struct table *t, guint row)
{
	for (guint i = 0; i < t->columns->len; i++)
		if (table_cell(t, row, i)->fails > table_cell(t, row, i)->runs)
			return TRUE;
	return FALSE;
}

/* What monitors measure looks like failures to the robot if its name has
 * "error" in it: sums of percents in a profile, say. */
static void check_fail_row(struct table *t, struct check_count *n, guint row)
{
	const char *metric = table_row(t, row)->metric;

	if (g_str_has_prefix(metric, "perf-") || metric_is_monitor(metric))
		return;
	for (guint i = 0; i < t->columns->len; i++)
		check_fails(t, n, row, i);
	if (is_sum(t, row))
		return;
	for (guint i = 1; i < t->columns->len; i++)
		check_rate(t, n, row, i);
}

static void check_perf_row(struct table *t, struct check_count *n, guint row)
{
	for (guint i = 0; i < t->columns->len; i++) {
		check_deviation(t, n, row, i);
		if (i)
			check_change(t, n, row, i);
	}
}

gboolean check_room(struct check_count *n)
{
	return n->found++ < TABLE_CHECK_MAX;
}

void table_check(struct table *t)
{
	struct check_count n = {0};

	check_labels(t, &n);
	for (guint i = 0; i < t->rows->len; i++) {
		if (table_row(t, i)->kind == TABLE_ROW_FAIL)
			check_fail_row(t, &n, i);
		else
			check_perf_row(t, &n, i);
	}
	check_doubles(t, &n);
	if (n.found > TABLE_CHECK_MAX)
		table_add_finding(t, "more", -1, "%u further findings",
				  n.found - TABLE_CHECK_MAX);
}
