/* test_verdict_fails.c - judging by how often a test failed */
#include <math.h>

#include "mail/verdict.h"

#include "tests/test.h"

static const struct {
	struct failures base, culprit, candidate;
	enum verdict verdict;
	enum confidence confidence;
} fails[] = {
	/* after 6 of 7, twelve without one are no chance */
	{{0, 6}, {6, 7}, {0, 12}, VERDICT_RECOVERED, CONFIDENCE_HIGH},
	{{0, 6}, {1, 6}, {0, 3}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 6}, {1, 6}, {0, 17}, VERDICT_RECOVERED, CONFIDENCE_MEDIUM},
	{{0, 6}, {1, 6}, {0, 16}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 3}, {3, 3}, {0, 1}, VERDICT_RECOVERED, CONFIDENCE_MEDIUM},
	{{0, 6}, {3, 3}, {3, 3}, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH},
	{{0, 40}, {9, 40}, {7, 20}, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH},
	{{0, 40}, {36, 40}, {2, 40}, VERDICT_PARTIAL, CONFIDENCE_HIGH},
	{{0, 40}, {0, 40}, {0, 40}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 40}, {0, 40}, {1, 40}, VERDICT_NOT_RECOVERED, CONFIDENCE_HIGH},
	{{2, 6}, {5, 6}, {2, 6}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 6}, {5, 0}, {2, 6}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 6}, {5, 6}, {7, 6}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
	{{0, 6}, {-1, -1}, {0, 6}, VERDICT_INCONCLUSIVE, CONFIDENCE_NONE},
};

START_TEST(failure)
{
	struct judgement j;

	verdict_judge_failures(&fails[_i].base, &fails[_i].culprit,
			       &fails[_i].candidate, &j);
	ck_assert_msg(j.verdict == fails[_i].verdict, "%d: got %s", _i,
		      verdict_name(j.verdict));
	ck_assert_int_eq(j.confidence, fails[_i].confidence);
	ck_assert(isnan(j.ratio) && isnan(j.p_gate) && isnan(j.ci95[0]));
	ck_assert(j.confidence || j.notes->len);
	judgement_clear(&j);
}
END_TEST

static const struct {
	struct failures before, base, culprit;
	enum verdict verdict;
} agains[] = {
	{{6, 7}, {0, 7}, {2, 9}, VERDICT_REPRODUCED},
	{{6, 7}, {0, 7}, {0, 9}, VERDICT_NOT_REPRODUCED},
	{{1, 6}, {0, 7}, {0, 9}, VERDICT_INCONCLUSIVE},
	{{6, 7}, {3, 9}, {2, 9}, VERDICT_INCONCLUSIVE},
	{{0, 0}, {0, 9}, {0, 9}, VERDICT_INCONCLUSIVE},
	{{6, 7}, {0, 9}, {0, 0}, VERDICT_INCONCLUSIVE},
};

START_TEST(again)
{
	struct judgement j;

	verdict_judge_again(&agains[_i].before, &agains[_i].base,
			    &agains[_i].culprit, &j);
	ck_assert_msg(j.verdict == agains[_i].verdict, "%d: got %s", _i,
		      verdict_name(j.verdict));
	judgement_clear(&j);
}
END_TEST

/* More failures of the culprit never make silence less telling; more silent
 * runs never either; a failure is never "recovered". */
START_TEST(monotone)
{
	const struct failures base = {0, 10};

	for (int f = 1; f <= 10; f++) {
		enum verdict last = VERDICT_INCONCLUSIVE;

		for (int n = 1; n < 60; n++) {
			const struct failures culprit = {f, 10};
			const struct failures more = {f + 1, 10};
			const struct failures silent = {0, n}, loud = {1, n};
			struct judgement j;

			verdict_judge_failures(&base, &culprit, &silent, &j);
			ck_assert(j.verdict >= last);
			last = j.verdict;
			judgement_clear(&j);
			if (f < 10 && last == VERDICT_RECOVERED) {
				verdict_judge_failures(&base, &more, &silent,
						       &j);
				ck_assert(j.verdict == VERDICT_RECOVERED);
				judgement_clear(&j);
			}
			verdict_judge_failures(&base, &culprit, &loud, &j);
			ck_assert(j.verdict == VERDICT_NOT_RECOVERED ||
				  j.verdict == VERDICT_PARTIAL);
			judgement_clear(&j);
		}
		ck_assert_int_eq(last, VERDICT_RECOVERED);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("verdict_fails");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, failure, 0, G_N_ELEMENTS(fails));
	tcase_add_loop_test(tc, again, 0, G_N_ELEMENTS(agains));
	tcase_add_test(tc, monotone);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
