/* test_lkp_axes.c - what stands above tables: axes, and lists of commits */
#include <string.h>

#include "mail/lkp_table.h"

#include "tests/test.h"

#define TABLE                                              \
	"\necd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n" \
	"---------------- ---------------------------\n"   \
	"1.00 +2.0% 1.02 a.b\n"
#define KEYS   "bs/compiler/testcase:\n"
#define VALUES "  4k/gcc-12/fio\n"
#define AXES   "bs=4k compiler=gcc-12 testcase=fio "

static char *told(const char *text)
{
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);
	GString *s = g_string_new(NULL);

	lkp_tables_read(b, tables);
	for (guint n = 0; n < tables->len; n++) {
		const struct table *t = tables->pdata[n];

		for (guint i = 0; i < t->axes->len; i++) {
			const struct table_axis *a =
				&g_array_index(t->axes, struct table_axis, i);

			g_string_append_printf(s, "%s=%s ", a->key, a->value);
		}
		for (guint i = 0; i < t->columns->len; i++) {
			const struct table_column *c = table_column(t, i);

			g_string_append_printf(s, "[%s",
					       c->commit ? c->commit : "-");
			if (c->subject)
				g_string_append_printf(s, " (%s)", c->subject);
			if (c->equation)
				g_string_append_printf(s, " = %s", c->equation);
			g_string_append_c(s, ']');
		}
	}
	return g_string_free(s, FALSE);
}

#define CUT "[ecd788a92460eef4][2edf06a50f5bbe664283f3c55c4]"

static const struct {
	const char *name;
	const char *text;
	const char *want;
} cases[] = {
	{"nothing", TABLE, CUT},
	{"axes", KEYS VALUES TABLE, AXES CUT},
	{"a blank line between", KEYS "\n" VALUES TABLE, AXES CUT},
	{"blanks lost", "bs/compiler/testcase:\n4k/gcc-12/fio" TABLE, AXES CUT},
	{"wrapped in a value",
	 "a/test/testcase:\n  1/Sequential\nWrite/fio" TABLE,
	 "a=1 test=Sequential Write testcase=fio " CUT},
	{"values missing", "a/test/testcase:\n  1/fio" TABLE, CUT},
	{"an empty value", "a/test/testcase:\n  1//fio" TABLE,
	 "a=1 test= testcase=fio " CUT},
	{"one line",
	 "testcase/path_params/tbox_group/run: aim7/1BRD-f2fs/lkp-ep01\n" TABLE,
	 "testcase=aim7 path_params=1BRD-f2fs tbox_group=lkp-ep01 " CUT},
	{"commit is an axis",
	 "commit/compiler/testcase:\n  2edf06a50f/gcc-12/fio\n" TABLE,
	 "commit=2edf06a50f compiler=gcc-12 testcase=fio " CUT},
	{"of another depth", "> " KEYS "> " VALUES TABLE, CUT},
	{"used once", KEYS VALUES TABLE "\n\n" TABLE, AXES CUT CUT},
	{"no axes",
	 "fs/btrfs/inode.c:\n  a/b/c\nhttp://example.org/test:\n" TABLE, CUT},
	{"ended by a section", KEYS VALUES "==========================\n" TABLE,
	 CUT},
	{"list",
	 "commit: \n  ecd788a924 (\"xfs: rework\")\n"
	 "  2edf06a50f (\"xfs: factor\")\n" TABLE,
	 "[ecd788a92460eef4 (xfs: rework)]"
	 "[2edf06a50f5bbe664283f3c55c4 (xfs: factor)]"},
	{"whole commits, no subjects",
	 "commit:\n  ecd788a92460eef4aaaabbbbccccddddeeeeffff\n"
	 "  2edf06a50f5bbe664283f3c55c44fd387cdcb745\n" TABLE,
	 "[ecd788a92460eef4aaaabbbbccccddddeeeeffff]"
	 "[2edf06a50f5bbe664283f3c55c44fd387cdcb745]"},
	{"without quotes, with quotes inside",
	 "commit:\n  ecd788a924 (xfs: rework)\n"
	 "  2edf06a50f (\"Revert \"xfs: factor()\"\")\n" TABLE,
	 "[ecd788a92460eef4 (xfs: rework)]"
	 "[2edf06a50f5bbe664283f3c55c4 (Revert \"xfs: factor()\")]"},
	{"bare subjects, as a list",
	 "commit:\n * ecd788a924 xfs: rework\n * 2edf06a50f: xfs: factor\n" TABLE,
	 "[ecd788a92460eef4 (xfs: rework)]"
	 "[2edf06a50f5bbe664283f3c55c4 (xfs: factor)]"},
	{"wrapped subject",
	 "> commit:\n>  ecd788a924 (\"xfs: rework() and\n> more\")\n"
	 "> 2edf06a50f (\"xfs: factor\")\n>\n"
	 "> ecd788a92460eef4 2edf06a50f5bbe664283f3c55c4\n"
	 "> ---------------- ---------------------------\n"
	 "> 1.00 +2.0% 1.02 a.b\n",
	 "[ecd788a92460eef4 (xfs: rework() and more)]"
	 "[2edf06a50f5bbe664283f3c55c4 (xfs: factor)]"},
	{"equation",
	 "commit:\n  ecd788a924 (\"xfs: rework\")\n"
	 "  2edf06a50f = ecd788a924 + patch [1]\n" TABLE,
	 "[ecd788a92460eef4 (xfs: rework)]"
	 "[2edf06a50f5bbe664283f3c55c4 = ecd788a924 + patch [1]]"},
	{"equations of other kinds",
	 "commit:\n  ecd788a924 <-- 2edf06a50f + revert\n"
	 "  2edf06a50f (ecd788a924 + patch)\n" TABLE,
	 "[ecd788a92460eef4 = 2edf06a50f + revert]"
	 "[2edf06a50f5bbe664283f3c55c4 = ecd788a924 + patch]"},
	{"arrow",
	 "commit:\n  ecd788a924 <= parent commit of 2edf06a50f\n"
	 "  2edf06a50f (\"xfs: factor\") <--- this one\n" TABLE,
	 "[ecd788a92460eef4 (parent commit of 2edf06a50f)]"
	 "[2edf06a50f5bbe664283f3c55c4 (xfs: factor)]"},
	{"named by the report",
	 "commit: 2edf06a50f5bbe664283f3c55c44fd387cdcb745 (\"[PATCH] xfs:\n"
	 "factor\")\nhttps://git.example.org/linux.git master\n" TABLE,
	 "[ecd788a92460eef4]"
	 "[2edf06a50f5bbe664283f3c55c44fd387cdcb745 ([PATCH] xfs: factor)]"},
	{"a sentence wrapped before the word",
	 "due to\ncommit:\n\n"
	 "commit: 2edf06a50f5bbe664283f3c55c44fd387cdcb745 (\"x\")\n" TABLE,
	 "[ecd788a92460eef4]"
	 "[2edf06a50f5bbe664283f3c55c44fd387cdcb745 (x)]"},
	{"the list goes before the report",
	 "commit: 2edf06a50f5bbe664283f3c55c44fd387cdcb745 (\"[PATCH] x\")\n\n"
	 "commit:\n  ecd788a924\n  2edf06a50f (\"x\")\n" TABLE,
	 "[ecd788a92460eef4]"
	 "[2edf06a50f5bbe664283f3c55c44fd387cdcb745 (x)]"},
	{"tags",
	 "commit:\n  v6.12-rc4\n  2edf06a50f (\"x\")\n\n"
	 "v6.12-rc4 2edf06a50f5bbe664283f3c55c4\n"
	 "---------------- ---------------------------\n"
	 "1.00 +2.0% 1.02 a.b\n",
	 "[-][2edf06a50f5bbe664283f3c55c4 (x)]"},
	{"a tag that is listed by its commit",
	 "commit:\n  2edf06a50f (\"x\")\n  de0cd3ea700d1 (\"Linux 5.4.210\")\n\n"
	 "2edf06a50f5bbe66 v5.4.210\n"
	 "---------------- ---------------------------\n"
	 "1.00 +2.0% 1.02 a.b\n",
	 "[2edf06a50f5bbe66 (x)][de0cd3ea700d1 (Linux 5.4.210)]"},
	{"other commits",
	 "commit:\n  aaaaaaaaaa (\"x\")\n  bbbbbbbbbb (\"y\")\n" TABLE, CUT},
};

START_TEST(test_context)
{
	g_autofree char *got = told(cases[_i].text);

	ck_assert_msg(!strcmp(got, cases[_i].want), "%s: %s", cases[_i].name,
		      got);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("lkp_axes");
	TCase *t = tcase_create("core");

	tcase_add_loop_test(t, test_context, 0, G_N_ELEMENTS(cases));
	suite_add_tcase(s, t);
	return s;
}

TEST_MAIN(suite)
