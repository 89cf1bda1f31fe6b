/* test_reading.c - the kind of a mail, and which of its parts is read how */
#include <string.h>

#include "mail/reading.h"

#include "tests/test.h"

#define IRT   "In-Reply-To: <p@example.org>\n"
#define ROBOT "From: kernel test robot <lkp@intel.com>\n"
#define DIFF                                                  \
	"diff --git a/f b/f\nindex 1111111..2222222 100644\n" \
	"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
#define STAT  " f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n"
#define SOB   "Signed-off-by: A Person <a@example.org>\n"
#define PATCH "Why.\n\n" SOB "---\n" STAT "\n" DIFF "-- \n2.40.0\n"
#define REPLY                                             \
	"On 3/3/20, B Person wrote:\n> Why.\n> " SOB "\n" \
	"Good.\n\nReviewed-by: A Person <a@example.org>\n"
#define PULL                                                           \
	"The following changes since commit "                          \
	"0123456789abcdef0123456789abcdef01234567:\n\n  Linux 6.5\n\n" \
	"are available in the Git repository at:\n\n"                  \
	"  https://git.example.org/linux.git tags/block-6.5\n\n"       \
	"for you to fetch changes up to "                              \
	"89abcdef0123456789abcdef0123456789abcdef:\n\n  a change\n\n"  \
	"A Person (1):\n      a change\n"
#define REPORT                                                            \
	"kernel test robot noticed a -5.0% regression of a.b on:\n\n"     \
	"commit: 0123456789abcdef0123456789abcdef01234567 (\"f: x\")\n\n" \
	"If you fix the issue, kindly add following tags\n"               \
	"Reported-by: kernel test robot <lkp@intel.com>\n"

static struct reading *read_mail(const char *headers, const char *subject,
				 const char *text)
{
	gboolean from = strstr(headers, "From: ") != NULL;
	g_autofree char *raw =
		g_strdup_printf("%s%sSubject: %s\nMessage-ID: <m@example.org>\n"
				"Date: Tue, 3 Mar 2020 10:00:00 +0100\n\n%s",
				from ? "" : "From: A Person <a@example.org>\n",
				headers, subject, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	return reading_new(msg);
}

static const struct kind_case {
	const char *headers;
	const char *subject;
	const char *text;
	enum mail_kind kind;
} kinds[] = {
	/* patches and covers */
	{"", "[PATCH] f: do less", PATCH, KIND_PATCH},
	{"", "[PATCH v2 1/3] f: do less", PATCH, KIND_PATCH},
	{IRT, "[PATCH v2 1/3] f: do less", PATCH, KIND_PATCH},
	{"", "[RFC PATCH] f: do less", PATCH, KIND_PATCH},
	{"", "[net,v2,1/2] f: do less", PATCH, KIND_PATCH},
	{"", "[PATCH AUTOSEL 6.6 1/2] f: do less", PATCH, KIND_PATCH},
	{"", "f: do less", PATCH, KIND_PATCH},
	{"", "[RFC] f: do less", PATCH, KIND_PATCH},
	{"", "[PATCH 0/3] less of f", "Hello.\n\n" STAT, KIND_COVER},
	{"", "[PATCH 00/13] less of f", "Hello.\n", KIND_COVER},
	{"", "[PATCH v2 0/3] less of f", "Since v1:\n\n" DIFF, KIND_COVER},
	{"", "[PATCHSET] less of f", "Hello.\n", KIND_COVER},
	{"", "[PATCH] less of f", "Hello.\n\n" STAT, KIND_COVER},
	{"", "[PATCH 0/2] please pull less of f", PULL, KIND_COVER},
	/* replies */
	{IRT, "Re: [PATCH] f: do less", REPLY, KIND_REPLY},
	{"", "Re: [PATCH] f: do less", REPLY, KIND_REPLY},
	{IRT, "AW: [PATCH] f: do less", REPLY, KIND_REPLY},
	{IRT, "Re: [PATCH] f: do less", "How about:\n\n" DIFF, KIND_REPLY},
	{IRT, "a question", "Hello.\n", KIND_REPLY},
	{IRT, "f: how about", PATCH, KIND_REPLY},
	{IRT, "Re: [GIT PULL] f", "Pulled.\n", KIND_REPLY},
	/* pulls */
	{"", "[GIT PULL] f for 6.5", PULL, KIND_PULL},
	{"", "[GIT PULL] f for 6.5", "see\n  https://git.example.org/x.git y\n",
	 KIND_PULL},
	{"", "[PULL 0/2] f queue", PULL, KIND_PULL},
	{"", "[PULL 1/2] f: do less", PATCH, KIND_PATCH},
	{"", "f for 6.5", PULL, KIND_PULL},
	/* robots */
	{ROBOT, "[f]  0123456789:  a.b -5.0% regression", REPORT, KIND_REPORT},
	{ROBOT IRT, "Re: [PATCH] f: do less", REPORT, KIND_REPORT},
	{"", "[f]  0123456789:  a.b -5.0% regression", REPORT, KIND_OTHER},
	{IRT, "Re: [f]  0123456789:  a.b -5.0% regression",
	 "On 3/3/20, kernel test robot wrote:\n> noticed a -5.0% regression\n"
	 "> of a.b on:\n",
	 KIND_REPLY},
	{ROBOT IRT, "Re: [PATCH] f: do less", "Hi A,\n\nbuild errors\n",
	 KIND_NOTICE},
	{ROBOT IRT, "[PATCH] f: fix boolreturn.cocci warnings", PATCH,
	 KIND_PATCH},
	{"From: kenel test robot <oliver.sang@intel.com>\n" IRT,
	 "Re: [PATCH] f: do less", "functional\n", KIND_NOTICE},
	{"From: Oliver Sang <oliver.sang@intel.com>\n" IRT,
	 "Re: [f] 0123456789: a.b -5.0% regression", "gone now\n", KIND_REPLY},
	{"From: syzbot <syzbot+0123456789abcdef0123@syzkaller.appspotmail.com>"
	 "\n",
	 "[syzbot] BUG in f", "Hello,\n", KIND_NOTICE},
	{"From: patchwork-bot+f2fs@kernel.org\n" IRT, "Re: [PATCH] f: x",
	 "This patch was applied\n", KIND_NOTICE},
	{"From: pr-tracker-bot@kernel.org\n" IRT, "Re: [GIT PULL] f",
	 "has been merged\n", KIND_NOTICE},
	{"From: tip-bot2 for A Person <tip-bot2@linutronix.de>\n",
	 "[tip: x86/urgent] f: do less", PATCH, KIND_NOTICE},
	{"From: Greg <gregkh@linuxfoundation.org>\n",
	 "Patch \"f: do less\" has been added to the 6.1-stable tree", PATCH,
	 KIND_NOTICE},
	{"From: Greg <gregkh@linuxfoundation.org>\n",
	 "FAILED: patch \"[PATCH] f\" failed to apply to 6.1-stable tree",
	 "The patch below does not apply\n", KIND_NOTICE},
	{"Auto-Submitted: auto-generated\n", "backup done", "ok\n",
	 KIND_NOTICE},
	{"From: A Bottomley <bottomley@example.org>\n", "hello", "hello\n",
	 KIND_OTHER},
	{"From: A Talbot <a.talbot@example.org>\n", "hello", "hello\n",
	 KIND_OTHER},
	/* anything else */
	{"", "hello", "hello\n", KIND_OTHER},
	{"", "", "", KIND_OTHER},
	{"", "a regression", "I see:\n\n" DIFF "with it it works\n",
	 KIND_OTHER},
	{"", "xfstests fail",
	 SOB "--- tests/f/1.out\n+++ /x/results/f/1.out.bad\n@@ -1 +1 @@\n"
	     "-a\n+b\n",
	 KIND_OTHER},
	{"", "[PATCH] a question about patches", "Hello.\n", KIND_OTHER},
};

START_TEST(test_kind)
{
	const struct kind_case *c = &kinds[_i];
	g_autoptr(reading_auto) r = read_mail(c->headers, c->subject, c->text);

	ck_assert_msg(r->kind == c->kind, "%s%s: %s, not %s", c->headers,
		      c->subject, mail_kind_name(r->kind),
		      mail_kind_name(c->kind));
	ck_assert_int_eq(r->pull != NULL,
			 c->kind == KIND_PULL &&
				 strstr(c->text, "git.ex") != NULL);
	ck_assert_int_eq(r->report != NULL, c->kind == KIND_REPORT);
	ck_assert_int_eq(r->patch != NULL,
			 c->kind == KIND_PATCH || c->kind == KIND_COVER ||
				 (c->kind == KIND_REPLY &&
				  strstr(c->text, "diff --git")));
}
END_TEST

/* "key where line" of each trailer */
static char *trailers(const struct reading *r)
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < r->trailers->len; i++) {
		const struct trailer *t = g_ptr_array_index(r->trailers, i);

		g_string_append_printf(s, "%s%s %d %u", i ? ", " : "", t->key,
				       t->where, t->line);
	}
	return g_string_free(s, FALSE);
}

/* The line of a trailer is one of the body. */
static void assert_lines(const struct reading *r)
{
	guint i;

	for (i = 0; i < r->trailers->len; i++) {
		const struct trailer *t = g_ptr_array_index(r->trailers, i);
		const struct body_line *l;

		ck_assert_uint_ge(t->line, 1);
		ck_assert_uint_le(t->line, body_count(r->body));
		l = body_line(r->body, t->line - 1);
		ck_assert(l->len > strlen(t->key) &&
			  g_ascii_strncasecmp(l->text, t->key,
					      strlen(t->key)) == 0);
	}
}

START_TEST(test_trailers)
{
	static const struct {
		const char *headers;
		const char *subject;
		const char *text;
		const char *trailers;
	} cases[] = {
		{"", "[PATCH] f: do less", PATCH, "Signed-off-by 0 3"},
		{"", "[PATCH] f: do less",
		 "From: B Person <b@example.org>\n\nWhy.\n\n" SOB
		 "---\nCc: c@example.org\n" STAT "\n" DIFF,
		 "Signed-off-by 0 5, Cc 1 7"},
		{"", "[PATCH 0/2] less", "Hello.\n\n" SOB "\n" STAT,
		 "Signed-off-by 1 3"},
		{IRT, "Re: [PATCH] f: do less", REPLY, "Reviewed-by 2 7"},
		{IRT, "Re: [PATCH] f: do less",
		 "How about:\n\n" DIFF "\nTested-by: C <c@example.org>\n",
		 "Tested-by 2 11"},
		/* what a robot offers is nobody's */
		{ROBOT, "[f] x", REPORT, ""},
		{"From: syzbot+1@syzkaller.appspotmail.com\n", "x", SOB, ""},
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(reading_auto) r =
			read_mail(cases[i].headers, cases[i].subject,
				  cases[i].text);
		g_autofree char *got = trailers(r);

		ck_assert_str_eq(got, cases[i].trailers);
		assert_lines(r);
	}
}
END_TEST

static gboolean has_warning(const struct reading *r, const char *code)
{
	guint i;

	for (i = 0; i < r->warnings->len; i++) {
		const struct warning *w = g_ptr_array_index(r->warnings, i);

		if (strcmp(w->code, code) == 0)
			return TRUE;
	}
	return FALSE;
}

START_TEST(test_warnings)
{
	g_autoptr(reading_auto) fine =
		read_mail("", "[PATCH] f: do less", PATCH);
	g_autoptr(reading_auto) damaged =
		read_mail("", "[PATCH] f: do less",
			  SOB "---\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+b\n"
			      "wrapped\n");
	g_autoptr(reading_auto) nul =
		read_mail("Content-Type: text/plain; charset=klingon\n",
			  "[PATCH f: do less", PATCH);

	GString *text = g_string_new(NULL);
	g_autoptr(reading_auto) many = NULL;

	for (guint i = 0; i < 101; i++)
		g_string_append(text, "#regzbot title: fs: slow\n");
	many = read_mail("", "fs: slow", text->str);
	g_string_free(text, TRUE);
	ck_assert(has_warning(many, "many-commands"));
	ck_assert_uint_eq(fine->warnings->len, 0);
	ck_assert(has_warning(damaged, "diff-damaged"));
	ck_assert(has_warning(nul, "unknown-charset"));
	ck_assert(has_warning(nul, "subject-bracket"));
}
END_TEST

/* An attached patch is the sender's own; one in a forwarded mail is not. */
START_TEST(test_own_diff)
{
	g_autoptr(reading_auto) attached =
		read_mail(IRT "Content-Type: multipart/mixed; boundary=b\n",
			  "Re: x",
			  "--b\n\nsee\n--b\nContent-Type: text/x-patch\n\n" DIFF
			  "\n--b--\n");
	g_autoptr(reading_auto) forwarded = read_mail(
		IRT, "Re: x",
		"-----Original Message-----\nFrom: B\nSent: x\n\n" DIFF);
	g_autoptr(reading_auto) quoted =
		read_mail(IRT, "Re: x",
			  "> --- a/f\n> +++ b/f\n> @@ -1 +1 @@\n");

	ck_assert(attached->patch && attached->patch->diff);
	ck_assert_ptr_null(forwarded->patch);
	ck_assert_ptr_null(quoted->patch);
}
END_TEST

/* Reading is a function of the bytes: twice the same, whatever was cut. */
START_TEST(test_cut_anywhere)
{
	const char *text = kinds[_i].text;
	gsize n;

	for (n = 0; n <= strlen(text); n += 3) {
		g_autofree char *cut = g_strndup(text, n);
		g_autoptr(reading_auto) r =
			read_mail(kinds[_i].headers, kinds[_i].subject, cut);

		ck_assert_ptr_nonnull(mail_kind_name(r->kind));
		ck_assert(r->kind == KIND_REPORT || !r->report);
		if (r->kind == KIND_PATCH)
			ck_assert_ptr_nonnull(r->patch);
	}
}
END_TEST

static Suite *reading_suite(void)
{
	Suite *s = suite_create("reading");
	TCase *t = tcase_create("reading");

	tcase_add_loop_test(t, test_kind, 0, G_N_ELEMENTS(kinds));
	tcase_add_test(t, test_trailers);
	tcase_add_test(t, test_warnings);
	tcase_add_test(t, test_own_diff);
	tcase_add_loop_test(t, test_cut_anywhere, 0, G_N_ELEMENTS(kinds));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(reading_suite)
