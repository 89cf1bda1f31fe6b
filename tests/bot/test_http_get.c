/* test_http_get.c - documents of web servers: what is an answer, what is not
 */
#include <zlib.h>

#include "bot/http_get.h"

#include "tests/dialogue.h"

#define FINE "HTTP/1.1 200 OK\r\n"
#define GONE "Connection: close\r\n\r\n"

static char *certs;

static void make_certs(void)
{
	make_dir();
	certs = dialogue_certs(dir);
}

static void remove_certs(void)
{
	g_free(certs);
	remove_dir();
}

static char *url_of(const dialogue *d, const char *path)
{
	return g_strdup_printf("http%s://%s:%u/%s", d->how.tls ? "s" : "",
			       d->how.tls ? "localhost" : "127.0.0.1", d->port,
			       path);
}

static void is_error(const GError *err, enum net_error code, const char *text)
{
	ck_assert_msg(err != NULL, "no error, expected %s", text);
	ck_assert_msg(g_error_matches(err, NET_ERROR, (int)code), "%s: %s",
		      net_error_code(err), err->message);
	ck_assert_msg(strstr(err->message, text) != NULL, "\"%s\" in \"%s\"",
		      text, err->message);
}

/* Ask `d` for list/; the answer must be whole. */
static void ask_fine(const dialogue *d, struct http_ask ask,
		     struct http_answer *a)
{
	g_autofree char *url = url_of(d, "list/");
	g_autofree char *ca = g_strdup_printf("%s/ca.crt", certs);
	g_autoptr(GError) err = NULL;

	ask.url = url;
	ask.ca_file = ca;
	ask.timeout = ask.timeout ? ask.timeout : 20;
	ask.max_bytes = ask.max_bytes ? ask.max_bytes : 100000;
	ck_assert_msg(http_get(&ask, a, &err), "%s", err ? err->message : "?");
}

static void ask_bad(const dialogue *d, struct http_ask ask, enum net_error code,
		    const char *text)
{
	g_autofree char *url = url_of(d, "list/?q=secret");
	g_autofree char *ca = g_strdup_printf("%s/ca.crt", certs);
	g_autoptr(GError) err = NULL;
	struct http_answer a;

	ask.url = ask.url ? ask.url : url;
	ask.ca_file = ask.ca_file ? ask.ca_file : ca;
	ask.timeout = ask.timeout ? ask.timeout : 20;
	ask.max_bytes = ask.max_bytes ? ask.max_bytes : 100000;
	ck_assert(!http_get(&ask, &a, &err));
	is_error(err, code, text);
	ck_assert_ptr_null(a.body);
}

static void body_is(const struct http_answer *a, const char *text)
{
	ck_assert_uint_eq(a->body->len, strlen(text));
	ck_assert_mem_eq(a->body->data, text, a->body->len);
}

/* ---- answers */

static const struct dialogue_step document[] = {
	{.hear = "\r\n\r\n",
	 .say = FINE "ETag: W/\"one\"\r\nlast-modified: then \r\n"
		     "Content-Type: Text/HTML; charset=UTF-8\r\n"
		     "Content-Length: 5\r\n\r\nhello"},
	{.end = DIALOGUE_OVER},
};

START_TEST(test_document)
{
	struct dialogue_options how = {.tls = _i ? "good" : NULL,
				       .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(document, &how);
	struct http_answer a;
	g_autofree char *heard = NULL;

	ask_fine(d, (struct http_ask){0}, &a);
	ck_assert_uint_eq(a.status, 200);
	ck_assert_str_eq(a.etag, "W/\"one\"");
	ck_assert_str_eq(a.modified, "then");
	ck_assert_str_eq(a.type, "text/html");
	ck_assert_int_eq(a.wait, 0);
	body_is(&a, "hello");
	http_answer_clear(&a);
	heard = dialogue_heard(d);
	ck_assert(g_str_has_prefix(heard, "GET /list/ HTTP/1.1\r\n"));
	ck_assert_ptr_nonnull(strstr(heard, "\r\nUser-Agent: culprit/"));
	ck_assert_ptr_null(strstr(heard, "If-"));
}
END_TEST

START_TEST(test_conditional)
{
	static const struct dialogue_step same[] = {
		{.hear = "\r\n\r\n",
		 .say = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(same, NULL);
	struct http_answer a;
	g_autofree char *heard = NULL;

	ask_fine(d,
		 (struct http_ask){.etag = "\"x\"",
				   .modified = "then\r\nEvil: yes"},
		 &a);
	ck_assert_uint_eq(a.status, 304);
	ck_assert_uint_eq(a.body->len, 0);
	http_answer_clear(&a);
	heard = dialogue_heard(d);
	ck_assert_ptr_nonnull(strstr(heard, "\r\nIf-None-Match: \"x\"\r\n"));
	ck_assert_ptr_null(strstr(heard, "Evil"));
}
END_TEST

START_TEST(test_post)
{
	static const struct dialogue_step form[] = {
		{.hear = "q=a%20b&x=m",
		 .say = FINE GONE "mail",
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(form, NULL);
	struct http_answer a;
	g_autofree char *heard = NULL;

	ask_fine(d, (struct http_ask){.body = "q=a%20b&x=m"}, &a);
	body_is(&a, "mail");
	http_answer_clear(&a);
	heard = dialogue_heard(d);
	ck_assert(g_str_has_prefix(heard, "POST /list/ HTTP/1.1\r\n"));
}
END_TEST

static gboolean gather(const void *bytes, gsize len, void *data, GError **err)
{
	g_string_append_len(data, bytes, (gssize)len);
	if (!strstr(((GString *)data)->str, "stop"))
		return TRUE;
	g_set_error(err, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "disk full");
	return FALSE;
}

static const struct {
	const char *answer;
	guint status;
	gint64 wait;
	const char *chunks;
} statuses[] = {
	{FINE GONE "all of it", 200, 0, "all of it"},
	{FINE "Transfer-Encoding: chunked\r\n\r\n3\r\nall\r\n0\r\n\r\n", 200, 0,
	 "all"},
	{"HTTP/1.1 204 None\r\n\r\n", 204, 0, ""},
	{"HTTP/1.1 404 Not Found\r\n" GONE "page", 404, 0, ""},
	{"HTTP/1.1 429 Slow\r\nRetry-After: 120\r\n" GONE "no", 429, 120, ""},
	{"HTTP/1.1 503 Busy\r\nRetry-After: 99999999999\r\n" GONE, 503, 86400,
	 ""},
	{"HTTP/1.1 503 Busy\r\nRetry-After: -5\r\n" GONE, 503, 0, ""},
	{"HTTP/1.1 500 Oh\r\n" GONE "stop", 500, 0, ""},
	{"HTTP/1.1 300 Many\r\n" GONE "which", 300, 0, ""},
};

/* What is no success is an answer, and its text no document. */
START_TEST(test_status)
{
	struct dialogue_step steps[] = {
		{.hear = "\r\n\r\n",
		 .say = statuses[_i].answer,
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	GString *got = g_string_new(NULL);
	struct http_answer a;

	ask_fine(d, (struct http_ask){.chunk = gather, .data = got}, &a);
	ck_assert_uint_eq(a.status, statuses[_i].status);
	ck_assert_int_eq(a.wait, statuses[_i].wait);
	ck_assert_str_eq(got->str, statuses[_i].chunks);
	ck_assert_ptr_null(a.body);
	http_answer_clear(&a);
	g_string_free(got, TRUE);
}
END_TEST

START_TEST(test_chunk_stops)
{
	static const struct dialogue_step endless[] = {
		{.hear = "\r\n\r\n", .say = FINE GONE},
		{.say = "more stop ", .times = 1000000},
		{.end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(endless, NULL);
	g_autofree char *url = url_of(d, "");
	GString *got = g_string_new(NULL);
	struct http_ask ask = {.url = url,
			       .timeout = 20,
			       .max_bytes = 1 << 30,
			       .chunk = gather,
			       .data = got};
	g_autoptr(GError) err = NULL;
	struct http_answer a;

	ck_assert(!http_get(&ask, &a, &err));
	ck_assert(g_error_matches(err, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
	g_string_free(got, TRUE);
}
END_TEST

/* ---- packed */

/* `len` zeros, packed, with the field that says so. */
static char *packed(gsize len, gsize *size)
{
	static const char head[] = FINE "Content-Encoding: gzip\r\n" GONE;
	guint8 *zeros = g_malloc0(len);
	gsize n = sizeof(head) - 1, room = len / 900 + 1000;
	char *out = g_malloc(n + room);
	z_stream z = {.next_in = zeros,
		      .avail_in = (guint)len,
		      .next_out = (guint8 *)out + n,
		      .avail_out = (guint)room};

	memcpy(out, head, n);
	ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	*size = n + z.total_out;
	deflateEnd(&z);
	g_free(zeros);
	return out;
}

static const struct {
	gsize len;
	gboolean damaged;
	enum net_error code;
	const char *why;
} packs[] = {
	{5000, FALSE, 0, NULL},
	{100000, FALSE, 0, NULL},
	{100001, FALSE, NET_ERROR_LIMIT, "more than 100000 bytes"},
	{64 << 20, FALSE, NET_ERROR_LIMIT, "more than 100000 bytes"},
	{5000, TRUE, NET_ERROR_REPLY, "damaged"},
};

START_TEST(test_packed)
{
	gsize len;
	g_autofree char *text = packed(packs[_i].len, &len);
	struct dialogue_step steps[] = {
		{.hear = "\r\n\r\n",
		 .say = text,
		 .len = len,
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = NULL;
	struct http_answer a;

	if (packs[_i].damaged)
		memset(text + len - 20, 0xff, 10);
	d = dialogue_start(steps, NULL);
	if (packs[_i].why) {
		ask_bad(d, (struct http_ask){0}, packs[_i].code, packs[_i].why);
		return;
	}
	ask_fine(d, (struct http_ask){0}, &a);
	ck_assert_uint_eq(a.body->len, packs[_i].len);
	ck_assert_uint_eq(a.body->data[packs[_i].len - 1], 0);
	http_answer_clear(&a);
}
END_TEST

/* Blocks of nothing: endless to receive, empty once unpacked. */
START_TEST(test_packed_nothing)
{
	static const char start[] = FINE "Content-Encoding: gzip\r\n" GONE
					 "\x1f\x8b\x08\0\0\0\0\0\0\x03";
	static const struct dialogue_step nothing[] = {
		{.hear = "\r\n\r\n", .say = start, .len = sizeof(start) - 1},
		{.say = "\0\0\0\xff\xff", .len = 5, .times = 200000},
		{.end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(nothing, NULL);

	ask_bad(d, (struct http_ask){0}, NET_ERROR_LIMIT, "more than");
}
END_TEST

/* ---- no answers */

static const struct {
	const char *say;
	guint times;
	enum dialogue_end end;
	enum net_error code;
	const char *why;
} broken[] = {
	{"", 1, DIALOGUE_CUT, NET_ERROR_CLOSED, "/list/:"},
	{"HTTP/1.1 200", 1, DIALOGUE_RESET, NET_ERROR_CLOSED, "/list/:"},
	{FINE "Content-Length: 50\r\n\r\nshort", 1, DIALOGUE_CUT,
	 NET_ERROR_CLOSED, "/list/:"},
	{FINE "Transfer-Encoding: chunked\r\n\r\n9\r\nshort", 1, DIALOGUE_CUT,
	 NET_ERROR_CLOSED, "/list/:"},
	{"garbage\r\n\r\n", 1, DIALOGUE_CUT, NET_ERROR_REPLY, "/list/:"},
	{FINE "Content-Length: 9999999\r\n\r\nx", 1, DIALOGUE_ON,
	 NET_ERROR_LIMIT, "more than"},
	{FINE "Content-Length: 5\r\n\r\n", 1, DIALOGUE_ON, NET_ERROR_TIME,
	 "/list/:"},
	{"", 1, DIALOGUE_ON, NET_ERROR_TIME, "/list/:"},
};

START_TEST(test_broken)
{
	struct dialogue_step steps[] = {
		{.hear = "\r\n\r\n",
		 .say = broken[_i].say,
		 .end = broken[_i].end},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);

	ask_bad(d, (struct http_ask){.timeout = 2}, broken[_i].code,
		broken[_i].why);
}
END_TEST

START_TEST(test_endless_header) /* many fields, or one, which curl keeps */
{
	struct dialogue_step fields[] = {
		{.hear = "\r\n\r\n", .say = FINE "X-Field: first\r\nX-More: "},
		{.say = _i ? "words " : "X-Field: x\r\n", .times = 100000},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(fields, NULL);

	ask_bad(d, (struct http_ask){0}, NET_ERROR_LIMIT, _i ? "line" : "head");
}
END_TEST

/* A document cut at each byte is no document. */
START_TEST(test_cut)
{
	struct dialogue_options how = {.cut = _i ? _i : DIALOGUE_AT_ONCE,
				       .fault = DIALOGUE_CUT};
	g_autoptr(dialogue) d = dialogue_start(document, &how);

	ask_bad(d, (struct http_ask){0}, NET_ERROR_CLOSED, "/list/:");
}
END_TEST

static const struct {
	const char *tls, *version;
	gboolean system_cas;
} bad_certs[] = {
	{"expired", NULL, FALSE},    {"wronghost", NULL, FALSE},
	{"selfsigned", NULL, FALSE}, {"alien", NULL, FALSE},
	{"good", "1.1", FALSE},	     {"good", NULL, TRUE},
};

START_TEST(test_unverified)
{
	struct dialogue_options how = {.tls = bad_certs[_i].tls,
				       .certs = certs,
				       .tls_version = bad_certs[_i].version};
	g_autoptr(dialogue) d = dialogue_start(document, &how);
	struct http_ask ask = {.body = "secret"};
	g_autofree char *heard = NULL;

	if (bad_certs[_i].system_cas)
		ask.ca_file = "/etc/ssl/certs/ca-certificates.crt";
	ask_bad(d, ask, NET_ERROR_VERIFY, "identity");
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	ck_assert_str_eq(heard, "");
}
END_TEST

/* ---- addresses and redirections */

static const struct {
	const char *url;
	enum net_error code;
	const char *why;
} urls[] = {
	{"http://lists.example.org/x", NET_ERROR_PLAIN,
	 "plain-host=lists.example.org"},
	{"https://me:word@example.org/", NET_ERROR_REPLY, "user"},
	{"ftp://127.0.0.1/", NET_ERROR_REPLY, "no address"},
	{"file:///etc/passwd", NET_ERROR_REPLY, "no address"},
	{"https:///x", NET_ERROR_REPLY, "no address"},
	{"", NET_ERROR_REPLY, "no address"},
};

START_TEST(test_url)
{
	g_autoptr(dialogue) d = dialogue_start(document, NULL);

	ask_bad(d, (struct http_ask){.url = urls[_i].url}, urls[_i].code,
		urls[_i].why);
}
END_TEST

#define MOVED(status, to) \
	"HTTP/1.1 " status " Moved\r\nLocation: " to "\r\n" GONE

static const struct {
	const char *answer;
	const char *heard; /* of the second request; NULL: there is none */
	enum net_error code;
	const char *why;
} moves[] = {
	{MOVED("301", "/new/"), "GET /new/ ", 0, NULL},
	{MOVED("302", "other"), "GET /list/other ", 0, NULL},
	{MOVED("307", "/new/"), "POST /new/ ", 0, NULL},
	{MOVED("308", "/new/"), "POST /new/ ", 0, NULL},
	{MOVED("302", "http://mail.example.org/"), NULL, NET_ERROR_PLAIN,
	 "mail.example.org"},
	{MOVED("302", "file:///etc/passwd"), NULL, NET_ERROR_REPLY,
	 "no address"},
};

START_TEST(test_moved)
{
	struct dialogue_step steps[] = {
		{.hear = "\r\n\r\n",
		 .say = moves[_i].answer,
		 .end = DIALOGUE_CUT},
		{.hear = "\r\n\r\n",
		 .say = FINE GONE "there",
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct http_ask ask = {.body = "q=x"};
	g_autofree char *heard = NULL;
	struct http_answer a;

	if (!moves[_i].heard) {
		ask_bad(d, ask, moves[_i].code, moves[_i].why);
		return;
	}
	ask_fine(d, ask, &a);
	body_is(&a, "there");
	http_answer_clear(&a);
	heard = dialogue_heard(d);
	ck_assert_ptr_nonnull(strstr(heard, moves[_i].heard));
}
END_TEST

START_TEST(test_moved_for_ever)
{
	static const struct dialogue_step round[] = {
		{.hear = "\r\n\r\n",
		 .say = MOVED("302", "/again"),
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	struct dialogue_options how = {.repeat = TRUE};
	g_autoptr(dialogue) d = dialogue_start(round, &how);

	ask_bad(d, (struct http_ask){0}, NET_ERROR_REPLY, "place to place");
	ck_assert_uint_eq(dialogue_connections(d), 6);
}
END_TEST

/* From TLS to none, even on this machine, where none would be allowed. */
START_TEST(test_moved_down)
{
	static const struct dialogue_step down[] = {
		{.hear = "\r\n\r\n",
		 .say = MOVED("302", "http://127.0.0.1:1/"),
		 .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	struct dialogue_options how = {.tls = "good", .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(down, &how);

	ask_bad(d, (struct http_ask){0}, NET_ERROR_PLAIN, "without TLS");
}
END_TEST

/* ---- proxies, and who cancels */

START_TEST(test_proxy)
{
	g_autoptr(dialogue) d = dialogue_start(document, NULL);
	g_autofree char *proxy =
		g_strdup_printf("http://127.0.0.1:%u", d->port);
	struct http_ask ask = {.url = "http://lists.example.org/x",
			       .plain_host = "lists.example.org",
			       .proxy = proxy,
			       .timeout = 20,
			       .max_bytes = 1000};
	g_autoptr(GError) err = NULL;
	g_autofree char *heard = NULL;
	struct http_answer a;

	ck_assert_msg(http_get(&ask, &a, &err), "%s", err ? err->message : "?");
	body_is(&a, "hello");
	http_answer_clear(&a);
	heard = dialogue_heard(d);
	ck_assert(g_str_has_prefix(heard, "GET http://lists.example.org/x "));
}
END_TEST

START_TEST(test_environment)
{
	g_autoptr(dialogue) d = dialogue_start(document, NULL);
	struct http_answer a;

	g_setenv("http_proxy", "http://127.0.0.1:1", TRUE);
	g_setenv("all_proxy", "http://127.0.0.1:1", TRUE);
	ask_fine(d, (struct http_ask){0}, &a);
	body_is(&a, "hello");
	http_answer_clear(&a);
}
END_TEST

struct canceller {
	dialogue *d;
	GCancellable *cancel;
};

static gpointer cancel_when_heard(gpointer data)
{
	struct canceller *c = data;

	dialogue_await(c->d, "\r\n\r\n");
	g_cancellable_cancel(c->cancel);
	return NULL;
}

START_TEST(test_cancel)
{
	static const struct dialogue_step mute[] = {{.end = DIALOGUE_OVER}};
	g_autoptr(dialogue) d = dialogue_start(mute, NULL);
	g_autoptr(GCancellable) cancel = g_cancellable_new();
	struct canceller c = {d, cancel};
	GThread *t = g_thread_new("cancel", cancel_when_heard, &c);

	ask_bad(d, (struct http_ask){.timeout = 300, .cancel = cancel},
		NET_ERROR_STOPPED, "interrupted");
	g_thread_join(t);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("http_get");
	TCase *c = tcase_create("all");

	tcase_add_unchecked_fixture(c, make_certs, remove_certs);
	tcase_add_loop_test(c, test_document, 0, 2);
	tcase_add_test(c, test_conditional);
	tcase_add_test(c, test_post);
	tcase_add_loop_test(c, test_status, 0, G_N_ELEMENTS(statuses));
	tcase_add_test(c, test_chunk_stops);
	tcase_add_loop_test(c, test_packed, 0, G_N_ELEMENTS(packs));
	tcase_add_test(c, test_packed_nothing);
	tcase_add_loop_test(c, test_broken, 0, G_N_ELEMENTS(broken));
	tcase_add_loop_test(c, test_endless_header, 0, 2);
	tcase_add_loop_test(c, test_cut, 0, (int)strlen(document[0].say));
	tcase_add_loop_test(c, test_unverified, 0, G_N_ELEMENTS(bad_certs));
	tcase_add_loop_test(c, test_url, 0, G_N_ELEMENTS(urls));
	tcase_add_loop_test(c, test_moved, 0, G_N_ELEMENTS(moves));
	tcase_add_test(c, test_moved_for_ever);
	tcase_add_test(c, test_moved_down);
	tcase_add_test(c, test_proxy);
	tcase_add_test(c, test_environment);
	tcase_add_test(c, test_cancel);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
