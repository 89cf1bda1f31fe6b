/* test_quote.c - what an answer quotes, where marks stand, how our words go */
#include <string.h>

#include "mail/error.h"
#include "mail/quote.h"

#include "tests/test.h"

#define MAX_ANCHORS 3

struct example {
	const char *name;
	const char *parent;
	struct quote_anchor anchors[MAX_ANCHORS];
	const char *answer;
	gboolean spaced;
};

static const struct example examples[] = {
	{"a paragraph; greeting, thanks and signature are gone",
	 "Hello,\n\nDoes the slowdown still show on rc3? My box\n"
	 "is busy until Friday.\n\nThanks, Ida\n-- \nBrandt Systems\n",
	 {{3, 4, "Yes: -7.9% (5 runs)."}},
	 "> Does the slowdown still show on rc3? My box\n"
	 "> is busy until Friday.\n\nYes: -7.9% (5 runs).\n",
	 FALSE},
	{"one line of it brings the whole short paragraph",
	 "Does the slowdown still show on rc3? My box\n"
	 "is busy until Friday.\n",
	 {{2, 2, "Fine."}},
	 "> Does the slowdown still show on rc3? My box\n"
	 "> is busy until Friday.\n\nFine.\n",
	 FALSE},
	{"a greeting in the same paragraph stays away",
	 "Hi Bo,\nwhich kernel was it?\n",
	 {{2, 2, "6.9."}},
	 "> which kernel was it?\n\n6.9.\n",
	 FALSE},
	{"of a long paragraph the sentence",
	 "One.\nTwo.\nThree.\nFour.\nFive begins\nand ends.\nSeven.\n"
	 "Eight.\n",
	 {{6, 6, "So it does."}},
	 "> Five begins\n> and ends.\n\nSo it does.\n",
	 FALSE},
	{"who spoke is said",
	 "On Mon, Lee Oh <l@example.org> wrote:\n> which fs?\n\n"
	 "ext4, default mkfs.\n",
	 {{2, 4, "Thanks."}},
	 "> On Mon, Lee Oh <l@example.org> wrote:\n>> which fs?\n>\n"
	 "> ext4, default mkfs.\n\nThanks.\n",
	 FALSE},
	{"and who spoke below him",
	 "On Mon, Lee <l@example.org> wrote:\n> On Sun, Ann "
	 "<a@example.org> wrote:\n>> here?\n> no\n\nWhy not?\n",
	 {{3, 3, "Yes."}},
	 "> On Mon, Lee <l@example.org> wrote:\n>> On Sun, Ann "
	 "<a@example.org> wrote:\n>>> here?\n\nYes.\n",
	 FALSE},
	{"blanks at the end go",
	 "foo  \n\n> bar\n",
	 {{1, 3, "Seen."}},
	 "> foo\n>\n>> bar\n\nSeen.\n",
	 FALSE},
	{"spaced",
	 "foo  \n\n> bar\n",
	 {{1, 3, "Seen."}},
	 "> foo\n>\n> > bar\n\nSeen.\n",
	 TRUE},
	{"our words between: no mark",
	 "1) config?\n\n2) machine?\n\n3) runs?\n\n4) compiler?\n",
	 {{1, 1, "Link in the report."}, {7, 7, "gcc-12."}},
	 "> 1) config?\n\nLink in the report.\n\n> 4) compiler?\n\ngcc-12.\n",
	 FALSE},
	{"items of a list stand alone",
	 "1) config?\n2) machine,\n   and disk?\n3) runs?\n",
	 {{3, 3, "sr7, nvme."}},
	 "> 2) machine,\n>    and disk?\n\nsr7, nvme.\n",
	 FALSE},
	{"a gap within a quote is marked once",
	 "commit: 4ac912427c (\"f2fs: x\")\n\nlong talk\n\nmore talk\n\n"
	 "the end\n",
	 {{1, 1, ""}, {7, 7, "Same here."}},
	 "> commit: 4ac912427c (\"f2fs: x\")\n> [...]\n> the end\n\n"
	 "Same here.\n",
	 FALSE},
	{"two lines of one paragraph are no gap",
	 "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
	 {{2, 2, ""}, {5, 5, "x"}},
	 "> a\n> b\n> c\n> d\n> e\n\nx\n",
	 FALSE},
	{"a command needs nothing around it",
	 "Hm.\n#culprit fixd: f2fs: mend\nBye.\n",
	 {{2, 2, "Not executed: no command \"fixd\"."}},
	 "> #culprit fixd: f2fs: mend\n\nNot executed: no command \"fixd\".\n",
	 FALSE},
	{"tabs stay, controls are replaced",
	 "\tint i;\x01\n",
	 {{1, 1, "Tab."}},
	 "> \tint i;\xef\xbf\xbd\n\nTab.\n",
	 FALSE},
	{"the line of a diff: file, hunk, three lines before it",
	 "diff --git a/f.c b/f.c\nindex 1..2 100644\n--- a/f.c\n+++ b/f.c\n"
	 "@@ -1,4 +1,5 @@ int f(void)\n minus\n zero\n one\n two\n three\n four\n"
	 "+five\n six\n",
	 {{12, 12, "Why? I ask since it hurts.\nA lot.\n"}},
	 "> --- a/f.c\n> +++ b/f.c\n> @@ -1,4 +1,5 @@ int f(void)\n> [...]\n"
	 ">  two\n>  three\n>  four\n> +five\n\nWhy? I ask since it hurts.\n"
	 "A lot.\n",
	 FALSE},
	{"another hunk of that file goes on",
	 "--- a/f.c\n+++ b/f.c\n@@ -1 +1 @@ f\n+a\n@@ -9 +9 @@ g\n+b\n",
	 {{4, 4, "One."}, {6, 6, "Two."}},
	 "> --- a/f.c\n> +++ b/f.c\n> @@ -1 +1 @@ f\n> +a\n\nOne.\n\n"
	 "> [...]\n> @@ -9 +9 @@ g\n> +b\n\nTwo.\n",
	 FALSE},
	{"a trace has a head",
	 "[   1.000000] BUG: bad thing\n[   1.000001] Call Trace:\n"
	 "[   1.000002]  a+0x1/0x2\n[   1.000003]  b+0x1/0x2\n"
	 "[   1.000004]  c+0x1/0x2\n[   1.000005]  d+0x1/0x2\n",
	 {{6, 6, "Here."}},
	 "> [   1.000001] Call Trace:\n> [   1.000002]  a+0x1/0x2\n"
	 "> [   1.000003]  b+0x1/0x2\n> [   1.000004]  c+0x1/0x2\n"
	 "> [   1.000005]  d+0x1/0x2\n\nHere.\n",
	 FALSE},
	{"a headline brings its commit and test",
	 "FYI, we noticed a -33.7% regression of aim7.jobs-per-min due to "
	 "commit:\n\n\ncommit: 4ac9 (\"f2fs: x\")\nurl: u\n\n"
	 "in testcase: aim7\non test machine: 40 threads\n",
	 {{1, 1, "Gone with v2."}},
	 "> FYI, we noticed a -33.7% regression of aim7.jobs-per-min due to "
	 "commit:\n>\n> commit: 4ac9 (\"f2fs: x\")\n> [...]\n"
	 "> in testcase: aim7\n\nGone with v2.\n",
	 FALSE},
};

static char *answer_of(const struct example *e, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);
	guint n = 0;

	while (n < MAX_ANCHORS && e->anchors[n].text)
		n++;
	if (!quote_answer(out, e->parent, strlen(e->parent), e->anchors, n,
			  e->spaced, err))
		return NULL;
	return g_string_free(g_steal_pointer(&out), FALSE);
}

START_TEST(test_examples)
{
	const struct example *e = &examples[_i];
	g_autofree char *got = answer_of(e, NULL);

	ck_assert_msg(got && strcmp(got, e->answer) == 0,
		      "%s:\n%s\ninstead of\n%s", e->name, got, e->answer);
}
END_TEST

/* Rows far from their heads: these are shown, the gap is counted. */
START_TEST(test_table)
{
	g_autoptr(GString) table =
		g_string_new("ced2c7ea8e99b467 4ac912427c4214d8031d9ad6fb\n"
			     "---------------- --------------------------\n"
			     "         %stddev      change         %stddev\n");
	struct quote_anchor anchor = {44, 44, "That one."};
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; i < 60; i++)
		g_string_append_printf(table,
				       "     70%03u ±  1%%     -5.0%%       "
				       "80000 ±  1%%  meminfo.Row%02u\n",
				       i, i);
	ck_assert(quote_answer(out, table->str, table->len, &anchor, 1, FALSE,
			       NULL));
	ck_assert_str_eq(out->str,
			 "> ced2c7ea8e99b467 4ac912427c4214d8031d9ad6fb\n"
			 "> ---------------- --------------------------\n"
			 ">          %stddev      change         %stddev\n"
			 "> [ ... 40 lines ... ]\n"
			 ">      70040 ±  1%     -5.0%       80000 ±  1%  "
			 "meminfo.Row40\n\nThat one.\n");
}
END_TEST

/* However much is asked for around it, what is answered stays. */
START_TEST(test_budget)
{
	g_autoptr(GString) parent = g_string_new(NULL);
	struct quote_anchor anchor = {3, 52, "All of that."};
	g_autoptr(GString) out = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	for (guint i = 1; i <= 60; i++)
		g_string_append_printf(parent, "line %u\n", i);
	ck_assert(quote_answer(out, parent->str, parent->len, &anchor, 1, FALSE,
			       NULL));
	lines = g_strsplit(out->str, "\n", -1);
	ck_assert_str_eq(lines[0], "> line 3");
	ck_assert_str_eq(lines[49], "> line 52");
	ck_assert_str_eq(lines[51], "All of that.");
}
END_TEST

static const struct {
	struct quote_anchor anchors[MAX_ANCHORS];
	const char *why;
} wrong[] = {
	{{{0, 1, "x"}}, "anchor 1: its lines must be [first, last], from 1"},
	{{{2, 1, "x"}}, "anchor 1: its lines must be [first, last], from 1"},
	{{{1, 9, "x"}}, "anchor 1: the mail has fewer lines"},
	{{{1, 1, "x"}, {1, 2, "y"}},
	 "anchor 2: its lines do not come after the one before"},
	{{{1, 1, "x"}, {2, 2, ""}}, "anchor 2: the last one needs a text"},
};

START_TEST(test_wrong)
{
	struct example e = {.parent = "a\nb\nc\n"};
	g_autoptr(GError) err = NULL;

	memcpy(e.anchors, wrong[_i].anchors, sizeof(e.anchors));
	ck_assert_ptr_null(answer_of(&e, &err));
	ck_assert(g_error_matches(err, MAIL_ERROR, MAIL_ERROR_SYNTAX));
	ck_assert_str_eq(err->message, wrong[_i].why);
}
END_TEST

START_TEST(test_all)
{
	static const char parent[] = "a\n\n> b \n\n-- \nsig\n";
	g_autoptr(GString) out = g_string_new(NULL);

	quote_all(out, parent, strlen(parent), FALSE);
	ck_assert_str_eq(out->str, "> a\n>\n>> b\n");
}
END_TEST

static Suite *quote_suite(void)
{
	Suite *suite = suite_create("quote");
	TCase *tc = tcase_create("quote");

	tcase_add_loop_test(tc, test_examples, 0, G_N_ELEMENTS(examples));
	tcase_add_test(tc, test_table);
	tcase_add_test(tc, test_budget);
	tcase_add_loop_test(tc, test_wrong, 0, G_N_ELEMENTS(wrong));
	tcase_add_test(tc, test_all);
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(quote_suite)
