/* test_wrap_text.c - paragraphs and headings of 72 columns */
#include <string.h>

#include "bot/weekly_entry.h"
#include "bot/wrap_text.h"

#include "tests/test.h"

#define TEN "123456789 "

static const struct {
	const char *text, *indent, *lines;
} cases[] = {
	{"", "", "\n"},
	{"a", "  ", "a\n"},
	{" a  b\n\tc ", "", "a b c\n"},
	{TEN TEN TEN TEN TEN TEN TEN "12", "",
	 TEN TEN TEN TEN TEN TEN TEN "12\n"},
	{TEN TEN TEN TEN TEN TEN TEN "123", "",
	 TEN TEN TEN TEN TEN TEN "123456789\n123\n"},
	{TEN TEN TEN TEN TEN TEN TEN "123 4", "  ",
	 TEN TEN TEN TEN TEN TEN "123456789\n  123 4\n"},
};

START_TEST(a_paragraph)
{
	g_autoptr(GString) out = g_string_new(NULL);

	text_wrap(out, cases[_i].text, cases[_i].indent);
	ck_assert_str_eq(out->str, cases[_i].lines);
}
END_TEST

/* Nothing is lost, nothing is too long but single words. */
START_TEST(any_words)
{
	g_autoptr(GRand) r = g_rand_new_with_seed((guint32)_i);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	for (guint n = 0; n < 200; n++) {
		g_autofree char *word = g_strnfill(
			(gsize)g_rand_int_range(r, 1, n % 50 ? 15 : 120), 'x');

		g_string_append_printf(text, "%s%s%s", n ? " " : "", word,
				       n % 7 ? "" : "\xc3\xa4\xe4\xb8\xad");
	}
	text_wrap(out, text->str, "    ");
	lines = g_strsplit(out->str, "\n", -1);
	for (guint n = 0; lines[n]; n++) {
		ck_assert(text_columns(lines[n], strlen(lines[n])) <=
				  MAIL_COLUMNS ||
			  !strchr(g_strchug(lines[n]), ' '));
		ck_assert(!g_str_has_suffix(lines[n], " "));
		g_strstrip(lines[n]);
	}
	g_string_assign(out, "");
	for (guint n = 0; lines[n]; n++)
		if (*lines[n])
			g_string_append_printf(out, "%s%s", n ? " " : "",
					       lines[n]);
	ck_assert_str_eq(out->str, text->str);
}
END_TEST

START_TEST(a_heading)
{
	g_autoptr(GString) out = g_string_new(NULL);

	text_heading(out, "\xc3\xa4 title", '-');
	ck_assert_str_eq(out->str, "\xc3\xa4 title\n-------\n");
	g_string_truncate(out, 0);
	text_heading(out, TEN TEN TEN TEN TEN TEN TEN TEN, '=');
	ck_assert(g_str_has_prefix(out->str, TEN TEN TEN));
	ck_assert(g_str_has_suffix(out->str, "\n123456789\n=============="
					     "============================="
					     "==========================\n"));
}
END_TEST

static const struct {
	const char *name, *phrase;
} phrases[] = {
	{"culprit", "culprit"},
	{"Reg Ression (bot)", "\"Reg Ression (bot)\""},
	{"a \"b\"", "\"a \\\"b\\\"\""},
	{"J\xc3\xb6rg", "=?UTF-8?B?SsO2cmc=?="},
	{"a\r\nBcc: x", "\"a  Bcc: x\""},
	{"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
	 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
	 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4",
	 "=?UTF-8?B?w6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOk"
	 "w6Q=?=\n =?UTF-8?B?w6Q=?="},
};

START_TEST(a_name_of_a_header)
{
	g_autofree char *phrase = weekly_phrase(phrases[_i].name);

	ck_assert_str_eq(phrase, phrases[_i].phrase);
}
END_TEST

/* What fits is left alone; what does not goes on below its beginning. */
START_TEST(behind_a_label)
{
	g_autoptr(GString) out = g_string_new("label  ");
	g_autofree char *words = g_strdup("a  b");
	g_autofree char *word = g_strnfill(90, 'x');
	g_autofree char *text = g_strconcat("one ", word, " two", NULL);
	g_autofree char *want = NULL;

	text_hang(out, words, 7);
	text_hang(out, text, 7);
	want = g_strconcat("label  a  b\none\n       ", word, "\n       two\n",
			   NULL);
	ck_assert_str_eq(out->str, want);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("wrap_text");
	TCase *c = tcase_create("wrap_text");

	tcase_add_loop_test(c, a_paragraph, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(c, any_words, 0, 10);
	tcase_add_test(c, a_heading);
	tcase_add_test(c, behind_a_label);
	tcase_add_loop_test(c, a_name_of_a_header, 0, G_N_ELEMENTS(phrases));
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
