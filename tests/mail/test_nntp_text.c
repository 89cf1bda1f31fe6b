/* test_nntp_text.c - lines, blocks and articles of news servers */
#include <string.h>

#include "mail/nntp_text.h"

#include "tests/test.h"

static const struct {
	const char *line;
	guint code; /* 0: none */
	const char *text;
} replies[] = {
	{"200 ready", 200, "ready"},
	{"201", 201, ""},
	{"211 3 1 3 a.b", 211, "3 1 3 a.b"},
	{"400 ", 400, ""},
	{"502  two", 502, " two"},
	{"", 0, NULL},
	{"20", 0, NULL},
	{"2000 x", 0, NULL},
	{"200-x", 0, NULL},
	{"099 x", 0, NULL},
	{"600 x", 0, NULL},
	{"+OK", 0, NULL},
	{" 200 x", 0, NULL},
	{"2\xb2"
	 "0",
	 0, NULL},
};

START_TEST(test_reply)
{
	const char *text = NULL;
	guint code = 0;
	gboolean is = nntp_reply(replies[_i].line, &code, &text);

	ck_assert_int_eq(is, replies[_i].code != 0);
	ck_assert_uint_eq(code, replies[_i].code);
	ck_assert_pstr_eq(text, replies[_i].text);
}
END_TEST

static const struct {
	const char *text;
	gboolean is;
	guint64 low, high;
} groups[] = {
	{"299 1 300 a.b", TRUE, 1, 300},
	{"0 1 0 a.b", TRUE, 1, 0},
	{"0 5 4", TRUE, 5, 4},
	{"2 4294967296 4294967297 x", TRUE, 4294967296, 4294967297},
	{"9 9223372036854775806 9223372036854775807 x", TRUE,
	 9223372036854775806, 9223372036854775807},
	{"9 1 9223372036854775808 x", FALSE, 0, 0},
	{"9 1 99999999999999999999999 x", FALSE, 0, 0},
	{"99999999999999999999999 1 2 x", TRUE, 1, 2},
	{"3 1 x", FALSE, 0, 0},
	{"3 1", FALSE, 0, 0},
	{"3 -1 4 x", FALSE, 0, 0},
	{"3 1 4x", FALSE, 0, 0},
	{"", FALSE, 0, 0},
};

START_TEST(test_group)
{
	guint64 low = 0, high = 0;
	gboolean is = nntp_group(groups[_i].text, &low, &high);

	ck_assert_int_eq(is, groups[_i].is);
	if (is) {
		ck_assert_uint_eq(low, groups[_i].low);
		ck_assert_uint_eq(high, groups[_i].high);
	}
}
END_TEST

static const struct {
	const char *text;
	gboolean is;
	guint64 number;
	const char *id;
} articles[] = {
	{"7 <a@b> article", TRUE, 7, "<a@b>"},
	{"0 <a@b>", TRUE, 0, "<a@b>"},
	{"12", TRUE, 12, NULL},
	{"12 article follows", TRUE, 12, NULL},
	{"12 <a b>", TRUE, 12, NULL},
	{"12 <>", TRUE, 12, NULL},
	{"12 <a\x7f"
	 "b>",
	 TRUE, 12, NULL},
	{"<a@b>", FALSE, 0, NULL},
	{"", FALSE, 0, NULL},
};

START_TEST(test_article)
{
	struct nntp_slice id = {NULL, 0};
	guint64 number = 0;
	gboolean is = nntp_article(articles[_i].text, &number, &id);
	g_autofree char *copy = g_strndup(id.at, id.len);

	ck_assert_int_eq(is, articles[_i].is);
	ck_assert_uint_eq(number, articles[_i].number);
	ck_assert_pstr_eq(copy, articles[_i].id);
}
END_TEST

static const struct {
	const char *name;
	gboolean is;
} names[] = {
	{"org.kernel.vger.linux-btrfs", TRUE},
	{"a", TRUE},
	{"gr\xc3\xbc"
	 "n",
	 TRUE},
	{"a\xff", FALSE},
	{"", FALSE},
	{"a b", FALSE},
	{"a\tb", FALSE},
	{"a\r\nQUIT", FALSE},
	{"a\x7f", FALSE},
	{"a\x1f", FALSE},
};

START_TEST(test_name)
{
	ck_assert_int_eq(nntp_is_name(names[_i].name, strlen(names[_i].name)),
			 names[_i].is);
}
END_TEST

START_TEST(test_name_length)
{
	g_autofree char *name = g_strnfill(NNTP_MAX_NAME + 1, 'x');

	ck_assert(nntp_is_name(name, NNTP_MAX_NAME));
	ck_assert(!nntp_is_name(name, NNTP_MAX_NAME + 1));
	ck_assert(!nntp_is_name("a\0b", 3));
}
END_TEST

static const struct {
	const char *pattern, *name;
	gboolean fits;
} patterns[] = {
	{"a.b", "a.b", TRUE},
	{"a.b", "a.bc", FALSE},
	{"a.*", "a.b.c", TRUE},
	{"a.*", "a.", TRUE},
	{"a.*", "b.a.x", FALSE},
	{"*", "anything", TRUE},
	{"*", "", TRUE},
	{"*.linux-*fs", "org.linux-btrfs", TRUE},
	{"*.linux-*fs", "org.linux-btrfsx", FALSE},
	{"a?c", "abc", TRUE},
	{"a?c", "ac", FALSE},
	{"a[b]c", "abc", FALSE},
	{"a[b]c", "a[b]c", TRUE},
	{"**a**", "bab", TRUE},
	{"ab*ab", "ab", FALSE},
	{"", "", TRUE},
	{"", "a", FALSE},
};

START_TEST(test_pattern)
{
	ck_assert_int_eq(nntp_matches(patterns[_i].pattern, patterns[_i].name),
			 patterns[_i].fits);
}
END_TEST

/* Patterns of stars that can't fit end, however many. */
START_TEST(test_pattern_long)
{
	g_autofree char *name = g_strnfill(NNTP_MAX_NAME, 'a');
	g_autoptr(GString) pattern = g_string_new(NULL);

	for (guint i = 0; i < 100; i++)
		g_string_append(pattern, "*a");
	ck_assert(nntp_matches(pattern->str, name));
	g_string_append(pattern, "*b");
	ck_assert(!nntp_matches(pattern->str, name));
}
END_TEST

static const struct {
	const char *line, *name; /* NULL: none */
	gboolean alias;
} actives[] = {
	{"a.b 300 1 n", "a.b", FALSE},
	{"a.b 300 1 =c.d", "a.b", TRUE},
	{"a.b", "a.b", FALSE},
	{"a.b x y", "a.b", FALSE},
	{"", NULL, FALSE},
	{" a.b 1 2 n", NULL, FALSE},
	{"a\x01 1 2 n", NULL, FALSE},
};

START_TEST(test_active)
{
	struct nntp_active a;
	const char *line = actives[_i].line;
	gboolean is = nntp_active(line, strlen(line), &a);
	g_autofree char *name = is ? g_strndup(a.name.at, a.name.len) : NULL;

	ck_assert_pstr_eq(name, actives[_i].name);
	if (is)
		ck_assert_int_eq(a.alias, actives[_i].alias);
}
END_TEST

#define DAY "Thu, 1 Jan 1970 00:01:00 +0000"
static const struct {
	const char *line;
	gboolean is;
	guint64 number;
	const char *id;
	gint64 date;
	guint64 bytes;
} overs[] = {
	{"1\ts\tf\t" DAY "\t<a@b>\t<r>\t99\t3\tXref: x", TRUE, 1, "<a@b>", 60,
	 99},
	{"5000000000\t\t\t\t\t\t", TRUE, 5000000000, NULL, 0, 0},
	{"7", TRUE, 7, NULL, 0, 0},
	{"7\ts\tf\tnonsense\t<a b>\t\tmany", TRUE, 7, NULL, 0, 0},
	{"7\ts\tf\t" DAY, TRUE, 7, NULL, 60, 0},
	{"7\ts\tf\t" DAY "\t<a@b>\t\t99999999999999999999", TRUE, 7, "<a@b>",
	 60, 0},
	{"7 s\tf", FALSE, 0, NULL, 0, 0},
	{"\t7", FALSE, 0, NULL, 0, 0},
	{"-7\ts", FALSE, 0, NULL, 0, 0},
	{"", FALSE, 0, NULL, 0, 0},
};

START_TEST(test_over)
{
	struct nntp_over o;
	const char *line = overs[_i].line;
	gboolean is = nntp_over(line, strlen(line), &o);
	g_autofree char *id = is ? g_strndup(o.id.at, o.id.len) : NULL;

	ck_assert_int_eq(is, overs[_i].is);
	if (!is)
		return;
	ck_assert_uint_eq(o.number, overs[_i].number);
	ck_assert_pstr_eq(id, overs[_i].id);
	ck_assert_int_eq(o.date, overs[_i].date);
	ck_assert_uint_eq(o.bytes, overs[_i].bytes);
}
END_TEST

/* A NUL in a subject takes nothing from what stands behind it. */
START_TEST(test_over_nul)
{
	static const char line[] = "3\ta\0b\tf\t" DAY "\t<a@b>\t\t77\t1";
	struct nntp_over o;

	ck_assert(nntp_over(line, sizeof(line) - 1, &o));
	ck_assert_uint_eq(o.number, 3);
	ck_assert_uint_eq(o.bytes, 77);
	ck_assert_uint_eq(o.id.len, 5);
}
END_TEST

#define S(text) text, sizeof(text) - 1
static const struct {
	const char *in;
	gsize len;
	const char *out;
	gsize out_len;
	gsize rest; /* bytes behind the end; G_MAXSIZE: it has none */
} blocks[] = {
	{S(".\r\n"), S(""), 0},
	{S("a\r\n.\r\nnext"), S("a\n"), 4},
	{S("..\r\n.\r\n"), S(".\n"), 0},
	{S("...a\r\n..b\r\n.\r\n"), S("..a\n.b\n"), 0},
	{S(".a\r\n.\r\n"), S("a\n"), 0},
	{S("a\0b\r\n.\r\n"), S("a\0b\n"), 0},
	{S("a\n.\r\n.\r\n"), S("a\n.\n"), 0},
	{S("a\n.\nb\r\n.\r\n"), S("a\n.\nb\n"), 0},
	{S("a\rb\r\n.\r\n"), S("a\rb\n"), 0},
	{S("a\r\r\n.\r\n"), S("a\r\n"), 0},
	{S("\r\n\r\n.\r\n"), S("\n\n"), 0},
	{S("\xff\xfe\r\n.\r\n"), S("\xff\xfe\n"), 0},
	{S(".\rx\r\n.\r\n"), S("\rx\n"), 0},
	{S(".\r\r\n.\r\n"), S("\r\n"), 0},
	{S("a\r\n."), S("a\n"), G_MAXSIZE},
	{S("a\r\n.\r"), S("a\n"), G_MAXSIZE},
	{S("a\n.\n"), S("a\n.\n"), G_MAXSIZE},
	{S(""), S(""), G_MAXSIZE},
};

/* In one piece, and cut at every byte. */
START_TEST(test_block)
{
	const char *in = blocks[_i].in;
	gsize len = blocks[_i].len;

	for (gsize cut = 0; cut <= len; cut++) {
		g_autoptr(GString) out = g_string_new(NULL);
		struct nntp_block b = {0};
		gboolean end;
		gsize took = nntp_block_take(&b, in, cut, out, &end);

		if (!end) {
			ck_assert_uint_eq(took, cut);
			took += nntp_block_take(&b, in + cut, len - cut, out,
						&end);
		}
		ck_assert_int_eq(end, blocks[_i].rest != G_MAXSIZE);
		ck_assert_uint_eq(took, end ? len - blocks[_i].rest : len);
		ck_assert_mem_eq(out->str, blocks[_i].out, blocks[_i].out_len);
		ck_assert_uint_eq(out->len, blocks[_i].out_len);
	}
}
END_TEST

START_TEST(test_block_long)
{
	g_autofree char *line = g_strnfill(1 << 20, 'x');
	g_autofree char *in = g_strconcat(line, "\r\n.\r\n", NULL);
	g_autofree char *want = g_strconcat(line, "\n", NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	struct nntp_block b = {0};
	gboolean end;

	nntp_block_take(&b, in, strlen(in), out, &end);
	ck_assert(end);
	ck_assert_str_eq(out->str, want);
}
END_TEST

static const struct {
	const char *in, *out;
} heads[] = {
	/* as public-inbox puts them */
	{"From: a\nSubject: s\nXref: h g:1\nNewsgroups: g\nPath: h!x\n\nb\n",
	 "From: a\nSubject: s\n\nb\n"},
	/* as INN does */
	{"Path: a!b\nFrom: a\nNewsgroups: g\nXref: h g:1\nLines: 3\n\nb\n",
	 "From: a\nNewsgroups: g\nLines: 3\n\nb\n"},
	/* folded, any case, a name alike */
	{"From: a\nPATH: x\n y\n\tz\nX-Path: p\nPathology: q\n\nPath: x\n",
	 "From: a\nX-Path: p\nPathology: q\n\nPath: x\n"},
	/* the mail's own group stays where others follow */
	{"Newsgroups: g\nFrom: a\n\n", "Newsgroups: g\nFrom: a\n\n"},
	/* two Message-IDs in the mail */
	{"Message-ID: <1@x>\nFrom: a\nX-Alt-Message-ID: <2@x>\nXref: h g:1\n"
	 "Newsgroups: g\nPath: h\n\n",
	 "Message-ID: <1@x>\nFrom: a\nMessage-ID: <2@x>\n\n"},
	{"X-Alt-Message-ID: <2@x>\nFrom: a\n\n",
	 "X-Alt-Message-ID: <2@x>\nFrom: a\n\n"},
	/* a head that ends without an empty line */
	{"From: a\nno field\nPath: of text\nmore\n\n",
	 "From: a\nno field\nPath: of text\nmore\n\n"},
	{"From: a\nno field\nXref: h\nPath: h\n\nx", "From: a\nno field\n\nx"},
	{"From: a", "From: a"},
	{"Path: a", "Path: a"},
	{"Path: a\n", ""},
	{"\nPath: a\n", "\nPath: a\n"},
	{"", ""},
};

START_TEST(test_strip)
{
	g_autoptr(GString) s = g_string_new(heads[_i].in);

	nntp_strip(s);
	ck_assert_str_eq(s->str, heads[_i].out);
	ck_assert_uint_eq(s->len, strlen(heads[_i].out));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("nntp_text");
	TCase *t = tcase_create("lines");

	tcase_add_loop_test(t, test_reply, 0, G_N_ELEMENTS(replies));
	tcase_add_loop_test(t, test_group, 0, G_N_ELEMENTS(groups));
	tcase_add_loop_test(t, test_article, 0, G_N_ELEMENTS(articles));
	tcase_add_loop_test(t, test_name, 0, G_N_ELEMENTS(names));
	tcase_add_test(t, test_name_length);
	tcase_add_loop_test(t, test_pattern, 0, G_N_ELEMENTS(patterns));
	tcase_add_test(t, test_pattern_long);
	tcase_add_loop_test(t, test_active, 0, G_N_ELEMENTS(actives));
	tcase_add_loop_test(t, test_over, 0, G_N_ELEMENTS(overs));
	tcase_add_test(t, test_over_nul);
	suite_add_tcase(s, t);
	t = tcase_create("articles");
	tcase_add_loop_test(t, test_block, 0, G_N_ELEMENTS(blocks));
	tcase_add_test(t, test_block_long);
	tcase_add_loop_test(t, test_strip, 0, G_N_ELEMENTS(heads));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
