/* test_git_line.c - scissors, rules and diffstats, as git tells them */
#include <string.h>

#include "mail/git_line.h"

#include "tests/test.h"

/* As `git mailinfo --scissors` of git 2.39 has them, but for the sign. */
static const struct {
	const char *line;
	gboolean cuts;
} scissors[] = {
	{"-- >8 --", TRUE},
	{" -- 8< --", TRUE},
	{"---8<----", TRUE},
	{"-------8<", TRUE},
	{"- - - >8 - - -", TRUE},
	{"-- >8 -- cut here and more", TRUE},
	{"-- >8 -- cut here and more words than that", FALSE},
	{"[PATCH]>%", TRUE},
	{"cut-- 8<", FALSE},
	{"-.here>8", FALSE},
	{"------>8", FALSE}, /* of the last blade one byte is counted */
	{"-- \xe2\x9c\x82 --", TRUE},
	{"---[ cut here ]---", FALSE},
	{"------------", FALSE},
	{"8<", FALSE},
	{"        ", FALSE},
	{"", FALSE},
};

START_TEST(test_scissors)
{
	gsize len = strlen(scissors[_i].line);
	g_autofree char *copy = g_memdup2(scissors[_i].line, MAX(len, 1));

	ck_assert_int_eq(git_line_is_scissors(copy, len), scissors[_i].cuts);
}
END_TEST

static const struct {
	const char *line;
	gboolean rule, stat, sum;
} lines[] = {
	{"---", TRUE, FALSE, FALSE},
	{"--- \r", TRUE, FALSE, FALSE},
	{"----", FALSE, FALSE, FALSE},
	{"--- a", FALSE, FALSE, FALSE},
	{"--", FALSE, FALSE, FALSE},
	{" fs/x.c | 12 ++--", FALSE, TRUE, FALSE},
	{" fs/x.c |  1 +\r", FALSE, TRUE, FALSE},
	{" {a => b}/x.c | 0", FALSE, TRUE, FALSE},
	{" a.png | Bin 0 -> 3 bytes", FALSE, TRUE, FALSE},
	{" a | 3 of them", FALSE, FALSE, FALSE},
	{"fs/x.c | 12 ++--", FALSE, FALSE, FALSE},
	{"  a | b", FALSE, FALSE, FALSE},
	{" fs/x.c|12", FALSE, FALSE, FALSE},
	{" |    1", FALSE, FALSE, FALSE},
	{" 1 file changed, 1 insertion(+)", FALSE, FALSE, TRUE},
	{" 12 files changed, 3 deletions(-)", FALSE, FALSE, TRUE},
	{"1 file changed, 1 insertion(+)", FALSE, FALSE, FALSE},
	{" many files changed", FALSE, FALSE, FALSE},
	{"", FALSE, FALSE, FALSE},
};

START_TEST(test_lines)
{
	gsize len = strlen(lines[_i].line);
	g_autofree char *copy = g_memdup2(lines[_i].line, MAX(len, 1));

	ck_assert_int_eq(git_line_is_rule(copy, len), lines[_i].rule);
	ck_assert_int_eq(git_line_is_stat(copy, len), lines[_i].stat);
	ck_assert_int_eq(git_line_is_stat_sum(copy, len), lines[_i].sum);
}
END_TEST

static Suite *git_line_suite(void)
{
	Suite *s = suite_create("git_line");
	TCase *t = tcase_create("git_line");

	tcase_add_loop_test(t, test_scissors, 0, G_N_ELEMENTS(scissors));
	tcase_add_loop_test(t, test_lines, 0, G_N_ELEMENTS(lines));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(git_line_suite)
