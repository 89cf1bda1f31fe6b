/* test_item_history.c - what other reports of a series say of a report */
#include <math.h>

#include "db/items.h"

#include "tests/db/measure_letters.h"
#include "tests/db/support.h"

#define BETTER "6e3688e66f2f8c7d1a5b0e94c3d2a17f60b85e9d"
#define TWICE  "40b77b3e82d1c6f5a09e8b7d6c5f4a3b2e1d0c9f"

#define TABLE(machine, first, second, row)                \
	AXES(machine)                                     \
	"commit: \n  " first " (\"fs: one\")\n  " second  \
	" (\"fs: two\")\n\n" first " " second "\n"        \
	"---------------- --------------------------- \n" \
	"         %stddev     %change         %stddev\n"  \
	"             \\          |                \\  \n" row

/* the change is undone a week later */
static const struct letter better = {
	"better@intel.com",
	ROBOT,
	"[fs]  6e3688e66f:  aim7.jobs-per-min +50.0% improvement",
	NULL,
	17,
	"kernel test robot noticed a 49.3% improvement of aim7.jobs-per-min "
	"on:\n\ncommit: " BETTER " (\"fs: once again\")\n"
	"https://git.example.org/linux.git master\n\ntestcase: aim7\n\n" TABLE(
		"lkp-a", "77863aaaa0a1b2c3", "6e3688e66f2f8c7d1a5b0e94c3d",
		"     77863           +49.3%     116232        "
		"aim7.jobs-per-min\n")};
/* the same change, led back to another commit */
static const struct letter twice = {
	"twice@intel.com",
	ROBOT,
	"[fs]  40b77b3e82:  aim7.jobs-per-min -33.2% regression",
	NULL,
	20,
	REPORT_BODY("regression", TWICE, "fs: something else")
		TABLE("lkp-a", "11111aaaa0a1b2c3",
		      "40b77b3e82d1c6f5a09e8b7d6c5",
		      "    117500           -33.5%      78138        "
		      "aim7.jobs-per-min\n")};
/* the same commit, from another tree and on another machine */
static const struct letter again = {
	"again@intel.com",
	ROBOT,
	"[linus:master] [fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	NULL,
	22,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice") AXES("lkp-a")
		COLUMNS_2
	"    117420           -33.7%      77864        aim7.jobs-per-min\n"};
static const struct letter elsewhere = {
	"machine@intel.com",
	ROBOT,
	"[fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	NULL,
	23,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice") AXES("lkp-b")
		COLUMNS_2
	"    217420           -33.7%     144149        aim7.jobs-per-min\n"};

static const struct letter *const letters[] = {&measured, &better, &twice,
					       &again, &elsewhere};
#define LETTERS G_N_ELEMENTS(letters)

static char *history_of(store *st, const char *mid)
{
	g_autoptr(GError) err = NULL;
	gboolean many;
	g_autoptr(item_auto) i = item_find(st, mid, &many, &err);
	GString *out = g_string_new(NULL);

	must(i != NULL, err);
	g_string_printf(out, "%u/%u", i->series_number, i->series_count);
	for (guint n = 0; n < i->relations->len; n++) {
		const struct item_relation *o = i->relations->pdata[n];

		g_string_append_printf(out, " %s:%s",
				       item_relation_name(o->kind), o->mid);
		if (!isnan(o->ratio))
			g_string_append_printf(out, ":%.2f", o->ratio);
	}
	return g_string_free(out, FALSE);
}

static const struct {
	const char *mid, *history;
} cases[] = {
	{REPORT, "1/4 cancels:better@intel.com:0.97"
		 " bisected-twice:twice@intel.com"
		 " same-report:again@intel.com same-commit:machine@intel.com"},
	{"better@intel.com", "2/4 cancels:" REPORT ":0.97"
			     " cancels:twice@intel.com:0.99"
			     " cancels:again@intel.com:1.00"},
	{"twice@intel.com",
	 "3/4 bisected-twice:" REPORT " cancels:better@intel.com:0.99"
	 " bisected-twice:again@intel.com"},
	{"machine@intel.com",
	 "1/1 same-commit:" REPORT " same-commit:again@intel.com"},
};

START_TEST(told_in_any_order)
{
	g_autoptr(store) there = open_memory(), back = open_memory();

	for (guint n = 0; n < LETTERS; n++) {
		put_letter(there, letters[n]);
		put_letter(back, letters[LETTERS - 1 - n]);
	}
	for (guint n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autofree char *a = history_of(there, cases[n].mid);
		g_autofree char *b = history_of(back, cases[n].mid);

		ck_assert_str_eq(a, cases[n].history);
		ck_assert_str_eq(b, cases[n].history);
	}
}
END_TEST

static Suite *suite(void)
{
	TCase *c = tcase_create("item_history");
	Suite *s = suite_create("item_history");

	tcase_add_test(c, told_in_any_order);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
