/* test_lkp_table.c - reading tables of the kernel test robot: each case a
 * short body, and what it gives as text */
#include <math.h>
#include <string.h>

#include "mail/lkp_table.h"

#include "tests/test.h"

#define PM "\302\261"
#define HEAD                                              \
	"ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4 \n" \
	"---------------- --------------------------- \n" \
	"         %stddev     %change         %stddev\n"  \
	"             \\          |                \\  \n"
#define FAIL_HEAD                                         \
	"ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4 \n" \
	"---------------- --------------------------- \n" \
	"       fail:runs  %reproduction    fail:runs\n"  \
	"           |             |             |    \n"
#define HEAD3                                                             \
	"v6.12-rc4 ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"        \
	"---------------- --------------------------- ------------------" \
	"---------\n"
#define ROW                                               \
	"    156.22 " PM " 10%     -33.7%     103.57 " PM \
	"  4%  fio.read_iops\n"
#define ROW_TEXT "fio.read_iops|156.22~10|-33.7% 103.57~4\n"

static GPtrArray *read_text(const char *text, body **b)
{
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	*b = body_parse(text, strlen(text));
	lkp_tables_read(*b, tables);
	return tables;
}

static void add_row(GString *s, const struct table *t, guint i)
{
	const struct table_row *r = table_row(t, i);

	g_string_append(s, r->metric);
	for (guint k = 0; k < t->columns->len; k++) {
		const struct table_cell *c = table_cell(t, i, k);

		g_string_append_printf(s, "|%s%s%s",
				       c->change_printed ? c->change_printed
							 : "",
				       c->change_printed ? " " : "",
				       c->printed);
		if (isfinite(c->sd_pct))
			g_string_append_printf(s, "~%.0f", c->sd_pct);
	}
	if (r->note)
		g_string_append_printf(s, "|%s", r->note);
	g_string_append_c(s, '\n');
}

/* "[depth] labels" a table, then a line a row, then "!reason: text". */
static char *told(const char *text)
{
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = read_text(text, &b);
	GString *s = g_string_new(NULL);

	for (guint n = 0; n < tables->len; n++) {
		const struct table *t = tables->pdata[n];

		g_string_append_printf(s, "[%u]", t->depth);
		for (guint i = 0; i < t->columns->len; i++)
			g_string_append_printf(
				s, " %.9s",
				table_column(t, i)->label
					? table_column(t, i)->label
					: "?");
		g_string_append(s, t->elided ? " elided\n" : "\n");
		for (guint i = 0; i < t->rows->len; i++)
			add_row(s, t, i);
		for (guint i = 0; i < t->rejects->len; i++) {
			const struct table_reject *r = t->rejects->pdata[i];

			g_string_append_printf(s, "!%s: %.20s\n", r->reason,
					       r->text);
		}
	}
	return g_string_free(s, FALSE);
}

#define TWO	"[0] ecd788a92 2edf06a50\n"
#define QUOTED	"[1] ecd788a92 2edf06a50\n"
#define NO_HEAD "[0] ? ?\n"

static const struct {
	const char *name;
	const char *text;
	const char *want;
} cases[] = {
	{"plain", HEAD ROW, TWO ROW_TEXT},
	{"no head lines",
	 "ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "---------------- ---------------------------\n\n" ROW,
	 TWO ROW_TEXT},
	{"no rule",
	 "ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "%stddev %change %stddev\n" ROW,
	 TWO ROW_TEXT},
	{"no labels", "as below:\n%stddev %change %stddev\n" ROW,
	 NO_HEAD ROW_TEXT},
	{"no labels, all kinds of rows",
	 "as below:\n%stddev %change %stddev\n"
	 "0.60 +0.3 0.93 perf-profile.x\n1.60 +0.3 1.93 perf-profile.y\n"
	 "1.00 +1.0% 1.01 aim7\n1.0 +2.0% 1.0 +3.0% 1.0 a.b\n" ROW,
	 NO_HEAD "perf-profile.x|0.60|+0.3 0.93\n"
		 "perf-profile.y|1.60|+0.3 1.93\n"
		 "aim7|1.00|+1.0% 1.01\n" ROW_TEXT
		 "!more values than columns: 1.0 +2.0% 1.0 +3.0% \n"},
	{"numbers that are none",
	 HEAD ROW "nan +1.0% 1.01 a.b\n1,234.5 +1.0% 1.01 a.c\n"
		  "1.00 0x10% 1.01 a.d\n--5 +1.0% 1.01 a.e and more\n"
		  "1.00 \357\274\221% 1.01 a.f\n1.00 ~ nan% +1.0% 1.01 a.g\n"
		  ".5 +0.3 0.93 perf-profile.x\n" ROW,
	 TWO ROW_TEXT ROW_TEXT "!not a number: nan +1.0% 1.01 a.b\n"
			       "!not a number: 1,234.5 +1.0% 1.01 a\n"
			       "!not a number: 1.00 0x10% 1.01 a.d\n"
			       "!not a number: --5 +1.0% 1.01 a.e a\n"
			       "!not a number: 1.00 \357\274\221% 1.01 a.f\n"
			       "!not a number: 1.00 ~ nan% +1.0% 1.\n"
			       "!not a number: .5 +0.3 0.93 perf-pr\n"},
	{"counts that are none",
	 FAIL_HEAD ":6 67% 4:6 dmesg.a\n-1:6 67% 4:6 dmesg.b\n"
		   ":6 67% 4:6 dmesg.c\n",
	 TWO "dmesg.a|:6|67% 4:6\ndmesg.c|:6|67% 4:6\n"
	     "!not a number: -1:6 67% 4:6 dmesg.b\n"},
	{"a sentence with numbers is no broken row",
	 HEAD ROW "in 6.1 +33% 5.2 linux.git shows it\n" ROW,
	 TWO ROW_TEXT NO_HEAD ROW_TEXT},
	{"deviations whose sign was dropped",
	 HEAD "156.22  10%  -33.7%  103.57   4%  fio.read_iops\n"
	      "0.60  10%  +0.3  0.93   4%  perf-profile.x\n"
	      "0.15  2%  -0.1  0.03   4%  perf-profile.y\n"
	      "164 49% 245 a.b\n",
	 TWO ROW_TEXT "perf-profile.x|0.60~10|+0.3 0.93~4\n"
		      "perf-profile.y|0.15~2|-0.1 0.03~4\n"
		      "a.b|164|49% 245\n"},
	{"labels and rule wrapped",
	 "> v6.12-rc4 ecd788a92460eef4\n> 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> ---------------------------\n"
	 "> 1.00 +2.0% 1.02 +3.0% 1.03 a.b\n",
	 "[1] v6.12-rc4 ecd788a92 2edf06a50\n"
	 "a.b|1.00|+2.0% 1.02|+3.0% 1.03\n"},
	{"points", HEAD "0.60 +0.3 0.93 " PM " 12% perf-profile.x\n",
	 TWO "perf-profile.x|0.60|+0.3 0.93~12\n"},
	{"large and negative",
	 HEAD "-5338 +5614.3% -305037 a.b\n1.182e+10 -2.0% 1.158e+10 c.d\n",
	 TWO "a.b|-5338|+5614.3% -305037\n"
	     "c.d|1.182e+10|-2.0% 1.158e+10\n"},
	{"base of zero", HEAD "0.00 +1.2e+102% 1.17 a.b\n",
	 TWO "a.b|0.00|+1.2e+102% 1.17\n"},
	{"infinite", HEAD "0.00 +Inf% 1.17 a.b\n", TWO "a.b|0.00|+Inf% 1.17\n"},
	{"deviation of three digits", HEAD "1.00 " PM "194% +2.0% 1.02 a.b\n",
	 TWO "a.b|1.00~194|+2.0% 1.02\n"},
	{"deviation without a blank", HEAD "1.00" PM "4% +2.0% 1.02 a.b\n",
	 TWO "a.b|1.00~4|+2.0% 1.02\n"},
	{"old program",
	 "ecd788a92460eef4 2edf06a50f5bbe664283f3c55\n"
	 "---------------- --------------------------\n"
	 "%stddev change %stddev\n"
	 "164 49% 245 " PM " 2% a.b\n",
	 TWO "a.b|164|49% 245~2\n"},
	{"old program, a small change left out",
	 "ecd788a92460eef4 2edf06a50f5bbe664283f3c55\n"
	 "---------------- --------------------------\n"
	 "%stddev change %stddev\n"
	 "164 165 " PM " 2% a.b\n164 49% 245 c.d\n",
	 TWO "a.b|164|165~2\nc.d|164|49% 245\n"},
	{"change missing", HEAD ROW "164 165 a.b\n" ROW,
	 TWO ROW_TEXT ROW_TEXT "!no change between values: 164 165 a.b\n"},
	{"failures",
	 FAIL_HEAD "           :6           67%           4:6     dmesg.BUG\n",
	 TWO "dmesg.BUG|:6|67% 4:6\n"},
	{"failures, then measurements",
	 FAIL_HEAD ":6 67% 4:6 dmesg.BUG\n"
		   "         %stddev     %change         %stddev\n"
		   "             \\          |                \\\n" ROW,
	 TWO "dmesg.BUG|:6|67% 4:6\n" ROW_TEXT},
	{"note", FAIL_HEAD ":6 33% 2:6 dmesg.BUG_at.c  <----- (1)\n",
	 TWO "dmesg.BUG_at.c|:6|33% 2:6|<----- (1)\n"},
	{"failure wrapped at its last cell",
	 ">> v6.12-rc4 ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 ">> ---------------- -------------------- --------------------\n"
	 ">>  :14  23%  7:13  33%\n>> 10:19    xfstests.172.fail\n"
	 ">>  14:14 -27% 6:13 -17%\n>> 9:19    xfstests.172.pass\n",
	 "[2] v6.12-rc4 ecd788a92 2edf06a50\n"
	 "xfstests.172.fail|:14|23% 7:13|33% 10:19\n"
	 "xfstests.172.pass|14:14|-27% 6:13|-17% 9:19\n"},
	{"metric wrapped", HEAD "1.00 +2.0% 1.02\na.b\n" ROW,
	 TWO "a.b|1.00|+2.0% 1.02\n" ROW_TEXT},
	{"metric wrapped, its mark lost",
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> 1.00 +2.0% 1.02\na.b\n> " ROW,
	 QUOTED "a.b|1.00|+2.0% 1.02\n" ROW_TEXT},
	{"wrapped before a deviation",
	 HEAD "156.22 " PM " 10% -33.7% 103.57 " PM "\n4% fio.read_iops\n",
	 TWO ROW_TEXT},
	{"wrapped behind its first value",
	 HEAD ROW "156.22\n" PM " 10% -33.7% 103.57 " PM " 4% fio.read_iops\n",
	 TWO ROW_TEXT ROW_TEXT},
	{"somebody's mark", HEAD "=> " ROW "- " ROW, TWO ROW_TEXT ROW_TEXT},
	{"a sentence wrapped at numbers", "from\n5.0 +10% 6\ni.e. more\n", ""},
	{"only points", HEAD "0.60 +0.3 0.93 perf-profile.x\n",
	 TWO "perf-profile.x|0.60|+0.3 0.93\n"},
	{"all marks of wrapped lines lost",
	 "> v6.12-rc4 ecd788a92460eef4\n2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "---------------------------\n"
	 "> fail:runs  %reproduction    fail:runs  %reproduction\n"
	 "fail:runs\n> | | | |\n|\n"
	 "> :14  23%  7:13  33%\n10:19    xfstests.172.fail\n"
	 "> 14:14 -27% 6:13 -17%\n9:19    xfstests.172.pass\n",
	 "[1] v6.12-rc4 ecd788a92 2edf06a50\n"
	 "xfstests.172.fail|:14|23% 7:13|33% 10:19\n"
	 "xfstests.172.pass|14:14|-27% 6:13|-17% 9:19\n"},
	{"an answer where a metric is missing",
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> 1.00 +2.0% 1.02\nHm.\n",
	 QUOTED "!no metric: 1.00 +2.0% 1.02\n"},
	{"blank lines", HEAD ROW "\n" ROW "\n\n" ROW,
	 TWO ROW_TEXT ROW_TEXT NO_HEAD ROW_TEXT},
	{"left out", HEAD ROW "....\n" ROW "[snip]\n" ROW,
	 "[0] ecd788a92 2edf06a50 elided\n" ROW_TEXT ROW_TEXT ROW_TEXT},
	{"left out of a quote",
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> " ROW "[...]\n> " ROW,
	 "[1] ecd788a92 2edf06a50 elided\n" ROW_TEXT ROW_TEXT},
	{"an answer between rows",
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> " ROW "\nHow so?\n\n> " ROW,
	 QUOTED ROW_TEXT "[1] ? ?\n" ROW_TEXT},
	{"mixed marks", ">> > 1.00 +2.0% 1.02 a.b\n> >> 1.00 +2.0% 1.02 c.d\n",
	 "[3] ? ?\na.b|1.00|+2.0% 1.02\nc.d|1.00|+2.0% 1.02\n"},
	{"rows without a head", "We see:\n" ROW "1 +5.0% 2 +6.0% 3 a.b\n",
	 NO_HEAD ROW_TEXT "[0] ? ? ?\na.b|1|+5.0% 2|+6.0% 3\n"},
	{"no row without a head", "1.00 +2.0 3.00 a.b\n1.00 +2.0% 3.00 word\n",
	 ""},
	{"NBSP and tabs",
	 HEAD "\302\240\302\2401.00\302\240\302\240" PM "\t4%\302\240 +2.0%"
	      "\t1.02\302\240a.b\302\240\n",
	 TWO "a.b|1.00~4|+2.0% 1.02\n"},
	{"two tables of one pair", HEAD ROW "\n\n" HEAD ROW,
	 TWO ROW_TEXT TWO ROW_TEXT},
	{"more cells than columns", HEAD ROW "1.0 +2.0% 1.0 +3.0% 1.0 a.b\n",
	 TWO ROW_TEXT "!more values than columns: 1.0 +2.0% 1.0 +3.0% \n"},
	{"fewer", HEAD3 "1.0 +2.0% 1.0 a.b\n",
	 "[0] v6.12-rc4 ecd788a92 2edf06a50\n"
	 "!fewer values than columns: 1.0 +2.0% 1.0 a.b\n"},
	{"no metric", HEAD ROW "1.0 +2.0% 1.0\n" ROW,
	 TWO ROW_TEXT ROW_TEXT "!no metric: 1.0 +2.0% 1.0\n"},
	{"plot",
	 HEAD ROW "\n\n                fio.read_iops\n\n"
		  "  14500 +----------------------------------+\n"
		  "  14400 |-+  O  O   +.                     |\n"
		  "[*] bisect-good sample\n",
	 TWO ROW_TEXT},
	{"other things with numbers",
	 "    * | 1.0\n > 319\t\tfoo(1, 2);\n   317  x\n10:30 is too late\n"
	 "<aQBRPF5taqdUE/zk@host.example.org>\n5.0 +10% was said\n"
	 "---------------------------------------------------------\n",
	 ""},
	{"prose below a table", HEAD ROW "4.5 +2.1% 5.0 is what we got\n",
	 TWO ROW_TEXT "!no metric: 4.5 +2.1% 5.0 is wha\n"},
	{"shield", "| 1.00 +2.0% 1.02 a.b\n", ""},
};

START_TEST(test_read)
{
	g_autofree char *got = told(cases[_i].text);

	ck_assert_msg(!strcmp(got, cases[_i].want), "%s: %s", cases[_i].name,
		      got);
}
END_TEST

static const char *const signs[] = {
	PM,
	"\357\277\275",
	"\357\277\275\357\277\275",
	"\303\202\302\261",
	"\304\205",
	"\261",
	"+-",
	"+/-",
	"~",
	"?",
	"&plusmn;",
	"&#177;",
	"=C2=B1",
	"=B1",
	"\\xb1",
	"+/\342\210\222",
	"\303\204\342\200\246",			/* U+0105 as windows-1252 */
	"\303\203\342\200\232\303\202\302\261", /* twice */
	"\345\215\244",				/* as GBK */
	"\320\262\342\225\240",			/* as KOI8-R */
	"\342\226\222",				/* as a code page of DOS */
};

START_TEST(test_sign)
{
	g_autofree char *text =
		g_strconcat(HEAD "156.22 ", signs[_i], " 10% -33.7% 103.57 ",
			    signs[_i], "  4% fio.read_iops\n", NULL);
	g_autofree char *got = told(text);

	ck_assert_str_eq(got, TWO ROW_TEXT);
}
END_TEST

START_TEST(test_likely)
{
	static const struct {
		const char *text;
		gboolean likely;
	} texts[] = {
		{HEAD ROW, TRUE},
		{"> >> " ROW, TRUE},
		{"AB> " ROW, TRUE},
		{"\302\240 1.0 -2.0% 1.1 a.b\n", TRUE},
		{"> :6 67% 4:6 dmesg.BUG\n", TRUE},
		{HEAD "0.60 +0.3 0.93 perf-profile.x\n", TRUE},
		{"", FALSE},
		{"We lost 20% of it.\n", FALSE},
		{"printf(\"%d %5d\");\n", FALSE},
		{"1 of 2\n", FALSE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(body) b =
			body_parse(texts[i].text, strlen(texts[i].text));

		ck_assert_msg(lkp_table_likely(b) == texts[i].likely, "%s",
			      texts[i].text);
	}
}
END_TEST

START_TEST(test_numbers)
{
	static const char text[] =
		HEAD "0.00 +1.2e+102% 1.17 a.zero\n"
		     "0.05 " PM " 12% -0.0 0.05 perf-profile.b\n"
		     ":6 67% 4:6 dmesg.c\n";
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = read_text(text, &b);
	const struct table *t = tables->pdata[0];
	const struct table_cell *c = table_cell(t, 0, 1);

	ck_assert(c->base_zero && c->change > 1e101);
	ck_assert_int_eq(c->change_kind, TABLE_CHANGE_PERCENT);
	c = table_cell(t, 1, 0);
	ck_assert(fabs(c->mean - 0.05) < 1e-12 && fabs(c->sd_pct - 12) < 1e-9);
	ck_assert(isnan(c->change) && !c->change_kind);
	ck_assert_int_eq(table_cell(t, 1, 1)->change_kind, TABLE_CHANGE_POINTS);
	c = table_cell(t, 2, 0);
	ck_assert(c->fails == 0 && c->runs == 6 && isnan(c->mean));
	c = table_cell(t, 2, 1);
	ck_assert(c->fails == 4 && c->runs == 6);
	ck_assert(fabs(c->change - 67) < 1e-9);
	ck_assert_int_eq(table_row(t, 2)->kind, TABLE_ROW_FAIL);
	ck_assert_uint_eq(table_row(t, 2)->line, 7);
	ck_assert_int_eq(t->style, TABLE_LKP);
}
END_TEST

START_TEST(test_style)
{
	static const char *const old[] = {
		HEAD "1.00 " PM "  0% +2.0% 1.02 " PM "  1% a.b\n",
		"ecd788a92460eef4 2edf06a50f5bbe664283f3c55\n"
		"---------------- --------------------------\n"
		"%stddev change %stddev\n1.00 +2.0% 1.02 a.b\n",
	};

	for (guint i = 0; i < G_N_ELEMENTS(old); i++) {
		g_autoptr(body) b = NULL;
		g_autoptr(GPtrArray) tables = read_text(old[i], &b);
		const struct table *t = tables->pdata[0];

		ck_assert_int_eq(t->style, TABLE_LKP_OLD);
		ck_assert_int_eq(t->plain_change, i == 1);
	}
}
END_TEST

#define LONG_LINE (1 << 20)

START_TEST(test_long)
{
	g_autoptr(GString) s = g_string_new(HEAD "1");

	while (s->len < LONG_LINE)
		g_string_append(s, " +1% 1");
	g_string_append(s, "\n" ROW);
	{
		g_autofree char *got = told(s->str);

		ck_assert_str_eq(got, TWO ROW_TEXT
				 "!line too long: 1 +1% 1 +1% 1 +1% 1 \n");
	}
}
END_TEST

static char *wide_table(guint columns)
{
	GString *s = g_string_new("----------------");

	for (guint i = 1; i < columns; i++)
		g_string_append(s, " ---------------------------");
	g_string_append(s, "\n%stddev");
	for (guint i = 1; i < columns; i++)
		g_string_append(s, " %change %stddev");
	for (guint row = 0; row < 2; row++) {
		g_string_append(s, "\n1.00");
		for (guint i = 1; i < columns; i++)
			g_string_append(s, " +1.0% 1.01");
		g_string_append(s, " a.b");
	}
	return g_string_free(g_string_append_c(s, '\n'), FALSE);
}

START_TEST(test_columns)
{
	g_autofree char *most = wide_table(TABLE_MAX_COLUMNS);
	g_autofree char *more = wide_table(TABLE_MAX_COLUMNS + 1);
	g_autoptr(body) b = NULL, c = NULL;
	g_autoptr(GPtrArray) full = read_text(most, &b);
	g_autoptr(GPtrArray) over = read_text(more, &c);
	const struct table *t = full->pdata[0];

	ck_assert_uint_eq(t->columns->len, TABLE_MAX_COLUMNS);
	ck_assert_uint_eq(t->rows->len, 2);
	t = over->pdata[0];
	ck_assert_uint_eq(t->rows->len, 0);
	ck_assert_uint_eq(t->rejects->len, 2);
}
END_TEST

START_TEST(test_many)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = NULL;
	const struct table *t;

	for (guint i = 0; i < TABLE_MAX_TABLES + 2; i++)
		g_string_append(s, HEAD ROW "\n\n");
	tables = read_text(s->str, &b);
	ck_assert_uint_eq(tables->len, TABLE_MAX_TABLES);
	t = tables->pdata[TABLE_MAX_TABLES - 1];
	ck_assert_uint_eq(t->rejects->len, 1);
	t = tables->pdata[TABLE_MAX_TABLES - 2];
	ck_assert_uint_eq(t->rejects->len, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("lkp_table");
	TCase *t = tcase_create("core");

	tcase_add_loop_test(t, test_read, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(t, test_sign, 0, G_N_ELEMENTS(signs));
	tcase_add_test(t, test_likely);
	tcase_add_test(t, test_numbers);
	tcase_add_test(t, test_style);
	tcase_add_test(t, test_long);
	tcase_add_test(t, test_columns);
	tcase_add_test(t, test_many);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
