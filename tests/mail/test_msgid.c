/* test_msgid.c - Message-IDs: from headers, from URLs, made up */
#include <string.h>

#include "mail/msgid.h"

#include "tests/test.h"

#define MID MSGID_FIELD_MESSAGE_ID
#define IRT MSGID_FIELD_IN_REPLY_TO
#define REF MSGID_FIELD_REFERENCES

static const struct {
	enum msgid_field field;
	const char *value;
	const char *ids; /* joined by "|" */
	gboolean clean;
} extract_cases[] = {
	{IRT, "<a@x.org>", "a@x.org", TRUE},
	{IRT, " \t<a@x.org> ", "a@x.org", TRUE},
	{REF, "<a@x.org> <b@x.org>\t<c@x.org>", "a@x.org|b@x.org|c@x.org",
	 FALSE},
	{REF, "<a@x.org>,<b@x.org><c@x.org>", "a@x.org|b@x.org|c@x.org", FALSE},
	{REF, "<b@x> <a@x> <b@x> <c@x> <a@x>", "b@x|a@x|c@x", FALSE},
	{REF, "<B@x> <b@x>", "B@x|b@x", FALSE}, /* byte for byte */
	{IRT, "<hello>", "hello", TRUE},	/* brackets need no @ */
	/* comments are skipped, and what they hold */
	{IRT, "<a@x> (A Person's message of \"Tue, 1 Jan\")", "a@x", FALSE},
	{IRT, "(see <no@x>) <a@x> (and <no@y>)", "a@x", FALSE},
	{IRT, "(one (two <no@x>) <no@y>) <a@x>", "a@x", FALSE},
	{IRT, "(closed \\) not <no@x>) <a@x>", "a@x", FALSE},
	{IRT, "(\\( <no@x>) <a@x>", "a@x", FALSE},
	{IRT, "(never closed <a@x>", "a@x", FALSE},
	{IRT, "(never (closed) <a@x>", "a@x", FALSE},
	{IRT, ") <a@x>", "a@x", FALSE},
	{MID, "<a(b)c@x>", "a(b)c@x", TRUE}, /* inside an id it is none */
	{MID, "<a@x> (raw)", "a@x", FALSE},
	{IRT, "<a@x>; from A Person on Tue, 1 Jan 2019", "a@x", FALSE},
	{IRT, "A Person's message of <a@x>", "a@x", FALSE},
	/* damaged brackets */
	{IRT, "<a@x <b@x>", "b@x", FALSE},
	{IRT, "<<a@x>>", "a@x", FALSE},
	{IRT, "<a@x", "a@x", FALSE},
	{IRT, "<a@x and more", "a@x", FALSE},
	{REF, "<a@x> <b@x <c@x", "a@x|b@x|c@x", FALSE},
	{IRT, "a@x>", "a@x", FALSE},
	{IRT, "<>", "", FALSE},
	{IRT, "< >", "", FALSE},
	{REF, "<> <a@x>", "a@x", FALSE},
	/* folds and controls inside an id */
	{MID, "<a b@ x.org>", "ab@x.org", TRUE},
	{MID, "<a\t\x01@x\x7f.org>", "a@x.org", TRUE},
	{MID, "<\xe9@x.org>", "\xc3\xa9@x.org", TRUE},
	{MID, "<\xc3\xa9@x.org>", "\xc3\xa9@x.org", TRUE},
	{MID, "<a\xc2\x9b\xe2\x80\xae@x.org>", "a%C2%9B%E2%80%AE@x.org", TRUE},
	{MID, "<a\x9b@x.org>", "a%C2%9B@x.org", TRUE},
	/* bare tokens */
	{IRT, "a@x.org", "a@x.org", FALSE},
	{MID, "\"a@x.org\",", "a@x.org", FALSE},
	{IRT, "message a@x.org of (no@x) b@y;", "a@x.org|b@y", FALSE},
	{IRT, "<a@x> b@y", "a@x", FALSE},
	{IRT, "<y> b@y", "", FALSE},
	{REF, "a@x b@y", "a@x|b@y", FALSE},
	{REF, "a@x> b@y", "", FALSE},
	{REF, "a@x <b@y>", "b@y", FALSE},
	{IRT, "hello", "", FALSE},
	{IRT, "@", "", FALSE},
	{IRT, "a@", "", FALSE},
	{IRT, "@x", "", FALSE},
	/* what people answer to a prompt */
	{IRT, "y", "", FALSE},
	{IRT, "<y>", "", FALSE},
	{IRT, "<n>", "", FALSE},
	{IRT, "<No>", "", FALSE},
	{IRT, "<yes>", "", FALSE},
	{REF, "<yo> <no>", "yo", FALSE},
	/* encoded words */
	{IRT, "=?utf-8?q?=3Ca=40x=2Eorg=3E?=", "a@x.org", FALSE},
	{IRT, "=?us-ascii?Q?=3Ca=3D?= =?us-ascii?Q?b@x=3E?=", "a=b@x", FALSE},
	{REF, "=?us-ascii?Q?<a=5Fb@x>_<c=3D?= =?us-ascii?Q?d@x>_<e=5F@x>?=",
	 "a_b@x|c=d@x|e_@x", FALSE},
	{MID, "<=?utf-8?q?a?= =?utf-8?q?b?=@x>", "ab@x", TRUE},
	{IRT, "<a@x> (=?utf-8?q?J=C3=B6rg_=3Cno@x=3E?='s message)", "a@x",
	 FALSE},
	{IRT, "=?utf-8?q?a=40x?=", "a@x", FALSE},
	{IRT, "<a=?b@x>", "a=?b@x", TRUE},
	{IRT, "", "", FALSE},
	{IRT, " ", "", FALSE},
	{REF, ", , ,", "", FALSE},
};

static char *joined(GPtrArray *ids)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < ids->len; i++)
		g_string_append_printf(out, "%s%s", i ? "|" : "",
				       (char *)g_ptr_array_index(ids, i));
	return g_string_free(out, FALSE);
}

START_TEST(extract)
{
	gboolean clean = 2;
	g_autoptr(GPtrArray) ids =
		msgid_extract(extract_cases[_i].value, extract_cases[_i].field,
			      &clean);
	g_autofree char *text = joined(ids);

	ck_assert_str_eq(text, extract_cases[_i].ids);
	ck_assert_int_eq(clean, extract_cases[_i].clean);
}
END_TEST

START_TEST(extract_limits)
{
	g_autoptr(GString) s = g_string_new("<");
	g_autoptr(GPtrArray) just = NULL, over = NULL, many = NULL;
	gsize n;

	for (n = 0; n < MSGID_MAX_BYTES; n++)
		g_string_append_c(s, 'a');
	g_string_append_c(s, '>');
	just = msgid_extract(s->str, MID, NULL);
	ck_assert_uint_eq(just->len, 1);
	g_string_insert_c(s, 1, 'a');
	over = msgid_extract(s->str, MID, NULL);
	ck_assert_uint_eq(over->len, 0);
	g_string_truncate(s, 0);
	for (n = 0; n < 3 * MSGID_MAX_IDS; n++)
		g_string_append_printf(s, "<%u@x> ", (guint)n / 2);
	many = msgid_extract(s->str, REF, NULL);
	ck_assert_uint_eq(many->len, MSGID_MAX_IDS);
	ck_assert_str_eq(g_ptr_array_index(many, 0), "0@x");
	ck_assert_str_eq(g_ptr_array_index(many, 999), "999@x");
}
END_TEST

/* Any bytes: ids are UTF-8 without blanks, each once; a list of proper ids
 * comes out as it went in. */
START_TEST(extract_any_bytes)
{
	static const char parts[][8] = {"<",	">",	"(",	")",   "\\",
					"a@x",	" ",	"=?",	"?=",  "?q?",
					"\xe9", "y",	"\"",	"b@y", ",",
					"=3C",	"\x7f", "utf-8"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (int n = 0; n < 20000; n++) {
		g_autoptr(GString) in = g_string_new(NULL);
		g_autoptr(GHashTable) set =
			g_hash_table_new(g_str_hash, g_str_equal);
		g_autoptr(GPtrArray) ids = NULL;
		gboolean clean;

		for (int i = g_rand_int_range(rand, 0, 12); i > 0; i--)
			g_string_append(in,
					parts[g_rand_int_range(
						rand, 0, G_N_ELEMENTS(parts))]);
		ids = msgid_extract(in->str, n % 3, &clean);
		ck_assert(!clean || ids->len <= 1);
		for (guint i = 0; i < ids->len; i++) {
			char *id = g_ptr_array_index(ids, i);

			ck_assert(g_utf8_validate(id, -1, NULL));
			ck_assert(*id && !strpbrk(id, " \t\n\r\x7f>"));
			ck_assert(g_hash_table_add(set, id));
		}
	}
}
END_TEST

START_TEST(extract_hostile)
{
	static const char *const units[] = {"<",     "(",  ">",	 "<a ", "((\\(",
					    "<a@x>", "=?", "()", "<=?", "a@"};

	for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
		g_autoptr(GString) in = g_string_new(NULL);
		g_autoptr(GPtrArray) ids = NULL;

		while (in->len < 1024 * 1024)
			g_string_append(in, units[u]);
		ids = msgid_extract(in->str, IRT, NULL);
		ck_assert_uint_le(ids->len, MSGID_MAX_IDS);
	}
}
END_TEST

static const struct {
	const char *value;
	const char *id;
} marc_cases[] = {
	{"20230113 () twin ! example ! cz", "20230113@twin.example.cz"},
	{"<a.b () c ! d>", "a.b@c.d"},
	{"caf\xe9 () c ! d", "caf\xc3\xa9@c.d"},
	{"a\x1b[m () c ! d", "a[m@c.d"},
	{"a () b", NULL},
	{"a (x) b ! c", NULL},
	{"a () b ! ! c", NULL},
	{"a () b ! c d", NULL},
	{"a@b () c ! d", NULL},
	{"<a@b>", NULL},
	{"() a ! b", NULL},
	{"", NULL},
};

START_TEST(marc)
{
	g_autofree char *id = msgid_from_marc(marc_cases[_i].value);

	ck_assert_pstr_eq(id, marc_cases[_i].id);
}
END_TEST

#define LORE "https://lore.kernel.org/"

static const struct {
	const char *url;
	const char *id;
} url_cases[] = {
	{LORE "r/a-1@example.org", "a-1@example.org"},
	{LORE "r/a-1@example.org/", "a-1@example.org"},
	{LORE "all/a-1@example.org/T/#u", "a-1@example.org"},
	{LORE "all/a-1@example.org/t/#m0123456789abcdef", "a-1@example.org"},
	{LORE "linux-btrfs/a-1@example.org/raw", "a-1@example.org"},
	{LORE "linux-btrfs/a-1@example.org/t.mbox.gz", "a-1@example.org"},
	{LORE "linux-btrfs/a-1@example.org/#t", "a-1@example.org"},
	{LORE "linux-btrfs/a-1@example.org#anchor", "a-1@example.org"},
	{LORE "linux-btrfs/a-1@example.org?x=1", "a-1@example.org"},
	{LORE "all/a%2Fb%3D@example.org/", "a/b=@example.org"},
	{LORE "all/a/b+c@example.org/T/", "a/b+c@example.org"},
	{LORE "all/a%40example.org/", "a@example.org"},
	{LORE "r/<a@example.org>", "a@example.org"},
	{LORE "r/%3Ca@example.org%3E", "a@example.org"},
	{LORE "r/a@example.org>", "a@example.org"},
	{LORE "r/a@example.org).", "a@example.org"},
	{LORE "r/a@example.org,", "a@example.org"},
	{LORE "r/a%zz@example.org", "a%zz@example.org"},
	{"HTTPS://Lore.Kernel.Org/r/A@example.org", "A@example.org"},
	{"http://lkml.kernel.org/r/a@example.org", "a@example.org"},
	{"https://lkml.kernel.org/lkml/a@example.org", "a@example.org"},
	{"https://patch.msgid.link/a@example.org", "a@example.org"},
	{"https://msgid.link/a/b@example.org", "a/b@example.org"},
	{"https://patchwork.kernel.org/project/x/patch/a@example.org/",
	 "a@example.org"},
	{"https://patchwork.example.org/cover/a@example.org/", "a@example.org"},
	{"https://patchwork.kernel.org/msgid/a@example.org", "a@example.org"},
	{"https://groups.google.com/d/msgid/bugs/0000abc%40google.com.",
	 "0000abc@google.com"},
	{"https://marc.info/?i=a@example.org", "a@example.org"},
	{"https://public-inbox.org/git/a@example.org/", "a@example.org"},
	{"https://inbox.example.org/list/a@example.org/", "a@example.org"},
	{"https://yhbt.net/lore/all/a@example.org/", "a@example.org"},
	{"https://lore.kernel.org:443/r/a@example.org", "a@example.org"},
	/* none */
	{LORE, NULL},
	{LORE "linux-btrfs/", NULL},
	{LORE "linux-btrfs/?q=a@example.org", NULL},
	{LORE "linux-btrfs/x?q=a@example.org", NULL},
	{LORE "patchwork/patch/1234567/", NULL},
	{LORE "all/%0a@example.org/", NULL},
	{LORE "all/%00a@example.org/", NULL},
	{LORE "all/%e9@example.org/", NULL},
	{LORE "all/@example.org/", NULL},
	{"https://lkml.org/lkml/2019/8/1/999", NULL},
	{"https://patchwork.kernel.org/patch/10000001/", NULL},
	{"https://bugs.example.org/show_bug.cgi?id=123", NULL},
	{"https://example.org/@user/page@1.2", NULL},
	{"https://user@example.org/r/a@example.org", NULL},
	{"https://notlore.kernel.org/r/a@example.org", NULL},
	{"ftp://lore.kernel.org/r/a@example.org", NULL},
	{"https://", NULL},
	{"", NULL},
};

START_TEST(from_url)
{
	g_autofree char *id = msgid_from_url(url_cases[_i].url);

	ck_assert_pstr_eq(id, url_cases[_i].id);
}
END_TEST

static const struct {
	const char *text;
	const char *id;
} text_cases[] = {
	{"a@example.org", "a@example.org"},
	{" <a@example.org>\n", "a@example.org"},
	{"<hello>", "hello"},
	{"id:a@example.org", "a@example.org"},
	{"id:hello", "hello"},
	{"mid:<a@example.org>", "a@example.org"},
	{"rfc822msgid:a@example.org", "a@example.org"},
	{"Message-ID: <a@example.org>", "a@example.org"},
	{"a%2Fb@example.org", "a/b@example.org"},
	{"a%2fb%40example.org", "a/b@example.org"},
	{"a/b@example.org", "a/b@example.org"},
	{"a%b@example.org", "a%b@example.org"},
	{"a%3db/c@example.org", "a%3db/c@example.org"},
	{LORE "all/a@example.org/T/", "a@example.org"},
	{"<" LORE "all/a@example.org/T/>", "a@example.org"},
	{"id:" LORE "all/a@example.org/", "a@example.org"},
	{"lore.kernel.org/r/a@example.org", "a@example.org"},
	{"https://example.org/a@b", NULL},
	{"hello", NULL},
	{"1234567", NULL},
	{"a sentence with a@example.org", NULL},
	{"", NULL},
	{"<>", NULL},
	{"id:", NULL},
};

START_TEST(from_text)
{
	g_autofree char *id = msgid_from_text(text_cases[_i].text);

	ck_assert_pstr_eq(id, text_cases[_i].id);
}
END_TEST

static const struct {
	const char *id;
	const char *path;
} path_cases[] = {
	{"20240101-a.b_c~d@example.org", "20240101-a.b_c~d@example.org"},
	{"a/b%c?d#e@x", "a%2Fb%25c%3Fd%23e@x"},
	{"!$&'()*+,;=:@", "!$&'()*+,;=:@"},
	{"\"<>\\^`{|}[]", "%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D"},
	{"\xc3\xa9@x", "%C3%A9@x"},
};

START_TEST(to_url)
{
	g_autofree char *path = msgid_to_url(path_cases[_i].id);

	ck_assert_str_eq(path, path_cases[_i].path);
}
END_TEST

/* Every id comes back out of the URL made for it. */
START_TEST(url_round_trip)
{
	static const char bytes[] = "abcXYZ019-._~!$&'(*+;=:/%?#[]\"`|";
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);

	for (int n = 0; n < 5000; n++) {
		g_autoptr(GString) id = g_string_new(NULL);
		g_autofree char *path = NULL, *url = NULL, *back = NULL;

		for (int i = g_rand_int_range(rand, 1, 30); i > 0; i--)
			g_string_append_c(
				id, bytes[g_rand_int_range(rand, 0,
							   sizeof(bytes) - 1)]);
		g_string_append(id, "@example.org");
		path = msgid_to_url(id->str);
		url = g_strconcat(LORE "all/", path, "/", NULL);
		back = msgid_from_url(url);
		ck_assert_str_eq(back, id->str);
	}
}
END_TEST

START_TEST(made_up)
{
	g_autofree char *a = msgid_make("d", "f", "s", "t", "x\r\ny\r\n", 6);
	g_autofree char *b = msgid_make("d", "f", "s", "t", "x\ny\n", 4);
	g_autofree char *c = msgid_make("d", "f", "s", NULL, "x\ny\n", 4);
	g_autofree char *d = msgid_make("d", "f", "s", "", "x\ny\n", 4);
	g_autofree char *none = msgid_make(NULL, NULL, NULL, NULL, "", 0);

	ck_assert_uint_eq(strlen(a), 64 + strlen("@missing.invalid"));
	ck_assert(g_str_has_suffix(a, "@missing.invalid"));
	ck_assert_str_eq(a, b); /* transports change line ends */
	ck_assert_str_ne(b, c);
	ck_assert_str_ne(c, d);
	/* SHA-256 of one newline: ids must not change between versions */
	ck_assert_str_eq(none,
			 "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058"
			 "ef8f9805daca546b@missing.invalid");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("msgid");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, extract, 0, G_N_ELEMENTS(extract_cases));
	tcase_add_test(tc, extract_limits);
	tcase_add_test(tc, extract_any_bytes);
	tcase_add_test(tc, extract_hostile);
	tcase_add_loop_test(tc, marc, 0, G_N_ELEMENTS(marc_cases));
	tcase_add_loop_test(tc, from_url, 0, G_N_ELEMENTS(url_cases));
	tcase_add_loop_test(tc, from_text, 0, G_N_ELEMENTS(text_cases));
	tcase_add_loop_test(tc, to_url, 0, G_N_ELEMENTS(path_cases));
	tcase_add_test(tc, url_round_trip);
	tcase_add_test(tc, made_up);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
