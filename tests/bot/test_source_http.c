/* test_source_http.c - what is taken from a public-inbox's web server */
#include "mail/date.h"

#include "bot/http_position.h"

#include "tests/bot/web_inbox.h"

#define T0 "2026-01-01T00:00:00Z"
#define T1 "2026-01-01T00:10:00Z"

static struct heard h;
static struct web w;

static void setup(void)
{
	heard_init(&h);
	memset(&w, 0, sizeof(w));
}

static void teardown(void)
{
	heard_clear(&h);
}

static gint64 at(const char *date)
{
	gint64 t;

	ck_assert(date_from_rfc3339(date, &t));
	return t;
}

static char *search(gint64 from)
{
	return g_strdup_printf("POST /list/?q=rt:%" G_GINT64_FORMAT "..&x=m ",
			       from);
}

static struct remote http_since(gint64 since)
{
	return (struct remote){.ops = &remote_http, .since = since};
}

static const char *cursor(void)
{
	GHashTableIter iter;
	gpointer value = NULL;

	g_hash_table_iter_init(&iter, h.cursor);
	return g_hash_table_iter_next(&iter, NULL, &value) ? value : NULL;
}

/* As if the last look at the wide range was long ago. */
static void set_cursor(const dialogue *d, const char *text)
{
	g_hash_table_insert(h.cursor,
			    g_strdup_printf("http http://127.0.0.1:%u/list/",
					    d->port),
			    g_strdup(text));
}

/* How a position remembers an entry of the feed. */
static char *page_hash(const char *subject)
{
	g_autofree char *page = g_strconcat(subject, "%40x", NULL);
	char *hex = g_compute_checksum_for_string(G_CHECKSUM_SHA1, page, -1);

	hex[16] = '\0';
	return hex;
}

static void log_is(const char *got, const char *want)
{
	ck_assert_msg(!strcmp(got, want), "expected\n%sgot\n%s", want, got);
}

/* First run, nothing new, something new, nothing new by the server's word. */
START_TEST(test_runs)
{
	g_autofree char *first = search(at(T0) - 600);
	g_autofree char *one = NULL, *two = NULL, *three = NULL, *four = NULL;
	g_autofree char *heard = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = http_since(at(T0) - 600);

	web_feed(&w, "b a", T0, "ETag: \"a\"\r\n");
	web_mails(&w, first, "b a");
	web_page(&w, "a");
	web_page(&w, "b");
	web_feed(&w, "b a", T0, "");
	web_feed(&w, "d c b", T1,
		 "ETag: W/\"b c\"\r\nLast-Modified: today\r\n");
	web_page(&w, "c");
	web_page(&w, "d");
	web_status(&w, "If-None-Match: W/\"b c\"\r\nIf-Modified-Since: today",
		   "304 Same", "");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, r, NULL);
	log_is(one, "mail http URL/list/ b\nmail http URL/list/ a\n");
	two = web_read(&h, d, r, NULL);
	log_is(two, "");
	three = web_read(&h, d, r, NULL);
	log_is(three, "mail http URL/list/ c\nmail http URL/list/ d\n");
	four = web_read(&h, d, r, NULL);
	log_is(four, "");
	ck_assert_uint_eq(dialogue_connections(d), 9);
	heard = dialogue_heard(d);
	ck_assert_ptr_nonnull(strstr(heard, "If-None-Match: \"a\"\r\n"));
}
END_TEST

/* More came than the feed shows; the index of searches lags behind it; and
 * once more later, since by then it has caught up. */
START_TEST(test_gap)
{
	g_autofree char *ask = search(at(T0) - 3600);
	g_autofree char *more = search(at(T1) - 3600);
	g_autofree char *one = NULL, *two = NULL, *text = NULL, *later = NULL;
	g_autoptr(dialogue) d = NULL;
	g_autoptr(http_position_auto) p = NULL;

	web_feed(&w, "e d", T1, "");
	web_mails(&w, ask, "c");
	web_page(&w, "d");
	web_page(&w, "e");
	web_feed(&w, "e d", T1, "");
	web_mails(&w, more, "late e d c");
	d = dialogue_start(w.steps, NULL);
	text = g_strdup_printf("to=%" G_GINT64_FORMAT " swept=%" G_GINT64_FORMAT
			       " feed=0123456789abcdef",
			       at(T0), g_get_real_time() / G_USEC_PER_SEC);
	set_cursor(d, text);
	one = web_read(&h, d, http_since(0), NULL);
	log_is(one, "mail http URL/list/ c\nmail http URL/list/ d\n"
		    "mail http URL/list/ e\n");
	p = http_position_parse(cursor());
	ck_assert_int_eq(p->to, at(T1));
	ck_assert_int_gt(p->again, 0);
	p->again = 1;
	later = http_position_print(p);
	set_cursor(d, later);
	two = web_read(&h, d, http_since(0), NULL);
	log_is(two, "mail http URL/list/ late\n");
}
END_TEST

/* A page that the server does not have any more, and one it can't give. */
START_TEST(test_page_fails)
{
	g_autofree char *one = NULL, *two = NULL, *text = NULL;
	g_autofree char *a = page_hash("a");
	g_autoptr(dialogue) d = NULL;

	web_feed(&w, "c b a", T1, "");
	web_status(&w, "GET /list/b%40x/raw ", "404 Gone", "");
	web_status(&w, "GET /list/c%40x/raw ", "500 Oh", "");
	web_feed(&w, "c b a", T1, "");
	web_page(&w, "b");
	web_page(&w, "c");
	d = dialogue_start(w.steps, NULL);
	text = g_strdup_printf("to=%" G_GINT64_FORMAT " swept=%" G_GINT64_FORMAT
			       " feed=%s",
			       at(T0), g_get_real_time() / G_USEC_PER_SEC, a);
	set_cursor(d, text);
	one = web_read(&h, d, http_since(0), NULL);
	log_is(one, "error reply: URL/list/: answers 500\n");
	ck_assert_str_eq(cursor(), text);
	two = web_read(&h, d, http_since(0), NULL);
	log_is(two, "mail http URL/list/ b\nmail http URL/list/ c\n");
}
END_TEST

/* What was not taken is asked for again, though the feed is the same. */
START_TEST(test_search_fails)
{
	static const struct {
		const char *status, *fields, *log;
	} fails[] = {
		{"500 Oh", "", "error reply: URL/list/: answers 500\n"},
		{"403 No", "", "error refused: URL/list/: answers 403\n"},
		{"501 No", "",
		 "error refused: URL/list/: answers 501, it has no such "
		 "search; use type=inbox\n"},
		{"200 OK", "Content-Type: text/html\r\n",
		 "error reply: URL/list/: sends a page where mail was asked "
		 "for\n"},
	};
	g_autofree char *ask = search(at(T0) - 600);
	g_autofree char *one = NULL, *two = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = http_since(at(T0) - 600);

	web_feed(&w, "a", T0, "");
	web_status(&w, ask, fails[_i].status, fails[_i].fields);
	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "a");
	web_page(&w, "a");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, r, NULL);
	log_is(one, fails[_i].log);
	ck_assert_ptr_null(cursor());
	two = web_read(&h, d, r, NULL);
	log_is(two, "mail http URL/list/ a\n");
}
END_TEST

/* An answer cut anywhere moves nothing, and the next one is whole. */
START_TEST(test_cut)
{
	g_autofree char *ask = search(at(T0) - 600);
	g_autofree char *one = NULL, *two = NULL;
	gsize len;
	g_autofree char *mbox = web_mbox("a b c", &len);
	g_autoptr(GString) say =
		g_string_new("HTTP/1.1 200 OK\r\n"
			     "Content-Type: application/gzip\r\n\r\n");
	g_autoptr(dialogue) d = NULL; /* ends before what it says */
	struct remote r = http_since(at(T0) - 600);

	/* without a length: only the packing can tell that it is not whole */
	g_string_append_len(say, mbox, (gssize)(len * (guint)_i / 16));
	web_feed(&w, "a", T0, "");
	web_raw(&w, ask, say->str, say->len);
	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "a b c");
	web_page(&w, "a");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, r, NULL);
	ck_assert_msg(strstr(one, "error ") != NULL, "no error: %s", one);
	ck_assert_ptr_null(cursor());
	two = web_read(&h, d, r, NULL);
	log_is(two, "mail http URL/list/ a\nmail http URL/list/ b\n"
		    "mail http URL/list/ c\n");
}
END_TEST

START_TEST(test_left_alone)
{
	g_autofree char *one = NULL, *two = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = http_since(at(T0));

	web_status(&w, "GET /list/new.atom ", "503 Busy",
		   "Retry-After: 900\r\n");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, r, NULL);
	log_is(one, "error reply: URL/list/: answers 503 and wants to be left "
		    "alone for 900 seconds\n");
	two = web_read(&h, d, r, NULL);
	ck_assert(g_str_has_prefix(two, "error reply: URL/list/: wanted to be "
					"left alone until 20"));
	ck_assert_uint_eq(dialogue_connections(d), 1);
}
END_TEST

START_TEST(test_no_inbox)
{
	g_autofree char *one = NULL;
	g_autoptr(dialogue) d = NULL;

	web_status(&w, "GET /list/new.atom ", "404 Not Found", "");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, http_since(0), NULL);
	log_is(one, "error refused: URL/list/: is no public-inbox, or has no "
		    "mail yet (no new.atom there)\n");
}
END_TEST

/* From long ago: spans that grow where little came, each of them kept. */
START_TEST(test_catch_up)
{
	g_autofree char *one = NULL, *heard = NULL;
	g_autoptr(dialogue) d = NULL;
	g_autoptr(http_position_auto) p = NULL;
	gint64 from = at("2025-11-01T00:00:00Z"), day = 86400;
	g_autofree char *a = g_strdup_printf("rt:%" G_GINT64_FORMAT
					     "..%" G_GINT64_FORMAT "&",
					     from, from + 7 * day);
	g_autofree char *b = g_strdup_printf("rt:%" G_GINT64_FORMAT
					     "..%" G_GINT64_FORMAT "&",
					     from + 7 * day, from + 21 * day);
	g_autofree char *c = g_strdup_printf("rt:%" G_GINT64_FORMAT
					     "..%" G_GINT64_FORMAT "&",
					     from + 21 * day, from + 49 * day);
	g_autofree char *last = search(from + 49 * day - 3600);

	web_feed(&w, "d", T0, "");
	web_mails(&w, a, "a");
	web_status(&w, b, "404 None", "");
	web_mails(&w, c, "c");
	web_mails(&w, last, "d");
	web_page(&w, "d");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, http_since(from), NULL);
	log_is(one, "mail http URL/list/ a\nmail http URL/list/ c\n"
		    "mail http URL/list/ d\n");
	ck_assert_uint_eq(h.cursors, 4);
	p = http_position_parse(cursor());
	ck_assert_int_eq(p->to, at(T0));
}
END_TEST

/* Without `since` it is all there ever was, in few questions. */
START_TEST(test_all)
{
	g_autofree char *one = NULL;
	g_autoptr(dialogue) d = NULL;

	web_feed(&w, "new", T0, "");
	web_mails(&w, "?q=rt:10000..", "ancient");
	for (guint year = 1990; year < 2025; year++)
		web_status(&w, "?q=rt:", "404 None", "");
	web_mails(&w, "?q=rt:", "new");
	web_page(&w, "new");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, http_since(0), NULL);
	log_is(one, "mail http URL/list/ ancient\nmail http URL/list/ new\n");
}
END_TEST

/* More than is taken at once: shorter spans, until it fits. */
START_TEST(test_large)
{
	static const char huge[] = "HTTP/1.1 200 OK\r\n"
				   "Content-Length: 999999999999\r\n\r\n";
	g_autofree char *one = NULL;
	g_autoptr(dialogue) d = NULL;
	gint64 from = at(T0) - 86400;
	g_autofree char *all = search(from);
	g_autofree char *part = g_strdup_printf("rt:%" G_GINT64_FORMAT
						"..%" G_GINT64_FORMAT "&",
						from, from + 37800);

	web_feed(&w, "b", T0, "");
	web_raw(&w, all, huge, sizeof(huge) - 1);
	web_raw(&w, all, huge, sizeof(huge) - 1);
	web_mails(&w, part, "a");
	web_mails(&w, "&x=m ", "b");
	web_page(&w, "b");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, http_since(from), NULL);
	log_is(one, "mail http URL/list/ a\nmail http URL/list/ b\n");
}
END_TEST

/* Threads that lack mails are fetched, each asked for once. */
START_TEST(test_wanted)
{
	static const struct {
		const char *status, *log;
	} ways[] = {
		{"404 Unknown", ""},
		{"403 No", ""},
		{"500 Oh", "error reply: URL/list/: answers 500\n"},
	};
	g_autofree char *ask = search(at(T0));
	g_autofree char *one = NULL, *want = NULL, *place = NULL, *no = NULL;
	g_autoptr(dialogue) d = NULL;

	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "a");
	web_page(&w, "a");
	web_mails(&w, "GET /list/old%2Fer@example.org/t.mbox.gz ", "old er");
	web_status(&w, "GET /list/no@x/t.mbox.gz ", ways[_i].status, "");
	web_wanted = "old/er@example.org no@x";
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, http_since(at(T0)), NULL);
	want = g_strconcat("mail http URL/list/ a\nmail http URL/list/ old\n"
			   "mail http URL/list/ er\n",
			   ways[_i].log, NULL);
	log_is(one, want);
	place = g_strdup_printf("thread http://127.0.0.1:%u/list/"
				"old/er@example.org",
				d->port);
	no = g_strdup_printf("thread http://127.0.0.1:%u/list/no@x", d->port);
	ck_assert(g_str_has_prefix(g_hash_table_lookup(h.cursor, place),
				   "found 20"));
	ck_assert_int_eq(g_hash_table_contains(h.cursor, no),
			 *ways[_i].log == '\0');
	web_wanted = NULL;
}
END_TEST

/* A mail beyond max-size is told of and left out; the others come. */
START_TEST(test_max_size)
{
	g_autofree char *ask = search(at(T0));
	g_autofree char *one = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = http_since(at(T0));

	r.max_bytes = 120;
	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "a a-subject-that-is-long-enough-to-be-above-it b");
	web_page(&w, "a");
	d = dialogue_start(w.steps, NULL);
	one = web_read(&h, d, r, NULL);
	ck_assert(g_str_has_prefix(one, "mail http URL/list/ a\nbroken http "
					"URL/list/ damaged: "));
	ck_assert(g_str_has_suffix(one, "\nmail http URL/list/ b\n"));
	ck_assert_ptr_nonnull(cursor());
}
END_TEST

/* Once a day also what the server took up late. */
START_TEST(test_sweep)
{
	g_autofree char *ask = search(at(T0) - 3 * 86400);
	g_autofree char *a = page_hash("a");
	g_autofree char *one = NULL, *text = NULL;
	g_autoptr(dialogue) d = NULL;

	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "late");
	d = dialogue_start(w.steps, NULL);
	text = g_strdup_printf("to=%" G_GINT64_FORMAT " swept=1000 feed=%s",
			       at(T0), a);
	set_cursor(d, text);
	one = web_read(&h, d, http_since(0), NULL);
	log_is(one, "mail http URL/list/ late\n");
}
END_TEST

/* Stopped in the middle: what was said stays, no position covers the rest. */
START_TEST(test_stopped)
{
	g_autofree char *ask = search(at(T0) - 600);
	g_autofree char *one = NULL;
	g_autoptr(dialogue) d = NULL;
	struct remote r = http_since(at(T0) - 600);

	web_feed(&w, "a", T0, "");
	web_mails(&w, ask, "a b c");
	d = dialogue_start(w.steps, NULL);
	h.stop_after = 2;
	one = web_read(&h, d, r, NULL);
	ck_assert(g_str_has_prefix(one, "mail http URL/list/ a\n"
					"mail http URL/list/ b\nerror "));
	ck_assert_ptr_null(cursor());
}
END_TEST

static void check_position(const char *text, const char *want)
{
	g_autoptr(http_position_auto) p = http_position_parse(text);
	g_autofree char *got = http_position_print(p);

	ck_assert_str_eq(got, want);
}

START_TEST(test_position)
{
	static const char whole[] =
		"to=5 swept=6 again=9 alone=7 etag=W%2F%22a%20b%22 modified=x "
		"feed=0000000000000002 seen=0000000000000001,abcdefabcdefabcd";

	check_position(whole, whole);
	check_position(NULL, "to=0 swept=0 again=0 alone=0");
	check_position("", "to=0 swept=0 again=0 alone=0");
	check_position("nonsense to=x =5 swept=-1 seen=1,2,, etag",
		       "to=0 swept=0 again=0 alone=0");
	check_position("to=99999999999999999999 etag=%zz",
		       "to=0 swept=0 again=0 alone=0");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("source_http");
	TCase *c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, test_runs);
	tcase_add_test(c, test_gap);
	tcase_add_test(c, test_page_fails);
	tcase_add_loop_test(c, test_search_fails, 0, 4);
	tcase_add_loop_test(c, test_cut, 0, 16);
	tcase_add_test(c, test_left_alone);
	tcase_add_test(c, test_no_inbox);
	tcase_add_test(c, test_catch_up);
	tcase_add_test(c, test_all);
	tcase_add_test(c, test_large);
	tcase_add_loop_test(c, test_wanted, 0, 3);
	tcase_add_test(c, test_max_size);
	tcase_add_test(c, test_sweep);
	tcase_add_test(c, test_stopped);
	tcase_add_test(c, test_position);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
