/* stats.h - the statistics that verdicts need; pure numbers */
#ifndef MAIL_STATS_H
#define MAIL_STATS_H

#include <glib.h>

/* Two-sided p of Student's t; df > 0, need not be whole. NAN in: NAN out. */
double stats_t_p(double t, double df);
/* t with P(T <= t) = p; 0 < p < 1, df > 0. */
double stats_t_quantile(double p, double df);

struct stats_sample {
	double mean;
	double sd; /* sample deviation (n - 1), same unit as the mean */
	guint n;   /* >= 2 for all tests */
};

/* Welch's test that two means are equal: two-sided p; 1 if both deviations
 * and the difference are 0, 0 if only the deviations are. */
double stats_welch_p(const struct stats_sample *a, const struct stats_sample *b,
		     double *df);

/* 95 % interval of R = (D-C)/(B-C) by Fieller's theorem. FALSE: unbounded
 * (g >= 1), or n < 2. */
gboolean stats_recovery(const struct stats_sample *base,
			const struct stats_sample *culprit,
			const struct stats_sample *candidate, double *ratio,
			double ci95[2]);

/* Mean, sample deviation and n of raw values. */
struct stats_sample stats_of(const double *values, guint n);

/* Fisher's exact test, one-sided: how likely f1 or fewer of r1 fail by chance
 * where f0 of r0 did. NAN if the counts make no sense; 1 for more than
 * STATS_MAX_FAILS failures. */
#define STATS_MAX_FAILS 10000
double stats_fisher_fewer(int f0, int r0, int f1, int r1);

#endif
