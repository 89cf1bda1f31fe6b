/* test_track_commits.c - commits that repair items: reverts of reverts,
 * backports, a culprit that was taken out and put back */
#include "tests/db/track_letters.h"

#define REPORT                                                                \
	{                                                                     \
		"r@x", NULL, "fs: slow",                                      \
			"It is slow.\n\n#regzbot introduced: bbbbbbbbbbbb\n", \
			2, NULL                                               \
	}
#define CLOSES "Closes: https://lore.kernel.org/r/r@x/\n"
#define REVERTS(x) \
	"This reverts commit " x x x x x x x x x x x x x x x x x x x x ".\n"
#define BROKEN                                           \
	{                                                \
		"mainline", "b", "fs: break it", NULL, 1 \
	}
#define MENDED(day)                                         \
	{                                                   \
		"mainline", "a", "fs: mend it", CLOSES, day \
	}
#define REVERTED                                                             \
	{                                                                    \
		"mainline", "c", "Revert \"fs: break it\"", REVERTS("bb"), 3 \
	}
#define PUT_BACK                                                              \
	{                                                                     \
		"mainline", "d", "Reapply \"fs: break it\"", REVERTS("cc"), 6 \
	}

#define COMMITS 6
#define LINES	3
static const struct {
	const char *name;
	struct letter patch; /* may be none */
	struct git_letter commits[COMMITS];
	const char *lines[LINES];
} cases[] = {
	{"the revert of the fix was reverted",
	 {0},
	 {BROKEN,
	  MENDED(3),
	  {"mainline", "c", "Revert \"fs: mend it\"", REVERTS("aa"), 4},
	  {"mainline", "d", "Reapply \"fs: mend it\"", REVERTS("cc"), 5}},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: mend it/merged"}},
	{"and that one, too",
	 {0},
	 {BROKEN,
	  MENDED(3),
	  {"mainline", "c", "Revert \"fs: mend it\"", REVERTS("aa"), 4},
	  {"mainline", "d", "Reapply \"fs: mend it\"", REVERTS("cc"), 5},
	  {"mainline", "e", "Revert it once more", REVERTS("dd"), 6}},
	 {"r@x: bisected open", "fix=aaaaaaa/fs: mend it/reverted",
	  "waits for fix-author"}},
	{"put back, and nothing else repairs it",
	 {0},
	 {BROKEN, REVERTED, PUT_BACK},
	 {"r@x: bisected open"}},
	{"put back after it was repaired",
	 {0},
	 {BROKEN, REVERTED, MENDED(5), PUT_BACK},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: mend it/merged"}},
	{"repaired everywhere, then taken out of mainline alone",
	 {0},
	 {BROKEN,
	  {"stable", "b", "fs: break it", NULL, 1},
	  MENDED(2),
	  {"stable", "e", "fs: mend it",
	   "commit aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa upstream.\n\n" CLOSES,
	   3},
	  {"mainline", "c", "Revert \"fs: break it\"", REVERTS("bb"), 5}},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: mend it/merged"}},
	{"a backport does not stand for the original",
	 {0},
	 {{"stable", "e", "fs: mend it",
	   "commit aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa upstream.\n\n" CLOSES,
	   4},
	  {"stable", "b", "fs: break it", NULL, 1},
	  BROKEN,
	  MENDED(3)},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: mend it/merged"}},
	{"a patch that only named the culprit, and became more",
	 {"p@x", NULL, "[PATCH] fs: mend it",
	  "Fixes: bbbbbbbbbbbb (\"fs: break it\")\n", 2,
	  "Ida Brandt <ida@example.org>"},
	 {BROKEN, MENDED(4)},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: mend it/merged"}},
};

static char *world_after(gsize n, gboolean backwards)
{
	static const struct letter report = REPORT;
	g_autoptr(store) st = open_memory();
	guint count = 0;

	while (count < COMMITS && cases[n].commits[count].tree)
		count++;
	items_configure(st, 0, NOW);
	put_letter(st, &report);
	if (cases[n].patch.id)
		put_letter(st, &cases[n].patch);
	for (guint k = 0; k < count; k++)
		put_commit(st,
			   &cases[n].commits[backwards ? count - 1 - k : k]);
	return world_of(st, TRUE);
}

START_TEST(commits_decide)
{
	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autofree char *world = world_after(n, FALSE);

		for (guint k = 0; k < LINES && cases[n].lines[k]; k++)
			ck_assert_msg(strstr(world, cases[n].lines[k]) != NULL,
				      "%s: no '%s' in\n%s", cases[n].name,
				      cases[n].lines[k], world);
	}
}
END_TEST

START_TEST(in_any_order)
{
	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		g_autofree char *one = world_after(n, FALSE);
		g_autofree char *other = world_after(n, TRUE);

		ck_assert_str_eq(one, other);
	}
}
END_TEST

/* Told once, though both the commit and its backport close the report. */
START_TEST(fixed_is_told_once)
{
	g_autofree char *world = world_after(5, FALSE);
	const char *first = strstr(world, " fixed Ida");

	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, " fixed Ida"));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("track_commits");
	TCase *t = tcase_create("all");

	tcase_add_test(t, commits_decide);
	tcase_add_test(t, in_any_order);
	tcase_add_test(t, fixed_is_told_once);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
