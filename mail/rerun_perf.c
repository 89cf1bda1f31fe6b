/* rerun_perf.c - the measurements of a rerun's table, judged
 * The headline's metric decides; the test's other results may only make it
 * mixed; monitors say nothing. */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/rerun_priv.h"
#include "mail/test_key.h"

#define SUPPORTING_MAX 8
#define SIGNIFICANT    0.05
#define REPEATED_ROWS  4

/* Base and culprit as they are compared with. */
struct basis {
	struct place at;
	struct measure base, culprit;
	GPtrArray *assumptions; /* of char * */
	GPtrArray *notes;	/* of char * */
	const char *why_not;	/* NULL: both are known */
	double direction;	/* of the change as reported; 0 unknown */
	gboolean improvement;
};

static gboolean has_values(const struct table *t, int row)
{
	return row >= 0 && table_row(t, (guint)row)->kind == TABLE_ROW_PERF;
}

static const char *testcase_of(const struct table *t, const struct report *r)
{
	const char *axis = table_axis(t, "testcase");

	return axis ? axis : r->testcase;
}

static double largest_change(const struct table *t, guint row)
{
	double most = 0;

	for (guint i = 1; i < t->columns->len; i++)
		if (isfinite(table_cell(t, row, i)->change))
			most = MAX(most, fabs(table_cell(t, row, i)->change));
	return most;
}

/* A result of the test that is known to be good or bad. */
static gboolean is_result(const struct table *t, guint row,
			  const struct report *r)
{
	const struct table_row *x = table_row(t, row);

	return x->kind == TABLE_ROW_PERF && x->direction != METRIC_UNKNOWN &&
	       !metric_is_monitor(x->metric) &&
	       metric_is_of_test(x->metric, testcase_of(t, r));
}

/* The row that is judged: the headline's metric, else one that the report
 * named beside it, else the result of the test that moved most. */
static int choose_row(const struct table *t, const struct report *r,
		      gboolean *headline)
{
	int row = r->metric ? rerun_find_row(t, r->metric) : -1;

	*headline = has_values(t, row);
	if (*headline)
		return row;
	for (guint i = 0; r->impacts && i < r->impacts->len; i++) {
		const struct report_impact *x = r->impacts->pdata[i];

		row = x->metric ? rerun_find_row(t, x->metric) : -1;
		if (has_values(t, row))
			return row;
	}
	row = -1;
	for (guint i = 0; i < t->rows->len; i++)
		if (is_result(t, i, r) &&
		    (row < 0 ||
		     largest_change(t, i) > largest_change(t, (guint)row)))
			row = (int)i;
	return row;
}

static struct place place_of(const struct rerun_mail *mail,
			     const struct table *t, int row)
{
	struct place at = {t, mail, row, -1, -1};

	for (guint i = 0; i < t->columns->len; i++) {
		if (table_column(t, i)->role == TABLE_ROLE_BASE)
			at.base = (int)i;
		if (table_column(t, i)->role == TABLE_ROLE_CULPRIT)
			at.culprit = (int)i;
	}
	return at;
}

static void assume(struct basis *b, const char *format, ...)
	G_GNUC_PRINTF(2, 3);
static void assume(struct basis *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(b->assumptions, g_strdup_vprintf(format, args));
	va_end(args);
}

/* One of the two columns is the report's: sound only if the other, which both
 * tables show, tells of the same environment. */
static void chain(struct basis *b, const struct place *of)
{
	gboolean no_base = b->at.base < 0;
	const char *what = no_base ? "base" : "culprit";
	struct measure shared, own;
	g_autofree char *differs = NULL;

	if (b->at.base < 0 && b->at.culprit < 0) {
		b->why_not = "neither base nor culprit is in this table";
		return;
	}
	if (!of->table || of->row < 0 || of->base < 0 || of->culprit < 0) {
		b->why_not = "the report has no table to compare with";
		return;
	}
	assume(b, "%s from the report", what);
	if (!test_key_same_setup(b->at.table, of->table, &differs)) {
		assume(b, "environment: %s", differs);
		b->why_not = "another setup than the report's";
		return;
	}
	shared =
		rerun_measure(of, no_base ? of->culprit : of->base, NULL, NULL);
	own = no_base ? b->culprit : b->base;
	if (!rerun_agree(&shared, &own)) {
		assume(b, "environment: %s was %.10g, now %.10g",
		       no_base ? "culprit" : "base", shared.mean, own.mean);
		b->why_not = "the environment is not that of the report";
		return;
	}
	if (no_base)
		b->base = rerun_measure(of, of->base, b->assumptions, b->notes);
	else
		b->culprit = rerun_measure(of, of->culprit, b->assumptions,
					   b->notes);
}

/* The table has a base, but it is not that of the report. */
static void tell_base(struct basis *b, const struct place *of)
{
	const struct table_column *c =
		table_column(b->at.table, (guint)b->at.base);
	const struct table_column *reported;

	if (!of->table || of->base < 0 || !c->label)
		return;
	reported = table_column(of->table, (guint)of->base);
	if (!reported->label || rerun_is_commit(c, reported->commit) ||
	    rerun_is_commit(c, reported->label))
		return;
	assume(b, "base is %s, that of the report was %s", c->label,
	       reported->label);
}

static double reported_direction(const struct place *of, const struct report *r)
{
	if (of->table && of->row >= 0 && of->base >= 0 && of->culprit >= 0) {
		const struct table *t = of->table;
		double from =
			table_cell(t, (guint)of->row, (guint)of->base)->mean;
		double to =
			table_cell(t, (guint)of->row, (guint)of->culprit)->mean;

		if (isfinite(to - from))
			return to - from;
	}
	return isfinite(r->change_percent) ? r->change_percent : 0;
}

/* Of another metric than the headline's: by which way is better. */
static gboolean is_improvement(const struct place *at, double direction)
{
	enum metric_direction d =
		table_row(at->table, (guint)at->row)->direction;

	return (d == METRIC_HIGHER && direction > 0) ||
	       (d == METRIC_LOWER && direction < 0);
}

static void basis_clear(struct basis *b)
{
	g_ptr_array_unref(b->assumptions);
	g_ptr_array_unref(b->notes);
}

static void basis_find(struct basis *b, const struct judging *j,
		       const struct place *at, const struct place *of,
		       gboolean headline)
{
	*b = (struct basis){.at = *at};
	b->assumptions = g_ptr_array_new_with_free_func(g_free);
	b->notes = g_ptr_array_new_with_free_func(g_free);
	if (at->base >= 0)
		b->base = rerun_measure(at, at->base, b->assumptions, b->notes);
	if (at->culprit >= 0)
		b->culprit = rerun_measure(at, at->culprit, b->assumptions,
					   b->notes);
	if (at->base < 0 || at->culprit < 0)
		chain(b, of);
	else
		tell_base(b, of);
	if (headline || of->row >= 0)
		b->direction = reported_direction(of, j->r);
	else if (at->base >= 0 && at->culprit >= 0)
		b->direction = b->culprit.mean - b->base.mean;
	b->improvement = headline ? j->r->direction == REPORT_IMPROVEMENT
				  : is_improvement(at, b->direction);
}

static void move_texts(GPtrArray *from, GPtrArray *to)
{
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(to, g_strdup(from->pdata[i]));
}

/* The table shows a change, but the other way. */
static void check_direction(const struct basis *b, gboolean candidate,
			    struct judgement *out)
{
	double change = b->culprit.mean - b->base.mean;

	if (!(b->direction * change < 0) || !(out->p_gate < SIGNIFICANT))
		return;
	out->verdict =
		candidate ? VERDICT_INCONCLUSIVE : VERDICT_NOT_REPRODUCED;
	out->confidence = CONFIDENCE_NONE;
	out->ratio = NAN;
	for (int i = 0; i < 2; i++)
		out->ci95[i] = out->ci95_best[i] = NAN;
	judgement_note(out, "the change goes the other way here");
}

static void judge_column(const struct basis *b, int column, GPtrArray *assumed,
			 struct judgement *out, guint runs[3])
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct measure d;

	if (column >= 0)
		d = rerun_measure(&b->at, column, assumed, notes);
	verdict_judge(&b->base, &b->culprit, column >= 0 ? &d : NULL,
		      b->improvement, out);
	check_direction(b, column >= 0, out);
	move_texts(b->notes, out->notes);
	move_texts(notes, out->notes);
	runs[0] = b->base.runs;
	runs[1] = b->culprit.runs;
	runs[2] = column >= 0 ? d.runs : 0;
}

static enum verdict opposite(enum verdict v)
{
	switch (v) {
	case VERDICT_RECOVERED:
		return VERDICT_NOT_RECOVERED;
	case VERDICT_NOT_RECOVERED:
		return VERDICT_RECOVERED;
	case VERDICT_KEPT:
		return VERDICT_LOST;
	case VERDICT_LOST:
		return VERDICT_KEPT;
	default:
		return v;
	}
}

/* Other results of the test which say the contrary, and are sure of it though
 * several were looked at (Bonferroni). */
static void judge_supporting(const struct judging *j, const struct basis *b,
			     int column, struct judgement *out)
{
	const struct table *t = b->at.table;
	guint looked = 0;

	if (opposite(out->verdict) == out->verdict || b->at.base < 0 ||
	    b->at.culprit < 0)
		return;
	for (guint i = 0; i < t->rows->len && looked < SUPPORTING_MAX; i++) {
		struct basis other = *b;
		g_auto(judgement_auto) o = {0};

		if ((int)i == b->at.row || !is_result(t, i, j->r))
			continue;
		looked++;
		other.at.row = (int)i;
		other.base = rerun_measure(&other.at, b->at.base, NULL, NULL);
		other.culprit =
			rerun_measure(&other.at, b->at.culprit, NULL, NULL);
		struct measure d = rerun_measure(&other.at, column, NULL, NULL);

		verdict_judge(&other.base, &other.culprit, &d, b->improvement,
			      &o);
		if (o.verdict == opposite(out->verdict) &&
		    o.confidence == CONFIDENCE_HIGH &&
		    o.p_gate < SIGNIFICANT / SUPPORTING_MAX)
			judgement_note(out, "mixed: %s is %s",
				       table_row(t, i)->metric,
				       verdict_name(o.verdict));
	}
}

static void judge_one(struct judging *j, const struct basis *b, int column,
		      gboolean headline, gboolean other_setup)
{
	struct rerun *x;

	if (!rerun_is_new(j, &b->at, column))
		return;
	x = rerun_add(j, &b->at, column);
	if (!x)
		return;
	x->headline = headline;
	x->other_setup = other_setup;
	move_texts(b->assumptions, x->assumptions);
	if (b->why_not) {
		verdict_none(&x->judgement);
		judgement_note(&x->judgement, "%s", b->why_not);
		return;
	}
	judge_column(b, column, x->assumptions, &x->judgement, x->runs);
	if (column < 0)
		return;
	judge_supporting(j, b, column, &x->judgement);
	/* columns are mostly in the order of history */
	if (rerun_is_tag(x->candidate) && column < b->at.culprit)
		judgement_note(&x->judgement, "%s may be older than the change",
			       x->candidate);
}

/* Base and culprit as the report printed them, in rows without a head or in
 * many rows: shown once more, not measured once more. Means that are equal by
 * chance are rare, but not in a table of a row or two. */
static gboolean repeats_report(const struct place *at, const struct place *of)
{
	const struct table_cell *b, *c, *x, *y;

	if (!of->table || of->row < 0 || of->base < 0 || of->culprit < 0 ||
	    (!at->table->headless && at->table->rows->len < REPEATED_ROWS) ||
	    rerun_has_raw(at, at->culprit))
		return FALSE;
	b = table_cell(at->table, (guint)at->row, (guint)at->base);
	c = table_cell(at->table, (guint)at->row, (guint)at->culprit);
	x = table_cell(of->table, (guint)of->row, (guint)of->base);
	y = table_cell(of->table, (guint)of->row, (guint)of->culprit);
	return !g_strcmp0(b->printed, x->printed) &&
	       !g_strcmp0(c->printed, y->printed);
}

void rerun_judge_perf(struct judging *j, const struct rerun_mail *mail,
		      const struct table *t)
{
	gboolean headline, candidates = FALSE, other;
	int row = choose_row(t, j->r, &headline);
	struct place at, of = {.table = NULL, .row = -1};
	g_autofree char *differs = NULL;
	struct basis b;

	if (row < 0)
		return;
	at = place_of(mail, t, row);
	if (at.base < 0 && at.culprit < 0 && !headline)
		return;
	rerun_reported(j->r, j->report, t, table_row(t, (guint)row)->metric,
		       &of);
	basis_find(&b, j, &at, &of, headline);
	if (!table_column(t, 0)->label && !table_column(t, 0)->commit)
		assume(&b, "columns told by their values");
	other = rerun_other_setup(j, t, &differs);
	if (other)
		g_ptr_array_add(b.assumptions,
				g_strconcat("other configuration: ", differs,
					    NULL));
	for (guint i = 0; i < t->columns->len; i++)
		if (table_column(t, i)->role == TABLE_ROLE_CANDIDATE) {
			judge_one(j, &b, (int)i, headline, other);
			candidates = TRUE;
		}
	if (!candidates && at.base >= 0 && at.culprit >= 0 &&
	    !repeats_report(&at, &of))
		judge_one(j, &b, -1, headline, other);
	basis_clear(&b);
}
