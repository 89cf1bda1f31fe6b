/* item_letters.h - the mails that test_items.c puts together: a report, what
 * may be a fix of it, and tests of fixes. Invented but for the robot's form. */
#ifndef TESTS_DB_ITEM_LETTERS_H
#define TESTS_DB_ITEM_LETTERS_H

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

static inline GBytes *letter_bytes(const struct letter *l)
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

static inline void put_letter(store *st, const struct letter *l)
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

#endif
