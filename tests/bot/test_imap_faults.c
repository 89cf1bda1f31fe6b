/* test_imap_faults.c - IMAP servers that fail, lie or mean harm: each ends
 * with an error that has a name, and the next run has every mail once */
#include <sys/resource.h>

#include "tests/bot/imap_script.h"

#define MAILS                                                    \
	"mail imap imap://bot@127.0.0.1/INBOX one @1577836800\n" \
	"mail imap imap://bot@127.0.0.1/INBOX two @1577836800\n"

static struct heard h;
static struct dialogue_step script[AT_MAX];
static GString *mails; /* of all runs, without the errors */

static void setup(void)
{
	heard_init(&h);
	imap_script(script);
	mails = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(mails, TRUE);
	heard_clear(&h);
}

/* One run; its error, without "error ", NULL: none. You own it. */
static char *run(const dialogue *d, const struct remote *r)
{
	g_autofree char *log = imap_read(&h, d, r);
	char *error = strstr(log, "error ");

	g_string_append_len(mails, log,
			    error ? error - log : (gssize)strlen(log));
	return error ? g_strdup(error + strlen("error ")) : NULL;
}

/* ---- connections that break off */

static gint64 length(const struct dialogue_step *steps)
{
	gint64 sum = 0;

	for (; steps->end != DIALOGUE_OVER; steps++)
		sum += (gint64)strlen(steps->say);
	return sum;
}

static void break_off(gint64 at, enum dialogue_end how)
{
	const struct dialogue_options opt = {.repeat = TRUE,
					     .cut = at,
					     .fault = how,
					     .faults = 1};
	g_autoptr(dialogue) d = dialogue_start(script, &opt);
	g_autoptr(remote_auto) r = imap_remote(&h, d, 10);
	g_autofree char *first = NULL, *second = NULL;

	g_string_truncate(mails, 0);
	g_hash_table_remove_all(h.cursor);
	first = run(d, r);
	ck_assert_msg(first != NULL, "cut at %d unnoticed", (int)at);
	/* a reset may come before the connection is seen to stand */
	ck_assert_msg(g_regex_match_simple("^(closed|io|connect): source box: ",
					   first, 0, 0),
		      "cut at %d: %s", (int)at, first);
	second = run(d, r);
	ck_assert_msg(second == NULL, "after a cut at %d: %s", (int)at, second);
	ck_assert_msg(g_str_equal(mails->str, MAILS), "cut at %d: %s", (int)at,
		      mails->str);
}

START_TEST(cut_anywhere)
{
	gint64 len = length(script);

	break_off(DIALOGUE_AT_ONCE, DIALOGUE_CUT);
	for (gint64 at = 1; at < len; at++)
		break_off(at, DIALOGUE_CUT);
}
END_TEST

START_TEST(reset_anywhere)
{
	gint64 len = length(script);

	break_off(DIALOGUE_AT_ONCE, DIALOGUE_RESET);
	for (gint64 at = 1; at < len; at += 7)
		break_off(at, DIALOGUE_RESET);
}
END_TEST

/* ---- what should not be said */

#define TIMES 200000

static const struct {
	const char *name;
	int at;
	struct dialogue_step say[3]; /* in place of what is right */
	const char *error;
} faults[] = {
	{"silence", AT_BODIES, {{.say = "* 1 FETCH (UID 6 "}}, "time: "},
	{"silent greeting", AT_GREETING, {{.say = "* "}}, "time: "},
	{"drip",
	 AT_SEARCH,
	 {{.say = "* OK ...................................................."
		  "..........................................................",
	   .drip = 30}},
	 "time: "},
	{"busy",
	 AT_GREETING,
	 {{.say = "* BYE too many users\r\n", .end = DIALOGUE_CUT}},
	 "closed: source box: 127.0.0.1: the server said goodbye: too many"},
	{"no IMAP",
	 AT_GREETING,
	 {{.say = "220 mail.example.org ESMTP\r\n"}},
	 "reply: source box: 127.0.0.1: its greeting is none of an IMAP"},
	{"rubbish", AT_SEARCH, {{.say = "\001\377\200{{{((\r\n"}}, "reply: "},
	{"rubbish in an answer",
	 AT_SIZES,
	 {{.say = "* 1 FETCH (UID 5 RFC822.SIZE x\377\r\n6 OK yes\r\n"}},
	 "reply: "},
	{"answer to nothing", AT_SEARCH, {{.say = "99 OK yes\r\n"}}, "reply: "},
	{"question", AT_NOOP, {{.say = "+ what?\r\n"}}, "reply: "},
	{"other answer", AT_NOOP, {{.say = "9 OK yes\r\n"}}, "reply: "},
	{"BAD",
	 AT_SEARCH,
	 {{.say = "5 BAD what?\r\n"}},
	 "reply: source box: 127.0.0.1: it does not say which mail is new: BAD"
	 " what?"},
	{"NO",
	 AT_EXAMINE,
	 {{.say = "4 NO [NONEXISTENT] none\r\n"},
	  {.hear = "5 LIST \"\" ",
	   .say = "* LIST () \"/\" INBOX.old\r\n* LIST () \"/\" {3}\r\nx y\r\n"
		  "5 OK yes\r\n"}},
	 "refused: source box: 127.0.0.1: mailbox \"INBOX\": NO [NONEXISTENT] "
	 "none; there is INBOX.old\n"},
	{"BYE in an answer",
	 AT_BODIES,
	 {{.say = "* 1 FETCH (UID 5 BODY[] {51}\r\n" ONE ")\r\n"
		  "* BYE state is inconsistent\r\n",
	   .end = DIALOGUE_CUT}},
	 "closed: source box: 127.0.0.1: the server said goodbye: state"},
	/* Dovecot, once the mailbox was begun anew: old answers, then BYE */
	{"BYE behind an answer",
	 AT_NOOP,
	 {{.say = "* BYE IMAP session state is inconsistent\r\n",
	   .end = DIALOGUE_CUT}},
	 "closed: source box: 127.0.0.1: the server said goodbye: IMAP"},
	{"end in a literal",
	 AT_BODIES,
	 {{.say = "* 1 FETCH (UID 5 BODY[] {51}\r\nSubject: o",
	   .end = DIALOGUE_CUT}},
	 "closed: source box: 127.0.0.1: "},
	{"4 GB announced",
	 AT_BODIES,
	 {{.say = "* 1 FETCH (UID 5 BODY[] {4000000000}\r\n"}},
	 "limit: source box: 127.0.0.1: the server announces 4000000000 "},
	{"a name of 4 GB",
	 AT_EXAMINE,
	 {{.say = "* LIST () \"/\" {4000000000}\r\n"}},
	 "limit: "},
	{"endless body",
	 AT_BODIES,
	 {{.say = "* 1 FETCH (UID 5 BODY[] {1000000}\r\n"},
	  {.say = "0123456789", .times = 100000},
	  {.say = ")\r\n* 1 FETCH (UID 5 BODY[] {1000000}\r\n"}},
	 "limit: "},
	{"parentheses",
	 AT_SIZES,
	 {{.say = "* 1 FETCH (BODYSTRUCTURE "}, {.say = "(", .times = TIMES}},
	 "limit: source box: 127.0.0.1: the server sends a line of more than"},
	{"parentheses in a list",
	 AT_EXAMINE,
	 {{.say = "* FLAGS "}, {.say = "(", .times = TIMES}},
	 "limit: source box: 127.0.0.1: the server sends a line of more than"},
	{"endless line",
	 AT_SIZES,
	 {{.say = "* 1 FETCH (UID 5 X "}, {.say = "xxxxxxxx", .times = TIMES}},
	 "limit: "},
	{"endless lines",
	 AT_SIZES,
	 {{.say = "* 3 EXISTS\r\n* 3 EXISTS\r\n* 3 EXISTS\r\n* 3 EXISTS\r\n"
		  "* 3 EXISTS\r\n* 3 EXISTS\r\n* 3 EXISTS\r\n* 3 EXISTS\r\n",
	   .times = TIMES}},
	 "limit: "},
	{"NO to sizes",
	 AT_SIZES,
	 {{.say = "6 NO none\r\n"}},
	 "refused: source box: 127.0.0.1: it does not hand over mail: NO none"},
	{"NO behind sizes",
	 AT_SIZES,
	 {{.say = SIZES "6 NO some\r\n"}},
	 "refused: source box: 127.0.0.1: it does not hand over mail: NO some"},
	{"large UID",
	 AT_SEARCH,
	 {{.say = "* SEARCH 5 4294967301\r\n5 OK yes\r\n"}},
	 "reply: source box: 127.0.0.1: the server's answer is not what IMAP"},
	{"no UIDVALIDITY",
	 AT_EXAMINE,
	 {{.say = "* 2 EXISTS\r\n4 OK [READ-ONLY] open\r\n"},
	  {.hear = "5 LIST \"\" ", .say = "5 OK yes\r\n"}},
	 "refused: source box: mailbox \"INBOX\" has no UIDVALIDITY"},
	{"NUL", AT_SEARCH, {{.say = "* SEA\0RCH\r\n", .len = 12}}, "reply: "},
};

START_TEST(fault)
{
	struct dialogue_step wrong[AT_MAX + 4] = {0};
	g_autoptr(dialogue) bad = NULL;
	g_autoptr(dialogue) good = NULL;
	g_autoptr(remote_auto) r = NULL;
	g_autofree char *error = NULL, *second = NULL;
	guint n = (guint)faults[_i].at, k = 0;

	memcpy(wrong, script, n * sizeof(*wrong));
	for (; k < 3 && faults[_i].say[k].say; k++)
		wrong[n + k] = faults[_i].say[k];
	wrong[n].hear = script[n].hear;
	wrong[n + k].end = DIALOGUE_OVER;
	bad = dialogue_start(wrong, NULL);
	r = imap_remote(&h, bad, 1);
	error = run(bad, r);
	ck_assert_msg(error && g_str_has_prefix(error, faults[_i].error),
		      "%s: %s", faults[_i].name, error ? error : "no error");
	ck_assert_ptr_null(strstr(error, "sesame"));
	ck_assert_str_eq(mails->str, "");
	/* no position was left behind: all comes from a server that is well */
	good = dialogue_start(script, NULL);
	r->server->port = dialogue_port(good);
	second = run(good, r);
	ck_assert_ptr_null(second);
	ck_assert_str_eq(mails->str, MAILS);
}
END_TEST

/* What is announced is not allocated, what is nested not descended into: the
 * worst of the above, with little memory and a small stack. */
START_TEST(bounded)
{
	static const struct dialogue_step flood[] = {
		{.say = "* 1 FETCH (BODYSTRUCTURE "},
		{.say = "(((((((((((((((", .times = TIMES},
	};
	struct rusage before, after;
	g_autoptr(dialogue) d = NULL;
	g_autoptr(remote_auto) r = NULL;
	g_autofree char *error = NULL;

	for (guint i = 0; i < 2; i++)
		script[AT_SIZES + i] = flood[i];
	script[AT_SIZES].hear = "6 UID FETCH";
	script[AT_SIZES + 2].end = DIALOGUE_OVER;
	getrusage(RUSAGE_SELF, &before);
	d = dialogue_start(script, NULL);
	r = imap_remote(&h, d, 10);
	error = run(d, r);
	ck_assert_ptr_nonnull(error);
	getrusage(RUSAGE_SELF, &after);
	ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 32 * 1024);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_faults");
	TCase *c = tcase_create("faults");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, cut_anywhere);
	tcase_add_test(c, reset_anywhere);
	tcase_add_loop_test(c, fault, 0, G_N_ELEMENTS(faults));
	tcase_add_test(c, bounded);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
