/* test_header.c - the scan of the header block and the decoding of values */
#include <string.h>

#include "mail/header.h"

#include "tests/test.h"

static const struct {
	const char *raw;
	const char *fields; /* "Name=unfolded|..." */
	const char *body;
	gboolean damaged;
} scan_cases[] = {
	{"A: 1\nB: 2\n\nbody\n", "A=1|B=2|", "body\n", FALSE},
	{"A: 1\r\nB: 2\r\n\r\nbody\r\n", "A=1|B=2|", "body\r\n", FALSE},
	{"A: 1\nB: 2\n", "A=1|B=2|", "", FALSE},
	{"A: 1\nB: 2", "A=1|B=2|", "", FALSE},
	{"A: 1\n\n\nbody", "A=1|", "\nbody", FALSE},
	{"A:1\nB:\nC:\t3 \n\n", "A=1|B=|C=3|", "", FALSE},
	{"A: one\n two\n\tthree\n\n", "A=one two three|", "", FALSE},
	{"A: one\r\n  two\r\n \r\n three\r\n\r\nx", "A=one two three|", "x",
	 FALSE},
	{"A:\n one\n\n", "A=one|", "", FALSE},
	{"A: a \n b\n\n", "A=a  b|", "", FALSE},
	{"A : 1\n\n", "A=1|", "", FALSE},
	{"\n\r\n \nA: 1\n\nx", "A=1|", "x", FALSE},
	{"From a@example.org Mon Jan  1 00:00:00 2024\nA: 1\n\nx", "A=1|", "x",
	 FALSE},
	{">From a@example.org Mon Jan  1 00:00:00 2024\nA: 1\n\nx", "A=1|", "x",
	 FALSE},
	{"A: 1\nno field here\nB: 2\n\nx", "A=1|", "no field here\nB: 2\n\nx",
	 TRUE},
	{"A: 1\nFrom me to you\n\n", "A=1|", "From me to you\n\n", TRUE},
	{"not a mail\n", "", "not a mail\n", TRUE},
	{"\xef\xbb\xbf"
	 "A: 1\n\nx",
	 "A=1|", "x", FALSE},
	{"A: 1\n\xef\xbb\xbf"
	 "B: 2\n",
	 "A=1|",
	 "\xef\xbb\xbf"
	 "B: 2\n",
	 TRUE},
	{"http://example.org/\n", "http=//example.org/|", "", FALSE},
	{"A\xc3\xa9: 1\n\n", "", "A\xc3\xa9: 1\n\n", TRUE},
	{": 1\n\n", "", ": 1\n\n", TRUE},
	{"A: 1\n: 2\n\n", "A=1|", ": 2\n\n", TRUE},
	{"A: 1\n \n\nx", "A=1|", "x", FALSE},
	{"A: \xe9t\xe9\n\n", "A=\xe9t\xe9|", "", FALSE},
	{"A: a\rb\n\n", "A=a\rb|", "", FALSE},
	{"", "", "", FALSE},
	{"\n\n\n", "", "", FALSE},
};

static char *fields_of(const header *h)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < header_count(h); i++) {
		const struct header_field *f = header_at(h, i);
		g_autofree char *value = header_unfold(f);

		g_string_append_len(out, f->name, f->name_len);
		g_string_append_printf(out, "=%s|", value);
	}
	return g_string_free(out, FALSE);
}

START_TEST(scan)
{
	const char *raw = scan_cases[_i].raw;
	gsize body;
	g_autoptr(header) h = header_scan(raw, strlen(raw), &body);
	g_autofree char *fields = fields_of(h);

	ck_assert_str_eq(fields, scan_cases[_i].fields);
	ck_assert_str_eq(raw + body, scan_cases[_i].body);
	ck_assert_int_eq(header_damaged(h), scan_cases[_i].damaged);
	ck_assert(!header_truncated(h));
}
END_TEST

/* Cut at any byte: the fields before the cut line stay what they were. */
START_TEST(cut_anywhere)
{
	static const char whole[] = "From x@example.org Mon Jan  1 2024\n"
				    "Subject: one\r\n two\n"
				    "To: a@example.org\n\nBody: no\n";

	for (gsize n = 0; n < sizeof(whole); n++) {
		char *raw = g_memdup2(whole, n);
		gsize body;
		header *h = header_scan(raw, n, &body);
		g_autofree char *subject = header_dup(h, "subject");

		ck_assert_uint_le(body, n);
		ck_assert(!header_find(h, "Body"));
		if (whole + n > strstr(whole, "To:"))
			ck_assert_str_eq(subject, "one two");
		header_free(h);
		g_free(raw);
	}
}
END_TEST

START_TEST(find_by_name)
{
	static const char raw[] = "Received: 1\nTo: a\nreceived: 2\nXo: no\n"
				  "TO: b\nRECEIVED: 3\nto: c\n\n";
	g_autoptr(header) h = header_scan(raw, strlen(raw), NULL);
	g_autofree char *first = header_dup(h, "rEcEiVeD");
	const struct header_field *f = header_find(h, "To");
	GString *to = g_string_new(NULL);

	ck_assert_str_eq(first, "1");
	for (; f; f = header_next(h, "to", f)) {
		g_autofree char *value = header_unfold(f);

		g_string_append(to, value);
	}
	ck_assert_str_eq(to->str, "abc");
	ck_assert(!header_find(h, "T"));
	ck_assert(!header_find(h, "Subject"));
	ck_assert(!header_dup(h, "Cc"));
	ck_assert(!header_dup_decoded(h, "Cc"));
	g_string_free(to, TRUE);
}
END_TEST

START_TEST(nul_bytes)
{
	static const char raw[] = "A: x\0y\nB: \0z\0\n\n";
	g_autoptr(header) h = header_scan(raw, sizeof(raw) - 1, NULL);
	g_autofree char *a = header_dup(h, "A");
	g_autofree char *b = header_dup(h, "B");

	ck_assert_str_eq(a, "x y");
	ck_assert_str_eq(b, "z");
}
END_TEST

START_TEST(too_many_fields)
{
	g_autoptr(GString) raw = g_string_new(NULL);
	g_autoptr(header) h = NULL;
	gsize body;

	for (int i = 0; i < HEADER_MAX_FIELDS + 10; i++)
		g_string_append_printf(raw, "X-%d: %d\n", i, i);
	g_string_append(raw, "\nbody");
	h = header_scan(raw->str, raw->len, &body);
	ck_assert(header_truncated(h));
	ck_assert_uint_eq(header_count(h), HEADER_MAX_FIELDS);
	ck_assert_str_eq(raw->str + body, "body");
	ck_assert(header_find(h, "x-9999"));
	ck_assert(!header_find(h, "x-10000"));
}
END_TEST

/* A field that fills megabytes costs no more than its own end. */
START_TEST(too_many_bytes)
{
	g_autoptr(GString) raw = g_string_new("X: ");
	g_autoptr(header) h = NULL;
	g_autofree char *junk = g_strnfill(1000, 'x');
	gsize body;

	while (raw->len <= 2 * HEADER_MAX_BYTES)
		g_string_append_printf(raw, "%s\n ", junk);
	g_string_append(raw, "end\nB: 2\n\nbody");
	h = header_scan(raw->str, raw->len, &body);
	ck_assert(header_truncated(h));
	ck_assert_uint_eq(header_count(h), 2);
	ck_assert_uint_eq(header_find(h, "X")->value_len, HEADER_MAX_VALUE);
	ck_assert_mem_eq(header_find(h, "B")->value, " 2", 2);
	ck_assert_str_eq(raw->str + body, "body");
}
END_TEST

/* What does not fit is passed over, what fits behind it is taken. */
START_TEST(too_many_large_fields)
{
	g_autoptr(GString) raw = g_string_new(NULL);
	g_autoptr(header) h = NULL;
	g_autofree char *junk = g_strnfill(HEADER_MAX_VALUE - 100, 'x');
	gsize body, kept = 0;

	for (int i = 0; i < 20; i++)
		g_string_append_printf(raw, "X: %s\n", junk);
	g_string_append(raw, "B: 2\n\nbody");
	h = header_scan(raw->str, raw->len, &body);
	ck_assert(header_truncated(h));
	for (guint i = 0; i < header_count(h); i++)
		kept += header_at(h, i)->value_len;
	ck_assert_uint_le(kept, HEADER_MAX_BYTES);
	ck_assert_mem_eq(header_find(h, "B")->value, " 2", 2);
	ck_assert_str_eq(raw->str + body, "body");
}
END_TEST

static const struct {
	const char *value;
	const char *decoded;
} decode_cases[] = {
	{"plain  text\t here ", "plain text here"},
	{"=?utf-8?q?caf=C3=A9?=", "caf\xc3\xa9"},
	{"=?UTF-8?B?Y2Fmw6k=?= au lait", "caf\xc3\xa9 au lait"},
	{"=?utf-8?q?a?= =?utf-8?q?b?=", "ab"},
	{"=?utf-8?q?a?=\t  =?iso-8859-1?q?=E9?=", "a\xc3\xa9"},
	{"=?utf-8?q?caf=C3?= =?utf-8?q?=A9?=", "caf\xc3\xa9"},
	{"=?utf-8*en?q?a_b?=", "a b"},
	{"[PATCH] =?utf-8?q?x=3A_?= y", "[PATCH] x: y"},
	/* charset nobody knows: as written, the rest decoded */
	{"=?x-nobody-1?q?abc?=", "=?x-nobody-1?q?abc?="},
	{"Re: =?x-nobody-1?b?YWJj?= =?utf-8?q?=C3=A9?= z",
	 "Re: =?x-nobody-1?b?YWJj?= \xc3\xa9 z"},
	/* no encoded word at all */
	{"=?utf-8?q?open", "=?utf-8?q?open"},
	{"a =? b ?= c", "a =? b ?= c"},
	{"=?utf-8?q?a?= =?utf-8?q?b c", "a =?utf-8?q?b c"},
	{"=?utf-8?x?abc?=", "=?utf-8?x?abc?="},
	{"if (a =?= b)", "if (a =?= b)"},
	/* raw bytes */
	{"caf\xc3\xa9", "caf\xc3\xa9"},
	{"caf\xe9 \x93q\x94", "caf\xc3\xa9 \xe2\x80\x9cq\xe2\x80\x9d"},
	{"\x81", ""}, /* a C1 control in Latin-1 */
	/* control bytes */
	{"a\x01"
	 "b\x7f"
	 "c\x1b[1m",
	 "abc[1m"},
	{"=?utf-8?q?a=0D=0AX-Evil:_1?=", "a X-Evil: 1"},
	{"a\xc2\x85"
	 "b",
	 "ab"},
	{"", ""},
};

START_TEST(decode)
{
	g_autofree char *text = header_decode(decode_cases[_i].value);

	ck_assert_str_eq(text, decode_cases[_i].decoded);
}
END_TEST

/* What comes out is UTF-8, one line, and not longer than three times. */
START_TEST(decode_any_bytes)
{
	static const char parts[][12] = {"=?",	  "?=",	  "utf-8", "?q?",
					 "?b?",	  "=C3",  "\xc3",  "\xa9",
					 "=\r\n", " ",	  "x-no",  "*",
					 "YQ==",  "\x1b", "gb2312"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (int n = 0; n < 20000; n++) {
		g_autoptr(GString) in = g_string_new(NULL);
		g_autofree char *out = NULL;

		for (int i = g_rand_int_range(rand, 0, 14); i > 0; i--)
			g_string_append(in,
					parts[g_rand_int_range(
						rand, 0, G_N_ELEMENTS(parts))]);
		out = header_decode(in->str);
		ck_assert(g_utf8_validate(out, -1, NULL));
		ck_assert(!strpbrk(out, "\r\n\t\x1b\x7f"));
		ck_assert_uint_le(strlen(out), 3 * in->len);
	}
}
END_TEST

/* Ends at once or not within the test's time: nothing here is quadratic. */
START_TEST(decode_hostile)
{
	static const char *const units[] = {"=?",	   "=?a?q?",
					    "=?a?q?x ",	   "?=",
					    "=?a?q?x?= ",  "=?utf-8?q?x?= ",
					    "=?a?b?",	   " =?utf-8?b?YQ==?=x",
					    "=?utf-8?q?x "};

	for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
		g_autoptr(GString) in = g_string_new(NULL);
		g_autofree char *out = NULL;

		while (in->len < HEADER_MAX_BYTES)
			g_string_append(in, units[u]);
		out = header_decode(in->str);
		ck_assert(g_utf8_validate(out, -1, NULL));
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("header");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, scan, 0, G_N_ELEMENTS(scan_cases));
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, find_by_name);
	tcase_add_test(tc, nul_bytes);
	tcase_add_test(tc, too_many_fields);
	tcase_add_test(tc, too_many_bytes);
	tcase_add_test(tc, too_many_large_fields);
	tcase_add_loop_test(tc, decode, 0, G_N_ELEMENTS(decode_cases));
	tcase_add_test(tc, decode_any_bytes);
	tcase_add_test(tc, decode_hostile);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
