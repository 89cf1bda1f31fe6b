/* test_verdict.c - the rule of docs/verdicts.md on known cases */
#include <math.h>
#include <string.h>

#include "mail/verdict.h"

#include "tests/test.h"

#define N   NAN
#define ANY INFINITY

/* Means, printed deviations and runs of base, culprit and candidate. */
#define THREE(b, bs, bn, c, cs, cn, d, ds, dn) \
	{b, bs, bn}, {c, cs, cn},              \
	{                                      \
		d, ds, dn                      \
	}
#define V(name, b, bs, bn, c, cs, cn, d, ds, dn, better, verdict, sure, r, w0, \
	  w1, b0, b1, p)                                                       \
	{                                                                      \
		name, THREE(b, bs, bn, c, cs, cn, d, ds, dn), better, verdict, \
			sure, r, {w0, w1}, {b0, b1}, p                         \
	}
#define E(name, b, bs, bn, c, cs, cn, d, ds, dn, least, better, verdict, sure, \
	  note)                                                                \
	{                                                                      \
		name, THREE(b, bs, bn, c, cs, cn, d, ds, dn), least, better,   \
			verdict, sure, note                                    \
	}

struct value {
	double mean;
	double sd; /* as printed; NAN: hidden */
	guint runs;
};

/* Real measurements and what they show, worked out by hand. */
static const struct {
	const char *name;
	struct value base, culprit, candidate; /* runs 0: none */
	gboolean improvement;
	enum verdict verdict;
	enum confidence confidence;
	double ratio, worst[2], best[2], gate;
} vectors[] = {
	V("both repairs together", 117419, 1, 3, 77863, 0, 4, 117404, 0, 5,
	  FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.000, 0.86, 1.18, 0.89,
	  1.14, 9.2e-4),
	V("the first repair alone", 117419, 1, 3, 77863, 0, 4, 79485, 1, 4,
	  FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH, 0.041, -0.03, 0.11,
	  -0.01, 0.09, 9.2e-4),
	V("the second repair alone", 117419, 1, 3, 77863, 0, 4, 117500, 0, 5,
	  FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.002, 0.86, 1.19, 0.89,
	  1.15, 9.2e-4),
	V("the culprit twice only", 117419, 1, 3, 77863, 0, 2, 117404, 0, 5,
	  FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.000, 0.86, 1.19, 0.89,
	  1.14, 4e-4),
	V("files a second", 4177, 2, 3, 1475, N, 3, 4130, N, 3, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_HIGH, 0.983, 0.88, 1.11, 0.89, 1.09,
	  6.2e-4),
	V("tail of a series", 1185129, N, 4, 1127667, N, 4, 1128537, N, 4,
	  FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_MEDIUM, 0.015, -2.39, 0.73,
	  -0.63, 0.41, 0.023),
	V("a fixup that does not help", 464232, N, 3, 438315, N, 3, 434563, N,
	  3, FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_MEDIUM, -0.145, -18.9,
	  0.70, -1.17, 0.33, 0.0456),
	V("striped, head of the series", 21493, N, 3, 17278, N, 3, 17371, N, 3,
	  FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH, 0.022, -0.24, 0.23,
	  -0.12, 0.15, 5e-4),
	V("striped, fourth column", 21493, N, 3, 17278, N, 3, 17264, N, 3,
	  FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH, -0.003, -0.27, 0.21,
	  -0.14, 0.12, 5e-4),
	V("a release, many runs", 186.48, 7, 16, 98.29, 17, 15, 187.64, 5, 24,
	  FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.013, 0.91, 1.13, 0.92,
	  1.12, 2e-14),
	V("no scheduler, many runs", 112.49, 17, 15, 77.47, 21, 15, 114.62, 19,
	  15, FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.061, 0.64, 1.75,
	  0.65, 1.72, 3e-5),
	V("no scheduler, three runs", 112.49, 17, 3, 77.47, 21, 3, 114.62, 19,
	  3, FALSE, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE, N, N, N, N, N, 0.14),
	V("noise", 233.95, 14, 3, 225.97, 15, 3, 0, N, 0, FALSE,
	  VERDICT_NOT_REPRODUCED, CONFIDENCE_NONE, N, N, N, N, N, 0.83),
	V("taken back", 9370, N, 3, 9309, N, 3, 0, N, 0, FALSE,
	  VERDICT_NOT_REPRODUCED, CONFIDENCE_NONE, N, N, N, N, N, 0.76),
	V("half way", 1688, N, 9, 1562, N, 9, 1633, N, 9, FALSE,
	  VERDICT_PARTIAL, CONFIDENCE_HIGH, 0.563, 0.32, 0.82, 0.43, 0.71,
	  9e-7),
	V("an improvement that grows", 1544, 4, 10, 2385, N, 10, 2531, N, 10,
	  TRUE, VERDICT_KEPT, CONFIDENCE_HIGH, -0.174, -0.24, -0.11, -0.21,
	  -0.14, 2.6e-14),
	V("time, lower is better", 153.78, 1, 3, 231.63, 0, 4, 153.80, 0, 5,
	  FALSE, VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.000, 0.90, 1.12, 0.92,
	  1.09, 2.4e-5),
	V("time in the kernel", 5408, 1, 3, 6240, 0, 4, 5360, 1, 5, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_HIGH, 1.058, 0.78, 1.49, 0.84, 1.36,
	  2.6e-3),
	V("dirty pages", 135538, 8, 3, 78738, 8, 4, 98448, 2, 5, FALSE,
	  VERDICT_PARTIAL, CONFIDENCE_HIGH, 0.347, 0.17, 0.59, 0.18, 0.57,
	  0.0104),
	V("blocked processes", 64.67, 2, 3, 39.00, 2, 4, 12.80, 15, 5, FALSE,
	  VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH, -1.021, -1.25, -0.84, ANY,
	  ANY, 4.9e-4),
};

static struct measure measure_of(const struct value *v, guint least)
{
	struct table_cell cell = {.mean = v->mean, .sd_pct = v->sd};

	return verdict_measure(&cell, v->runs, least);
}

static void near_to(const char *what, double got, double want, double within)
{
	if (want == ANY)
		return;
	if (isnan(want))
		ck_assert_msg(isnan(got), "%s: expected none, got %g", what,
			      got);
	else
		ck_assert_msg(fabs(got - want) <= within,
			      "%s: expected %g, got %g", what, want, got);
}

START_TEST(vector)
{
	struct measure b = measure_of(&vectors[_i].base, 0);
	struct measure c = measure_of(&vectors[_i].culprit, 0);
	struct measure d = measure_of(&vectors[_i].candidate, 0);
	struct judgement j;

	verdict_judge(&b, &c, vectors[_i].candidate.runs ? &d : NULL,
		      vectors[_i].improvement, &j);
	ck_assert_msg(j.verdict == vectors[_i].verdict,
		      "%s: expected %s, got %s", vectors[_i].name,
		      verdict_name(vectors[_i].verdict),
		      verdict_name(j.verdict));
	ck_assert_msg(j.confidence == vectors[_i].confidence, "%s",
		      vectors[_i].name);
	near_to(vectors[_i].name, j.ratio, vectors[_i].ratio, 0.001);
	for (int k = 0; k < 2; k++) {
		double w = vectors[_i].worst[k];

		/* far ends are given in three digits */
		near_to(vectors[_i].name, j.ci95[k], w,
			MAX(0.02, 0.005 * fabs(w)));
		near_to(vectors[_i].name, j.ci95_best[k], vectors[_i].best[k],
			0.02);
	}
	ck_assert_msg(fabs(log(j.p_gate / vectors[_i].gate)) < 0.15, "%s: p %g",
		      vectors[_i].name, j.p_gate);
	judgement_clear(&j);
}
END_TEST

static const struct {
	const char *name;
	struct value base, culprit, candidate;
	guint least; /* runs of the culprit, by inference */
	gboolean improvement;
	enum verdict verdict;
	enum confidence confidence;
	const char *note; /* NULL none */
} edges[] = {
	E("shown again", 1000, N, 3, 800, N, 3, 0, N, 0, 0, FALSE,
	  VERDICT_REPRODUCED, CONFIDENCE_HIGH, NULL),
	E("shown again, just", 1000, 2, 3, 930, 2, 3, 0, N, 0, 0, FALSE,
	  VERDICT_REPRODUCED, CONFIDENCE_MEDIUM, NULL),
	E("one run", 1000, N, 1, 800, N, 3, 1000, N, 3, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "one run only: no test is possible"),
	E("one run, two columns", 1000, N, 3, 800, N, 1, 0, N, 0, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "one run only: no test is possible"),
	E("equal", 1000, N, 3, 1000, N, 3, 1000, N, 3, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "the regression is not shown by this table"),
	E("zeros", 0, N, 3, 0, N, 3, 0, N, 3, 0, FALSE, VERDICT_INCONCLUSIVE,
	  CONFIDENCE_NONE, "the regression is not shown by this table"),
	E("no number", N, N, 3, 0, N, 3, 0, N, 3, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "the regression is not shown by this table"),
	E("infinite", ANY, N, 3, 1, N, 3, ANY, N, 3, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "the regression is not shown by this table"),
	E("from nothing", 0, N, 3, 50, N, 3, 0, N, 3, 0, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_HIGH, NULL),
	E("small", 100000, N, 9, 99000, N, 9, 99000, N, 9, 0, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "the regression is not shown by this table"),
	E("small, many runs", 100000, N, 60, 99000, N, 60, 98990, N, 60, 0,
	  FALSE, VERDICT_NOT_RECOVERED, CONFIDENCE_MEDIUM,
	  "below the table's resolution"),
	E("better than before", 1000, N, 6, 700, N, 6, 1500, N, 6, 0, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_HIGH, "better than before"),
	E("worse", 1000, N, 6, 700, N, 6, 500, N, 6, 0, FALSE,
	  VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH, "worse than the culprit"),
	E("lost", 700, N, 6, 1000, N, 6, 705, N, 6, 0, TRUE, VERDICT_LOST,
	  CONFIDENCE_HIGH, NULL),
	E("lost and more", 700, N, 6, 1000, N, 6, 500, N, 6, 0, TRUE,
	  VERDICT_LOST, CONFIDENCE_HIGH, "worse than before the change"),
	E("lost in part", 700, N, 9, 1000, N, 9, 850, N, 9, 0, TRUE,
	  VERDICT_PARTIAL, CONFIDENCE_HIGH, NULL),
	E("fewer runs, no matter", 1000, N, 4, 500, N, 4, 1000, N, 4, 2, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_HIGH, NULL),
	E("fewer runs, one step", 1000, 3, 4, 800, 9, 4, 1000, 3, 4, 2, FALSE,
	  VERDICT_RECOVERED, CONFIDENCE_MEDIUM,
	  "with the fewest runs that the numbers allow it would not be decided so"),
	E("fewer runs, two", 1000, 3, 3, 800, 9, 3, 1000, 3, 4, 2, FALSE,
	  VERDICT_INCONCLUSIVE, CONFIDENCE_NONE,
	  "with the fewest runs that the numbers allow it would not be decided so"),
};

START_TEST(edge)
{
	struct measure b = measure_of(&edges[_i].base, 0);
	struct measure c = measure_of(&edges[_i].culprit, edges[_i].least);
	struct measure d = measure_of(&edges[_i].candidate, 0);
	struct judgement j;

	verdict_judge(&b, &c, edges[_i].candidate.runs ? &d : NULL,
		      edges[_i].improvement, &j);
	ck_assert_msg(j.verdict == edges[_i].verdict, "%s: got %s (%d) p=%g",
		      edges[_i].name, verdict_name(j.verdict), j.confidence,
		      j.p_gate);
	ck_assert_msg(j.confidence == edges[_i].confidence, "%s: got %d",
		      edges[_i].name, j.confidence);
	if (edges[_i].note) {
		ck_assert_msg(j.notes->len > 0, "%s", edges[_i].name);
		ck_assert_str_eq(j.notes->pdata[0], edges[_i].note);
	} else {
		ck_assert_msg(!j.notes->len, "%s: %s", edges[_i].name,
			      (char *)j.notes->pdata[0]);
	}
	judgement_clear(&j);
	judgement_clear(&j);
}
END_TEST

/* What a print allows: truncated when shown, up to 2 % when not. */
START_TEST(deviation)
{
	struct table_cell cell = {.mean = 100, .sd_pct = 7};
	struct measure m = verdict_measure(&cell, 16, 0);
	static const double raw[] = {90, 110, 100};

	ck_assert(fabs(m.sd_worst - 0.08 * sqrt(16.0 / 15)) < 1e-12);
	ck_assert(fabs(m.sd_best - 0.075 * sqrt(16.0 / 15)) < 1e-12);
	ck_assert(!m.hidden);
	cell.sd_pct = 0;
	m = verdict_measure(&cell, 2, 0);
	ck_assert(fabs(m.sd_worst - 0.01 * sqrt(2)) < 1e-12);
	ck_assert(fabs(m.sd_best - 0.005 * sqrt(2)) < 1e-12);
	cell.sd_pct = NAN;
	m = verdict_measure(&cell, 0, 5);
	ck_assert(m.hidden);
	ck_assert_uint_eq(m.runs, 3);
	ck_assert_uint_eq(m.runs_least, 3);
	ck_assert(fabs(m.sd_worst - 0.02 * sqrt(1.5)) < 1e-12);
	m = verdict_measure_raw(raw, 3);
	ck_assert(fabs(m.sd_worst - 0.1) < 1e-12 && m.sd_best == m.sd_worst);
	ck_assert_uint_eq(m.runs, 3);
	ck_assert(m.mean == 100);
}
END_TEST

/* Values of few digits do not say more than was printed. */
START_TEST(rounding)
{
	static const struct {
		const char *base, *culprit;
		enum verdict verdict;
	} all[] = {
		{"0.01", "0.00", VERDICT_NOT_REPRODUCED},
		{"0.05", "0.04", VERDICT_NOT_REPRODUCED},
		{"0.50", "0.40", VERDICT_REPRODUCED},
		{"1500", "1200", VERDICT_REPRODUCED},
	};

	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		struct table_cell b = {.mean = g_ascii_strtod(all[i].base,
							      NULL),
				       .sd_pct = NAN,
				       .printed = all[i].base};
		struct table_cell c = {.mean = g_ascii_strtod(all[i].culprit,
							      NULL),
				       .sd_pct = NAN,
				       .printed = all[i].culprit};
		struct measure base = verdict_measure(&b, 3, 0);
		struct measure culprit = verdict_measure(&c, 3, 0);
		struct judgement j;

		verdict_judge(&base, &culprit, NULL, FALSE, &j);
		ck_assert_msg(j.verdict == all[i].verdict, "%s and %s: %s p %g",
			      all[i].base, all[i].culprit,
			      verdict_name(j.verdict), j.p_gate);
		judgement_clear(&j);
	}
}
END_TEST

static struct measure scaled(struct measure m, double scale)
{
	m.mean *= scale;
	m.rounding *= fabs(scale);
	return m;
}

static void same(const struct judgement *a, const struct judgement *b)
{
	ck_assert_int_eq(a->verdict, b->verdict);
	ck_assert_int_eq(a->confidence, b->confidence);
	ck_assert(isnan(a->ratio) ? isnan(b->ratio)
				  : fabs(a->ratio - b->ratio) <
					    1e-6 * (1 + fabs(a->ratio)));
}

/* Over random measurements: the unit and the direction of a metric do not
 * matter, the words for improvements answer those for regressions, more
 * runs never lower the confidence of a recovery to nothing. */
START_TEST(properties)
{
	GRand *rand = g_rand_new_with_seed(11);
	guint seen[8] = {0};

	for (int i = 0; i < 4000; i++) {
		struct measure m[3];
		struct judgement j, k;
		double scale = exp(g_rand_double_range(rand, -9, 9));

		for (int n = 0; n < 3; n++) {
			struct value v = {g_rand_double_range(rand, 100, 300),
					  g_rand_int_range(rand, 0, 9),
					  (guint)g_rand_int_range(rand, 2, 12)};

			m[n] = measure_of(&v,
					  (guint)g_rand_int_range(rand, 0, 14));
		}
		verdict_judge(&m[0], &m[1], &m[2], FALSE, &j);
		seen[j.verdict]++;
		ck_assert((j.verdict == VERDICT_INCONCLUSIVE) == !j.confidence);
		for (int n = 0; n < 3; n++)
			m[n] = scaled(m[n], scale);
		verdict_judge(&m[0], &m[1], &m[2], FALSE, &k);
		same(&j, &k);
		judgement_clear(&k);
		for (int n = 0; n < 3; n++)
			m[n] = scaled(m[n], -1);
		verdict_judge(&m[0], &m[1], &m[2], FALSE, &k);
		same(&j, &k);
		judgement_clear(&k);
		verdict_judge(&m[0], &m[1], &m[2], TRUE, &k);
		ck_assert_int_eq(k.verdict == VERDICT_KEPT,
				 j.verdict == VERDICT_NOT_RECOVERED);
		ck_assert_int_eq(k.verdict == VERDICT_LOST,
				 j.verdict == VERDICT_RECOVERED);
		judgement_clear(&k);
		judgement_clear(&j);
	}
	ck_assert_uint_gt(seen[VERDICT_RECOVERED], 50);
	ck_assert_uint_gt(seen[VERDICT_PARTIAL], 50);
	ck_assert_uint_gt(seen[VERDICT_NOT_RECOVERED], 50);
	ck_assert_uint_gt(seen[VERDICT_INCONCLUSIVE], 50);
	g_rand_free(rand);
}
END_TEST

/* Wherever a candidate between culprit and base stands, the verdict only
 * goes one way. */
START_TEST(monotone)
{
	static const enum verdict order[] = {VERDICT_NOT_RECOVERED,
					     VERDICT_INCONCLUSIVE,
					     VERDICT_PARTIAL,
					     VERDICT_INCONCLUSIVE,
					     VERDICT_RECOVERED};
	struct value v[3] = {{1000, 1, 6}, {700, 1, 6}, {0, 1, 6}};
	struct measure b = measure_of(&v[0], 0), c = measure_of(&v[1], 0);
	guint at = 0;
	double last = -INFINITY;

	for (v[2].mean = 650; v[2].mean < 1100; v[2].mean += 1) {
		struct measure d = measure_of(&v[2], 0);
		struct judgement j;

		verdict_judge(&b, &c, &d, FALSE, &j);
		while (at < G_N_ELEMENTS(order) && order[at] != j.verdict)
			at++;
		ck_assert_msg(at < G_N_ELEMENTS(order), "%s at %g",
			      verdict_name(j.verdict), v[2].mean);
		ck_assert(j.ratio > last);
		last = j.ratio;
		judgement_clear(&j);
	}
	ck_assert_uint_eq(at, G_N_ELEMENTS(order) - 1);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("verdict");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, vector, 0, G_N_ELEMENTS(vectors));
	tcase_add_loop_test(tc, edge, 0, G_N_ELEMENTS(edges));
	tcase_add_test(tc, deviation);
	tcase_add_test(tc, rounding);
	tcase_add_test(tc, properties);
	tcase_add_test(tc, monotone);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
