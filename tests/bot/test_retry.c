/* test_retry.c - waits grow, have an end, differ, and know what passes */
#include "bot/net.h"
#include "bot/retry.h"

#include "tests/test.h"

#define NONE (-1)

static const struct {
	const char *name;
	int code; /* NET_ERROR, or NONE */
	guint failures, poll, first_ms;
	guint64 usual; /* ms, before the jitter */
} cases[] = {
	{"it works", NONE, 5, 300, 0, 300000},
	{"first", NET_ERROR_CLOSED, 0, 300, 0, 1000},
	{"second", NET_ERROR_TIME, 1, 300, 0, 2000},
	{"fifth", NET_ERROR_CONNECT, 4, 300, 0, 16000},
	{"longest", NET_ERROR_CONNECT, 30, 300, 0, RETRY_MAX_MS},
	{"not more often than usual", NET_ERROR_IO, 4000000000u, 3600, 0,
	 3600000},
	{"its own beginning", NET_ERROR_IO, 3, 300, 1, 8},
	{"wrong password", NET_ERROR_REFUSED, 0, 300, 1, RETRY_LONG_MS},
	{"again", NET_ERROR_VERIFY, 2, 300, 0, RETRY_LONG_MS * 4},
	{"seldom", NET_ERROR_SECRET, 20, 300, 0, RETRY_LONG_MAX_MS},
};

START_TEST(each_wait_is_near_its_usual_one)
{
	g_autoptr(GError) why = NULL;
	guint64 least = G_MAXUINT64, most = 0;

	if (cases[_i].code != NONE)
		why = g_error_new_literal(NET_ERROR, cases[_i].code, "x");
	for (guint n = 0; n < 1000; n++) {
		struct retry r = {cases[_i].failures, cases[_i].first_ms};
		guint64 ms = retry_next(&r, why, cases[_i].poll);

		least = MIN(least, ms);
		most = MAX(most, ms);
		ck_assert_uint_eq(r.failures, why ? cases[_i].failures + 1 : 0);
	}
	ck_assert_msg(least >= cases[_i].usual * (100 - RETRY_JITTER) / 100,
		      "%s", cases[_i].name);
	ck_assert_msg(most <= cases[_i].usual * (100 + RETRY_JITTER) / 100 + 1,
		      "%s", cases[_i].name);
	ck_assert_msg(least < most, "%s: always the same", cases[_i].name);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("retry");
	TCase *tc = tcase_create("retry");

	tcase_add_loop_test(tc, each_wait_is_near_its_usual_one, 0,
			    G_N_ELEMENTS(cases));
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
