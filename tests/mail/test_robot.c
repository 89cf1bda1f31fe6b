/* test_robot.c - whose mail it is and what kind: invented mails of every
 * robot, and people's mails that look like them */
#include <string.h>

#include "mail/reading.h"

#include "tests/test.h"

#define SHA "0123456789abcdef0123456789abcdef01234567"
#define LKP "From: kernel test robot <lkp@intel.com>\n"
#define SYZ \
	"From: syzbot <syzbot+0123456789abcdef0123@syzkaller.appspotmail.com>\n"
#define SFR    "From: Stephen Rothwell <sfr@canb.auug.org.au>\n"
#define GREG   "From: Greg KH <gregkh@linuxfoundation.org>\n"
#define IRT    "In-Reply-To: <p@example.org>\n"
#define NONE   -1
#define QUOTED "On Mon, A Person wrote:\n> it is slow\n\nthanks\n"
#define PERF                                                        \
	"kernel test robot noticed a -5.0% regression of a.b on:\n" \
	"\ncommit: " SHA " (\"f: x\")\n"
#define FUNC                                                            \
	"kernel test robot noticed \"xfstests.generic.475.fail\" on:\n" \
	"\ncommit: " SHA " (\"f: x\")\n"
#define BUILD                                                                \
	"Hi A,\n\nkernel test robot noticed the following build errors:\n\n" \
	"[auto build test ERROR on f/next]\n\n"                              \
	"All errors (new ones prefixed by >>):\n\n"                          \
	">> fs/f.c:1:2: error: no x\n"
#define DIFF                                                              \
	"f: less\n\nSigned-off-by: A <a@example.org>\n---\n f.c | 2 +-\n" \
	" 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"              \
	"diff --git a/f.c b/f.c\n--- a/f.c\n+++ b/f.c\n"                  \
	"@@ -1 +1 @@\n-a\n+b\n"

static const struct {
	const char *head;
	const char *subject;
	const char *text;
	const char *robot; /* NULL: a person */
	enum mail_kind kind;
	int category;
} cases[] = {
	/* the kernel test robot */
	{LKP, "[f]  0123456789:  a.b -5.0% regression", PERF,
	 "kernel-test-robot", KIND_REPORT, REPORT_PERFORMANCE},
	{LKP, "[f] 0123456789: xfstests.generic.475.fail", FUNC,
	 "kernel-test-robot", KIND_REPORT, REPORT_FUNCTIONAL},
	{LKP IRT, "Re: [PATCH] f: x", BUILD, "kernel-test-robot", KIND_REPORT,
	 REPORT_BUILD},
	{LKP, "[f:next] BUILD SUCCESS " SHA,
	 "tree/branch: https://git.example.org/f.git next\n"
	 "branch HEAD: " SHA "  f: x\n",
	 "kernel-test-robot", KIND_REPORT, REPORT_SUMMARY},
	{LKP IRT, "[PATCH] f: fix boolreturn.cocci warnings", DIFF,
	 "kernel-test-robot", KIND_PATCH, NONE},
	{"From: kenel test robot <oliver.sang@intel.com>\n",
	 "[f] 0123456789: a.b -5.0% regression", PERF, "kernel-test-robot",
	 KIND_REPORT, REPORT_PERFORMANCE},
	{"From: kernel test robot <new.engineer@intel.com>\n",
	 "[f] 0123456789: a.b -5.0% regression", PERF, "kernel-test-robot",
	 KIND_REPORT, REPORT_PERFORMANCE},
	{"From: Rong Chen <rong.a.chen@intel.com>\n",
	 "[f] 0123456789: a.b -5.0% regression", PERF, "kernel-test-robot",
	 KIND_REPORT, REPORT_PERFORMANCE},
	{"From: Oliver Sang <oliver.sang@intel.com>\n" IRT,
	 "Re: [f] 0123456789: a.b -5.0% regression", QUOTED, NULL, KIND_REPLY,
	 NONE},
	{"From: Oliver Sang <oliver.sang@intel.com>\n" IRT,
	 "Re: [f] 0123456789: a.b -5.0% regression",
	 QUOTED "\nI show it again:\n" PERF, NULL, KIND_REPLY, NONE},
	{"From: kernel test robot <oliver.sang@intel.com>\n" IRT,
	 "Re: [f] 0123456789: a.b -5.0% regression", QUOTED, NULL, KIND_REPLY,
	 NONE},
	{"From: kernel test robot <robot@example.org>\n",
	 "[f] 0123456789: a.b -5.0% regression", PERF, "robot", KIND_NOTICE,
	 NONE},
	{"From: kernel test robot <lkp@intel.com.example.org>\n",
	 "[f] 0123456789: a.b -5.0% regression", PERF, NULL, KIND_OTHER, NONE},
	{"From: A Person <a@example.org>\n",
	 "Fwd: [f] 0123456789: a.b -5.0% regression",
	 "see below\n\n-----Original Message-----\n" PERF, NULL, KIND_OTHER,
	 NONE},
	{"From: A Person <a.person@intel.com>\n", "[PATCH] f: faster",
	 PERF "\n" DIFF, NULL, KIND_PATCH, NONE},
	{"From: Oliver Sang <oliver.sang@intel.com>\n", "[PATCH] f: faster",
	 PERF "\n" DIFF, NULL, KIND_PATCH, NONE},
	/* syzbot */
	{SYZ, "[syzbot] [f?] WARNING in f",
	 "Hello,\n\nsyzbot found the following issue on:\n\n", "syzbot",
	 KIND_REPORT, REPORT_FUNCTIONAL},
	{SYZ IRT, "Re: [syzbot] WARNING in f",
	 "syzbot has found a reproducer for the following issue on:\n",
	 "syzbot", KIND_REPORT, REPORT_FUNCTIONAL},
	{SYZ IRT, "Re: [syzbot] WARNING in f",
	 "syzbot has bisected this issue to:\n\ncommit " SHA "\n", "syzbot",
	 KIND_REPORT, REPORT_FUNCTIONAL},
	{SYZ, "net boot error: BUG: x in f",
	 "Hello,\n\nsyzbot found the following crash on:\n", "syzbot",
	 KIND_REPORT, REPORT_BOOT},
	{SYZ IRT, "Re: [syzbot] WARNING in f",
	 "Hello,\n\nsyzbot has tested the proposed patch and the reproducer "
	 "did not trigger any issue:\n",
	 "syzbot", KIND_NOTICE, NONE},
	{SYZ IRT, "Re: [syzbot] WARNING in f",
	 "syzbot suspects this issue was fixed by commit:\n", "syzbot",
	 KIND_NOTICE, NONE},
	{SYZ IRT, "Re: [syzbot] WARNING in f",
	 "> syzbot found the following issue on:\n> x\n\nThis crash does not "
	 "have a reproducer. I cannot test it.\n",
	 "syzbot", KIND_NOTICE, NONE},
	{"From: syzbot <syzbot+list0123456789abcdef@syzkaller.appspotmail."
	 "com>\n",
	 "[syzbot] Monthly f report (Apr 2023)",
	 "Hello f maintainers,\n\nThis is a 31-day syzbot report for the f "
	 "subsystem.\n",
	 "syzbot", KIND_REPORT, REPORT_SUMMARY},
	{"From: syzbot ci <syzbot+ci0123456789abcdef@syzkaller.appspotmail."
	 "com>\n" IRT,
	 "[syzbot ci] Re: f: do less",
	 "syzbot ci has tested the following series\n\n[v1] f: do less\n\n"
	 "and found the following issue:\n* WARNING in f\n",
	 "syzbot", KIND_REPORT, REPORT_FUNCTIONAL},
	{"From: syzbot <a@example.org>\n", "[syzbot] WARNING in f",
	 "syzbot found the following issue on:\n", NULL, KIND_OTHER, NONE},
	/* test systems */
	{"From: \"kernelci.org bot\" <bot@kernelci.org>\n"
	 "X-Kernelci-Report-Type: boot\n",
	 "next/master boot: 239 boots: 2 failed (next-20200101)", "x\n",
	 "kernelci", KIND_REPORT, REPORT_BOOT},
	{"From: \"kernelci.org bot\" <bot@kernelci.org>\n",
	 "next/master build: 2 builds: 0 failed (next-20200101)", "x\n",
	 "kernelci", KIND_REPORT, REPORT_BUILD},
	{"From: KernelCI bot <bot@kernelci.org>\n",
	 "[STATUS] next/master - " SHA,
	 "Builds: 1\n\n### POSSIBLE REGRESSIONS\n\n- x\n", "kernelci",
	 KIND_REPORT, REPORT_SUMMARY},
	{"From: KernelCI bot <bot@kernelci.org>\n",
	 "[REGRESSION] next/master: (build) error in f.o", "x\n", "kernelci",
	 KIND_REPORT, REPORT_BUILD},
	{"From: lkft@linaro.org\n",
	 "[REGRESSION] lkft kselftest for next-20200101",
	 "## Build\n* kernel: 5.5\n* git commit: " SHA "\n\n"
	 "## Test Regressions (compared to next-20191231)\n* x15, f-test\n",
	 "lkft", KIND_REPORT, REPORT_FUNCTIONAL},
	{"From: Naresh Kamboju <naresh.kamboju@linaro.org>\n",
	 "next: arm: f.c:1: error: no x",
	 "it failed.\n\nReported-by: Linux Kernel Functional Testing "
	 "<lkft@linaro.org>\n",
	 "lkft", KIND_REPORT, REPORT_BUILD},
	{"From: Naresh Kamboju <naresh.kamboju@linaro.org>\n" IRT,
	 "Re: [PATCH] f", QUOTED, NULL, KIND_REPLY, NONE},
	{"From: Naresh <naresh@example.org>\n", "PLEASE CONFIRM PURCHASE ORDER",
	 "hello\n\nReported-by: Linux Kernel Functional Testing "
	 "<lkft@linaro.org>\n",
	 NULL, KIND_OTHER, NONE},
	{"From: CKI Project <cki-project@redhat.com>\n",
	 "FAIL: Test report for kernel 5.5 (stable)", "Overall result: x\n",
	 "cki", KIND_REPORT, REPORT_FUNCTIONAL},
	{"From: CKI Project <cki-project@redhat.com>\n",
	 "PASS: Test report for kernel 5.5 (stable)", "Overall result: x\n",
	 "cki", KIND_REPORT, REPORT_SUMMARY},
	{"From: coverity-bot <keescook@chromium.org>\n",
	 "Coverity: f_do(): OVERRUN",
	 "Hello!\n\n*** CID 1234:  (OVERRUN)\n/fs/f.c: 12 in f_do()\n",
	 "coverity", KIND_REPORT, REPORT_BUILD},
	{"From: Kees Cook <keescook@chromium.org>\n", "Coverity: a question",
	 "who looks at it?\n", NULL, KIND_OTHER, NONE},
	/* linux-next */
	{SFR, "linux-next: build failure after merge of the f tree",
	 "Hi all,\n\nAfter merging the f tree, today's linux-next build "
	 "(x86_64 allmodconfig)\nfailed like this:\n\nfs/f.c:1:2: error: no "
	 "x\n\nCaused by commit\n\n  0123456789ab (\"f: x\")\n",
	 "linux-next", KIND_REPORT, REPORT_BUILD},
	{SFR, "linux-next: manual merge of the f tree with the g tree",
	 "Hi all,\n\nToday's linux-next merge of the f tree got a conflict "
	 "in:\n",
	 "linux-next", KIND_NOTICE, NONE},
	{SFR, "linux-next: Fixes tag needs some work in the f tree",
	 "Hi all,\n\nIn commit\n", "linux-next", KIND_NOTICE, NONE},
	{SFR, "linux-next: Tree for Jan 1", "Hi all,\n", "linux-next",
	 KIND_NOTICE, NONE},
	{SFR IRT, "Re: linux-next: build failure after merge of the f tree",
	 QUOTED, NULL, KIND_REPLY, NONE},
	{"From: A Person <a@example.org>\n",
	 "linux-next: build failure after merge of the f tree",
	 "After merging the f tree\n", NULL, KIND_OTHER, NONE},
	/* what tells where patches went */
	{GREG, "Patch \"f: x\" has been added to the 6.1-stable tree", "x\n",
	 "stable", KIND_NOTICE, NONE},
	{GREG,
	 "FAILED: patch \"[PATCH] f: x\" failed to apply to 6.1-stable "
	 "tree",
	 "The patch below does not apply\n", "stable", KIND_NOTICE, NONE},
	{"From: A Person <a@example.org>\n",
	 "Patch \"f: x\" has been added to the 6.1-stable tree", "is it?\n",
	 NULL, KIND_OTHER, NONE},
	{GREG IRT, "Re: FAILED: patch \"f\" failed to apply", QUOTED, NULL,
	 KIND_REPLY, NONE},
	{"From: Sasha Levin <sashal@kernel.org>\n",
	 "[PATCH AUTOSEL 6.6 1/2] f: x", DIFF, "autosel", KIND_PATCH, NONE},
	{"From: Sasha Levin <sashal@kernel.org>\n" IRT,
	 "Re: [PATCH AUTOSEL 6.6 1/2] f: x", QUOTED, NULL, KIND_REPLY, NONE},
	{"From: tip-bot2 for A Person <tip-bot2@linutronix.de>\n",
	 "[tip: x86/urgent] f: x", DIFF, "tip-bot", KIND_NOTICE, NONE},
	{"From: tip-bot for A Person <tipbot@zytor.com>\n",
	 "[tip:x86/urgent] f: x", DIFF, "tip-bot", KIND_NOTICE, NONE},
	{"From: pr-tracker-bot@kernel.org\n" IRT, "Re: [GIT PULL] f",
	 "has been merged\n", "pr-tracker-bot", KIND_NOTICE, NONE},
	{"From: patchwork-bot+f2fs@kernel.org\n" IRT, "Re: [PATCH] f: x",
	 "Hello:\n\nThis patch was applied to f.git (dev)\n", "patchwork-bot",
	 KIND_NOTICE, NONE},
	{"From: patchwork-bot+f2fs--- via Linux-f2fs-devel "
	 "<linux-f2fs-devel@lists.sourceforge.net>\n"
	 "Reply-To: patchwork-bot+f2fs@kernel.org\n"
	 "List-Id: <linux-f2fs-devel.lists.sourceforge.net>\n" IRT,
	 "Re: [f2fs-dev] [PATCH] f: x", "This patch was applied\n",
	 "patchwork-bot", KIND_NOTICE, NONE},
	{"From: akpm@linux-foundation.org\n",
	 "+ f-x.patch added to mm-unstable branch", DIFF, "mm-queue",
	 KIND_NOTICE, NONE},
	/* trackers and others */
	{"From: bugzilla-daemon@kernel.org\n", "[Bug 1] New: f is slow", "x\n",
	 "bugzilla", KIND_NOTICE, NONE},
	{"From: owner@bugs.debian.org (Debian Bug Tracking System)\n",
	 "Bug#1: f is slow", "x\n", "debian-bts", KIND_NOTICE, NONE},
	{"From: bot+bpf-ci@kernel.org\n" IRT, "Re: [PATCH bpf] f",
	 "> +x\n\nIs it?\n", "bpf-ci", KIND_NOTICE, NONE},
	{"From: \"Regzbot (on behalf of A Person)\" "
	 "<regressions@leemhuis.info>\n",
	 "Linux regressions report for mainline", "Hi!\n", "regzbot",
	 KIND_NOTICE, NONE},
	{"From: A Person <regressions@leemhuis.info>\n" IRT, "Re: f is slow",
	 QUOTED, NULL, KIND_REPLY, NONE},
	{"From: A Person <a@example.org>\nAuto-Submitted: auto-replied\n" IRT,
	 "Away: f", "I am away\n", "robot", KIND_NOTICE, NONE},
	{"From: F Tests <f@example.org>\nX-F-Report-Type: nightly\n", "f: ok",
	 "x\n", "robot", KIND_NOTICE, NONE},
	{"From: build-bot@example.org\n", "f: ok", "x\n", "robot", KIND_NOTICE,
	 NONE},
	{"From: John Robot <john.robot@example.org>\n", "f", "hello\n", NULL,
	 KIND_OTHER, NONE},
	{"From: A Abbot <abbot@example.org>\n", "f", "hello\n", NULL,
	 KIND_OTHER, NONE},
	{"From: Robot <robot@example.org>\n" IRT, "Re: f", QUOTED, NULL,
	 KIND_REPLY, NONE},
	{"From: A Person <a@example.org>\nAuto-Submitted: no\n", "f", "x\n",
	 NULL, KIND_OTHER, NONE},
};

static struct reading *read_mail(const char *head, const char *subject,
				 const char *text)
{
	g_autofree char *raw =
		g_strdup_printf("%sSubject: %s\nMessage-ID: <r@example.org>\n"
				"Date: Mon, 1 Jan 2024 10:00:00 +0800\n\n%s",
				head, subject, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	return reading_new(msg);
}

START_TEST(test_who)
{
	g_autoptr(reading_auto) r =
		read_mail(cases[_i].head, cases[_i].subject, cases[_i].text);
	const char *name = r->robot ? r->robot->name : NULL;

	ck_assert_msg(g_strcmp0(name, cases[_i].robot) == 0, "%s%s: by %s",
		      cases[_i].head, cases[_i].subject,
		      name ? name : "a person");
	ck_assert_msg(r->kind == cases[_i].kind, "%s%s: %s", cases[_i].head,
		      cases[_i].subject, mail_kind_name(r->kind));
	if (cases[_i].category == NONE) {
		ck_assert_ptr_null(r->report);
		return;
	}
	ck_assert_ptr_nonnull(r->report);
	ck_assert_str_eq(r->report->robot, cases[_i].robot);
	ck_assert_int_eq((int)r->report->category, cases[_i].category);
}
END_TEST

/* The same mail in a person's reply is nobody's report. */
START_TEST(test_quoted)
{
	g_autoptr(GString) s = g_string_new("A Robot wrote:\n");
	g_auto(GStrv) lines = g_strsplit(cases[_i].text, "\n", -1);
	g_autofree char *subject = g_strconcat("Re: ", cases[_i].subject, NULL);
	g_autoptr(reading_auto) r = NULL;

	for (guint i = 0; lines[i]; i++)
		g_string_append_printf(s, "> %s\n", lines[i]);
	r = read_mail("From: A Person <a@example.org>\n" IRT, subject, s->str);
	ck_assert_ptr_null(r->robot);
	ck_assert_ptr_null(r->report);
	ck_assert_int_eq(r->kind, KIND_REPLY);
}
END_TEST

/* Each name once, and every row works on an empty mail. */
START_TEST(test_table)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(reading_auto) r =
		read_mail("From: A <a@example.org>\n", "", "");

	for (const struct robot *t = robot_table(); t->name; t++) {
		ck_assert(g_hash_table_add(names, (gpointer)t->name));
		ck_assert(!t->wrote(r->msg, r->subject, r->body));
	}
	ck_assert_uint_gt(g_hash_table_size(names), 15);
}
END_TEST

static Suite *robot_suite(void)
{
	Suite *s = suite_create("robot");
	TCase *t = tcase_create("robot");

	tcase_add_loop_test(t, test_who, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(t, test_quoted, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, test_table);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(robot_suite)
