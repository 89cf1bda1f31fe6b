/* test_table.c - the values of tables: looking up, and the same again */
#include <string.h>

#include "mail/lkp_table.h"

#include "tests/test.h"

#define HEAD                                             \
	"ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n" \
	"---------------- ---------------------------\n"
#define ROW_A "156.22 \302\261 10%  -33.7%  103.57  fio.iops\n"
#define ROW_B "1.00 +2.0% 1.02 a.b\n"
#define ROW_F ":6 67% 4:6 dmesg.BUG\n"

static struct table *read_one(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	lkp_tables_read(b, tables);
	ck_assert_uint_eq(tables->len, 1);
	return g_ptr_array_steal_index(tables, 0);
}

static const struct {
	const char *name;
	const char *a;
	const char *b;
	gboolean same;
} repeats[] = {
	{"itself", HEAD ROW_A ROW_B, HEAD ROW_A ROW_B, TRUE},
	{"shorter", HEAD ROW_F ROW_A ROW_B, HEAD ROW_B, TRUE},
	{"in another order", HEAD ROW_A ROW_B, HEAD ROW_B ROW_A, TRUE},
	{"quoted, its blanks lost", HEAD ROW_A,
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> 156.22 \357\277\275 10% -33.7% 103.57 fio.iops\n",
	 TRUE},
	{"without its head", HEAD ROW_A ROW_B, ROW_A, TRUE},
	{"another value", HEAD ROW_B, HEAD "1.00 +2.0% 1.03 a.b\n", FALSE},
	{"another change", HEAD ROW_B, HEAD "1.00 +2.1% 1.02 a.b\n", FALSE},
	{"another deviation", HEAD ROW_A,
	 HEAD "156.22 \302\261 11%  -33.7%  103.57  fio.iops\n", FALSE},
	{"another metric", HEAD ROW_B, HEAD "1.00 +2.0% 1.02 a.c\n", FALSE},
	{"other failures", HEAD ROW_F, HEAD ":6 67% 4:7 dmesg.BUG\n", FALSE},
	{"one row more each", HEAD ROW_A ROW_B, HEAD ROW_A ROW_F, FALSE},
	{"other commits", HEAD ROW_B,
	 "ecd788a92460eef4 3edf06a50f5bbe664283f3c55c4\n"
	 "---------------- ---------------------------\n" ROW_B,
	 FALSE},
	{"another number of columns", HEAD ROW_B,
	 "1.00 +2.0% 1.02 +2.0% 1.02 a.b\n", FALSE},
};

START_TEST(test_repeats)
{
	g_autoptr(table_auto) a = read_one(repeats[_i].a);
	g_autoptr(table_auto) b = read_one(repeats[_i].b);

	ck_assert_msg(table_repeats(a, b) == repeats[_i].same, "%s",
		      repeats[_i].name);
	ck_assert_msg(table_repeats(b, a) == repeats[_i].same, "%s, exchanged",
		      repeats[_i].name);
}
END_TEST

START_TEST(test_find)
{
	g_autoptr(table_auto) t =
		read_one("a/testcase:\n  1/fio\n\n" HEAD ROW_A ROW_B);

	ck_assert_int_eq(table_find(t, "a.b"), 1);
	ck_assert_int_eq(table_find(t, "a.c"), -1);
	ck_assert_str_eq(table_axis(t, "testcase"), "fio");
	ck_assert_ptr_null(table_axis(t, "test"));
	ck_assert_int_eq(table_find_column(t, "2edf06a50f"), 1);
	ck_assert_int_eq(table_find_column(
				 t, "ecd788a92460eef4aaaabbbbccccddddeeeeffff"),
			 0);
	ck_assert_int_eq(table_find_column(t, "2edf0"), -1);
	ck_assert_int_eq(table_find_column(t, NULL), -1);
}
END_TEST

START_TEST(test_limits)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 1000);
	g_autofree char *name = g_strnfill(2 * TABLE_MAX_METRIC, 'x');

	ck_assert_uint_eq(t->columns->len, TABLE_MAX_COLUMNS);
	table_add_row(t, TABLE_ROW_PERF, name, strlen(name), 1);
	ck_assert_uint_eq(strlen(table_row(t, 0)->metric), TABLE_MAX_METRIC);
	for (guint i = 0; i < 2 * TABLE_MAX_REJECTS; i++)
		table_add_reject(t, i, "x", 1, "y");
	ck_assert_uint_eq(t->rejects->len, TABLE_MAX_REJECTS);
	table_free(NULL);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("table");
	TCase *t = tcase_create("core");

	tcase_add_loop_test(t, test_repeats, 0, G_N_ELEMENTS(repeats));
	tcase_add_test(t, test_find);
	tcase_add_test(t, test_limits);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
