/* test_weekly_report.c - what stands where in the weekly report */
#include <string.h>

#include "db/items.h"

#include "bot/weekly_report.h"

#include "tests/test.h"

#define NOW 1706745600 /* 2024-02-01 */
#define DAY 86400

static struct item *make(const char *title, int reported_days, int quiet_days)
{
	struct item *i = item_new();
	g_autofree char *mid = g_strconcat(title, "@example.org", NULL);

	i->mid = g_strdup(mid);
	i->reported = NOW - reported_days * DAY;
	i->last_activity = NOW - quiet_days * DAY;
	i->id = item_id(mid, i->reported, 0);
	i->title = g_strdup(title);
	i->subject = g_strdup(title);
	i->state = "reported";
	i->open = TRUE;
	i->messages = 2;
	i->reporter_name = g_strdup("Rae Porter");
	return i;
}

static GPtrArray *items;

static struct item *add(struct item *i)
{
	g_ptr_array_add(items, i);
	return i;
}

static void setup(void)
{
	struct item *i;

	items = g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	i = add(make("current-known", 20, 3));
	i->cycle = "current";
	i->commit = g_strdup("1a2b3c4d5e6f");
	i->waiting.role = "maintainer";
	i->waiting.person = g_strdup("Mia Maint <mia@example.org>");
	i->waiting.since = NOW - 5 * DAY;
	i->waiting.reason = "no fix is known";
	i->stalled = TRUE;
	i = add(make("current-new", 2, 1));
	i->cycle = "current";
	i->range = g_strdup("v6.7..");
	i = add(make("previous-known", 40, 10));
	i->cycle = "previous";
	i->commit = g_strdup("2a2b3c4d5e6f");
	i = add(make("older-unknown", 80, 10));
	i->cycle = "older";
	i = add(make("next-tree", 8, 8));
	i->tree = g_strdup("https://git.example.org/linux-next.git");
	i = add(make("stable-range", 8, 8));
	i->range = g_strdup("v6.6.1..v6.6.2");
	i = add(make("branch-misc-next", 8, 8));
	i->branch = g_strdup("misc-next");
	i = add(make("quiet", 200, 100));
	i->cycle = "older";
	i = add(make("resting", 50, 20));
	i->backburner = TRUE;
	i = add(make("resting-moved", 50, 2));
	i->backburner = TRUE;
	i->backburner_reason = g_strdup("hardware is rare");
	i = add(make("ended", 50, 2));
	i->open = FALSE;
	i->state = "fixed";
	i = add(make("ended-before", 50, 20));
	i->open = FALSE;
	i = add(make("improvement", 5, 2));
	i->open = FALSE;
	i->direction = REPORT_IMPROVEMENT;
	add(make("from-the-future", -3, -3));
}

static void teardown(void)
{
	g_clear_pointer(&items, g_ptr_array_unref);
}

static char *text_of(void)
{
	struct weekly_report r = {.items = items,
				  .since = NOW - 7 * DAY,
				  .now = NOW};

	return weekly_report_text(&r);
}

/* In this order, each once. */
static const char *const order[] = {
	"Of 10 that are open, 1 is new since 2024-01-25",
	"1 is stalled",
	"1 ended since",
	"1 without activity for more than 90 days, and 1 on the back burner",
	"mainline: current cycle, culprit identified",
	"\ncurrent-known\n-------------\n",
	"By Rae Porter, 20 days ago; 2 mails, the latest 3 days ago.",
	"Introduced in 1a2b3c4d5e6f.",
	"Waiting for: maintainer (Mia Maint <mia@example.org>), for 5 days: no",
	"mainline: current cycle, culprit not known",
	"\n[ *NEW* ] current-new\n",
	"Introduced in v6.7..; the commit is not known.",
	"mainline: previous cycle, culprit identified",
	"\nprevious-known\n",
	"mainline: older cycles, culprit not known",
	"\nolder-unknown\n",
	"\nnext\n====\n",
	"\nnext-tree\n",
	"\nstable and longterm\n",
	"\nstable-range\n",
	"\ntree or cycle not known\n",
	"\nbranch-misc-next\n",
	"\non the back burner, with news\n",
	"\nresting-moved\n",
	"On the back burner: hardware is rare.",
	"\nended since the last report\n",
	"\nended\n-----\n",
	"It ended as fixed.",
};

START_TEST(everything_in_its_place)
{
	g_autofree char *text = text_of();
	g_auto(GStrv) words = g_strsplit_set(text, "\n", -1);
	const char *at = text;

	/* where lines were broken does not matter for sentences */
	for (guint n = 0; n < G_N_ELEMENTS(order); n++) {
		g_autofree char *pattern = NULL;
		g_autoptr(GRegex) regex = NULL;
		g_autoptr(GMatchInfo) match = NULL;
		g_autofree char *escaped = g_regex_escape_string(order[n], -1);
		g_auto(GStrv) parts = g_strsplit(escaped, " ", -1);
		int end;

		pattern = g_strjoinv("\\s+", parts);
		regex = g_regex_new(pattern, 0, 0, NULL);
		ck_assert_msg(g_regex_match(regex, at, 0, &match),
			      "not found, or not there: %s", order[n]);
		g_match_info_fetch_pos(match, 0, NULL, &end);
		at += end - 1;
	}
	for (guint n = 0; words[n]; n++)
		ck_assert_msg(strlen(words[n]) <= 72, "%s", words[n]);
	ck_assert(!strstr(text, "quiet\n") && !strstr(text, "\nresting\n"));
	ck_assert(!strstr(text, "ended-before"));
	ck_assert(!strstr(text, "improvement"));
	ck_assert(!strstr(text, "from-the-future"));
}
END_TEST

START_TEST(any_order_of_items)
{
	g_autofree char *first = text_of();
	g_autoptr(GRand) r = g_rand_new_with_seed(1);

	for (guint round = 0; round < 20; round++) {
		g_autofree char *text = NULL;

		for (guint n = items->len; n-- > 1;) {
			guint other =
				(guint)g_rand_int_range(r, 0, (gint32)n + 1);
			gpointer keep = items->pdata[n];

			items->pdata[n] = items->pdata[other];
			items->pdata[other] = keep;
		}
		text = text_of();
		ck_assert_str_eq(text, first);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("weekly_report");
	TCase *c = tcase_create("weekly_report");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, everything_in_its_place);
	tcase_add_test(c, any_order_of_items);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
