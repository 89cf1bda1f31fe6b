/* test_items.c - reports to items: ids, states by what mail says, finding,
 * and the same answer for any order of arrival and after a rebuild */
#include "db/items.h"

#include "tests/db/item_letters.h"
#include "tests/db/measure_letters.h"
#include "tests/db/support.h"

#define LETTERS 8
static const struct {
	const char *name;
	const struct letter *letters[LETTERS];
	const char *state;
	const char *fixes; /* "mid status evidence" of each, by ';' */
} cases[] = {
	{"a report alone", {&report}, "bisected", ""},
	{"an answer in words", {&report, &reply}, "bisected", ""},
	{"a patch answers it",
	 {&report, &fix_below},
	 "fix-posted",
	 "f1@x posted thread"},
	{"a diff in an answer",
	 {&report, &fix_inline},
	 "fix-posted",
	 "f5@x posted thread"},
	{"a patch names the culprit",
	 {&report, &fix_fixes},
	 "fix-posted",
	 "f2@x posted fixes"},
	{"it was posted before the report",
	 {&report, &fix_early},
	 "bisected",
	 ""},
	{"it names another commit", {&report, &fix_other}, "bisected", ""},
	{"a patch closes the report",
	 {&report, &fix_closes},
	 "fix-posted",
	 "f6@x posted closes"},
	{"a patch links the report",
	 {&report, &fix_link},
	 "fix-posted",
	 "f7@x posted link"},
	{"two versions are one fix",
	 {&report, &fix_closes, &fix_closes_v2},
	 "fix-posted",
	 "f8@x posted closes"},
	{"reviewed only",
	 {&report, &fix_fixes, &reviewed},
	 "fix-posted",
	 "f2@x reviewed fixes"},
	{"tested in the report's thread",
	 {&report, &fix_below, &tested_below},
	 "fix-tested",
	 "f1@x tested thread"},
	{"tested elsewhere",
	 {&report, &fix_closes, &tested_closes},
	 "fix-tested",
	 "f6@x tested closes"},
	{"the old version was tested",
	 {&report, &fix_closes, &tested_closes, &fix_closes_v2},
	 "fix-tested",
	 "f8@x tested closes"},
	{"the new version says it was tested",
	 {&report, &fix_closes, &fix_tested_v2},
	 "fix-tested",
	 "f9@x tested closes"},
	{"tested by its author",
	 {&report, &fix_closes, &tested_by_author},
	 "fix-posted",
	 "f6@x posted closes"},
	{"a quoted tag",
	 {&report, &fix_closes, &tested_quoted},
	 "fix-posted",
	 "f6@x posted closes"},
	{"the series was tested",
	 {&report, &fix_cover, &fix_in_series, &tested_cover},
	 "fix-tested",
	 "c1@x tested closes"},
	{"it answers a series",
	 {&cover, &patch1, &patch2, &answer},
	 "bisected",
	 ""},
	{"another patch was tested",
	 {&cover, &patch1, &patch2, &answer, &tested_sibling},
	 "bisected",
	 ""},
	{"an unrelated patch beside it",
	 {&cover, &patch1, &patch2, &answer, &sibling},
	 "bisected",
	 ""},
	{"the reported patch once more",
	 {&cover, &patch1, &patch2, &answer, &patch2_v2},
	 "fix-posted",
	 "p2v2@x posted thread"},
	{"a rerun shows that the fix works",
	 {&measured, &fix_titled, &rerun_good},
	 "fix-tested",
	 "once@x tested thread"},
	{"a rerun shows that it does not",
	 {&measured, &fix_titled, &rerun_bad},
	 "rerun-failed",
	 "once@x posted thread"},
	{"words do not outrank numbers",
	 {&measured, &fix_titled, &rerun_bad, &tested_later},
	 "rerun-failed",
	 "once@x tested thread"},
	{"the next rerun shows that it does",
	 {&measured, &fix_titled, &rerun_bad, &rerun_good},
	 "fix-tested",
	 "once@x tested thread"},
	{"the next version is not measured yet",
	 {&measured, &fix_titled, &rerun_bad, &fix_titled_v2},
	 "fix-posted",
	 "once2@x posted thread"},
	{"measured on another machine",
	 {&measured, &fix_titled, &rerun_elsewhere},
	 "fix-posted",
	 "once@x posted thread"},
	{"a release is no fix",
	 {&measured, &fix_titled, &rerun_release},
	 "fix-posted",
	 "once@x posted thread"},
	{"measured before there is a fix",
	 {&measured, &rerun_bad},
	 "bisected",
	 ""},
	{"the change shows again",
	 {&measured, &fix_titled, &rerun_again},
	 "fix-posted",
	 "once@x posted thread"},
	{"an improvement needs no fix",
	 {&improvement, &fix_closes, &tested_closes},
	 "bisected",
	 ""},
};

static char *fixes_of(const struct item *i)
{
	GString *out = g_string_new(NULL);

	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		g_string_append_printf(out, "%s%s %s %s", n ? ";" : "",
				       fix->mid, fix->status, fix->evidence);
	}
	return g_string_free(out, FALSE);
}

/* All that can be seen of the items. */
static char *items_text(store *st)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) items = items_load(st, &err);
	GString *out = g_string_new(NULL);

	must(items != NULL, err);
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];
		g_autofree char *fixes = fixes_of(i);

		g_string_append_printf(out,
				       "%s %s %s %s %d %s %s %" G_GINT64_FORMAT
				       " %" G_GINT64_FORMAT " %u %s %s\n",
				       i->id, i->mid, i->thread_root, i->state,
				       i->open, i->title, i->commit,
				       i->reported, i->last_activity,
				       i->messages, i->author ? i->author : "-",
				       fixes);
		for (guint k = 0; k < i->events->len; k++) {
			const struct item_event *e = i->events->pdata[k];

			g_string_append_printf(out, "  %s %s %s\n", e->type,
					       e->by, e->mid);
		}
		for (guint k = 0; k < i->people->len; k++) {
			const struct item_person *p = i->people->pdata[k];

			g_string_append_printf(out, "  %s %s\n", p->role,
					       p->address);
		}
	}
	return g_string_free(out, FALSE);
}

static guint put_case(store *st, gsize n, const guint *order)
{
	guint count = 0;

	while (count < LETTERS && cases[n].letters[count])
		count++;
	for (guint k = 0; k < count; k++)
		put_letter(st, cases[n].letters[order ? order[k] : k]);
	return count;
}

START_TEST(states)
{
	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GError) err = NULL;
		g_autoptr(GPtrArray) items = NULL;
		g_autofree char *fixes = NULL;
		const struct item *i;

		put_case(st, n, NULL);
		items = items_load(st, &err);
		must(items != NULL, err);
		ck_assert_msg(items->len == 1, "%s: %u items", cases[n].name,
			      items->len);
		i = items->pdata[0];
		fixes = fixes_of(i);
		ck_assert_msg(!strcmp(i->state, cases[n].state), "%s: %s",
			      cases[n].name, i->state);
		ck_assert_msg(!strcmp(fixes, cases[n].fixes), "%s: %s",
			      cases[n].name, fixes);
		ck_assert_msg(i->open == (i->direction != REPORT_IMPROVEMENT),
			      "%s: open", cases[n].name);
	}
}
END_TEST

/* Reversed and shuffled arrival, then a rebuild: the same items. */
START_TEST(any_order_and_rebuilt)
{
	GRand *rand = g_rand_new_with_seed(7);

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autoptr(store) first = open_memory();
		guint count = put_case(first, n, NULL);
		g_autofree char *expected = items_text(first);
		g_autofree char *rebuilt = NULL;
		g_autoptr(GError) err = NULL;

		for (guint turn = 0; turn < 4; turn++) {
			g_autoptr(store) st = open_memory();
			guint order[LETTERS];
			g_autofree char *got = NULL;

			for (guint k = 0; k < count; k++)
				order[k] = count - 1 - k;
			for (guint k = count; turn && k > 1; k--) {
				guint other =
					(guint)g_rand_int_range(rand, 0,
								(gint32)k);
				guint swap = order[k - 1];

				order[k - 1] = order[other];
				order[other] = swap;
			}
			put_case(st, n, order);
			got = items_text(st);
			ck_assert_str_eq(got, expected);
		}
		must(archive_rebuild(first, NULL, NULL, &err), err);
		rebuilt = items_text(first);
		ck_assert_str_eq(rebuilt, expected);
	}
	g_rand_free(rand);
}
END_TEST

START_TEST(fields_of_a_report)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) items = NULL;
	const struct item *i;

	put_letter(st, &cover);
	put_letter(st, &patch2);
	put_letter(st, &answer);
	put_letter(st, &reply);
	items = items_load(st, &err);
	must(items != NULL && items->len == 1, err);
	i = items->pdata[0];
	ck_assert_str_eq(i->title, "aim7.jobs-per-min -33.7% on aim7/48 "
				   "threads (Old Bridge) with 64G memory");
	ck_assert_str_eq(i->commit, CULPRIT);
	ck_assert_str_eq(i->commit_subject, "fs: write it twice");
	ck_assert_str_eq(i->thread_root, "p0@x");
	ck_assert_str_eq(i->patch_mid, "p2@x");
	ck_assert_str_eq(i->author, "Mara Lindqvist <mara@example.org>");
	ck_assert_str_eq(i->reporter_name, "kernel test robot");
	ck_assert_uint_eq(i->messages, 4);
	ck_assert_int_eq(i->reported, DAY1 + 9 * DAY);
	ck_assert_int_eq(i->last_activity, DAY1 + 10 * DAY);
	ck_assert_uint_eq(i->parameters->len, 2);
	ck_assert_str_eq(i->parameters->pdata[1], "fs: examplefs");
	ck_assert_uint_eq(i->tags_offered->len, 2);
}
END_TEST

/* Made by sha256sum and base32. */
START_TEST(ids_of_mails)
{
	static const struct {
		const char *mid;
		gint64 date;
		guint more;
		const char *id;
	} ids[] = {
		{"202001101609.2c8c0628-lkp@intel.com", DAY1, 0,
		 "202001-w43s7iqt2r"},
		{"202001101609.2c8c0628-lkp@intel.com", DAY1, 2,
		 "202001-w43s7iqt2rud"},
		{"a@b", 951782400, 0, "200002-ouenrnibr2"},
		{"a@b", 0, 0, "000000-ouenrnibr2"},
		{"a@b", 951782400, 1000,
		 "200002-ouenrnibr2tebocsngdbueasapyme2iakvjgr2jqajo2zbclb42"},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(ids); n++) {
		g_autofree char *id =
			item_id(ids[n].mid, ids[n].date, ids[n].more);

		ck_assert_str_eq(id, ids[n].id);
	}
}
END_TEST

START_TEST(finding)
{
	g_autoptr(store) st = open_memory();
	g_autofree char *id = item_id(REPORT, report.day * DAY + DAY1 - DAY, 0);
	g_autofree char *page =
		g_strdup_printf("https://example.org/r/%s/", id);
	const char *const known[] = {
		id,
		page,
		REPORT,
		"<" REPORT ">",
		"https://lore.kernel.org/oe-lkp/" REPORT "/",
		"https://lore.kernel.org/r/" REPORT,
		"882f9ba",
		"882F9BA557EB",
		CULPRIT,
		"f2@x",
		"r1@x",
		"https://lore.kernel.org/all/r1@x/",
		"aim7.jobs-per-min -33.7% on aim7/48 threads (Old Bridge) "
		"with 64G memory",
	};
	static const char *const unknown[] = {"882f9b", OTHER,
					      "p1@x",	"",
					      "aim7",	"202001-aaaaaaaaaa"};

	put_letter(st, &report);
	put_letter(st, &reply);
	put_letter(st, &patch1);
	put_letter(st, &fix_fixes);
	for (gsize n = 0; n < G_N_ELEMENTS(known); n++) {
		gboolean many = TRUE;
		g_autoptr(GError) err = NULL;
		g_autoptr(item_auto) i = item_find(st, known[n], &many, &err);

		ck_assert_msg(i != NULL, "%s", known[n]);
		ck_assert_str_eq(i->mid, REPORT);
		ck_assert(!many);
	}
	for (gsize n = 0; n < G_N_ELEMENTS(unknown); n++) {
		gboolean many = TRUE;
		g_autoptr(GError) err = NULL;

		ck_assert_msg(!item_find(st, unknown[n], &many, &err), "%s",
			      unknown[n]);
		ck_assert(!err && !many);
	}
}
END_TEST

START_TEST(two_of_one_commit)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(item_auto) i = NULL;
	gboolean many = FALSE;

	put_letter(st, &report);
	put_letter(st, &second);
	ck_assert_ptr_null(item_find(st, "882f9ba557", &many, &err));
	ck_assert(many && !err);
	i = item_find(st, second.id, &many, &err);
	ck_assert(i && !many);
}
END_TEST

/* Newest activity first: an answer brings the older report to the top. */
START_TEST(order_of_items)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) items = NULL;

	put_letter(st, &second);
	put_letter(st, &report);
	put_letter(st, &fix_below);
	put_letter(st, &tested_below);
	items = items_load(st, &err);
	must(items != NULL && items->len == 2, err);
	ck_assert_str_eq(((struct item *)items->pdata[0])->mid, REPORT);
}
END_TEST

START_TEST(nothing_to_track)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) items = NULL;

	put_letter(st, &reply); /* the report itself is a ghost */
	put_letter(st, &patch1);
	items = items_load(st, &err);
	must(items != NULL, err);
	ck_assert_uint_eq(items->len, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("items");
	TCase *tc = tcase_create("items");

	tcase_add_test(tc, states);
	tcase_add_test(tc, any_order_and_rebuilt);
	tcase_add_test(tc, fields_of_a_report);
	tcase_add_test(tc, ids_of_mails);
	tcase_add_test(tc, finding);
	tcase_add_test(tc, two_of_one_commit);
	tcase_add_test(tc, order_of_items);
	tcase_add_test(tc, nothing_to_track);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
