/* test_source_imap.c - mailboxes of servers that behave: what is taken, where
 * the next run goes on, what becomes of mail that is kept */
#include "tests/bot/imap_script.h"

#define PLACE "imap imap://bot@127.0.0.1/INBOX"
#define MAILS                              \
	"mail " PLACE " one @1577836800\n" \
	"mail " PLACE " two @1577836800\n"

static struct heard h;
static struct dialogue_step script[AT_MAX];

static void setup(void)
{
	heard_init(&h);
	imap_script(script);
}

static void teardown(void)
{
	heard_clear(&h);
}

static char *cursor_of(const dialogue *d)
{
	g_autofree char *key =
		g_strdup_printf("imap imap://bot@127.0.0.1:%u/INBOX",
				dialogue_port(d));

	return g_strdup(g_hash_table_lookup(h.cursor, key));
}

static void want_cursor(const dialogue *d, const char *want)
{
	g_autofree char *cursor = cursor_of(d);

	ck_assert_str_eq(cursor, want);
}

static char *play(void (*change)(struct remote *r), char **heard)
{
	return imap_play(&h, script, change, heard);
}

static void want(void (*change)(struct remote *r), const char *log)
{
	g_autofree char *said = play(change, NULL);

	ck_assert_str_eq(said, log);
}

START_TEST(all)
{
	const struct dialogue_options twice = {.repeat = TRUE};
	g_autoptr(dialogue) d = dialogue_start(script, &twice);
	g_autoptr(remote_auto) r = imap_remote(&h, d, 3);
	g_autofree char *first = imap_read(&h, d, r);
	g_autofree char *again = NULL, *heard = NULL;

	ck_assert_str_eq(first, MAILS);
	want_cursor(d, "7 9");
	again = imap_read(&h, d, r);
	ck_assert_str_eq(again, "");
	want_cursor(d, "7 9");
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	ck_assert_ptr_nonnull(strstr(heard, "SEARCH UID 1:*\r\n"));
	ck_assert_ptr_nonnull(strstr(heard, "SEARCH UID 10:*\r\n"));
	ck_assert_ptr_nonnull(strstr(heard, "9 LOGOUT\r\n"));
	/* nothing that changes a mailbox */
	ck_assert_ptr_null(strstr(heard, "SELECT"));
	ck_assert_ptr_null(strstr(heard, "STORE"));
}
END_TEST

/* Line ends are those that the archive has. */
START_TEST(line_ends)
{
	script[AT_BODIES].say =
		"* 1 FETCH (UID 5 BODY[] {11}\r\nA: b\r\n\rx\r\r\n)\r\n"
		"* 2 FETCH (UID 9 BODY[] {8}\r\nC: d\nx\r\n)\r\n7 OK yes\r\n";
	g_free(play(NULL, NULL));
	ck_assert_uint_eq(h.raws->len, 2);
	ck_assert_mem_eq(g_bytes_get_data(h.raws->pdata[0], NULL),
			 "A: b\n\rx\r\n", 9);
	ck_assert_mem_eq(g_bytes_get_data(h.raws->pdata[1], NULL), "C: d\nx\n",
			 7);
}
END_TEST

/* What servers may say besides, or say in their own way. */
static const struct {
	int at;
	const char *say;
} oddities[] = {
	{AT_GREETING, "* OK\r\n"},
	{AT_CAPABILITY,
	 "* capability IMAP4rev1 sasl-ir Auth=Plain\r\n1 ok\r\n"},
	{AT_CAPABILITY_2, "3 OK none\r\n"},
	{AT_EXAMINE, "* OK [PERMANENTFLAGS (* 1 FETCH (\\* x] y\r\n" BOX
		     "* FLAGS (\r\n4 OK [READ-ONLY\r\n"},
	{AT_SEARCH, "* 1 FETCH (FLAGS (\\Seen))\r\n* SEARCH 9\r\n* 2 RECENT\r\n"
		    "* VANISHED (EARLIER) 1:4\r\n* search 5 9 \r\n5 OK\r\n"},
	{AT_SIZES, "* 7 FETCH (UID 77 RFC822.SIZE 1)\r\n"
		   "* 2 FETCH (MODSEQ (12) RFC822.SIZE " SIZE DATE
		   " FLAGS (\\Seen $x) UID 9)\n"
		   "* 1 fetch (uid 5 rfc822.size " SIZE DATE ")\n6 OK\n"},
	{AT_BODIES, "* 3 EXISTS\r\n* 7 FETCH (UID 77 BODY[] {1}\r\nx)\r\n"
		    "* 1 FETCH (UID 5 BODY[HEADER] {2}\r\n\r\n BODY[] {" SIZE
		    "}\r\n" ONE ")\r\n* 1 FETCH (UID 5 BODY[] NIL)\r\n"
		    "* 2 FETCH (UID 9 BODY[] \"Subject: two\r\n"},
};

START_TEST(oddity)
{
	g_autofree char *log = NULL;

	script[oddities[_i].at].say = oddities[_i].say;
	log = play(NULL, NULL);
	if (oddities[_i].at != AT_BODIES)
		ck_assert_str_eq(log, MAILS);
	else /* a string that goes on in the next line is none */
		ck_assert_ptr_nonnull(strstr(log, "not what IMAP knows"));
}
END_TEST

/* ---- positions */

static void new_validity(const dialogue *d, const char *cursor)
{
	g_autofree char *key =
		g_strdup_printf("imap imap://bot@127.0.0.1:%u/INBOX",
				dialogue_port(d));

	g_hash_table_insert(h.cursor, g_steal_pointer(&key), g_strdup(cursor));
}

static const struct {
	const char *before, *search, *log, *after;
} positions[] = {
	{"7 4", "UID 5:*", MAILS, "7 9"},
	{"7 5", "UID 6:*", NULL, "7 9"},
	{"7 9", "UID 10:*", "", "7 9"},
	{"6 9", "UID 1:*", MAILS, "7 9"}, /* the mailbox was begun anew */
	{"7 4294967295", NULL, "", "7 4294967295"},
	{"rubbish", "UID 1:*", MAILS, "7 9"},
};

START_TEST(position)
{
	g_autoptr(dialogue) d = NULL;
	g_autoptr(remote_auto) r = NULL;
	g_autofree char *log = NULL, *heard = NULL;

	if (!positions[_i].log) {
		script[AT_SIZES].hear = "6 UID FETCH 9 ";
		script[AT_BODIES].hear = "7 UID FETCH 9 ";
	}
	d = dialogue_start(script, NULL);
	r = imap_remote(&h, d, 3);
	new_validity(d, positions[_i].before);
	log = imap_read(&h, d, r);
	ck_assert_str_eq(log, positions[_i].log ? positions[_i].log
						: "mail " PLACE
						  " two @1577836800\n");
	want_cursor(d, positions[_i].after);
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	if (positions[_i].search)
		ck_assert_ptr_nonnull(strstr(heard, positions[_i].search));
	else
		ck_assert_ptr_null(strstr(heard, "SEARCH"));
}
END_TEST

/* Expunged between the questions: gone, and no reason to complain. */
START_TEST(expunged)
{
	script[AT_SIZES].say =
		"* 1 EXPUNGE\r\n"
		"* 1 FETCH (UID 9 RFC822.SIZE " SIZE DATE ")\r\n6 OK yes\r\n";
	script[AT_BODIES].hear = "7 UID FETCH 9 ";
	script[AT_BODIES].say = "7 OK yes\r\n";
	script[AT_NOOP + 1] = (struct dialogue_step){.hear = "9 UID FETCH 9 ",
						     .say = "9 OK yes\r\n"};
	script[AT_NOOP + 2].end = DIALOGUE_OVER;
	want(NULL, "");
}
END_TEST

/* Listed, but not to be had: told, and the next one comes. */
START_TEST(missing)
{
	script[AT_BODIES].say = "* 1 FETCH (UID 5 BODY[] NIL)\r\n"
				"* 2 FETCH (UID 9 BODY[] {" SIZE "}\r\n" TWO
				")\r\n7 OK yes\r\n";
	script[AT_NOOP + 1] = (struct dialogue_step){
		.hear = "9 UID FETCH 5 ",
		.say = "* 1 FETCH (UID 5 RFC822.SIZE 50)\r\n9 OK yes\r\n"};
	script[AT_NOOP + 2].end = DIALOGUE_OVER;
	want(NULL, "broken " PLACE " reply: imap://bot@127.0.0.1/INBOX: "
		   "message 5: the server lists it and does not hand it over\n"
		   "mail " PLACE " two @1577836800\n");
}
END_TEST

static void take_little(struct remote *r)
{
	r->max_bytes = 100;
}

/* Too large by what was announced, or by what came in spite of it. */
START_TEST(large)
{
	script[AT_SIZES].say =
		"* 1 FETCH (UID 5 RFC822.SIZE 101)\r\n"
		"* 2 FETCH (UID 9 RFC822.SIZE 90" DATE ")\r\n6 OK yes\r\n";
	script[AT_BODIES].hear = "7 UID FETCH 9 ";
	script[AT_BODIES].say =
		"* 2 FETCH (UID 9 BODY[] {102}\r\n" ONE TWO ")\r\n7 OK yes\r\n";
	want(take_little,
	     "broken " PLACE " limit: imap://bot@127.0.0.1/INBOX: message 5: "
	     "larger than max-size allows (101 bytes)\n"
	     "broken " PLACE " limit: imap://bot@127.0.0.1/INBOX: message 9: "
	     "larger than max-size allows (90 bytes)\n");
}
END_TEST

static void since_2020(struct remote *r)
{
	r->since = DAY;
}

/* The server's idea of a day is not ours: the hour of arrival decides. */
START_TEST(since)
{
	g_autofree char *heard = NULL, *log = NULL;

	script[AT_SIZES].say =
		"* 1 FETCH (UID 5 RFC822.SIZE 51 INTERNALDATE "
		"\"31-Dec-2019 23:59:59 +0000\")\r\n"
		"* 2 FETCH (UID 9 RFC822.SIZE 51" DATE ")\r\n6 OK yes\r\n";
	script[AT_BODIES].hear = "7 UID FETCH 9 ";
	log = play(since_2020, &heard);
	ck_assert_str_eq(log, "mail " PLACE " two @1577836800\n");
	ck_assert_ptr_nonnull(
		strstr(heard, "SEARCH UID 1:* SINCE 31-Dec-2019\r\n"));
}
END_TEST

/* An archive without an index says BAD to dates. */
START_TEST(since_unknown)
{
	script[AT_SEARCH].say = "5 BAD unexpected\r\n";
	script[AT_SIZES].hear = "6 UID SEARCH UID 1:*\r\n";
	script[AT_SIZES].say = "* SEARCH\r\n6 OK yes\r\n";
	script[AT_BODIES].end = DIALOGUE_OVER;
	want(since_2020, "");
}
END_TEST

#define LINE(caps) "* CAPABILITY IMAP4rev1 " caps "\r\n1 OK yes\r\n"

/* ---- which mailboxes */

static void named_part(struct remote *r)
{
	g_strfreev(r->mailboxes);
	r->mailboxes = g_strsplit("list.3", " ", -1);
	g_clear_pointer(&r->user, g_free);
}

static void wild(struct remote *r)
{
	g_strfreev(r->mailboxes);
	r->mailboxes = g_strsplit("l?st.* list.3", " ", -1);
	g_clear_pointer(&r->user, g_free);
}

#define NONE(tag)                                                              \
	{                                                                      \
		.hear = tag " UID SEARCH", .say = "* SEARCH\r\n" tag " OK\r\n" \
	}
#define OPEN(tag, name)                                           \
	{                                                         \
		.hear = tag " EXAMINE \"" name "\"\r\n",          \
		.say = "* OK [UIDVALIDITY 1] x\r\n" tag " OK\r\n" \
	}
#define PARTS(tag)                                                        \
	"* LIST () \".\" list\r\n* LIST () \".\" list.10\r\n"             \
	"* LIST (\\Noselect) \".\" list.11\r\n* LIST () \".\" list.2\r\n" \
	"* LIST () \".\" list.3\r\n* LIST () \".\" list.x\r\n" tag " OK\r\n"

/* The parts of an archive that come after the one that is named. */
START_TEST(parts)
{
	static const struct dialogue_step steps[] = {
		{.hear = "4 LIST \"\" \"list.*\"\r\n", .say = PARTS("4")},
		OPEN("5", "list.3"),
		NONE("6"),
		OPEN("7", "list.10"),
		NONE("8"),
		{.end = DIALOGUE_OVER},
	};
	g_autofree char *log = NULL;

	script[AT_CAPABILITY].say = LINE("AUTH=ANONYMOUS");
	script[AT_LOGIN].hear = "2 LOGIN anonymous anonymous\r\n";
	memcpy(script + AT_EXAMINE, steps, sizeof(steps));
	log = play(named_part, NULL);
	ck_assert_str_eq(log, "");
}
END_TEST

/* Each once, however often it is meant, and none of the empty branches. */
START_TEST(wildcards)
{
	static const struct dialogue_step steps[] = {
		{.hear = "4 LIST \"\" \"l*st.*\"\r\n", .say = PARTS("4")},
		{.hear = "5 LIST \"\" \"list.*\"\r\n", .say = PARTS("5")},
		OPEN("6", "list.10"),
		NONE("7"),
		OPEN("8", "list.2"),
		NONE("9"),
		OPEN("10", "list.3"),
		NONE("11"),
		{.end = DIALOGUE_OVER},
	};
	g_autofree char *log = NULL, *heard = NULL;

	script[AT_CAPABILITY].say = LINE("AUTH=ANONYMOUS");
	script[AT_LOGIN].hear = "2 LOGIN anonymous anonymous\r\n";
	memcpy(script + AT_EXAMINE, steps, sizeof(steps));
	log = play(wild, &heard);
	ck_assert_str_eq(log, "");
	ck_assert_ptr_nonnull(strstr(heard, "12 LOGOUT"));
}
END_TEST

START_TEST(probe)
{
	g_autoptr(dialogue) d = dialogue_start(script, NULL);
	g_autoptr(remote_auto) r = imap_remote(&h, d, 3);
	g_autofree char *said = NULL, *heard = NULL;
	g_autoptr(GError) err = NULL;

	ck_assert_msg(r->ops->probe(r, NULL, &said, &err), "%s",
		      err ? err->message : "?");
	ck_assert_str_eq(said, "logged in as bot, 1 mailbox, 2 mails, tells of "
			       "new mail");
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	ck_assert_ptr_null(strstr(heard, "FETCH"));
}
END_TEST

/* ---- what becomes of mail that is kept */

static void mark(struct remote *r)
{
	r->after = REMOTE_SEEN;
}

static void move(struct remote *r)
{
	r->after = REMOTE_MOVE;
	r->move_to = g_strdup("Done \"&\"");
}

#define DONE "\"Done \\\"&-\\\"\"\r\n"
#define OLD  "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN UIDPLUS\r\n3 OK yes\r\n"
#define BARE "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN\r\n3 OK yes\r\n"

static const struct {
	void (*change)(struct remote *r);
	const char *caps;
	struct dialogue_step steps[4];
	const char *error, *cursor;
} afters[] = {
	{mark,
	 NULL,
	 {{.hear = "9 UID STORE 5,9 +FLAGS.SILENT (\\Seen)\r\n",
	   .say = "9 OK yes\r\n"}},
	 "",
	 "7 9 9"},
	{move,
	 NULL,
	 {{.hear = "9 UID MOVE 5,9 " DONE, .say = "9 OK yes\r\n"}},
	 "",
	 "7 9 9"},
	{move,
	 OLD,
	 {{.hear = "9 UID COPY 5,9 " DONE, .say = "9 OK yes\r\n"},
	  {.hear = "10 UID STORE 5,9 +FLAGS.SILENT (\\Deleted)\r\n",
	   .say = "10 OK yes\r\n"},
	  {.hear = "11 UID EXPUNGE 5,9\r\n", .say = "11 OK yes\r\n"}},
	 "",
	 "7 9 9"},
	{move,
	 BARE,
	 {{.hear = NULL}},
	 "error refused: source box: 127.0.0.1: can move no mail (neither MOVE "
	 "nor UIDPLUS); use after=seen\n",
	 "7 9 0"},
	{mark,
	 NULL,
	 {{.hear = "9 UID STORE", .say = "9 NO [READ-ONLY] no\r\n"}},
	 "error refused: source box: 127.0.0.1: mail can't be marked as seen: "
	 "NO [READ-ONLY] no\n",
	 "7 9 0"},
};

START_TEST(after)
{
	g_autoptr(dialogue) d = NULL;
	g_autoptr(remote_auto) r = NULL;
	g_autofree char *log = NULL, *heard = NULL, *wanted = NULL;
	guint n = 0;

	if (afters[_i].caps)
		script[AT_CAPABILITY_2].say = afters[_i].caps;
	script[AT_EXAMINE].hear = "4 SELECT INBOX\r\n";
	for (; n < 4 && afters[_i].steps[n].hear; n++)
		script[AT_END + n] = afters[_i].steps[n];
	script[AT_END + n].end = DIALOGUE_OVER;
	d = dialogue_start(script, NULL);
	r = imap_remote(&h, d, 3);
	afters[_i].change(r);
	log = imap_read(&h, d, r);
	wanted = g_strconcat(MAILS "kept\n", afters[_i].error, NULL);
	ck_assert_str_eq(log, wanted);
	want_cursor(d, afters[_i].cursor);
	dialogue_await_over(d);
	heard = dialogue_heard(d);
	ck_assert_ptr_null(strstr(heard, " EXPUNGE\r\n"));
}
END_TEST

/* Killed between keeping and marking: the next run makes up for it. */
START_TEST(after_kill)
{
	g_autoptr(dialogue) d = NULL;
	g_autoptr(remote_auto) r = NULL;
	g_autofree char *log = NULL;

	script[AT_EXAMINE].hear = "4 SELECT";
	script[AT_SEARCH].hear = "5 UID SEARCH UID 5:9\r\n";
	script[AT_SEARCH].say = "* SEARCH 9\r\n5 OK yes\r\n";
	script[AT_SIZES].hear = "6 UID FETCH 9 ";
	script[AT_BODIES] = (struct dialogue_step){.hear = "7 UID STORE 9 ",
						   .say = "7 OK yes\r\n"};
	script[AT_NOOP] =
		(struct dialogue_step){.hear = "8 UID SEARCH UID 10:*",
				       .say = FOUND "8 OK yes\r\n"};
	d = dialogue_start(script, NULL);
	r = imap_remote(&h, d, 3);
	new_validity(d, "7 9 4");
	mark(r);
	log = imap_read(&h, d, r);
	ck_assert_str_eq(log, "");
	want_cursor(d, "7 9 9");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("source_imap");
	TCase *c = tcase_create("read");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, all);
	tcase_add_test(c, line_ends);
	tcase_add_loop_test(c, oddity, 0, G_N_ELEMENTS(oddities));
	tcase_add_loop_test(c, position, 0, G_N_ELEMENTS(positions));
	tcase_add_test(c, expunged);
	tcase_add_test(c, missing);
	tcase_add_test(c, large);
	tcase_add_test(c, since);
	tcase_add_test(c, since_unknown);
	tcase_add_test(c, parts);
	tcase_add_test(c, wildcards);
	tcase_add_test(c, probe);
	tcase_add_loop_test(c, after, 0, G_N_ELEMENTS(afters));
	tcase_add_test(c, after_kill);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
