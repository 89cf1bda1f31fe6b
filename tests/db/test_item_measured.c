/* test_item_measured.c - what measurements make of a fix and of a report: a
 * part of the repair, a change that is not there, whose turn it is then */
#include "db/items.h"

#include "tests/db/measure_letters.h"

#define TWICE_ROW(to) COLUMNS_2 "    117419" to "        aim7.jobs-per-min\n"

static const struct letter partly =
	RERUN("partly@x", 12, "lkp-a",
	      COLUMNS_3
	      "    117419           -33.7%      77863           -15.7%"
	      "      99000        aim7.jobs-per-min\n");
static const struct letter not_there =
	RERUN("not@x", 12, "lkp-a", TWICE_ROW("            -0.1%     117300"));
static const struct letter reopened = {
	"reopened@x",
	TESTER,
	"Re: [fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	REPORT,
	13,
	"#regzbot reopen: it is there"};

static const struct {
	const char *name;
	const struct letter *letters[5];
	const char *state, *role; /* of the only fix; NULL: none */
	const char *waits, *reason, *disputed;
} cases[] = {
	{"a part of it is back",
	 {&measured, &fix_titled, &partly},
	 "rerun-failed",
	 "partial",
	 "fix-author",
	 "a rerun shows that the fix repairs a part only",
	 NULL},
	{"a part, then all of it",
	 {&measured, &fix_titled, &partly, &rerun_good},
	 "fix-tested",
	 "fix",
	 "maintainer",
	 "the fix works and is not applied",
	 NULL},
	{"a part, then nothing",
	 {&measured, &fix_titled, &partly, &rerun_bad},
	 "rerun-failed",
	 "fix",
	 "fix-author",
	 "a rerun shows that the fix does not work",
	 NULL},
	{"it is not there",
	 {&measured, &not_there},
	 "bisected",
	 NULL,
	 "reporter",
	 "measured again, and it did not show",
	 "not@x"},
	{"it is there after all",
	 {&measured, &not_there, &rerun_again},
	 "bisected",
	 NULL,
	 "maintainer",
	 "no fix is known",
	 NULL},
	{"somebody opens it again",
	 {&measured, &not_there, &reopened},
	 "bisected",
	 NULL,
	 "maintainer",
	 "no fix is known",
	 NULL},
	{"a fix settles that",
	 {&measured, &not_there, &fix_titled_v2},
	 "fix-posted",
	 "fix",
	 "reporter",
	 "a fix is posted and was not measured",
	 NULL},
};

static void check(gsize n, const struct item *i)
{
	const struct item_fix *fix = i->fixes->len ? i->fixes->pdata[0] : NULL;

	ck_assert_msg(!strcmp(i->state, cases[n].state), "%s: %s",
		      cases[n].name, i->state);
	ck_assert_msg(!g_strcmp0(fix ? fix->role : NULL, cases[n].role),
		      "%s: %s", cases[n].name, fix ? fix->role : "no fix");
	ck_assert_msg(!g_strcmp0(i->waiting.role, cases[n].waits) &&
			      !g_strcmp0(i->waiting.reason, cases[n].reason),
		      "%s: %s, %s", cases[n].name, i->waiting.role,
		      i->waiting.reason);
	ck_assert_msg(!g_strcmp0(i->disputed.mid, cases[n].disputed), "%s: %s",
		      cases[n].name, i->disputed.mid);
}

START_TEST(what_follows)
{
	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GError) err = NULL;
		g_autoptr(GPtrArray) items = NULL, again = NULL;

		/* the latest first: the order decides nothing */
		for (gsize k = G_N_ELEMENTS(cases[n].letters); k-- > 0;)
			if (cases[n].letters[k])
				put_letter(st, cases[n].letters[k]);
		items = items_load(st, &err);
		must(items && items->len == 1, err);
		check(n, items->pdata[0]);
		must(archive_rebuild(st, NULL, NULL, &err), err);
		again = items_load(st, &err);
		must(again && again->len == 1, err);
		check(n, again->pdata[0]);
	}
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("item_measured");
	TCase *t = tcase_create("item_measured");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, what_follows);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
