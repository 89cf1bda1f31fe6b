/* verdict_fails.c - judging by how often a test failed
 * The part of the rule for rows of failures; see docs/verdicts.md. */
#include <math.h>

#include "mail/stats.h"
#include "mail/verdict.h"

#define SIGNIFICANT 0.05

static double rate(const struct failures *f)
{
	return f->runs > 0 ? (double)f->fails / f->runs : NAN;
}

static gboolean sane(const struct failures *f)
{
	return f->runs > 0 && f->fails >= 0 && f->fails <= f->runs;
}

/* How likely `runs` runs pass by chance where `f` of them failed before. */
static double by_chance(const struct failures *f, int runs)
{
	return pow(1 - rate(f), runs);
}

static void judge_silence(const struct failures *culprit, int runs,
			  struct judgement *out)
{
	double p = by_chance(culprit, runs);

	if (!(p < SIGNIFICANT)) {
		judgement_note(out,
			       "%d runs without a failure are too few after "
			       "%d of %d: by chance in %.2g of all cases",
			       runs, culprit->fails, culprit->runs, p);
		return;
	}
	out->verdict = VERDICT_RECOVERED;
	/* the rate itself is only known from the culprit's few runs */
	out->confidence = stats_fisher_fewer(culprit->fails, culprit->runs, 0,
					     runs) < SIGNIFICANT
				  ? CONFIDENCE_HIGH
				  : CONFIDENCE_MEDIUM;
}

void verdict_judge_failures(const struct failures *base,
			    const struct failures *culprit,
			    const struct failures *candidate,
			    struct judgement *out)
{
	verdict_none(out);
	if (!sane(culprit) || !sane(candidate)) {
		judgement_note(out, "these counts make no sense");
		return;
	}
	if (!candidate->fails && !culprit->fails) {
		judgement_note(out, "the failure is not shown by this table");
		return;
	}
	if (!candidate->fails) {
		judge_silence(culprit, candidate->runs, out);
		return;
	}
	if (base && sane(base) && base->fails &&
	    rate(candidate) <= rate(base)) {
		judgement_note(out, "it fails without the change as well");
		return;
	}
	out->verdict = VERDICT_NOT_RECOVERED;
	out->confidence = CONFIDENCE_HIGH;
	if (!culprit->fails)
		judgement_note(out, "the culprit itself did not fail here");
	else if (stats_fisher_fewer(culprit->fails, culprit->runs,
				    candidate->fails,
				    candidate->runs) < SIGNIFICANT)
		out->verdict = VERDICT_PARTIAL;
}

void verdict_judge_again(const struct failures *before,
			 const struct failures *base,
			 const struct failures *culprit, struct judgement *out)
{
	double p;

	verdict_none(out);
	if (!sane(culprit)) {
		judgement_note(out, "these counts make no sense");
		return;
	}
	if (culprit->fails && base && sane(base) &&
	    rate(base) >= rate(culprit)) {
		judgement_note(out, "it fails without the change as well");
		return;
	}
	if (culprit->fails) {
		out->verdict = VERDICT_REPRODUCED;
		out->confidence = CONFIDENCE_HIGH;
		return;
	}
	if (!before || !sane(before) || !before->fails) {
		judgement_note(out, "no failure, and how often it failed "
				    "before is not known");
		return;
	}
	p = by_chance(before, culprit->runs);
	if (p < SIGNIFICANT)
		out->verdict = VERDICT_NOT_REPRODUCED;
	else
		judgement_note(out,
			       "no failure, by chance in %.2g of all cases", p);
}
