/* test_lkp_print.c - tables come back as the robot printed them */
#include <math.h>
#include <string.h>

#include "mail/lkp_table.h"

#include "tests/test.h"

#define PM "\302\261"

#define TOP                                                     \
	"=====================================================" \
	"====================================\n"                \
	"compiler/disk/testcase:\n  gcc-9/1HDD/fio\n\n"         \
	"commit: \n  ecd788a924 (\"xfs: rework\")\n"            \
	"  2edf06a50f = ecd788a924 + patch [1]\n\n"

static const char two[] =
	"ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4 \n"
	"---------------- --------------------------- \n"
	"       fail:runs  %reproduction    fail:runs\n"
	"           |             |             |    \n"
	"           :6           67%           4:6     dmesg.BUG:#[##]\n"
	"         12:12        -100%            :12    dmesg.RIP:f[btrfs]\n"
	"          0:4            5%           0:4     perf-profile.x\n"
	"         %stddev     %change         %stddev\n"
	"             \\          |                \\  \n"
	"    156.22 " PM " 10%     -33.7%     103.57 " PM "  4%  fio.iops\n"
	"     -5338         +5614.3%    -305037        a.b\n"
	" 1.182e+10 " PM "194%      -2.0%  1.158e+10        c.d\n"
	"      0.00       +1.2e+102%       1.17 " PM "223%  e.f\n"
	"      0.60 " PM "  2%      +0.3        0.93        perf-profile.y\n"
	"   5338000            +2.0% 123456789012        a.wide\n";

static const char three[] =
	"       v5.16-rc5 47a6df7cd3174b91c6c862eae0b "
	"                  v5.19-rc6 \n"
	"---------------- --------------------------- "
	"--------------------------- \n"
	"         %stddev     %change         %stddev     %change"
	"         %stddev\n"
	"             \\          |                \\          |"
	"                \\  \n"
	"      1562            +8.0%       1688            +4.5%"
	"       1633        unixbench.score\n";

static const char old[] =
	"4ac912427c4214d8 ced2c7ea8e99b46755a270872c \n"
	"---------------- -------------------------- \n"
	"         %stddev     %change         %stddev\n"
	"             \\          |                \\  \n"
	"    117419 " PM "  1%     -33.7%      77863 " PM "  0%  aim7.jobs\n";

static const char plain[] =
	"4ac912427c4214d8 ced2c7ea8e99b46755a270872c \n"
	"---------------- -------------------------- \n"
	"         %stddev      change         %stddev\n"
	"             \\          |                \\  \n"
	"    117419             -34%      77863        aim7.jobs\n"
	"       164                         165 " PM "  3%  a.b\n";

static struct table *read_one(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	lkp_tables_read(b, tables);
	ck_assert_uint_eq(tables->len, 1);
	return g_ptr_array_steal_index(tables, 0);
}

static char *printed(const char *text, gboolean axes)
{
	g_autoptr(table_auto) t = read_one(text);
	GString *s = g_string_new(NULL);

	lkp_table_print(t, axes, s);
	return g_string_free(s, FALSE);
}

/* Blanks as web pages leave them. */
static char *collapsed(const char *text)
{
	GString *s = g_string_new(NULL);

	for (; *text; text++)
		if (*text != ' ' ||
		    (s->len && !strchr(" \n", s->str[s->len - 1])))
			g_string_append_c(s, *text);
	return g_string_free(s, FALSE);
}

static const char *const tables[] = {two, three, old, plain};

START_TEST(test_same)
{
	const char *text = tables[_i];
	g_autofree char *got = printed(text, FALSE);
	g_autofree char *less = collapsed(text);
	g_autofree char *again = printed(less, FALSE);

	ck_assert_str_eq(got, text);
	ck_assert_str_eq(again, text);
}
END_TEST

START_TEST(test_top)
{
	g_autofree char *text = g_strconcat(TOP, two, NULL);
	g_autofree char *got = printed(text, TRUE);

	ck_assert_str_eq(got, text);
}
END_TEST

START_TEST(test_alone)
{
	static const char text[] =
		"    156.22 " PM " 10%     -33.7%     103.57        fio.iops\n";
	g_autofree char *got = printed(text, TRUE);

	ck_assert_str_eq(got, text);
}
END_TEST

/* Raw values of real mail and how the robot printed them. */
static const struct {
	double mean;
	double sd_pct;
	double change;
	enum table_change kind;
	const char *want;
} numbers[] = {
	{77.4687, 21.635, NAN, TABLE_CHANGE_NONE, "     77.47 " PM " 21%"},
	{187.6417, 5.960, 0.04, TABLE_CHANGE_PERCENT,
	 "      +0.0%     187.64 " PM "  5%"},
	{999.994, 2.0, -0.04, TABLE_CHANGE_POINTS,
	 "      -0.0      999.99      "},
	{1000.99, 2.01, -33.66, TABLE_CHANGE_PERCENT,
	 "     -33.7%       1000 " PM "  2%"},
	{-305037.9, -3, 5614.31, TABLE_CHANGE_PERCENT,
	 "   +5614.3%    -305037      "},
	{100000000, NAN, 99999.94, TABLE_CHANGE_PERCENT,
	 "  +99999.9%  100000000      "},
	{118234567890, 5015.9, 1.23e104, TABLE_CHANGE_PERCENT,
	 " +1.2e+104%  1.182e+11 " PM "5015%"},
	{16300000000, 0, 100000, TABLE_CHANGE_PERCENT,
	 "    +1e+05%   1.63e+10      "},
};

START_TEST(test_numbers)
{
	g_autoptr(GString) s = g_string_new(NULL);

	if (numbers[_i].kind)
		lkp_print_change(s, numbers[_i].change, numbers[_i].kind);
	lkp_print_value(s, numbers[_i].mean);
	lkp_print_sd(s, numbers[_i].sd_pct);
	ck_assert_str_eq(s->str, numbers[_i].want);
}
END_TEST

START_TEST(test_made)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 2);
	g_autoptr(GString) s = g_string_new(NULL);
	struct table_cell *c;

	table_column(t, 0)->label = table_keep(t, "v6.1", 4);
	table_column(t, 1)->label = table_keep(t, "v6.2", 4);
	table_add_row(t, TABLE_ROW_PERF, "a.b", 3, 0);
	table_cell(t, 0, 0)->mean = 5408.9;
	c = table_cell(t, 0, 1);
	c->mean = 6240;
	c->sd_pct = 10.9;
	c->change = 15.365;
	c->change_kind = TABLE_CHANGE_PERCENT;
	table_add_row(t, TABLE_ROW_FAIL, "dmesg.c", 7, 0);
	table_cell(t, 1, 0)->fails = 0;
	table_cell(t, 1, 0)->runs = 6;
	c = table_cell(t, 1, 1);
	c->fails = c->runs = 6;
	c->change = 100;
	lkp_table_print(t, FALSE, s);
	ck_assert_str_eq(
		s->str,
		"            v6.1                        v6.2 \n"
		"---------------- --------------------------- \n"
		"       fail:runs  %reproduction    fail:runs\n"
		"           |             |             |    \n"
		"           :6          100%           6:6     dmesg.c\n"
		"         %stddev     %change         %stddev\n"
		"             \\          |                \\  \n"
		"      5408           +15.4%       6240 " PM " 10%  a.b\n");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("lkp_print");
	TCase *t = tcase_create("core");

	tcase_add_loop_test(t, test_same, 0, G_N_ELEMENTS(tables));
	tcase_add_test(t, test_top);
	tcase_add_test(t, test_alone);
	tcase_add_loop_test(t, test_numbers, 0, G_N_ELEMENTS(numbers));
	tcase_add_test(t, test_made);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
