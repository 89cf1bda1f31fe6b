/* test_track_needs.c - fixes that are not all of it, and what fixes need */
#include "tests/db/track_cases.h"

#define DIFF(to)                             \
	"---\ndiff --git a/f b/f\n--- a/f\n" \
	"+++ b/f\n@@ -1 +1 @@\n-slow\n+" to "\n"
#define CLOSES "Why.\n\nCloses: https://lore.kernel.org/r/r@x/\n"
#define FIRST                                                                 \
	{                                                                     \
		"q@x", NULL, "[PATCH] fs: prepare it", "Why.\n" DIFF("fast"), \
			1, "Ida Brandt <ida@example.org>"                     \
	}
#define MEND(text)                                           \
	{                                                    \
		"p@x", NULL, "[PATCH] fs: mend it", text, 2, \
			"Ida Brandt <ida@example.org>"       \
	}
#define PREPARED "fs: prepare it/posted/prerequisite fix=-/fs: mend it/posted"

static const struct track_case cases[] = {
	{"a fix that is said to be partial does not end it",
	 {TRACKED,
	  {"a@x", "r@x", NULL, "#regzbot fix: aaaaaaaaaaaa (partial)", 2,
	   NULL}},
	 {{"mainline", "a", "fs: mend it", NULL, 3}},
	 {"r@x: applied open", "fix=aaaaaaa/fs: mend it/merged/partial"}},
	{"the rest does",
	 {TRACKED,
	  {"a@x", "r@x", NULL, "#regzbot fix: aaaaaaaaaaaa (partial)", 2, NULL},
	  {"b@x", "r@x", NULL, "#regzbot fix: cccccccccccc", 4, NULL}},
	 {{"mainline", "a", "fs: mend it", NULL, 3},
	  {"mainline", "c", "fs: mend the rest", NULL, 5}},
	 {"r@x: fixed closed", "fix=ccccccc/fs: mend the rest/merged"}},
	{"what the fix names to stable is needed",
	 {TRACKED},
	 {{"mainline", "a", "fs: mend it",
	   CLOSES "Cc: <stable@vger.kernel.org> # 5.10.x: eeeeeeeeeeee: fs: "
		  "prepare it\n",
	   3},
	  {"mainline", "e", "fs: prepare it", NULL, 2}},
	 {"r@x: fixed closed",
	  "fix=eeeeeee/fs: prepare it/merged/prerequisite mainline:yes "
	  "next:no stable:no fix=aaaaaaa/fs: mend it/merged"}},
	{"also where no tree has it",
	 {TRACKED},
	 {{"mainline", "a", "fs: mend it",
	   CLOSES "Cc: <stable@vger.kernel.org> # eeeeeeeeeeee: fs: prepare "
		  "it\n",
	   3}},
	 {"fix=eeeeeee/fs: prepare it/posted/prerequisite "}},
	{"a version of stable is no commit",
	 {TRACKED},
	 {{"mainline", "a", "fs: mend it",
	   CLOSES "Cc: <stable@vger.kernel.org> # 5.10.1234567\n", 3}},
	 {"by=Jo Wu active=3 fix=aaaaaaa/fs: mend it/merged mainline:yes next:no stable:no\n"}},
	{"the patch says so, by patch-id",
	 {TRACKED, FIRST,
	  MEND(CLOSES DIFF(
		  "faster") "--\nprerequisite-patch-id: "
			    "a019082ae768ba5bea085fde1fd7b0073d4ff9d8\n")},
	 {{0}},
	 {"r@x: fix-posted open", " fix=-/" PREPARED}},
	{"by Message-ID",
	 {TRACKED, FIRST,
	  MEND(CLOSES DIFF("faster") "--\nprerequisite-message-id: <q@x>\n")},
	 {{0}},
	 {" fix=-/" PREPARED}},
	{"by a tag, and where it is now",
	 {TRACKED, FIRST,
	  MEND("Why.\n\nDepends-on: <q@x>\n"
	       "Closes: https://lore.kernel.org/r/r@x/\n" DIFF("faster"))},
	 {{"mainline", "e", "fs: prepare it",
	   "Link: https://lore.kernel.org/r/q@x/\n", 4}},
	 {" fix=eeeeeee/fs: prepare it/merged/prerequisite "}},
	{"the fix itself is no prerequisite",
	 {TRACKED,
	  MEND(CLOSES DIFF("faster") "--\nprerequisite-message-id: <p@x>\n")},
	 {{0}},
	 {"active=2 fix=-/fs: mend it/posted link=p@x+"}},
};

TRACK_CASE_TESTS(cases)

static Suite *make_suite(void)
{
	Suite *s = suite_create("track_needs");
	TCase *t = tcase_create("track_needs");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, states);
	tcase_add_test(t, orders);
	tcase_add_test(t, copies);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
