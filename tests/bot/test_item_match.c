/* test_item_match.c - queries over items: what matches, what is refused */
#include <math.h>
#include <string.h>

#include "bot/item_match.h"

#include "tests/test.h"

#define NOW 1706745600 /* 2024-02-01 */

static char *copy(const char *text)
{
	return g_strdup(text);
}

static struct item *make(const char *id, enum report_direction direction,
			 const char *state, double change)
{
	struct item *i = item_new();

	i->id = copy(id);
	i->mid = g_strconcat("report-", id, "@example.org", NULL);
	i->direction = direction;
	i->open = direction != REPORT_IMPROVEMENT;
	i->state = state;
	i->change_percent = change;
	g_ptr_array_set_free_func(i->fixes, NULL);
	g_ptr_array_set_free_func(i->events, NULL);
	g_ptr_array_set_free_func(i->people, NULL);
	return i;
}

static void add_rerun(struct item *i, enum verdict verdict, gboolean headline,
		      guint base, guint candidate)
{
	struct rerun *r = g_new0(struct rerun, 1);

	r->headline = headline;
	r->judgement.verdict = verdict;
	r->judgement.notes = g_ptr_array_new();
	r->assumptions = g_ptr_array_new();
	r->runs[0] = base;
	r->runs[2] = candidate;
	g_ptr_array_add(i->reruns, r);
}

static GPtrArray *items;
static struct item_fix fix = {.mid = (char *)"fix-1@example.org",
			      .subject = (char *)"examplefs: write it once"};
static struct item_person person = {.name = (char *)"Mara Lindqvist",
				    .address = (char *)"mara@example.org"};

static struct item_fix_tree in = {.name = (char *)"linux", .present = 1};
static struct item_fix_tree not_in = {.name = (char *)"stable-6.1"};
static struct item_fix_tree unseen = {.name = (char *)"next", .present = -1};

static GPtrArray *make_trees(void)
{
	GPtrArray *trees = g_ptr_array_new();

	g_ptr_array_add(trees, &in);
	g_ptr_array_add(trees, &not_in);
	g_ptr_array_add(trees, &unseen);
	return trees;
}

static void setup(void)
{
	struct item *a = make("202401-aaaaaaaaaa", REPORT_REGRESSION,
			      "fix-posted", -33.7);
	struct item *b =
		make("202402-bbbbbbbbbb", REPORT_REGRESSION, "bisected", 12.5);
	struct item *c =
		make("202403-cccccccccc", REPORT_IMPROVEMENT, "bisected", NAN);

	a->title = copy("aim7.jobs-per-min -33.7% on aim7/lkp-a");
	a->metric = copy("aim7.jobs-per-min");
	a->testcase = copy("aim7");
	a->machine = copy("lkp-a, 48 threads");
	a->commit = copy("882f9ba557eb0a056e529b6326e2739bc930d18a");
	a->commit_subject = copy("examplefs: always write the log head");
	a->subject = copy("[examplefs] 882f9ba557: aim7 regression");
	a->reported = 1705478400; /* 2024-01-17T08:00 */
	a->robot = b->robot = TRUE;
	a->category = REPORT_PERFORMANCE;
	b->category = REPORT_FUNCTIONAL;
	a->stalled = TRUE;
	a->inconsistent = TRUE;
	a->range = copy("v6.2..v6.3-rc2");
	b->range = copy("v6.4-rc1");
	c->range = copy("v6.3..");
	a->series_key = copy("8f7204588319a365");
	a->waiting.role = "maintainer";
	a->waiting.person = copy("Wilma Wait <wilma@example.org>");
	g_ptr_array_add(a->subsystems, copy("EXAMPLE FILE SYSTEM"));
	g_ptr_array_add(b->subsystems, copy("OTHER FILE SYSTEM"));
	g_ptr_array_add(b->lists, copy("linux-other.lists.example.org"));
	g_ptr_array_add(c->lists, copy("linux-third"));
	b->describe = copy("v6.4-rc1");
	fix.trees = make_trees();
	add_rerun(a, VERDICT_RECOVERED, TRUE, 3, 5);
	add_rerun(b, VERDICT_NOT_RECOVERED, TRUE, 10, 12);
	add_rerun(c, VERDICT_RECOVERED, FALSE, 4, 4);
	g_ptr_array_add(a->parameters, copy("fs: examplefs"));
	g_ptr_array_add(a->parameters, copy("nr_threads: 100%"));
	g_ptr_array_add(a->fixes, &fix);
	g_ptr_array_add(a->people, &person);
	b->title = copy("fio.write_iops +12.5% on fio/lkp-b");
	b->metric = copy("fio.write_iops");
	b->testcase = copy("fio");
	b->machine = copy("lkp-b");
	b->commit = copy("182a2d868c540000000000000000000000000000");
	b->subject = copy("[otherfs] 182a2d868c: Fio \xc3\x84nderung");
	b->reported = 1706659200; /* 2024-01-31T00:00 */
	c->title = copy("will-it-scale.ops on will-it-scale");
	c->subject = copy("[x] y");
	items = g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_ptr_array_add(items, a);
	g_ptr_array_add(items, b);
	g_ptr_array_add(items, c);
}

static void teardown(void)
{
	g_clear_pointer(&fix.trees, g_ptr_array_unref);
	g_clear_pointer(&items, g_ptr_array_unref);
}

/* Which of the items a, b, c a query means. */
static const struct {
	const char *query, *expected;
} found[] = {
	{"", "abc"},
	{"is:open", "ab"},
	{"person:me", "a"},
	{"person:ME wait:maintainer", "a"},
	{"person:\"me\"", ""},
	{"is:closed", "c"},
	{"is:improvement", "c"},
	{"is:regression", "ab"},
	{"is:performance", "a"},
	{"is:perf", "a"},
	{"is:func", "b"},
	{"is:functional is:improvement", "bc"},
	{"is:stalled", "a"},
	{"tree:linux=yes", "a"},
	{"tree:Linux=no", ""},
	{"tree:stable-6.1=no", "a"},
	{"tree:stable-6.1=yes", ""},
	{"tree:next=yes OR tree:next=no", ""},
	{"tree:other=no", ""},
	{"is:backburner", ""},
	{"is:inconsistent", "a"},
	{"is:verified", "a"},
	{"verdict:not-recovered", "b"},
	{"verdict:recovered", "a"},
	{"verdict:partial", ""},
	{"runs:>=5", "b"},
	{"runs:3", "a"},
	{"runs:..10", "ab"},
	{"age:>14d", "a"},
	{"age:<=14d", "b"},
	{"age:1d..2w", "b"},
	{"age:1d", "b"},
	{"age:14d", "a"},
	{"age:15d", ""},
	{"sub:example", "a"},
	{"sub:\"file system\"", "ab"},
	{"sub:example sub:other", "ab"},
	{"sub:example AND sub:other", ""},
	{"list:linux-other", "b"},
	{"list:other list:third", "bc"},
	{"l:linux*", "bc"},
	{"wait:maintainer", "a"},
	{"person:wilma", "a"},
	{"series:8f72*", "a"},
	{"introduced:v6.2..v6.3", "a"},
	{"introduced:v6.1..v6.3", "a"},
	{"introduced:v6.2..", "abc"},
	{"introduced:v6.3..", "bc"},
	{"introduced:..v6.3", "a"},
	{"introduced:v6.3", "a"},
	{"introduced:v6.3-rc2", "a"},
	{"introduced:v6.3-rc1", ""},
	{"introduced:v6.4", "b"},
	{"introduced:v6.4-rc1..", ""},
	{"is:bisected", "bc"},
	{"is:improvement is:fix-posted", "ac"},
	{"is:open AND is:bisected", "b"},
	{"is:open -is:bisected", "a"},
	{"NOT is:open", "c"},
	{"state:fix-posted", "a"},
	{"state:bisected state:fix-posted", "abc"},
	{"s:jobs-per-min", "a"},
	{"s:FIO", "b"},
	{"s:\"\xc3\xa4nderung\"", "b"},
	{"metric:fio.write_iops", "b"},
	{"metric:aim7*", "a"},
	{"metric:jobs*", "a"},
	{"metric:obs*", ""},
	{"metric:/^fio\\.w/", "b"},
	{"machine:lkp-a", "a"},
	{"machine:lkp", "ab"},
	{"test:fio", "b"},
	{"test:examplefs", "a"},
	{"param.fs:examplefs", "a"},
	{"param.fs:100", ""},
	{"param.nr_threads:100%", "a"},
	{"culprit:882f9ba", "a"},
	{"culprit:882F9BA557EB", "a"},
	{"culprit:882f9ba557eb0a056e529b6326e2739bc930d18a", "a"},
	{"culprit:f9ba557", ""},
	{"culprit:\"log head\"", "a"},
	{"fix:once", "a"},
	{"fix:fix-1@example.org", "a"},
	{"person:mara", "a"},
	{"m:report-202402-bbbbbbbbbb@example.org", "b"},
	{"202403-cccccccccc", "c"},
	{"lindqvist", "a"},
	{"fio OR will-it-scale", "bc"},
	{"(fio OR aim7) is:bisected", "b"},
	{"change:>0", "b"},
	{"change:<-10", "a"},
	{"change:>=12.5", "b"},
	{"change:5..20", "b"},
	{"change:..0", "a"},
	{"change:-33.7", "a"},
	{"d:2024-01-17", "a"},
	{"d:2024-01-18..", "b"},
	{"d:..2024-01-30", "a"},
	{"d:..2024-01-31", "ab"},
	{"d:7d..", "b"},
	{"nothing", ""},
};

START_TEST(queries_find)
{
	for (gsize n = 0; n < G_N_ELEMENTS(found); n++) {
		g_autoptr(GError) err = NULL;
		g_autoptr(GPtrArray) hits =
			items_matching(NULL, items, found[n].query, NOW,
				       "wilma@example.org", &err);
		g_autoptr(GString) got = g_string_new(NULL);

		ck_assert_msg(hits != NULL, "%s: %s", found[n].query,
			      err ? err->message : "");
		for (guint k = 0; k < hits->len; k++) {
			const struct item *i = hits->pdata[k];

			g_string_append_c(got, i->id[7]);
		}
		ck_assert_msg(!strcmp(got->str, found[n].expected),
			      "%s: found \"%s\" for \"%s\"", found[n].query,
			      got->str, found[n].expected);
	}
}
END_TEST

static const struct {
	const char *query;
	int column;
	const char *part;
} refused[] = {
	{"is:opne", 1, "expected one of open, closed"},
	{"aim7 is:opne", 6, "expected one of open"},
	{"state:open", 1, "expected one of reported"},
	{"b:text", 1, "not known of items"},
	{"fio OR (aim7 dfn:fs/x.c)", 14, "not known of items"},
	{"nosuch:x", 1, "unknown prefix"},
	{"change:big", 1, "a number was expected"},
	{"change:>big", 1, "a number was expected"},
	{"change:nan..5", 1, "a number was expected"},
	{"change:>1e999", 1, "a number was expected"},
	{"runs:many", 1, "a number was expected"},
	{"age:>5", 1, "a span of time was expected"},
	{"age:old", 1, "a span of time was expected"},
	{"is:open age:1d..x", 9, "a span of time was expected"},
	{"tree:linux=maybe", 1, "the name of a tree with =yes"},
	{"tree:=yes", 1, "the name of a tree with =yes"},
	{"verdict:good", 1, "expected one of recovered"},
	{"introduced:nonsense", 1, "a tag or two were expected"},
	{"introduced:v6.1..x", 1, "a tag or two were expected"},
	{"metric:/(/", 1, "metric: "},
	{"change:20..5", 1, "ends before it begins"},
	{"age:2w..7d", 1, "ends before it begins"},
	{"change:..", 1, "a range from or to"},
	{"introduced:..", 1, "a tag or two were expected"},
	{"wait:nobody", 1, "expected one of addressee, assignee"},
	{"(is:open", 9, ""},
};

START_TEST(mistakes_name_the_column)
{
	for (gsize n = 0; n < G_N_ELEMENTS(refused); n++) {
		g_autoptr(GError) err = NULL;
		GPtrArray *hits = items_matching(NULL, items, refused[n].query,
						 NOW, NULL, &err);

		ck_assert_msg(!hits, "%s: accepted", refused[n].query);
		ck_assert(err->domain == QUERY_ERROR);
		ck_assert_msg(err->code == refused[n].column, "%s: column %d",
			      refused[n].query, err->code);
		ck_assert_msg(strstr(err->message, refused[n].part) != NULL,
			      "%s: %s", refused[n].query, err->message);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("item_match");
	TCase *tc = tcase_create("queries");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, queries_find);
	tcase_add_test(tc, mistakes_name_the_column);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
