/* test_outbox_run.c - the sender and its transports */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "bot/outbox_run.h"

#include "tests/bot/smtp_script.h"
#include "tests/db/outbox_world.h"
#include "tests/folder.h"

static gint64 clock_now;

static gint64 clock_of(void)
{
	return clock_now;
}

struct bench {
	struct world w;
	char *db_path;
	struct send_settings s;
	struct outbox_run r;
	enum outbox_state last;
	GString *said;
};

static void told(const struct outbox_entry *e, enum outbox_state state,
		 const struct outbox_result *r, void *data)
{
	struct bench *b = data;

	b->last = state;
	for (guint i = 0; i < r->replies->len; i++) {
		const struct outbox_reply *o =
			&g_array_index(r->replies, struct outbox_reply, i);

		g_string_append_printf(b->said, "%u %s %u;", o->number,
				       outbox_told_name(o->told), o->code);
	}
}

static void bench_open(struct bench *b, const struct send_ops *ops)
{
	memset(b, 0, sizeof(*b));
	world_open(&b->w, OUTBOX_AUTO);
	b->w.p.hold = 0;
	make_dir();
	signal(SIGPIPE, SIG_IGN); /* as the program does */
	b->db_path = in_dir("c.db");
	b->s.ops = ops;
	b->s.address = b->w.p.address;
	b->s.hello = (char *)"bot.example.org";
	b->s.folder = in_dir("out");
	b->said = g_string_new(NULL);
	b->r = (struct outbox_run){.st = b->w.st,
				   .db_path = b->db_path,
				   .policy = &b->w.p,
				   .settings = &b->s,
				   .clock = clock_of,
				   .told = told,
				   .data = b};
	clock_now = b->w.now;
}

static void bench_close(struct bench *b)
{
	remove_dir();
	g_free(b->db_path);
	g_free(b->s.folder);
	g_free(b->s.program);
	g_string_free(b->said, TRUE);
	world_close(&b->w);
}

static gint64 once(struct bench *b)
{
	g_autoptr(GError) err = NULL;
	gint64 next = 0;

	must(outbox_run_once(&b->r, NULL, 0, &next, &err), err);
	return next;
}

static gint64 letter(struct bench *b, const char *to, const char *cc,
		     const char *text)
{
	struct letter l = {.to = to,
			   .cc = cc,
			   .body = text,
			   .kind = OUTBOX_RESULT};
	struct outbox_fate f;

	b->w.now = clock_now;
	f = draft(&b->w, &l);
	outbox_fate_clear(&f);
	return f.id;
}

/* ---- what keeps it from sending */

START_TEST(test_barred)
{
	struct bench b;
	g_autofree char *stop = NULL;
	g_autoptr(outbox_entry_auto) e = NULL;
	gint64 id;

	bench_open(&b, _i == 0 ? &send_null : &send_file);
	id = letter(&b, "ann@example.org", NULL, "x\n");
	stop = in_dir(OUTBOX_STOP_FILE);
	if (_i == 1)
		b.w.p.mode = OUTBOX_DRY_RUN;
	else if (_i == 2)
		ck_assert(g_file_set_contents(stop, "", 0, NULL));
	once(&b);
	e = entry(&b.w, id);
	ck_assert_int_eq(e->state, OUTBOX_APPROVED);
	ck_assert(!g_file_test(b.s.folder, G_FILE_TEST_EXISTS));
	bench_close(&b);
}
END_TEST

START_TEST(test_file)
{
	struct bench b;
	g_autoptr(outbox_entry_auto) e = NULL;
	g_autofree char *name = NULL, *path = NULL, *text = NULL;

	bench_open(&b, &send_file);
	letter(&b, "ann@example.org", NULL, "Größe\n.\n");
	once(&b);
	ck_assert_int_eq(b.last, OUTBOX_SENT);
	e = entry(&b.w, 1);
	name = g_strconcat(e->message_id, ".eml", NULL);
	path = g_build_filename(b.s.folder, name, NULL);
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	ck_assert(g_str_has_suffix(text, "\n\nGröße\n.\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nTo: ann@example.org\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nAuto-Submitted: "));
	ck_assert_ptr_nonnull(strstr(text, "\nX-Culprit-Bot: "));
	bench_close(&b);
}
END_TEST

/* ---- sendmail */

static const struct {
	const char *script;
	enum outbox_state state;
} programs[] = {
	{"cat >\"$0.mail\"; printf '%s|' \"$@\" >\"$0.args\"", OUTBOX_SENT},
	{"exit 75", OUTBOX_RETRY},
	{"cat >/dev/null; exit 75", OUTBOX_RETRY},
	{"cat >/dev/null; exit 67", OUTBOX_FAILED},
	{"cat >/dev/null; kill -9 $$", OUTBOX_UNCERTAIN},
	{NULL, OUTBOX_RETRY}, /* there is no such program */
};

START_TEST(test_sendmail)
{
	struct bench b;
	g_autofree char *args = NULL, *text = NULL, *file = NULL;

	bench_open(&b, &send_sendmail);
	b.s.program = in_dir("sendmail");
	file = g_strconcat("#!/bin/sh\n", programs[_i].script, "\n", NULL);
	if (programs[_i].script) {
		ck_assert(g_file_set_contents(b.s.program, file, -1, NULL));
		g_chmod(b.s.program, 0700);
	}
	letter(&b, "ann@example.org", "-odq@example.org", "a\n.\nFrom b\n");
	once(&b);
	ck_assert_str_eq(outbox_state_name(b.last),
			 outbox_state_name(programs[_i].state));
	if (_i == 0) {
		g_autofree char *mail = g_strconcat(b.s.program, ".mail", NULL);
		g_autofree char *list = g_strconcat(b.s.program, ".args", NULL);

		ck_assert(g_file_get_contents(mail, &text, NULL, NULL));
		ck_assert(g_str_has_suffix(text, "\n\na\n.\nFrom b\n"));
		ck_assert(g_file_get_contents(list, &args, NULL, NULL));
		ck_assert_str_eq(args, "-i|-f|bot+b-1-0@bot.example.org|--|"
				       "ann@example.org|-odq@example.org|");
	}
	bench_close(&b);
}
END_TEST

/* ---- SMTP */

static struct endpoint *endpoint_to(const struct smtp_script *s)
{
	struct endpoint *e = g_new0(struct endpoint, 1);

	e->host = g_strdup("127.0.0.1");
	e->port = s->port;
	e->plain = TRUE;
	return e;
}

static const char *const one_bad[] = {"bob@", "550 5.1.1 who", NULL};
static const char *const mixed[] = {"bob@", "451 4.2.1 later", "ann@",
				    "550 5.1.1 who", NULL};
static const char *const all_bad[] = {"@", "550 5.1.1 who", NULL};
static const char *const all_later[] = {"@", "451 4.2.1 later", NULL};
static const char *const closes[] = {"bob@", "", NULL};

static const struct {
	struct smtp_script s;
	enum outbox_state state;
	const char *said;
	guint mails;
	gboolean stopped;
} servers[] = {
	{{0}, OUTBOX_SENT, "1 ok 250;2 ok 250;", 1, FALSE},
	{{.rcpt = one_bad}, OUTBOX_PARTIAL, "1 ok 250;2 perm 550;", 1, FALSE},
	{{.rcpt = mixed}, OUTBOX_RETRY, "1 perm 550;2 temp 451;", 0, FALSE},
	{{.rcpt = all_bad}, OUTBOX_FAILED, "1 perm 550;2 perm 550;", 0, FALSE},
	{{.rcpt = all_later}, OUTBOX_RETRY, "1 temp 451;2 temp 451;", 0, FALSE},
	{{.rcpt = closes}, OUTBOX_RETRY, "1 temp 0;2 temp 0;", 0, FALSE},
	{{.greeting = "421 busy"},
	 OUTBOX_RETRY,
	 "1 temp 421;2 temp 421;",
	 0,
	 FALSE},
	{{.greeting = ""}, OUTBOX_RETRY, "1 temp 0;2 temp 0;", 0, FALSE},
	{{.mail = "451 4.3.0 no"},
	 OUTBOX_RETRY,
	 "1 temp 451;2 temp 451;",
	 0,
	 FALSE},
	{{.mail = "550 5.7.1 you?"},
	 OUTBOX_FAILED,
	 "1 perm 550;2 perm 550;",
	 0,
	 FALSE},
	{{.data = "451 4.3.0 no"},
	 OUTBOX_RETRY,
	 "1 temp 451;2 temp 451;",
	 0,
	 FALSE},
	{{.end = "451 4.3.0 no"},
	 OUTBOX_RETRY,
	 "1 temp 451;2 temp 451;",
	 0,
	 FALSE},
	{{.end = "554 5.6.0 bad"},
	 OUTBOX_FAILED,
	 "1 perm 554;2 perm 554;",
	 0,
	 FALSE},
	/* a filter: what it refuses of us once it may refuse again */
	{{.end = "550 5.7.1 spam"},
	 OUTBOX_FAILED,
	 "1 perm 550;2 perm 550;",
	 0,
	 TRUE},
	{{.end = ""}, OUTBOX_UNCERTAIN, "", 0, FALSE},
	{{.end = "", .keep_lost = TRUE}, OUTBOX_UNCERTAIN, "", 1, FALSE},
	{{.end = "", .rcpt = one_bad},
	 OUTBOX_UNCERTAIN,
	 "2 perm 550;",
	 0,
	 FALSE},
};

START_TEST(test_smtp)
{
	struct smtp_script s = servers[_i].s;
	struct bench b;
	g_autoptr(GError) err = NULL;
	g_autofree char *stopped = NULL;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	letter(&b, "ann@example.org", "bob@example.org", "Text.\n");
	once(&b);
	smtp_stop(&s);
	ck_assert_str_eq(outbox_state_name(b.last),
			 outbox_state_name(servers[_i].state));
	ck_assert_str_eq(b.said->str, servers[_i].said);
	stopped = outbox_stopped(b.w.st, &err);
	ck_assert_int_eq(stopped != NULL, servers[_i].stopped);
	ck_assert_uint_eq(s.mails->len, servers[_i].mails);
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

/* What arrives is what was meant, dots, line ends and all. */
static const char *const texts[] = {
	"plain\n",
	".\n..\n.hidden\nFrom here\n\n.\n",
	"no end of line",
	"Größe\n.\n",
	"\n",
};

/* The lines, each with CRLF. */
static char *on_the_wire(const char *text)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i]; i++)
		if (*lines[i] || lines[i + 1])
			g_string_append_printf(out, "%s\r\n", lines[i]);
	return g_string_free(out, FALSE);
}

START_TEST(test_bytes)
{
	const char *text = texts[_i / 2], *mail, *got;
	struct smtp_script s = {.eight_bit = _i % 2};
	struct bench b;
	g_autofree char *want = on_the_wire(text), *size = NULL;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	letter(&b, "ann@example.org", NULL, text);
	once(&b);
	smtp_stop(&s);
	ck_assert_int_eq(b.last, OUTBOX_SENT);
	ck_assert_uint_eq(s.mails->len, 1);
	mail = s.mails->pdata[0];
	got = strstr(mail, "\r\n\r\n");
	ck_assert_ptr_nonnull(got);
	if (s.eight_bit || g_str_is_ascii(text))
		ck_assert_str_eq(got + 4, want);
	else
		ck_assert_str_eq(got + 4, "Gr=C3=B6=C3=9Fe\r\n=2E\r\n");
	/* the size that is told is the size that comes */
	size = g_strdup_printf("MAIL FROM:<bot+b-1-1@bot.example.org> "
			       "SIZE=%zu\nRCPT TO:<ann@example.org>\n",
			       strlen(mail));
	ck_assert_str_eq(s.envelopes->str, size);
	ck_assert(g_str_has_prefix(s.commands->str, "EHLO bot.example.org\n"));
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

/* Only who was told "later" gets it later, the same mail. */
START_TEST(test_retry_alone)
{
	struct smtp_script s = {
		.rcpt = (const char *const[]){"bob@", "451 4.2.1 later", NULL}};
	struct bench b;
	const char *first, *second;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	letter(&b, "ann@example.org", "bob@example.org", "Größe\n");
	once(&b);
	ck_assert_int_eq(b.last, OUTBOX_RETRY);
	s.rcpt = NULL;
	clock_now += 3600;
	once(&b);
	smtp_stop(&s);
	ck_assert_int_eq(b.last, OUTBOX_SENT);
	ck_assert_str_eq(b.said->str, "1 ok 250;2 temp 451;2 ok 250;");
	ck_assert_uint_eq(s.mails->len, 2);
	first = s.mails->pdata[0];
	second = s.mails->pdata[1];
	ck_assert_str_eq(first, second);
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

/* All that is due goes over one connection. */
START_TEST(test_one_line)
{
	struct smtp_script s = {0};
	struct bench b;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	for (guint i = 0; i < 5; i++)
		letter(&b, "ann@example.org", NULL, "x\n");
	once(&b);
	smtp_stop(&s);
	ck_assert_uint_eq(s.mails->len, 5);
	ck_assert_uint_eq(s.connections, 1);
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

/* A server that takes nothing is not asked for each mail of the queue. */
START_TEST(test_host)
{
	struct smtp_script s = {.greeting = "421 busy"};
	struct bench b;
	gint64 next;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	for (guint i = 0; i < 5; i++)
		letter(&b, "ann@example.org", NULL, "x\n");
	once(&b);
	next = once(&b);
	smtp_stop(&s);
	ck_assert_uint_eq(s.connections, 1);
	ck_assert_int_gt(next, clock_now);
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

START_TEST(test_redirect)
{
	struct smtp_script s = {0};
	struct bench b;
	const char *mail;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	b.r.redirect = "me@example.net";
	letter(&b, "ann@example.org", "fs@lists.example.org", "x\n");
	once(&b);
	smtp_stop(&s);
	ck_assert_int_eq(b.last, OUTBOX_SENT);
	ck_assert_ptr_nonnull(
		strstr(s.envelopes->str, "RCPT TO:<me@example.net>\n"));
	ck_assert_ptr_null(strstr(s.envelopes->str, "example.org>\nRCPT"));
	ck_assert_ptr_null(strstr(s.envelopes->str, "ann@"));
	mail = s.mails->pdata[0];
	ck_assert_ptr_nonnull(strstr(mail, "\r\nTo: ann@example.org\r\n"));
	ck_assert_ptr_nonnull(
		strstr(mail, "X-Redirected-From: ann@example.org\r\n"));
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

/* Who runs it hears of it, once; not of a failure to tell. */
START_TEST(test_alert)
{
	struct smtp_script s = {.rcpt = all_bad};
	static char operator[] = "op@example.net";
	char *operators[] = {operator, NULL };
	struct bench b;
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) all = NULL;
	const struct outbox_entry *e;

	bench_open(&b, &send_smtp);
	smtp_start(&s);
	b.s.server = endpoint_to(&s);
	b.w.p.operators = operators;
	letter(&b, "ann@example.org", NULL, "x\n");
	once(&b);
	once(&b);
	smtp_stop(&s);
	all = outbox_list_load(b.w.st, ~0u, &err);
	ck_assert_uint_eq(all->len, 2);
	e = all->pdata[1];
	ck_assert_int_eq(e->kind, OUTBOX_ALERT);
	ck_assert_int_eq(e->state, OUTBOX_FAILED);
	ck_assert_str_eq(((struct outbox_rcpt *)e->rcpts->pdata[0])->address,
			 "op@example.net");
	ck_assert_ptr_nonnull(
		strstr(e->mail->body, "ann@example.org: 550 5.1.1 who"));
	endpoint_free(b.s.server);
	smtp_free(&s);
	bench_close(&b);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("outbox_run");
	TCase *t = tcase_create("outbox_run");

	tcase_add_loop_test(t, test_barred, 0, 3);
	tcase_add_test(t, test_file);
	tcase_add_loop_test(t, test_sendmail, 0, G_N_ELEMENTS(programs));
	tcase_add_loop_test(t, test_smtp, 0, G_N_ELEMENTS(servers));
	tcase_add_loop_test(t, test_bytes, 0, 2 * G_N_ELEMENTS(texts));
	tcase_add_test(t, test_retry_alone);
	tcase_add_test(t, test_one_line);
	tcase_add_test(t, test_host);
	tcase_add_test(t, test_redirect);
	tcase_add_test(t, test_alert);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
