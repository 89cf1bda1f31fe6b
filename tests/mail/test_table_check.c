/* test_table_check.c - what is found wrong in tables, and what is not */
#include <math.h>
#include <string.h>

#include "mail/table_check.h"

#include "tests/test.h"

#define SEED 20240131

/* A table from text: first the runs of each column (0 unknown, "s5" stated,
 * "i5" inferred), then rows of "metric value change value ...", "fails:runs"
 * in rows of failures. Blanks part all of them. */
static void set_column(struct table_column *c, const char *word)
{
	c->runs_source = *word == 's'	? TABLE_RUNS_STATED
			 : *word == 'i' ? TABLE_RUNS_INFERRED
			 : *word == 'f' ? TABLE_RUNS_FAIL_TABLE
					: TABLE_RUNS_UNKNOWN;
	c->runs = (guint)g_ascii_strtoull(word + !!c->runs_source, NULL, 10);
}

static void set_value(struct table *t, struct table_cell *c, const char *word)
{
	char **part = g_strsplit(word, "~", 2);

	c->printed = table_keep(t, part[0], strlen(part[0]));
	if (strchr(part[0], ':')) {
		c->fails = (gint32)g_ascii_strtoll(part[0], NULL, 10);
		c->runs = (gint32)g_ascii_strtoll(strchr(part[0], ':') + 1,
						  NULL, 10);
	} else {
		c->mean = g_ascii_strtod(part[0], NULL);
	}
	if (part[1])
		c->sd_pct = g_ascii_strtod(part[1], NULL);
	g_strfreev(part);
}

static void set_change(struct table *t, struct table_cell *c, const char *word)
{
	c->change_printed = table_keep(t, word, strlen(word));
	c->change = g_ascii_strtod(word, NULL);
	c->change_kind = strchr(word, '%') && c->fails < 0
				 ? TABLE_CHANGE_PERCENT
				 : TABLE_CHANGE_POINTS;
}

static void add_row(struct table *t, const char *line)
{
	char **w = g_strsplit(line, " ", -1);
	gboolean fail = w[1] && strchr(w[1], ':');
	guint row = t->rows->len;

	table_add_row(t, fail ? TABLE_ROW_FAIL : TABLE_ROW_PERF, w[0],
		      strlen(w[0]), row + 1);
	for (guint i = 0; i < t->columns->len; i++) {
		struct table_cell *c = table_cell(t, row, i);

		set_value(t, c, w[i ? 2 * i + 1 : 1]);
		if (i)
			set_change(t, c, w[2 * i]);
	}
	g_strfreev(w);
}

static struct table *make(enum table_style style, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	char **runs = g_strsplit(lines[0], " ", -1);
	struct table *t = table_new(style, g_strv_length(runs));

	for (guint i = 0; runs[i]; i++)
		set_column(table_column(t, i), runs[i]);
	for (guint i = 1; lines[i]; i++)
		add_row(t, lines[i]);
	g_strfreev(runs);
	g_strfreev(lines);
	return t;
}

/* "code row" of each finding, joined by commas. */
static char *findings(const struct table *t)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < t->findings->len; i++) {
		const struct table_finding *f = t->findings->pdata[i];

		ck_assert(*f->text);
		g_string_append_printf(s, "%s%s %d", i ? ", " : "", f->code,
				       f->row);
	}
	return g_string_free(s, FALSE);
}

static const struct {
	enum table_style style;
	const char *text, *found;
} cases[] = {
	/* numbers that fit although they don't seem to */
	{TABLE_LKP, "0 0\naim7.jobs-per-min 117419 -33.7% 77863", ""},
	{TABLE_LKP, "0 0\nx.a 0.01 -35.7% 0.00", ""},
	{TABLE_LKP, "0 0\nx.a 0.01 +75.0% 0.02", ""},
	{TABLE_LKP, "0 0\nx.a 1000 +0.1% 1000", ""},
	{TABLE_LKP, "0 0\nx.a -5338 +5614.3% -305037", ""},
	{TABLE_LKP, "0 0\nx.a 1.63e+10 +0.0% 1.63e+10", ""},
	{TABLE_LKP, "0 0\nx.a 4.12e+08 -1.2% 4.072e+08", ""},
	{TABLE_LKP, "0 0\nx.a 3 +1.7e+05% 5245", ""},
	{TABLE_LKP, "0 0\nx% 12.03 -0.3 11.72", ""},
	/* nothing can be told */
	{TABLE_LKP, "0 0\nx.a 0.00 +1.2e+104% 12.33", ""},
	{TABLE_LKP, "0 0\nx.a 0.00 -100.0% 0.00", ""},
	{TABLE_LKP, "0 0\nx.a 12.00 +Inf% 12.33", ""},
	{TABLE_LKP, "0 0\nx.a nan +3.0% 12.33", ""},
	/* numbers that do not fit */
	{TABLE_LKP, "0 0\naim7.jobs-per-min 117419 -33.8% 77863",
	 "change-mismatch 0"},
	{TABLE_LKP, "0 0\naim7.jobs-per-min 117419 +33.7% 77863",
	 "change-mismatch 0"},
	{TABLE_LKP, "0 0\naim7.jobs-per-min 77863 -33.7% 117419",
	 "change-mismatch 0"},
	{TABLE_LKP, "0 0\nx% 12.03 -0.5 11.72", "change-mismatch 0"},
	{TABLE_LKP, "0 0\nx.a 5.00 +1.2e+104% 12.33", "change-mismatch 0"},
	{TABLE_LKP,
	 "0 0 0\nx.a 100.00 +1.0% 101.00 +2.0% 102.00\n"
	 "x.b 100.00 +1.0% 101.00 +3.0% 102.00",
	 "change-mismatch 1"},
	/* fsperf rounds; its base of zero has a change by agreement */
	{TABLE_FSPERF, "0 0\nelapsed 170 -1.76% 167", ""},
	{TABLE_FSPERF, "0 0\nelapsed 170 -1.77% 167", "change-mismatch 0"},
	{TABLE_FSPERF, "0 0\nwrite_bw_bytes 1.04e+08 1.12% 1.05e+08", ""},
	{TABLE_FSPERF, "0 0\nwrite_bw_bytes 1.04e+08 3.12% 1.05e+08",
	 "change-mismatch 0"},
	{TABLE_FSPERF, "0 0\nread_iops 0 0.00% 0", ""},
	{TABLE_FSPERF, "0 0\nread_iops 0 100.00% 3.50", ""},
	{TABLE_FSPERF, "0 0\nread_iops 0 12.00% 3.50", "change-mismatch 0"},
	{TABLE_FSPERF, "0 0\nsys_cpu 0.00 12.00% 3.50", ""},
	/* rows of failures */
	{TABLE_LKP, "0 0\nt.fail :4 100% 4:4", ""},
	{TABLE_LKP, "0 0\nt.fail 1:6 17% 2:6", ""},
	{TABLE_LKP, "0 0\nt.fail :14 23% 7:13", "fail-rate-wrong 0"},
	{TABLE_LKP, "0 0 0\nt.fail 12:12 -100% :12 -92% 1:1",
	 "fail-rate-wrong 0"},
	{TABLE_LKP, "0 0 0\nt.fail 12:12 -100% :12 0% 1:1", ""},
	{TABLE_LKP, "0 0\nperf-profile.x_error 7:3 12% 9:3", ""},
	{TABLE_LKP, "0 0\nt.fail 1:6 100% 7:6", "fails-exceed-runs 0"},
	{TABLE_LKP, "0 0\ndmesg.timestamp:last 301:6 83% 307:6", ""},
	{TABLE_LKP, "0 0\ninterrupts.error 1:6 3% 1:6", ""},
	{TABLE_LKP, "0 0\nt.something 12:6 17% 13:6", ""},
	/* deviations: only where it is told how many runs there were */
	{TABLE_LKP, "s3 s3\nx.a 10.00~141 +0.0% 10.00~141", ""},
	{TABLE_LKP, "s3 s3\nx.a 10.00~142 +0.0% 10.00~3", "sd-too-large 0"},
	{TABLE_LKP, "f4 f4\nx.a 10.00~173 +0.0% 10.00~223", "sd-too-large 0"},
	{TABLE_LKP, "i3 i3\nx.a 10.00~223 +0.0% 10.00~3", ""},
	{TABLE_LKP, "0 0\nx.a 10.00~223 +0.0% 10.00~3", ""},
	{TABLE_LKP, "s3 s3\nsched_debug.a 10.00~223 +0.0% 10.00~3", ""},
	{TABLE_LKP, "s3 s3\nx.a -10.00~223 -0.0% -10.00~3", ""},
	/* the same metric twice */
	{TABLE_LKP,
	 "0 0\nx.time.elapsed_time 10.00 +0.0% 10.00\n"
	 "time.elapsed_time 10.00 +0.0% 10.00",
	 ""},
	{TABLE_LKP,
	 "0 0\nx.time.elapsed_time 10.00 +0.0% 10.00\n"
	 "time.elapsed_time 11.00 +0.0% 11.00",
	 "duplicate-differs 1"},
	{TABLE_LKP, "0 0\nx.a 10.00 +0.0% 10.00\nx.a 10.00 +0.1% 10.01",
	 "duplicate-differs 1"},
};

START_TEST(of_one_table)
{
	g_autoptr(table_auto) t = make(cases[_i].style, cases[_i].text);
	g_autofree char *found = NULL;

	table_check(t);
	found = findings(t);
	ck_assert_msg(!strcmp(found, cases[_i].found), "%s: %s", cases[_i].text,
		      found);
}
END_TEST

START_TEST(picked_rows_may_be_of_several_tests)
{
	g_autoptr(table_auto) t = make(TABLE_LKP, "0 0\nx.a 10.00 +0.0% 10.00\n"
						  "x.a 20.00 +0.0% 20.00");

	t->headless = TRUE;
	table_check(t);
	ck_assert_uint_eq(t->findings->len, 0);
}
END_TEST

static const struct {
	const char *label, *commit, *found;
} labels[] = {
	{"0f4e1b9d3a", "0f4e1b9d3a67", ""},
	{"0f4e1b9d3a67", "0f4e1b9d3a", ""},
	{"v6.12-rc4", "0f4e1b9d3a67", ""},
	{"0f4e1b9d3a", NULL, ""},
	{NULL, "0f4e1b9d3a67", ""},
	{"0f4e1b9d3a", "0f4e1b9d4a67", "label-mismatch -1"},
};

START_TEST(labels_and_commits)
{
	g_autoptr(table_auto) t = make(TABLE_LKP, "0 0\nx.a 1.00 +0.0% 1.00");
	g_autofree char *found = NULL;

	table_column(t, 1)->label = labels[_i].label;
	table_column(t, 1)->commit = labels[_i].commit;
	table_check(t);
	found = findings(t);
	ck_assert_str_eq(found, labels[_i].found);
}
END_TEST

#define RULE                                             \
	"---------------- ---------------------------\n" \
	"         %stddev     %change         %stddev\n" \
	"             \\          |                \\\n" \
	"     12345            +1.0%      12468        x.ops\n"
#define PARENT	"0f4e1b9d3a67b0e28c1f5a9d7e3b4c6a8d9e0f1b"
#define CULPRIT "1e3a5b7c9d0f2e4a6b8c0d1e3f5a7b9c2d4e6f80"

static const struct {
	const char *text, *found;
} lists[] = {
	{"commit:\n  " PARENT "\n  " CULPRIT " (\"a: title\")\n\n"
	 "0f4e1b9d3a67b0e2 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE,
	 ""},
	{"commit:\n  v6.12-rc4\n  1e3a5b7c9d\n\n"
	 "       v6.12-rc4 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE,
	 ""},
	{"commit:\n  " PARENT "\n  " CULPRIT "\n\n"
	 "       v6.12-rc4 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE,
	 ""},
	{"0f4e1b9d3a67b0e2 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE, ""},
	{"commit:\n  " PARENT "\n  " CULPRIT "\n\n"
	 "0f4e1b9d3a67b0e2 1e3a5b7d9d0f2e4a6b8c0d1e3f5\n" RULE,
	 "label-mismatch -1"},
	{"commit:\n  " CULPRIT "\n\n"
	 "1e3a5b7c9d0f2e4a 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE,
	 "column-count -1"},
	{"commit:\n  " PARENT "\n  " CULPRIT "\nand more of that.\n"
	 "0f4e1b9d3a67b0e2 1e3a5b7c9d0f2e4a6b8c0d1e3f5\n" RULE,
	 ""},
};

START_TEST(lists_of_commits)
{
	const char *text = lists[_i].text;
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables = tables_read(b);
	g_autofree char *found = NULL;

	ck_assert_uint_eq(tables->len, 1);
	found = findings(tables->pdata[0]);
	ck_assert_str_eq(found, lists[_i].found);
}
END_TEST

static const struct {
	const char *metric;
	double written;
	gboolean regression;
	const char *found;
} headlines[] = {
	{"fio.write_iops", -33.7, TRUE, ""},
	{"fio.write_iops", 33.7, TRUE, ""},
	{"fio.write_iops", 33.6, TRUE, "headline-mismatch 0"},
	{"fio.write_iops", -33.7, FALSE, "direction-contradicts 0"},
	{"fsmark.app_overhead", 92.5, TRUE, ""},
	{"fsmark.app_overhead", 92.5, FALSE, "direction-contradicts 1"},
	{"unheard-of.thing", 5.0, FALSE, ""},
	{"unheard-of.thing", 5.0, TRUE, ""},
	{"not.here", 5.0, TRUE, ""},
	{"fio.write_iops", NAN, TRUE, ""},
};

START_TEST(of_the_headline)
{
	g_autoptr(table_auto) t =
		make(TABLE_LKP, "0 0\n"
				"fio.write_iops 117419 -33.7% 77863\n"
				"fsmark.app_overhead 200.00 +92.5% 385.00\n"
				"unheard-of.thing 100.00 +5.0% 105.00");
	g_autofree char *found = NULL;

	table_check_headline(t, headlines[_i].metric, headlines[_i].written,
			     headlines[_i].regression);
	found = findings(t);
	ck_assert_str_eq(found, headlines[_i].found);
}
END_TEST

START_TEST(findings_come_to_an_end)
{
	g_autoptr(table_auto) t = table_new(TABLE_LKP, 2);
	const struct table_finding *last;

	for (guint i = 0; i < 5 * TABLE_CHECK_MAX; i++) {
		g_autofree char *row =
			g_strdup_printf("x.%u 100.00 +7.0%% 101.00", i);

		add_row(t, row);
	}
	table_check(t);
	ck_assert_uint_eq(t->findings->len, TABLE_CHECK_MAX + 1);
	last = t->findings->pdata[TABLE_CHECK_MAX];
	ck_assert_int_eq(last->row, -1);
	ck_assert_str_eq(last->text, "800 further findings");
}
END_TEST

static const struct {
	const char *text;
	double lo, hi;
	gboolean is_change;
} intervals[] = {
	{"117419", 117419, 117420, FALSE},
	{"-5338", -5339, -5338, FALSE},
	{"0", -1, 1, FALSE},
	{"12.34", 12.335, 12.345, FALSE},
	{"-0.50", -0.505, -0.495, FALSE},
	{"1.63e+10", 1.6295e10, 1.6305e10, FALSE},
	{"4.072e+08", 4.0715e8, 4.0725e8, FALSE},
	{"1e+09", 9.995e8, 1.0005e9, FALSE},
	{"-33.7%", -33.75, -33.65, TRUE},
	{"+0.5", 0.45, 0.55, TRUE},
	{"1.12%", 1.115, 1.125, TRUE},
	{"-100%", -100.5, -99.5, TRUE},
	{"+1.2e+05%", 115000, 125000, TRUE},
};

START_TEST(values_printed_alike)
{
	struct interval i = intervals[_i].is_change
				    ? table_change_interval(intervals[_i].text)
				    : table_interval(intervals[_i].text);
	double slack = 1e-9 * fabs(intervals[_i].hi);

	ck_assert_double_eq_tol(i.lo, intervals[_i].lo, slack);
	ck_assert_double_eq_tol(i.hi, intervals[_i].hi, slack);
}
END_TEST

START_TEST(no_value_no_interval)
{
	static const char *const texts[] = {"", "x", "+", "inf", "nan", "-"};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		ck_assert(isnan(table_interval(texts[i]).lo));
		ck_assert(isnan(table_change_interval(texts[i]).lo));
	}
	/* any length of digits is read */
	ck_assert(isnan(table_interval("1e999999999999999999999").lo));
}
END_TEST

/* Rows of real tables: none is wrong; and of those that somebody damaged, this
 * share is seen, in percent. */
enum damage { CHANGE, BASE, VALUE, SIGN, SWAP, N_DAMAGES };
static const double seen_least[N_DAMAGES] = {94, 73, 75, 91, 87};

static char *other_digit(GRand *rnd, const char *text)
{
	char *out = g_strdup(text);
	gsize len = strlen(text), at;

	do
		at = (gsize)g_rand_int_range(rnd, 0, (gint32)len);
	while (!g_ascii_isdigit(text[at]));
	out[at] = (char)('0' +
			 (text[at] - '0' + g_rand_int_range(rnd, 1, 10)) % 10);
	return out;
}

static gboolean is_found(const char *base, const char *change,
			 const char *value)
{
	g_autofree char *text =
		g_strdup_printf("0 0\nx.a %s %s %s", base, change, value);
	g_autoptr(table_auto) t = make(TABLE_LKP, text);

	table_check(t);
	return t->findings->len > 0;
}

static gboolean damage(GRand *rnd, enum damage how, char *const *f)
{
	g_autofree char *word = NULL;

	switch (how) {
	case CHANGE:
		word = other_digit(rnd, f[1]);
		return is_found(f[0], word, f[2]);
	case BASE:
		word = other_digit(rnd, f[0]);
		return is_found(word, f[1], f[2]);
	case VALUE:
		word = other_digit(rnd, f[2]);
		return is_found(f[0], f[1], word);
	case SIGN:
		word = g_strdup(f[1]);
		*word = *word == '+' ? '-' : '+';
		return is_found(f[0], word, f[2]);
	default:
		return is_found(f[2], f[1], f[0]);
	}
}

START_TEST(damage_is_seen)
{
	g_autofree char *path =
		g_build_filename(test_data(), "table", "changes.tsv", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GRand *rnd = g_rand_new_with_seed(SEED);
	guint seen[N_DAMAGES] = {0}, rows = 0;

	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_auto(GStrv) f = g_strsplit(lines[i], "\t", -1);
		struct interval base;

		if (*lines[i] == '#' || g_strv_length(f) != 3)
			continue;
		ck_assert_msg(!is_found(f[0], f[1], f[2]), "%s", lines[i]);
		base = table_interval(f[0]);
		if (base.lo <= 0 && base.hi >= 0)
			continue;
		rows++;
		for (enum damage how = CHANGE; how < N_DAMAGES; how++)
			seen[how] += damage(rnd, how, f);
	}
	g_rand_free(rnd);
	ck_assert_uint_ge(rows, 700);
	for (guint i = 0; i < N_DAMAGES; i++)
		ck_assert_msg(100.0 * seen[i] >= seen_least[i] * rows,
			      "damage %u: seen %.1f %%", i,
			      100.0 * seen[i] / rows);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("table_check");
	TCase *c = tcase_create("table_check");

	tcase_add_loop_test(c, of_one_table, 0, G_N_ELEMENTS(cases));
	tcase_add_test(c, picked_rows_may_be_of_several_tests);
	tcase_add_loop_test(c, labels_and_commits, 0, G_N_ELEMENTS(labels));
	tcase_add_loop_test(c, lists_of_commits, 0, G_N_ELEMENTS(lists));
	tcase_add_loop_test(c, of_the_headline, 0, G_N_ELEMENTS(headlines));
	tcase_add_test(c, findings_come_to_an_end);
	tcase_add_loop_test(c, values_printed_alike, 0,
			    G_N_ELEMENTS(intervals));
	tcase_add_test(c, no_value_no_interval);
	tcase_add_test(c, damage_is_seen);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
