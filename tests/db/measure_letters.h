/* measure_letters.h - a report with its table, and measurements after it
 * Numbers of a real case, all else is invented. */
#ifndef TESTS_DB_MEASURE_LETTERS_H
#define TESTS_DB_MEASURE_LETTERS_H

#include "tests/db/item_letters.h"

#define AXES(machine)                                                       \
	"=================================================================" \
	"========================\n"                                        \
	"disk/fs/tbox_group/test/testcase:\n"                               \
	"  1BRD_48G/examplefs/" machine "/sync_disk_rw/aim7\n\n"
#define COLUMNS_2                                         \
	"commit: \n  ec96b2138f (\"fs: before\")\n"       \
	"  882f9ba557 (\"fs: write it twice\")\n\n"       \
	"ec96b2138f25b3d6 882f9ba557eb0a056e529b6326e \n" \
	"---------------- --------------------------- \n" \
	"         %stddev     %change         %stddev\n"  \
	"             \\          |                \\  \n"
#define COLUMNS_3                                        \
	"commit: \n  ec96b2138f (\"fs: before\")\n"      \
	"  882f9ba557 (\"fs: write it twice\")\n"        \
	"  c9eefb8baa (\"fs: write it once\")\n\n"       \
	"ec96b2138f25b3d6 882f9ba557eb0a056e529b6326e "  \
	"c9eefb8baa5c09b4882fdb6f0c4 \n"                 \
	"---------------- --------------------------- "  \
	"--------------------------- \n"                 \
	"         %stddev     %change         %stddev"   \
	"     %change         %stddev\n"                 \
	"             \\          |                \\  " \
	"        |                \\  \n"

static const struct letter measured = {
	REPORT,
	ROBOT,
	"[fs]  882f9ba557:  aim7.jobs-per-min -33.7% regression",
	NULL,
	10,
	REPORT_BODY("regression", CULPRIT, "fs: write it twice") AXES("lkp-a")
		COLUMNS_2
	"    117419           -33.7%      77863        aim7.jobs-per-min\n"
	"     12.00 ± 12%    +100.0%      24.00 ± 10%  vmstat.procs.b\n"};
#define RERUN(id, day, machine, rows)                                       \
	{                                                                   \
		id, "Wen Tangaro <wen@intel.com>",                          \
			"Re: [fs]  882f9ba557:  aim7.jobs-per-min -33.7% "  \
			"regression",                                       \
			REPORT, day,                                        \
			"> Please try it.\n\nHere it is:\n\n" AXES(machine) \
				rows                                        \
	}
static const struct letter rerun_good =
	RERUN("good@x", 14, "lkp-a",
	      COLUMNS_3
	      "    117419           -33.7%      77863            -0.0%"
	      "     117404        aim7.jobs-per-min\n");
static const struct letter rerun_bad =
	RERUN("bad@x", 13, "lkp-a",
	      COLUMNS_3
	      "    117419           -33.7%      77863           -32.3%"
	      "      79485        aim7.jobs-per-min\n");
static const struct letter rerun_elsewhere =
	RERUN("elsewhere@x", 14, "lkp-b",
	      COLUMNS_3
	      "    117419           -33.7%      77863            -0.0%"
	      "     117404        aim7.jobs-per-min\n");
static const struct letter rerun_release = RERUN(
	"release@x", 14, "lkp-a",
	"commit: \n  ec96b2138f (\"fs: before\")\n"
	"  882f9ba557 (\"fs: write it twice\")\n  v5.6-rc1\n\n"
	"ec96b2138f25b3d6 882f9ba557eb0a056e529b6326e"
	"                    v5.6-rc1 \n"
	"---------------- --------------------------- "
	"--------------------------- \n"
	"         %stddev     %change         %stddev     %change"
	"         %stddev\n"
	"             \\          |                \\          |"
	"                \\  \n"
	"    117419           -33.7%      77863            -0.0%     117404"
	"        aim7.jobs-per-min\n");
static const struct letter rerun_again =
	RERUN("again@x", 14, "lkp-a",
	      COLUMNS_2 "    117419           -33.7%      77863       "
			"aim7.jobs-per-min\n");

static const struct letter fix_titled = {
	"once@x", AUTHOR, "[PATCH] fs: write it once",
	REPORT,	  11,	  "Once.\n\n" SIGNED DIFF};
static const struct letter fix_titled_v2 = {
	"once2@x", AUTHOR, "[PATCH v2] fs: write it once",
	REPORT,	   15,	   "Once.\n\n" SIGNED DIFF};
static const struct letter tested_later = {
	"later@x",
	REVIEWER,
	"Re: [PATCH] fs: write it once",
	"once@x",
	16,
	"Good.\n\nTested-by: Tomas Okafor <tomas@example.org>\n"};

#endif
