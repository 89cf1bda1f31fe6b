/* test_notices.c - what is said of a fix: applied, dropped, promised; by whom,
 * and whether that counts */
#include "tests/db/track_cases.h"

#define DIFF                                                          \
	"\n---\n fs/x.c | 2 +-\n 1 file changed, 1 insertion(+), 1 "  \
	"deletion(-)\n\ndiff --git a/fs/x.c b/fs/x.c\n"               \
	"index 1111111..2222222 100644\n--- a/fs/x.c\n+++ b/fs/x.c\n" \
	"@@ -1,3 +1,3 @@ int x(void)\n a\n-b\n+c\n d\n"
/* A patch of Ann's that mends it, and what somebody answers. */
#define MENDS(day)                                                          \
	{                                                                   \
		"p@x", NULL, "[PATCH] fs: speed it up",                     \
			"Closes: https://lore.kernel.org/r/r@x/" DIFF, day, \
			"Ann <ann@example.org>"                             \
	}
#define ANSWERS(id, to, day, from, text)                               \
	{                                                              \
		id, to, "Re: [PATCH] fs: speed it up", text, day, from \
	}
#define ANN "Ann <ann@example.org>"
#define BO  "Bo Lind <bo@example.org>"
#define IDA "Ida Brandt <ida@example.org>"
#define OLD                                              \
	{                                                \
		"mainline", "b", "fs: break it", NULL, 1 \
	}
/* A patch that became a commit, and Bo's word that it did. */
#define PROOF(n, day)                                                 \
	{n "@y", NULL, "[PATCH] fs: tidy " n, "tidy" DIFF, day, ANN}, \
	{                                                             \
		"a" n "@y", n "@y", "Re: [PATCH] fs: tidy " n,        \
			"Applied, thanks.", day, BO                   \
	}
#define TIDY(id, n)                                                     \
	{                                                               \
		"mainline", id, "fs: tidied " n,                        \
			"Link: https://lore.kernel.org/r/" n "@y/\n", 1 \
	}

static const struct track_case cases[] = {
	{"said to be applied, where no tree is known",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, BO, "Applied, thanks.")},
	 {{0}},
	 {"r@x: applied open", "fix=-/fs: speed it up/applied",
	  "says-applied Bo Lind <bo@example.org> a@x Applied, thanks.",
	  "waits for maintainer since 3: said to be applied; no tree shows it "
	  "yet, Bo Lind"}},
	{"his own patch: his word does not count",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, ANN, "Applied to my for-next branch.")},
	 {{0}},
	 {"r@x: fix-posted open", "fix=-/fs: speed it up/posted",
	  "not-counted Ann <ann@example.org> a@x says-applied, but the patch is the "
	  "sender's own: Applied to my for-next branch."}},
	{"said by who commits to a tree",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, IDA, "Applied to for-next, thanks.")},
	 {OLD},
	 {"r@x: applied open",
	  "fix=-/fs: speed it up/applied mainline:no next:no stable:no",
	  "says-applied Ida"}},
	{"he goes by his name, too",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, "Ida Brandt <brandt@example.com>",
		  "Applied to for-next, thanks.")},
	 {OLD},
	 {"r@x: applied open"}},
	{"said by who commits to none",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, BO, "Applied to for-next, thanks.")},
	 {OLD},
	 {"r@x: fix-posted open", "fix=-/fs: speed it up/posted",
	  "not-counted Bo Lind <bo@example.org> a@x says-applied, but the sender is "
	  "not known to bring patches into a tree: Applied to for-next, "
	  "thanks."}},
	{"said by whom git bore out thrice",
	 {TRACKED, PROOF("1", 1), PROOF("2", 1), PROOF("3", 1), MENDS(2),
	  ANSWERS("a@x", "p@x", 3, BO, "Applied to for-next, thanks.")},
	 {TIDY("c", "1"), TIDY("d", "2"), TIDY("e", "3")},
	 {"r@x: applied open", "fix=-/fs: speed it up/applied"}},
	{"thrice, but later",
	 {TRACKED, PROOF("1", 1), PROOF("2", 1), PROOF("3", 4), MENDS(2),
	  ANSWERS("a@x", "p@x", 3, BO, "Applied to for-next, thanks.")},
	 {TIDY("c", "1"), TIDY("d", "2"), TIDY("e", "3")},
	 {"r@x: fix-posted open", "not-counted Bo"}},
	{"twice is not enough",
	 {TRACKED, PROOF("1", 1), PROOF("2", 1), PROOF("3", 1), MENDS(2),
	  ANSWERS("a@x", "p@x", 3, BO, "Applied to for-next, thanks.")},
	 {TIDY("c", "1"), TIDY("d", "2")},
	 {"r@x: fix-posted open", "not-counted Bo"}},
	{"taken out again",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, IDA, "Applied, thanks."),
	  ANSWERS("b@x", "p@x", 4, IDA, "I've dropped this patch again.")},
	 {OLD},
	 {"r@x: fix-posted open", "fix=-/fs: speed it up/posted",
	  "dropped Ida"}},
	{"taken out of his own tree by who has no say",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, IDA, "Applied, thanks."),
	  ANSWERS("b@x", "p@x", 4, BO, "I've dropped this patch again.")},
	 {OLD},
	 {"r@x: applied open", "fix=-/fs: speed it up/applied",
	  "not-counted Bo"}},
	{"what git shows outweighs what is said",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, IDA, "Applied, thanks."),
	  ANSWERS("b@x", "p@x", 5, IDA, "I've dropped this patch again.")},
	 {OLD,
	  {"next", "a", "fs: speed it up",
	   "Link: https://lore.kernel.org/r/p@x/\n", 4}},
	 {"r@x: applied open",
	  "fix=aaaaaaa/fs: speed it up/applied mainline:no next:yes",
	  "applied Ida Brandt <ida@example.org> - fs: speed it up: in next"}},
	{"and ends it",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, BO, "Applied, thanks.")},
	 {OLD,
	  {"mainline", "a", "fs: speed it up",
	   "Link: https://lore.kernel.org/r/p@x/\n", 4}},
	 {"r@x: fixed closed", "fix=aaaaaaa/fs: speed it up/merged",
	  "not-counted Bo"}},
	{"a new version is promised by its author",
	 {TRACKED, MENDS(2), ANSWERS("b@x", "p@x", 3, BO, "Please fix it."),
	  ANSWERS("a@x", "b@x", 4, ANN, "Good catch, will fix in v2.")},
	 {{0}},
	 {"r@x: fix-posted open",
	  "version-promised Ann <ann@example.org> a@x Good catch",
	  "waits for fix-author since 4: a new version was promised, Ann"}},
	{"and was sent",
	 {TRACKED,
	  MENDS(2),
	  ANSWERS("a@x", "p@x", 4, ANN, "I'll send a v2."),
	  {"q@x", NULL, "[PATCH v2] fs: speed it up",
	   "Closes: https://lore.kernel.org/r/r@x/" DIFF, 5, ANN}},
	 {{0}},
	 {"r@x: fix-posted open", "version-promised Ann",
	  "waits for maintainer since 5: a fix is posted"}},
	{"a new version of others can nobody promise",
	 {TRACKED, MENDS(2), ANSWERS("a@x", "p@x", 3, BO, "I'll send a v2.")},
	 {{0}},
	 {"waits for maintainer since 2: a fix is posted"}},
	{"a fix is promised",
	 {TRACKED, ANSWERS("a@x", "r@x", 2, ANN, "I'll send a fix.")},
	 {{0}},
	 {"r@x: reported open",
	  "waits for fix-author since 2: a fix or a new version was promised, "
	  "Ann"}},
	{"it is promised to apply it",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, IDA, "I'll queue it for 6.9.")},
	 {OLD},
	 {"r@x: fix-posted open", "promised Ida",
	  "waits for maintainer since 3: it was promised to apply the fix, "
	  "Ida"}},
	{"but not by who can't",
	 {TRACKED, MENDS(2),
	  ANSWERS("a@x", "p@x", 3, BO, "I'll queue it for 6.9.")},
	 {OLD},
	 {"not-counted Bo", "waits for maintainer since 2: a fix is posted"}},
	{"meant so, says the author of the culprit",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  ANSWERS("a@x", "r@x", 2, IDA, "This is expected: a trade-off.")},
	 {OLD},
	 {"r@x: bisected open", "intended Ida Brandt <ida@example.org> a@x",
	  "waits for reporter since 2: the author of the culprit says that it "
	  "is intended, Jo Wu"}},
	{"not if somebody else says so",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  ANSWERS("a@x", "r@x", 2, BO, "This is expected: a trade-off.")},
	 {OLD},
	 {"r@x: bisected open", "no fix is known"}},
	{"nor when it was reopened",
	 {REPORT("#regzbot introduced: bbbbbbbbbbbb"),
	  ANSWERS("a@x", "r@x", 2, IDA, "This is expected: a trade-off."),
	  ANSWERS("b@x", "a@x", 3, IDA, "#regzbot expected: so"),
	  ANSWERS("c@x", "b@x", 4, BO, "#regzbot reopen: no")},
	 {OLD},
	 {"r@x: bisected open", "no fix is known"}},
};

TRACK_CASE_TESTS(cases)

static Suite *make_suite(void)
{
	Suite *s = suite_create("notices");
	TCase *t = tcase_create("notices");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, states);
	tcase_add_test(t, orders);
	tcase_add_test(t, copies);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(make_suite)
