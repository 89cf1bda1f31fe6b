/* test_imap_follow.c - new mail as it comes: IDLE and what it must not miss */
#include "tests/bot/imap_script.h"

#define PLACE "imap imap://bot@127.0.0.1/INBOX"

static struct heard h;
static struct dialogue_step script[AT_MAX];

/* A follower in a thread; what it says is seen once it is kept. */
struct following {
	dialogue *d;
	struct remote *r;
	GCancellable *cancel;
	GThread *thread;
	GMutex lock;
	GCond change;
	guint kept; /* under lock */
	GError *error;
};
static struct following f;

static gboolean on_keep(void *data, GError **err)
{
	g_string_append(h.log, "kept\n");
	g_mutex_lock(&f.lock);
	f.kept++;
	g_cond_broadcast(&f.change);
	g_mutex_unlock(&f.lock);
	return TRUE;
}

static gpointer follow(gpointer data)
{
	struct source_context ctx = imap_context(&h);

	ctx.keep = on_keep;
	ctx.cancel = f.cancel;
	ck_assert(!f.r->ops->follow(f.r, &ctx, &f.error));
	return NULL;
}

static void begin(guint timeout)
{
	f.d = dialogue_start(script, NULL);
	f.r = imap_remote(&h, f.d, timeout);
	f.cancel = g_cancellable_new();
	f.thread = g_thread_new("follow", follow, NULL);
}

static void await_kept(guint times)
{
	g_mutex_lock(&f.lock);
	while (f.kept < times)
		g_cond_wait(&f.change, &f.lock);
	g_mutex_unlock(&f.lock);
}

static void end(void)
{
	g_thread_join(f.thread);
	f.thread = NULL;
}

static void stop(void)
{
	g_cancellable_cancel(f.cancel);
	end();
	ck_assert_msg(g_error_matches(f.error, NET_ERROR, NET_ERROR_STOPPED),
		      "%s", f.error->message);
}

static void setup(void)
{
	memset(&f, 0, sizeof(f));
	g_mutex_init(&f.lock);
	g_cond_init(&f.change);
	heard_init(&h);
	imap_script(script);
	/* the mailboxes are asked for on a connection of its own */
	memmove(script + AT_EXAMINE, script, sizeof(script) / 2);
	script[AT_CAPABILITY_2].end = DIALOGUE_CUT;
}

static void teardown(void)
{
	g_clear_object(&f.cancel);
	g_clear_pointer(&f.d, dialogue_stop);
	g_clear_pointer(&f.r, remote_free);
	g_clear_error(&f.error);
	heard_clear(&h);
}

/* Steps from here on are ours. */
#define THEN  (AT_EXAMINE + AT_END)
#define THREE "Subject: three\r\nMessage-ID: <3@example.org>\r\n\r\nText\r\n"
#define BOTH                               \
	"mail " PLACE " one @1577836800\n" \
	"mail " PLACE " two @1577836800\n" \
	"kept\n"

static void add(guint *n, const char *hear, gboolean hold, const char *say)
{
	script[(*n)++] =
		(struct dialogue_step){.hear = hear, .hold = hold, .say = say};
	script[*n].end = DIALOGUE_OVER;
}

/* The third message, from the question what is new to the answer of NOOP. */
static void add_third(guint *n, guint tag)
{
	static char texts[6][200];
	static const char *const hear[] = {"UID SEARCH UID 10:*",
					   "UID FETCH 12 (UID RFC822.SIZE",
					   "UID FETCH 12 (UID BODY.PEEK[])"};
	static const char *const say[] = {
		"* SEARCH 12\r\n",
		"* 3 FETCH (UID 12 RFC822.SIZE 53" DATE ")\r\n",
		"* 3 FETCH (UID 12 BODY[] {53}\r\n" THREE ")\r\n"};

	for (guint i = 0; i < 3; i++) {
		g_snprintf(texts[2 * i], 200, "%u %s", tag + i, hear[i]);
		g_snprintf(texts[2 * i + 1], 200, "%s%u OK x\r\n", say[i],
			   tag + i);
		add(n, texts[2 * i], FALSE, texts[2 * i + 1]);
	}
}

static void want_third(void)
{
	g_autofree char *log = imap_without_port(f.d, h.log->str);

	ck_assert_str_eq(log, BOTH "mail " PLACE " three @1577836800\n"
				   "kept\n");
}

/* Told of new mail, and of nothing: only the first is a reason to look. */
START_TEST(idle)
{
	g_autofree char *before = NULL;
	guint n = THEN;

	add(&n, "9 IDLE\r\n", FALSE, "* OK first\r\n+ idling\r\n");
	add(&n, NULL, TRUE, "* OK Still here\r\n* 2 RECENT\r\n");
	add(&n, NULL, TRUE, "* 3 EXISTS\r\n");
	add(&n, "DONE\r\n", FALSE, "9 OK x\r\n");
	add_third(&n, 10);
	add(&n, "13 NOOP\r\n", FALSE, "13 OK x\r\n");
	add(&n, "14 IDLE\r\n", FALSE, "+ idling\r\n");
	begin(20);
	await_kept(1);
	dialogue_release(f.d);
	dialogue_await_step(f.d, THEN + 2);
	before = dialogue_heard(f.d);
	ck_assert_ptr_null(strstr(before, "DONE"));
	dialogue_release(f.d);
	await_kept(2);
	dialogue_await(f.d, "14 IDLE");
	stop();
	want_third();
}
END_TEST

/* In one packet with the "+": bytes that a poll() of the socket never shows. */
START_TEST(at_once)
{
	guint n = THEN;

	add(&n, "9 IDLE\r\n", FALSE, "+ idling\r\n* 3 EXISTS\r\n");
	add(&n, "DONE\r\n", FALSE, "9 OK x\r\n");
	add_third(&n, 10);
	add(&n, "13 NOOP\r\n", FALSE, "13 OK x\r\n");
	add(&n, "14 IDLE\r\n", FALSE, "+ idling\r\n");
	begin(20);
	await_kept(2);
	stop();
	want_third();
}
END_TEST

/* Said before we listen: while we fetch what came before it. */
START_TEST(before)
{
	guint n = THEN;

	script[THEN - 1].say = "* 3 EXISTS\r\n8 OK x\r\n";
	add_third(&n, 9);
	add(&n, "12 NOOP\r\n", FALSE, "12 OK x\r\n");
	add(&n, "13 IDLE\r\n", FALSE, "+ idling\r\n");
	begin(20);
	dialogue_await(f.d, "13 IDLE");
	stop();
	ck_assert_ptr_nonnull(strstr(h.log->str, "three"));
}
END_TEST

/* A server that ends IDLE by itself hears it again. */
START_TEST(ended)
{
	guint n = THEN;

	add(&n, "9 IDLE\r\n", FALSE, "+ idling\r\n");
	add(&n, NULL, TRUE, "9 OK enough\r\n");
	add(&n, "10 UID SEARCH", FALSE, "* SEARCH\r\n10 OK x\r\n");
	add(&n, "11 IDLE\r\n", FALSE, "+ idling\r\n");
	begin(20);
	await_kept(1);
	dialogue_release(f.d);
	dialogue_await(f.d, "11 IDLE");
	stop();
}
END_TEST

/* The end of the connection is an error, whatever it says before. */
START_TEST(hung_up)
{
	guint n = THEN;

	add(&n, "9 IDLE\r\n", FALSE, "+ idling\r\n");
	add(&n, NULL, TRUE, "* BYE we are closing\r\n");
	script[n - 1].end = DIALOGUE_CUT;
	begin(20);
	await_kept(1);
	dialogue_release(f.d);
	end();
	ck_assert(g_error_matches(f.error, NET_ERROR, NET_ERROR_CLOSED));
	ck_assert_ptr_nonnull(strstr(f.error->message, "we are closing"));
}
END_TEST

START_TEST(cut)
{
	guint n = THEN;

	add(&n, "9 IDLE\r\n", FALSE, "+ idling\r\n");
	add(&n, NULL, TRUE, "* 3 EXI");
	script[n - 1].end = DIALOGUE_CUT;
	begin(20);
	await_kept(1);
	dialogue_release(f.d);
	end();
	ck_assert(g_error_matches(f.error, NET_ERROR, NET_ERROR_CLOSED));
}
END_TEST

/* Without IDLE, or where it is refused: asked every poll. */
static void poll_every_second(const char *caps)
{
	guint n = THEN;

	if (caps)
		script[AT_EXAMINE + AT_CAPABILITY_2].say = caps;
	else
		add(&n, "9 IDLE\r\n", FALSE, "9 NO not today\r\n");
	add(&n, caps ? "9 NOOP\r\n" : "10 NOOP\r\n", FALSE,
	    caps ? "9 OK x\r\n" : "10 OK x\r\n");
	add_third(&n, caps ? 10 : 11);
	add(&n, " NOOP\r\n", FALSE, caps ? "13 OK x\r\n" : "14 OK x\r\n");
	f.d = dialogue_start(script, NULL);
	f.r = imap_remote(&h, f.d, 20);
	f.r->poll = 1;
	f.cancel = g_cancellable_new();
	f.thread = g_thread_new("follow", follow, NULL);
	await_kept(2);
	stop();
	want_third();
}

START_TEST(without_idle)
{
	poll_every_second("* CAPABILITY IMAP4rev1\r\n3 OK x\r\n");
}
END_TEST

START_TEST(idle_refused)
{
	poll_every_second(NULL);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_follow");
	TCase *c = tcase_create("follow");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, idle);
	tcase_add_test(c, at_once);
	tcase_add_test(c, before);
	tcase_add_test(c, ended);
	tcase_add_test(c, hung_up);
	tcase_add_test(c, cut);
	tcase_add_test(c, without_idle);
	tcase_add_test(c, idle_refused);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
