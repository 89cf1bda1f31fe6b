/* verdict.c - the rule of docs/verdicts.md
 * Pure numbers: knows neither mails nor tables beyond one cell. */
#include "mail/verdict.h"

#include <math.h>

#include "mail/stats.h"
#include "mail/table_check.h"

#define RUNS_DEFAULT 3 /* the robot's own minimum */
#define SIGNIFICANT  0.05

/* A deviation of at most 2 % of the mean is not printed: at worst it is that,
 * at best (the root mean square of all that it could be) 2 / sqrt(3). */
#define HIDDEN_WORST 0.02
#define HIDDEN_BEST  0.0115

#define RATIO_BACK     0.8 /* recovered */
#define RATIO_SAME     0.2 /* not recovered, below */
#define RATIO_MIDDLE   0.5 /* which the interval must not reach */
#define RATIO_BEYOND   1.2 /* better than before */
#define SMALL_FRACTION 0.02

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {"inconclusive",   "recovered",
					    "partial",	      "not-recovered",
					    "not-reproduced", "reproduced",
					    "kept",	      "lost"};

	return names[v];
}

const char *confidence_name(enum confidence c)
{
	static const char *const names[] = {NULL, "medium", "high"};

	return names[c];
}

void judgement_clear(struct judgement *j)
{
	if (!j)
		return;
	g_clear_pointer(&j->notes, g_ptr_array_unref);
}

void verdict_none(struct judgement *j)
{
	*j = (struct judgement){.verdict = VERDICT_INCONCLUSIVE,
				.ratio = NAN,
				.ci95 = {NAN, NAN},
				.ci95_best = {NAN, NAN},
				.p_gate = NAN};
	j->notes = g_ptr_array_new_with_free_func(g_free);
}

void judgement_note(struct judgement *j, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(j->notes, g_strdup_vprintf(format, args));
	va_end(args);
}

/* Half of what is printed alike: matters for means of few digits. */
static double rounding_of(const struct table_cell *cell)
{
	struct interval all;

	if (!cell->printed)
		return 0;
	all = table_interval(cell->printed);
	return isfinite(all.hi - all.lo) ? (all.hi - all.lo) / 2 : 0;
}

/* The printed deviation divides by n, a test wants n - 1. */
static double sample_factor(guint n)
{
	return n > 1 ? sqrt((double)n / (n - 1)) : NAN;
}

struct measure verdict_measure(const struct table_cell *cell, guint runs,
			       guint runs_least)
{
	struct measure m = {.mean = cell->mean,
			    .rounding = rounding_of(cell),
			    .runs = runs ? runs : RUNS_DEFAULT,
			    .hidden = !isfinite(cell->sd_pct)};
	double worst = HIDDEN_WORST, best = HIDDEN_BEST;

	m.runs_least = runs_least && runs_least < m.runs ? runs_least : m.runs;
	if (!m.hidden) { /* it was cut to whole percents */
		worst = (fabs(cell->sd_pct) + 1) / 100;
		best = (fabs(cell->sd_pct) + 0.5) / 100;
	}
	m.sd_worst = worst * sample_factor(m.runs);
	m.sd_best = best * sample_factor(m.runs);
	return m;
}

struct measure verdict_measure_raw(const double *values, guint n)
{
	struct stats_sample s = stats_of(values, n);
	double sd = s.mean != 0 ? s.sd / fabs(s.mean) : NAN;

	return (struct measure){.mean = s.mean,
				.sd_worst = sd,
				.sd_best = sd,
				.runs = n,
				.runs_least = n};
}

/* What to assume about the deviations and runs. */
struct view {
	gboolean worst;
	gboolean fewest;
};

/* Rounding is the same for all runs, so it does not shrink with their number:
 * at worst it is all, at best its root mean square. */
static struct stats_sample sample(const struct measure *m, struct view view)
{
	struct stats_sample s = {.mean = m->mean, .n = m->runs};
	double sd = view.worst ? m->sd_worst : m->sd_best;
	double off = view.worst ? m->rounding : m->rounding / sqrt(3);

	if (view.fewest && m->runs_least < m->runs) {
		s.n = m->runs_least;
		sd *= sample_factor(s.n) / sample_factor(m->runs);
	}
	s.sd = hypot(m->mean * sd, off * sqrt(s.n));
	return s;
}

struct outcome {
	enum verdict verdict;
	double p;
	double ratio;
	double ci[2];
};

static enum verdict decide(double r, double lo, double hi)
{
	if (r >= RATIO_BACK && lo > RATIO_MIDDLE)
		return VERDICT_RECOVERED;
	if (r < RATIO_SAME && hi < RATIO_MIDDLE)
		return VERDICT_NOT_RECOVERED;
	if (lo > 0 && hi < 1)
		return VERDICT_PARTIAL;
	return VERDICT_INCONCLUSIVE;
}

static struct outcome judge_in(const struct measure *base,
			       const struct measure *culprit,
			       const struct measure *candidate,
			       struct view view)
{
	struct stats_sample b = sample(base, view), c = sample(culprit, view);
	struct outcome o = {.verdict = VERDICT_INCONCLUSIVE,
			    .ratio = NAN,
			    .ci = {NAN, NAN}};
	struct stats_sample d;

	o.p = stats_welch_p(&b, &c, NULL);
	if (!candidate) {
		if (!isnan(o.p))
			o.verdict = o.p < SIGNIFICANT ? VERDICT_REPRODUCED
						      : VERDICT_NOT_REPRODUCED;
		return o;
	}
	if (!(o.p < SIGNIFICANT))
		return o;
	d = sample(candidate, view);
	if (stats_recovery(&b, &c, &d, &o.ratio, o.ci))
		o.verdict = decide(o.ratio, o.ci[0], o.ci[1]);
	return o;
}

static gboolean too_few(const struct measure *m)
{
	return m && m->runs < 2;
}

/* Why nothing could be decided; what is beside the decision. */
static void add_notes(struct judgement *j, const struct measure *base,
		      const struct measure *culprit,
		      const struct measure *candidate, gboolean improvement)
{
	const char *what = improvement ? "improvement" : "regression";
	double loss = fabs(base->mean - culprit->mean);

	if (too_few(base) || too_few(culprit) || too_few(candidate))
		judgement_note(j, "one run only: no test is possible");
	else if (candidate && !isfinite(j->ci95_best[0]) &&
		 !(j->p_gate < SIGNIFICANT))
		judgement_note(j, "the %s is not shown by this table", what);
	else if (candidate && !isfinite(j->ci95_best[0]))
		judgement_note(j, "the deviation is too large for any ratio");
	if (base->hidden && culprit->hidden &&
	    loss < SMALL_FRACTION * fabs(base->mean))
		judgement_note(j, "below the table's resolution");
	if (!isfinite(j->ratio) || !isfinite(j->ci95_best[0]))
		return;
	if (j->ratio > RATIO_BEYOND && j->ci95_best[0] > 1)
		judgement_note(j, "%s",
			       improvement ? "worse than before the change"
					   : "better than before");
	if (j->ratio < -RATIO_SAME && j->ci95_best[1] < 0)
		judgement_note(j, "%s",
			       improvement ? "grows"
					   : "worse than the culprit");
}

static enum verdict as_improvement(enum verdict v)
{
	switch (v) {
	case VERDICT_RECOVERED:
		return VERDICT_LOST;
	case VERDICT_NOT_RECOVERED:
		return VERDICT_KEPT;
	default:
		return v;
	}
}

static gboolean fewer_known(const struct measure *m)
{
	return m && m->runs_least < m->runs;
}

void verdict_judge(const struct measure *base, const struct measure *culprit,
		   const struct measure *candidate, gboolean improvement,
		   struct judgement *out)
{
	struct outcome best, worst, fewest;
	gboolean lower = fewer_known(base) || fewer_known(culprit) ||
			 fewer_known(candidate);

	verdict_none(out);
	best = judge_in(base, culprit, candidate, (struct view){FALSE, FALSE});
	worst = judge_in(base, culprit, candidate, (struct view){TRUE, FALSE});
	out->p_gate = worst.p;
	out->verdict = best.verdict;
	out->ratio = isfinite(best.ci[0]) ? best.ratio : NAN;
	for (int i = 0; i < 2; i++) {
		out->ci95[i] = worst.ci[i];
		out->ci95_best[i] = best.ci[i];
	}
	if (best.verdict != VERDICT_INCONCLUSIVE &&
	    best.verdict != VERDICT_NOT_REPRODUCED)
		out->confidence = worst.verdict == best.verdict
					  ? CONFIDENCE_HIGH
					  : CONFIDENCE_MEDIUM;
	add_notes(out, base, culprit, candidate, improvement);
	if (lower && out->confidence) {
		fewest = judge_in(base, culprit, candidate,
				  (struct view){FALSE, TRUE});
		if (fewest.verdict != best.verdict) {
			out->confidence--;
			judgement_note(out,
				       "with the fewest runs that the numbers "
				       "allow it would not be decided so");
		}
		if (!out->confidence)
			out->verdict = VERDICT_INCONCLUSIVE;
	}
	if (improvement)
		out->verdict = as_improvement(out->verdict);
}
