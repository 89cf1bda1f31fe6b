/* test_imap_text.c - the lines of IMAP servers, sound and damaged */
#include <string.h>

#include "bot/imap_text.h"

#include "tests/test.h"

static GPtrArray *literals;

static void free_literal(gpointer data)
{
	if (data)
		g_byte_array_unref(data);
}

/* "abc" and one that was not kept. */
static void setup(void)
{
	GByteArray *b = g_byte_array_new();

	g_byte_array_append(b, (const guint8 *)"abc", 3);
	literals = g_ptr_array_new_with_free_func(free_literal);
	g_ptr_array_add(literals, b);
	g_ptr_array_add(literals, NULL);
}

static void teardown(void)
{
	g_ptr_array_unref(literals);
}

/* What a FETCH line says, "-": it is none, "!": it is damaged. */
static const struct {
	const char *line, *want;
} fetches[] = {
	{"* 1 FETCH (UID 7)", "7"},
	{"* 1 fetch (uid 7 rfc822.size 12)", "7 size 12"},
	{"* 1 FETCH (RFC822.SIZE 0 UID 4294967295)", "4294967295 size 0"},
	{"* 1 FETCH (INTERNALDATE \" 1-Jan-2020 01:00:00 +0100\" UID 7)",
	 "7 at 1577836800"},
	{"* 1 FETCH (UID 7 INTERNALDATE \"31-Dec-2019 19:00:00 -0500\")",
	 "7 at 1577836800"},
	{"* 1 FETCH (UID 7 INTERNALDATE \"32-Foo-2019 19:00:00 -0500\")", "7"},
	{"* 1 FETCH (UID 7 BODY[] {3}\r\n)", "7 abc"},
	{"* 1 FETCH (BODY[] {3}\n FLAGS (\\Seen) UID 7)", "7 abc"},
	{"* 1 FETCH (X {3}\r\n BODY[] {9}\r\n UID 7)", "7 larger"},
	{"* 1 FETCH (UID 7 BODY[] \"a\\\"b\\\\\")", "7 a\"b\\"},
	{"* 1 FETCH (UID 7 BODY[] \"\")", "7 "},
	{"* 1 FETCH (UID 7 BODY[] NIL)", "7"},
	{"* 1 FETCH (BODY[HEADER.FIELDS (TO \"CC\")]<0> {3}\r\n UID 7)", "7"},
	{"* 1 FETCH (ENVELOPE (\"d(\" NIL (({3}\r\n))) MODSEQ (12) UID 7)",
	 "7"},
	{"* 1 FETCH (UID 18446744073709551616)", "!"},
	{"* 1 FETCH (UID 4294967296)", "!"},
	{"* 1 FETCH (UID x)", "!"},
	{"* 1 FETCH (UID 7", "!"},
	{"* 1 FETCH UID 7", "!"},
	{"* 1 FETCH ()", "!"},
	{"* 1 FETCH (UID 7 BODY[] \"abc)", "!"},
	{"* 1 FETCH (UID 7 BODY[] {3)", "!"},
	{"* 1 FETCH (UID 7 A {3}\r\n B {9}\r\n BODY[] {1}\r\n)", "!"},
	{"* 1 FETCH (UID 7 FLAGS (a (b) c)", "!"},
	{"* 1 EXISTS", "-"},
	{"* FETCH (UID 7)", "-"},
	{"* OK [UIDNEXT 8] 1 FETCH (UID 7)", "-"},
	{"", "-"},
};

static void describe(GString *out, const struct imap_fetched *f)
{
	if (!f->is) {
		g_string_append_c(out, '-');
		return;
	}
	g_string_append_printf(out, "%u", f->uid);
	if (f->sized)
		g_string_append_printf(out, " size %" G_GUINT64_FORMAT,
				       f->size);
	if (f->received)
		g_string_append_printf(out, " at %" G_GINT64_FORMAT,
				       f->received);
	if (f->larger)
		g_string_append(out, " larger");
	if (f->body)
		g_string_append_printf(out, " %.*s", (int)f->body->len,
				       (const char *)f->body->data);
}

START_TEST(fetch)
{
	g_autoptr(GString) got = g_string_new(NULL);
	struct imap_fetched f;

	if (imap_text_fetch(fetches[_i].line, literals, &f))
		describe(got, &f);
	else
		g_string_append_c(got, '!');
	ck_assert_str_eq(got->str, fetches[_i].want);
	g_clear_pointer(&f.body, g_byte_array_unref);
}
END_TEST

static const struct {
	const char *line;
	int n; /* -1: damaged */
	guint32 last;
} searches[] = {
	{"* SEARCH 1 2 4294967295", 3, 4294967295U},
	{"* SEARCH 3 ", 1, 3},
	{"* SEARCH", 0, 0},
	{"* SEARCH x", -1, 0},
	{"* SEARCH 1 4294967296", -1, 0},
	{"* SEARCH 1,2", -1, 0},
	{"* 1 EXISTS", 0, 0},
};

START_TEST(search)
{
	g_autoptr(GArray) uids = g_array_new(FALSE, FALSE, sizeof(guint32));
	gboolean ok = imap_text_search(searches[_i].line, uids);

	ck_assert_int_eq(ok, searches[_i].n >= 0);
	if (ok)
		ck_assert_int_eq(uids->len, searches[_i].n);
	if (searches[_i].n > 0)
		ck_assert_uint_eq(g_array_index(uids, guint32, uids->len - 1),
				  searches[_i].last);
}
END_TEST

static const struct {
	const char *line, *name; /* "!": damaged; NULL: none */
} lists[] = {
	{"* LIST (\\HasNoChildren) \"/\" INBOX", "INBOX"},
	{"* LIST () NIL \"a b\\\"\"", "a b\""},
	{"* LIST () \".\" {3}\r\n", "abc"},
	{"* list () \".\" x (\"CHILDINFO\" (\"SUBSCRIBED\"))", "x"},
	{"* LIST (\\Noselect) \"/\" x", NULL},
	{"* LIST (\\NonExistent \\HasChildren) \"/\" x", NULL},
	{"* LIST x", "!"},
	{"* LIST () \"/\"", "!"},
	{"* LIST () \"/\" \"x", "!"},
	{"* LIST (((\\x \"/\" x", "!"},
	{"* LSUB () \"/\" x", NULL},
};

START_TEST(list)
{
	g_autofree char *name = NULL;
	gboolean ok = imap_text_list(lists[_i].line, literals, &name);

	if (g_strcmp0(lists[_i].name, "!") == 0)
		ck_assert(!ok);
	else
		ck_assert(ok && g_strcmp0(name, lists[_i].name) == 0);
}
END_TEST

/* Neither the stack nor time is for a server to spend. */
START_TEST(nested)
{
	g_autoptr(GString) line = g_string_new("* 1 FETCH (X ");
	struct imap_fetched f;

	for (guint i = 0; i < 200000; i++)
		g_string_append_c(line, '(');
	ck_assert(!imap_text_fetch(line->str, literals, &f));
	for (guint i = 0; i < 200000; i++)
		g_string_append_c(line, ')');
	g_string_append(line, " UID 7)");
	ck_assert(imap_text_fetch(line->str, literals, &f) && f.uid == 7);
}
END_TEST

START_TEST(numbers)
{
	guint32 n = 1;

	ck_assert(imap_text_exists("* 23 EXISTS", &n) && n == 23);
	ck_assert(imap_text_exists("* 24 EXISTS x", &n) && n == 23);
	ck_assert(imap_text_exists("* OK", &n) && n == 23);
	ck_assert(imap_text_validity("* OK [UIDVALIDITY 9] x", &n) && n == 9);
	ck_assert(imap_text_validity("* OK [UIDNEXT 10] x", &n) && n == 9);
	ck_assert(!imap_text_validity("* OK [UIDVALIDITY x] x", &n));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_text");
	TCase *c = tcase_create("lines");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, fetch, 0, G_N_ELEMENTS(fetches));
	tcase_add_loop_test(c, search, 0, G_N_ELEMENTS(searches));
	tcase_add_loop_test(c, list, 0, G_N_ELEMENTS(lists));
	tcase_add_test(c, nested);
	tcase_add_test(c, numbers);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
