/* test_report_direction.c - which way of an unknown metric is better: what a
 * robot calls it */
#include "mail/reading.h"

#include "tests/test.h"

static const char report[] =
	"From: kernel test robot <lkp@intel.com>\n"
	"Message-ID: <202001101609.2c8c0628-lkp@intel.com>\n"
	"Subject: [fs]  882f9ba557:  odd-bench.glorps %s%% %s\n"
	"Date: Fri, 10 Jan 2020 16:09:00 +0800\n\n"
	"kernel test robot noticed a %s%% %s of odd-bench.glorps on:\n\n"
	"commit: 882f9ba557eb0a056e529b6326e2739bc930d18a (\"fs: x\")\n"
	"https://git.example.org/linux.git master\n\ntestcase: odd-bench\n\n"
	"ec96b2138f25b3d6 882f9ba557eb0a056e529b6326e \n"
	"---------------- --------------------------- \n"
	"         %%stddev     %%change         %%stddev\n"
	"             \\          |                \\  \n"
	"    100000           %s%%     %s        odd-bench.glorps\n";

static const struct {
	const char *change, *word, *value;
	enum metric_direction direction;
} cases[] = {
	{"-20.0", "regression", " 80000", METRIC_HIGHER},
	{"+20.0", "regression", "120000", METRIC_LOWER},
	{"+20.0", "improvement", "120000", METRIC_HIGHER},
	{"-20.0", "improvement", " 80000", METRIC_LOWER},
};

START_TEST(by_the_word)
{
	g_autofree char *text =
		g_strdup_printf(report, cases[_i].change, cases[_i].word,
				cases[_i].change, cases[_i].word,
				cases[_i].change, cases[_i].value);
	g_autoptr(GBytes) raw = g_bytes_new(text, strlen(text));
	g_autoptr(GError) err = NULL;
	g_autoptr(message) msg = message_parse(raw, 0, &err);
	g_autoptr(reading_auto) r = reading_new(msg);
	const struct table *t;

	ck_assert_ptr_nonnull(r->report);
	ck_assert_uint_eq(r->tables->len, 1);
	t = r->tables->pdata[0];
	ck_assert_int_eq(table_row(t, 0)->direction, cases[_i].direction);
	ck_assert_uint_eq(t->findings->len, 0);
}
END_TEST

static Suite *suite(void)
{
	TCase *c = tcase_create("report_direction");
	Suite *s = suite_create("report_direction");

	tcase_add_loop_test(c, by_the_word, 0, G_N_ELEMENTS(cases));
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
