/* test_address.c - people in headers and trailers */
#include <string.h>

#include "mail/address.h"

#include "tests/test.h"

static const struct {
	const char *value;
	const char *list; /* "name|address;" ... */
} list_cases[] = {
	{"a@x.org", "|a@x.org;"},
	{"<a@x.org>", "|a@x.org;"},
	{"A Person <a@x.org>", "A Person|a@x.org;"},
	{"A Person<a@x.org>", "A Person|a@x.org;"},
	{"\"Person, A\" <a@x.org>, B <b@x.org>",
	 "Person, A|a@x.org;B|b@x.org;"},
	{"\"A \\\"JD\\\" P\" <a@x.org>", "A \"JD\" P|a@x.org;"},
	{"a@x.org, b@x.org,c@x.org", "|a@x.org;|b@x.org;|c@x.org;"},
	{"a@x.org,, ,b@x.org,", "|a@x.org;|b@x.org;"},
	{"a@x.org (A Person)", "A Person|a@x.org;"},
	{"<a@x.org> (A Person)", "A Person|a@x.org;"},
	{"A Person (Company) <a@x.org>", "A Person (Company)|a@x.org;"},
	{"A Person <a@x.org> (maintainer:X)", "A Person|a@x.org;"},
	{"A.B. Person <a@x.org>", "A.B. Person|a@x.org;"},
	{"A Person <A.b+tag@X.org>", "A Person|A.b+tag@X.org;"},
	/* RFC 2047 */
	{"=?utf-8?B?w4k=?= X <a@x.org>", "\xc3\x89 X|a@x.org;"},
	{"\"=?utf-8?q?=C3=89?=\" <a@x.org>", "\xc3\x89|a@x.org;"},
	{"=?utf-8?q?A?= =?utf-8?q?B?= <a@x.org>", "AB|a@x.org;"},
	{"=?utf-8?q?Person=2C_A?= <a@x.org>, b@x.org",
	 "Person, A|a@x.org;|b@x.org;"},
	{"a@x.org (=?utf-8?q?=C3=89?=)", "\xc3\x89|a@x.org;"},
	{"=?utf-8?q?A_Person_=3Ca=40x=2Eorg=3E?=", "A Person|a@x.org;"},
	{"=?x-none?q?A?= <a@x.org>", "=?x-none?q?A?=|a@x.org;"},
	{"\xc9X <a@x.org>", "\xc3\x89X|a@x.org;"},
	{"\xc3\x89X <a@x.org>", "\xc3\x89X|a@x.org;"},
	/* groups */
	{"undisclosed-recipients:;", ""},
	{"unlisted-recipients:; (no To-header on input)", ""},
	{"Us: a@x.org, B <b@x.org>;, c@x.org", "|a@x.org;B|b@x.org;|c@x.org;"},
	/* damage */
	{"Person, A <a@x.org>", "Person|;A|a@x.org;"},
	{"A <a@x.org>; B <b@x.org>", "A|a@x.org;B|b@x.org;"},
	{"A <a@x.org> B <b@x.org>", "A|a@x.org;B|b@x.org;"},
	{"A <a@x.org> <b@x.org>", "A|a@x.org;|b@x.org;"},
	{"A <a@x.org> junk, b@x.org", "A|a@x.org;|b@x.org;"},
	{"A <a@x.org", "A|a@x.org;"},
	{"A <a@x.org, B <b@x.org>", "A|a@x.org;B|b@x.org;"},
	{"A <a@x.org>>", "A|a@x.org;"},
	{"A Person a@x.org", "A Person|a@x.org;"},
	{"\"A Person\" a@x.org", "A Person|a@x.org;"},
	{"\"A Person <a@x.org>", "\"A Person|a@x.org;"},
	{"A (Person <a@x.org>", "A (Person|a@x.org;"},
	{"A <mailto:a@x.org>", "A|a@x.org;"},
	{"mailto:a@x.org", "|a@x.org;"},
	{"A [a@x.org]", "A|a@x.org;"},
	{"A [mailto:a@x.org]", "A|a@x.org;"},
	{"'a@x.org'", "|a@x.org;"},
	{"a at x.org (A Person)", "A Person|a@x.org;"},
	{"A <a at x.org>", "A|a@x.org;"},
	{"A <a@ x.org >", "A|a@x.org;"},
	{"A <@r1,@r2:a@x.org>", "A|a@x.org;"},
	{"A <\"a b\"@x.org>", "A|\"a b\"@x.org;"},
	{"a@y.org <a@x.org>", "a@y.org|a@x.org;"},
	{"root", "root|;"},
	{"A <root>", "A|root;"},
	{"A <>", "A|;"},
	{"<>", ""},
	{"()", ""},
	{"\"", "\"|;"},
	{"", ""},
	{" , ;", ""},
};

static char *joined(GPtrArray *list)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++) {
		const struct address *a = g_ptr_array_index(list, i);

		g_string_append_printf(out, "%s|%s;", a->name, a->address);
	}
	return g_string_free(out, FALSE);
}

START_TEST(parse_list)
{
	g_autoptr(GPtrArray) list = address_parse_list(list_cases[_i].value);
	g_autofree char *text = joined(list);

	ck_assert_str_eq(text, list_cases[_i].list);
}
END_TEST

START_TEST(list_limit)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autoptr(GPtrArray) list = NULL;

	for (int i = 0; i < ADDRESS_MAX_LIST + 5; i++)
		g_string_append_printf(s, "%d@x.org, ", i);
	list = address_parse_list(s->str);
	ck_assert_uint_eq(list->len, ADDRESS_MAX_LIST);
}
END_TEST

/* Any bytes: valid UTF-8 and one line come out. */
START_TEST(list_any_bytes)
{
	static const char parts[][8] = {"\"",  "<",    ">",    "(",	")",
					",",   ";",    ":",    "@",	"a",
					" ",   "\\",   "=?",   "?=",	"utf-8",
					"?q?", "\xe9", "\x01", "x.org", "[",
					"]",   "at "};
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);

	for (int n = 0; n < 20000; n++) {
		g_autoptr(GString) in = g_string_new(NULL);
		g_autoptr(GPtrArray) list = NULL;

		for (int i = g_rand_int_range(rand, 0, 16); i > 0; i--)
			g_string_append(in,
					parts[g_rand_int_range(
						rand, 0, G_N_ELEMENTS(parts))]);
		list = address_parse_list(in->str);
		for (guint i = 0; i < list->len; i++) {
			const struct address *a = g_ptr_array_index(list, i);

			ck_assert(g_utf8_validate(a->name, -1, NULL));
			ck_assert(g_utf8_validate(a->address, -1, NULL));
			ck_assert(*a->name || *a->address);
			ck_assert(!strpbrk(a->name, "\r\n\x01"));
			ck_assert(!strpbrk(a->address, "\r\n\x01"));
		}
	}
}
END_TEST

START_TEST(list_hostile)
{
	static const char *const units[] = {
		"\"", "<", "(", ":",  ",",     "a ",   "<a@x>", "\\",
		"@",  "a", ";", "a:", "((\\(", "=?a?", "a@:",	"a at b.c,"};

	for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
		g_autoptr(GString) in = g_string_new("=?");
		g_autoptr(GPtrArray) list = NULL;

		while (in->len < 1024 * 1024)
			g_string_append(in, units[u]);
		list = address_parse_list(in->str);
		ck_assert_uint_le(list->len, ADDRESS_MAX_LIST);
	}
}
END_TEST

static const struct {
	const char *text;
	const char *name; /* NULL: no person */
	const char *address;
	const char *note;
} person_cases[] = {
	{"A Person <a@x.org>", "A Person", "a@x.org", NULL},
	{"A Person<a@x.org>", "A Person", "a@x.org", NULL},
	{"Person, A <a@x.org>", "Person, A", "a@x.org", NULL},
	{"A \"JD\" Person <a@x.org>", "A \"JD\" Person", "a@x.org", NULL},
	{"\"A B. Person\" <a@x.org>", "A B. Person", "a@x.org", NULL},
	{"A (Company) <a@x.org>", "A (Company)", "a@x.org", NULL},
	{"A Person <mailto:a@x.org>", "A Person", "a@x.org", NULL},
	{"A <a@x.org<mailto:a@x.org>>", "A", "a@x.org", NULL},
	{"a@x.org", "", "a@x.org", NULL},
	{"<a@x.org>", "", "a@x.org", NULL},
	{"a@x.org (A Person)", "A Person", "a@x.org", NULL},
	{"A Person a@x.org", "A Person", "a@x.org", NULL},
	{"A Person <a@x.org", "A Person", "a@x.org", NULL},
	{"A Person <a@x.org> # 5.10+", "A Person", "a@x.org", "5.10+"},
	{"<stable@x.org> #5.10", "", "stable@x.org", "5.10"},
	{"stable@x.org # v5.10.x", "", "stable@x.org", "v5.10.x"},
	{"stable@x.org#5.10", "", "stable@x.org", "5.10"},
	{"A <a@x.org> [on one board]", "A", "a@x.org", "on one board"},
	{"A <a@x.org> #", "A", "a@x.org", NULL},
	{"A <a@x.org>, or so", "A", "a@x.org", NULL},
	{"A <a@x.org>.", "A", "a@x.org", NULL},
	{"A O'Person <a.o'person@x.org>", "A O'Person", "a.o'person@x.org",
	 NULL},
	{"=?utf-8?q?=C3=89_X?= <a@x.org>", "\xc3\x89 X", "a@x.org", NULL},
	{"A #1 <a@x.org>", "A #1", "a@x.org", NULL},
	{"A <b> <a@x.org>", "A <b>", "a@x.org", NULL},
	{"yet.", NULL, NULL, NULL},
	{"A Person", NULL, NULL, NULL},
	{"A Person <a at x.org>", NULL, NULL, NULL},
	{"@", NULL, NULL, NULL},
	{"a@", NULL, NULL, NULL},
	{"@x.org", NULL, NULL, NULL},
	{"# see a@x.org", NULL, NULL, NULL},
	{"", NULL, NULL, NULL},
};

START_TEST(parse_person)
{
	char *note = (char *)"untouched";
	g_autoptr(address_auto) a =
		address_parse_person(person_cases[_i].text, &note);
	g_autofree char *free_note = note;

	ck_assert_pstr_eq(note, person_cases[_i].note);
	if (!person_cases[_i].name) {
		ck_assert_ptr_null(a);
		return;
	}
	ck_assert_ptr_nonnull(a);
	ck_assert_str_eq(a->name, person_cases[_i].name);
	ck_assert_str_eq(a->address, person_cases[_i].address);
}
END_TEST

#define LIST "List-Id: A list <dev.lists.x.org>\n"

static const struct {
	const char *raw;
	const char *author; /* "name|address" */
	gboolean unmunged;
} author_cases[] = {
	{"From: A Person <a@x.org>\n" LIST "Reply-To: B <b@x.org>\n",
	 "A Person|a@x.org", FALSE},
	/* the list's own address */
	{"From: A Person via Dev <dev@lists.x.org>\n" LIST
	 "Reply-To: A Person <a@x.org>\n",
	 "A Person|a@x.org", TRUE},
	{"From: dev@lists.x.org\n" LIST "Reply-To: a@x.org\n", "|a@x.org",
	 TRUE},
	{"From: 'A Person' via Dev <dev@lists.x.org>\n"
	 "List-Post: <mailto:dev@lists.x.org>\n"
	 "Reply-To: dev@lists.x.org, a@x.org\n",
	 "A Person|a@x.org", TRUE},
	{"From: \"A Person via Dev\" <dev@lists.x.org>\n" LIST
	 "X-Original-From: A Person <orig@x.org>\n"
	 "Reply-To: A Person <a@x.org>\n",
	 "A Person|orig@x.org", TRUE},
	{"From: A Person via Dev <dev@lists.x.org>\n" LIST
	 "Reply-To: dev@lists.x.org\n"
	 "Cc: B <b@x.org>, A PERSON <a@x.org>\n",
	 "A PERSON|a@x.org", TRUE},
	{"From: A Person via Dev <dev@lists.x.org>\n" LIST
	 "Reply-To: B <b@x.org>, A Person <a@x.org>\n",
	 "A Person|a@x.org", TRUE},
	/* a relay of another name */
	{"From: A Person via B4 Relay <devnull+a.x.org@y.org>\n" LIST
	 "X-Original-From: A Person <a@x.org>\nReply-To: a@x.org\n",
	 "A Person|a@x.org", TRUE},
	{"From: bot+dev--- via Dev <dev@lists.x.org>\n" LIST
	 "Reply-To: bot+dev@x.org\n",
	 "|bot+dev@x.org", TRUE},
	{"From: =?utf-8?q?=C3=89_X_via_Dev?= <dev@lists.x.org>\n" LIST
	 "Reply-To: =?utf-8?q?=C3=89_X?= <a@x.org>\n",
	 "\xc3\x89 X|a@x.org", TRUE},
	/* nothing better is known */
	{"From: A Person via Dev <dev@lists.x.org>\n" LIST "Cc: B <b@x.org>\n",
	 "A Person via Dev|dev@lists.x.org", FALSE},
	{"From: A Person via Dev <dev@lists.x.org>\n",
	 "A Person via Dev|dev@lists.x.org", FALSE},
	/* a To of one's own is no list */
	{"From: A Person <a@x.org>\nTo: a@x.org\nReply-To: b@x.org\n",
	 "A Person|a@x.org", FALSE},
	{"From: A Via <a@x.org>\nReply-To: b@x.org\n", "A Via|a@x.org", FALSE},
	/* damage */
	{"From: Person, A <a@x.org>\n", "Person, A|a@x.org", FALSE},
	{"From: A <a@x.org>, B <b@x.org>\n", "A|a@x.org", FALSE},
	{"From:\n", "|", FALSE},
	{"To: a@x.org\n", "|", FALSE},
	{"From: A\n", "A|", FALSE},
};

START_TEST(author)
{
	const char *raw = author_cases[_i].raw;
	g_autoptr(header) h = header_scan(raw, strlen(raw), NULL);
	gboolean unmunged = 2;
	g_autoptr(address_auto) a = address_author(h, &unmunged);
	g_autofree char *text = g_strconcat(a->name, "|", a->address, NULL);

	ck_assert_str_eq(text, author_cases[_i].author);
	ck_assert_int_eq(unmunged, author_cases[_i].unmunged);
}
END_TEST

static const struct {
	const char *name_a, *address_a, *name_b, *address_b;
	gboolean same;
} same_cases[] = {
	{"A", "a@x.org", "B", "A@X.org", TRUE},
	{"A", "a+lists@x.org", "B", "a@x.org", TRUE},
	{"A", "a+l@x.org", "B", "a+m@x.org", TRUE},
	{"A", "a@x.org", "B", "a@mail.x.org", TRUE},
	{"A", "a@x.org", "B", "a@one.mail.x.org", FALSE},
	{"A", "a@org", "B", "a@x.org", FALSE},
	{"A", "a@x.org", "B", "b@x.org", FALSE},
	{"A", "a@x.org", "B", "ab@x.org", FALSE},
	{"A", "+a@x.org", "B", "+b@x.org", FALSE},
	{"A Person", "a@x.org", "a  person", "b@y.org", TRUE},
	{"Person, A", "a@x.org", "A Person", "b@y.org", TRUE},
	{"\"Person, A\"", "a@x.org", "A Person", "b@y.org", TRUE},
	{"A Person (Company)", "a@x.org", "A Person", "b@y.org", TRUE},
	{"A P\xc3\xa9rson", "", "A Pe\xcc\x81rson", "b@y.org", TRUE},
	{"\xc3\x89va Person", "", "\xc3\xa9va Person", "b@y.org", TRUE},
	{"Person", "a@x.org", "Person", "b@y.org", FALSE}, /* one word */
	{"Person (A Company)", "a@x.org", "Person (A Company)", "b@y.org",
	 FALSE},
	{"A Person", "a@x.org", "A Parson", "b@y.org", FALSE},
	{"", "", "", "", FALSE},
	{"", "a@x.org", "", "", FALSE},
};

START_TEST(same_person)
{
	g_autoptr(address_auto) a =
		address_new(same_cases[_i].name_a, same_cases[_i].address_a);
	g_autoptr(address_auto) b =
		address_new(same_cases[_i].name_b, same_cases[_i].address_b);

	ck_assert_int_eq(address_same_person(a, b), same_cases[_i].same);
	ck_assert_int_eq(address_same_person(b, a), same_cases[_i].same);
}
END_TEST

START_TEST(copies)
{
	g_autoptr(address_auto) a = address_new("A", "a@x.org");
	g_autoptr(address_auto) b = address_copy(a);
	g_autoptr(address_auto) none = address_new(NULL, NULL);

	ck_assert_str_eq(b->name, "A");
	ck_assert_str_eq(b->address, "a@x.org");
	ck_assert_str_eq(none->name, "");
	ck_assert_str_eq(none->address, "");
	ck_assert_ptr_null(address_copy(NULL));
	address_free(NULL);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("address");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, parse_list, 0, G_N_ELEMENTS(list_cases));
	tcase_add_test(tc, list_limit);
	tcase_add_test(tc, list_any_bytes);
	tcase_add_test(tc, list_hostile);
	tcase_add_loop_test(tc, parse_person, 0, G_N_ELEMENTS(person_cases));
	tcase_add_loop_test(tc, author, 0, G_N_ELEMENTS(author_cases));
	tcase_add_loop_test(tc, same_person, 0, G_N_ELEMENTS(same_cases));
	tcase_add_test(tc, copies);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
