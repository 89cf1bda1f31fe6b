/* test_mime.c - charsets, flowed text, HTML: texts in, texts out */
#include <string.h>

#include "mail/mime_priv.h"

#include "tests/test.h"

/* ---- charsets */

static const struct {
	const char *charset;
	const char *bytes;
	const char *text;
	enum charset_result result;
} charsets[] = {
	{NULL, "plain", "plain", CHARSET_FINE},
	{NULL, "", "", CHARSET_FINE},
	{NULL, "gr\xc3\xbc\xc3\x9f", "grüß", CHARSET_FINE},
	{NULL, "gr\xfc\xdf and grüß", "grüß and grüß", CHARSET_FINE},
	{NULL, "4177 \xb1  2%", "4177 ±  2%", CHARSET_FINE},
	{"utf-8", "grüß", "grüß", CHARSET_FINE},
	{"utf-8", "gr\xfc\xdf", "grüß", CHARSET_BROKEN},
	{"utf8", "grüß", "grüß", CHARSET_FINE},
	{"us-ascii", "grüß", "grüß", CHARSET_FINE},
	{"us-ascii", "gr\xfc\xdf", "grüß", CHARSET_FINE},
	{"iso-8859-1", "4177 \xb1  2%, more", "4177 ±  2%, more", CHARSET_FINE},
	{"iso-8859-1", "\xb1\xb1\xb1\xb1\xb1\xb1\xb1\xb1\xb1 12345678 \xb1",
	 "±±±±±±±±± 12345678 ±", CHARSET_FINE},
	{"windows-1252", "\x93quoted\x94 \x80 5 \x81", "“quoted” € 5 \uFFFD",
	 CHARSET_FINE},
	{"iso-8859-2", "4177 \xb1  2%", "4177 ą  2%", CHARSET_FINE},
	{"iso-8859-15", "\xa4", "€", CHARSET_FINE},
	{"koi8-r", "\xd0\xd2\xc9\xd7\xc5\xd4", "привет", CHARSET_FINE},
	{"windows-1251", "\xef\xf0\xe8", "при", CHARSET_FINE},
	{"gb2312", "\xc4\xe3\xba\xc3", "你好", CHARSET_FINE},
	{"iso-2022-jp", "\x1b$B$3$s\x1b(B.", "こん.", CHARSET_FINE},
	{"euc-kr", "\xbe\xc8", "안", CHARSET_FINE},
	{"iso-2022-jp",
	 "a\xff"
	 "b",
	 "a\uFFFD"
	 "b",
	 CHARSET_BROKEN},
	{"gb2312", "ok \xc4", "ok \uFFFD", CHARSET_BROKEN},
	{"windows-874", "gr\xc3\xbc\xc3\x9f\xe2\x80\xa6", "grüß…",
	 CHARSET_BROKEN},
	{"x-unknown", "gr\xc3\xbc\xc3\x9f", "grüß", CHARSET_UNKNOWN},
	{"../../etc/passwd", "a", "a", CHARSET_UNKNOWN},
	{"utf-16//translit", "a", "a", CHARSET_UNKNOWN},
};

START_TEST(test_charset)
{
	g_autoptr(GString) out = g_string_new("<");
	const char *bytes = charsets[_i].bytes;

	ck_assert_int_eq(charset_append(out, bytes, strlen(bytes),
					charsets[_i].charset),
			 charsets[_i].result);
	ck_assert_str_eq(out->str + 1, charsets[_i].text);
}
END_TEST

START_TEST(test_charset_nul)
{
	static const char *const names[] = {"utf-8", "iso-8859-1", "koi8-r",
					    NULL};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		charset_append(out, "12345678\0abc\0", 13, names[i]);
		ck_assert_str_eq(out->str, "12345678\uFFFDabc\uFFFD");
	}
}
END_TEST

/* Every byte in every charset, alone and in a row: always valid UTF-8. */
START_TEST(test_charset_any_bytes)
{
	const char *charset = charsets[_i].charset;
	g_autoptr(GString) all = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	guint a;

	for (a = 0; a < 256; a++) {
		char byte = (char)a;

		g_string_append_c(all, byte);
		charset_append(out, &byte, 1, charset);
		ck_assert(g_utf8_validate_len(out->str, out->len, NULL));
	}
	for (a = 0; a < 256; a++) {
		g_string_truncate(out, 0);
		charset_append(out, all->str + a, all->len - a, charset);
		ck_assert(g_utf8_validate_len(out->str, out->len, NULL));
	}
}
END_TEST

/* ---- format=flowed */

static const struct {
	const char *text;
	const char *joined;
	gboolean delsp;
} flows[] = {
	{"one \ntwo\n", "one two\n", FALSE},
	{"one \ntwo\n", "onetwo\n", TRUE},
	{"one\ntwo\n", "one\ntwo\n", FALSE},
	{"one \ntwo \nthree\nfour\n", "one two three\nfour\n", FALSE},
	{" stuffed\n  twice\n", "stuffed\n twice\n", FALSE},
	{" From here\n", "From here\n", FALSE},
	{"> one \n> two\nmine\n", "> one two\nmine\n", FALSE},
	{"> one \n>> deeper\n", "> one \n>> deeper\n", FALSE},
	{">> a \n>> b\n> c\n", ">> a b\n> c\n", FALSE},
	{"> a \nb\n", "> a \nb\n", FALSE},
	{">a \n>b\n", "> a b\n", FALSE},
	{"> \n> text\n", ">\n> text\n", FALSE},
	{"> >> odd \n> >> odd\n", "> >> odd >> odd\n", FALSE},
	{"text \n-- \nme\n", "text \n-- \nme\n", FALSE},
	{"> text \n> -- \n> me\n", "> text \n> -- \n> me\n", FALSE},
	{"end ", "end \n", FALSE},
	{"no newline", "no newline\n", FALSE},
	{"", "", FALSE},
	{"\n\n", "\n\n", FALSE},
};

START_TEST(test_flowed)
{
	g_autoptr(GString) got =
		flowed_join(flows[_i].text, strlen(flows[_i].text),
			    flows[_i].delsp);

	ck_assert_str_eq(got->str, flows[_i].joined);
}
END_TEST

START_TEST(test_unstuff)
{
	static const char stuffed[] = "why\n@@ -1,3 +1,3 @@\n  \tone\n-two\n"
				      "+zwei\n  }\n";
	static const char plain[] = "why\n@@ -1,3 +1,3 @@\n \tone\n-two\n"
				    "+zwei\n  \tx\n";
	GString *got = flowed_unstuff(stuffed, strlen(stuffed));

	ck_assert_ptr_nonnull(got);
	ck_assert_str_eq(got->str, "why\n@@ -1,3 +1,3 @@\n \tone\n-two\n+zwei\n"
				   " }\n");
	g_string_free(got, TRUE);
	ck_assert_ptr_null(flowed_unstuff(plain, strlen(plain)));
	ck_assert_ptr_null(flowed_unstuff("", 0));
}
END_TEST

/* ---- HTML */

static const struct {
	const char *html;
	const char *text;
} pages[] = {
	{"", ""},
	{"plain", "plain\n"},
	{"<p>one</p><p>two</p>", "one\n\ntwo\n"},
	{"one<br>two<br/>\n<br>three", "one\ntwo\n\nthree\n"},
	{"<div>one</div>\n<div>two</div>", "one\ntwo\n"},
	{"a  <b>bold</b>\n word", "a bold word\n"},
	{"re<b>g</b>ression", "regression\n"},
	{"<html><head><title>x</title><style>p{}</style></head>"
	 "<body>text</body></html>",
	 "text\n"},
	{"<script>if (a < b) x();</script>after", "after\n"},
	{"a &lt; b &amp;&amp; c &gt; d", "a < b && c > d\n"},
	{"&quot;x&quot;&nbsp;&#8217;&#x20ac;&eacute;", "\"x\" ’€é\n"},
	{"AT&T &unknown; &#0; &#xd800;", "AT&T &unknown; &#0; &#xd800;\n"},
	{"5 < 6 <- 7", "5 < 6 <- 7\n"},
	{"<!-- no -->yes", "yes\n"},
	{"<!DOCTYPE html><p>x", "x\n"},
	{"<pre>int f()\n{\n\treturn 0;\n}</pre>",
	 "int f()\n{\n\treturn 0;\n}\n"},
	{"mine<blockquote>theirs<br>more<blockquote>old</blockquote>"
	 "</blockquote>mine again",
	 "mine\n> theirs\n> more\n>> old\nmine again\n"},
	{"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
	 "a b\nc\n"},
	{"cut <a href=\"x", "cut\n"},
	{"cut <!-- never", "cut\n"},
	{"cut <style>never", "cut\n"},
	{"</blockquote></pre>x", "x\n"},
};

START_TEST(test_html)
{
	g_autoptr(GString) got =
		html_to_text(pages[_i].html, strlen(pages[_i].html));

	ck_assert_str_eq(got->str, pages[_i].text);
}
END_TEST

/* ---- parameters */

static const struct {
	const char *value;
	const char *name;
	const char *param;
} params[] = {
	{"text/plain; charset=utf-8", "charset", "utf-8"},
	{"text/plain;charset=\"utf-8\"; format=flowed", "format", "flowed"},
	{"text/plain; CharSet = utf-8", "charset", "utf-8"},
	{"m/x; boundary=\"a;b=c\\\"d\"; charset=x", "boundary", "a;b=c\"d"},
	{"m/x; boundary=\"a; charset=no\"; charset=x", "charset", "x"},
	{"text/plain; charset=us-ascii (Plain text)", "charset", "us-ascii"},
	{"text/plain; charset", "charset", NULL},
	{"text/plain; xcharset=no", "charset", NULL},
	{"text/plain", "charset", NULL},
	{"", "charset", NULL},
	{"m/x; boundary=\"open", "boundary", "open"},
	{"m/x;;; boundary=b;", "boundary", "b"},
	{"m/x; boundary=", "boundary", ""},
};

START_TEST(test_param)
{
	g_autofree char *got = mime_param(params[_i].value, params[_i].name);

	ck_assert_pstr_eq(got, params[_i].param);
}
END_TEST

/* Long hostile input must end. */
START_TEST(test_hostile)
{
	static const char *const units[] = {"<",       "&",    "<p>",
					    "<style>", "<!--", "&#1",
					    "<pre>",   "\n",   "<blockquote>",
					    "> ",      ">",    " \n"};
	guint i, k;

	for (i = 0; i < G_N_ELEMENTS(units); i++) {
		g_autoptr(GString) s = g_string_new(NULL);
		g_autoptr(GString) text = NULL, flow = NULL;

		for (k = 0; k < 100000; k++)
			g_string_append(s, units[i]);
		text = html_to_text(s->str, s->len);
		flow = flowed_join(s->str, s->len, FALSE);
		ck_assert_uint_le(text->len, 16 * s->len + 16);
		ck_assert_uint_le(flow->len, 2 * s->len + 16);
	}
}
END_TEST

static Suite *mime_suite(void)
{
	Suite *s = suite_create("mime");
	TCase *t = tcase_create("mime");

	tcase_add_loop_test(t, test_charset, 0, G_N_ELEMENTS(charsets));
	tcase_add_test(t, test_charset_nul);
	tcase_add_loop_test(t, test_charset_any_bytes, 0,
			    G_N_ELEMENTS(charsets));
	tcase_add_loop_test(t, test_flowed, 0, G_N_ELEMENTS(flows));
	tcase_add_test(t, test_unstuff);
	tcase_add_loop_test(t, test_html, 0, G_N_ELEMENTS(pages));
	tcase_add_loop_test(t, test_param, 0, G_N_ELEMENTS(params));
	tcase_add_test(t, test_hostile);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(mime_suite)
