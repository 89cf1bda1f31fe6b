/* test_pull.c - pull requests: git's own words and people's */
#include "mail/pull.h"

#include "tests/test.h"

#define SINCE                                           \
	"The following changes since commit "           \
	"0123456789abcdef0123456789abcdef01234567:\n\n" \
	"  Linux 6.5 (2023-08-27 14:49:51 -0700)\n\n"
#define BASE  "0123456789abcdef0123456789abcdef01234567"
#define OFFER SINCE "are available in the Git repository at:\n\n"
#define LOG   "A Person (2):\n      one\n      two\n\nB (x) (1):\n      three\n"

static const struct {
	const char *text;
	gboolean said;
	const char *url; /* NULL: no pull request */
	const char *ref;
	const char *base;
	int commits;
} cases[] = {
	{OFFER "  https://git.example.org/linux.git tags/block-6.5\n\nfor "
	       "you to fetch changes up to 89abcdef:\n\n" LOG,
	 FALSE, "https://git.example.org/linux.git", "tags/block-6.5", BASE, 3},
	{OFFER "  git://git.example.org/linux \n\n", FALSE,
	 "git://git.example.org/linux", NULL, BASE, -1},
	{OFFER "  git://git.example.org/linux.git\nfor-linus\n\n", FALSE,
	 "git://git.example.org/linux.git", "for-linus", BASE, -1},
	{OFFER "  git://git.example.org/linux.git \\\n  for-linus\n\n", FALSE,
	 "git://git.example.org/linux.git", "for-linus", BASE, -1},
	{OFFER "  git@git.example.org:a/linux.git next\n", FALSE,
	 "git@git.example.org:a/linux.git", "next", BASE, -1},
	{OFFER "  ssh://git@example.org/linux.git next\n", FALSE,
	 "ssh://git@example.org/linux.git", "next", BASE, -1},
	{OFFER "  git+ssh://example.org/linux.git next\n", FALSE,
	 "git+ssh://example.org/linux.git", "next", BASE, -1},
	{OFFER "  https://example.org/any/where next\n", FALSE,
	 "https://example.org/any/where", "next", BASE, -1},
	{"Hi,\n\nplease pull from\n\n  git://example.org/x.git branch next\n",
	 FALSE, "git://example.org/x.git", "next", NULL, -1},
	{"Please pull https://github.com/user/repo/tree/next, thanks.\n", FALSE,
	 "https://github.com/user/repo", "next", NULL, -1},
	{"It is at <git://example.org/x.git>.\n", TRUE,
	 "git://example.org/x.git", NULL, NULL, -1},
	{"It is at <git://example.org/x.git>.\n", FALSE, NULL, NULL, NULL, 0},
	{"It was merged: https://git.example.org/c/0123456\n", TRUE, NULL, NULL,
	 NULL, 0},
	{"> are available in the Git repository at:\n>\n"
	 ">   git://example.org/x.git next\n\nPulled, thanks.\n",
	 TRUE, NULL, NULL, NULL, 0},
	{"I pull this code apart.\n", FALSE, NULL, NULL, NULL, 0},
	{"please pull it\n\nback.\n", FALSE, NULL, NULL, NULL, 0},
	{"(1234):\nplease pull git://example.org/x.git\n", FALSE,
	 "git://example.org/x.git", NULL, NULL, -1},
	{"", TRUE, NULL, NULL, NULL, 0},
};

START_TEST(test_cases)
{
	/* of its own, so that sanitizers see a byte too much */
	g_autofree char *text = g_strdup(cases[_i].text);
	g_autoptr(pull_auto) pull = pull_parse(text, cases[_i].said);

	if (!cases[_i].url) {
		ck_assert_ptr_null(pull);
		return;
	}
	ck_assert_ptr_nonnull(pull);
	ck_assert_str_eq(pull->url, cases[_i].url);
	ck_assert_pstr_eq(pull->ref, cases[_i].ref);
	ck_assert_pstr_eq(pull->base, cases[_i].base);
	ck_assert_int_eq(pull->commits, cases[_i].commits);
}
END_TEST

/* CRLF changes nothing. */
START_TEST(test_line_ends)
{
	g_auto(GStrv) split = g_strsplit(cases[_i].text, "\n", -1);
	g_autofree char *text = g_strjoinv("\r\n", split);
	g_autoptr(pull_auto) pull = pull_parse(text, cases[_i].said);

	ck_assert_pstr_eq(pull ? pull->url : NULL, cases[_i].url);
	ck_assert_pstr_eq(pull ? pull->ref : NULL, cases[_i].ref);
}
END_TEST

static Suite *pull_suite(void)
{
	Suite *suite = suite_create("pull");
	TCase *tc = tcase_create("pull");

	tcase_add_loop_test(tc, test_cases, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, test_line_ends, 0, G_N_ELEMENTS(cases));
	suite_add_tcase(suite, tc);
	return suite;
}

TEST_MAIN(pull_suite)
