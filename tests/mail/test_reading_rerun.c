/* test_reading_rerun.c - replies with numbers of their sender's own, and those
 * that quote, paste or forward the numbers of others */
#include <string.h>

#include "mail/reading.h"

#include "tests/test.h"

#define SHA   "0123456789abcdef0123456789abcdef01234567"
#define INTEL "Oliver Sang <oliver.sang@intel.com>"
#define OTHER "A Person <a@example.org>"

#define HEAD                                              \
	"aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a \n" \
	"---------------- --------------------------- \n" \
	"         %stddev     %change         %stddev\n"  \
	"             \\          |                \\  \n"
#define ROW \
	"      4177 \xc2\xb1  2%     -12.5%       3655 \xc2\xb1  3%  a.score\n"
#define NEW_ROW \
	"      4180 \xc2\xb1  2%      -1.0%       4138 \xc2\xb1  3%  a.score\n"
#define FAILS                                             \
	"aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a \n" \
	"---------------- --------------------------- \n" \
	"       fail:runs  %reproduction    fail:runs\n"  \
	"           |             |             |    \n"  \
	"           :6          100%           6:6     "  \
	"xfstests.generic.475.fail\n"
#define QUOTED                                             \
	"On Mon, kernel test robot wrote:\n"               \
	"> aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a\n" \
	"> ---------------- ---------------------------\n" \
	"> %stddev %change %stddev\n> \\ | \\\n"           \
	"> 4177 \xc2\xb1 2% -12.5% 3655 \xc2\xb1 3% a.score\n"

static const struct {
	const char *name;
	const char *from;
	const char *text;
	gboolean rerun;
} cases[] = {
	{"own table", INTEL, "we tested it:\n\n" HEAD NEW_ROW, TRUE},
	{"a person's own table", OTHER, "mine:\n\n" HEAD NEW_ROW, TRUE},
	{"own failures", INTEL, "we tested it:\n\n" FAILS, TRUE},
	{"below the quoted one", INTEL,
	 QUOTED "\nwith the patch:\n\n" HEAD NEW_ROW, TRUE},
	{"quoted", OTHER, QUOTED "\nit is slow\n", FALSE},
	{"the quoted one again", INTEL, QUOTED "\nas I said:\n\n" HEAD ROW,
	 FALSE},
	{"a report pasted without marks", OTHER,
	 "the robot says:\n\nkernel test robot noticed a -12.5% regression of "
	 "a.score on:\n\ncommit: " SHA " (\"f: x\")\n\n" HEAD ROW,
	 FALSE},
	{"above a pasted report", INTEL,
	 "it is gone:\n\n" HEAD NEW_ROW
	 "\n\nkernel test robot noticed a -12.5% regression of a.score on:\n\n"
	 "commit: " SHA " (\"f: x\")\n\n" HEAD ROW,
	 TRUE},
	{"forwarded", OTHER,
	 "see\n\n-----Original Message-----\nFrom: a\nSent: b\n\n" HEAD ROW,
	 FALSE},
	{"rows without a head of those who test", INTEL, "we got:\n\n" NEW_ROW,
	 TRUE},
	{"rows without a head of others", OTHER, "you wrote:\n\n" ROW, FALSE},
	{"words alone", INTEL, "we reran it, the regression is gone.\n", FALSE},
	{"raw values", INTEL,
	 "the raw values of 0123456789:\n\n  \"a.score\": [\n    4177.5,\n"
	 "    4170.25,\n    4188.75\n  ],\n",
	 TRUE},
};

static struct reading *read_reply(const char *from, const char *text)
{
	g_autofree char *raw = g_strdup_printf(
		"From: %s\nSubject: Re: [f] 0123456789: a.score -12.5%% "
		"regression\nMessage-ID: <r@example.org>\n"
		"In-Reply-To: <p@example.org>\n"
		"Content-Type: text/plain; charset=utf-8\n"
		"Date: Mon, 1 Jan 2024 10:00:00 +0800\n\n%s",
		from, text);
	g_autoptr(GBytes) bytes = g_bytes_new(raw, strlen(raw));
	g_autoptr(message) msg = message_parse(bytes, 0, NULL);

	return reading_new(msg);
}

START_TEST(test_rerun)
{
	g_autoptr(reading_auto) r = read_reply(cases[_i].from, cases[_i].text);

	ck_assert_int_eq(r->kind, KIND_REPLY);
	ck_assert_msg(r->rerun == cases[_i].rerun, "%s", cases[_i].name);
}
END_TEST

/* The robot's report has numbers and is none. */
START_TEST(test_report)
{
	g_autoptr(reading_auto) r = read_reply(
		"kernel test robot <oliver.sang@intel.com>",
		"kernel test robot noticed a -12.5% regression of a.score "
		"on:\n\ncommit: " SHA " (\"f: x\")\n\n" HEAD ROW);

	ck_assert_int_eq(r->kind, KIND_REPORT);
	ck_assert(!r->rerun);
}
END_TEST

static Suite *rerun_suite(void)
{
	Suite *s = suite_create("reading_rerun");
	TCase *t = tcase_create("reading_rerun");

	tcase_add_loop_test(t, test_rerun, 0, G_N_ELEMENTS(cases));
	tcase_add_test(t, test_report);
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(rerun_suite)
