/* test_imap_guard.c - lines of an IMAP server: what is handed over, what is
 * refused, and that it makes no difference how the bytes are cut */
#include <string.h>

#include "bot/imap_guard.h"

#include "tests/test.h"

#define MAX_BODY 1000
#define PASSES	 (-1)

static const struct imap_reply usual = {.max_body = MAX_BODY,
					.max_bodies = 2 * MAX_BODY};

/* Feeds `bytes` in pieces of `piece`; the end of what passed, -1: an error. */
static gssize feed(struct imap_guard *g, const char *bytes, gsize len,
		   gsize piece, GError **err)
{
	gsize at = 0;

	while (at < len) {
		gssize n = imap_guard_pass(g, bytes + at, MIN(piece, len - at),
					   err);

		if (n < 0)
			return -1;
		ck_assert_int_gt(n, 0);
		at += (gsize)n;
		if (g->ended != IMAP_END_NOT)
			break;
	}
	return (gssize)at;
}

static const struct {
	const char *bytes;
	int error; /* PASSES or a NET_ERROR */
	const char *text;
} cases[] = {
	{"* OK hello\r\n", PASSES, NULL},
	{"1 OK done\r\n", PASSES, "OK done"},
	{"1 NO [X] no\tsuch \001 box\r\n", PASSES, "NO [X] no such   box"},
	{"* 3 EXISTS\r\n1 OK\r\n", PASSES, "OK"},
	{"* 1 FETCH (UID 7 BODY[] {3}\r\na\nb FLAGS ())\r\n1 OK d\r\n", PASSES,
	 "OK d"},
	{"* 1 FETCH (UID 7 body[] {3}\r\n((( FLAGS ())\r\n1 OK d\r\n", PASSES,
	 "OK d"},
	{"* LIST () \"/\" {6}\r\n(((INB\r\n1 OK d\r\n", PASSES, "OK d"},
	{"* BYE [X] over\r\n", NET_ERROR_CLOSED, "[X] over"},
	{"* bye\r\n", NET_ERROR_CLOSED, "goodbye"},
	{"* 1 FETCH (UID 7 BODY[] {1001}\r\n", NET_ERROR_LIMIT, "1001 bytes"},
	{"* 1 FETCH (UID 7 BODY[] {4000000000}\r\n", NET_ERROR_LIMIT,
	 "4000000000"},
	{"* 1 FETCH (UID 7 BODY[] {99999999999999999999999999}\r\n",
	 NET_ERROR_LIMIT, "bytes"},
	{"* LIST () \"/\" {5000}\r\n", NET_ERROR_LIMIT, "5000"},
	{"* OK call 18005550100 now\r\n", PASSES, NULL},
	{"* OK {4000000000}\r\n1 OK x\r\n", PASSES, "OK x"},
	{"* OK ((((((((((((((((((((((((((\r\n1 OK x\r\n", PASSES, "OK x"},
	{"1 OK ((((((((((((((((((((((((((\r\n", PASSES,
	 "OK (((((((((((((((((((((((((("},
	{"+ go\r\n", PASSES, "go"},
	{"\r\n", PASSES, ""},
	{"\n", PASSES, ""},
};

START_TEST(passing)
{
	const char *bytes = cases[_i].bytes;
	gsize len = strlen(bytes);

	for (gsize piece = 1; piece <= len; piece++) {
		struct imap_guard g;
		g_autoptr(GError) err = NULL;
		gssize n;

		imap_guard_init(&g);
		imap_guard_begin(&g, &usual);
		n = feed(&g, bytes, len, piece, &err);
		if (cases[_i].error == PASSES) {
			ck_assert_msg(n == (gssize)len, "%zd of %s", n, bytes);
			if (cases[_i].text)
				ck_assert_str_eq(g.status, cases[_i].text);
		} else {
			ck_assert_msg(g_error_matches(err, NET_ERROR,
						      cases[_i].error),
				      "%s: %s", bytes,
				      err ? err->message : "passed");
			ck_assert_ptr_nonnull(
				strstr(err->message, cases[_i].text));
		}
		imap_guard_clear(&g);
	}
}
END_TEST

/* Nobody gets bytes of the next answer with those of this one. */
START_TEST(ends)
{
	static const char bytes[] =
		"* 1 EXISTS\r\n1 OK x\r\n+ more\r\n2 NO\r\n";
	static const struct {
		gssize to;
		enum imap_end end;
	} want[] = {{20, IMAP_END_DONE},
		    {28, IMAP_END_ASKED},
		    {34, IMAP_END_DONE}};
	struct imap_guard g;
	gssize at = 0;

	imap_guard_init(&g);
	for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
		at += feed(&g, bytes + at, sizeof(bytes) - 1 - (gsize)at, 100,
			   NULL);
		ck_assert_int_eq(at, want[i].to);
		ck_assert_int_eq(g.ended, want[i].end);
	}
	ck_assert(g.news);
	imap_guard_clear(&g);
}
END_TEST

static gboolean on_line(const char *line, GPtrArray *literals, void *data)
{
	GString *log = data;

	g_string_append_printf(log, "[%s]", line);
	for (guint i = 0; i < literals->len; i++) {
		const GByteArray *b = literals->pdata[i];

		g_string_append_printf(log, "<%.*s>", b ? (int)b->len : 1,
				       b ? (const char *)b->data : "-");
	}
	return !strstr(line, "STOP");
}

/* Lines without their ends, literals apart, those too large to keep told. */
START_TEST(lines)
{
	static const char bytes[] =
		"* 3 EXISTS\r\n* 1 FETCH (BODY[] {3}\r\na\nb X {2}\r\ncd)\n"
		"* 2 FETCH (BODY[] {5}\r\n12345 BODY[] {0}\r\n)\r\n"
		"+ no\r\n* OK yes {2}\r\n1 OK x\r\n* STOP\r\n";
	static const char want[] =
		"[* 3 EXISTS][* 1 FETCH (BODY[] {3}\r\n X {2}\r\n)]<a\nb><cd>"
		"[* 2 FETCH (BODY[] {5}\r\n BODY[] {0}\r\n)]<-><>"
		"[* OK yes {2}][* STOP]";

	for (gsize piece = 1; piece < sizeof(bytes); piece++) {
		g_autoptr(GString) log = g_string_new(NULL);
		const struct imap_reply reply = {.max_body = MAX_BODY,
						 .max_bodies = MAX_BODY,
						 .keep = 4,
						 .line = on_line,
						 .data = log};
		struct imap_guard g;
		g_autoptr(GError) err = NULL;
		gsize at = 0;
		gssize n = 0;

		imap_guard_init(&g);
		imap_guard_begin(&g, &reply);
		while (n >= 0 && at < sizeof(bytes) - 1) {
			n = imap_guard_pass(&g, bytes + at,
					    MIN(piece, sizeof(bytes) - 1 - at),
					    &err);
			at += n > 0 ? (gsize)n : 0;
		}
		ck_assert_str_eq(log->str, want);
		ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_REPLY));
		imap_guard_clear(&g);
	}
}
END_TEST

static void repeat(const char *begin, const char *part, guint times,
		   enum net_error code)
{
	GString *s = g_string_new(begin);
	struct imap_guard g;
	g_autoptr(GError) err = NULL;

	for (guint i = 0; i < times; i++)
		g_string_append(s, part);
	imap_guard_init(&g);
	imap_guard_begin(&g, &usual);
	ck_assert_int_eq(feed(&g, s->str, s->len, 16384, &err), -1);
	ck_assert_msg(g_error_matches(err, NET_ERROR, (int)code), "%s: %s",
		      begin, err->message);
	imap_guard_clear(&g);
	g_string_free(s, TRUE);
}

START_TEST(much)
{
	repeat("* 1 FETCH (BODYSTRUCTURE ", "(", 200000, NET_ERROR_LIMIT);
	repeat("* LIST ", "(", 200000, NET_ERROR_LIMIT);
	repeat("* OK ", "x", 200000, NET_ERROR_LIMIT);
	repeat("", "x", 200000, NET_ERROR_LIMIT);
	repeat("", "* 1 EXISTS\r\n", 2000000, NET_ERROR_LIMIT);
	repeat("* SEARCH", " 4000000000", 2000000, NET_ERROR_LIMIT);
	repeat("", "* 1 FETCH (BODY[] {900}\r\n)\r\n", 200, NET_ERROR_LIMIT);
}
END_TEST

/* A long SEARCH line is what large mailboxes have. */
START_TEST(long_search)
{
	GString *s = g_string_new("* SEARCH");
	struct imap_guard g;

	for (guint i = 0; i < 500000; i++)
		g_string_append_printf(s, " %u", i);
	g_string_append(s, "\r\n1 OK\r\n");
	imap_guard_init(&g);
	imap_guard_begin(&g, NULL);
	ck_assert_int_eq(feed(&g, s->str, s->len, 16384, NULL), (gssize)s->len);
	imap_guard_clear(&g);
	g_string_free(s, TRUE);
}
END_TEST

START_TEST(nul)
{
	static const char bytes[] = "* 1 EXI\0STS\r\n";
	struct imap_guard g;
	g_autoptr(GError) err = NULL;

	imap_guard_init(&g);
	imap_guard_begin(&g, &usual);
	ck_assert_int_eq(feed(&g, bytes, sizeof(bytes) - 1, 100, &err), -1);
	ck_assert(g_error_matches(err, NET_ERROR, NET_ERROR_REPLY));
	imap_guard_clear(&g);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_guard");
	TCase *c = tcase_create("guard");

	tcase_add_loop_test(c, passing, 0, G_N_ELEMENTS(cases));
	tcase_add_test(c, ends);
	tcase_add_test(c, lines);
	tcase_add_test(c, much);
	tcase_add_test(c, long_search);
	tcase_add_test(c, nul);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
