/* test_query.c - the query language as people type it */
#include <string.h>

#include "db/query.h"

#include "tests/test.h"

#define NOW 1700000000 /* 2023-11-14T22:13:20Z */

static void print_tree(const struct query *q, GString *out)
{
	static const char *const names[] = {"term", "and", "or", "not", "all"};
	static const char *const kinds[] = {"", "\"", "*", "..", "/", "?"};

	if (q->op == QUERY_TERM) {
		g_string_append_printf(out, "%s:%s%s", q->prefix,
				       kinds[q->kind], q->text);
		if (q->high)
			g_string_append_printf(out, ",%s", q->high);
		return;
	}
	g_string_append_printf(out, "(%s", names[q->op]);
	for (guint i = 0; q->parts && i < q->parts->len; i++) {
		g_string_append_c(out, ' ');
		print_tree(q->parts->pdata[i], out);
	}
	g_string_append_c(out, ')');
}

static const struct {
	const char *text, *tree;
} good[] = {
	{"", "(all)"},
	{"  ", "(all)"},
	{"btrfs", ":btrfs"},
	{"btrfs: fix", "(and :btrfs: :fix)"},
	{"a b", "(and :a :b)"},
	{"a AND b and c", "(and :a :b :c)"},
	{"a OR b | c or d", "(or :a :b :c :d)"},
	{"a b OR c", "(or (and :a :b) :c)"},
	{"a (b OR c)", "(and :a (or :b :c))"},
	{"NOT a -b !c not(d)", "(and (not :a) (not :b) (not :c) (not :d))"},
	{"nothing notes", "(and :nothing :notes)"},
	{"s:\"space info\" f:jane@example.org",
	 "(and s:\"space info f:jane@example.org)"},
	{"subject:x from:y to:z cc:w list:v id:m@x",
	 "(and s:x f:y t:z c:w l:v m:m@x)"},
	{"btrfs_read*", ":*btrfs_read"},
	{"s:/fix(es)?/", "s:/fix(es)?"},
	{"/dev/sda", ":/dev/sda"},
	{"https://lore.example.org/x", ":https://lore.example.org/x"},
	{"is:open is:closed s:x", "(and (or is:open is:closed) s:x)"},
	{"(is:open OR is:closed) is:perf",
	 "(and (or is:open is:closed) is:perf)"},
	{"is:open AND is:perf", "(and is:open is:perf)"},
	{"l:a l:b l:c", "(or l:a l:b l:c)"},
	{"s:a s:b", "(and s:a s:b)"},
	{"change:>5 runs:>=3 change:5..20",
	 "(and change:?>,5 runs:?>=,3 change:..5,20)"},
	{"param.nr_threads:8", "param.nr_threads:8"},
	{"introduced:v5.13..v5.14", "introduced:..v5.13,v5.14"},
	{"d:2024", "d:..2024-01-01T00:00:00Z,2025-01-01T00:00:00Z"},
	{"d:2024-12", "d:..2024-12-01T00:00:00Z,2025-01-01T00:00:00Z"},
	{"d:20240131", "d:..2024-01-31T00:00:00Z,2024-02-01T00:00:00Z"},
	{"d:2024-01-01..2024-01-31",
	 "d:..2024-01-01T00:00:00Z,2024-02-01T00:00:00Z"},
	{"d:2024-01-01..", "d:..2024-01-01T00:00:00Z,"},
	{"d:..7d", "d:..,2023-11-08T00:00:00Z"},
	{"d:last.week..", "d:..2023-11-07T00:00:00Z,"},
	{"date:3.days.ago..today",
	 "d:..2023-11-11T00:00:00Z,2023-11-15T00:00:00Z"},
	{"rt:20240131120000..", "rt:..2024-01-31T12:00:00Z,"},
	{"rt:2024-01-31T12:00:00Z",
	 "rt:..2024-01-31T12:00:00Z,2024-01-31T12:00:01Z"},
};

START_TEST(reads_what_people_type)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(query_auto) q = query_parse(good[_i].text, NOW, &err);
	g_autoptr(GString) out = g_string_new(NULL);

	ck_assert_msg(q != NULL, "%s: %s", good[_i].text,
		      err ? err->message : "no tree");
	print_tree(q, out);
	ck_assert_str_eq(out->str, good[_i].tree);
}
END_TEST

static const struct {
	const char *text;
	int column;
	const char *says;
} bad[] = {
	{"a OR", 5, "expected a term"},
	{"OR a", 1, "expected a term"},
	{"a AND AND b", 7, "expected a term"},
	{"(a", 3, "expected ')'"},
	{"a )", 3, "unexpected ')'"},
	{"()", 2, "expected a term"},
	{"s:\"open", 3, "closing quotation mark"},
	{"\xc3\xa4 nosuch:x", 3, "unknown prefix"},
	{"a d:yesteryear", 3, "expected a date"},
	{"d:..", 1, "expected a date"},
	{"d:2024-02-30", 1, "expected a date"},
	{"change:>", 1, "expected a number"},
	{"s:\"\"", 1, "expected a word"},
	{"change:=>5", 1, "expected a number"},
	{"is: open", 4, "expected a value"},
	{"a (s:)", 6, "expected a value"},
	{"d:2024-02-01..2024-01-01", 1, "ends before it begins"},
	{"\xff", 1, "expected UTF-8"},
};

START_TEST(says_what_is_wrong_and_where)
{
	g_autoptr(GError) err = NULL;
	struct query *q = query_parse(bad[_i].text, NOW, &err);

	ck_assert_msg(!q, "%s: accepted", bad[_i].text);
	ck_assert(err && err->domain == QUERY_ERROR);
	ck_assert_msg(strstr(err->message, bad[_i].says) != NULL, "%s: %s",
		      bad[_i].text, err->message);
	ck_assert_msg(err->code == bad[_i].column, "%s: column %d",
		      bad[_i].text, err->code);
}
END_TEST

START_TEST(is_bounded)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autoptr(GString) many = g_string_new(NULL);
	g_autoptr(GString) large = g_string_new(NULL);
	const char *texts[3];

	for (int i = 0; i < QUERY_MAX_DEPTH + 1; i++)
		g_string_append_c(deep, '(');
	g_string_append_c(deep, 'a');
	for (int i = 0; i < QUERY_MAX_TERMS + 1; i++)
		g_string_append(many, "a ");
	for (int i = 0; i < QUERY_MAX_BYTES + 1; i++)
		g_string_append_c(large, 'a');
	texts[0] = deep->str;
	texts[1] = many->str;
	texts[2] = large->str;
	for (int i = 0; i < 3; i++) {
		g_autoptr(GError) err = NULL;

		ck_assert(!query_parse(texts[i], NOW, &err));
		ck_assert(err != NULL);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("query");
	TCase *tc = tcase_create("query");

	tcase_add_loop_test(tc, reads_what_people_type, 0, G_N_ELEMENTS(good));
	tcase_add_loop_test(tc, says_what_is_wrong_and_where, 0,
			    G_N_ELEMENTS(bad));
	tcase_add_test(tc, is_bounded);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
