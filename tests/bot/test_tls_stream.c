/* test_tls_stream.c - connections: what is verified, and how each of them ends
 */
#include "bot/tls_stream.h"

#include "tests/dialogue.h"

static const struct dialogue_step greet[] = {
	{.say = "200 hello\r\n"},
	{.hear = "QUIT\r\n", .say = "205 bye\r\n", .end = DIALOGUE_CUT},
	{.end = DIALOGUE_OVER},
};

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

static tls_stream *open_to(const dialogue *d, guint timeout, GCancellable *c,
			   GError **err)
{
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", timeout);

	return tls_stream_open(e, c, err);
}

/* All that comes until the end; "" and *err on a failure. */
static char *read_all(tls_stream *s, GError **err)
{
	GString *out = g_string_new(NULL);
	char buf[1000];
	gssize n;

	while ((n = tls_stream_read(s, buf, sizeof(buf), err)) > 0)
		g_string_append_len(out, buf, n);
	return g_string_free(out, FALSE);
}

static void say(tls_stream *s, const char *text)
{
	g_autoptr(GError) err = NULL;

	ck_assert_msg(tls_stream_write(s, text, strlen(text), &err), "%s",
		      err ? err->message : "?");
}

static void is_error(const GError *err, enum net_error code, const char *text)
{
	ck_assert_msg(err != NULL, "no error, expected %s", text);
	ck_assert_msg(g_error_matches(err, NET_ERROR, (int)code), "%s: %s",
		      net_error_code(err), err->message);
	ck_assert_msg(strstr(err->message, text) != NULL, "\"%s\" in \"%s\"",
		      text, err->message);
}

START_TEST(test_plain)
{
	g_autoptr(dialogue) d = dialogue_start(greet, NULL);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	g_autofree char *name = g_strdup_printf("127.0.0.1:%u", d->port);
	g_autofree char *got = NULL, *heard = NULL;

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_str_eq(tls_stream_name(s), name);
	ck_assert_int_ge(tls_stream_fd(s), 0);
	say(s, "QUIT\r\n");
	got = read_all(s, &err);
	ck_assert_msg(!err, "%s", err ? err->message : "");
	ck_assert_str_eq(got, "200 hello\r\n205 bye\r\n");
	heard = dialogue_heard(d);
	ck_assert_str_eq(heard, "QUIT\r\n");
}
END_TEST

START_TEST(test_tls)
{
	struct dialogue_options how = {.tls = "good", .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(greet, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	g_autofree char *got = NULL;

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_int_eq(tls_stream_wait(s, 20, &err), 1);
	say(s, "QUIT\r\n");
	got = read_all(s, &err);
	ck_assert_msg(!err, "%s", err ? err->message : "");
	ck_assert_str_eq(got, "200 hello\r\n205 bye\r\n");
}
END_TEST

static const struct {
	const char *tls, *version, *text;
	gboolean system_cas;
} bad_certs[] = {
	{"expired", NULL, "verif", FALSE},
	{"wronghost", NULL, "does not match", FALSE},
	{"selfsigned", NULL, "verif", FALSE},
	{"alien", NULL, "verif", FALSE},
	{"good", "1.1", "verif", FALSE},
	{"good", NULL, "verif", TRUE},
};

/* Whoever writes a password as soon as the stream is there gives it to nobody
 * but the server that was meant: there is no stream, and inside of what was
 * sent not one byte. */
START_TEST(test_unverified)
{
	struct dialogue_options how = {.tls = bad_certs[_i].tls,
				       .certs = certs,
				       .tls_version = bad_certs[_i].version};
	g_autoptr(dialogue) d = dialogue_start(greet, &how);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "imap", 20);
	g_autoptr(GError) err = NULL;
	g_autofree char *heard = NULL;
	tls_stream *s;

	if (bad_certs[_i].system_cas)
		g_clear_pointer(&e->ca_file, g_free);
	s = tls_stream_open(e, NULL, &err);
	if (s)
		tls_stream_write(s, "a LOGIN x secret\r\n", 18, NULL);
	tls_stream_close(s);
	is_error(err, NET_ERROR_VERIFY, bad_certs[_i].text);
	ck_assert_ptr_null(s);
	ck_assert(!net_is_passing(err));
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	ck_assert_str_eq(heard, "");
}
END_TEST

/* A server without TLS where it is expected, as at the port of STARTTLS: nothing
 * is said to it but the beginning of a handshake, and that is told. */
START_TEST(test_no_tls)
{
	g_autoptr(dialogue) d = dialogue_start(greet, NULL);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", 20);
	g_autoptr(GError) err = NULL;

	e->plain = FALSE;
	ck_assert_ptr_null(tls_stream_open(e, NULL, &err));
	is_error(err, NET_ERROR_REPLY, "no TLS is spoken there");
}
END_TEST

/* A file of certificates that is not there, or is none, is named as such. */
START_TEST(test_no_ca)
{
	static const char *const files[] = {"/nonexistent/ca", "Makefile"};
	struct dialogue_options how = {.tls = "good", .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(greet, &how);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "imap", 20);
	g_autoptr(GError) err = NULL;

	g_free(e->ca_file);
	e->ca_file = g_strdup(files[_i]);
	ck_assert_ptr_null(tls_stream_open(e, NULL, &err));
	is_error(err, NET_ERROR_VERIFY, _i ? "Makefile" : "ca-file can't");
}
END_TEST

START_TEST(test_refused)
{
	dialogue *d = dialogue_start(greet, NULL);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", 20);
	g_autoptr(GError) err = NULL;

	dialogue_stop(d);
	ck_assert_ptr_null(tls_stream_open(e, NULL, &err));
	is_error(err, NET_ERROR_CONNECT, "127.0.0.1:");
}
END_TEST

static const char greeting[] = "200 hello\r\n";

/* An orderly end at each byte, and a reset: what came is handed over, then the
 * end is seen, and never waited for. */
START_TEST(test_cut)
{
	struct dialogue_options how = {.cut = _i ? _i : DIALOGUE_AT_ONCE,
				       .fault = DIALOGUE_CUT};
	g_autoptr(dialogue) d = dialogue_start(greet, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	g_autofree char *got = NULL;

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	got = read_all(s, &err);
	ck_assert_msg(!err, "%s", err ? err->message : "");
	ck_assert_uint_eq(strlen(got), (gsize)_i);
	ck_assert(g_str_has_prefix(greeting, got));
	/* Hung up stays hung up. */
	ck_assert_int_eq(tls_stream_read(s, got, 1, &err), 0);
	ck_assert_int_eq(tls_stream_wait(s, 20, &err), 1);
}
END_TEST

START_TEST(test_reset)
{
	static const struct dialogue_step held[] = {{.hold = TRUE,
						     .say = "200 hello"},
						    {.end = DIALOGUE_OVER}};
	struct dialogue_options how = {.cut = 3, .fault = DIALOGUE_RESET};
	g_autoptr(dialogue) d = dialogue_start(held, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	g_autofree char *got = NULL;

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	dialogue_release(d);
	got = read_all(s, &err);
	is_error(err, NET_ERROR_CLOSED, "127.0.0.1:");
}
END_TEST

/* The end of the connection inside TLS, without TLS's own word of it. */
START_TEST(test_front_dies)
{
	static const struct dialogue_step silent[] = {{.say = "200"},
						      {.end = DIALOGUE_OVER}};
	struct dialogue_options how = {.tls = "good", .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(silent, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	char buf[10];

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_int_eq(tls_stream_read(s, buf, 3, &err), 3);
	g_subprocess_force_exit(d->front);
	ck_assert_int_eq(tls_stream_read(s, buf, 3, &err), -1);
	is_error(err, NET_ERROR_CLOSED, "localhost:");
}
END_TEST

START_TEST(test_silence)
{
	struct dialogue_options how = {.cut = 4};
	g_autoptr(dialogue) d = dialogue_start(greet, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 1, NULL, &err);
	g_autofree char *got = s ? read_all(s, &err) : NULL;

	ck_assert_str_eq(got, "200 ");
	is_error(err, NET_ERROR_TIME, "silent");
	ck_assert(net_is_passing(err));
}
END_TEST

/* No byte is late, and still it would take for ever. */
START_TEST(test_drip)
{
	static const struct dialogue_step drips[] = {
		{.say = "x", .times = 100000, .drip = 50},
		{.end = DIALOGUE_OVER},
	};
	g_autoptr(dialogue) d = dialogue_start(drips, NULL);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 1, NULL, &err);
	g_autofree char *got = NULL;

	tls_stream_begin(s);
	got = read_all(s, &err);
	is_error(err, NET_ERROR_TIME, "slower than");
	ck_assert_str_ne(got, "");
}
END_TEST

/* Nothing to read is no error; what was looked at is still there to read. */
START_TEST(test_wait)
{
	static const struct dialogue_step late[] = {
		{.hold = TRUE, .say = "one"},
		{.hold = TRUE, .end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	struct dialogue_options how = {.tls = _i ? "good" : NULL,
				       .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(late, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	char buf[10];

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	ck_assert_int_eq(tls_stream_wait(s, 0, &err), 0);
	dialogue_release(d);
	ck_assert_int_eq(tls_stream_wait(s, 20, &err), 1);
	ck_assert_int_eq(tls_stream_wait(s, 0, &err), 1);
	ck_assert_int_eq(tls_stream_read(s, buf, 2, &err), 2);
	ck_assert_int_eq(tls_stream_wait(s, 0, &err), 1);
	ck_assert_int_eq(tls_stream_read(s, buf + 2, 8, &err), 1);
	ck_assert_mem_eq(buf, "one", 3);
	dialogue_release(d);
	ck_assert_int_eq(tls_stream_wait(s, 20, &err), 1);
	ck_assert_int_eq(tls_stream_read(s, buf, 8, &err), 0);
	ck_assert_ptr_null(err);
}
END_TEST

/* Much in both directions, and a peer that went away: an error, no signal. */
START_TEST(test_much)
{
	static const struct dialogue_step much[] = {
		{.hear = "!", .say = "0123456789abcdef", .times = 60000},
		{.end = DIALOGUE_CUT},
		{.end = DIALOGUE_OVER},
	};
	struct dialogue_options how = {.tls = _i ? "good" : NULL,
				       .certs = certs};
	g_autoptr(dialogue) d = dialogue_start(much, &how);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 20, NULL, &err);
	g_autofree char *block = g_strnfill(1000000, 'x');
	g_autofree char *got = NULL;
	guint tries = 0;

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	block[999999] = '!';
	ck_assert(tls_stream_write(s, block, 1000000, &err));
	tls_stream_begin(s);
	got = read_all(s, &err);
	ck_assert_msg(!err, "%s", err ? err->message : "");
	ck_assert_uint_eq(strlen(got), 960000);
	ck_assert(g_str_has_suffix(got, "cdef0123456789abcdef"));
	while (tls_stream_write(s, block, 1000000, &err))
		ck_assert_uint_lt(tries++, 100);
	is_error(err, NET_ERROR_CLOSED, ":");
}
END_TEST

/* ---- cancelling from elsewhere */

static gpointer cancel_when_heard(gpointer data)
{
	dialogue *d = data;
	GCancellable *c = g_object_get_data(G_OBJECT(d->stop), "other");

	dialogue_await(d, "PLEASE");
	g_cancellable_cancel(c);
	return NULL;
}

START_TEST(test_cancel)
{
	static const struct dialogue_step mute[] = {{.end = DIALOGUE_OVER}};
	g_autoptr(dialogue) d = dialogue_start(mute, NULL);
	g_autoptr(GCancellable) c = g_cancellable_new();
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = open_to(d, 300, c, &err);
	GThread *t;
	char buf[10];

	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	g_object_set_data(G_OBJECT(d->stop), "other", c);
	t = g_thread_new("cancel", cancel_when_heard, d);
	say(s, "PLEASE");
	if (_i)
		ck_assert_int_eq(tls_stream_wait(s, 300, &err), -1);
	else
		ck_assert_int_eq(tls_stream_read(s, buf, 1, &err), -1);
	g_thread_join(t);
	is_error(err, NET_ERROR_STOPPED, "interrupted");
	ck_assert(!tls_stream_write(s, "x", 1, NULL));
}
END_TEST

static gpointer cancel_when_connected(gpointer data)
{
	dialogue *d = data;

	dialogue_await(d, NULL);
	g_cancellable_cancel(g_object_get_data(G_OBJECT(d->stop), "other"));
	return NULL;
}

/* In the middle of a handshake that is not answered; and without anybody to
 * cancel, its time limit. */
START_TEST(test_connect_hangs)
{
	static const struct dialogue_step mute[] = {{.end = DIALOGUE_OVER}};
	g_autoptr(dialogue) d = dialogue_start(mute, NULL);
	g_autoptr(GCancellable) c = g_cancellable_new();
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "imap", _i ? 1 : 300);
	g_autoptr(GError) err = NULL;
	GThread *t = NULL;

	e->plain = FALSE;
	g_object_set_data(G_OBJECT(d->stop), "other", c);
	if (!_i)
		t = g_thread_new("cancel", cancel_when_connected, d);
	ck_assert_ptr_null(tls_stream_open(e, c, &err));
	if (t)
		g_thread_join(t);
	is_error(err, _i ? NET_ERROR_TIME : NET_ERROR_STOPPED, "127.0.0.1:");
}
END_TEST

START_TEST(test_cancelled_before)
{
	g_autoptr(dialogue) d = dialogue_start(greet, NULL);
	g_autoptr(GCancellable) c = g_cancellable_new();
	g_autoptr(GError) err = NULL;

	g_cancellable_cancel(c);
	ck_assert_ptr_null(open_to(d, 20, c, &err));
	is_error(err, NET_ERROR_STOPPED, "interrupted");
}
END_TEST

/* ---- proxies */

static const struct dialogue_step tunnel[] = {
	{.hear = "\r\n\r\n",
	 .say = "HTTP/1.1 200 fine\r\n\r\n200 hello\r\n",
	 .end = DIALOGUE_CUT},
	{.end = DIALOGUE_OVER},
};
static const struct dialogue_step no_tunnel[] = {
	{.hear = "\r\n\r\n",
	 .say = "HTTP/1.1 403 no\r\nContent-Length: 0\r\n\r\n"},
	{.end = DIALOGUE_OVER},
};

START_TEST(test_proxy)
{
	g_autoptr(dialogue) d = dialogue_start(_i ? no_tunnel : tunnel, NULL);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", 20);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = NULL;
	g_autofree char *got = NULL, *heard = NULL;

	e->proxy = g_strdup_printf("http://127.0.0.1:%u", e->port);
	g_free(e->host);
	e->host = g_strdup("news.example.org");
	e->port = 119;
	s = tls_stream_open(e, NULL, &err);
	heard = dialogue_heard(d);
	ck_assert(g_str_has_prefix(heard, "CONNECT news.example.org:119 "));
	if (_i) {
		is_error(err, NET_ERROR_CONNECT, "news.example.org:119");
		return;
	}
	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
	got = read_all(s, &err);
	ck_assert_str_eq(got, "200 hello\r\n");
}
END_TEST

/* What the environment says of proxies is for others. */
START_TEST(test_environment)
{
	static const char *const names[] = {"http_proxy", "https_proxy",
					    "ALL_PROXY", "all_proxy"};
	g_autoptr(dialogue) d = dialogue_start(greet, NULL);
	g_autoptr(GError) err = NULL;
	g_autoptr(tls_stream) s = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		g_setenv(names[i], "http://127.0.0.1:1", TRUE);
	s = open_to(d, 20, NULL, &err);
	ck_assert_msg(s != NULL, "%s", err ? err->message : "?");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("tls_stream");
	TCase *c = tcase_create("all");

	tcase_add_unchecked_fixture(c, make_certs, remove_certs);
	tcase_add_test(c, test_plain);
	tcase_add_test(c, test_tls);
	tcase_add_loop_test(c, test_unverified, 0, G_N_ELEMENTS(bad_certs));
	tcase_add_test(c, test_no_tls);
	tcase_add_loop_test(c, test_no_ca, 0, 2);
	tcase_add_test(c, test_refused);
	tcase_add_loop_test(c, test_cut, 0, sizeof(greeting) - 1);
	tcase_add_test(c, test_reset);
	tcase_add_test(c, test_front_dies);
	tcase_add_test(c, test_silence);
	tcase_add_test(c, test_drip);
	tcase_add_loop_test(c, test_wait, 0, 2);
	tcase_add_loop_test(c, test_much, 0, 2);
	tcase_add_loop_test(c, test_cancel, 0, 2);
	tcase_add_loop_test(c, test_connect_hangs, 0, 2);
	tcase_add_test(c, test_cancelled_before);
	tcase_add_loop_test(c, test_proxy, 0, 2);
	tcase_add_test(c, test_environment);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
