/* test_imap_say.c - what libetpan hears of the lines of a server: nothing that
 * could do it harm, and nothing that was not asked for */
#include <string.h>

#include "bot/imap_guard.h"
#include "bot/imap_say.h"

#include "tests/test.h"

typedef gboolean (*say_func)(const char *, GPtrArray *, void *);

static const guint32 wanted[] = {5, 9};

/* What is said of the lines up to the tagged one; "!": one was refused. */
static char *say(say_func how, gboolean bodies, const char *lines)
{
	struct imap_said said = {.tag = 7,
				 .text = g_string_new(NULL),
				 .uids = wanted,
				 .n = 2,
				 .bodies = bodies};
	const struct imap_reply reply = {.max_body = 1000,
					 .max_bodies = 1000,
					 .keep = 10,
					 .line = how,
					 .data = &said};
	struct imap_guard g;
	gsize len = strlen(lines);

	imap_guard_init(&g);
	imap_guard_begin(&g, &reply);
	if (imap_guard_pass(&g, lines, len, NULL) < 0)
		g_string_append_c(said.text, '!');
	else if (g.ended == IMAP_END_DONE)
		imap_say_end(&said, g.tag, g.status);
	imap_guard_clear(&g);
	return g_string_free(said.text, FALSE);
}

static const struct {
	say_func how;
	gboolean bodies;
	const char *lines, *said;
} cases[] = {
	{imap_say_greeting, FALSE, "* OK [X (] \377 * BYE\r\n* OK b\r\n",
	 "* OK hello\r\n"},
	{imap_say_greeting, FALSE, "* preauth\r\n", "* PREAUTH hello\r\n"},
	{imap_say_greeting, FALSE, "* OKAY\r\n", "* NO hello\r\n"},
	/* words */
	{imap_say_capability, FALSE,
	 "* CAPABILITY A=1 AUTH= AUTH=X ( a)b \"  \001 {3} c\r\n7 OK x\r\n",
	 "* CAPABILITY IMAP4rev1 A=1 AUTH=X c\r\n7 OK it\r\n"},
	{imap_say_capability, FALSE, "* CAPABILITY\r\n",
	 "* CAPABILITY IMAP4rev1\r\n"},
	{imap_say_capability, FALSE, "* CAPABILITYX A\r\n* OK x\r\n", ""},
	/* names */
	{imap_say_list, FALSE,
	 "* LIST () NIL a\r\n* LIST (\\Noselect) NIL b\r\n"
	 "* LIST (X) \"((\" \"c \\\" d\"\r\n* LIST () NIL {5}\r\n\001\r\nx\"\r\n",
	 "* LIST () \"/\" \"a\"\r\n* LIST () \"/\" \"c \\\" d\"\r\n"
	 "* LIST () \"/\" \"x\\\"\"\r\n"},
	{imap_say_list, FALSE, "* LIST () NIL {4}\r\n a  \r\n",
	 "* LIST () \"/\" \" a  \"\r\n"},
	{imap_say_list, FALSE, "* LIST x\r\n", "!"},
	/* numbers */
	{imap_say_box, FALSE,
	 "* FLAGS ((((\r\n* OK [PERMANENTFLAGS\r\n* 3 EXISTS\r\n* 1 RECENT\r\n"
	 "* OK [UIDVALIDITY 4294967295] x\r\n* OK [UIDVALIDITY 0]\r\n"
	 "7 NO [((( x\r\n",
	 "* 3 EXISTS\r\n* OK [UIDVALIDITY 4294967295] it\r\n7 NO it\r\n"},
	{imap_say_box, FALSE, "* OK [UIDVALIDITY 4294967296]\r\n", "!"},
	{imap_say_search, FALSE, "* SEARCH\r\n* SEARCH 3 0 1\r\n8 OK x\r\n",
	 "* SEARCH 3 1\r\n"},
	{imap_say_search, FALSE, "* SEARCH 0\r\n7 bad\r\n", "7 BAD it\r\n"},
	{imap_say_search, FALSE, "* SEARCH 4294967296\r\n", "!"},
	/* sizes: in 32 bits, in UTC, none that was not asked for */
	{imap_say_fetch, FALSE,
	 "* 1 FETCH (UID 5 RFC822.SIZE 51 FLAGS (\\Seen (((()))) "
	 "INTERNALDATE \" 1-Jan-2020 01:00:00 +0100\")\r\n"
	 "* 2 FETCH (X (()) RFC822.SIZE 5000000000 UID 9)\r\n"
	 "* 3 FETCH (UID 6 RFC822.SIZE 5)\r\n* 3 FETCH (UID 5 FLAGS ())\r\n",
	 "!"},
	{imap_say_fetch, FALSE,
	 "* 1 FETCH (UID 5 RFC822.SIZE 51 FLAGS (\\Seen ((()))) "
	 "INTERNALDATE \" 1-Jan-2020 01:00:00 +0100\")\r\n"
	 "* 2 FETCH (X (()) RFC822.SIZE 5000000000 UID 9)\r\n"
	 "* 3 FETCH (UID 6 RFC822.SIZE 5)\r\n* 3 FETCH (UID 5 FLAGS ())\r\n",
	 "* 1 FETCH (UID 5 RFC822.SIZE 51 INTERNALDATE \"01-Jan-2020 "
	 "00:00:00 +0000\")\r\n"
	 "* 1 FETCH (UID 9 RFC822.SIZE 4294967295)\r\n"},
	/* bodies, whatever is in them, and one that is too large */
	{imap_say_fetch, TRUE,
	 "* 1 FETCH (BODY[] {5}\r\na\r\n)* UID 5)\r\n"
	 "* 1 FETCH (UID 5 RFC822.SIZE 3)\r\n"
	 "* 2 FETCH (UID 9 BODY[] {11}\r\n12345678901)\r\n"
	 "* 2 FETCH (UID 6 BODY[] {1}\r\n1)\r\n7 OK x\r\n",
	 "* 1 FETCH (UID 5 BODY[] {5}\r\na\r\n)*)\r\n"
	 "* 1 FETCH (UID 9 RFC822.SIZE 0)\r\n7 OK it\r\n"},
	{imap_say_fetch, TRUE,
	 "* 1 FETCH (UID 5 BODY[] \"\")\r\n* 1 FETCH (UID 9 BODY[] NIL)\r\n",
	 "* 1 FETCH (UID 5 BODY[] {0}\r\n)\r\n"},
	/* ends of others */
	{imap_say_box, FALSE, "77 OK x\r\n", ""},
	{imap_say_box, FALSE, "7 OKAY x\r\n", ""},
	{imap_say_box, FALSE, "7\r\n", ""},
};

START_TEST(saying)
{
	g_autofree char *said =
		say(cases[_i].how, cases[_i].bodies, cases[_i].lines);

	ck_assert_str_eq(said, cases[_i].said);
}
END_TEST

static char *repeat(const char *line, guint times)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < times; i++)
		g_string_append(out, line);
	return g_string_free(out, FALSE);
}

/* libetpan keeps what it hears until an answer is over: it does not hear a
 * million times what one line says. */
START_TEST(much)
{
	static const struct {
		say_func how;
		const char *line;
		gboolean refused;
	} lines[] = {
		{imap_say_capability, "* CAPABILITY A\r\n", TRUE},
		{imap_say_box, "* 3 EXISTS\r\n", TRUE},
		{imap_say_search, "* SEARCH 3\r\n", TRUE},
		{imap_say_list, "* LIST () NIL a\r\n", FALSE},
		{imap_say_fetch, "* 1 FETCH (UID 5 RFC822.SIZE 1)\r\n", FALSE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *many = repeat(lines[i].line, 200000);
		g_autofree char *said = say(lines[i].how, FALSE, many);

		ck_assert_uint_lt(strlen(said), strlen(many));
		ck_assert_int_eq(g_str_has_suffix(said, "!"), lines[i].refused);
	}
}
END_TEST

/* A large mailbox is no attack. */
START_TEST(found)
{
	g_autofree char *half = repeat(" 4294967295", IMAP_MAX_FOUND / 2);
	g_autofree char *many = g_strconcat("* SEARCH", half, "\r\n", NULL);
	g_autofree char *more = repeat(" 1", IMAP_MAX_FOUND + 1);
	g_autofree char *most = g_strconcat("* SEARCH", more, "\r\n", NULL);
	g_autofree char *said = say(imap_say_search, FALSE, many);
	g_autofree char *refused = say(imap_say_search, FALSE, most);

	ck_assert(g_str_equal(said, many));
	ck_assert(g_str_has_suffix(refused, "!"));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("imap_say");
	TCase *c = tcase_create("say");

	tcase_add_loop_test(c, saying, 0, G_N_ELEMENTS(cases));
	tcase_add_test(c, much);
	tcase_add_test(c, found);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
