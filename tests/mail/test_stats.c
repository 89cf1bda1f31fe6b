/* test_stats.c - the numerics under verdicts, against published values */
#include <math.h>

#include "mail/stats.h"

#include "tests/test.h"

static void near_to(double got, double want, double share)
{
	ck_assert_msg(fabs(got - want) <= share * fabs(want) + 1e-300,
		      "expected %.10g, got %.10g", want, got);
}

/* Tables of Student's t. */
static const struct {
	double p, df, t;
} quantiles[] = {
	{0.975, 1, 12.7062047},	  {0.975, 2, 4.30265273},
	{0.975, 3, 3.18244631},	  {0.975, 5, 2.57058184},
	{0.975, 10, 2.22813885},  {0.975, 30, 2.04227246},
	{0.975, 120, 1.97993041}, {0.975, 1e7, 1.95996423},
	{0.95, 4, 2.13184679},	  {0.995, 7, 3.49948330},
	{0.9, 9, 1.38302874},	  {0.75, 2, 0.81649658},
	{0.025, 10, -2.22813885}, {0.5, 3, 0},
};

START_TEST(quantile)
{
	double t = stats_t_quantile(quantiles[_i].p, quantiles[_i].df);

	ck_assert_msg(fabs(t - quantiles[_i].t) < 1e-6, "got %.9f", t);
	near_to(stats_t_p(t, quantiles[_i].df),
		2 * MIN(quantiles[_i].p, 1 - quantiles[_i].p), 1e-6);
}
END_TEST

/* Integrated numerically, by another method. */
static const struct {
	double t, df, p;
} tails[] = {
	{2, 3, 0.13932596855817275},	   {1.5, 4.37, 0.2020822798821897},
	{15.35, 26.9, 7.891900589881e-15}, {0.1, 1, 0.9365489651388925},
	{6, 2.5, 0.015281729885464957},	   {3.3, 117.2, 0.0012812349391252665},
};

START_TEST(tail)
{
	near_to(stats_t_p(tails[_i].t, tails[_i].df), tails[_i].p, 1e-6);
	near_to(stats_t_p(-tails[_i].t, tails[_i].df), tails[_i].p, 1e-6);
}
END_TEST

START_TEST(limits)
{
	ck_assert(isnan(stats_t_p(NAN, 3)));
	ck_assert(isnan(stats_t_p(1, NAN)));
	ck_assert(isnan(stats_t_p(1, 0)));
	ck_assert(isnan(stats_t_p(1, -1)));
	ck_assert(stats_t_p(0, 3) == 1);
	ck_assert(stats_t_p(INFINITY, 3) == 0);
	ck_assert(stats_t_p(-INFINITY, 3) == 0);
	ck_assert(stats_t_p(1e200, 3) == 0);
	ck_assert(isnan(stats_t_quantile(0, 3)));
	ck_assert(isnan(stats_t_quantile(1, 3)));
	ck_assert(isnan(stats_t_quantile(NAN, 3)));
	near_to(stats_t_p(1.95996398, INFINITY), 0.05, 1e-6);
}
END_TEST

/* The two classic sets of Welch's test. */
START_TEST(welch)
{
	static const double a[] = {27.5, 21.0, 19.0, 23.6, 17.0,
				   17.9, 16.9, 20.1, 21.9, 22.6,
				   23.1, 19.6, 19.0, 21.7, 21.4};
	static const double b[] = {27.1, 22.0, 20.8, 23.4, 23.4,
				   23.5, 25.8, 22.0, 24.8, 20.2,
				   21.9, 22.1, 22.9, 30.5, 24.4};
	struct stats_sample x = stats_of(a, G_N_ELEMENTS(a));
	struct stats_sample y = stats_of(b, G_N_ELEMENTS(b));
	double df, p = stats_welch_p(&x, &y, &df);

	near_to(x.mean, 20.82, 1e-3);
	near_to(x.sd * x.sd, 7.9, 2e-2);
	near_to(df, 27.8847, 5e-3);
	near_to(p, 0.00801, 5e-2);
	ck_assert(p == stats_welch_p(&y, &x, NULL));
}
END_TEST

START_TEST(welch_degenerate)
{
	struct stats_sample a = {10, 0, 3}, b = {11, 0, 3}, c = {11, 1, 1};
	double df;

	ck_assert(stats_welch_p(&a, &a, &df) == 1);
	ck_assert(isnan(df));
	ck_assert(stats_welch_p(&a, &b, &df) == 0);
	ck_assert(isnan(stats_welch_p(&a, &c, &df)));
	c.n = 3;
	c.mean = NAN;
	ck_assert(isnan(stats_welch_p(&a, &c, &df)));
	c.mean = INFINITY;
	ck_assert(isnan(stats_welch_p(&a, &c, &df)));
	c = (struct stats_sample){11, -1, 3};
	ck_assert(isnan(stats_welch_p(&a, &c, &df)));
}
END_TEST

START_TEST(recovery_degenerate)
{
	struct stats_sample b = {10, 0, 3}, c = {5, 0, 3}, d = {9, 0, 3};
	double r, ci[2];

	ck_assert(stats_recovery(&b, &c, &d, &r, ci));
	near_to(r, 0.8, 1e-12);
	near_to(ci[0], 0.8, 1e-12);
	near_to(ci[1], 0.8, 1e-12);
	ck_assert(!stats_recovery(&b, &b, &d, &r, ci));
	ck_assert(isnan(r) && isnan(ci[0]) && isnan(ci[1]));
	b.sd = 5;
	ck_assert(!stats_recovery(&b, &c, &d, &r, ci)); /* g >= 1 */
	near_to(r, 0.8, 1e-12);
	b.sd = NAN;
	ck_assert(!stats_recovery(&b, &c, &d, &r, ci));
	b = (struct stats_sample){0, 0, 3};
	c = (struct stats_sample){0, 0, 3};
	ck_assert(!stats_recovery(&b, &c, &d, &r, ci));
	b = (struct stats_sample){1e308, 1, 3};
	c = (struct stats_sample){-1e308, 1, 3};
	ck_assert(!stats_recovery(&b, &c, &d, &r, ci));
}
END_TEST

START_TEST(sample)
{
	static const double v[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
	struct stats_sample s = stats_of(v, 4);

	near_to(s.mean, 1e9 + 10, 1e-15);
	near_to(s.sd, sqrt(30), 1e-9);
	ck_assert_uint_eq(s.n, 4);
	s = stats_of(v, 1);
	ck_assert(s.mean == v[0] && isnan(s.sd));
	s = stats_of(v, 0);
	ck_assert(isnan(s.mean) && isnan(s.sd) && s.n == 0);
}
END_TEST

/* Fisher: the lady who tasted tea, and counts by hand. */
START_TEST(fisher)
{
	near_to(stats_fisher_fewer(3, 4, 1, 4), 17.0 / 70, 1e-9);
	near_to(stats_fisher_fewer(3, 3, 0, 3), 1.0 / 20, 1e-9);
	near_to(stats_fisher_fewer(3, 3, 0, 1), 1.0 / 4, 1e-9);
	near_to(stats_fisher_fewer(6, 7, 0, 12), 1.0 / 3876, 1e-9);
	near_to(stats_fisher_fewer(0, 6, 6, 6), 1, 1e-9);
	near_to(stats_fisher_fewer(0, 6, 0, 6), 1, 1e-9);
	ck_assert(isnan(stats_fisher_fewer(7, 6, 0, 6)));
	ck_assert(isnan(stats_fisher_fewer(-1, 6, 0, 6)));
	ck_assert(stats_fisher_fewer(1, G_MAXINT, G_MAXINT, G_MAXINT) == 1);
}
END_TEST

static double pick(GRand *rand)
{
	return exp(g_rand_double_range(rand, -4, 4));
}

/* Of any numbers: no unit matters, no order of samples, no sign. */
START_TEST(properties)
{
	GRand *rand = g_rand_new_with_seed(7);

	for (int i = 0; i < 3000; i++) {
		struct stats_sample s[3], u[3];
		double scale = pick(rand) * (i % 2 ? 1 : -1), r, q, ci[2];
		double di[2], p;
		gboolean bound;

		for (int k = 0; k < 3; k++) {
			s[k] = (struct stats_sample){
				pick(rand), 0,
				(guint)g_rand_int_range(rand, 2, 30)};
			s[k].sd = s[k].mean * g_rand_double(rand);
			u[k] = s[k];
			u[k].mean *= scale;
			u[k].sd *= fabs(scale);
		}
		p = stats_welch_p(&s[0], &s[1], NULL);
		ck_assert(p >= 0 && p <= 1);
		near_to(stats_welch_p(&u[1], &u[0], NULL), p, 1e-6);
		bound = stats_recovery(&s[0], &s[1], &s[2], &r, ci);
		ck_assert(stats_recovery(&u[0], &u[1], &u[2], &q, di) == bound);
		near_to(q, r, 1e-6);
		if (!bound)
			continue;
		ck_assert(ci[0] <= r + 1e-9 * fabs(r) &&
			  r <= ci[1] + 1e-9 * fabs(r));
		ck_assert(fabs((di[1] - di[0]) - (ci[1] - ci[0])) <
			  1e-6 * (1 + fabs(r)));
		/* base for culprit: the other share of the way */
		ck_assert(stats_recovery(&s[1], &s[0], &s[2], &q, di) ||
			  !isfinite(di[0]));
		ck_assert(fabs(1 - q - r) < 1e-9 * (1 + fabs(r)));
	}
	g_rand_free(rand);
}
END_TEST

static double normal(GRand *rand)
{
	return sqrt(-2 * log(1 - g_rand_double(rand))) *
	       cos(2 * M_PI * g_rand_double(rand));
}

static struct stats_sample draw(GRand *rand, double mean, double sd, guint n)
{
	double v[16];

	for (guint i = 0; i < n; i++)
		v[i] = mean + sd * normal(rand);
	return stats_of(v, n);
}

#define TRIALS 4000

/* What "95 %" says, tried: the true ratio is in the interval that often, and
 * equal means are told apart no more often than in the other 5 %. */
START_TEST(coverage)
{
	GRand *rand = g_rand_new_with_seed(23);
	guint inside = 0, alarms = 0;

	for (guint i = 0; i < TRIALS; i++) {
		struct stats_sample b = draw(rand, 1000, 30, 4);
		struct stats_sample c = draw(rand, 700, 20, 6);
		struct stats_sample d = draw(rand, 880, 25, 5);
		struct stats_sample e = draw(rand, 1000, 60, 6);
		double r, ci[2];

		if (stats_recovery(&b, &c, &d, &r, ci))
			inside += ci[0] <= 0.6 && 0.6 <= ci[1];
		else
			inside++; /* unbounded: says nothing wrong */
		alarms += stats_welch_p(&b, &e, NULL) < 0.05;
	}
	ck_assert_msg(inside > 0.94 * TRIALS && inside < 0.97 * TRIALS,
		      "%u inside", inside);
	ck_assert_msg(alarms > 0.035 * TRIALS && alarms < 0.06 * TRIALS,
		      "%u alarms", alarms);
	g_rand_free(rand);
}
END_TEST

START_TEST(monotone)
{
	for (double df = 0.5; df < 200; df *= 1.7) {
		double last = 1;

		for (double t = 0.05; t < 60; t *= 1.3) {
			double p = stats_t_p(t, df);

			ck_assert(p < last && p > 0);
			ck_assert(p > stats_t_p(t, df * 1.7));
			near_to(fabs(stats_t_quantile(p / 2, df)), t, 1e-6);
			last = p;
		}
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("stats");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, quantile, 0, G_N_ELEMENTS(quantiles));
	tcase_add_loop_test(tc, tail, 0, G_N_ELEMENTS(tails));
	tcase_add_test(tc, limits);
	tcase_add_test(tc, welch);
	tcase_add_test(tc, welch_degenerate);
	tcase_add_test(tc, recovery_degenerate);
	tcase_add_test(tc, sample);
	tcase_add_test(tc, fisher);
	tcase_add_test(tc, properties);
	tcase_add_test(tc, coverage);
	tcase_add_test(tc, monotone);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
