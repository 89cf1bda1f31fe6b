/* test_report_kinds.c - what functional, build and other robots' reports
 * tell, field by field, in invented mails of several years */
#include <math.h>
#include <string.h>

#include "mail/reading.h"

#include "tests/mail/corpus_help.h"

#define SHA   "0123456789abcdef0123456789abcdef01234567"
#define SHA2  "ffffffffffffffffffffffffffffffffffffffff"
#define ROBOT "kernel test robot <oliver.sang@intel.com>"
#define LKP   "kernel test robot <lkp@intel.com>"

static struct report *read_report(const char *from, const char *subject,
				  const char *text)
{
	g_autofree char *raw = g_strdup_printf(
		"From: %s\nSubject: %s\nMessage-ID: <r@example.org>\n"
		"In-Reply-To: <p0@example.org>\n"
		"Date: Mon, 1 Jan 2024 10:00:00 +0800\n\n%s",
		from, subject, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);
	g_autoptr(reading_auto) r = reading_new(msg);

	ck_assert_ptr_nonnull(r->report);
	return g_steal_pointer(&r->report);
}

static char *join(GPtrArray *strings)
{
	g_ptr_array_add(strings, NULL);
	return g_strjoinv("; ", (char **)strings->pdata);
}

/* "id fails/runs fails/runs; ..." */
static char *failures(const struct report *r)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < r->errors->len; i++) {
		const struct report_error *e = r->errors->pdata[i];

		g_string_append_printf(s, "%s%s", i ? "; " : "", e->text);
		if (e->fails[1] >= 0)
			g_string_append_printf(s, " %d/%d %d/%d", e->fails[0],
					       e->runs[0], e->fails[1],
					       e->runs[1]);
	}
	return g_string_free(s, FALSE);
}

#define COMMIT                                    \
	"\n\ncommit: " SHA " (\"fs: do less\")\n" \
	"https://git.example.org/linux.git master\n\n"

#define FAIL_TABLE                                        \
	"aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a \n" \
	"---------------- --------------------------- \n" \
	"       fail:runs  %reproduction    fail:runs\n"  \
	"           |             |             |    \n"  \
	"           :6          100%           6:6     "  \
	"xfstests.generic.475.fail\n"                     \
	"          2:6           17%           3:6     "  \
	"dmesg.WARNING:at_fs/x.c:#x_do\n"                 \
	"          6:6         -100%            :6     "  \
	"xfstests.generic.476.pass\n"

static const struct {
	const char *name;
	const char *subject;
	const char *text;
	const char *failures;
	const char *base;
} functional[] = {
	{"2023", "[fs] 0123456789: xfstests.generic.475.fail",
	 "kernel test robot noticed \"xfstests.generic.475.fail\" on:" COMMIT
	 "in testcase: xfstests\nwith following parameters:\n\n"
	 "\tdisk: 4HDD\n\n",
	 "xfstests.generic.475.fail", NULL},
	{"wrapped", "[fs] x",
	 "kernel test robot noticed\n\"BUG:a_very_long_id\"\non:" COMMIT,
	 "BUG:a_very_long_id", NULL},
	{"ids in the subject alone",
	 "[fs]  0123456789: xfstests.generic.475.fail xfstests.xfs.046.fail",
	 "FYI, we noticed the following commit (built with gcc-9):" COMMIT,
	 "xfstests.generic.475.fail; xfstests.xfs.046.fail", NULL},
	{"two ids in the sentence", "Re: [PATCH] fs: do less",
	 "We noticed a.b.fail and c.d.fail due to commit (built with "
	 "gcc-11):" COMMIT,
	 "a.b.fail; c.d.fail", NULL},
	{"with its table", "[fs] 0123456789: xfstests.generic.475.fail",
	 "kernel test robot noticed \"xfstests.generic.475.fail\" on:" COMMIT
	 "\n" FAIL_TABLE,
	 "xfstests.generic.475.fail 0/6 6/6; "
	 "dmesg.WARNING:at_fs/x.c:#x_do 2/6 3/6",
	 "aaaaaaaaaaaaaaaa"},
	{"the table above the sentence",
	 "[fs] 0123456789: xfstests.generic.475.fail",
	 "we reported \"a -9.0% regression of x.y\" before.\n\n" FAIL_TABLE
	 "\nGreeting,\n\nFYI, we noticed xfstests.generic.475.fail due to "
	 "commit (built with gcc-11):" COMMIT,
	 "xfstests.generic.475.fail 0/6 6/6; "
	 "dmesg.WARNING:at_fs/x.c:#x_do 2/6 3/6",
	 "aaaaaaaaaaaaaaaa"},
	{"the box", "[fs] 0123456789: UBSAN:x_in_f",
	 "FYI, we noticed the following commit (built with gcc-9):" COMMIT
	 "+----------------+------------+------------+\n"
	 "|                | aaaaaaaaaa | 0123456789 |\n"
	 "+----------------+------------+------------+\n"
	 "| boot_successes | 8          | 0          |\n"
	 "| boot_failures  | 0          | 6          |\n"
	 "| UBSAN:x_in_f   | 0          | 6          |\n"
	 "| RIP:f          | 0          | 2          |\n"
	 "+----------------+------------+------------+\n",
	 "UBSAN:x_in_f 0/8 6/6; RIP:f 0/8 2/6", "aaaaaaaaaa"},
	{"the log", "[fs] 0123456789: xfstests.btrfs.020.fail",
	 "FYI, we noticed the following commit (built with gcc-9):" COMMIT
	 "in testcase: xfstests\n\nRan: btrfs/020 btrfs/021\n"
	 "Failures: btrfs/020 generic/475\nFailed 2 of 2 tests\n",
	 "xfstests.btrfs.020.fail; xfstests.generic.475.fail", NULL},
};

START_TEST(test_functional)
{
	g_autoptr(report_auto) r =
		read_report(ROBOT, functional[_i].subject, functional[_i].text);
	g_autofree char *all = failures(r);

	ck_assert_int_eq(r->category, REPORT_FUNCTIONAL);
	ck_assert_str_eq(all, functional[_i].failures);
	ck_assert_str_eq(r->commit, SHA);
	ck_assert_str_eq(r->commit_subject, "fs: do less");
	ck_assert_str_eq(r->base_tree, "https://git.example.org/linux.git");
	ck_assert_str_eq(r->branch, "master");
	ck_assert_pstr_eq(r->base, functional[_i].base);
	ck_assert_ptr_null(r->metric);
	ck_assert(g_str_has_prefix(functional[_i].failures, r->title));
}
END_TEST

START_TEST(test_still_on)
{
	static const struct {
		const char *line;
		const char *tree;
		int status;
	} cases[] = {
		{"[still regression on linus/master " SHA2 "]", "linus/master",
		 REPORT_STILL_REGRESSION},
		{"[still regression on      linux-next/master " SHA2 "]",
		 "linux-next/master", REPORT_STILL_REGRESSION},
		{"[still improvement on linus/master " SHA2 "]", "linus/master",
		 REPORT_STILL_IMPROVEMENT},
		{"[test failed on linus/master " SHA2 "]", "linus/master",
		 REPORT_STILL_TEST_FAILED},
		{"[test failed on fix commit " SHA2 "]", "fix commit",
		 REPORT_STILL_TEST_FAILED},
		{"[still regression on linus/master\n" SHA2 "]", "linus/master",
		 REPORT_STILL_REGRESSION},
		{"[regression fixed on linus/master " SHA2 "]", "linus/master",
		 REPORT_STILL_FIXED},
		{"[still regression on linus/master]", NULL, 0},
		{"[cannot apply to linus/master " SHA2 "]", NULL, 0},
		{"> [still regression on linus/master " SHA2 "]", NULL, 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strconcat(
			"kernel test robot noticed a 3.0% regression of x.y "
			"on:" COMMIT,
			cases[i].line, "\n\ntestcase: x\n", NULL);
		g_autoptr(report_auto) r = read_report(ROBOT, "[fs] x", text);
		const struct report_status *s;

		ck_assert_uint_eq(r->still_on->len, cases[i].tree ? 1 : 0);
		if (!cases[i].tree)
			continue;
		s = r->still_on->pdata[0];
		ck_assert_str_eq(s->tree, cases[i].tree);
		ck_assert_str_eq(s->commit, SHA2);
		ck_assert_int_eq((int)s->status, cases[i].status);
	}
}
END_TEST

START_TEST(test_impacts)
{
	g_autoptr(report_auto) r = read_report(
		ROBOT, "[fs] x",
		"we noticed a 3.0% improvement of x.y due to commit:" COMMIT
		"In addition to that, the commit also has significant impact "
		"on the following tests:\n\n"
		"+------------------+-----------------------------------+\n"
		"| testcase: change | fio: fio.iops -59.9% regression   |\n"
		"| test machine     | 192 threads Box with 192G memory  |\n"
		"| test parameters  | bs=4k                             |\n"
		"|                  | test=a=b                          |\n"
		"+------------------+-----------------------------------+\n"
		"| testcase: change | aim7: aim7.jobs-per-min 3.5% "
		"improvement |\n"
		"| test machine     | 4 threads |\n"
		"+------------------+-----------------------------------+\n");
	const struct report_impact *p;
	g_autofree char *parameters = NULL;

	ck_assert_uint_eq(r->impacts->len, 2);
	p = r->impacts->pdata[0];
	parameters = join(p->parameters);
	ck_assert_str_eq(p->testcase, "fio");
	ck_assert_str_eq(p->metric, "fio.iops");
	ck_assert_double_eq(p->change_percent, -59.9);
	ck_assert_int_eq(p->direction, REPORT_REGRESSION);
	ck_assert_str_eq(p->machine, "192 threads Box with 192G memory");
	ck_assert_str_eq(parameters, "bs: 4k; test: a=b");
	p = r->impacts->pdata[1];
	ck_assert_int_eq(p->direction, REPORT_IMPROVEMENT);
	ck_assert_uint_eq(p->parameters->len, 0);
}
END_TEST

static const struct {
	const char *line;
	const char *file;
	guint at, column;
	const char *tool;
	const char *message;
} errors[] = {
	{"fs/f.c:12:3: error: no x", "fs/f.c", 12, 3, "clang", "error: no x"},
	{"./include/f.h:12: warning: x", "include/f.h", 12, 0, "clang",
	 "warning: x"},
	{"fs/f.c:12:3-4: WARNING: x", "fs/f.c", 12, 3, "clang", "WARNING: x"},
	{"fs/f.c:44:9: sparse: sparse: cast to restricted __le32", "fs/f.c", 44,
	 9, "sparse", "sparse: sparse: cast to restricted __le32"},
	{"fs/f.c:12 f_do() warn: x", "fs/f.c", 12, 0, "smatch",
	 "f_do() warn: x"},
	{"arch/a/f.dts:12.3-14.5: Warning (reg): x", "arch/a/f.dts", 12, 3,
	 "clang", "Warning (reg): x"},
	{"ERROR: modpost: \"f\" [fs/f.ko] undefined!", NULL, 0, 0, "modpost",
	 "ERROR: modpost: \"f\" [fs/f.ko] undefined!"},
	{"riscv64-linux-ld: fs/f.c:12: undefined reference to `g'", "fs/f.c",
	 12, 0, "ld", "undefined reference to `g'"},
	{"f.c:(.text+0x12): undefined reference to `g'", "f.c", 0, 0, "ld",
	 "(.text+0x12): undefined reference to `g'"},
	{"vmlinux.o: warning: objtool: f()+0x1: x", "vmlinux.o", 0, 0,
	 "objtool", "warning: objtool: f()+0x1: x"},
	{"fs/f.c:99999999999999999999: x", "fs/f.c:99999999999999999999", 0, 0,
	 NULL, NULL},
};

START_TEST(test_build_line)
{
	g_autofree char *text = g_strconcat(
		"[auto build test ERROR on f/next]\n\nconfig: arm-x "
		"(https://download.01.org/0day-ci/archive/1/config)\n"
		"compiler: clang version 17.0.0 (x)\n\n"
		"All errors (new ones prefixed by >>):\n\n>> ",
		errors[_i].line, "\n", NULL);
	g_autoptr(report_auto) r =
		read_report(LKP, "Re: [PATCH 1/2] f: x", text);
	const struct report_error *e = r->errors->pdata[0];

	ck_assert_uint_eq(r->errors->len, 1);
	ck_assert(e->is_new);
	ck_assert_str_eq(e->text, errors[_i].line);
	if (!errors[_i].message)
		return;
	ck_assert_pstr_eq(e->file, errors[_i].file);
	ck_assert_uint_eq(e->line, errors[_i].at);
	ck_assert_uint_eq(e->column, errors[_i].column);
	ck_assert_pstr_eq(e->tool, errors[_i].tool);
	ck_assert_str_eq(e->message, errors[_i].message);
}
END_TEST

/* New and old lines, sections, excerpts that look like quotes. */
START_TEST(test_build)
{
	g_autoptr(report_auto) r = read_report(
		LKP, "Re: [PATCH 1/2] f: x",
		"Hi A,\n\nkernel test robot noticed the following build "
		"warnings:\n\n[auto build test WARNING on f/next]\n"
		"[cannot apply to v6.5]\n\n"
		"url:    https://github.example.org/commits/A/1\n"
		"base:   https://git.example.org/f.git next\n"
		"patch link:    https://lore.kernel.org/r/p%40example.org\n"
		"patch subject: [PATCH 1/2] f: x\n"
		"config: arm-x (https://download.01.org/0day-ci/archive/1/c)\n"
		"compiler: arm-gcc (GCC) 12.3.0\n\n"
		"If you fix the issue, kindly add following tags\n"
		"| Reported-by: " LKP "\n\n"
		"sparse warnings: (new ones prefixed by >>)\n"
		">> fs/f.c:1:2: sparse: x\n"
		"   fs/f.c:2:2: sparse: y\n"
		"<< fs/f.c:3:2: sparse: z\n\n"
		"Old smatch warnings:\nfs/g.c:5 g() warn: v\n\n"
		"vim +1 fs/f.c\n\n > 1\tint x;\n");
	const struct report_error *e;

	ck_assert_int_eq(r->category, REPORT_BUILD);
	ck_assert_str_eq(r->base_tree, "https://git.example.org/f.git");
	ck_assert_str_eq(r->patch_message_id, "p@example.org");
	ck_assert_str_eq(r->config, "arm-x");
	ck_assert_str_eq(r->compiler, "arm-gcc (GCC) 12.3.0");
	ck_assert_str_eq(r->commit_subject, "[PATCH 1/2] f: x");
	ck_assert_uint_eq(r->artifacts->len, 1);
	ck_assert_uint_eq(r->tags_offered->len, 1);
	ck_assert_str_eq(r->title, "fs/f.c:1:2: sparse: x");
	ck_assert_uint_eq(r->errors->len, 3);
	e = r->errors->pdata[1];
	ck_assert(!e->is_new);
	e = r->errors->pdata[2];
	ck_assert(!e->is_new);
	ck_assert_str_eq(e->tool, "smatch");
}
END_TEST

START_TEST(test_tree)
{
	g_autoptr(report_auto) build = read_report(
		LKP, "[f:next 3/14] fs/f.c:1:2: error: no x",
		"tree:   https://git.example.org/f.git next\nhead:   " SHA2
		"\ncommit: " SHA " [3/14] fs: do less\n\n"
		"All errors (new ones prefixed by >>):\n\n"
		">> fs/f.c:1:2: error: no x\n");
	g_autoptr(report_auto) summary = read_report(
		LKP, "[f:next] BUILD REGRESSION " SHA,
		"tree/branch: https://git.example.org/f.git next\n"
		"branch HEAD: " SHA "  fs: do less\n\n"
		"Error/Warning reports:\n\n"
		"https://lore.kernel.org/oe-kbuild-all/1-lkp@intel.com\n\n"
		"Error/Warning: (recently discovered and may have been "
		"fixed)\n\nfs/f.c:1:2: error: no x\n\n"
		"Unverified Error/Warning (likely false positive)\n\n"
		"fs/g.c:1 g() warn: y\n\n"
		"Error/Warning ids grouped by kconfigs:\n\nx\n");

	ck_assert_str_eq(build->commit, SHA);
	ck_assert_str_eq(build->commit_subject, "fs: do less");
	ck_assert_str_eq(build->branch, "next");
	ck_assert_int_eq(summary->category, REPORT_SUMMARY);
	ck_assert_int_eq(summary->direction, REPORT_REGRESSION);
	ck_assert_str_eq(summary->commit, SHA);
	ck_assert_str_eq(summary->commit_subject, "fs: do less");
	ck_assert_uint_eq(summary->errors->len, 2);
	ck_assert_uint_eq(summary->artifacts->len, 1);
}
END_TEST

START_TEST(test_syzbot)
{
	g_autoptr(report_auto) r = read_report(
		"syzbot <syzbot+0123456789abcdef0123@syzkaller.appspotmail.com>",
		"[syzbot] [f?] WARNING in f (2)",
		"Hello,\n\nsyzbot found the following issue on:\n\n"
		"HEAD commit:    abcdef01 Merge tag 'x'\n"
		"git tree:       https://git.example.org/f.git next\n"
		"console output: https://syzkaller.appspot.com/x/log.txt?x=1\n"
		"kernel config:  https://syzkaller.appspot.com/x/.config?x=2\n"
		"compiler:       gcc 12\n\nThe issue was bisected to:\n\n"
		"commit " SHA "\nAuthor: A Person <a@example.org>\n"
		"Date:   Mon Jan 1 10:00:00 2024 +0000\n\n    fs: do less\n\n"
		"IMPORTANT: if you fix the issue, please add the following tag "
		"to the commit:\n"
		"Reported-by: syzbot+0123456789abcdef0123@syzkaller.appspotmail"
		".com\nFixes: 0123456789ab (\"fs: do less\")\n");
	g_autofree char *tags = join(r->tags_offered);

	ck_assert_str_eq(r->bug_id, "0123456789abcdef0123");
	ck_assert_str_eq(r->title, "WARNING in f (2)");
	ck_assert_str_eq(r->base, "abcdef01");
	ck_assert_str_eq(r->base_tree, "https://git.example.org/f.git");
	ck_assert_str_eq(r->branch, "next");
	ck_assert_str_eq(r->commit, SHA);
	ck_assert_str_eq(r->commit_subject, "fs: do less");
	ck_assert_str_eq(r->compiler, "gcc 12");
	ck_assert_uint_eq(r->artifacts->len, 2);
	ck_assert_str_eq(tags, "Reported-by: syzbot+0123456789abcdef0123@"
			       "syzkaller.appspotmail.com; Fixes: "
			       "0123456789ab (\"fs: do less\")");
}
END_TEST

START_TEST(test_next)
{
	g_autoptr(report_auto) r = read_report(
		"Stephen Rothwell <sfr@canb.auug.org.au>",
		"linux-next: build failure after merge of the f tree",
		"Hi all,\n\nAfter merging the f tree, today's linux-next build "
		"(x86_64\nallmodconfig) failed like this:\n\n"
		"fs/f.c: In function 'f':\nfs/f.c:12:3: error: no x\n   12 | x\n"
		"\nCaused by commit\n\n  0123456789ab (\"fs: do less\")\n\n"
		"I have used the tree from yesterday.\n");
	const struct report_error *e = r->errors->pdata[0];

	ck_assert_int_eq(r->category, REPORT_BUILD);
	ck_assert_str_eq(r->branch, "f");
	ck_assert_str_eq(r->config, "x86_64 allmodconfig");
	ck_assert_str_eq(r->commit, "0123456789ab");
	ck_assert_str_eq(r->commit_subject, "fs: do less");
	ck_assert_uint_eq(r->errors->len, 1);
	ck_assert_str_eq(e->file, "fs/f.c");
	ck_assert_uint_eq(e->line, 12);
}
END_TEST

struct counts {
	guint performance, functional, build, summary, syzbot, people;
};

/* The same mail from somebody else is no report. */
static void check_forged(GBytes *raw, const message *msg)
{
	const struct header_field *f = header_find(message_header(msg), "From");
	gsize len;
	const char *bytes = g_bytes_get_data(raw, &len);
	g_autoptr(GString) s = g_string_new_len(bytes, (gssize)len);
	g_autoptr(GBytes) forged = NULL;
	g_autoptr(message) other = NULL;
	g_autoptr(reading_auto) r = NULL;

	g_string_erase(s, f->value - bytes, (gssize)f->value_len);
	g_string_insert(s, f->value - bytes,
			" kernel test robot <syzbot@example.org>");
	forged = g_bytes_new(s->str, s->len);
	other = message_parse(forged, 0, NULL);
	r = reading_new(other);
	/* where a list replaced the author, Reply-To still names him */
	ck_assert_msg(!r->report || strcmp(message_from(other)->address,
					   "syzbot@example.org") != 0,
		      "%s", message_id(msg));
}

/* Real mail: every report has what its kind must have, and a report of the
 * test robot is never a person's mail. */
static void check_mail(GBytes *raw, gpointer data)
{
	struct counts *n = data;
	g_autoptr(message) msg = message_parse(raw, 0, NULL);
	g_autoptr(reading_auto) r = msg ? reading_new(msg) : NULL;
	const struct report *p = r ? r->report : NULL;
	gboolean lkp;

	if (!p) {
		n->people += r && !r->robot;
		return;
	}
	check_forged(raw, msg);
	lkp = strcmp(p->robot, "kernel-test-robot") == 0;
	ck_assert(r->robot && r->kind == KIND_REPORT);
	ck_assert(!lkp || strstr(message_from(msg)->address, "intel.com"));
	n->syzbot += !lkp;
	if (p->category == REPORT_PERFORMANCE) {
		ck_assert_msg(p->metric && p->commit && p->base &&
				      p->testcase && p->machine &&
				      p->parameters->len &&
				      isfinite(p->change_percent),
			      "%s", message_id(msg));
		n->performance++;
	} else if (p->category == REPORT_SUMMARY) {
		n->summary += lkp;
	} else {
		ck_assert_msg(p->errors->len && p->title, "%s",
			      message_id(msg));
		n->functional += lkp && p->category == REPORT_FUNCTIONAL;
		n->build += lkp && p->category == REPORT_BUILD;
	}
}

START_TEST(test_real_mail)
{
	struct counts n = {0};

	corpus_each(check_mail, &n);
	if (!test_corpus())
		return;
	ck_assert_uint_ge(n.performance, 45);
	ck_assert_uint_le(n.performance, 60);
	ck_assert_uint_ge(n.functional, 65);
	ck_assert_uint_ge(n.build, 380);
	ck_assert_uint_ge(n.summary, 200);
	ck_assert_uint_ge(n.syzbot, 450);
	ck_assert_uint_gt(n.people, 4000);
}
END_TEST

static Suite *kinds_suite(void)
{
	Suite *s = suite_create("report_kinds");
	TCase *t = tcase_create("report_kinds");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, test_functional, 0, G_N_ELEMENTS(functional));
	tcase_add_test(t, test_still_on);
	tcase_add_test(t, test_impacts);
	tcase_add_loop_test(t, test_build_line, 0, G_N_ELEMENTS(errors));
	tcase_add_test(t, test_build);
	tcase_add_test(t, test_tree);
	tcase_add_test(t, test_syzbot);
	tcase_add_test(t, test_next);
	tcase_add_test(t, test_real_mail);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(kinds_suite)
