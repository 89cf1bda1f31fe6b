/* test_wanted.c - which mails that are missing are worth asking for */
#include "db/wanted.h"

#include "tests/db/item_letters.h"

#define HERE "https://lists.example.org/dev/"

/* Ids parted by blanks. */
static char *wanted(store *st, const char *prefix, guint max)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) mids = wanted_find(st, prefix, max, &err);
	GString *out = g_string_new(NULL);

	must(mids != NULL, err);
	for (guint i = 0; i < mids->len; i++)
		g_string_append_printf(out, "%s%s", i ? " " : "",
				       (char *)mids->pdata[i]);
	return g_string_free(out, FALSE);
}

static void check(store *st, const char *prefix, guint max, const char *want)
{
	g_autofree char *got = wanted(st, prefix, max);

	ck_assert_str_eq(got, want);
}

static gboolean ask(store *st, void *data, GError **err)
{
	return archive_source(st, WANTED_KIND, data, NULL, err) > 0;
}

/* The patch that a report answers: until it was asked for, or comes. */
START_TEST(test_report)
{
	g_autoptr(store) st = open_memory();

	check(st, HERE, 10, "");
	put_letter(st, &answer);
	check(st, HERE, 10, "p2@x");
	check(st, HERE, 0, "");
	run(st, ask, (char *)HERE "p2@x");
	check(st, HERE, 10, "");
	check(st, "https://other.example.org/", 10, "p2@x");
	put_letter(st, &patch2);
	check(st, "https://other.example.org/", 10, "p0@x");
	put_letter(st, &cover);
	check(st, "https://other.example.org/", 10, "");
}
END_TEST

/* Threads without a report or a command are as they are. */
START_TEST(test_talk)
{
	static const struct letter build = {
		"b@x",
		ROBOT,
		"Re: [PATCH] fs: x",
		"p9@x",
		3,
		"All errors (new ones prefixed by >>):\n\n>> fs/x.c:1:2: "
		"error: 'y' undeclared\n"};
	g_autoptr(store) st = open_memory();

	put_letter(st, &patch2);
	put_letter(st, &reply);
	put_letter(st, &build);
	check(st, HERE, 10, "");
	put_letter(st, &report);
	check(st, HERE, 10, "");
}
END_TEST

START_TEST(test_command)
{
	static const struct letter said = {
		"c@x",	  TESTER, "Re: it is slow",
		"slow@x", 3,	  "#culprit track\n"};
	g_autoptr(store) st = open_memory();

	put_letter(st, &said);
	check(st, HERE, 10, "slow@x");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *s = suite_create("wanted");
	TCase *c = tcase_create("all");

	tcase_add_test(c, test_report);
	tcase_add_test(c, test_talk);
	tcase_add_test(c, test_command);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(make_suite)
