/* test_fsperf_table.c - tables of fsperf, and what mailers make of them */
#include <math.h>
#include <string.h>

#include "mail/fsperf_table.h"
#include "mail/message.h"

#include "tests/mail/corpus_help.h"

#define HEAD                                                 \
	"     metric         baseline   current      diff\n" \
	"=================================================\n"
#define HEAD_SD                                                        \
	"     metric         baseline   current    stdev       diff\n" \
	"==========================================================\n"
#define ROW    "write_iops          25270.10   25553.43   1.12%\n"
#define ROW_SD "write_iops          25270.10   25553.43   252.70   1.12%**\n"

static GPtrArray *read_text(const char *text, body **b)
{
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	*b = body_parse(text, strlen(text));
	if (fsperf_table_likely(*b))
		fsperf_tables_read(*b, tables);
	return tables;
}

/* "[depth title]" a table, "metric|base~sd|now|change|note" a row with "*" for
 * notable ones, "!text" a reject. */
static void add_table(GString *s, const struct table *t)
{
	g_string_append_printf(s, "[%u %s]%s", t->depth,
			       t->title ? t->title : "-",
			       t->elided ? "..." : "");
	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_row *r = table_row(t, i);
		const struct table_cell *base = table_cell(t, i, 0);
		const struct table_cell *now = table_cell(t, i, 1);

		g_string_append_printf(s, " %s|%s", r->metric, base->printed);
		if (isfinite(base->sd_pct))
			g_string_append_printf(s, "~%.2f", base->sd_pct);
		g_string_append_printf(s, "|%s|%s%s%s%s%s", now->printed,
				       now->change_printed,
				       now->base_zero ? "0" : "",
				       r->notable ? "*" : "",
				       r->note ? "|" : "",
				       r->note ? r->note : "");
	}
	for (guint i = 0; i < t->rejects->len; i++) {
		const struct table_reject *r = t->rejects->pdata[i];

		ck_assert(*r->reason);
		g_string_append_printf(s, " !%s", r->text);
	}
}

static char *told(const char *text)
{
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = read_text(text, &b);
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < tables->len; i++)
		add_table(s, tables->pdata[i]);
	return g_string_free(s, FALSE);
}

#define R    " write_iops|25270.10|25553.43|1.12%"
#define R_SD " write_iops|25270.10~1.00|25553.43|1.12%*"

static const struct {
	const char *text, *read;
} cases[] = {
	{"dbench60 results\n" HEAD ROW, "[0 dbench60]" R},
	{"dbench60 results\n" HEAD_SD ROW_SD, "[0 dbench60]" R_SD},
	{"large file results\n\n" HEAD ROW, "[0 large file]" R},
	{HEAD ROW, "[0 -]" R},
	{"Here are the\nresults\n" HEAD ROW, "[0 -]" R},
	{"a results\n" HEAD ROW "\nb results\n" HEAD ROW, "[0 a]" R "[0 b]" R},
	{"a results\n" HEAD ROW "b results\n" HEAD ROW, "[0 a]" R "[0 b]" R},
	/* values */
	{HEAD "read_iops 0 0 0.00%\n", "[0 -] read_iops|0|0|0.00%"},
	{HEAD "read_iops 0 3.50 100.00%\n", "[0 -] read_iops|0|3.50|100.00%0"},
	{HEAD "write_bw_bytes 1.04e+08 1.05e+08 1.12%\n",
	 "[0 -] write_bw_bytes|1.04e+08|1.05e+08|1.12%"},
	{HEAD "elapsed 170 167 -1.76%\n", "[0 -] elapsed|170|167|-1.76%"},
	{HEAD_SD "elapsed 0 0 0 0.00%\n", "[0 -] elapsed|0|0|0.00%"},
	{HEAD_SD "elapsed 2 2 0 0.00%\n", "[0 -] elapsed|2~0.00|2|0.00%"},
	{HEAD_SD "elapsed 2 nan nan nan%\n", "[0 -] elapsed|2|nan|nan%"},
	/* marks and notes */
	{HEAD "elapsed 170 167 -1.76% **\n", "[0 -] elapsed|170|167|-1.76%*"},
	{HEAD "elapsed 170 167 -1.76%  <-- here\n",
	 "[0 -] elapsed|170|167|-1.76%|<-- here"},
	{HEAD "elapsed 170 167 \033[92m -1.76%\033[0m\n",
	 "[0 -] elapsed|170|167|-1.76%"},
	{HEAD "elapsed 170 167 [92m -1.76%[0m\n",
	 "[0 -] elapsed|170|167|-1.76%"},
	/* blanks that were lost or changed */
	{"a results\nmetric baseline current diff\n====================\n" ROW,
	 "[0 a]" R},
	{HEAD "write_iops\t25270.10\302\240 25553.43\302\2401.12%\r\n",
	 "[0 -]" R},
	{"a results\n\n" HEAD "\n" ROW "\n" ROW "\nAll of it.\n", "[0 a]" R R},
	/* wrapped lines */
	{"metric baseline current stdev\ndiff\n==========\n======\n" ROW_SD,
	 "[0 -]" R_SD},
	{"metric baseline current\nstdev diff\n==========\n" ROW_SD,
	 "[0 -]" R_SD},
	{HEAD "write_iops 25270.10\n25553.43 1.12%\n" ROW, "[0 -]" R R},
	{HEAD "write_iops\n25270.10 25553.43 1.12%\n" ROW, "[0 -]" R R},
	{HEAD "wri 25270.10 25553.43 1.12%\nte_iops\n" ROW, "[0 -]" R R},
	/* quoted */
	{">> a results\n>> metric baseline current diff\n>> ==========\n>> " ROW,
	 "[2 a]" R},
	{"> metric baseline current diff\n> ==========\n> " ROW
	 "Why is that so?\n> " ROW "\nElse it is fine.\n",
	 "[1 -]" R R},
	/* shortened, damaged */
	{HEAD ROW "...\n" ROW, "[0 -]..." R R},
	{HEAD ROW "elapsed 170 16x7 1 -1.76%\n" ROW,
	 "[0 -]" R R " !elapsed 170 16x7 1 -1.76%"},
	{HEAD ROW "elapsed 170 167 -1.76\n",
	 "[0 -]" R " !elapsed 170 167 -1.76"},
	/* the end */
	{HEAD ROW "\nThanks,\nA. Person\n", "[0 -]" R},
	{HEAD ROW "So 3 of 4 are faster.\n", "[0 -]" R},
	/* no tables */
	{"The baseline is slow.\n", ""},
	{HEAD, ""},
	{"metric baseline current\n==========\n" ROW, ""},
	{"metric baseline diff current\n==========\n" ROW, ""},
	{ROW, ""},
};

START_TEST(of_a_body)
{
	g_autofree char *read = told(cases[_i].text);

	ck_assert_str_eq(read, cases[_i].read);
}
END_TEST

START_TEST(columns_and_lines)
{
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables =
		read_text("\na results\n" HEAD ROW ROW, &b);
	const struct table *t;

	ck_assert_uint_eq(tables->len, 1);
	t = tables->pdata[0];
	ck_assert_int_eq(t->style, TABLE_FSPERF);
	ck_assert_uint_eq(t->line, 3);
	ck_assert_uint_eq(table_row(t, 1)->line, 6);
	ck_assert_uint_eq(t->columns->len, 2);
	ck_assert_str_eq(table_column(t, 0)->label, "baseline");
	ck_assert_str_eq(table_column(t, 1)->label, "current");
	ck_assert_ptr_null(table_column(t, 0)->commit);
	ck_assert_double_eq_tol(table_cell(t, 0, 0)->mean, 25270.10, 1e-9);
	ck_assert_double_eq_tol(table_cell(t, 0, 1)->change, 1.12, 1e-9);
	ck_assert_int_eq(table_cell(t, 0, 1)->change_kind,
			 TABLE_CHANGE_PERCENT);
	ck_assert_int_eq(table_cell(t, 0, 0)->change_kind, TABLE_CHANGE_NONE);
}
END_TEST

static char *quoted(const char *text, guint depth)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *s = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++) {
		for (guint k = 0; k < depth; k++)
			g_string_append(s, "> ");
		g_string_append_printf(s, "%s\n", lines[i]);
	}
	return g_string_free(s, FALSE);
}

static char *collapsed(const char *text)
{
	GString *s = g_string_new(NULL);

	for (; *text; text++) {
		if (*text != ' ' || (s->len && s->str[s->len - 1] != ' ' &&
				     s->str[s->len - 1] != '\n'))
			g_string_append_c(s, *text);
	}
	return g_string_free(s, FALSE);
}

static char *values(GPtrArray *tables)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < tables->len; i++) {
		struct table *t = tables->pdata[i];

		t->depth = 0;
		add_table(s, t);
	}
	return g_string_free(s, FALSE);
}

struct real {
	guint tables, rows;
};

static void same_in(const char *text, const char *want)
{
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = read_text(text, &b);
	g_autofree char *got = values(tables);

	ck_assert_str_eq(got, want);
}

/* What mailers do to a body changes no value. */
static void check_real(GBytes *raw, gpointer data)
{
	struct real *seen = data;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables = NULL;
	g_autofree char *want = NULL, *narrow = NULL;

	if (!msg || !strstr(message_body(msg), "baseline"))
		return;
	tables = read_text(message_body(msg), &b);
	if (!tables->len)
		return;
	for (guint i = 0; i < tables->len; i++) {
		const struct table *t = tables->pdata[i];

		ck_assert_uint_eq(t->rejects->len, 0);
		seen->rows += t->rows->len;
	}
	seen->tables += tables->len;
	want = values(tables);
	narrow = collapsed(message_body(msg));
	same_in(narrow, want);
	for (guint depth = 1; depth <= 6; depth++) {
		g_autofree char *text = quoted(message_body(msg), depth);

		same_in(text, want);
	}
}

START_TEST(tables_of_real_mail)
{
	struct real seen = {0};

	corpus_each(check_real, &seen);
	if (test_corpus()) {
		ck_assert_uint_eq(seen.tables, 17);
		ck_assert_uint_eq(seen.rows, 289);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("fsperf_table");
	TCase *c = tcase_create("fsperf_table");

	tcase_add_loop_test(c, of_a_body, 0, G_N_ELEMENTS(cases));
	tcase_add_test(c, columns_and_lines);
	tcase_add_test(c, tables_of_real_mail);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
