/* table_check_more.c - the checks of a table that need no intervals
 * Labels, counts, rows that stand there twice, and the headline. */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/table_check_priv.h"

#define HASH_MIN      7	   /* hex digits of a commit */
#define SAME_CHANGE   0.06 /* both are rounded to one decimal */
#define PERCENT	      100.0
#define TIME	      "time."
#define HASH_FULL     40
#define MIN_DEVIATION 2 /* runs that have one */

static gboolean is_hash(const char *text)
{
	gsize n = text ? strspn(text, "0123456789abcdefABCDEF") : 0;

	return n >= HASH_MIN && n <= HASH_FULL && !text[n];
}

static gboolean same_start(const char *a, const char *b)
{
	return !g_ascii_strncasecmp(a, b, MIN(strlen(a), strlen(b)));
}

/* A label is cut by its column: it is what begins a listed commit or tag. A tag
 * may stand for a listed commit, and the other way round. */
static gboolean is_listed(const struct table *t, const char *label)
{
	for (guint i = 0; i < t->listed->len; i++) {
		const char *id = t->listed->pdata[i];

		if (is_hash(label) != is_hash(id) || same_start(label, id))
			return TRUE;
	}
	return FALSE;
}

/* Prose below a list is easily taken for more of it. */
static gboolean is_sure_list(const struct table *t)
{
	for (guint i = 0; i < t->listed->len; i++)
		if (!strpbrk(t->listed->pdata[i], "0123456789"))
			return FALSE;
	return t->listed->len && !t->headless;
}

void check_labels(struct table *t, struct check_count *n)
{
	if (is_sure_list(t) && t->listed->len != t->columns->len &&
	    check_room(n))
		table_add_finding(t, "column-count", -1,
				  "%u columns, but %u commits are listed",
				  t->columns->len, t->listed->len);
	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_column *c = table_column(t, i);

		if (c->label && t->listed->len && !is_listed(t, c->label) &&
		    check_room(n))
			table_add_finding(t, "label-mismatch", -1,
					  "column %u is headed %s, which is "
					  "not listed",
					  i + 1, c->label);
		else if (is_hash(c->label) && is_hash(c->commit) &&
			 !same_start(c->label, c->commit) && check_room(n))
			table_add_finding(t, "label-mismatch", -1,
					  "column %u is headed %s, but its "
					  "commit is %s",
					  i + 1, c->label, c->commit);
	}
}

/* Some rows that look like failures are sums of something else: only names of
 * failures are counts of runs. */
void check_fails(struct table *t, struct check_count *n, guint row,
		 guint column)
{
	const struct table_cell *c = table_cell(t, row, column);
	const char *metric = table_row(t, row)->metric;

	if (c->runs < 0 || c->fails <= c->runs || !metric_is_failure(metric) ||
	    strstr(metric, "timestamp") || !check_room(n))
		return;
	table_add_finding(t, "fails-exceed-runs", (int)row,
			  "%s: %d failures of %d runs", metric, c->fails,
			  c->runs);
}

/* n values that are not negative deviate by sqrt(n - 1) times their mean at
 * most. */
void check_deviation(struct table *t, struct check_count *n, guint row,
		     guint column)
{
	const struct table_cell *c = table_cell(t, row, column);
	const struct table_column *col = table_column(t, column);
	const char *metric = table_row(t, row)->metric;
	double most;

	if (col->runs_source != TABLE_RUNS_STATED &&
	    col->runs_source != TABLE_RUNS_FAIL_TABLE)
		return;
	if (col->runs < MIN_DEVIATION || isnan(c->sd_pct) || !(c->mean >= 0) ||
	    signbit(c->mean) || t->style == TABLE_FSPERF ||
	    g_str_has_prefix(metric, "sched_debug."))
		return;
	most = PERCENT * sqrt(col->runs - 1);
	if (c->sd_pct <= most || !check_room(n))
		return;
	table_add_finding(t, "sd-too-large", (int)row,
			  "%s: ±%.0f%% can't come of %u runs, at most ±%.0f%%",
			  metric, c->sd_pct, col->runs, floor(most));
}

static gboolean same_values(const struct table *t, guint a, guint b)
{
	for (guint i = 0; i < t->columns->len; i++)
		if (g_strcmp0(table_cell(t, a, i)->printed,
			      table_cell(t, b, i)->printed) != 0)
			return FALSE;
	return TRUE;
}

/* "time.elapsed_time" of "fio.time.elapsed_time", which is the same. */
static const char *common_name(const char *metric)
{
	const char *dot = strchr(metric, '.');

	return dot && g_str_has_prefix(dot + 1, TIME) ? dot + 1 : metric;
}

void check_doubles(struct table *t, struct check_count *n)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	/* rows that somebody picked may be of several tests */
	if (t->headless)
		return;
	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_row *r = table_row(t, i);
		const char *name = common_name(r->metric);
		guint first = GPOINTER_TO_UINT(g_hash_table_lookup(seen, name));

		if (!first) {
			g_hash_table_insert(seen, (gpointer)name,
					    GUINT_TO_POINTER(i + 1));
			continue;
		}
		if (table_row(t, first - 1)->kind != r->kind ||
		    same_values(t, first - 1, i) || !check_room(n))
			continue;
		table_add_finding(t, "duplicate-differs", (int)i,
				  "%s: line %u has other numbers", r->metric,
				  table_row(t, first - 1)->line);
	}
}

/* The cell whose change is that of the headline, else the last one. */
static const struct table_cell *headline_cell(const struct table *t, guint row,
					      double written)
{
	const struct table_cell *last = NULL;

	for (guint i = 1; i < t->columns->len; i++) {
		const struct table_cell *c = table_cell(t, row, i);

		if (isnan(c->change))
			continue;
		last = c;
		if (fabs(fabs(c->change) - fabs(written)) < SAME_CHANGE)
			break;
	}
	return last;
}

void table_check_headline(struct table *t, const char *metric,
			  double change_written, gboolean regression)
{
	int row = table_find(t, metric);
	const struct table_cell *c =
		row >= 0 ? headline_cell(t, (guint)row, change_written) : NULL;
	enum metric_direction known = metric_direction(metric), told;

	if (!c)
		return;
	if (isfinite(change_written) &&
	    fabs(fabs(c->change) - fabs(change_written)) >= SAME_CHANGE)
		table_add_finding(t, "headline-mismatch", row,
				  "%s: the headline says %.1f %%, the table "
				  "%s",
				  metric, fabs(change_written),
				  c->change_printed);
	told = metric_direction_by_word(regression, c->change);
	if (known && told && known != told)
		table_add_finding(t, "direction-contradicts", row,
				  "%s: %s is called %s, but %s is better",
				  metric, c->change_printed,
				  regression ? "a regression"
					     : "an improvement",
				  metric_direction_name(known));
}
