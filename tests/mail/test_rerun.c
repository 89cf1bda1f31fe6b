/* test_rerun.c - which numbers of a thread judge which candidate */
#include <math.h>

#include "mail/reading.h"
#include "mail/rerun.h"

#include "tests/mail/message_help.h"
#include "tests/test.h"

#define BASE	"1a6c0f4e8b21d5937c40"
#define CULPRIT "5d0e7b93a2c41f686be0"
#define FIX	"c81f3a5e0d7924b6e15f"
#define OTHER	"7b24e9d1c06f5a38b9d0"
#define METRIC	"aim7.jobs-per-min"

/* ---- threads of mails, as sent */

static struct reading *read_mail(const char *name)
{
	g_autofree char *path =
		g_build_filename(test_data(), "rerun", name, NULL);
	g_autofree char *raw = NULL;
	gsize len;
	message *msg;
	struct reading *r;

	ck_assert(g_file_get_contents(path, &raw, &len, NULL));
	msg = parse(raw, len, 0);
	r = reading_new(msg);
	message_unref(msg);
	return r;
}

static struct rerun_mail as_mail(const struct reading *r)
{
	return (struct rerun_mail){
		.message_id = message_id(r->msg),
		.date = message_date(r->msg),
		.subject = message_subject(r->msg),
		.tables = r->tables,
		.samples = r->samples,
		.words = r->words,
		.tested_by = r->trailers->len > 0 && r->kind == KIND_REPLY,
	};
}

/* "candidate verdict confidence ratio;" of each, in their order. */
static char *told(GPtrArray *reruns)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < reruns->len; i++) {
		const struct rerun *r = reruns->pdata[i];
		const char *sure = confidence_name(r->judgement.confidence);

		g_string_append_printf(out, "%s%.7s %s %s",
				       r->headline ? "" : "beside: ",
				       r->candidate ? r->candidate : "-",
				       verdict_name(r->judgement.verdict),
				       sure ? sure : "-");
		if (isfinite(r->judgement.ratio))
			g_string_append_printf(out, " %.4f",
					       r->judgement.ratio);
		g_string_append_c(out, ';');
	}
	return g_string_free(out, FALSE);
}

static void has_text(GPtrArray *texts, const char *part)
{
	for (guint i = 0; i < texts->len; i++)
		if (strstr(texts->pdata[i], part))
			return;
	ck_abort_msg("nothing says \"%s\"", part);
}

/* Two repairs, each tested on top of the culprit, which stands in the first
 * column; the base is in the report alone. Quoted tables are not tests. */
START_TEST(two_repairs)
{
	static const char *const names[] = {"2-patch.eml", "3-first.eml",
					    "4-second.eml", "5-thanks.eml"};
	struct reading *report = read_mail("1-report.eml"), *all[4];
	struct rerun_mail first = as_mail(report);

	ck_assert_ptr_nonnull(report->report);
	for (guint i = 0; i < 4; i++)
		all[i] = read_mail(names[i]);
	for (guint turn = 0; turn < 4; turn++) {
		struct rerun_mail mails[4];
		g_autoptr(GPtrArray) reruns = NULL;
		g_autofree char *got = NULL;
		const struct rerun *r;

		for (guint i = 0; i < 4; i++)
			mails[i] = as_mail(all[(i + turn) % 4]);
		reruns = rerun_judge(report->report, &first, mails, 4);
		got = told(reruns);
		ck_assert_str_eq(got, "c81f3a5 not-recovered high 0.0410;"
				      "7b24e9d recovered high 0.9996;");
		r = reruns->pdata[0];
		ck_assert_str_eq(r->message_id, "eva-1@example.com");
		ck_assert_uint_eq(r->runs[0], 3);
		ck_assert_uint_eq(r->runs[1], 4);
		ck_assert_uint_eq(r->runs[2], 4);
		has_text(r->assumptions, "base from the report");
		has_text(r->judgement.notes,
			 "contradicts the Tested-by in <dev-3@example.org>");
		r = reruns->pdata[1];
		ck_assert_uint_eq(r->judgement.notes->len, 0);
	}
	for (guint i = 0; i < 4; i++)
		reading_free(all[i]);
	reading_free(report);
}
END_TEST

/* ---- tables made by hand */

/* "label" or "label=subject", blanks between; rows "metric a/sd b/sd c";
 * "metric 1:4 :3" are failures. */
static struct table *make(const char *machine, const char *columns,
			  const char *rows)
{
	g_auto(GStrv) names = g_strsplit(columns, " ", -1);
	g_auto(GStrv) lines = g_strsplit(rows, "\n", -1);
	struct table *t = table_new(TABLE_LKP, g_strv_length(names));
	const struct table_axis axes[] = {
		{"testcase", "aim7"},
		{"tbox_group", table_keep(t, machine, strlen(machine))},
		{"kconfig", "x"}};

	g_array_append_vals(t->axes, axes, G_N_ELEMENTS(axes));
	for (guint i = 0; names[i]; i++) {
		struct table_column *c = table_column(t, i);
		char *subject = strchr(names[i], '=');

		if (subject)
			*subject++ = '\0';
		if (!strcmp(names[i], "?"))
			continue;
		c->label = table_keep(t, names[i], strlen(names[i]));
		if (strspn(c->label, "0123456789abcdef") == strlen(c->label))
			c->commit = c->label;
		if (subject)
			c->subject = table_keep(t, subject, strlen(subject));
		c->runs = 4;
		c->runs_source = TABLE_RUNS_STATED;
	}
	for (guint n = 0; lines[n] && *lines[n]; n++) {
		g_auto(GStrv) w = g_strsplit(lines[n], " ", -1);
		gboolean fails = strchr(w[1], ':') != NULL;
		struct table_row *row;

		row = table_add_row(t, fails ? TABLE_ROW_FAIL : TABLE_ROW_PERF,
				    w[0], strlen(w[0]), n + 1);
		row->direction = METRIC_HIGHER;
		for (guint i = 0; w[i + 1]; i++) {
			struct table_cell *cell = table_cell(t, n, i);
			char *next = NULL;

			if (fails) {
				cell->fails =
					(gint32)g_ascii_strtoll(w[i + 1], &next,
								10);
				cell->runs = (gint32)g_ascii_strtoll(next + 1,
								     NULL, 10);
				continue;
			}
			cell->mean = g_ascii_strtod(w[i + 1], &next);
			cell->printed = table_keep(t, w[i + 1],
						   (gsize)(next - w[i + 1]));
			if (*next == '/')
				cell->sd_pct = g_ascii_strtod(next + 1, NULL);
		}
	}
	return t;
}

static const struct {
	const char *name;
	const char *machine, *columns, *rows; /* of the rerun */
	const char *told;
	const char *text; /* of an assumption or note; NULL none */
} cases[] = {
	{"in order", "m1", BASE " " CULPRIT " " FIX, METRIC " 1000 600 990",
	 "c81f3a5 recovered high 0.9750;", NULL},
	{"culprit first", "m1", CULPRIT " " FIX " " BASE,
	 METRIC " 600 990 1000", "c81f3a5 recovered high 0.9750;", NULL},
	{"candidate first", "m1", FIX " " CULPRIT " " BASE,
	 METRIC " 990 600 1000", "c81f3a5 recovered high 0.9750;", NULL},
	{"two candidates", "m1", BASE " " CULPRIT " " FIX " " OTHER,
	 METRIC " 1000 600 990 605",
	 "c81f3a5 recovered high 0.9750;7b24e9d not-recovered high 0.0125;",
	 NULL},
	{"a release", "m1", BASE " " CULPRIT " v6.1-rc3",
	 METRIC " 1000 600 610", "v6.1-rc not-recovered high 0.0250;", NULL},
	{"a release before", "m1", "v6.1-rc3 " BASE " " CULPRIT,
	 METRIC " 990 1000 600", "v6.1-rc recovered high 0.9750;",
	 "v6.1-rc3 may be older than the change"},
	{"cut labels", "m1", "1a6c0f4e8b 5d0e7b93a2 c81f3a5e0d",
	 METRIC " 1000 600 990", "c81f3a5 recovered high 0.9750;", NULL},
	{"base and culprit again", "m1", BASE " " CULPRIT, METRIC " 1010 590",
	 "- reproduced high;", NULL},
	{"culprit and base again", "m1", CULPRIT " " BASE, METRIC " 590 1010",
	 "- reproduced high;", NULL},
	{"no change any more", "m1", BASE " " CULPRIT, METRIC " 1010 1005",
	 "- not-reproduced -;", "below the table's resolution"},
	{"the other way", "m1", BASE " " CULPRIT, METRIC " 600 1000",
	 "- not-reproduced -;", "the other way"},
	{"the other way, with a candidate", "m1", BASE " " CULPRIT " " FIX,
	 METRIC " 600 1000 1000", "c81f3a5 inconclusive -;", "the other way"},
	{"base from the report", "m1", CULPRIT " " FIX, METRIC " 605 990",
	 "c81f3a5 recovered high 0.9747;", "base from the report"},
	{"culprit from the report", "m1", BASE " " FIX, METRIC " 1010 990",
	 "c81f3a5 recovered high 0.9512;", "culprit from the report"},
	{"another culprit's value", "m1", CULPRIT " " FIX, METRIC " 900 990",
	 "c81f3a5 inconclusive -;", "environment: culprit was 600, now 900"},
	{"another machine, chained", "m2", CULPRIT " " FIX, METRIC " 600 990",
	 "c81f3a5 inconclusive -;", "environment: tbox_group: m2, m1"},
	{"another machine", "m2", BASE " " CULPRIT " " FIX,
	 METRIC " 500 300 490", "c81f3a5 recovered high 0.9500;",
	 "other configuration: tbox_group: m2, m1"},
	{"next version of the culprit", "m1", BASE " " OTHER "=smallfs:culprit",
	 METRIC " 1000 980", "7b24e9d recovered high 0.9500;",
	 "culprit from the report"},
	{"nothing shared", "m1", FIX " " OTHER, METRIC " 990 600",
	 "c81f3a5 inconclusive -;7b24e9d inconclusive -;",
	 "neither base nor culprit"},
	{"another base", "m1", OTHER " " CULPRIT " " FIX,
	 METRIC " 1100 600 1090", "c81f3a5 recovered high 0.9800;",
	 "base is " OTHER ", that of the report was " BASE},
	{"a title with parents", "m1", OTHER "=parents " CULPRIT " " BASE,
	 METRIC " 990 600 1000", "7b24e9d recovered high 0.9750;", NULL},
	{"two configurations", "m1", "gcc-9 gcc-12", METRIC " 990 600", "",
	 NULL},
	{"culprit twice", "m1", CULPRIT " " CULPRIT " " FIX,
	 METRIC " 600 700 900", "c81f3a5 inconclusive -;", NULL},
	{"no names but the report's values", "m1", "? ? ?",
	 METRIC " 1000 600 990", "? recovered high 0.9750;",
	 "columns told by their values"},
	{"no names, values near the report's", "m1", "? ?", METRIC " 1004 611",
	 "- reproduced high;", "columns told by their values"},
	{"no names, other values", "m1", "? ? ?", METRIC " 1001 601 990", "",
	 NULL},
	{"another result of the test", "m1", BASE " " CULPRIT " " FIX,
	 "aim7.jobs-total 10 6 10", "beside: c81f3a5 recovered high 1.0000;",
	 NULL},
	{"another result, got better", "m1", BASE " " CULPRIT " " FIX,
	 "aim7.jobs-total 6 10 10", "beside: c81f3a5 kept high 0.0000;", NULL},
	{"only monitors", "m1", BASE " " CULPRIT " " FIX,
	 "vmstat.procs.b 10 6 10", "", NULL},
	{"monitors decide nothing", "m1", BASE " " CULPRIT " " FIX,
	 "vmstat.procs.b 64 39 12\n" METRIC " 1000 600 990",
	 "c81f3a5 recovered high 0.9750;", NULL},
	{"mixed", "m1", BASE " " CULPRIT " " FIX,
	 METRIC " 1000 600 990\naim7.jobs-total 1000 600 605",
	 "c81f3a5 recovered high 0.9750;",
	 "mixed: aim7.jobs-total is not-recovered"},
	{"failures are another matter", "m1", BASE " " CULPRIT " " FIX,
	 "dmesg.BUG:example 0:4 4:4 0:4", "", NULL},
};

static struct report perf_report(void)
{
	return (struct report){.category = REPORT_PERFORMANCE,
			       .direction = REPORT_REGRESSION,
			       .metric = (char *)METRIC,
			       .change_percent = -40,
			       .commit = (char *)CULPRIT,
			       .commit_subject = (char *)"smallfs:culprit",
			       .testcase = (char *)"aim7"};
}

static struct rerun_mail mail_of(const char *id, gint64 date, GPtrArray *tables)
{
	return (struct rerun_mail){.message_id = id,
				   .date = date,
				   .subject = "s",
				   .tables = tables};
}

static GPtrArray *one_table(struct table *t)
{
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	g_ptr_array_add(tables, t);
	return tables;
}

static gboolean some_text(GPtrArray *reruns, const char *part)
{
	for (guint i = 0; i < reruns->len; i++) {
		const struct rerun *r = reruns->pdata[i];
		GPtrArray *lists[] = {r->assumptions, r->judgement.notes};

		for (guint k = 0; k < 2; k++)
			for (guint n = 0; n < lists[k]->len; n++)
				if (strstr(lists[k]->pdata[n], part))
					return TRUE;
	}
	return FALSE;
}

START_TEST(by_hand)
{
	g_autoptr(GPtrArray) reported =
		one_table(make("m1", BASE " " CULPRIT, METRIC " 1000 600"));
	g_autoptr(GPtrArray) rerun = one_table(
		make(cases[_i].machine, cases[_i].columns, cases[_i].rows));
	struct report r = perf_report();
	struct rerun_mail report = mail_of("r@example.org", 1, reported);
	struct rerun_mail mail = mail_of("x@example.org", 2, rerun);
	g_autoptr(GPtrArray) reruns = rerun_judge(&r, &report, &mail, 1);
	g_autofree char *got = told(reruns);

	ck_assert_msg(!strcmp(got, cases[_i].told), "%s: got %s",
		      cases[_i].name, got);
	if (cases[_i].text)
		ck_assert_msg(some_text(reruns, cases[_i].text), "%s",
			      cases[_i].name);
	for (guint i = 0; i < reruns->len; i++)
		ck_assert_int_eq(
			((struct rerun *)reruns->pdata[i])->other_setup,
			strcmp(cases[_i].machine, "m1") != 0);
}
END_TEST

static const struct {
	const char *name, *columns, *rows, *told;
} fails[] = {
	{"gone", CULPRIT " " FIX, "dmesg.BUG:example 6:7 0:12",
	 "c81f3a5 recovered high;"},
	{"gone, first column", FIX " " CULPRIT, "dmesg.BUG:example 0:12 6:7",
	 "c81f3a5 recovered high;"},
	{"a release", BASE " " CULPRIT " v5.19-rc6",
	 "dmesg.BUG:example 0:40 9:40 7:20", "v5.19-r not-recovered high;"},
	{"too few", BASE " " CULPRIT " " FIX, "dmesg.BUG:example 0:6 1:6 0:3",
	 "c81f3a5 inconclusive -;"},
	{"again", BASE " " CULPRIT, "dmesg.BUG:example 0:16 5:16",
	 "- reproduced high;"},
	{"not again", BASE " " CULPRIT, "dmesg.BUG:example 0:16 0:16",
	 "- not-reproduced -;"},
	{"the candidate alone", FIX, "dmesg.BUG:example 0:30",
	 "c81f3a5 recovered high;"},
	{"another failure", CULPRIT " " FIX, "dmesg.WARNING:at_x 6:7 0:12",
	 "beside: c81f3a5 recovered high;"},
	{"what went well", CULPRIT " " FIX, "BUG:example.pass 1:7 12:12",
	 "c81f3a5 recovered high;"},
};

START_TEST(failures)
{
	g_autoptr(GPtrArray) reported = one_table(
		make("m1", BASE " " CULPRIT, "dmesg.BUG:example 0:10 6:10"));
	g_autoptr(GPtrArray) rerun =
		one_table(make("m1", fails[_i].columns, fails[_i].rows));
	struct report_error error = {.text = (char *)"BUG:example",
				     .fails = {-1, -1},
				     .runs = {-1, -1}};
	struct report r = {.category = REPORT_FUNCTIONAL,
			   .change_percent = NAN,
			   .commit = (char *)CULPRIT};
	struct rerun_mail report = mail_of("r@example.org", 1, reported);
	struct rerun_mail mail = mail_of("x@example.org", 2, rerun);
	g_autoptr(GPtrArray) reruns = NULL;
	g_autofree char *got = NULL;

	r.errors = g_ptr_array_new();
	g_ptr_array_add(r.errors, &error);
	reruns = rerun_judge(&r, &report, &mail, 1);
	got = told(reruns);
	ck_assert_msg(!strcmp(got, fails[_i].told), "%s: got %s",
		      fails[_i].name, got);
	g_ptr_array_unref(r.errors);
}
END_TEST

/* The same values once more are no second test; other values are. */
START_TEST(once)
{
	static const char *const rows[] = {METRIC " 1000 600 990",
					   METRIC " 1000 600 990",
					   METRIC " 1001 600 990"};
	g_autoptr(GPtrArray) reported =
		one_table(make("m1", BASE " " CULPRIT, METRIC " 1000 600"));
	struct rerun_mail report = mail_of("r@example.org", 1, reported);
	struct report r = perf_report();
	struct rerun_mail mails[3];
	g_autoptr(GPtrArray) reruns = NULL;
	g_autofree char *got = NULL;

	for (guint i = 0; i < 3; i++) {
		static const char *const ids[] = {"c@x", "b@x", "a@x"};

		mails[i] =
			mail_of(ids[i], 2,
				one_table(make("m1", BASE " " CULPRIT " " FIX,
					       rows[i])));
	}
	((struct table *)mails[0].tables->pdata[0])->depth = 1;
	reruns = rerun_judge(&r, &report, mails, 3);
	got = told(reruns);
	ck_assert_str_eq(got, "c81f3a5 recovered high 0.9726;"
			      "c81f3a5 recovered high 0.9750;");
	ck_assert_str_eq(((struct rerun *)reruns->pdata[1])->message_id, "b@x");
	for (guint i = 0; i < 3; i++)
		g_ptr_array_unref(mails[i].tables);
}
END_TEST

/* Raw values beside the table: their own deviation and number. */
START_TEST(raw_values)
{
	static const double values[] = {980, 1000, 990, 985, 995, 700};
	g_autoptr(GPtrArray) reported =
		one_table(make("m1", BASE " " CULPRIT, METRIC " 1000 600"));
	g_autoptr(GPtrArray) rerun =
		one_table(make("m1", BASE " " CULPRIT " " FIX,
			       METRIC " 1000 600 941.67"));
	g_autoptr(GPtrArray) samples = g_ptr_array_new();
	struct table_samples s = {.metric = (char *)METRIC};
	struct report r = perf_report();
	struct rerun_mail report = mail_of("r@example.org", 1, reported);
	struct rerun_mail mail = mail_of("x@example.org", 2, rerun);
	g_autoptr(GPtrArray) reruns = NULL;
	const struct rerun *x;

	s.values = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(s.values, values, G_N_ELEMENTS(values));
	g_ptr_array_add(samples, &s);
	mail.samples = samples;
	reruns = rerun_judge(&r, &report, &mail, 1);
	ck_assert_uint_eq(reruns->len, 1);
	x = reruns->pdata[0];
	ck_assert_uint_eq(x->runs[1], 4);
	ck_assert_uint_eq(x->runs[2], 6);
	/* (941.67 - 600) / 400, wide, though the print shows no deviation */
	ck_assert(fabs(x->judgement.ratio - 0.854) < 0.001);
	ck_assert(x->judgement.ci95[0] < 0.6);
	has_text(x->judgement.notes, "one of 6 runs is far off: 700");
	g_array_unref(s.values);
}
END_TEST

/* No report that can be judged, no tables, too many columns: no harm. */
START_TEST(nothing)
{
	struct report r = perf_report();
	struct rerun_mail report = mail_of("r@example.org", 1, NULL);
	struct rerun_mail mail = mail_of("x@example.org", 2, NULL);
	g_autoptr(GPtrArray) none = rerun_judge(&r, &report, &mail, 1);
	g_autoptr(GPtrArray) empty = rerun_judge(&r, &report, NULL, 0);

	ck_assert_uint_eq(none->len + empty->len, 0);
	r.category = REPORT_BUILD;
	g_ptr_array_unref(g_steal_pointer(&none));
	none = rerun_judge(&r, &report, &mail, 1);
	ck_assert_uint_eq(none->len, 0);
}
END_TEST

/* A thread with more candidates than anybody reads. */
START_TEST(limit)
{
	g_autoptr(GPtrArray) reported =
		one_table(make("m1", BASE " " CULPRIT, METRIC " 1000 600"));
	g_autoptr(GPtrArray) rerun =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);
	struct report r = perf_report();
	struct rerun_mail report = mail_of("r@example.org", 1, reported);
	struct rerun_mail mail = mail_of("x@example.org", 2, rerun);
	g_autoptr(GPtrArray) reruns = NULL;
	const struct rerun *last;
	GPtrArray *notes;

	for (guint i = 0; i < 2 * RERUN_MAX; i++) {
		g_autofree char *columns =
			g_strdup_printf(BASE " " CULPRIT " %08x", i + 1);

		g_ptr_array_add(rerun,
				make("m1", columns, METRIC " 1000 600 990"));
	}
	reruns = rerun_judge(&r, &report, &mail, 1);
	ck_assert_uint_eq(reruns->len, RERUN_MAX);
	last = reruns->pdata[RERUN_MAX - 1];
	notes = last->judgement.notes;
	ck_assert_str_eq(notes->pdata[notes->len - 1],
			 "100 further measurements are not judged");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("rerun");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, two_repairs);
	tcase_add_loop_test(tc, by_hand, 0, G_N_ELEMENTS(cases));
	tcase_add_loop_test(tc, failures, 0, G_N_ELEMENTS(fails));
	tcase_add_test(tc, once);
	tcase_add_test(tc, raw_values);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, limit);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
