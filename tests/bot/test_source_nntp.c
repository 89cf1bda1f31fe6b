/* test_source_nntp.c - what is taken from news servers, whatever they say */
#include "tests/bot/news.h"

#define NEWS_DONE                    \
	{                            \
		.end = DIALOGUE_OVER \
	}

static struct heard h;

static void setup(void)
{
	heard_init(&h);
}

static void teardown(void)
{
	heard_clear(&h);
}

static void set_cursor(const char *cursor)
{
	g_hash_table_insert(h.cursor, g_strdup("nntp g"), g_strdup(cursor));
}

static const char *cursor(void)
{
	return g_hash_table_lookup(h.cursor, "nntp g");
}

/* ---- one run: what is said, and where it stands then */

static const struct news_run runs[] = {
	{"three articles",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON_THREE, NEWS_DONE},
	 NEWS_THREE,
	 "3 <3@x>"},
	{"an empty group",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 0 1 0 g\r\n"), NEWS_DONE},
	 "",
	 NULL},
	{"an empty group that begins at 0",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 0 0 0 g\r\n"), NEWS_DONE},
	 "",
	 NULL},
	{"nothing new",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("GROUP g\r\nSTAT 3\r\nSTAT <3@x>",
		  "211 3 1 3 g\r\n223 3 <3@x>\r\n223 3 <3@x>\r\n"),
	  NEWS_DONE},
	 "",
	 "3 <3@x>"},
	{"one more",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <3@x>",
		  "211 3 1 4 g\r\n223 3 <3@x>\r\n223 3 <3@x>\r\n"),
	  NEWS_ON("OVER 4-4", "224 x\r\n" NEWS_VIEW("4") ".\r\n"),
	  NEWS_ON("ARTICLE 4", NEWS_MAIL("4")), NEWS_DONE},
	 "mail nntp g m4\n",
	 "4 <4@x>"},
	{"the last one was removed",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <3@x>", "211 3 1 4 g\r\n423 no\r\n430 no\r\n"),
	  NEWS_ON("OVER 4-4", "224 x\r\n" NEWS_VIEW("4") ".\r\n"),
	  NEWS_ON("ARTICLE 4", NEWS_MAIL("4")), NEWS_DONE},
	 "mail nntp g m4\n",
	 "4 <4@x>"},
	{"old ones have expired",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <3@x>", "211 1 8 8 g\r\n423 no\r\n430 no\r\n"),
	  NEWS_ON("OVER 4-8", "224 x\r\n" NEWS_VIEW("8") ".\r\n"),
	  NEWS_ON("ARTICLE 8", NEWS_MAIL("8")), NEWS_DONE},
	 "mail nntp g m8\n",
	 "8 <8@x>"},
	{"the number is another article's now",
	 {0},
	 "3 <old@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <old@x>",
		  "211 3 1 3 g\r\n223 3 <3@x>\r\n223 1 <old@x>\r\n"),
	  NEWS_ON("OVER 1-3", "224 x\r\n" NEWS_VIEW("3") ".\r\n"),
	  NEWS_ON("ARTICLE 3", NEWS_MAIL("3")), NEWS_DONE},
	 "mail nntp g m3\n",
	 "3 <3@x>"},
	{"the article has another number now",
	 {0},
	 "3 <old@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <old@x>", "211 3 1 9 g\r\n423 no\r\n223 1 <old@x>\r\n"),
	  NEWS_ON("STAT 1", "223 1 <old@x>\r\n"),
	  NEWS_ON("OVER 1-9", "224 x\r\n" NEWS_VIEW("3") ".\r\n"),
	  NEWS_ON("ARTICLE 3", NEWS_MAIL("3")), NEWS_DONE},
	 "mail nntp g m3\n",
	 "3 <3@x>"},
	{"the number is one of another group",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <3@x>", "211 3 1 9 g\r\n423 no\r\n223 1 <3@x>\r\n"),
	  NEWS_ON("STAT 1", "223 1 <1@x>\r\n"),
	  NEWS_ON("OVER 4-9", "224 x\r\n" NEWS_VIEW("9") ".\r\n"),
	  NEWS_ON("ARTICLE 9", NEWS_MAIL("9")), NEWS_DONE},
	 "mail nntp g m9\n",
	 "9 <9@x>"},
	{"the group begins anew",
	 {0},
	 "3 <3@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <3@x>", "211 1 1 1 g\r\n423 no\r\n430 no\r\n"),
	  NEWS_ON("OVER 1-1", "224 x\r\n" NEWS_VIEW("1") ".\r\n"),
	  NEWS_ON("ARTICLE 1", NEWS_MAIL("1")), NEWS_DONE},
	 "mail nntp g m1\n",
	 "1 <1@x>"},
	{"a position that is none",
	 {0},
	 "nonsense",
	 {NEWS_HELLO, NEWS_ON_THREE, NEWS_DONE},
	 NEWS_THREE,
	 "3 <3@x>"},
	{"a position without an id",
	 {0},
	 "3 -",
	 {NEWS_HELLO,
	  NEWS_ON("GROUP g\r\nSTAT 3", "211 3 1 4 g\r\n223 3 <3@x>\r\n"),
	  NEWS_ON("OVER 4-4", "224 x\r\n" NEWS_VIEW("4") ".\r\n"),
	  NEWS_ON("ARTICLE 4", NEWS_MAIL("4")), NEWS_DONE},
	 "mail nntp g m4\n",
	 "4 <4@x>"},
	{"large numbers",
	 {0},
	 "4294967296 <a@x>",
	 {NEWS_HELLO,
	  NEWS_ON("STAT <a@x>", "211 3 1 5000000000 g\r\n"
				"223 4294967296 <a@x>\r\n223 0 <a@x>\r\n"),
	  NEWS_ON("OVER 4294967297-4294969297",
		  "224 x\r\n" NEWS_VIEW("4294967297") ".\r\n"),
	  NEWS_ON("ARTICLE 4294967297", NEWS_MAIL("4294967297")),
	  NEWS_ON("OVER 4294969298-4294971298", "423 none\r\n"),
	  NEWS_ON("OVER 4294971299-4294979299", "423 none\r\n"),
	  {.hear = "OVER 4294979300-", .say = "403 tired\r\n"},
	  NEWS_DONE},
	 "mail nntp g m4294967297\n"
	 "error reply: g: the server has a fault (403 tired)\n",
	 "4294967297 <4294967297@x>"},
	{"gaps in the overview and since",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 9 g\r\n"),
	  NEWS_ON("OVER 1-9", "224 x\r\n" NEWS_VIEW("2") NEWS_VIEW("4")
				      NEWS_VIEW("7") ".\r\n"),
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("2")),
	  NEWS_ON("ARTICLE 4", "423 it was here\r\n"),
	  NEWS_ON("ARTICLE 7", "430 gone\r\n"), NEWS_DONE},
	 "mail nntp g m2\n",
	 "2 <2@x>"},
	{"gone is said ahead of what was asked for before",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 9 g\r\n"),
	  NEWS_ON("OVER 1-9",
		  "224 x\r\n" NEWS_VIEW("2") NEWS_VIEW("4") NEWS_VIEW("7")
			  NEWS_VIEW("8") NEWS_VIEW("9") ".\r\n"),
	  NEWS_ON("ARTICLE 9",
		  "423 it is 4\r\n" NEWS_MAIL("2") "423 it is 9\r\n" NEWS_MAIL(
			  "7") NEWS_MAIL("8")),
	  NEWS_DONE},
	 "mail nntp g m2\nmail nntp g m7\nmail nntp g m8\n",
	 "8 <8@x>"},
	{"articles without numbers",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 9 g\r\n"),
	  NEWS_ON("OVER 1-9", "224 x\r\n" NEWS_VIEW("2") NEWS_VIEW("4")
				      NEWS_VIEW("7") ".\r\n"),
	  NEWS_ON("ARTICLE 7", "423 it is 2\r\n"
			       "220 0 <4@x>\r\nSubject: m4\r\n\r\n.\r\n"
			       "220 0 <7@x>\r\nSubject: m7\r\n\r\n.\r\n"),
	  NEWS_DONE},
	 "mail nntp g m4\nmail nntp g m7\n",
	 "7 <7@x>"},
	{"an overview that makes no sense",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 3 g\r\n"),
	  NEWS_ON("OVER 1-3",
		  "224 x\r\nnonsense\r\n" NEWS_VIEW("2") NEWS_VIEW("2")
			  NEWS_VIEW("1") NEWS_VIEW("77") "\r\n\t\t\r\n"
							 ".\r\n"),
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("2")), NEWS_DONE},
	 "mail nntp g m2\n",
	 "2 <2@x>"},
	{"a line of a MiB in the overview",
	 {0},
	 NULL,
	 {NEWS_HELLO,
	  NEWS_ON("GROUP g", "211 9 1 3 g\r\n"),
	  NEWS_ON("OVER 1-3", "224 x\r\n" NEWS_VIEW("1") "2\t"),
	  {.say = "0123456789abcdef", .times = 65536},
	  {.say = "\r\n" NEWS_VIEW("3") ".\r\n"},
	  NEWS_ON("ARTICLE 1", NEWS_MAIL("1")),
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("2")),
	  NEWS_ON("ARTICLE 3", NEWS_MAIL("3")),
	  NEWS_DONE},
	 NEWS_THREE,
	 "3 <3@x>"},
	{"only XOVER",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 3 g\r\n"),
	  NEWS_ON("OVER 1-3", "500 what?\r\n"),
	  NEWS_ON("XOVER 1-3", "224 x\r\n" NEWS_VIEW("2") ".\r\n"),
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("2")), NEWS_DONE},
	 "mail nntp g m2\n",
	 "2 <2@x>"},
	{"no overviews at all",
	 {0},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 3 g\r\n"),
	  NEWS_ON("OVER 1-3", "500 what?\r\n"),
	  NEWS_ON("XOVER 1-3", "500 what?\r\n"),
	  NEWS_ON("ARTICLE 1", NEWS_MAIL("1")),
	  NEWS_ON("ARTICLE 2", "423 gone\r\n"),
	  NEWS_ON("ARTICLE 3", NEWS_MAIL("3")), NEWS_DONE},
	 "mail nntp g m1\nmail nntp g m3\n",
	 "3 <3@x>"},
	{"an old server",
	 {0},
	 NULL,
	 {{.say = "201 no posting\r\n"},
	  NEWS_ON("CAPABILITIES", "500 what?\r\n"),
	  NEWS_ON("MODE READER", "200 posting\r\n"),
	  NEWS_ON_THREE,
	  NEWS_DONE},
	 NEWS_THREE,
	 "3 <3@x>"},
	{"a server with two modes",
	 {0},
	 NULL,
	 {{.say = "200 hi\r\n"},
	  NEWS_ON("CAPABILITIES", "101 x\r\nVERSION 2\r\nMODE-READER\r\n.\r\n"),
	  NEWS_ON("MODE READER", "200 posting\r\n"),
	  NEWS_ON_THREE,
	  NEWS_DONE},
	 NEWS_THREE,
	 "3 <3@x>"},
	{"too large, as the overview tells",
	 {.max_bytes = 1 << 20},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("GROUP g", "211 9 1 3 g\r\n"),
	  NEWS_ON("OVER 1-3",
		  "224 x\r\n" NEWS_VIEW("1") NEWS_LINE("2", NEWS_DAY, "1048577")
			  NEWS_VIEW("3") ".\r\n"),
	  NEWS_ON("ARTICLE 1", NEWS_MAIL("1")),
	  NEWS_ON("ARTICLE 3", NEWS_MAIL("3")), NEWS_DONE},
	 "mail nntp g m1\n"
	 "broken nntp g limit: g: article 2 <2@x> is larger than 1 MiB and "
	 "was skipped\n"
	 "mail nntp g m3\n",
	 "3 <3@x>"},
	{"too large, as its end tells",
	 {.max_bytes = 1 << 20},
	 NULL,
	 {NEWS_HELLO,
	  NEWS_ON("GROUP g", "211 9 1 2 g\r\n"),
	  NEWS_ON("OVER 1-2", "224 x\r\n" NEWS_LINE("1", NEWS_DAY, "")
				      NEWS_VIEW("2") ".\r\n"),
	  NEWS_ON("ARTICLE 1", "220 1 <1@x>\r\nSubject: m1\r\n\r\n"),
	  {.say = "0123456789abcdef0123456789abcdef", .times = 40000},
	  {.say = "\r\n.\r\n"},
	  NEWS_ON("ARTICLE 2", NEWS_MAIL("2")),
	  NEWS_DONE},
	 "broken nntp g limit: g: article 1 <1@x> is larger than 1 MiB and "
	 "was skipped\n"
	 "mail nntp g m2\n",
	 "2 <2@x>"},
	{"groups that match",
	 {.groups = "a.* a.b c"},
	 NULL,
	 {NEWS_HELLO,
	  NEWS_ON("LIST ACTIVE a.*", "215 list\r\na.b 1 1 y\r\nb.c 1 1 y\r\n"
				     "a.d 1 1 =a.b\r\n.\r\n"),
	  NEWS_ON("GROUP a.b", "211 0 1 0 a.b\r\n"),
	  NEWS_ON("GROUP c", "211 0 1 0 c\r\n"), NEWS_DONE},
	 "",
	 NULL},
	{"a server that does not know patterns",
	 {.groups = "a.?"},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("LIST ACTIVE a.?", "501 syntax\r\n"),
	  NEWS_ON("LIST", "215 list\r\na.b 1 1 y\r\nb.c 1 1 y\r\n.\r\n"),
	  NEWS_ON("GROUP a.b", "211 0 1 0 a.b\r\n"), NEWS_DONE},
	 "",
	 NULL},
	{"no group matches",
	 {.groups = "a.*"},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("LIST ACTIVE a.*", "215 list\r\n.\r\n"),
	  NEWS_DONE},
	 "error refused: there is no group that matches \"a.*\"\n",
	 NULL},
	{"one pattern of two fits a group: that is read, and the other told",
	 {.groups = "a.* b"},
	 NULL,
	 {NEWS_HELLO, NEWS_ON("LIST ACTIVE a.*", "215 list\r\n.\r\n"),
	  NEWS_ON("GROUP b", "211 0 1 0 b\r\n"), NEWS_DONE},
	 "error reply: there is no group that matches \"a.*\"\n",
	 NULL},
	{"a name that is a command",
	 {.groups = "a\r\nPOST"},
	 NULL,
	 {NEWS_DONE},
	 "error refused: source news: groups: a name has a control character "
	 "or is too long\n",
	 NULL},
};

START_TEST(test_script)
{
	const struct news_run *r = &runs[_i];
	g_autoptr(dialogue) d = dialogue_start(r->steps, NULL);

	if (r->from)
		set_cursor(r->from);
	ck_assert_msg(g_str_equal(news_read(&h, dialogue_port(d), &r->how),
				  r->log),
		      "%s: got\n%s", r->name, h.log->str);
	ck_assert_msg(g_strcmp0(cursor(), r->to) == 0, "%s: stands at %s",
		      r->name, cursor());
}
END_TEST

/* ---- bytes */

START_TEST(test_exact)
{
	static const char article[] =
		"220 1 <1@x>\r\nSubject: m1\r\n\r\n..\r\n...x\r\nnul \0.\r\n"
		"bare\n.\nlf\rcr\r\n\xff\xfe\x80\r\n \r\n\r\n.\r\n";
	static const char want[] = "Subject: m1\n\n.\n..x\nnul \0.\n"
				   "bare\n.\nlf\rcr\n\xff\xfe\x80\n \n\n";
	const struct dialogue_step steps[] = {
		NEWS_HELLO,
		NEWS_ON("GROUP g", "211 1 1 1 g\r\n"),
		NEWS_ON("OVER 1-1", "224 x\r\n" NEWS_VIEW("1") ".\r\n"),
		{.hear = "ARTICLE 1\r\n",
		 .say = article,
		 .len = sizeof(article) - 1},
		NEWS_DONE,
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct news_how how = {0};
	gsize len;
	const char *got;

	ck_assert_str_eq(news_read(&h, dialogue_port(d), &how),
			 "mail nntp g m1\n");
	got = g_bytes_get_data(h.raws->pdata[0], &len);
	ck_assert_uint_eq(len, sizeof(want) - 1);
	ck_assert_mem_eq(got, want, len);
}
END_TEST

/* ---- ends */

/* It is given up, told, and read past by the next connection. */
START_TEST(test_endless)
{
	g_autofree char *much = g_strnfill(1 << 20, 'x');
	const struct dialogue_step steps[] = {
		NEWS_HELLO,
		NEWS_ON("GROUP g", "211 1 1 1 g\r\n"),
		NEWS_ON("OVER 1-1", "224 x\r\n" NEWS_VIEW("1") ".\r\n"),
		NEWS_ON("ARTICLE 1", "220 1 <1@x>\r\nSubject: m1\r\n"),
		{.say = much, .times = 300, .end = DIALOGUE_CUT},
		NEWS_HELLO,
		NEWS_ON("GROUP g\r\nSTAT 1\r\nSTAT <1@x>",
			"211 1 1 1 g\r\n223 1 <1@x>\r\n223 1 <1@x>\r\n"),
		NEWS_DONE,
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct news_how how = {.max_bytes = 1 << 20};

	ck_assert_str_eq(news_read(&h, dialogue_port(d), &how),
			 "broken nntp g limit: g: article 1 <1@x> is larger "
			 "than 1 MiB and was skipped\n");
	ck_assert_str_eq(cursor(), "1 <1@x>");
}
END_TEST

START_TEST(test_one_group_refused)
{
	const struct dialogue_step steps[] = {
		NEWS_HELLO,
		NEWS_ON("GROUP a", "411 none\r\n", .end = DIALOGUE_CUT),
		NEWS_HELLO,
		NEWS_ON_THREE,
		NEWS_DONE,
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct news_how how = {.groups = "a g"};

	ck_assert_str_eq(news_read(&h, dialogue_port(d), &how), NEWS_THREE
			 "error reply: a: there is no such group (411 "
			 "none)\n");
}
END_TEST

static gpointer cancel_later(gpointer data)
{
	dialogue_await(data, "ARTICLE 1\r\n");
	g_cancellable_cancel(((dialogue *)data)->stop);
	return NULL;
}

START_TEST(test_cancel)
{
	const struct dialogue_step steps[] = {
		NEWS_HELLO,
		NEWS_ON("GROUP g", "211 2 1 3 g\r\n"),
		NEWS_ON("OVER 1-3", "224 x\r\n" NEWS_VIEW("1") ".\r\n"),
		NEWS_DONE,
	};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct news_how how = {.timeout = 600, .cancel = d->stop};
	GThread *t = g_thread_new("cancel", cancel_later, d);
	const char *log = news_read(&h, dialogue_port(d), &how);

	ck_assert_msg(g_str_has_prefix(log, "error stopped: "), "%s", log);
	g_thread_join(t);
}
END_TEST

/* It waits for a token, and can be told not to. */
START_TEST(test_cancel_rate)
{
	const struct dialogue_step steps[] = {NEWS_HELLO, NEWS_ON_THREE,
					      NEWS_DONE};
	g_autoptr(dialogue) d = dialogue_start(steps, NULL);
	struct news_how how = {.rate = 1, .cancel = d->stop};
	GThread *t = g_thread_new("cancel", cancel_later, d);
	const char *log = news_read(&h, dialogue_port(d), &how);

	ck_assert_msg(strstr(log, "error stopped: "), "%s", log);
	ck_assert_msg(!strstr(log, "m3"), "%s", log);
	g_thread_join(t);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("source_nntp");
	TCase *t = tcase_create("scripts");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, test_script, 0, G_N_ELEMENTS(runs));
	tcase_add_test(t, test_exact);
	tcase_add_test(t, test_endless);
	tcase_add_test(t, test_one_group_refused);
	tcase_add_test(t, test_cancel);
	tcase_add_test(t, test_cancel_rate);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
