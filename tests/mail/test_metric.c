/* test_metric.c - directions, monitors and names of metrics */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/reading.h"

#include "tests/mail/corpus_help.h"

static const struct {
	const char *metric;
	enum metric_direction direction;
} directions[] = {
	{"aim7.jobs-per-min", METRIC_HIGHER},
	{"reaim.jobs_per_min", METRIC_HIGHER},
	{"unixbench.score", METRIC_HIGHER},
	{"will-it-scale.per_thread_ops", METRIC_HIGHER},
	{"will-it-scale.per_process_ops", METRIC_HIGHER},
	{"filebench.sum_operations/s", METRIC_HIGHER},
	{"filebench.sum_time_ms/op", METRIC_LOWER},
	{"fsmark.files_per_sec", METRIC_HIGHER},
	{"fsmark.app_overhead", METRIC_LOWER},
	{"fio.write_iops", METRIC_HIGHER},
	{"fio.read_bw_MBps", METRIC_HIGHER},
	{"fio.write_clat_99%_us", METRIC_LOWER},
	{"fio.read_slat_mean_us", METRIC_LOWER},
	{"fio.latency_100us%", METRIC_UNKNOWN},
	{"fxmark.ssd_btrfs_MWCL_4_bufferedio.works/sec", METRIC_HIGHER},
	{"fxmark.ssd_btrfs_MWCL_4_bufferedio.idle_sec", METRIC_UNKNOWN},
	{"stress-ng.sync-file.ops_per_sec", METRIC_HIGHER},
	{"stress-ng.seek.nanosecs_per_seek", METRIC_LOWER},
	{"stress-ng.bsearch.comparisons_per_item", METRIC_LOWER},
	{"stress-ng.sendfile.MB_per_sec_sent_to_/dev/null", METRIC_HIGHER},
	{"will-it-scale.192.threads", METRIC_HIGHER},
	{"will-it-scale.192.threads_idle", METRIC_UNKNOWN},
	{"hackbench.throughput", METRIC_HIGHER},
	{"vm-scalability.throughput", METRIC_HIGHER},
	{"vm-scalability.stddev%", METRIC_LOWER},
	{"unheard-of.throughput", METRIC_HIGHER},
	{"unheard-of.more.throughput", METRIC_HIGHER},
	{"sysbench-cpu.cpu.throughput_events/s", METRIC_HIGHER},
	{"netperf.Throughput_tps", METRIC_HIGHER},
	{"dbench.throughput-MB/sec", METRIC_HIGHER},
	{"lmbench3.PIPE.latency.us", METRIC_LOWER},
	{"kbuild.buildtime_per_iteration", METRIC_LOWER},
	{"schbench.wakeup_latency_max_us", METRIC_LOWER},
	{"autonuma-benchmark.numa01.seconds", METRIC_LOWER},
	/* renamed tests */
	{"fileio.write_operations/s", METRIC_HIGHER},
	{"fileio.latency_95th_ms", METRIC_LOWER},
	{"phoronix-test-suite.blogbench.Write.final_score", METRIC_HIGHER},
	{"phoronix-test-suite.fio.RandomRead.mb_s", METRIC_HIGHER},
	/* what the robot's own list has the wrong way round */
	{"pts.a.b.milliseconds", METRIC_LOWER},
	{"pts.a.b.average_usec", METRIC_LOWER},
	{"pts.a.b_time_-_seconds", METRIC_LOWER},
	{"pts.a.b.cycles_per_byte", METRIC_LOWER},
	{"pts.a.b.cycles_hash", METRIC_LOWER},
	{"pts.a.b.ns_per_event", METRIC_LOWER},
	{"pts.a.b.points", METRIC_HIGHER},
	{"fwq.fwq.max", METRIC_LOWER},
	{"ftq.max", METRIC_LOWER},
	/* units that end alike */
	{"pts.a.b.ms", METRIC_LOWER},
	{"pts.a.b.sec", METRIC_LOWER},
	{"pts.a.b.mb_s", METRIC_HIGHER},
	{"pts.a.b.images_sec", METRIC_HIGHER},
	/* GNU time */
	{"aim7.time.elapsed_time", METRIC_LOWER},
	{"aim7.time.elapsed_time.max", METRIC_LOWER},
	{"time.elapsed_time", METRIC_LOWER},
	{"aim7.time.system_time", METRIC_UNKNOWN},
	{"fio.time.voluntary_context_switches", METRIC_UNKNOWN},
	/* monitors */
	{"perf-stat.i.cache-misses", METRIC_UNKNOWN},
	{"perf-profile.calltrace.cycles-pp.x.throughput", METRIC_UNKNOWN},
	{"vmstat.procs.b", METRIC_UNKNOWN},
	{"meminfo.Dirty", METRIC_UNKNOWN},
	{"perf-bench-futex.ops/s", METRIC_HIGHER},
	/* fsperf */
	{"write_iops", METRIC_HIGHER},
	{"write_bw_bytes", METRIC_HIGHER},
	{"write_io_kbytes", METRIC_UNKNOWN},
	{"write_clat_ns_p99", METRIC_LOWER},
	{"end_state_umount_ns", METRIC_LOWER},
	{"elapsed", METRIC_LOWER},
	{"commits", METRIC_UNKNOWN},
	{"throughput", METRIC_HIGHER},
	{"wait_current_trans_calls", METRIC_LOWER},
	/* nothing of the kind */
	{"", METRIC_UNKNOWN},
	{".", METRIC_UNKNOWN},
	{"fio.", METRIC_UNKNOWN},
	{"unheard-of.thing", METRIC_UNKNOWN},
};

START_TEST(direction)
{
	enum metric_direction got = metric_direction(directions[_i].metric);

	ck_assert_msg(got == directions[_i].direction, "%s: %s",
		      directions[_i].metric, metric_direction_name(got));
}
END_TEST

START_TEST(a_name_without_end)
{
	g_autofree char *name = g_strnfill(100000, 'x');

	ck_assert_int_eq(metric_direction(name), METRIC_UNKNOWN);
	name[99000] = '.';
	ck_assert_int_eq(metric_direction(name), METRIC_UNKNOWN);
	memcpy(name, "pts.", 4);
	ck_assert_int_eq(metric_direction(name), METRIC_UNKNOWN);
	ck_assert(!metric_is_monitor(name));
	ck_assert(!metric_is_failure(name));
}
END_TEST

START_TEST(monitors)
{
	ck_assert(metric_is_monitor("perf-stat.i.cycles"));
	ck_assert(metric_is_monitor("proc-vmstat.nr_dirty"));
	ck_assert(metric_is_monitor("sched_debug.cfs_rq:/.load.avg"));
	ck_assert(!metric_is_monitor("perf-bench-futex.ops/s"));
	ck_assert(!metric_is_monitor("aim7.time.elapsed_time"));
	ck_assert(!metric_is_monitor("aim7.jobs-per-min"));
	ck_assert(!metric_is_monitor("vmstat"));
}
END_TEST

START_TEST(failures)
{
	ck_assert(metric_is_failure("xfstests.generic.475.fail"));
	ck_assert(metric_is_failure("dmesg.RIP:scrub_stripe[btrfs]"));
	ck_assert(metric_is_failure("last_state.is_incomplete_run"));
	ck_assert(metric_is_failure("BUG:KASAN:slab-out-of-bounds_in_x"));
	ck_assert(!metric_is_failure("xfstests.btrfs.172.pass"));
	ck_assert(!metric_is_failure("perf-profile.cycles-pp.x.error"));
	ck_assert(!metric_is_failure("fio.write_iops"));
	ck_assert(!metric_is_failure("boot_successes"));
}
END_TEST

START_TEST(own_results_of_a_test)
{
	ck_assert(metric_is_of_test("fio.write_iops", "fio-basic"));
	ck_assert(metric_is_of_test("fsmark.files_per_sec", "fsmark"));
	ck_assert(metric_is_of_test("fileio.write_operations/s",
				    "sysbench-fileio"));
	ck_assert(metric_is_of_test("pts.x.y.fps", "phoronix-test-suite"));
	ck_assert(metric_is_of_test("sysbench-cpu.throughput", "sysbench"));
	ck_assert(metric_is_of_test("unixbench.score", NULL));
	ck_assert(!metric_is_of_test("fio.write_iops", "fiox"));
	ck_assert(!metric_is_of_test("fio.write_iops", "fsmark"));
	ck_assert(!metric_is_of_test("fio.time.elapsed_time", "fio-basic"));
	ck_assert(!metric_is_of_test("vmstat.procs.b", NULL));
	ck_assert(!metric_is_of_test("xfstests.generic.1.fail", "xfstests"));
	ck_assert(!metric_is_of_test("nodot", NULL));
}
END_TEST

static const struct {
	const char *old, *now;
} names[] = {
	{"phoronix-test-suite.x.y.fps", "pts.x.y.fps"},
	{"fileio.latency_95th_ms", "sysbench-fileio.latency_95th_ms"},
	{"dbench.throughput-MB/sec", "dbench.throughput_MB/s"},
	{"fio.write_iops", "fio.write_iops"},
	{"unheard-of.thing", "unheard-of.thing"},
	{"write_iops", "write_iops"},
	{"", ""},
};

START_TEST(names_of_today)
{
	g_autofree char *now = metric_canonical(names[_i].old);
	g_autofree char *again = metric_canonical(now);

	ck_assert_str_eq(now, names[_i].now);
	ck_assert_str_eq(again, now);
	ck_assert_int_eq(metric_direction(names[_i].old),
			 metric_direction(now));
}
END_TEST

START_TEST(direction_of_a_headline)
{
	ck_assert_int_eq(metric_direction_by_word(TRUE, -3.5), METRIC_HIGHER);
	ck_assert_int_eq(metric_direction_by_word(TRUE, 92.5), METRIC_LOWER);
	ck_assert_int_eq(metric_direction_by_word(FALSE, 12), METRIC_HIGHER);
	ck_assert_int_eq(metric_direction_by_word(FALSE, -71.2), METRIC_LOWER);
	ck_assert_int_eq(metric_direction_by_word(TRUE, 0), METRIC_UNKNOWN);
	ck_assert_int_eq(metric_direction_by_word(TRUE, NAN), METRIC_UNKNOWN);
}
END_TEST

static const struct {
	const char *text, *problem; /* NULL: none */
} files[] = {
	{"", NULL},
	{"# a word\n\n[a]\nhigher\t*.x  y\nlower *", NULL},
	{"[a]\nalias b\n[b]\nhigher x\n", NULL},
	{"[]\nlower x\n", NULL},
	{"better x\n", "line 1: \"better\": no such line"},
	{"[a]\nhigher\n", "line 2: \"higher\": no such line"},
	{"[a]\nmonitor x\n", "line 2: \"monitor\": no such line"},
	{"[a]\nhigher x\n[a]\n", "line 3: a second [a]"},
	{"[a]\nhigher x\nlower y x\n", "line 3: \"x\" stands here twice"},
	{"monitor x y x\n", "line 1: \"x\" stands here twice"},
	{"[a\n", "line 1: not the name of a test"},
	{"[a b]\n", "line 1: not the name of a test"},
	{"[a]\nalias b\n", "[a]: no section [b]"},
	{"[a]\nalias a\n", "[a]: no section [a]"},
	{"[a]\nalias b\nhigher x\n[b]\n", "line 3: more than the alias"},
	{"[a]\nhigher x\nalias b\n",
	 "line 3: an alias is one name, alone in its section"},
	{"[a]\nrename x\n", "line 2: expected: rename OLD NEW"},
	{"[a]\nrename x y\nrename x z\n", "line 3: \"x\" is renamed twice"},
	{"[a]\nhigher \xff\n", "line 2: not text"},
};

START_TEST(the_file)
{
	const char *text = files[_i].text;
	g_autofree char *problem = metric_check(text, strlen(text));

	ck_assert_pstr_eq(problem, files[_i].problem);
}
END_TEST

START_TEST(lines_of_the_file_end)
{
	g_autofree char *line = g_strnfill(1000, 'x');
	g_autofree char *problem = metric_check(line, strlen(line));

	ck_assert_str_eq(problem, "line 1: the line is too long");
}
END_TEST

/* Headlines of real mail: the word, the sign of the change and the file tell
 * the same direction. */
static void check_headline(GBytes *raw, gpointer data)
{
	guint *seen = data;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(reading_auto) reading = NULL;
	const struct report *r;
	enum metric_direction told, known;

	if (!msg)
		return;
	reading = reading_new(msg);
	r = reading->report;
	if (!r || !r->metric || r->category != REPORT_PERFORMANCE)
		return;
	told = metric_direction_by_word(r->direction == REPORT_REGRESSION,
					r->change_percent);
	known = metric_direction(r->metric);
	ck_assert_msg(told == METRIC_UNKNOWN || told == known, "%s: %s: %s",
		      message_id(msg), r->metric, metric_direction_name(known));
	ck_assert_msg(known != METRIC_UNKNOWN, "%s: %s", message_id(msg),
		      r->metric);
	(*seen)++;
}

START_TEST(headlines_of_real_mail)
{
	guint seen = 0;

	corpus_each(check_headline, &seen);
	if (test_corpus())
		ck_assert_uint_gt(seen, 50);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("metric");
	TCase *c = tcase_create("metric");

	tcase_add_loop_test(c, direction, 0, G_N_ELEMENTS(directions));
	tcase_add_test(c, a_name_without_end);
	tcase_add_test(c, monitors);
	tcase_add_test(c, failures);
	tcase_add_test(c, own_results_of_a_test);
	tcase_add_loop_test(c, names_of_today, 0, G_N_ELEMENTS(names));
	tcase_add_test(c, direction_of_a_headline);
	tcase_add_loop_test(c, the_file, 0, G_N_ELEMENTS(files));
	tcase_add_test(c, lines_of_the_file_end);
	tcase_add_test(c, headlines_of_real_mail);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
