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
	double rounding;  /* the mean may be so far off what was printed */
	guint runs;	  /* never 0: 3 where nothing is known */
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

/* The measure of a cell; 0 of either: unknown. */
struct measure verdict_measure(const struct table_cell *cell, guint runs,
			       guint runs_least);
/* Of raw values: their own deviation, exactly. */
struct measure verdict_measure_raw(const double *values, guint n);

/* Judge `candidate` (NULL: only whether the change shows again). An
 * `improvement` is kept or lost. Sets all of `out`, which you clear. */
void verdict_judge(const struct measure *base, const struct measure *culprit,
		   const struct measure *candidate, gboolean improvement,
		   struct judgement *out);

/* Rows of failures: so many of so many runs. */
struct failures {
	int fails, runs;
};

/* Failures of the culprit and of a candidate: one is proof that it is not
 * fixed, none is proof only after enough runs. `base` may be NULL: unknown.
 * Ratio, intervals and gate do not apply. */
void verdict_judge_failures(const struct failures *base,
			    const struct failures *culprit,
			    const struct failures *candidate,
			    struct judgement *out);
/* The culprit alone, once more; `before`: as it was reported, NULL unknown. */
void verdict_judge_again(const struct failures *before,
			 const struct failures *base,
			 const struct failures *culprit, struct judgement *out);

/* Nothing decided, nothing known, no notes. */
void verdict_none(struct judgement *out);
void judgement_clear(struct judgement *j);
/* One more sentence for its notes. */
void judgement_note(struct judgement *j, const char *format, ...)
	G_GNUC_PRINTF(2, 3);
const char *verdict_name(enum verdict v);	/* "not-recovered" ... */
const char *confidence_name(enum confidence c); /* NULL: none */

typedef struct judgement judgement_auto;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(judgement_auto, judgement_clear)

#endif
