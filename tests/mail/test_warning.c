/* test_warning.c - warnings: kept once, bounded, printable */
#include <string.h>

#include "mail/warning.h"

#include "tests/test.h"

static const struct warning *at(GPtrArray *w, guint i)
{
	ck_assert_uint_lt(i, w->len);
	return g_ptr_array_index(w, i);
}

START_TEST(kept_once)
{
	g_autoptr(GPtrArray) w = warnings_new();

	warnings_add(w, "bad-date", "Date '%s' is none", "soon");
	warnings_add(w, "bad-date", "Date '%s' is none", "soon");
	warnings_add(w, "bad-date", "Date '%s' is none", "later");
	warnings_add(w, "no-from", "Date '%s' is none", "soon");
	ck_assert_uint_eq(w->len, 3);
	ck_assert_str_eq(at(w, 0)->code, "bad-date");
	ck_assert_str_eq(at(w, 0)->text, "Date 'soon' is none");
	ck_assert_str_eq(at(w, 2)->code, "no-from");
}
END_TEST

START_TEST(bounded)
{
	g_autoptr(GPtrArray) w = warnings_new();

	for (int i = 0; i < WARNINGS_MAX; i++)
		warnings_add(w, "x", "number %d", i);
	ck_assert_uint_eq(w->len, WARNINGS_MAX);
	warnings_add(w, "x", "number %d", 3);
	ck_assert_uint_eq(w->len, WARNINGS_MAX);
	warnings_add(w, "x", "one too many");
	ck_assert_uint_eq(w->len, WARNINGS_MAX + 1);
	ck_assert_str_eq(at(w, WARNINGS_MAX)->code, "more");
	ck_assert_str_eq(at(w, WARNINGS_MAX)->text, "1 further warning");
	for (int i = 0; i < 1000; i++)
		warnings_add(w, "y", "number %d", i);
	ck_assert_uint_eq(w->len, WARNINGS_MAX + 1);
	ck_assert_str_eq(at(w, WARNINGS_MAX)->text, "1001 further warnings");
}
END_TEST

static const struct {
	const char *arg;
	const char *text;
} visible_cases[] = {
	{"plain \xc3\xa9", "<plain \xc3\xa9>"},
	{"a\nb\tc", "<a\\x0ab\\x09c>"},
	{"\xe9t\xe9", "<\\xe9t\\xe9>"},
	{"cut \xe2\x82", "<cut \\xe2\\x82>"},
	{"\x1b[31m\x7f", "<\\x1b[31m\\x7f>"},
	{"\xc2\x9b", "<\\x9b>"},
	{"a\xe2\x80\xae"
	 "b",
	 "<a\\x202eb>"},
	{"", "<>"},
};

START_TEST(printable)
{
	g_autoptr(GPtrArray) w = warnings_new();

	warnings_add(w, "x", "<%s>", visible_cases[_i].arg);
	ck_assert_str_eq(at(w, 0)->text, visible_cases[_i].text);
	ck_assert(g_utf8_validate(at(w, 0)->text, -1, NULL));
}
END_TEST

START_TEST(long_text)
{
	g_autoptr(GPtrArray) w = warnings_new();
	g_autofree char *date = g_strnfill(1000000, '1');

	warnings_add(w, "bad-date", "Date: %s", date);
	ck_assert_uint_le(strlen(at(w, 0)->text), WARNING_MAX_TEXT + 20);
	ck_assert(g_str_has_prefix(at(w, 0)->text, "Date: 111"));
	ck_assert(g_str_has_suffix(at(w, 0)->text, "1..."));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("warning");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, kept_once);
	tcase_add_test(tc, bounded);
	tcase_add_loop_test(tc, printable, 0, G_N_ELEMENTS(visible_cases));
	tcase_add_test(tc, long_text);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
