/* test_rate.c - tokens by the second */
#include "bot/rate.h"

#include "tests/test.h"

START_TEST(test_no_limit)
{
	struct rate r;

	rate_init(&r, 0, 5);
	for (guint i = 0; i < 1000; i++)
		ck_assert_int_eq(rate_take(&r, 5), 0);
}
END_TEST

/* As many as a second has at once, then one after the other. */
START_TEST(test_bucket)
{
	struct rate r;

	rate_init(&r, 3, 0);
	for (guint i = 0; i < 3; i++)
		ck_assert_int_eq(rate_take(&r, 0), 0);
	ck_assert_int_eq(rate_take(&r, 0), 333334);
	ck_assert_int_eq(rate_take(&r, 333334), 0);
	ck_assert_int_eq(rate_take(&r, 333335), 333332);
}
END_TEST

/* A long pause fills it once; a clock that goes back takes nothing. */
START_TEST(test_clock)
{
	struct rate r;

	rate_init(&r, 2, 1000);
	ck_assert_int_eq(rate_take(&r, 1000), 0);
	ck_assert_int_eq(rate_take(&r, 0), 0);
	ck_assert_int_gt(rate_take(&r, 0), 0);
	for (guint i = 0; i < 2; i++)
		ck_assert_int_eq(rate_take(&r, G_MAXINT64 / 2), 0);
	ck_assert_int_gt(rate_take(&r, G_MAXINT64 / 2), 0);
}
END_TEST

/* Whoever waits as told gets what the limit allows, no more. */
START_TEST(test_steady)
{
	struct rate r;
	gint64 now = 0;
	guint got = 0;

	rate_init(&r, 7, now);
	while (now < 10 * G_USEC_PER_SEC) {
		gint64 wait = rate_take(&r, now);

		got += wait == 0;
		now += wait;
	}
	ck_assert_uint_ge(got, 7 * 10);
	ck_assert_uint_le(got, 7 * 11);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("rate");
	TCase *t = tcase_create("rate");

	tcase_add_test(t, test_no_limit);
	tcase_add_test(t, test_bucket);
	tcase_add_test(t, test_clock);
	tcase_add_test(t, test_steady);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
