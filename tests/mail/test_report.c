/* test_report.c - performance reports of the kernel test robot, invented ones
 * in the forms of several years */
#include <math.h>
#include <string.h>

#include "mail/reading.h"

#include "tests/test.h"

#define ROBOT  "kernel test robot <oliver.sang@intel.com>"
#define COMMIT "0123456789abcdef0123456789abcdef01234567"

#define TABLE                                                               \
	"=========================================================\n"       \
	"compiler/cpufreq_governor/kconfig/nr_task/tbox_group/testcase:\n"  \
	"  gcc-12/performance/x86_64-rhel-8.3/50%/lkp-box-1/unixbench\n"    \
	"\n"                                                                \
	"commit: \n"                                                        \
	"  aaaaaaaaaa (\"fs: before\")\n"                                   \
	"  0123456789 (\"fs: do less\")\n"                                  \
	"\n"                                                                \
	"aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a \n"                   \
	"---------------- --------------------------- \n"                   \
	"         %stddev     %change         %stddev\n"                    \
	"             \\          |                \\  \n"                  \
	"      4177 \xc2\xb1  2%     -12.5%       3655 \xc2\xb1  3%  "      \
	"unixbench.score\n"                                                 \
	"      1.50           +71.2%       2.57        unixbench.latency\n" \
	"      0.32            +0.5        0.82        mpstat.cpu.all.idle%\n"

#define BLOCK_2021                                                      \
	"\n\ncommit: " COMMIT " (\"fs: do \"less\" work\")\n"           \
	"https://git.example.org/linux.git master\n\n\n"                \
	"in testcase: unixbench\n"                                      \
	"on test machine: 96 threads (Box Lake) with 128G memory\n"     \
	"with following parameters:\n\n"                                \
	"\truntime: 300s\n\tnr_task: 50%\n\ttest: Sequential Write\n\n" \
	"test-description: UnixBench\n"                                 \
	"test-url: https://bench.example.org\n\n\n"                     \
	"If you fix the issue, kindly add following tag\n"              \
	"Reported-by: " ROBOT "\n\n\n"                                  \
	"Details are as below:\n"                                       \
	"----------------------------------------------------------->\n\n\n"

#define BLOCK_2024                                                          \
	"\n\ncommit: " COMMIT " (\"[PATCH v2 3/3] fs: do less\")\n"         \
	"url: https://github.example.org/commits/A-Person/fs/20240101-1\n"  \
	"base: https://git.example.org/fs.git for-next\n"                   \
	"patch link: https://lore.kernel.org/all/p3%40example.org/\n"       \
	"patch subject: [PATCH v2 3/3] fs: do less\n\n"                     \
	"testcase: unixbench\n"                                             \
	"config: x86_64-rhel-9.4\n"                                         \
	"compiler: gcc-13\n"                                                \
	"test machine: 96 threads (Box Lake) with 128G memory\n"            \
	"parameters:\n\n"                                                   \
	"\truntime: 300s\n\n\n"                                             \
	"If you fix the issue in a separate patch/commit (i.e. not just a " \
	"new version of\n"                                                  \
	"the same patch/commit), kindly add following tags\n"               \
	"| Reported-by: " ROBOT "\n"                                        \
	"| Closes: https://lore.kernel.org/oe-lkp/202401.1-lkp@intel.com\n" \
	"\n\nDetails are as below:\n"                                       \
	"------------------------------------------------------->\n\n\n"    \
	"The kernel config and materials to reproduce are available at:\n"  \
	"https://download.01.org/0day-ci/archive/20240101/202401.1-lkp\n\n"

static message *mail(const char *from, const char *subject, const char *text)
{
	g_autofree char *raw = g_strdup_printf(
		"From: %s\nSubject: %s\nMessage-ID: <r@example.org>\n"
		"In-Reply-To: <p0@example.org>\n"
		"Date: Mon, 1 Jan 2024 10:00:00 +0800\n\n%s",
		from, subject, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));

	return message_parse(bytes, 0, NULL);
}

static struct report *read_report(const char *from, const char *subject,
				  const char *text)
{
	g_autoptr(message) msg = mail(from, subject, text);
	g_autoptr(reading_auto) r = reading_new(msg);

	return g_steal_pointer(&r->report);
}

static char *join(GPtrArray *strings)
{
	GString *s = g_string_new(NULL);
	guint i;

	for (i = 0; i < strings->len; i++)
		g_string_append_printf(s, "%s%s", i ? "; " : "",
				       (char *)g_ptr_array_index(strings, i));
	return g_string_free(s, FALSE);
}

START_TEST(test_report_2021)
{
	g_autoptr(report_auto) r = read_report(
		ROBOT, "[fs]  0123456789:  unixbench.score -12.5% regression",
		"\n\nGreeting,\n\nFYI, we noticed a -12.5% regression of "
		"unixbench.score due to commit:\n" BLOCK_2021 TABLE);
	g_autofree char *parameters = NULL, *tags = NULL;

	ck_assert_ptr_nonnull(r);
	parameters = join(r->parameters);
	tags = join(r->tags_offered);
	ck_assert_str_eq(r->robot, "kernel-test-robot");
	ck_assert_str_eq(report_category_name(r->category), "performance");
	ck_assert_str_eq(report_direction_name(r->direction), "regression");
	ck_assert_str_eq(r->metric, "unixbench.score");
	ck_assert_double_eq(r->change_percent, -12.5);
	ck_assert_str_eq(r->commit, COMMIT);
	ck_assert_str_eq(r->commit_subject, "fs: do \"less\" work");
	ck_assert_str_eq(r->base, "aaaaaaaaaaaaaaaa");
	ck_assert_str_eq(r->base_tree, "https://git.example.org/linux.git");
	ck_assert_str_eq(r->branch, "master");
	ck_assert_ptr_null(r->patch_url);
	ck_assert_ptr_null(r->patch_message_id);
	ck_assert_str_eq(r->testcase, "unixbench");
	ck_assert_str_eq(r->machine, "96 threads (Box Lake) with 128G memory");
	ck_assert_str_eq(parameters, "runtime: 300s; nr_task: 50%; "
				     "test: Sequential Write");
	ck_assert_str_eq(r->compiler, "gcc-12");
	ck_assert_str_eq(r->config, "x86_64-rhel-8.3");
	ck_assert_str_eq(tags, "Reported-by: " ROBOT);
	ck_assert_uint_eq(r->artifacts->len, 0);
}
END_TEST

START_TEST(test_report_2024)
{
	g_autoptr(report_auto) r = read_report(
		ROBOT, "Re: [PATCH v2 3/3] fs: do less",
		"\n\nHello,\n\nkernel test robot noticed a 12.5% regression "
		"of unixbench.score on:\n" BLOCK_2024 TABLE);
	g_autofree char *tags = NULL, *artifacts = NULL;

	ck_assert_ptr_nonnull(r);
	tags = join(r->tags_offered);
	artifacts = join(r->artifacts);
	ck_assert_double_eq(r->change_percent, -12.5);
	ck_assert_str_eq(r->commit_subject, "[PATCH v2 3/3] fs: do less");
	ck_assert_str_eq(r->base_tree, "https://git.example.org/fs.git");
	ck_assert_str_eq(r->branch, "for-next");
	ck_assert_str_eq(r->patch_url,
			 "https://lore.kernel.org/all/p3%40example.org/");
	ck_assert_str_eq(r->patch_message_id, "p3@example.org");
	ck_assert_str_eq(r->compiler, "gcc-13");
	ck_assert_str_eq(r->config, "x86_64-rhel-9.4");
	ck_assert_str_eq(
		tags, "Reported-by: " ROBOT "; Closes: "
		      "https://lore.kernel.org/oe-lkp/202401.1-lkp@intel.com");
	ck_assert_str_eq(
		artifacts,
		"https://download.01.org/0day-ci/archive/20240101/202401.1-lkp");
}
END_TEST

/* The word tells the direction, the row the sign. */
static const struct {
	const char *sentence;
	const char *metric;
	enum report_direction direction;
	double change;
} headlines[] = {
	{"FYI, we noticed a -12.5% regression of unixbench.score due to "
	 "commit:",
	 "unixbench.score", REPORT_REGRESSION, -12.5},
	{"kernel test robot noticed a 12.5% regression of unixbench.score on:",
	 "unixbench.score", REPORT_REGRESSION, -12.5},
	{"kernel test robot noticed a 71.2% regression of unixbench.latency "
	 "on:",
	 "unixbench.latency", REPORT_REGRESSION, 71.2},
	{"kernel test robot noticed a 71.2% improvement of unixbench.latency "
	 "on:",
	 "unixbench.latency", REPORT_IMPROVEMENT, 71.2},
	{"kernel test robot noticed a\n12.5% regression of\nunixbench.score "
	 "on:",
	 "unixbench.score", REPORT_REGRESSION, -12.5},
	{"We noticed a -12.5 regression of unixbench.score due to commit:",
	 "unixbench.score", REPORT_REGRESSION, -12.5},
	{"kernel test robot noticed an 8.0% improvement of fio.bw_MBps on:",
	 "fio.bw_MBps", REPORT_IMPROVEMENT, 8.0},
	{"kernel test robot noticed a -8.0% regression of a/b=c>d%.x on:",
	 "a/b=c>d%.x", REPORT_REGRESSION, -8.0},
};

START_TEST(test_headline)
{
	g_autofree char *text =
		g_strdup_printf("Hello,\n\n%s\n%s%s", headlines[_i].sentence,
				BLOCK_2021, TABLE);
	g_autoptr(report_auto) r = read_report(ROBOT, "[fs] x", text);

	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->metric, headlines[_i].metric);
	ck_assert_int_eq(r->direction, headlines[_i].direction);
	ck_assert_double_eq(r->change_percent, headlines[_i].change);
	ck_assert_str_eq(r->commit, COMMIT);
	ck_assert_str_eq(r->base, "aaaaaaaaaaaaaaaa");
}
END_TEST

/* A row without a change does not turn the written sign round. */
START_TEST(test_no_change)
{
	static const char text[] =
		"we noticed a -12.5% regression of unixbench.score due to "
		"commit:" BLOCK_2021 "\n%stddev %change %stddev\n"
		"      1000            +0.0%       1000        "
		"unixbench.score\n";
	g_autoptr(report_auto) r = read_report(ROBOT, "[fs] x", text);

	ck_assert_ptr_nonnull(r);
	ck_assert_double_eq(r->change_percent, -12.5);
}
END_TEST

#define SENTENCE "noticed a -12.5% regression of unixbench.score due to commit:"

static const struct {
	const char *name;
	const char *from;
	const char *text;
	gboolean report;
} senders[] = {
	{"robot", ROBOT, "we " SENTENCE BLOCK_2021, TRUE},
	{"name with a typo", "kernel test rboot <oliver.sang@intel.com>",
	 "we " SENTENCE BLOCK_2021, TRUE},
	{"an engineer who sends it in the robot's stead",
	 "Yujie Liu <yujie.liu@intel.com>", "we " SENTENCE BLOCK_2021, TRUE},
	{"the display name alone", "kernel test robot <robot@example.org>",
	 "we " SENTENCE BLOCK_2021, FALSE},
	{"a person", "A Person <a@example.org>", "we " SENTENCE BLOCK_2021,
	 FALSE},
	{"quoted", ROBOT,
	 "> we " SENTENCE "\n>\n> commit: " COMMIT " (\"x\")\n\nyes\n", FALSE},
	{"forwarded", ROBOT,
	 "see\n\n-----Original Message-----\nFrom: a\nSent: b\n\nwe " SENTENCE
	 "\ncommit: " COMMIT " (\"x\")\n",
	 FALSE},
	{"no commit", ROBOT, "we " SENTENCE "\n\nand nothing else\n", FALSE},
	{"a short commit", ROBOT, "we " SENTENCE "\ncommit: 0123456 (\"x\")\n",
	 FALSE},
	{"functional", ROBOT,
	 "kernel test robot noticed \"BUG:x\" on:\n\ncommit: " COMMIT "\n",
	 TRUE},
	{"functional, an earlier headline told of", ROBOT,
	 "we reported \"a -12.5% regression of unixbench.score\" due to this\n"
	 "commit: and we noticed it\n\nkernel test robot noticed \"BUG:x\" on:\n"
	 "\ncommit: " COMMIT "\n",
	 TRUE},
	{"empty", ROBOT, "", FALSE},
};

START_TEST(test_sender)
{
	g_autoptr(report_auto) r =
		read_report(senders[_i].from, "[fs] x", senders[_i].text);

	ck_assert_msg((r != NULL) == senders[_i].report, "%s",
		      senders[_i].name);
	if (r)
		ck_assert_int_eq(r->category == REPORT_FUNCTIONAL,
				 strstr(senders[_i].name, "functional") !=
					 NULL);
}
END_TEST

/* An earlier report is told above: its commit is not ours. */
START_TEST(test_preamble)
{
	static const char earlier[] =
		"commit: ffffffffffffffffffffffffffffffffffffffff (\"old\")\n";
	g_autofree char *text = g_strdup_printf(
		"hi,\n\nwe reported\n%s\nand in January kernel test robot "
		"noticed a 3.0%% regression of fio.iops on:\n%s\n"
		"Now kernel test robot noticed a 12.5%% regression of "
		"unixbench.score on:\n%s%s",
		earlier, earlier, BLOCK_2024, TABLE);
	g_autoptr(report_auto) r =
		read_report(ROBOT,
			    "[fs] 0123456789: unixbench.score 12.5% regression",
			    text);

	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->metric, "unixbench.score");
	ck_assert_str_eq(r->commit, COMMIT);
	ck_assert_double_eq(r->change_percent, -12.5);
}
END_TEST

/* Without its row a bare number has no sign once robots left it out. */
START_TEST(test_no_table)
{
	static const struct {
		const char *date;
		const char *number;
		double change;
	} cases[] = {
		{"Mon, 1 Jan 2024 10:00:00 +0800", "-12.5", -12.5},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "12.5", 12.5},
		{"Wed, 1 Jan 2025 10:00:00 +0800", "12.5", NAN},
		{"Wed, 1 Jan 2025 10:00:00 +0800", "-12.5", -12.5},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "12.5 ", 12.5},
		/* percentages that are no numbers */
		{"Mon, 1 Jan 2024 10:00:00 +0800", "1,012.5", NAN},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "1e+999", NAN},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "-12.5.1", NAN},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "nan", NAN},
		{"Mon, 1 Jan 2024 10:00:00 +0800", "\342\210\22212.5", NAN},
	};
	guint i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *raw = g_strdup_printf(
			"From: " ROBOT "\nDate: %s\nMessage-ID: <r@x>\n\n"
			"kernel test robot noticed a %s%% regression of x.y "
			"on:\n\ncommit: " COMMIT " (\"fs: x\")\n",
			cases[i].date, cases[i].number);
		g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
		g_autoptr(message) msg = message_parse(bytes, 0, NULL);
		g_autoptr(reading_auto) reading = reading_new(msg);
		const struct report *r = reading->report;

		ck_assert_ptr_nonnull(r);
		ck_assert_int_eq(r->category, REPORT_PERFORMANCE);
		ck_assert_str_eq(r->metric, "x.y");
		if (isnan(cases[i].change))
			ck_assert_double_nan(r->change_percent);
		else
			ck_assert_double_eq(r->change_percent, cases[i].change);
		ck_assert_ptr_null(r->base);
	}
}
END_TEST

/* Blanks collapsed, as web archives show it: the same facts. */
START_TEST(test_collapsed)
{
	static const char text[] =
		"kernel test robot noticed a 12.5% regression of "
		"unixbench.score on:\n" BLOCK_2024 TABLE;
	GString *s = g_string_new(NULL);
	g_autoptr(report_auto) r = NULL;
	const char *p;

	for (p = text; *p; p++)
		if (*p != '\t' &&
		    (*p != ' ' || (s->len && s->str[s->len - 1] != ' ' &&
				   s->str[s->len - 1] != '\n')))
			g_string_append_c(s, *p);
	r = read_report(ROBOT, "[fs] x", s->str);
	g_string_free(s, TRUE);
	ck_assert_ptr_nonnull(r);
	ck_assert_double_eq(r->change_percent, -12.5);
	ck_assert_str_eq(r->base, "aaaaaaaaaaaaaaaa");
	ck_assert_str_eq(r->machine, "96 threads (Box Lake) with 128G memory");
	ck_assert_uint_eq(r->parameters->len, 1);
	ck_assert_uint_eq(r->tags_offered->len, 2);
}
END_TEST

/* Cut at any byte: a report or none, never worse; and long floods end. */
START_TEST(test_damage)
{
	static const char text[] = "we " SENTENCE "\n" BLOCK_2024 TABLE;
	static const char *const units[] = {
		"we " SENTENCE "\n", "commit: " COMMIT " (\"x\n",
		"If you fix the issue\n| A: b\n",
		"---------------- ------------------------------\n",
		"a 1 +1% unixbench.score\n"};
	gsize n;
	guint i, k;

	for (n = 0; n < sizeof(text); n += 7) {
		g_autofree char *cut = g_strndup(text, n);
		g_autoptr(report_auto) r = read_report(ROBOT, "x", cut);

		if (r)
			ck_assert_str_eq(r->commit, COMMIT);
	}
	for (i = 0; i < G_N_ELEMENTS(units); i++) {
		g_autoptr(GString) s = g_string_new(text);
		g_autoptr(report_auto) r = NULL;

		for (k = 0; k < 20000; k++)
			g_string_append(s, units[i]);
		r = read_report(ROBOT, "x", s->str);
		ck_assert_ptr_nonnull(r);
	}
}
END_TEST

static Suite *report_suite(void)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("report");

	tcase_add_test(t, test_report_2021);
	tcase_add_test(t, test_report_2024);
	tcase_add_loop_test(t, test_headline, 0, G_N_ELEMENTS(headlines));
	tcase_add_test(t, test_no_change);
	tcase_add_loop_test(t, test_sender, 0, G_N_ELEMENTS(senders));
	tcase_add_test(t, test_preamble);
	tcase_add_test(t, test_no_table);
	tcase_add_test(t, test_collapsed);
	tcase_add_test(t, test_damage);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(report_suite)
