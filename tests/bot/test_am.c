/* test_am.c - series for git am: which, in what order, with which trailers
 * Mails: tests/data/am/NAME.mbox; the mbox that is made of them: NAME.am,
 * with --signoff NAME--signoff.am; what is said of it: NAME.note. */
#include "bot/am.h"

#include "tests/bot/box.h"

#define SIGNOFF "Zoe Maintainer <zoe@example.org>"

struct am_case {
	const char *name, *mid;
	const char *slug;
	gboolean mixed; /* of several senders or versions */
};

static const struct am_case cases[] = {
	{"replies", "r2@x", "20200302_ann_tree_mend_the_line", FALSE},
	{"cover", "c@x", "20200302_ann_tree_three_lines", FALSE},
	{"withdrawn", "p@x", "20200302_ann_tree_mend_the_line", FALSE},
	{"part", "p3@x", "v3_20200302_ann_tree_three_lines", TRUE},
	{"carried", "p1@x", "v3_20200302_ann_tree_three_lines", FALSE},
	{"forms", "p1@x",
	 "v2_20200302_jm_tree_a_title_that_is_very_long_and_has_an_ümlaut_in_"
	 "it_to_be_wrapped",
	 TRUE},
	{"binary", "p@x", "20200302_ann_tree_a_picture", FALSE},
};

static struct am *make(store *st, const char *mid, const char *signoff)
{
	g_autoptr(GError) err = NULL;
	struct am *a = am_make(st, mid, signoff, &err);

	ck_assert_msg(a != NULL, "%s: %s", mid,
		      err ? err->message : "not found");
	return a;
}

static char *text_of(GBytes *bytes)
{
	gsize len;
	const char *data = g_bytes_get_data(bytes, &len);

	return g_strndup(data, len);
}

START_TEST(as_the_file_says)
{
	const struct am_case *c = &cases[_i];
	g_autoptr(store) st = box_open("am", c->name);
	g_autoptr(am_auto) a = make(st, c->mid, NULL);
	g_autofree char *text = NULL;
	g_autofree char *note = g_strconcat(a->note, "\n", NULL);

	ck_assert_ptr_nonnull(a->mbox);
	text = text_of(a->mbox);
	golden("am", c->name, ".am", text);
	golden("am", c->name, ".note", note);
	ck_assert_str_eq(a->slug, c->slug);
}
END_TEST

START_TEST(signed_off)
{
	g_autoptr(store) st = box_open("am", "replies");
	g_autoptr(am_auto) a = make(st, "p@x", SIGNOFF);
	g_autofree char *text = text_of(a->mbox);

	golden("am", "replies", "--signoff.am", text);
}
END_TEST

/* Whoever asks for any mail of the thread gets the same series. */
START_TEST(from_anywhere)
{
	static const char *const mids[] = {"c@x", "p2@x", "r2@x", "q2@x"};
	g_autoptr(store) st = box_open("am", "part");
	g_autofree char *first = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(mids); i++) {
		g_autoptr(am_auto) a = make(st, mids[i], NULL);
		g_autofree char *text = text_of(a->mbox);

		if (!first)
			first = g_steal_pointer(&text);
		else
			ck_assert_str_eq(text, first);
	}
}
END_TEST

START_TEST(the_cover_beside_it)
{
	g_autoptr(store) st = box_open("am", "cover");
	g_autoptr(am_auto) a = make(st, "p1@x", NULL);
	g_autofree char *text = text_of(a->cover);

	ck_assert(g_str_has_prefix(
		text, "Subject: [PATCH 0/3] tree: three lines\nFrom: Ann "));
	ck_assert_ptr_nonnull(strstr(text, "\nThree lines.\n"));
}
END_TEST

START_TEST(never_a_part)
{
	g_autoptr(store) st = box_open("am", "incomplete");
	g_autoptr(am_auto) a = make(st, "c@x", NULL);

	ck_assert_ptr_null(a->mbox);
	ck_assert_str_eq(a->note, "v1 is incomplete: 2 of 3 patches are here");
}
END_TEST

START_TEST(nothing_known)
{
	g_autoptr(store) st = box_open("am", "replies");
	g_autoptr(GError) err = NULL;

	ck_assert_ptr_null(am_make(st, "nobody@x", NULL, &err));
	ck_assert_ptr_null(err);
}
END_TEST

/* What was made is read again as the same patches, and nothing is added to
 * it a second time. */
START_TEST(made_twice)
{
	const struct am_case *c = &cases[_i];
	g_autoptr(store) st = box_open("am", c->name);
	g_autoptr(am_auto) a = make(st, c->mid, NULL);
	gsize len;
	const char *data = g_bytes_get_data(a->mbox, &len);
	g_autoptr(GPtrArray) mails = box_split(data, len);
	g_autoptr(GError) err = NULL;
	g_autoptr(store) again = store_open(":memory:", STORE_WRITE, &err);
	g_autoptr(am_auto) b = NULL;
	g_autofree char *one = NULL, *two = NULL;

	for (guint i = 0; i < mails->len; i++)
		ck_assert(
			store_transact(again, box_add, mails->pdata[i], &err));
	one = text_of(a->mbox);
	if (!c->mixed) {
		g_autoptr(message) msg =
			message_parse(mails->pdata[0], 0, NULL);

		b = make(again, message_id(msg), NULL);
		ck_assert_ptr_nonnull(b->mbox);
		two = text_of(b->mbox);
		ck_assert_str_eq(two, one);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("am");
	TCase *t = tcase_create("am");

	tcase_add_loop_test(t, as_the_file_says, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(t, made_twice, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, signed_off);
	tcase_add_test(t, from_anywhere);
	tcase_add_test(t, the_cover_beside_it);
	tcase_add_test(t, never_a_part);
	tcase_add_test(t, nothing_known);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
