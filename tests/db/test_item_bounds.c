/* test_item_bounds.c - what an item keeps when there is too much of it: the
 * earliest, the same after any order of arrival, and it says so */
#include "db/items.h"

#include "tests/db/item_letters.h"
#include "tests/db/support.h"

/* Mails that are made before they are stored, so that their order is free. */
struct pile {
	GPtrArray *mails; /* of GBytes */
};

static void pile_add(struct pile *p, const char *from, const char *id,
		     const char *reply_to, const char *subject, guint minute,
		     const char *text)
{
	GString *s = g_string_new(NULL);
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(DAY1 + 20 * DAY + minute * 60);
	g_autofree char *date = g_date_time_format(t, "%a, %d %b %Y %T +0000");

	g_string_printf(s, "From: %s\nMessage-ID: <%s>\n", from, id);
	if (reply_to)
		g_string_append_printf(s, "In-Reply-To: <%s>\n", reply_to);
	g_string_append_printf(s, "Subject: %s\nDate: %s\n\n%s", subject, date,
			       text);
	g_ptr_array_add(p->mails, g_string_free_to_bytes(s));
}

static void pile_report(struct pile *p, const char *id, const char *reply_to)
{
	pile_add(p, ROBOT, id, reply_to, report.subject, 0, report.body);
}

/* The n-th patch that answers `reply_to`; `lines` stand before its tags. */
static void pile_patch(struct pile *p, guint n, const char *reply_to,
		       const char *lines)
{
	g_autofree char *id = g_strdup_printf("p%u@x", n);
	g_autofree char *subject = g_strdup_printf("[PATCH] fs: way %u", n);
	g_autofree char *text =
		g_strconcat("It is better.\n\n", lines, SIGNED DIFF, NULL);

	pile_add(p, AUTHOR, id, reply_to, subject, 10 + n, text);
}

/* A tag of the n-th person for `to`. */
static void pile_tag(struct pile *p, const char *key, guint n, const char *to)
{
	g_autofree char *id = g_strdup_printf("t%u-%s", n, to);
	g_autofree char *who =
		g_strdup_printf("Person %u <person%u@example.org>", n, n);
	g_autofree char *text = g_strdup_printf("Yes.\n\n%s: %s\n", key, who);

	pile_add(p, who, id, to, "Re: [PATCH] fs: way", 300 + n, text);
}

static gboolean add_all(store *st, void *data, GError **err)
{
	GPtrArray *mails = data;

	for (guint n = 0; n < mails->len; n++) {
		struct add a = {.bytes = mails->pdata[n],
				.kind = "mbox",
				.place = "/mail/box",
				.list = LIST};

		if (!add_in(st, &a, err))
			return FALSE;
	}
	return TRUE;
}

static void shuffle(GPtrArray *a, guint32 seed)
{
	GRand *rand = g_rand_new_with_seed(seed);

	for (guint n = a->len; n > 1; n--) {
		gint other = g_rand_int_range(rand, 0, (gint32)n);
		gpointer swap = a->pdata[n - 1];

		a->pdata[n - 1] = a->pdata[other];
		a->pdata[other] = swap;
	}
	g_rand_free(rand);
}

/* All of an item that has bounds. */
static char *item_text(store *st, const char *mid)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(item_auto) i = item_of_mail(st, mid, &err);
	GString *out = g_string_new(NULL);

	must(i != NULL, err);
	g_string_append_printf(out, "%s %u\n", i->state, i->cut);
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		g_string_append_printf(out, "%s %s %s\n", fix->mid, fix->status,
				       fix->evidence_mid);
	}
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		g_string_append_printf(out, "%s %s %s\n", e->type, e->mid,
				       e->by);
	}
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		g_string_append_printf(out, "%s %s\n", p->role, p->address);
	}
	return g_string_free(out, FALSE);
}

/* The item of REPORT out of the pile, the same after three orders of arrival.
 * Empties the pile. */
static struct item *pile_item(struct pile *p)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *first = NULL;
	struct item *i = NULL;

	for (guint turn = 0; turn < 3; turn++) {
		g_autoptr(store) st = open_memory();
		g_autofree char *text = NULL;

		if (turn)
			shuffle(p->mails, turn);
		run(st, add_all, p->mails);
		text = item_text(st, REPORT);
		if (!turn) {
			i = item_of_mail(st, REPORT, &err);
			first = g_steal_pointer(&text);
		} else {
			ck_assert_str_eq(text, first);
		}
	}
	must(i != NULL, err);
	g_ptr_array_unref(p->mails);
	return i;
}

static struct pile pile_new(void)
{
	return (struct pile){
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref)};
}

static guint events_of(const struct item *i, const char *type)
{
	guint count = 0;

	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		count += !strcmp(e->type, type);
	}
	return count;
}

START_TEST(fixes_at_the_bound)
{
	static const struct {
		guint patches, kept, cut;
	} cases[] = {
		{ITEM_MAX_FIXES, ITEM_MAX_FIXES, 0},
		{ITEM_MAX_FIXES + 1, ITEM_MAX_FIXES, ITEM_CUT_FIXES},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		struct pile p = pile_new();
		g_autoptr(item_auto) i = NULL;
		const struct item_fix *last;
		g_autofree char *mid =
			g_strdup_printf("p%d@x", ITEM_MAX_FIXES - 1);

		pile_report(&p, REPORT, NULL);
		for (guint k = 0; k < cases[n].patches; k++)
			pile_patch(&p, k, REPORT, "");
		i = pile_item(&p);
		ck_assert_uint_eq(i->fixes->len, cases[n].kept);
		ck_assert_uint_eq(i->cut, cases[n].cut);
		last = i->fixes->pdata[i->fixes->len - 1];
		ck_assert_str_eq(last->mid, mid);
	}
}
END_TEST

/* A patch that closes the report is kept, however late it comes. */
START_TEST(better_evidence_first)
{
	struct pile p = pile_new();
	g_autoptr(item_auto) i = NULL;
	const struct item_fix *last;

	pile_report(&p, REPORT, NULL);
	for (guint k = 0; k < ITEM_MAX_FIXES; k++)
		pile_patch(&p, k, REPORT, "");
	pile_patch(&p, 200, NULL,
		   "Closes: https://lore.kernel.org/oe-lkp/" REPORT "\n");
	i = pile_item(&p);
	last = i->fixes->pdata[i->fixes->len - 1];
	ck_assert_uint_eq(i->fixes->len, ITEM_MAX_FIXES);
	ck_assert_uint_eq(i->cut, ITEM_CUT_FIXES);
	ck_assert_str_eq(last->mid, "p200@x");
	ck_assert_str_eq(last->evidence, "closes");
}
END_TEST

/* One test is found behind any number of reviews. */
START_TEST(tags_at_the_bound)
{
	static const struct {
		guint reviews, cut;
	} cases[] = {
		{ITEM_MAX_TAGS - 1, 0},
		{ITEM_MAX_TAGS, ITEM_CUT_TAGS},
		{1200, ITEM_CUT_TAGS},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		struct pile p = pile_new();
		g_autoptr(item_auto) i = NULL;
		const struct item_fix *fix;

		pile_report(&p, REPORT, NULL);
		pile_patch(&p, 0, REPORT, "");
		for (guint k = 0; k < cases[n].reviews; k++)
			pile_tag(&p, "Reviewed-by", k, "p0@x");
		pile_tag(&p, "Tested-by", 9000, "p0@x");
		i = pile_item(&p);
		fix = i->fixes->pdata[0];
		ck_assert_str_eq(i->state, "fix-tested");
		ck_assert_str_eq(fix->evidence_mid, "t9000-p0@x");
		ck_assert_uint_eq(i->cut, cases[n].cut);
		ck_assert_uint_eq(events_of(i, "tested"), 1);
		ck_assert_uint_eq(events_of(i, "reviewed"), ITEM_MAX_TAGS - 1);
	}
}
END_TEST

/* Ninety people tag each of twelve patches; the one test comes last. */
START_TEST(events_and_people_at_the_bound)
{
	struct pile p = pile_new();
	g_autoptr(item_auto) i = NULL;
	g_autofree char *cut = NULL;

	pile_report(&p, REPORT, NULL);
	for (guint k = 0; k < 12; k++) {
		g_autofree char *mid = g_strdup_printf("p%u@x", k);

		pile_patch(&p, k, REPORT, "");
		for (guint n = 0; n < 90; n++)
			pile_tag(&p, "Acked-by", k * 90 + n, mid);
	}
	pile_tag(&p, "Tested-by", 9000, "p3@x");
	i = pile_item(&p);
	cut = item_cut_text(i->cut, ", ");
	ck_assert_str_eq(cut, "events, people");
	ck_assert_str_eq(i->state, "fix-tested");
	ck_assert_uint_le(i->events->len, ITEM_MAX_EVENTS);
	ck_assert_uint_gt(i->events->len, ITEM_MAX_EVENTS - 10);
	ck_assert_uint_eq(events_of(i, "tested"), 1);
	ck_assert_uint_eq(events_of(i, "fix-posted"), 12);
	ck_assert_uint_eq(i->people->len, ITEM_MAX_PEOPLE);
}
END_TEST

/* A tag for the cover is one event, though it speaks of three fixes. */
START_TEST(a_tag_is_one_event)
{
	struct pile p = pile_new();
	g_autoptr(item_auto) i = NULL;

	pile_report(&p, REPORT, NULL);
	pile_add(&p, AUTHOR, "c@x", REPORT, "[PATCH 0/3] fs: better", 9,
		 "Three.\n\n 1 file changed, 1 insertion(+)\n");
	for (guint k = 0; k < 3; k++)
		pile_patch(&p, k, "c@x", "");
	pile_tag(&p, "Tested-by", 1, "c@x");
	i = pile_item(&p);
	ck_assert_uint_eq(i->fixes->len, 3);
	for (guint n = 0; n < 3; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		ck_assert_str_eq(fix->status, "tested");
	}
	ck_assert_uint_eq(events_of(i, "tested"), 1);
	ck_assert_uint_eq(i->cut, 0);
}
END_TEST

/* A diff in an answer is tested below itself, but not below another patch. */
START_TEST(tags_below_a_diff)
{
	static const struct {
		const char *to, *status;
	} cases[] = {
		{"d@x", "tested"},
		{"a@x", "tested"},
		{"p1@x", "posted"},
		{REPORT, "posted"},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		struct pile p = pile_new();
		g_autoptr(item_auto) i = NULL;
		const struct item_fix *fix;

		pile_report(&p, REPORT, NULL);
		pile_add(&p, AUTHOR, "d@x", REPORT, "Re: aim7", 5,
			 "Try this.\n\n" DIFF);
		pile_add(&p, REVIEWER, "a@x", "d@x", "Re: aim7", 6,
			 "I will.\n");
		pile_patch(&p, 1, "d@x", "");
		pile_tag(&p, "Tested-by", 1, cases[n].to);
		i = pile_item(&p);
		ck_assert_uint_eq(i->fixes->len, 2);
		fix = i->fixes->pdata[0];
		ck_assert_str_eq(fix->mid, "d@x");
		ck_assert_msg(!strcmp(fix->status, cases[n].status), "%s: %s",
			      cases[n].to, fix->status);
	}
}
END_TEST

/* Commits are named by 7 digits or more: each form is found, once. */
START_TEST(forms_of_a_commit)
{
	static const struct {
		const char *fixes;
		guint count;
	} cases[] = {
		{"Fixes: 882f9ba (\"x\")\n", 1},
		{"Fixes: 882f9ba557eb (\"x\")\n", 1},
		{"Fixes: " CULPRIT " (\"x\")\n", 1},
		{"Fixes: 882f9ba (\"x\")\nFixes: 882f9ba557eb (\"x\")\n", 1},
		{"Fixes: 882f9bb (\"x\")\n", 0},
		{"Fixes: 882f9ba557ff (\"x\")\n", 0},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		struct pile p = pile_new();
		g_autoptr(item_auto) i = NULL;

		pile_report(&p, REPORT, NULL);
		pile_patch(&p, 0, NULL, cases[n].fixes);
		i = pile_item(&p);
		ck_assert_msg(i->fixes->len == cases[n].count, "%s",
			      cases[n].fixes);
		ck_assert_uint_eq(events_of(i, "fix-posted"), cases[n].count);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("item bounds");
	TCase *tc = tcase_create("item bounds");

	tcase_add_test(tc, fixes_at_the_bound);
	tcase_add_test(tc, better_evidence_first);
	tcase_add_test(tc, tags_at_the_bound);
	tcase_add_test(tc, events_and_people_at_the_bound);
	tcase_add_test(tc, a_tag_is_one_event);
	tcase_add_test(tc, tags_below_a_diff);
	tcase_add_test(tc, forms_of_a_commit);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
