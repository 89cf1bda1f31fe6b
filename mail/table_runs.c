/* table_runs.c - how many runs stand behind a column, from its numbers
 * Two methods that know nothing of each other: the fractions of means of
 * whole numbers, and the largest deviation that n values can have. What people
 * say about it is read in table_stated.c, raw values in table_samples.c. */
#include "mail/table_runs.h"

#include <math.h>
#include <string.h>

#define MAX_RUNS       20    /* that fractions of two decimals can tell */
#define MAX_DEVIATION  50    /* runs told by the largest deviation */
#define MIN_VALUES     4     /* fractions needed */
#define MIN_LEAD       3.0   /* of the log likelihood, over the next best */
#define MIN_MEAN       2.0   /* smaller means are often no counters */
#define MAX_SURE       0.999 /* share of counters among the values */
#define SEEN_TWICE     2
#define PERCENT	       100
#define HUNDREDTH      0.01
#define INCOMPLETE_RUN "last_state.is_incomplete_run"

/* Measures that are no whole numbers in a single run. */
static gboolean is_counter(const char *metric)
{
	static const char *const starts[] = {"perf-profile", "perf-stat"};
	static const char *const ends[] = {".avg", ".stddev", "avg.ms",
					   "max.ms", "%"};
	static const char *const parts[] = {"elapsed", "seconds", "time.user",
					    "time.system"};

	for (guint i = 0; i < G_N_ELEMENTS(starts); i++)
		if (g_str_has_prefix(metric, starts[i]))
			return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(metric, ends[i]))
			return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(metric, parts[i]))
			return FALSE;
	return TRUE;
}

/* Hundredths behind the point of "64.67"; -1: not printed with two. */
static int fraction(const char *printed)
{
	const char *dot = printed ? strchr(printed, '.') : NULL;

	if (!dot || !g_ascii_isdigit(dot[1]) || !g_ascii_isdigit(dot[2]) ||
	    dot[3])
		return -1;
	return (dot[1] - '0') * 10 + (dot[2] - '0');
}

/* How often each hundredth occurs among the counters of a column. */
static guint count_fractions(const struct table *t, guint column,
			     guint count[PERCENT])
{
	guint n = 0;

	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_cell *c = table_cell(t, i, column);
		int f;

		if (table_row(t, i)->kind != TABLE_ROW_PERF ||
		    !(c->mean >= MIN_MEAN) ||
		    !is_counter(table_row(t, i)->metric))
			continue;
		f = fraction(c->printed);
		if (f >= 0) {
			count[f]++;
			n++;
		}
	}
	return n;
}

/* The best log likelihood of `all` values of which `fit` are k/runs: a share
 * of them are means of counters, the others have any hundredth. */
static double likelihood(guint runs, guint fit, guint all)
{
	double gain = 1.0 / runs - HUNDREDTH, share;

	share = (fit - (all - fit) * HUNDREDTH / gain) / all;
	share = CLAMP(share, 0, MAX_SURE);
	return fit * log(share * gain + HUNDREDTH) +
	       (all - fit) * log((1 - share) * HUNDREDTH);
}

static guint count_fitting(const guint count[PERCENT], guint runs)
{
	guint fit = 0;

	for (guint k = 0; k < runs; k++)
		fit += count[(guint)lround((double)PERCENT * k / runs) %
			     PERCENT];
	return fit;
}

guint table_runs_by_fractions(const struct table *t, guint column)
{
	guint count[PERCENT] = {0}, best = 0, all;
	double most = -INFINITY, next = -INFINITY;

	if (t->style == TABLE_FSPERF || t->style == TABLE_OTHER)
		return 0;
	all = count_fractions(t, column, count);
	if (all < MIN_VALUES)
		return 0;
	for (guint n = 1; n <= MAX_RUNS; n++) {
		double l = likelihood(n, count_fitting(count, n), all);

		if (l > most) {
			next = most;
			most = l;
			best = n;
		} else if (l > next) {
			next = l;
		}
	}
	return most - next >= MIN_LEAD ? best : 0;
}

/* The largest deviation printed for values that can't be negative, and how
 * often it stands there. */
static double largest(const struct table *t, guint column, guint *times)
{
	double most = 0;

	*times = 0;
	if (t->style == TABLE_FSPERF || t->style == TABLE_OTHER)
		return 0;
	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_cell *c = table_cell(t, i, column);

		if (!(c->mean >= 0) || signbit(c->mean) ||
		    !(c->sd_pct >= most) ||
		    g_str_has_prefix(table_row(t, i)->metric, "sched_debug"))
			continue;
		*times = c->sd_pct > most ? 1 : *times + 1;
		most = c->sd_pct;
	}
	return most;
}

guint table_runs_by_deviation(const struct table *t, guint column)
{
	guint times;
	double most = largest(t, column, &times);

	for (guint n = 2; n <= MAX_DEVIATION && times >= SEEN_TWICE; n++)
		if (floor(PERCENT * sqrt(n - 1)) == most)
			return n;
	return 0;
}

guint table_runs_least(const struct table *t, guint column)
{
	guint times;
	double most = largest(t, column, &times) / PERCENT;

	return most > 0 ? (guint)ceil(MIN(most * most + 1, G_MAXINT)) : 1;
}

/* Runs of the column in rows of failures, without those that did not come to
 * their end where there are measurements too. 0: they don't agree. */
static guint by_failures(const struct table *t, guint column)
{
	gint32 runs = 0, lost = 0;
	gboolean has_perf = FALSE;

	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_cell *c = table_cell(t, i, column);
		const struct table_row *r = table_row(t, i);

		if (r->kind == TABLE_ROW_PERF) {
			has_perf = TRUE;
			break;
		}
		if (c->runs <= 0)
			continue;
		if (runs && runs != c->runs)
			return 0;
		runs = c->runs;
		if (!strcmp(r->metric, INCOMPLETE_RUN))
			lost = MAX(c->fails, 0);
	}
	return (guint)MAX(has_perf ? runs - lost : runs, 0);
}

static guint inferred(const struct table *t, guint column)
{
	guint by_fractions = table_runs_by_fractions(t, column);
	guint by_deviation = table_runs_by_deviation(t, column);
	guint least = table_runs_least(t, column);

	if (!by_fractions)
		return by_deviation;
	/* fractions tell n or a multiple of it */
	if (by_deviation)
		return by_deviation % by_fractions ? 0 : by_deviation;
	return by_fractions * MAX((least + by_fractions - 1) / by_fractions, 1);
}

/* What people say is rounded up at times: numbers that contradict it win
 * where they tell of fewer runs. */
static void doubt(const struct table *t, guint column, struct table_column *c)
{
	guint n = table_runs_by_fractions(t, column);

	if (n && c->runs % n && n < c->runs) {
		c->runs = n;
		c->runs_source = TABLE_RUNS_INFERRED;
	}
}

void table_infer_runs(struct table *t)
{
	for (guint i = 0; i < t->columns->len; i++) {
		struct table_column *c = table_column(t, i);

		if (c->runs) {
			if (c->runs_source == TABLE_RUNS_STATED)
				doubt(t, i, c);
			continue;
		}
		c->runs = by_failures(t, i);
		c->runs_source = TABLE_RUNS_FAIL_TABLE;
		if (!c->runs) {
			c->runs = inferred(t, i);
			c->runs_source = c->runs ? TABLE_RUNS_INFERRED
						 : TABLE_RUNS_UNKNOWN;
		}
	}
}
