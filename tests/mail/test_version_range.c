/* test_version_range.c - names of releases, ranges of them, cycles */
#include <string.h>

#include "mail/version_range.h"

#include "tests/test.h"

static const struct {
	const char *text;
	enum version_kind kind;
	const char *tag;
} names[] = {
	{"v5.13", VERSION_MAINLINE, "v5.13"},
	{"5.13", VERSION_MAINLINE, "v5.13"},
	{"V5.13", VERSION_MAINLINE, "v5.13"},
	{"v5.13.0", VERSION_MAINLINE, "v5.13"},
	{"5.13.0-rc2", VERSION_MAINLINE, "v5.13-rc2"},
	{"v5.14-rc1", VERSION_MAINLINE, "v5.14-rc1"},
	{"v5.14-RC1", VERSION_MAINLINE, "v5.14-rc1"},
	{"v5.14rc1", VERSION_MAINLINE, "v5.14-rc1"},
	{"v5.14-rc1~12^2", VERSION_MAINLINE, "v5.14-rc1"},
	{"v5.14~3", VERSION_MAINLINE, "v5.14"},
	{"refs/tags/v5.13", VERSION_MAINLINE, "v5.13"},
	{"tags/v5.13^0", VERSION_MAINLINE, "v5.13"},
	{"v2.6.39", VERSION_MAINLINE, "v2.6.39"},
	{"v2.6.39-rc3", VERSION_MAINLINE, "v2.6.39-rc3"},
	{"v2.6.39.4", VERSION_STABLE, "v2.6.39.4"},
	{"v5.13.4", VERSION_STABLE, "v5.13.4"},
	{"6.1.119", VERSION_STABLE, "v6.1.119"},
	{"next-20230511", VERSION_NEXT, "next-20230511"},
	{"linux-next-20230511", VERSION_NEXT, "next-20230511"},
	{"6.4.0-rc1-next-20230511", VERSION_NEXT, "next-20230511"},
	{"1a2b3c4", VERSION_COMMIT, "1a2b3c4"},
	{"1234567", VERSION_COMMIT, "1234567"},
	{"1A2B3C4D5E", VERSION_COMMIT, "1a2b3c4d5e"},
	{"947a629988f191807d2d22ba63ae18259bb64", VERSION_COMMIT,
	 "947a629988f191807d2d22ba63ae18259bb64"},
	{"0123456789abcdef0123456789abcdef01234567", VERSION_COMMIT,
	 "0123456789abcdef0123456789abcdef01234567"},
	{"v5.13-7-g1a2b3c4d5e6f", VERSION_COMMIT, "1a2b3c4d5e6f"},
	/* none of these is a release */
	{"1a2b3c", VERSION_UNKNOWN, "1a2b3c"},
	{"0123456789abcdef0123456789abcdef012345678", VERSION_UNKNOWN,
	 "0123456789abcdef0123456789abcdef012345678"},
	{"v5", VERSION_UNKNOWN, "v5"},
	{"v5.x", VERSION_UNKNOWN, "v5.x"},
	{"v5.13.y", VERSION_UNKNOWN, "v5.13.y"},
	{"v5.13.4.1", VERSION_UNKNOWN, "v5.13.4.1"},
	{"v2.6", VERSION_UNKNOWN, "v2.6"},
	{"v5.13-rc", VERSION_UNKNOWN, "v5.13-rc"},
	{"v5.13-rc0", VERSION_UNKNOWN, "v5.13-rc0"},
	{"v5.13.4-rc1", VERSION_UNKNOWN, "v5.13.4-rc1"},
	{"v5.13-arch1", VERSION_UNKNOWN, "v5.13-arch1"},
	{"v99999999.1", VERSION_UNKNOWN, "v99999999.1"},
	{"next-20231301", VERSION_UNKNOWN, "next-20231301"},
	{"next-2023051", VERSION_UNKNOWN, "next-2023051"},
	{"bnext-20230511", VERSION_UNKNOWN, "bnext-20230511"},
	{"master", VERSION_UNKNOWN, "master"},
	{"", VERSION_UNKNOWN, ""},
};

START_TEST(a_name)
{
	struct version v;
	gboolean known = version_parse(names[_i].text, &v);

	ck_assert_msg(v.kind == names[_i].kind, "%s: %s", names[_i].text,
		      version_kind_name(v.kind));
	ck_assert_int_eq(known, v.kind != VERSION_UNKNOWN);
	ck_assert_str_eq(v.text, names[_i].tag);
	version_clear(&v);
}
END_TEST

/* In this order. */
static const char *const ordered[] = {
	"v2.6.12",	 "v2.6.39-rc1", "v2.6.39",	"v2.6.39.4",
	"v3.0-rc1",	 "v3.0",	"v4.20.17",	"v5.0",
	"v5.9",		 "v5.10-rc2",	"v5.10-rc10",	"v5.10",
	"v5.10.9",	 "v5.10.10",	"v5.11-rc1",	"next-20201231",
	"next-20210101", "1a2b3c4d",	"linux-5.10.y",
};

START_TEST(the_order_of_names)
{
	for (guint a = 0; a < G_N_ELEMENTS(ordered); a++)
		for (guint b = 0; b < G_N_ELEMENTS(ordered); b++) {
			int order =
				version_compare_tags(ordered[a], ordered[b]);

			ck_assert_msg((order > 0) == (a > b) &&
					      (order < 0) == (a < b),
				      "%s %s: %d", ordered[a], ordered[b],
				      order);
		}
}
END_TEST

static const struct {
	const char *text;
	const char *range; /* as it is printed */
	const char *tree;
} ranges[] = {
	{"v5.13..v5.14", "v5.13..v5.14", "mainline"},
	{"v5.13..v5.14 ^", "v5.13..v5.14", "mainline"},
	{"v5.13..v5.14^", "v5.13..v5.14", "mainline"},
	{"v5.13 .. v5.14", "v5.13..v5.14", "mainline"},
	{"v5.13 ..v5.14", "v5.13..v5.14", "mainline"},
	{"v5.13.. v5.14", "v5.13..v5.14", "mainline"},
	{"v5.13...v5.14", "v5.13..v5.14", "mainline"},
	{"5.13..5.14-rc1", "v5.13..v5.14-rc1", "mainline"},
	{": v5.13..v5.14", "v5.13..v5.14", "mainline"},
	{":v5.13..v5.14", "v5.13..v5.14", "mainline"},
	{"(v5.13..v5.14),", "v5.13..v5.14", "mainline"},
	{"\"v5.13..v5.14\".", "v5.13..v5.14", "mainline"},
	{"v5.13..v5.14.", "v5.13..v5.14", "mainline"},
	{"\xc2\xa0v5.13..v5.14\xc2\xa0[1]", "v5.13..v5.14", "mainline"},
	{"v5.13..", "v5.13..", "mainline"},
	{"v5.13...", "v5.13..", "mainline"},
	{"v5.13.. https://bugs.example.org/1", "v5.13..", "mainline"},
	{"v5.13.. ^", "v5.13..", "mainline"},
	{"v5.13..HEAD", "v5.13..", "mainline"},
	{"v5.13..master", "v5.13..", "mainline"},
	{"v5.13.4..", "v5.13.4..", "stable"},
	{"next-20230511..", "next-20230511..", "next"},
	{"v5.13..v5.13.1", "v5.13..v5.13.1", "stable"},
	{"v5.13.1..v5.13.7", "v5.13.1..v5.13.7", "stable"},
	{"v2.6.39..v2.6.39.1", "v2.6.39..v2.6.39.1", "stable"},
	{"v1.8..v1.8.1", "v1.8..v1.8.1", "stable"},
	{"v1.8..next-20190102", "v1.8..next-20190102", "next"},
	{"next-20230511..next-20230512", "next-20230511..next-20230512",
	 "next"},
	/* who knows */
	{"v5.14.15..v5.15.1", "v5.14.15..v5.15.1", NULL},
	{"v5.13-rc3..v5.13.1", "v5.13-rc3..v5.13.1", NULL},
	{"v6.1.1..72a85e2b0a1e1e", "v6.1.1..72a85e2b0a1e1e", NULL},
	{"v5.13..broken", "v5.13..broken", NULL},
	{"broken..v5.13", "broken..v5.13", NULL},
	{"broken..", "broken..", NULL},
	{"..v5.13", "..v5.13", NULL},
	{"1a2b3c4d5e (\"a title\")", "1a2b3c4d5e", NULL},
	{"1a2b3c4d5e(\"a title\")", "1a2b3c4d5e", NULL},
	{"commit 1a2b3c4d5e", "1a2b3c4d5e", NULL},
	{"1a2b3c4d5e^", "1a2b3c4d5e", NULL},
	{"1a2b3c4d5e: a title", "1a2b3c4d5e", NULL},
	{"v5.13", "v5.13", "mainline"},
	{"v5.13.1", "v5.13.1", "stable"},
	{"next-20230511", "next-20230511", "next"},
	{"something", "something", NULL},
};

START_TEST(a_range)
{
	g_autoptr(version_range_auto) r = version_range_parse(ranges[_i].text);
	g_autofree char *text = NULL;

	ck_assert_ptr_nonnull(r);
	text = version_range_text(r);
	ck_assert_str_eq(text, ranges[_i].range);
	ck_assert_pstr_eq(version_range_tree(r), ranges[_i].tree);
	ck_assert_int_eq(r->range, strstr(text, "..") != NULL);
	ck_assert_int_eq(r->open, g_str_has_suffix(text, ".."));
}
END_TEST

/* What is printed reads the same again. */
START_TEST(a_range_once_more)
{
	g_autoptr(version_range_auto) r = version_range_parse(ranges[_i].range);
	g_autofree char *text = version_range_text(r);

	ck_assert_str_eq(text, ranges[_i].range);
}
END_TEST

START_TEST(no_range)
{
	ck_assert_ptr_null(version_range_parse(""));
	ck_assert_ptr_null(version_range_parse(" \t\n"));
	ck_assert_ptr_null(version_range_parse("\xc2\xa0:"));
}
END_TEST

/* A release every ten days, candidates before it, others in between. */
static const struct version_tag tags[] = {
	{"v6.1", 10},	{"v6.1.1", 12},	  {"v6.2-rc1", 15},
	{"v6.2", 20},	{"v6.3-rc1", 25}, {"next-20230101", 26},
	{"v6.3", 30},	{"v6.4-rc1", 35}, {"nonsense", 36},
	{"v6.2.9", 37}, {"v6.4", 40},	  {"v6.5-rc1", 45},
};

static const struct {
	gint64 now;
	const char *tag;
	const char *cycle;
} cycles[] = {
	{46, "v6.5-rc1", "current"},
	{46, "v6.5-rc1~3^2", "current"},
	{46, NULL, "current"},
	{46, "v6.4", "previous"},
	{46, "v6.4-rc1", "previous"},
	{46, "v6.3", "older"},
	{46, "v6.1", "older"},
	{46, "v5.4", "older"},
	{46, "v6.2.9", NULL},
	{46, "next-20230101", "next"},
	{46, "nonsense", NULL},
	/* the merge window */
	{41, "v6.4", "previous"},
	{41, NULL, "current"},
	/* before v6.4 was made */
	{39, "v6.4-rc1", "current"},
	{39, "v6.3", "previous"},
	{39, "v6.2", "older"},
	{5, "v6.1", NULL},
	{5, "next-20230101", "next"},
};

START_TEST(the_cycle_of_a_tag)
{
	enum version_cycle c =
		version_cycle_of(cycles[_i].tag, tags, G_N_ELEMENTS(tags),
				 cycles[_i].now);

	ck_assert_pstr_eq(version_cycle_name(c), cycles[_i].cycle);
}
END_TEST

static const struct {
	const char *range;
	gint64 written, now;
	const char *cycle;
} range_cycles[] = {
	{"v6.4..v6.5-rc1", 46, 46, "current"},
	{"v6.5-rc1..v6.5-rc2", 46, 46, "current"},
	{"v6.4..", 46, 46, "current"},
	{"v6.4..", 41, 41, "current"},
	{"v6.4..", 0, 46, "current"},
	{"v6.3..v6.4", 46, 46, "previous"},
	{"v6.3..v6.4-rc1", 46, 46, "previous"},
	{"v6.4-rc1..v6.4", 46, 46, "previous"},
	{"v6.3..v6.5-rc1", 46, 46, "previous"},
	{"v6.3..", 46, 46, "previous"},
	{"v6.3..", 36, 46, "previous"},
	{"v6.3..", 36, 36, "current"},
	{"v6.2..v6.3", 46, 46, "older"},
	{"v6.2..v6.4", 46, 46, "older"},
	{"v6.2..", 46, 46, "older"},
	{"v6.2..", 25, 46, "older"},
	{"v6.2..v6.2.9", 46, 46, NULL},
	{"v6.2.1..", 46, 46, NULL},
	{"v6.4..next-20230801", 46, 46, "next"},
	{"v6.4..broken", 46, 46, NULL},
	{"broken..", 46, 46, NULL},
	{"1a2b3c4d", 46, 46, NULL},
	{"v6.4", 46, 46, "previous"},
	{"v6.4..", 5, 5, NULL},
};

START_TEST(the_cycle_of_a_range)
{
	g_autoptr(version_range_auto) r =
		version_range_parse(range_cycles[_i].range);
	enum version_cycle c = version_range_cycle(r, tags, G_N_ELEMENTS(tags),
						   range_cycles[_i].written,
						   range_cycles[_i].now);

	ck_assert_msg(!g_strcmp0(version_cycle_name(c), range_cycles[_i].cycle),
		      "%s: %s", range_cycles[_i].range, version_cycle_name(c));
}
END_TEST

/* The order of tags does not matter, and time only makes cycles older. */
START_TEST(cycles_get_older)
{
	struct version_tag turned[G_N_ELEMENTS(tags)];
	guint n = G_N_ELEMENTS(tags);

	for (guint i = 0; i < n; i++)
		turned[i] = tags[n - 1 - i];
	for (guint i = 0; i < G_N_ELEMENTS(ranges); i++) {
		g_autoptr(version_range_auto) r =
			version_range_parse(ranges[i].text);
		enum version_cycle before = CYCLE_UNKNOWN;

		for (gint64 now = 0; now < 50; now++) {
			enum version_cycle c =
				version_range_cycle(r, tags, n, 12, now);

			ck_assert_int_eq(c, version_range_cycle(r, turned, n,
								12, now));
			ck_assert_int_ge(c, before);
			before = c;
		}
	}
}
END_TEST

START_TEST(the_newest_release)
{
	struct version v;

	ck_assert(version_newest_release(tags, G_N_ELEMENTS(tags), 46, &v));
	ck_assert_str_eq(v.text, "v6.4");
	version_clear(&v);
	ck_assert(version_newest_release(tags, G_N_ELEMENTS(tags), 39, &v));
	ck_assert_str_eq(v.text, "v6.3");
	version_clear(&v);
	ck_assert(!version_newest_release(tags, 0, 46, &v));
	ck_assert_int_eq(v.kind, VERSION_UNKNOWN);
	version_clear(&v);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("version_range");
	TCase *c = tcase_create("version_range");

	tcase_add_loop_test(c, a_name, 0, G_N_ELEMENTS(names));
	tcase_add_test(c, the_order_of_names);
	tcase_add_loop_test(c, a_range, 0, G_N_ELEMENTS(ranges));
	tcase_add_loop_test(c, a_range_once_more, 0, G_N_ELEMENTS(ranges));
	tcase_add_test(c, no_range);
	tcase_add_loop_test(c, the_cycle_of_a_tag, 0, G_N_ELEMENTS(cycles));
	tcase_add_loop_test(c, the_cycle_of_a_range, 0,
			    G_N_ELEMENTS(range_cycles));
	tcase_add_test(c, cycles_get_older);
	tcase_add_test(c, the_newest_release);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
