/* verdict.h - does a rerun show that a fix works
 * Pure numbers; the rule is in docs/verdicts.md. Words decide nothing. */
#ifndef MAIL_VERDICT_H
#define MAIL_VERDICT_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/table.h"

enum verdict { /* stored as numbers: append only */
	       VERDICT_INCONCLUSIVE,
	       VERDICT_RECOVERED,
	       VERDICT_PARTIAL,
	       VERDICT_NOT_RECOVERED,
	       VERDICT_NOT_REPRODUCED,
	       VERDICT_REPRODUCED,
	       VERDICT_KEPT,
	       VERDICT_LOST,
};

enum confidence {
	CONFIDENCE_NONE, /* nothing was decided */
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
};

/* One column of one metric. */
struct measure {
	double mean;
	double sd_worst; /* sample deviation as a fraction of the mean: at the */
	double sd_best;	 /* worst and best that the print allows */
	guint runs;	 /* never 0: 3 where nothing is known */
	guint runs_least; /* by inference; = runs where there is none */
	gboolean hidden;  /* the deviation was not printed */
};

struct judgement {
	enum verdict verdict;
	enum confidence confidence;
	double ratio;	     /* NAN: does not apply */
	double ci95[2];	     /* at the worst deviation; NAN, NAN */
	double ci95_best[2]; /* at the best */
	double p_gate;	     /* at the worst; NAN */
	GPtrArray *notes;    /* of char *: short sentences in order */
};

/* The measure of a cell: `old`: the era which printed every deviation. */
struct measure verdict_measure(const struct table_cell *cell, guint runs,
			       guint runs_least, gboolean old);

/* Judge `candidate` (NULL: only whether the change shows again). `direction`
 * regression or improvement: enum report_direction. */
void verdict_judge(const struct measure *base, const struct measure *culprit,
		   const struct measure *candidate, gboolean improvement,
		   struct judgement *out);

/* Rows of failures: f0 of r0 runs failed at the culprit, f1 of r1 at the
 * candidate. Ratio, intervals and gate do not apply. */
void verdict_judge_failures(int f0, int r0, int f1, int r1,
			    struct judgement *out);

void judgement_clear(struct judgement *j);
const char *verdict_name(enum verdict v);	/* "not-recovered" ... */
const char *confidence_name(enum confidence c); /* NULL: none */

#endif
