/* test_track.c - commands make items and change them: every verb, every state,
 * whatever the order of arrival, and after a rebuild */
#include "tests/db/track_cases.h"

#define SAYS(id, day, text)                                         \
	{                                                           \
		id, "r@x", NULL, text, day, "Ann <ann@example.org>" \
	}
#define OTHER                                                                \
	{                                                                    \
		"s@x", NULL, "fs: slower", "#regzbot introduced v5.1..v5.2", \
			2, NULL                                              \
	}
#define JO(id, day, text)                        \
	{                                        \
		id, "r@x", NULL, text, day, NULL \
	}
static const struct track_case cases[] = {
	{"nothing is tracked", {REPORT("slow")}, {{0}}, {""}},
	{"introduced",
	 {TRACKED},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu active=1",
	  "r@x introduced done"}},
	{"by our own marker",
	 {REPORT("#culprit track 1234567890ab")},
	 {{0}},
	 {"r@x: bisected open 'fs: slow' commit=1234567890ab "}},
	{"the mail above is the report",
	 {REPORT("slow"), SAYS("a@x", 2, "#regzbot ^introduced 1234567890ab")},
	 {{0}},
	 {"r@x: bisected open 'fs: slow' commit=1234567890ab by=Jo Wu "
	  "active=2",
	  "a@x introduced done"}},
	{"the first mail of the thread is",
	 {REPORT("slow"),
	  SAYS("a@x", 2, "me too"),
	  {"b@x", "a@x", NULL, "#regzbot introduced 1234567890ab /", 3, NULL}},
	 {{0}},
	 {"r@x: bisected open", "b@x introduced done"}},
	{"the same once more changes nothing",
	 {TRACKED, SAYS("a@x", 2, "#regzbot introduced: v5.1..v5.2")},
	 {{0}},
	 {"a@x introduced no-change"}},
	{"a forwarded copy makes no second item",
	 {TRACKED,
	  {"a@x", NULL, "Fwd: fs: slow", "#regzbot introduced: v5.1..v5.2", 3,
	   NULL}},
	 {{0}},
	 {"a@x introduced no-change", "r@x: reported"}},
	{"a ticket is the report",
	 {REPORT("#regzbot introduced: 1234567890ab "
		 "https://bugzilla.kernel.org/show_bug.cgi?id=21"),
	  SAYS("a@x", 2, "#regzbot title: of the ticket")},
	 {{0}},
	 {"https://bugzilla.kernel.org/show_bug.cgi?id=21: bisected open 'of "
	  "the ticket'"}},
	{"a culprit, then a range again",
	 {TRACKED, SAYS("a@x", 2, "#regzbot introduced 1234567890ab"),
	  SAYS("b@x", 3, "#regzbot introduced v5.1..v5.3")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.3"}},
	{"a title, and another reporter",
	 {TRACKED, SAYS("a@x", 2,
			"#regzbot title: fs: it crawls\n"
			"#regzbot from: Kim Lee <kim@example.org>")},
	 {{0}},
	 {"r@x: reported open 'fs: it crawls' range=v5.1..v5.2 by=Kim Lee",
	  "a@x title done", "a@x from done"}},
	{"resolved",
	 {TRACKED, SAYS("a@x", 2, "#regzbot invalid: no bug")},
	 {{0}},
	 {"r@x: resolved closed", "a@x resolve done"}},
	{"inconclusive",
	 {TRACKED, SAYS("a@x", 2, "#regzbot inconclusive: nobody knows")},
	 {{0}},
	 {"r@x: inconclusive closed"}},
	{"expected",
	 {TRACKED, JO("a@x", 2, "#culprit expected: a trade-off")},
	 {{0}},
	 {"r@x: expected closed", "a@x expected done"}},
	{"reopened",
	 {TRACKED, SAYS("a@x", 2, "#regzbot resolve: gone"),
	  SAYS("b@x", 3, "#regzbot reopen: it is back")},
	 {{0}},
	 {"r@x: reported open", "b@x reopen done"}},
	{"resolved, told twice",
	 {TRACKED, SAYS("a@x", 2, "#regzbot resolve: gone"),
	  SAYS("b@x", 3, "#regzbot resolve: gone")},
	 {{0}},
	 {"r@x: resolved closed", "b@x resolve no-change"}},
	{"undone",
	 {TRACKED, SAYS("a@x", 2, "#regzbot resolve: gone"),
	  SAYS("b@x", 3, "#culprit undo")},
	 {{0}},
	 {"r@x: reported open", "b@x undo done"}},
	{"two undone",
	 {TRACKED, SAYS("a@x", 2, "#regzbot title: bad"),
	  SAYS("b@x", 3, "#regzbot resolve: gone"),
	  SAYS("c@x", 4, "#culprit undo 2")},
	 {{0}},
	 {"r@x: reported open 'fs: slow'"}},
	{"the tracking itself undone",
	 {TRACKED, JO("a@x", 2, "#culprit undo")},
	 {{0}},
	 {"r@x introduced done\na@x undo done\n"}},
	{"on the back burner",
	 {TRACKED, SAYS("a@x", 2, "#regzbot backburner: hard to find")},
	 {{0}},
	 {"backburner=hard to find"}},
	{"and off it",
	 {TRACKED, SAYS("a@x", 2, "#regzbot backburner: hard to find"),
	  SAYS("b@x", 3, "#regzbot unbackburner")},
	 {{0}},
	 {"r@x: reported open 'fs: slow' range=v5.1..v5.2 by=Jo Wu active=3",
	  "b@x unbackburn done"}},
	{"off it though it is not on it",
	 {TRACKED, SAYS("b@x", 3, "#regzbot unbackburner")},
	 {{0}},
	 {"b@x unbackburn no-change"}},
	{"a duplicate, as written",
	 {TRACKED, OTHER,
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/s@x/")},
	 {{0}},
	 {"r@x: duplicate closed", " is-duplicate",
	  "s@x: reported open 'fs: slower' range=v5.1..v5.2 by=Jo Wu "
	  "duplicates=1",
	  "a@x duplicate done"}},
	{"no circle",
	 {TRACKED,
	  OTHER,
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/s@x/"),
	  {"b@x", "s@x", NULL,
	   "#regzbot dup-of: https://lore.kernel.org/all/r@x/", 4, NULL}},
	 {{0}},
	 {"r@x: duplicate closed", "s@x: reported open",
	  "b@x duplicate refused"}},
	{"nothing is a duplicate of itself",
	 {TRACKED,
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/r@x/")},
	 {{0}},
	 {"r@x: reported open", "a@x duplicate refused"}},
	{"a duplicate of what is not tracked: it is from now on",
	 {TRACKED,
	  {"s@x", NULL, "fs: slower", "me too", 2, NULL},
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/s@x/")},
	 {{0}},
	 {"r@x: duplicate closed",
	  "s@x: reported open 'fs: slower' range=v5.1..v5.2"}},
	{"no duplicate any more",
	 {TRACKED, OTHER,
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/s@x/"),
	  JO("b@x", 4, "#culprit undup")},
	 {{0}},
	 {"r@x: reported open", "b@x undup done"}},
	{"what is said of a duplicate holds for the original",
	 {TRACKED, OTHER,
	  SAYS("a@x", 3, "#regzbot dup-of: https://lore.kernel.org/all/s@x/"),
	  SAYS("b@x", 4, "#regzbot resolve: gone")},
	 {{0}},
	 {"r@x: duplicate closed", "s@x: resolved closed"}},
	{"a thread that is watched",
	 {TRACKED,
	  SAYS("a@x", 2, "#regzbot monitor: https://lore.kernel.org/all/t@x/"),
	  {"t@x", NULL, "other thread", "hello", 1, NULL},
	  {"u@x", "t@x", NULL, "#regzbot resolve: by that", 4, NULL}},
	 {{0}},
	 {"r@x: resolved closed", "link=t@x+", "u@x resolve done"}},
	{"watched no more",
	 {TRACKED,
	  SAYS("a@x", 2, "#regzbot monitor: https://lore.kernel.org/all/t@x/"),
	  {"t@x", NULL, "other thread", "hello", 1, NULL},
	  SAYS("b@x", 3, "#regzbot unmonitor: https://lore.kernel.org/r/t@x"),
	  {"u@x", "t@x", NULL, "#regzbot resolve: by that", 4, NULL}},
	 {{0}},
	 {"r@x: reported open", "u@x resolve waiting"}},
	{"a link with a title",
	 {TRACKED,
	  SAYS("a@x", 2, "#regzbot link: https://example.org/x notes")},
	 {{0}},
	 {"link=https://example.org/x\n", "a@x relatebrief done"}},
	{"a poke is no activity",
	 {TRACKED, SAYS("a@x", 5, "News?\n\n#regzbot poke")},
	 {{0}},
	 {"active=1", "a@x poke done"}},
	{"nor is what says so",
	 {TRACKED, SAYS("a@x", 5, "#regzbot ignore-activity")},
	 {{0}},
	 {"active=1"}},
	{"a thread without a report",
	 {REPORT("slow"), SAYS("a@x", 2, "#regzbot resolve: x")},
	 {{0}},
	 {"a@x resolve waiting"}},
	{"no such verb",
	 {TRACKED, SAYS("a@x", 2, "#regzbot resolf: x")},
	 {{0}},
	 {"r@x: reported open", "a@x resolf not-understood"}},
	{"another report is meant",
	 {REPORT("slow"),
	  {"a@x", NULL, "for the tracker",
	   "#regzbot report: https://lore.kernel.org/r/r@x\n"
	   "#regzbot introduced: 1234567890ab\n#regzbot title: new",
	   2, NULL}},
	 {{0}},
	 {"r@x: bisected open 'new' commit=1234567890ab"}},
	{"a fix by title: it waits",
	 {TRACKED, SAYS("a@x", 2, "#regzbot fix: fs: speed it up")},
	 {{0}},
	 {"r@x: fix-posted open", "fix=-/fs: speed it up/posted"}},
	{"a fix by id that nobody knows",
	 {TRACKED, SAYS("a@x", 2, "#regzbot fix: 1234567890ab")},
	 {{0}},
	 {"r@x: fix-posted open", "fix=1234567/-/posted"}},
	{"a fix by title that is in mainline",
	 {TRACKED, SAYS("a@x", 2, "#regzbot fix: fs: speed it up")},
	 {{"mainline", "a", "fs: speed it up", NULL, 3}},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: speed it up/merged",
	  " active=3"}},
	{"only in next",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  SAYS("a@x", 2, "#regzbot fix: aaaaaaaaaaaa")},
	 {{"mainline", "b", "fs: break it", NULL, 1},
	  {"next", "a", "fs: speed it up", NULL, 3}},
	 {"r@x: applied open", "fix=aaaaaaa/fs: speed it up/applied",
	  "tree=mainline"}},
	{"in mainline, but stable wants it, too",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  SAYS("a@x", 2, "#regzbot fix: aaaaaaaaaaaa")},
	 {{"mainline", "b", "fs: break it", NULL, 1},
	  {"mainline", "a", "fs: speed it up",
	   "Why.\n\nCc: stable@vger.kernel.org\n", 3}},
	 {"r@x: stable-pending closed"}},
	{"a commit closes the report",
	 {TRACKED},
	 {{"mainline", "a", "fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 3}},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: speed it up/merged"}},
	{"a commit links an answer to it",
	 {TRACKED, SAYS("a@x", 2, "me too")},
	 {{"mainline", "a", "fs: speed it up",
	   "Link: https://lore.kernel.org/r/a@x/\n", 3}},
	 {"r@x: fixed closed"}},
	{"the fix was reverted",
	 {TRACKED},
	 {{"mainline", "a", "fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 3},
	  {"mainline", "c", "Revert \"fs: speed it up\"",
	   "This reverts commit aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.\n",
	   5}},
	 {"r@x: reported open", "fix=aaaaaaa/fs: speed it up/reverted"}},
	{"the culprit was reverted",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb")},
	 {{"mainline", "b", "fs: break it", NULL, 1},
	  {"mainline", "c", "Revert \"fs: break it\"",
	   "This reverts commit bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.\n",
	   5}},
	 {"r@x: fixed closed", "fix=ccccccc/Revert \"fs: break it\"/merged"}},
	{"of two fixes one is missing",
	 {TRACKED, SAYS("a@x", 2,
			"#regzbot fix: aaaaaaaaaaaa\n"
			"#regzbot fix: cccccccccccc")},
	 {{"mainline", "a", "fs: speed it up", NULL, 3}},
	 {"r@x: applied open"}},
	{"both are there",
	 {TRACKED, SAYS("a@x", 2,
			"#regzbot fix: aaaaaaaaaaaa\n"
			"#regzbot fix: cccccccccccc")},
	 {{"mainline", "a", "fs: speed it up", NULL, 3},
	  {"mainline", "c", "fs: more speed", NULL, 4}},
	 {"r@x: fixed closed"}},
	{"the last one that is named counts",
	 {TRACKED, SAYS("a@x", 2, "#regzbot fix: dddddddddddd"),
	  SAYS("b@x", 3, "#regzbot fix: aaaaaaaaaaaa")},
	 {{"mainline", "a", "fs: speed it up", NULL, 4}},
	 {"r@x: fixed closed"}},
	{"fixed, but it is back",
	 {TRACKED, SAYS("a@x", 6, "#regzbot reopen: no")},
	 {{"mainline", "a", "fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 3}},
	 {"r@x: reported open"}},
	{"the same culprit is told",
	 {REPORT("#regzbot introduced: 1234567890ab"),
	  {"s@x", NULL, "fs: slower", "#regzbot introduced 1234567890", 2,
	   NULL}},
	 {{0}},
	 {"r@x: bisected open", "s@x: bisected open"}},
	{"a culprit that no tree knows",
	 {REPORT("#regzbot introduced: 1234567890ab")},
	 {{"mainline", "b", "fs: break it", NULL, 1}},
	 {"r@x: reported open 'fs: slow' commit=1234567890ab"}},
	{"a patch that closes it belongs to it",
	 {TRACKED,
	  {"p@x", NULL, "[PATCH] fs: speed",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 4, NULL},
	  {"q@x", "p@x", NULL, "#regzbot resolve: by that", 5, NULL}},
	 {{0}},
	 {"r@x: resolved closed", "active=5", "link=p@x+", "q@x resolve done"}},
	{"and no more, if somebody says so",
	 {TRACKED,
	  {"p@x", NULL, "[PATCH] fs: speed",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 2, NULL},
	  SAYS("a@x", 3, "#regzbot unlink: https://lore.kernel.org/r/p@x/"),
	  {"q@x", "p@x", NULL, "#regzbot resolve: by that", 5, NULL}},
	 {{0}},
	 {"r@x: reported open", "active=3", "q@x resolve waiting"}},
	{"the patch of a title that is named",
	 {TRACKED,
	  SAYS("a@x", 3, "#regzbot fix: fs: speed it up"),
	  {"p@x", NULL, "[PATCH v2] fs: speed it up", "more", 4, NULL},
	  {"q@x", "p@x", NULL, "#regzbot title: new", 5, NULL}},
	 {{0}},
	 {"r@x: fix-posted open 'new'", "link=p@x+", "q@x title done"}},
	{"a mail with the sign for anything in its subject joins nothing",
	 {TRACKED,
	  SAYS("a@x", 3, "#regzbot fix: fs: speed it up"),
	  {"p@x", NULL, "%", "#regzbot resolve: x", 4, NULL}},
	 {{0}},
	 {"r@x: fix-posted open", "p@x resolve waiting"}},
	{"a commit that only names the culprit ends nothing",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb")},
	 {{"mainline", "b", "fs: break it", NULL, 1},
	  {"mainline", "a", "fs: speed it up",
	   "Fixes: bbbbbbbbbbbb (\"fs: break it\")\n", 3}},
	 {"r@x: bisected open"}},
	{"in stable alone it is no fix of mainline",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb")},
	 {{"mainline", "b", "fs: break it", NULL, 1},
	  {"stable", "a", "fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/\n", 3}},
	 {"r@x: bisected open"}},
};

TRACK_CASE_TESTS(cases)

START_TEST(same_culprit_is_told)
{
	static const struct letter all[] = {
		REPORT("#regzbot introduced: 1234567890ab"),
		{"s@x", NULL, "fs: slower", "#regzbot introduced 1234567890", 2,
		 NULL}};
	g_autoptr(store) st = open_memory();
	g_autofree char *world = NULL;

	put_letter(st, &all[1]);
	put_letter(st, &all[0]);
	world = world_of(st, TRUE);
	ck_assert_msg(strstr(world, "suggested Jo Wu <jo@example.org> s@x the "
				    "same culprit as "),
		      "%s", world);
}
END_TEST

/* Who waits, and for how long, is told by the clock alone. */
START_TEST(stalled_by_the_clock)
{
	static const struct letter one = TRACKED;
	static const struct {
		int day;
		gboolean stalled;
	} days[] = {{2, FALSE}, {8, FALSE}, {9, TRUE}, {30, TRUE},
		    {8, FALSE}, {30, TRUE}, {2, FALSE}};
	g_autoptr(store) st = open_memory();

	put_letter(st, &one);
	for (gsize n = 0; n < G_N_ELEMENTS(days); n++) {
		g_autofree char *world = NULL;

		items_configure(st, 0, 1577836800 + days[n].day * DAY);
		world = world_of(st, TRUE);
		ck_assert_msg(strstr(world, "waits for maintainer since 1"),
			      "%s", world);
		ck_assert_msg(!!strstr(world, ", stalled") == days[n].stalled,
			      "day %d: %s", days[n].day, world);
	}
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("track");
	TCase *t = tcase_create("track");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, states);
	tcase_add_test(t, same_culprit_is_told);
	tcase_add_test(t, stalled_by_the_clock);
	tcase_add_test(t, orders);
	tcase_add_test(t, copies);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
