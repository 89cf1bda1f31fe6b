/* test_table_runs.c - numbers of runs: said, counted, raw, inferred */
#include <math.h>
#include <string.h>

#include "mail/lkp_table.h"
#include "mail/table_runs.h"

#include "tests/test.h"

/* Means of counters of the first columns of a real table each, and what they
 * tell: the runs, or 0 where it is too little to be sure. */
static const struct {
	const char *means;
	guint runs;
} fractions[] = {
	{"64.67 39.33 171.67 12.33 8.00 5.67", 3},
	{"64.50 39.50 171.50 12.00 8.50 5.50", 2},
	{"64.75 39.25 201.75 12.50 8.00 5.25", 4},
	{"12.80 39.40 201.20 12.60 8.00 5.80", 5},
	{"111.17 39.83 20.33 12.67 8.50 5.17", 6},
	{"12.00 39.00 201.00 12.00 8.00 5.00", 1},
	/* too few, or measures of anything */
	{"64.67 39.33 171.67", 0},
	{"64.61 39.17 171.89 12.03 8.44 5.58 7.29 3.77", 0},
	/* small ones, and others than %.2f, don't count */
	{"0.67 0.33 1.67 0.25 1.20 0.50", 0},
	{"1167 1234 5.6 1.63e+10 7 8.333", 0},
	/* one measure of another kind among counters */
	{"64.67 39.33 171.67 12.33 8.00 5.67 9.33 7.33 3.33 77.91", 3},
	{"", 0},
};

static struct table *of_means(const char *means, const char *metric)
{
	g_auto(GStrv) w = g_strsplit(means, " ", -1);
	struct table *t = table_new(TABLE_LKP, 1);

	for (guint i = 0; w[i] && *w[i]; i++) {
		table_add_row(t, TABLE_ROW_PERF, metric, strlen(metric), i + 1);
		table_cell(t, i, 0)->printed =
			table_keep(t, w[i], strlen(w[i]));
		table_cell(t, i, 0)->mean = g_ascii_strtod(w[i], NULL);
	}
	return t;
}

START_TEST(by_fractions)
{
	g_autoptr(table_auto) t = of_means(fractions[_i].means, "vmstat.x");

	ck_assert_uint_eq(table_runs_by_fractions(t, 0), fractions[_i].runs);
	table_infer_runs(t);
	ck_assert_uint_eq(table_column(t, 0)->runs, fractions[_i].runs);
	ck_assert_int_eq(table_column(t, 0)->runs_source,
			 fractions[_i].runs ? TABLE_RUNS_INFERRED
					    : TABLE_RUNS_UNKNOWN);
}
END_TEST

START_TEST(no_counters)
{
	static const char *const metrics[] = {
		"perf-profile.children.cycles-pp.x",
		"perf-stat.i.x",
		"sched_debug.x.avg",
		"sched_debug.x.stddev",
		"aim7.time.elapsed_time",
		"aim7.time.system_time",
		"perf-sched.wait.avg.ms",
		"mpstat.cpu.all.sys%"};

	for (guint i = 0; i < G_N_ELEMENTS(metrics); i++) {
		g_autoptr(table_auto) t =
			of_means(fractions[0].means, metrics[i]);

		ck_assert_uint_eq(table_runs_by_fractions(t, 0), 0);
	}
}
END_TEST

static const struct {
	double sd[5];
	guint runs, least;
} deviations[] = {
	{{223, 12, 223, 100, 3}, 6, 6},	   {{141, 141, 3, 2, 100}, 3, 3},
	{{173, 173, 173, 9, 3}, 4, 4},	   {{100, 100, 3, 9, 3}, 2, 2},
	{{282, 282, 3, 9, 3}, 9, 9},	   {{331, 9, 331, 9, 3}, 12, 12},
	{{223, 12, 100, 100, 3}, 0, 6},	   {{150, 150, 3, 9, 3}, 0, 4},
	{{NAN, NAN, NAN, NAN, NAN}, 0, 1},
};

static struct table *of_deviations(const double sd[5], double mean,
				   const char *metric)
{
	struct table *t = table_new(TABLE_LKP, 1);

	for (guint i = 0; i < 5; i++) {
		table_add_row(t, TABLE_ROW_PERF, metric, strlen(metric), i + 1);
		table_cell(t, i, 0)->printed = "0.71";
		table_cell(t, i, 0)->mean = mean;
		table_cell(t, i, 0)->sd_pct = sd[i];
	}
	return t;
}

START_TEST(by_deviation)
{
	g_autoptr(table_auto) t = of_deviations(deviations[_i].sd, 0.71, "x.a");

	ck_assert_uint_eq(table_runs_by_deviation(t, 0), deviations[_i].runs);
	ck_assert_uint_eq(table_runs_least(t, 0), deviations[_i].least);
}
END_TEST

START_TEST(values_that_round_to_zero_deviate_too)
{
	g_autoptr(table_auto) zero = of_deviations(deviations[0].sd, 0, "x.a");
	g_autoptr(table_auto) below =
		of_deviations(deviations[0].sd, -0.0, "x.a");

	ck_assert_uint_eq(table_runs_by_deviation(zero, 0), 6);
	ck_assert_uint_eq(table_runs_by_deviation(below, 0), 0);
}
END_TEST

START_TEST(values_below_zero_deviate_as_they_like)
{
	g_autoptr(table_auto) below =
		of_deviations(deviations[0].sd, -0.71, "x.a");
	g_autoptr(table_auto) sched =
		of_deviations(deviations[0].sd, 0.71, "sched_debug.x.a");

	ck_assert_uint_eq(table_runs_by_deviation(below, 0), 0);
	ck_assert_uint_eq(table_runs_least(below, 0), 1);
	ck_assert_uint_eq(table_runs_by_deviation(sched, 0), 0);
	ck_assert_uint_eq(table_runs_least(sched, 0), 1);
}
END_TEST

static void add_fails(struct table *t, const char *metric, gint32 fails,
		      gint32 runs)
{
	guint row = t->rows->len;

	table_add_row(t, TABLE_ROW_FAIL, metric, strlen(metric), row + 1);
	table_cell(t, row, 0)->fails = fails;
	table_cell(t, row, 0)->runs = runs;
}

static void add_perf(struct table *t)
{
	table_add_row(t, TABLE_ROW_PERF, "x.a", 3, 9);
	table_cell(t, t->rows->len - 1, 0)->printed = "12.30";
	table_cell(t, t->rows->len - 1, 0)->mean = 12.3;
}

static void expect(const struct table *t, guint column, guint runs,
		   enum table_runs_source source)
{
	ck_assert_uint_eq(table_column(t, column)->runs, runs);
	ck_assert_int_eq(table_column(t, column)->runs_source, source);
}

START_TEST(by_rows_of_failures)
{
	g_autoptr(table_auto) whole = table_new(TABLE_LKP, 1);
	g_autoptr(table_auto) alone = table_new(TABLE_LKP, 1);
	g_autoptr(table_auto) odd = table_new(TABLE_LKP, 1);

	/* measurements are of whole runs only */
	add_fails(whole, "dmesg.WARNING", 0, 4);
	add_fails(whole, "last_state.is_incomplete_run", 1, 4);
	add_perf(whole);
	table_infer_runs(whole);
	expect(whole, 0, 3, TABLE_RUNS_FAIL_TABLE);

	add_fails(alone, "last_state.is_incomplete_run", 1, 4);
	table_infer_runs(alone);
	expect(alone, 0, 4, TABLE_RUNS_FAIL_TABLE);

	add_fails(odd, "x.fail", 1, 4);
	add_fails(odd, "y.fail", 1, 5);
	table_infer_runs(odd);
	expect(odd, 0, 0, TABLE_RUNS_UNKNOWN);
}
END_TEST

static const struct {
	const char *text;
	guint runs; /* 0: nothing is said */
} sayings[] = {
	{"Each test was run two times, the given value is the average\n", 2},
	{"and we tested for 5 times for each commit\n", 5},
	{"We have run the test 10 times on both kernels.\n", 10},
	{"the test was repeated (5x times\n", 5},
	{"below are averages of 10 runs\n", 10},
	{"I did 6 runs for each commit\n", 6},
	{"results of 3 iterations per kernel\n", 3},
	{"so we run it\n5 times for each\n", 5},
	{"each test was run one time\n", 1},
	{"tested for 1 times\n", 1},
	{"Tested only once, so take it with care.\n", 1},
	{"I could run it just once\n", 1},
	{"these are from a single run\n", 0},
	{"I ran a single time on each\n", 1},
	{"results of one run per kernel\n", 1},
	/* not how often it was run */
	{"I ran it once more\n", 0},
	{"it only runs once per boot\n", 0},
	{"at one time it was tested\n", 0},
	{"we reproduced this upon 62bd8124e2 4 times out of 6 runs.\n", 0},
	{"since the other 2 runs crash early\n", 0},
	{"it runs 5 times faster\n", 0},
	{"iterations: 1x\n", 0},
	{"it happened 3 times\n", 0},
	{"many times we ran this test\n", 0},
	{"tested 0 times\n", 0},
	{"tested 99999999999999999999 times\n", 0},
	{"It was run\n\n5 times 3 is 15\n", 0},
};

static void state(const char *text, struct table *t)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables = g_ptr_array_new();

	g_ptr_array_add(tables, t);
	tables_state_runs(tables, b);
}

START_TEST(said_in_words)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 2);

	state(sayings[_i].text, t);
	for (guint i = 0; i < 2; i++)
		expect(t, i, sayings[_i].runs,
		       sayings[_i].runs ? TABLE_RUNS_STATED
					: TABLE_RUNS_UNKNOWN);
}
END_TEST

START_TEST(said_of_one_commit)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 2);

	table_column(t, 1)->label = table_column(t, 1)->commit = "0f4e1b9d3a";
	state("we tested 0f4e1b9d3a67 for 5 times\n", t);
	expect(t, 0, 0, TABLE_RUNS_UNKNOWN);
	expect(t, 1, 5, TABLE_RUNS_STATED);
}
END_TEST

START_TEST(said_where_it_is_quoted)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 1);

	state("> Each test was run two times\n", t);
	expect(t, 0, 0, TABLE_RUNS_UNKNOWN);
	t->depth = 1;
	state("> Each test was run two times\n", t);
	expect(t, 0, 2, TABLE_RUNS_STATED);
}
END_TEST

START_TEST(numbers_against_words)
{
	/* 201.75 is no mean of five whole numbers */
	g_autoptr(table_auto) four = of_means(fractions[2].means, "vmstat.x");
	g_autoptr(table_auto) five = of_means(fractions[3].means, "vmstat.x");
	g_autoptr(table_auto) two = of_means(fractions[1].means, "vmstat.x");

	state("tested for 5 times\n", four);
	state("tested for 5 times\n", five);
	state("tested for 4 times\n", two);
	table_infer_runs(four);
	table_infer_runs(five);
	table_infer_runs(two);
	expect(four, 0, 4, TABLE_RUNS_INFERRED);
	expect(five, 0, 5, TABLE_RUNS_STATED);
	expect(two, 0, 4, TABLE_RUNS_STATED);
}
END_TEST

/* Arrays: "metric@label=values" each. */
static char *told(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) all = table_samples_read(b);
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct table_samples *a = all->pdata[i];

		g_string_append_printf(s, "%s%s@%s=", i ? " " : "", a->metric,
				       a->label ? a->label : "-");
		for (guint k = 0; k < a->values->len; k++)
			g_string_append_printf(s, "%s%g", k ? "," : "",
					       g_array_index(a->values, double,
							     k));
	}
	return g_string_free(s, FALSE);
}

static const struct {
	const char *text, *read;
} arrays[] = {
	{"  \"x.ops\": [\n    1.5,\n    2,\n    3e+2\n  ],\n",
	 "x.ops@-=1.5,2,300"},
	{"\"x.ops\": [1, 2, 3]\n", "x.ops@-=1,2,3"},
	{"\"x.ops\" : [ 1,\n2\n]\n", "x.ops@-=1,2"},
	{"> > \"x.ops\": [\n> >  1,\n> >  2\n> > ],\n", "x.ops@-=1,2"},
	{"\"x.ops\": [\n\n1,\n\n2\n\n]\n", "x.ops@-=1,2"},
	/* the commit */
	{"0f4e1b9d3a67:\n\"x.ops\": [\n1,\n2\n]\n", "x.ops@0f4e1b9d3a67=1,2"},
	{"for v6.12-rc4 it is\n\n\"x.ops\": [\n1,\n2\n]\n",
	 "x.ops@v6.12-rc4=1,2"},
	{"0f4e1b9d3a67:\n\"x.ops\": [\n1,\n2\n],\n\"x.lat\": [\n3\n]\n",
	 "x.ops@0f4e1b9d3a67=1,2 x.lat@0f4e1b9d3a67=3"},
	{"0f4e1b9d3a67:\n\"x.ops\": [\n1\n],\n1e3a5b7c9d\n\"x.ops\": [\n3\n]\n",
	 "x.ops@0f4e1b9d3a67=1 x.ops@1e3a5b7c9d=3"},
	/* as grep prints them */
	{"/r/x/gcc-12/0f4e1b9d3a67/matrix.json:  \"x.ops\": [\n"
	 "/r/x/gcc-12/0f4e1b9d3a67/matrix.json-    1.5,\n"
	 "/r/x/gcc-12/0f4e1b9d3a67/matrix.json-    2\n"
	 "/r/x/gcc-12/0f4e1b9d3a67/matrix.json-  ],\n",
	 "x.ops@0f4e1b9d3a67=1.5,2"},
	{"matrix.json:\"x.ops\": [\nmatrix.json-1.5,\nmatrix.json-2\n"
	 "matrix.json-],\n",
	 "x.ops@-=1.5,2"},
	/* nothing that could be counted */
	{"\"x.ops\": [\n1,\n2\n", ""},
	{"\"x.ops\": [\n1,\n...\n2\n]\n", ""},
	{"\"x.ops\": [\n1,\n> 2\n]\n", ""},
	{"\"x.ops\": [\n]\n", ""},
	{"\"x.ops\": [\n\"a\"\n]\n", ""},
	{"\"x.ops\": [\n0x12\n]\n", ""},
	{"\"ops\": [\n1\n]\n", ""},
	{"\"a name.with blanks\": [\n1\n]\n", ""},
	{"say \"x.ops\": it is [1]\n", ""},
};

START_TEST(raw_arrays)
{
	g_autofree char *read = told(arrays[_i].text);

	ck_assert_str_eq(read, arrays[_i].read);
}
END_TEST

/* Runs with a mean and a population deviation as real ones had, and the row
 * that the robot printed of them. */
static const struct {
	double mean, sd_pct;
	guint n;
	const char *printed;
} raw[] = {
	{77.4687, 21.635, 15, "77.47 \302\261 21%"},
	{187.6417, 5.960, 24, "187.64 \302\261  5%"},
	{186.4813, 7.42, 16, "186.48 \302\261  7%"},
	{114.6173, 19.3, 15, "114.62 \302\261 19%"},
	{112.4907, 17.6, 15, "112.49 \302\261 17%"},
};

/* n values of that mean and deviation: one half above, the other below. */
static char *make_array(double mean, double sd_pct, guint n)
{
	GString *s = g_string_new("0f4e1b9d3a67\n\"x.ops\": [\n");
	guint even = n & ~1u;
	double away = mean * sd_pct / 100 * sqrt((double)n / even);

	for (guint i = 0; i < n; i++) {
		double v = i == even ? mean : mean + (i & 1 ? away : -away);

		g_string_append_printf(s, "%.6f%s\n", v, i + 1 < n ? "," : "");
	}
	g_string_append(s, "]\n");
	return g_string_free(s, FALSE);
}

START_TEST(raw_values_give_the_printed_row)
{
	g_autofree char *text =
		make_array(raw[_i].mean, raw[_i].sd_pct, raw[_i].n);
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) samples = table_samples_read(b);
	g_autoptr(GString) out = g_string_new(NULL);
	const struct table_samples *s;
	double sum = 0, squares = 0, mean;

	ck_assert_uint_eq(samples->len, 1);
	s = samples->pdata[0];
	ck_assert_uint_eq(s->values->len, raw[_i].n);
	for (guint i = 0; i < raw[_i].n; i++)
		sum += g_array_index(s->values, double, i);
	mean = sum / raw[_i].n;
	for (guint i = 0; i < raw[_i].n; i++)
		squares += pow(g_array_index(s->values, double, i) - mean, 2);
	lkp_print_value(out, mean);
	lkp_print_sd(out, 100 * sqrt(squares / raw[_i].n) / mean);
	ck_assert_str_eq(g_strstrip(out->str), raw[_i].printed);
}
END_TEST

static struct table *two_columns(const char *first, const char *second)
{
	struct table *t = table_new(TABLE_LKP, 2);

	table_column(t, 0)->label = table_column(t, 0)->commit = "1e3a5b7c9d";
	table_column(t, 1)->label = table_column(t, 1)->commit = "0f4e1b9d3a";
	table_add_row(t, TABLE_ROW_PERF, "x.ops", 5, 1);
	table_cell(t, 0, 0)->printed = first;
	table_cell(t, 0, 1)->printed = second;
	return t;
}

static const struct {
	const char *first, *second;
	guint runs[2];
} binds[] = {
	{"9.00", "77.47", {0, 15}},
	{"77.47", "9.00", {0, 0}}, /* the commit is the other one's */
	{"77.47", "77.47", {0, 15}},
	{"9.00", "77.46", {0, 0}},
	{"9.00", "78", {0, 0}},
	{"9.00", "77", {0, 15}},
};

START_TEST(raw_values_find_their_column)
{
	g_autofree char *text =
		make_array(raw[0].mean, raw[0].sd_pct, raw[0].n);
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) samples = table_samples_read(b);
	g_autoptr(GPtrArray) tables = g_ptr_array_new();
	g_autoptr(table_auto) t =
		two_columns(binds[_i].first, binds[_i].second);

	g_ptr_array_add(tables, t);
	table_samples_bind(tables, samples);
	for (guint i = 0; i < 2; i++)
		expect(t, i, binds[_i].runs[i],
		       binds[_i].runs[i] ? TABLE_RUNS_RAW : TABLE_RUNS_UNKNOWN);
}
END_TEST

START_TEST(raw_values_without_a_commit)
{
	const char *text = "\"x.ops\": [\n1,\n2\n]\n";
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) samples = table_samples_read(b);
	g_autoptr(GPtrArray) tables = g_ptr_array_new();
	g_autoptr(table_auto) one = two_columns("1.50", "7.00");
	g_autoptr(table_auto) both = two_columns("1.50", "1.50");

	g_ptr_array_add(tables, one);
	g_ptr_array_add(tables, both);
	table_samples_bind(tables, samples);
	expect(one, 0, 2, TABLE_RUNS_RAW);
	expect(one, 1, 0, TABLE_RUNS_UNKNOWN);
	expect(both, 0, 0, TABLE_RUNS_UNKNOWN);
	expect(both, 1, 0, TABLE_RUNS_UNKNOWN);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("table_runs");
	TCase *c = tcase_create("table_runs");

	tcase_add_loop_test(c, by_fractions, 0, G_N_ELEMENTS(fractions));
	tcase_add_test(c, no_counters);
	tcase_add_loop_test(c, by_deviation, 0, G_N_ELEMENTS(deviations));
	tcase_add_test(c, values_that_round_to_zero_deviate_too);
	tcase_add_test(c, values_below_zero_deviate_as_they_like);
	tcase_add_test(c, by_rows_of_failures);
	tcase_add_loop_test(c, said_in_words, 0, G_N_ELEMENTS(sayings));
	tcase_add_test(c, said_of_one_commit);
	tcase_add_test(c, said_where_it_is_quoted);
	tcase_add_test(c, numbers_against_words);
	tcase_add_loop_test(c, raw_arrays, 0, G_N_ELEMENTS(arrays));
	tcase_add_loop_test(c, raw_values_give_the_printed_row, 0,
			    G_N_ELEMENTS(raw));
	tcase_add_loop_test(c, raw_values_find_their_column, 0,
			    G_N_ELEMENTS(binds));
	tcase_add_test(c, raw_values_without_a_commit);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
