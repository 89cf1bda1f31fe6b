/* test_items.c - reports to items: ids, states by what mail says, finding,
 * and the same answer for any order of arrival and after a rebuild */
#include "db/items.h"

#include "tests/db/support.h"

#define CULPRIT "882f9ba557eb0a056e529b6326e2739bc930d18a"
#define OTHER	"182a2d868c542b00379443cca92f810330b73430"
#define REPORT	"202001101609.2c8c0628-lkp@intel.com"
#define DAY1	1577836800 /* 2020-01-01 */

#define ROBOT	 "kernel test robot <lkp@intel.com>"
#define AUTHOR	 "Mara Lindqvist <mara@example.org>"
#define REVIEWER "Tomas Okafor <tomas@example.org>"
#define TESTER	 "Wen Tangaro <wen@example.org>"

#define DIFF                                                          \
	"---\n fs/x.c | 2 +-\n 1 file changed, 1 insertion(+), "      \
	"1 deletion(-)\n\ndiff --git a/fs/x.c b/fs/x.c\n"             \
	"index 1111111..2222222 100644\n--- a/fs/x.c\n+++ b/fs/x.c\n" \
	"@@ -1,3 +1,3 @@ int x(void)\n a\n-b\n+c\n d\n"
#define SIGNED "Signed-off-by: Mara Lindqvist <mara@example.org>\n"

/* A mail of some day of January 2020. */
struct letter {
	const char *id, *from, *subject, *reply_to;
	int day;
	const char *body;
};

static GBytes *letter_bytes(const struct letter *l)
{
	GString *s = g_string_new(NULL);
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(
		DAY1 + (gint64)(l->day - 1) * DAY);
	g_autofree char *date = g_date_time_format(t, "%a, %d %b %Y %T +0000");

	g_string_printf(s, "From: %s\nMessage-ID: <%s>\n", l->from, l->id);
	if (l->reply_to)
		g_string_append_printf(s,
				       "In-Reply-To: <%s>\nReferences: <%s>\n",
				       l->reply_to, l->reply_to);
	g_string_append_printf(s, "Subject: %s\nDate: %s\n\n%s", l->subject,
			       date, l->body);
	return g_string_free_to_bytes(s);
}

static void put_letter(store *st, const struct letter *l)
{
	struct add a = {.bytes = letter_bytes(l),
			.kind = "mbox",
			.place = "/mail/box",
			.list = LIST};

	run(st, add_in, &a);
	g_bytes_unref(a.bytes);
}

/* ---- letters */

#define REPORT_BODY(word, commit, title)                                   \
	"Hello,\n\nkernel test robot noticed a -33.7% " word               \
	" of aim7.jobs-per-min on:\n\n\ncommit: " commit " (\"" title      \
	"\")\nhttps://git.example.org/linux.git master\n\n"                \
	"testcase: aim7\ntest machine: 48 threads (Old Bridge) with 64G "  \
	"memory\nparameters:\n\n\tdisk: 1BRD_48G\n\tfs: examplefs\n\n\n"   \
	"If you fix the issue in a separate patch/commit (i.e. not just a" \
	" new version of\nthe same patch/commit), kindly add following "   \
	"tags\n| Reported-by: kernel test robot <lkp@intel.com>\n"         \
	"| Closes: https://lore.kernel.org/oe-lkp/" REPORT "\n\n\n"        \
	"Details are as below:\n"

static const struct letter report = {
	REPORT,
	ROBOT,
	"[fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	NULL,
	10,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice")};
static const struct letter improvement = {
	REPORT,
	ROBOT,
	"[fs]  882f9ba557:  aim7.jobs-per-min -33.7% improvement",
	NULL,
	10,
	REPORT_BODY("improvement", CULPRIT, "fs: write it twice")};
/* the same report, as an answer to the patch that it is about */
static const struct letter answer = {
	REPORT,
	ROBOT,
	"Re: [PATCH 2/2] fs: write it twice",
	"p2@x",
	10,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice")};
static const struct letter second = {
	"second@intel.com",
	ROBOT,
	"[fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	NULL,
	12,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice")};

static const struct letter cover = {
	"p0@x", AUTHOR, "[PATCH 0/2] fs: faster",
	NULL,	5,	"Two patches.\n\n 1 file changed, 2 insertions(+)\n"};
static const struct letter patch1 = {"p1@x", AUTHOR, "[PATCH 1/2] fs: first",
				     "p0@x", 5,	     "One.\n\n" SIGNED DIFF};
static const struct letter patch2 = {
	"p2@x", AUTHOR, "[PATCH 2/2] fs: write it twice",
	"p0@x", 5,	"Two.\n\n" SIGNED DIFF};
static const struct letter patch2_v2 = {
	"p2v2@x", AUTHOR, "[PATCH v2 2/2] fs: write it twice",
	"p0@x",	  12,	  "Two.\n\n" SIGNED DIFF};
static const struct letter sibling = {
	"s1@x", REVIEWER, "[PATCH] fs: something else",
	"p1@x", 12,	  "Unrelated.\n\n" SIGNED DIFF};

static const struct letter reply = {
	"r1@x", AUTHOR, "Re: [fs] 882f9ba557: aim7",
	REPORT, 11,	"> noticed\n\nI will look.\n"};
static const struct letter fix_below = {
	"f1@x", AUTHOR, "[PATCH] fs: write it once",
	REPORT, 12,	"Repairs it.\n\n" SIGNED DIFF};
static const struct letter fix_inline = {
	"f5@x", AUTHOR, "Re: [fs] 882f9ba557: aim7",
	REPORT, 12,	"Can you try this?\n\n" DIFF};
static const struct letter fix_fixes = {
	"f2@x",
	AUTHOR,
	"[PATCH] fs: write it once",
	NULL,
	12,
	"Repairs it.\n\nFixes: 882f9ba557eb (\"fs: write it twice\")\n" SIGNED
		DIFF};
static const struct letter fix_early = {
	"f3@x",
	AUTHOR,
	"[PATCH] fs: write it once",
	NULL,
	8,
	"Repairs it.\n\nFixes: 882f9ba557eb (\"fs: write it twice\")\n" SIGNED
		DIFF};
static const struct letter fix_other = {
	"f4@x",
	AUTHOR,
	"[PATCH] fs: something",
	NULL,
	12,
	"Repairs it.\n\nFixes: 882f9ba557ff (\"fs: another\")\n" SIGNED DIFF};
static const struct letter fix_closes = {
	"f6@x",
	AUTHOR,
	"[PATCH] fs: write it once",
	NULL,
	12,
	"Repairs it.\n\nReported-by: kernel test robot <lkp@intel.com>\n"
	"Closes: https://lore.kernel.org/oe-lkp/" REPORT "\n" SIGNED DIFF};
static const struct letter fix_link = {
	"f7@x",
	AUTHOR,
	"[PATCH] fs: write it once",
	NULL,
	12,
	"Repairs it.\n\nLink: https://lore.kernel.org/r/" REPORT
	"\n" SIGNED DIFF};
static const struct letter fix_closes_v2 = {
	"f8@x",
	AUTHOR,
	"[PATCH v2] fs: write it once",
	NULL,
	14,
	"Repairs it.\n\nCloses: https://lore.kernel.org/oe-lkp/" REPORT
	"\n" SIGNED DIFF};
static const struct letter fix_tested_v2 = {
	"f9@x",
	AUTHOR,
	"[PATCH v2] fs: write it once",
	NULL,
	14,
	"Repairs it.\n\nTested-by: Wen Tangaro <wen@example.org>\n"
	"Closes: https://lore.kernel.org/oe-lkp/" REPORT "\n" SIGNED DIFF};
static const struct letter fix_cover = {
	"c0@x", AUTHOR, "[PATCH 0/1] fs: repair",
	NULL,	12,	"A series.\n\n 1 file changed, 1 insertion(+)\n"};
static const struct letter fix_in_series = {
	"c1@x",
	AUTHOR,
	"[PATCH 1/1] fs: write it once",
	"c0@x",
	12,
	"Repairs it.\n\nCloses: https://lore.kernel.org/oe-lkp/" REPORT
	"\n" SIGNED DIFF};

#define TEST_OF(name, to, from, text)                                      \
	static const struct letter name = {"t-" to, from, "Re: [PATCH] x", \
					   to,	    13,	  text}
TEST_OF(tested_below, "f1@x", TESTER,
	"Works.\n\nTested-by: Wen Tangaro <wen@example.org>\n");
TEST_OF(tested_closes, "f6@x", TESTER,
	"Works.\n\nTested-by: kernel test robot <lkp@intel.com>\n");
TEST_OF(tested_by_author, "f6@x", AUTHOR,
	"Works.\n\nTested-by: Mara Lindqvist <mara@example.org>\n");
TEST_OF(tested_quoted, "f6@x", REVIEWER,
	"> Tested-by: Wen Tangaro <wen@example.org>\n\nIs that so?\n");
TEST_OF(tested_cover, "c0@x", TESTER,
	"All good.\n\nTested-by: Wen Tangaro <wen@example.org>\n");
TEST_OF(tested_sibling, "p1@x", TESTER,
	"Works.\n\nTested-by: Wen Tangaro <wen@example.org>\n");
TEST_OF(reviewed, "f2@x", REVIEWER,
	"Fine.\n\nReviewed-by: Tomas Okafor <tomas@example.org>\n");

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

	tcase_set_timeout(tc, TEST_TIMEOUT);
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
