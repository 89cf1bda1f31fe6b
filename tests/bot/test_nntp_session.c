/* test_nntp_session.c - what news servers refuse, and logins */
#include "tests/bot/news.h"

static struct heard h;

static void setup(void)
{
	heard_init(&h);
}

static void teardown(void)
{
	heard_clear(&h);
}

static const char *cursor(void)
{
	return g_hash_table_lookup(h.cursor, "nntp g");
}

/* ---- errors, each with its name */

static const struct news_run errors[] = {
	{"greeting 400",
	 {0},
	 NULL,
	 {{.say = "400 load\r\n", .end = DIALOGUE_CUT},
	  {.say = "400 load\r\n", .end = DIALOGUE_CUT},
	  NEWS_DONE},
	 "error closed: greeting: the server can't serve now (400 load)\n",
	 NULL},
	{"greeting 502",
	 {0},
	 NULL,
	 {{.say = "502 not you\r\n", .end = DIALOGUE_CUT}, NEWS_DONE},
	 "error refused: greeting: the server does not permit it (502 not "
	 "you)\n",
	 NULL},
	{"no news server",
	 {0},
	 NULL,
	 {{.say = "* OK IMAP\r\n"}, NEWS_DONE},
	 "error reply: a reply without a code, which no news server says\n",
	 NULL},
	{"a NUL in a reply",
	 {0},
	 NULL,
	 {{.say = "200\0 hi\r\n", .len = 9}, NEWS_DONE},
	 "error reply: a reply without a code, which no news server says\n",
	 NULL},
	{"a reply without an end",
	 {0},
	 NULL,
	 {{.say = "200 hi hi hi hi ", .times = 65536}, NEWS_DONE},
	 "error reply: a reply without an end, which no news server says\n",
	 NULL},
	{"no such group",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "411 none\r\n"), NEWS_DONE},
	 "error refused: g: there is no such group (411 none)\n",
	 NULL},
	{"a login is needed",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "480 who?\r\n"), NEWS_DONE},
	 "error refused: g: the server wants a login; set user and "
	 "password-file (480 who?)\n",
	 NULL},
	{"an article is not for us",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 1 1 1 g\r\n"),
	  NEWS_ON("OVER 1-1", "224 x\r\n" NEWS_VIEW("1") ".\r\n"),
	  NEWS_ON("ARTICLE 1", "502 no\x1b[2J\xff\r\n"), NEWS_DONE},
	 "error refused: g: article 1: the server does not permit it (502 "
	 "no[2J?)\n",
	 NULL},
	{"another article",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 1 1 2 g\r\n"),
	  NEWS_ON("OVER 1-2",
		  "224 x\r\n" NEWS_VIEW("1") NEWS_VIEW("2") ".\r\n"),
	  NEWS_ON("ARTICLE 1", NEWS_MAIL("1")),
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("1")), NEWS_DONE},
	 "mail nntp g m1\n"
	 "error reply: g: the server sent an article that was not asked for\n",
	 "1 <1@x>"},
	{"marks that are none",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 many\r\n"), NEWS_DONE},
	 "error reply: g: the server tells no numbers of its articles\n",
	 NULL},
	{"since, without overviews",
	 {.since = 86400},
	 NULL,
	 {NEWS_HELLO,
	  NEWS_ON("GROUP g", "211 9 1 9 g\r\n"),
	  {.hear = "OVER ", .say = "500 no\r\n"},
	  {.hear = "XOVER ", .say = "500 no\r\n"},
	  NEWS_DONE},
	 "error refused: g: the server has no overviews, and since= can't be "
	 "found without them; remove it\n",
	 NULL},
	{"silence",
	 {.timeout = 1},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", ""), NEWS_DONE},
	 NULL,
	 NULL},
	{"a drip",
	 {.timeout = 1},
	 NULL,
	 {NEWS_HELLO,
	  {.say = "211 1 1 1 ggggggggggggggggg", .drip = 300},
	  NEWS_DONE},
	 NULL,
	 NULL},
};

START_TEST(test_error)
{
	const struct news_run *r = &errors[_i];
	g_autoptr(dialogue) d = dialogue_start(r->steps, NULL);
	const char *log = news_read(&h, dialogue_port(d), &r->how);

	ck_assert_msg(r->log ? g_str_equal(log, r->log)
			     : g_str_has_prefix(log, "error time: "),
		      "%s: got\n%s", r->name, log);
	ck_assert_pstr_eq(cursor(), r->to);
}
END_TEST

/* A password does not leave for a server that others can listen to. */
START_TEST(test_plain_login)
{
	struct news_how how = {.host = "192.0.2.1", .user = "me"};

	ck_assert_str_eq(news_read(&h, 119, &how),
			 "error plain: a password is not sent without TLS; set "
			 "server=nntps://192.0.2.1\n");
}
END_TEST

static const struct {
	const char *user, *word;
	struct dialogue_step steps[16];
	const char *log;
} logins[] = {
	{"me",
	 "secret\n",
	 {NEWS_HELLO, NEWS_ON("AUTHINFO USER me", "381 more\r\n"),
	  NEWS_ON("AUTHINFO PASS secret", "281 welcome\r\n"), NEWS_ON_THREE,
	  NEWS_DONE},
	 NEWS_THREE},
	{"me",
	 "secret",
	 {NEWS_HELLO, NEWS_ON("AUTHINFO USER me", "281 known\r\n"),
	  NEWS_ON_THREE, NEWS_DONE},
	 NEWS_THREE},
	{"me",
	 "secret",
	 {NEWS_HELLO, NEWS_ON("AUTHINFO USER me", "381 more\r\n"),
	  NEWS_ON("AUTHINFO PASS secret", "481 not \"secret\"\r\n"), NEWS_DONE},
	 "error refused: login: user or password are wrong (481)\n"},
	{"me",
	 "two words",
	 {NEWS_HELLO, NEWS_ON("AUTHINFO USER me", "381 more\r\n"), NEWS_DONE},
	 "error secret: the password has a blank or control character, or is "
	 "too long for a news server\n"},
	{"m\re",
	 "secret",
	 {NEWS_DONE},
	 "error secret: the user name has a blank or control character, or is "
	 "too long\n"},
};

START_TEST(test_login)
{
	g_autoptr(dialogue) d = dialogue_start(logins[_i].steps, NULL);
	g_autofree char *file = g_build_filename(h.dir, "word", NULL);
	struct news_how how = {.user = logins[_i].user, .password_file = file};

	ck_assert(g_file_set_contents_full(file, logins[_i].word, -1, 0, 0600,
					   NULL));
	ck_assert_str_eq(news_read(&h, dialogue_port(d), &how), logins[_i].log);
}
END_TEST

/* ---- only looking */

static const struct {
	const char *name;
	struct dialogue_step steps[8];
	const char *said;
} looks[] = {
	{"two groups",
	 {NEWS_HELLO, NEWS_ON("LIST ACTIVE a.*", "215 x\r\na.b 1 1 y\r\n.\r\n"),
	  NEWS_ON("GROUP a.b", "211 0 1 0 a.b\r\n"),
	  NEWS_ON("GROUP c", "211 7 5 30 c\r\n"), NEWS_DONE},
	 "2 groups, about 26 articles"},
	{"one that is not there",
	 {NEWS_HELLO, NEWS_ON("LIST ACTIVE a.*", "215 x\r\n.\r\n"),
	  NEWS_ON("GROUP c", "411 no\r\n"), NEWS_DONE},
	 "c: there is no such group (411 no)"},
};

START_TEST(test_probe)
{
	g_autoptr(dialogue) d = dialogue_start(looks[_i].steps, NULL);
	g_autoptr(endpoint_auto) e = dialogue_endpoint(d, "nntp", 20);
	const char *groups[] = {"a.*", "c", NULL};
	struct remote r = {.name = (char *)"news",
			   .server = e,
			   .groups = (char **)groups};
	g_autoptr(GError) err = NULL;
	g_autofree char *said = NULL;
	gboolean ok = remote_nntp.probe(&r, NULL, &said, &err);
	const char *text = ok ? said : err->message;

	ck_assert_msg(g_str_has_suffix(text, looks[_i].said), "%s: %s",
		      looks[_i].name, text);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("nntp_session");
	TCase *t = tcase_create("session");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, test_error, 0, G_N_ELEMENTS(errors));
	tcase_add_test(t, test_plain_login);
	tcase_add_loop_test(t, test_login, 0, G_N_ELEMENTS(logins));
	tcase_add_loop_test(t, test_probe, 0, G_N_ELEMENTS(looks));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
