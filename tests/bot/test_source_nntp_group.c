/* test_source_nntp_group.c - whole groups of a news server that answers what it
 * is asked, cut at every byte */
#include "tests/bot/news.h"
#include "tests/bot/news_server.h"

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

START_TEST(test_long_line)
{
	g_autofree char *line = g_strnfill(1 << 20, 'x');
	g_autofree char *text =
		g_strconcat("Subject: m1\r\n\r\n", line, "\r\n", NULL);
	g_autofree char *want =
		g_strconcat("Subject: m1\n\n", line, "\n", NULL);
	g_autoptr(news_server) n = news_start();
	struct news_how how = {0};
	gsize len;
	const char *got;

	news_add(n, 1, 0, text);
	news_go(n);
	ck_assert_str_eq(news_read(&h, n->port, &how), "mail nntp g m1\n");
	got = g_bytes_get_data(h.raws->pdata[0], &len);
	ck_assert(len == strlen(want) && memcmp(got, want, len) == 0);
}
END_TEST

/* ---- whole groups */

/* Lines "mail nntp g mFIRST" ... */
static char *mails(guint64 first, guint count)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < count; i++)
		g_string_append_printf(s,
				       "mail nntp g m%" G_GUINT64_FORMAT "\n",
				       first + i);
	return g_string_free(s, FALSE);
}

START_TEST(test_many)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(1, 2600);
	struct news_how how = {0};

	news_add_many(n, 1, 2600);
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
	ck_assert_str_eq(cursor(), "2600 <2600@x>");
	ck_assert_uint_eq(h.cursors, 6);
	ck_assert_uint_eq(news_expected, 2600);
	ck_assert_str_eq(news_read(&h, n->port, &how), "");
	ck_assert_uint_eq(h.cursors, 0);
	ck_assert_uint_eq(news_expected, 0);
}
END_TEST

START_TEST(test_rate)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(1, 2200);
	struct news_how how = {.rate = 2000};

	news_add_many(n, 1, 2200);
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
}
END_TEST

/* Marks that lie cost a few questions, whatever they say. */
START_TEST(test_marks)
{
	g_autoptr(news_server) n = news_start();
	struct news_how how = {0};

	news_add(n, 3, 0, "Subject: m3\r\n");
	news_add(n, 5000000000000, 0, "Subject: m5\r\n");
	n->low = 1;
	n->high = G_MAXINT64;
	news_go(n);
	ck_assert_str_eq(news_read(&h, n->port, &how),
			 "mail nntp g m3\nmail nntp g m5\n");
	ck_assert_str_eq(cursor(), "5000000000000 <5000000000000@x>");
}
END_TEST

/* Articles below the low mark are there, too. */
START_TEST(test_low_mark)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(7, 20);
	struct news_how how = {0};

	news_add_many(n, 7, 20);
	n->low = 20;
	news_go(n);
	ck_assert_str_eq(news_read(&h, n->port, &how), want);
}
END_TEST

/* A long range without articles, and then many: none is lost. */
START_TEST(test_dense_behind_gap)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(1000000, 5000);
	struct news_how how = {0};

	news_add_many(n, 1000000, 5000);
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
	ck_assert_uint_eq(n->asked, 5000);
}
END_TEST

static const struct {
	guint64 first; /* number of the first article */
	guint count;
	guint since; /* day: articles are dated a day apart, from 1 on */
	guint got;
} starts[] = {
	{1, 1000, 1, 1000}, {1, 1000, 700, 301},	 {1, 1000, 1000, 1},
	{1, 1000, 1001, 0}, {4000000000, 300, 200, 101}, {1, 1, 1, 1},
	{1, 2, 2, 1},
};

START_TEST(test_since)
{
	guint64 first = starts[_i].first + starts[_i].count - starts[_i].got;
	g_autofree char *want = mails(first, starts[_i].got);
	struct news_how how = {.since = starts[_i].since * 86400};
	g_autoptr(news_server) n = news_start();

	news_add_many(n, starts[_i].first, starts[_i].count);
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
	ck_assert_uint_eq(n->asked, starts[_i].got);
}
END_TEST

/* Clocks that are wrong do not mislead; what comes late is taken. */
START_TEST(test_since_wrong_clocks)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(700, 301);
	struct news_how how = {.since = 700 * 86400};

	news_add_many(n, 1, 1000);
	for (guint i = 5; i < 690; i += 7)
		g_array_index(n->articles, struct news_article, i).date =
			i % 2 ? 2000000000 : 0;
	for (guint i = 710; i < 1000; i += 7)
		g_array_index(n->articles, struct news_article, i).date = 86400;
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
}
END_TEST

/* ---- faults */

/* Cut after every byte, twice: once more is tried, then the error is told;
 * whatever came is kept, and the next run has the rest. */
START_TEST(test_cut)
{
	g_autofree char *want = mails(1, 3);
	struct news_how how = {0};
	g_autoptr(news_server) n = news_start();
	gint64 all;

	news_add_many(n, 1, 3);
	news_go(n);
	news_read(&h, n->port, &how);
	news_pause(n);
	all = n->said;
	n->cuts = 2;
	for (n->cut = 0; n->cut <= all; n->cut++) {
		g_autofree char *first = NULL;
		g_autofree char *log = NULL;
		char *error;

		g_hash_table_remove_all(h.cursor);
		news_go(n);
		first = g_strdup(news_read(&h, n->port, &how));
		error = strstr(first, "error ");
		ck_assert_msg(!error ||
				      g_str_has_prefix(error, "error closed: "),
			      "cut at %" G_GINT64_FORMAT ": %s", n->cut, first);
		ck_assert_msg(error || n->connections <= 2, "%s", first);
		if (error)
			*error = '\0';
		log = g_strconcat(first, news_read(&h, n->port, &how), NULL);
		ck_assert_msg(g_str_equal(log, want),
			      "cut at %" G_GINT64_FORMAT ":\n%s", n->cut, log);
		ck_assert_str_eq(cursor(), "3 <3@x>");
		news_pause(n);
	}
}
END_TEST

/* One that hangs up now and then, as public-inbox does, is read to its end. */
START_TEST(test_hangs_up)
{
	g_autoptr(news_server) n = news_start();
	g_autofree char *want = mails(1, 2000);
	struct news_how how = {0};

	news_add_many(n, 1, 2000);
	n->cut = 110000;
	news_go(n);
	ck_assert(g_str_equal(news_read(&h, n->port, &how), want));
	ck_assert_uint_ge(n->connections, 3);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("source_nntp_group");
	TCase *t = tcase_create("groups");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, test_long_line);
	tcase_add_test(t, test_many);
	tcase_add_test(t, test_rate);
	tcase_add_test(t, test_marks);
	tcase_add_test(t, test_low_mark);
	tcase_add_test(t, test_dense_behind_gap);
	tcase_add_loop_test(t, test_since, 0, G_N_ELEMENTS(starts));
	tcase_add_test(t, test_since_wrong_clocks);
	tcase_add_test(t, test_cut);
	tcase_add_test(t, test_hangs_up);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
