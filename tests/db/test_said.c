/* test_said.c - notices come back from the database as they were read */
#include "db/said.h"

#include "tests/db/support.h"

static const struct mail notice = {
	.id = "notice@example.org",
	.reply_to = "cover@example.org",
	.subject = "Re: (subset) [PATCH 0/3] foo: mend the bars",
	.day = 3,
	.body = "> words\n\nApplied to foo/foo.git#for-next, thanks!\n\n"
		"[1/3] foo: mend the first bar\n"
		"      commit: 0123456789abcdef0123456789abcdef01234567\n"
		"[3/3] foo: mend the third bar\n"
		"      commit: 123456789abc",
};

static const struct mail chatter = {
	.id = "chatter@example.org",
	.reply_to = "cover@example.org",
	.subject = "Re: [PATCH 0/3] foo: mend the bars",
	.day = 2,
	.body = "Has this been applied?",
};

static void check_stored(store *st)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(said_auto) s = said_load(st, notice.id, &err);
	const struct applied_item *third;

	must(s != NULL, err);
	ck_assert_ptr_nonnull(s->applied);
	ck_assert_int_eq(s->applied->kind, APPLIED_APPLIED);
	ck_assert_str_eq(s->applied->tree, "foo/foo.git");
	ck_assert_str_eq(s->applied->branch, "for-next");
	ck_assert_str_eq(s->applied->text,
			 "Applied to foo/foo.git#for-next, thanks!");
	ck_assert_uint_eq(s->applied->line, 3);
	ck_assert(s->applied->partial);
	ck_assert(!s->applied->robot);
	ck_assert_uint_eq(s->applied->commits->len, 2);
	ck_assert_str_eq(s->applied->commits->pdata[1], "123456789abc");
	ck_assert_uint_eq(s->applied->items->len, 2);
	third = s->applied->items->pdata[1];
	ck_assert_int_eq(third->number, 3);
	ck_assert_int_eq(third->total, 3);
	ck_assert_str_eq(third->title, "foo: mend the third bar");
	ck_assert_str_eq(third->commit, "123456789abc");
	ck_assert_ptr_null(third->mid);
}

static void check_nothing(store *st, const char *mid)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(said_auto) s = said_load(st, mid, &err);

	must(s != NULL, err);
	ck_assert_ptr_null(s->applied);
}

START_TEST(as_it_was_read)
{
	g_autoptr(store) st = open_memory();

	put(st, &notice);
	put(st, &chatter);
	check_stored(st);
	check_nothing(st, chatter.id);
	check_nothing(st, "cover@example.org");
	check_nothing(st, "unknown@example.org");
}
END_TEST

START_TEST(after_a_rebuild)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;

	put(st, &notice);
	put(st, &notice);
	must(archive_rebuild(st, NULL, NULL, &err), err);
	check_stored(st);
}
END_TEST

START_TEST(forgotten_with_its_mail)
{
	g_autoptr(store) st = open_memory();

	put(st, &notice);
	ck_assert(take_out(st, &notice));
	check_nothing(st, notice.id);
	put(st, &notice);
	check_stored(st);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("said");
	TCase *t = tcase_create("said");

	tcase_add_test(t, as_it_was_read);
	tcase_add_test(t, after_a_rebuild);
	tcase_add_test(t, forgotten_with_its_mail);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
