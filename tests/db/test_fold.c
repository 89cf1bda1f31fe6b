/* test_fold.c - ids in another case, against looking at every one */
#include "db/db_priv.h"
#include "db/fold.h"

#include "tests/db/support.h"

static const struct {
	const char *mid, *key, *next;
} cases[] = {
	{"ab", "", "AB"},
	{"ab", "AB", "AB"},
	{"ab", "AC", "Ab"},
	{"ab", "Aa", "Ab"},
	{"ab", "Ab", "Ab"},
	{"ab", "Ab1", "aB"},
	{"ab", "B", "aB"},
	{"AB", "a", "aB"},
	{"ab", "aB1", "ab"},
	{"ab", "ab", "ab"},
	{"ab", "ab1", NULL},
	{"ab", "b", NULL},
	{"1", "0", "1"},
	{"1", "1", "1"},
	{"1", "2", NULL},
	{"1a", "1B", "1a"},
	{"1a", "0zzz", "1A"},
	{"a1b", "A2", "a1B"},
	{"a1b", "A0", "A1B"},
	{"a-b", "A", "A-B"},
	{"", "", ""},
	{"", "a", NULL},
	{"\xc3\xa9x", "\xc3", "\xc3\xa9X"},
	{"a", "\xc3\xa9", NULL},
	{"\xff",
	 "\xff"
	 "1",
	 NULL},
};

START_TEST(the_next_way_to_write_it)
{
	g_autofree char *next = fold_next(cases[_i].mid, cases[_i].key);

	ck_assert_pstr_eq(next, cases[_i].next);
}
END_TEST

static gboolean add_node(store *st, void *data, GError **err)
{
	return db_run(st->state, err,
		      "INSERT OR IGNORE INTO node (mid, tid) VALUES (?, 0)",
		      TEXT((const char *)data));
}

static char *some_id(GRand *rand)
{
	static const char letters[] = "aAbB1-";
	GString *id = g_string_new(NULL);
	gint n = g_rand_int_range(rand, 1, 7);

	while (n-- > 0)
		g_string_append_c(id, letters[g_rand_int_range(rand, 0, 6)]);
	return g_string_free(id, FALSE);
}

/* The smallest of `ids` that equals `mid` but for case. */
static const char *by_looking(GPtrArray *ids, const char *mid)
{
	const char *best = NULL;

	for (guint i = 0; i < ids->len; i++) {
		const char *id = ids->pdata[i];

		if (g_ascii_strcasecmp(id, mid) == 0 &&
		    (!best || strcmp(id, best) < 0))
			best = id;
	}
	return best;
}

START_TEST(finds_what_looking_at_all_finds)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(_i + 1);
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	guint found = 0;

	for (guint i = 0; i < 60; i++) {
		g_ptr_array_add(ids, some_id(rand));
		run(st, add_node, ids->pdata[i]);
	}
	for (guint i = 0; i < 300; i++) {
		g_autofree char *asked = some_id(rand);
		const char *want = by_looking(ids, asked);
		gint64 node, same;
		int rc = fold_find(st, asked, &node, &err);

		ck_assert_int_eq(rc, want != NULL);
		if (!want)
			continue;
		found++;
		ck_assert_int_eq(db_get_int(st->state, &same, &err,
					    "SELECT id FROM node "
					    "WHERE mid = ?",
					    TEXT(want)),
				 1);
		ck_assert_int_eq(node, same);
	}
	ck_assert_uint_gt(found, 10);
}
END_TEST

/* Keys that lie between all ways to write an id: an answer all the same. */
START_TEST(ends_among_keys_made_for_it)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	gint64 node;

	for (guint i = 0; i < 4096; i++) {
		char id[] = "abcdefghijkl!";

		for (guint bit = 0; bit < 12; bit++)
			if (i >> bit & 1)
				id[bit] = g_ascii_toupper(id[bit]);
		run(st, add_node, id);
	}
	ck_assert_int_eq(fold_find(st, "abcdefghijkl", &node, &err), 0);
	ck_assert_int_eq(fold_find(st, "abcdefghijklm", &node, &err), 0);
	ck_assert_int_eq(fold_find(st, "aBcDefghijkl!", &node, &err), 1);
	ck_assert(!err);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("fold");
	TCase *tc = tcase_create("fold");

	tcase_add_loop_test(tc, the_next_way_to_write_it, 0,
			    G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, finds_what_looking_at_all_finds, 0, 20);
	tcase_add_test(tc, ends_among_keys_made_for_it);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
