/* stats.c - the statistics that verdicts need; pure numbers
 * Knows nothing of tables or of what a verdict is. */
#include "mail/stats.h"

#include <float.h>
#include <math.h>

#define FRACTION_STEPS 300 /* of the continued fraction; ~sqrt(a) are used */
#define BISECT_STEPS   200
#define TINY	       1e-300

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign); /* lgamma() writes a global */
}

/* The continued fraction of the incomplete beta function, by Lentz. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < TINY ? TINY : d);
	h = d;
	for (int m = 1; m <= FRACTION_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

/* I_x(a, b); `y` is 1 - x, which may be too near to 1 to be computed. */
static double beta_incomplete(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		    a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

double stats_t_p(double t, double df)
{
	double square = t * t;

	if (isnan(t) || isnan(df) || df <= 0)
		return NAN;
	if (!isfinite(square))
		return 0;
	if (!isfinite(df))
		return erfc(fabs(t) / M_SQRT2);
	return beta_incomplete(df / 2, 0.5, df / (df + square),
			       square / (df + square));
}

double stats_t_quantile(double p, double df)
{
	double lo = 0, hi = 1, tail;

	if (isnan(p) || isnan(df) || p <= 0 || p >= 1 || df <= 0)
		return NAN;
	tail = p < 0.5 ? 2 * p : 2 * (1 - p);
	for (int i = 0; i < BISECT_STEPS && stats_t_p(hi, df) > tail; i++)
		hi *= 2;
	for (int i = 0; i < BISECT_STEPS && hi - lo > 1e-14 * hi; i++) {
		double mid = (lo + hi) / 2;

		if (stats_t_p(mid, df) > tail)
			lo = mid;
		else
			hi = mid;
	}
	return p < 0.5 ? -(lo + hi) / 2 : (lo + hi) / 2;
}

static double variance_of_mean(const struct stats_sample *s)
{
	return s->sd * s->sd / s->n;
}

static gboolean usable(const struct stats_sample *s)
{
	return s->n >= 2 && isfinite(s->mean) && isfinite(s->sd) && s->sd >= 0;
}

double stats_welch_p(const struct stats_sample *a, const struct stats_sample *b,
		     double *df)
{
	double va, vb, sum, nu;

	if (df)
		*df = NAN;
	if (!usable(a) || !usable(b))
		return NAN;
	va = variance_of_mean(a);
	vb = variance_of_mean(b);
	sum = va + vb;
	if (sum <= 0)
		return a->mean == b->mean ? 1 : 0;
	/* by shares: squares of tiny or huge variances leave the range */
	nu = 1 / ((va / sum) * (va / sum) / (a->n - 1) +
		  (vb / sum) * (vb / sum) / (b->n - 1));
	if (df)
		*df = nu;
	return stats_t_p((a->mean - b->mean) / sqrt(sum), nu);
}

/* Satterthwaite's degrees of freedom of D - C - R (B - C). */
static double recovery_df(const double v[3], const guint n[3], double r)
{
	double w[3] = {r * r * v[0], (1 - r) * (1 - r) * v[1], v[2]};
	double sum = w[0] + w[1] + w[2], squares = 0;

	if (sum <= 0)
		return 1;
	for (int i = 0; i < 3; i++)
		squares += (w[i] / sum) * (w[i] / sum) / (n[i] - 1);
	return MAX(1 / squares, 1);
}

gboolean stats_recovery(const struct stats_sample *base,
			const struct stats_sample *culprit,
			const struct stats_sample *candidate, double *ratio,
			double ci95[2])
{
	double v[3], v11, v22, v12, loss, r, q, g, centre, half, under;
	const guint n[3] = {base->n, culprit->n, candidate->n};

	*ratio = ci95[0] = ci95[1] = NAN;
	if (!usable(base) || !usable(culprit) || !usable(candidate))
		return FALSE;
	loss = base->mean - culprit->mean;
	r = (candidate->mean - culprit->mean) / loss;
	if (loss == 0 || !isfinite(loss) || !isfinite(r))
		return FALSE;
	*ratio = r + 0.0; /* no "-0" */
	/* in units of the loss: no overflow, and no unit */
	v[0] = variance_of_mean(base) / loss / loss;
	v[1] = variance_of_mean(culprit) / loss / loss;
	v[2] = variance_of_mean(candidate) / loss / loss;
	v22 = v[0] + v[1];
	v11 = v[2] + v[1];
	v12 = v[1];
	q = stats_t_quantile(0.975, recovery_df(v, n, r));
	g = q * q * v22;
	if (!(g < 1))
		return FALSE;
	under = v11 - 2 * r * v12 + r * r * v22;
	centre = r;
	if (v22 > 0) {
		centre = (r - g * v12 / v22) / (1 - g);
		under -= g * (v11 - v12 * v12 / v22);
	}
	half = q * sqrt(MAX(under, 0)) / (1 - g);
	ci95[0] = centre - half;
	ci95[1] = centre + half;
	return isfinite(ci95[0]) && isfinite(ci95[1]);
}

struct stats_sample stats_of(const double *values, guint n)
{
	struct stats_sample s = {.mean = NAN, .sd = NAN, .n = n};
	double mean = 0, squares = 0;

	/* Welford: one pass, no cancellation */
	for (guint i = 0; i < n; i++) {
		double delta = values[i] - mean;

		mean += delta / (i + 1);
		squares += delta * (values[i] - mean);
	}
	if (n)
		s.mean = mean;
	if (n > 1)
		s.sd = sqrt(squares / (n - 1));
	return s;
}

static double log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

double stats_fisher_fewer(int f0, int r0, int f1, int r1)
{
	double fails = (double)f0 + f1, all, sum = 0;

	if (f0 < 0 || f1 < 0 || f0 > r0 || f1 > r1)
		return NAN;
	if (f1 > STATS_MAX_FAILS)
		return 1;
	all = log_choose((double)r0 + r1, fails);
	for (int k = 0; k <= f1; k++)
		if (fails - k <= r0)
			sum += exp(log_choose(r1, k) +
				   log_choose(r0, fails - k) - all);
	return MIN(sum, 1);
}
