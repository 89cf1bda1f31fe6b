/* test_item_robots.c - what robots and those who run them say later: reports of
 * one bug that come one after the other, and reports that are taken back */
#include "db/items.h"

#include "tests/db/measure_letters.h"

#define SYZBOT "syzbot <syzbot+0123456789abcdef0123@syzkaller.appspotmail.com>"
#define FOUND  "0000000000001e0ba105d5c2dede@google.com"
#define FOUND_TEXT                                                            \
	"Hello,\n\nsyzbot found the following issue on:\n\n"                  \
	"HEAD commit:    daadb3bd0e8d Merge tag 'x' of git://git..\n"         \
	"git tree:       upstream\n"                                          \
	"dashboard link: https://syzkaller.appspot.com/"                      \
	"bug?extid=0123456789abcdef0123\n\nIMPORTANT: if you fix the issue, " \
	"please add the following tag to the commit:\n"                       \
	"Reported-by: syzbot+0123456789abcdef0123@syzkaller.appspotmail.com\n"
#define BISECTED_TO(id, title)                                      \
	"syzbot has bisected this issue to:\n\ncommit " id          \
	"\nAuthor: Mara Lindqvist <mara@example.org>\n"             \
	"Date:   Wed Oct 27 14:18:56 2019 +0000\n\n    " title      \
	"\n\nstart commit:   0457e5153e0e Merge tag 'y' of git..\n" \
	"git tree:       upstream\n"                                \
	"dashboard link: https://syzkaller.appspot.com/"            \
	"bug?extid=0123456789abcdef0123\n"

static const struct letter letters[] = {
	{FOUND, SYZBOT, "[syzbot] WARNING in exfs_put_super", NULL, 1,
	 FOUND_TEXT},
	{"b1@google.com", SYZBOT, "Re: [syzbot] WARNING in exfs_put_super",
	 FOUND, 3, BISECTED_TO(CULPRIT, "examplefs: be faster")},
	{"b2@google.com", SYZBOT, "Re: [syzbot] WARNING in exfs_put_super",
	 FOUND, 5, BISECTED_TO(OTHER, "examplefs: be smaller")},
	{"p1@example.org", AUTHOR, "[PATCH] examplefs: mend put_super", NULL, 7,
	 "Why.\n\nFixes: " OTHER "\n" SIGNED DIFF},
};

static struct item *only_item(store *st, GPtrArray **all)
{
	*all = items_load(st, NULL);
	ck_assert_ptr_nonnull(*all);
	ck_assert_uint_eq((*all)->len, 1);
	return (*all)->pdata[0];
}

/* In every order of arrival the last search decides. */
START_TEST(a_later_search_names_the_culprit)
{
	static const guint orders[][4] = {{0, 1, 2, 3},
					  {3, 2, 1, 0},
					  {2, 0, 3, 1},
					  {1, 2, 3, 0}};

	for (gsize n = 0; n < G_N_ELEMENTS(orders); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GPtrArray) all = NULL;
		const struct item_fix *fix;
		struct item *i;

		for (guint k = 0; k < 4; k++)
			put_letter(st, &letters[orders[n][k]]);
		i = only_item(st, &all);
		ck_assert_str_eq(i->mid, FOUND);
		ck_assert_str_eq(i->commit, OTHER);
		ck_assert_str_eq(i->commit_subject, "examplefs: be smaller");
		ck_assert_str_eq(i->state, "fix-posted");
		ck_assert_uint_eq(i->fixes->len, 1);
		fix = i->fixes->pdata[0];
		ck_assert_str_eq(fix->evidence, "fixes");
	}
}
END_TEST

START_TEST(bisected_by_it)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GPtrArray) all = NULL;
	const struct item_event *e;
	struct item *i;

	put_letter(st, &letters[0]);
	put_letter(st, &letters[1]);
	i = only_item(st, &all);
	ck_assert_str_eq(i->state, "bisected");
	ck_assert_uint_ge(i->events->len, 2);
	e = i->events->pdata[1];
	ck_assert_str_eq(e->type, "bisected");
	ck_assert_str_eq(e->mid, "b1@google.com");
	ck_assert_str_eq(e->commit, CULPRIT);
}
END_TEST

#define LKP_FOUND                                                               \
	"Hello,\n\nkernel test robot noticed \"xfstests.generic.299.fail\" on:" \
	"\n\ncommit: " CULPRIT " (\"[PATCH 2/2] examplefs: be faster\")\n"      \
	"url: https://github.com/intel-lab-lkp/linux/commits/x\n"               \
	"patch subject: [PATCH 2/2] examplefs: be faster\n\n"                   \
	"in testcase: xfstests\nversion: xfstests-x86_64-1\nwith following "    \
	"parameters:\n\n\tdisk: 4HDD\n\tfs: examplefs\n"

/* Neither a reply mark nor the name of a list says what is wrong. */
START_TEST(titles)
{
	static const struct {
		struct letter l;
		const char *title;
	} cases[] = {
		{{FOUND, SYZBOT,
		  "Re: [examplefs-dev] [syzbot] [fs?] WARNING in put_super",
		  NULL, 1, FOUND_TEXT},
		 "[syzbot] [fs?] WARNING in put_super"},
		{{FOUND, SYZBOT, "WARNING in put_super", NULL, 1, FOUND_TEXT},
		 "WARNING in put_super"},
		{{REPORT, ROBOT, "Re: [PATCH 2/2] examplefs: be faster",
		  "p@example.org", 1, LKP_FOUND},
		 "xfstests.generic.299.fail"},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GPtrArray) all = NULL;

		put_letter(st, &cases[n].l);
		ck_assert_str_eq(only_item(st, &all)->title, cases[n].title);
	}
}
END_TEST

#define RUN_BY "kernel test robot <wen.tangaro@intel.com>"
#define PERSON "Wen Tangaro <wen.tangaro@intel.com>"

/* Only whoever sent a report takes it back, and only below it. */
START_TEST(taken_back)
{
	static const char sorry[] = "Sorry, this is a false positive report.\n";
	static const struct {
		struct letter l;
		const char *state;
	} cases[] = {
		{{"a@example.org", PERSON, "Re: it", REPORT, 2, sorry},
		 "resolved"},
		{{"a@example.org", AUTHOR, "Re: it", REPORT, 2, sorry},
		 "bisected"},
		{{"a@example.org", PERSON, "Re: it", "p@example.org", 2, sorry},
		 "bisected"},
		{{"a@example.org", PERSON, "Re: it", REPORT, 2,
		  "> Sorry, this is a false positive report.\n\nNo.\n"},
		 "bisected"},
	};
	static const struct letter wrong = {
		REPORT,		 RUN_BY, "Re: [PATCH 2/2] examplefs: be faster",
		"p@example.org", 1,	 LKP_FOUND};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GPtrArray) all = NULL;
		struct item *i;

		put_letter(st, &cases[n].l);
		put_letter(st, &wrong);
		i = only_item(st, &all);
		ck_assert_str_eq(i->state, cases[n].state);
		ck_assert(i->open == (n > 0));
	}
}
END_TEST

START_TEST(measured_again_without_it)
{
	static const struct letter again =
		RERUN("again@x", 12, "lkp-a",
		      COLUMNS_2
		      "    117419 ±  2%        -0.1%     117302 ±  2%  "
		      "aim7.jobs-per-min\n");
	g_autoptr(store) st = open_memory();
	g_autoptr(GPtrArray) all = NULL;
	struct item *i;

	put_letter(st, &measured);
	put_letter(st, &again);
	i = only_item(st, &all);
	ck_assert_str_eq(i->state, "bisected");
	ck_assert_str_eq(i->waiting.role, "reporter");
	ck_assert_str_eq(i->waiting.mid, "again@x");
	ck_assert_str_eq(i->waiting.reason,
			 "measured again, and it did not show");
}
END_TEST

/* Some robots are asked in vain. */
START_TEST(questions)
{
	static const struct letter asked = {
		"a@example.org", AUTHOR, "Re: it",
		FOUND,		 2,	 "Does it still happen?\n"};
	static const struct letter asked_lkp = {
		"a@example.org", AUTHOR, "Re: it",
		REPORT,		 12,	 "Does it still happen?\n"};
	g_autoptr(store) st = open_memory(), other = open_memory();
	g_autoptr(GPtrArray) all = NULL, more = NULL;

	put_letter(st, &letters[0]);
	put_letter(st, &asked);
	ck_assert_str_eq(only_item(st, &all)->waiting.role, "maintainer");
	put_letter(other, &measured);
	put_letter(other, &asked_lkp);
	ck_assert_str_eq(only_item(other, &more)->waiting.role, "addressee");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("item_robots");
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_later_search_names_the_culprit);
	tcase_add_test(t, bisected_by_it);
	tcase_add_test(t, titles);
	tcase_add_test(t, taken_back);
	tcase_add_test(t, measured_again_without_it);
	tcase_add_test(t, questions);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
