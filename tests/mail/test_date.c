/* test_date.c - dates of mail, damaged ones too, and our own */
#include <string.h>

#include "mail/date.h"

#include "tests/test.h"

#define NONE G_MAXINT

static const struct {
	const char *value;
	const char *utc; /* NULL: no date */
	int zone;
} cases[] = {
	{"Wed, 30 Dec 2020 18:39:14 +0100", "2020-12-30T17:39:14Z", 60},
	{" Tue, 29 Dec 2020 08:11:58 -0500 ", "2020-12-29T13:11:58Z", -300},
	{"Wed,  9 Dec 2020 22:25:18 +0800 (CST)", "2020-12-09T14:25:18Z", 480},
	{"9 Dec 2020 22:25:18 +0000", "2020-12-09T22:25:18Z", 0},
	{"Sat, 31 Oct 20 02:20:53 GMT", "2020-10-31T02:20:53Z", 0},
	{"Mon, 30 Nov 2020 18:28:33 +0100 (GMT+01:00)", "2020-11-30T17:28:33Z",
	 60},
	{"Mon, 30 Nov 2020 18:28 +0100", "2020-11-30T17:28:00Z", 60},
	{"Tue, 30 Aug 2022 11:19:07 +08:00", "2022-08-30T03:19:07Z", 480},
	{"Tue, 30 Aug 2022 11:19:07 -03:30", "2022-08-30T14:49:07Z", -210},
	{"Tue, 30 Aug 2022 11:19:07 -0000", "2022-08-30T11:19:07Z", 0},
	{"Tue, 30 Aug 2022 11:19:07 +2", "2022-08-30T09:19:07Z", 120},
	{"Tue, 30 Aug 2022 11:19:07 +530", "2022-08-30T05:49:07Z", 330},
	{"Tue, 30 Aug 2022 11:19:07 +1400", "2022-08-29T21:19:07Z", 840},
	{"Tue, 30 Aug 2022 11:19:07", "2022-08-30T11:19:07Z", NONE},
	{"Tue, 30 Aug 2022 11:19:07 XYZ", "2022-08-30T11:19:07Z", NONE},
	{"Tue, 30 Aug 2022 11:19:07 EDT", "2022-08-30T15:19:07Z", -240},
	{"Tue, 30 Aug 2022 11:19:07 IST", "2022-08-30T05:49:07Z", 330},
	{"Tue, 30 Aug 2022 11:19:07 UT", "2022-08-30T11:19:07Z", 0},
	{"Tue Aug 30 11:19:07 2022", "2022-08-30T11:19:07Z", NONE},
	{"Tue Aug  3 11:19:07 CEST 2022", "2022-08-03T09:19:07Z", 120},
	{"Tue Aug 30 11:19:07 2022 -0400", "2022-08-30T15:19:07Z", -240},
	{"Tue Aug 30 2022 11:19:07 GMT+0200 (CEST)", "2022-08-30T09:19:07Z",
	 120},
	{"Wed Jan 31 2024 - 09:09:33 EST", "2024-01-31T14:09:33Z", -300},
	{"Tuesday, 30-August-22 11:19:07 GMT", "2022-08-30T11:19:07Z", 0},
	{"30-Aug-2022 11:19:07 +0000", "2022-08-30T11:19:07Z", 0},
	{"2022-08-30 11:19:07 +0200", "2022-08-30T09:19:07Z", 120},
	{"2022-08-30T11:19:07.123+02:00", "2022-08-30T09:19:07Z", 120},
	{"Tue, 30 Aug 99 11:19:07 +0000", "1999-08-30T11:19:07Z", 0},
	{"Tue, 30 Aug 122 11:19:07 +0000", "2022-08-30T11:19:07Z", 0},
	{"Thu, 29 Feb 2024 00:00:00 +0000", "2024-02-29T00:00:00Z", 0},
	{"Fri, 30 Jun 2017 23:59:60 +0000", "2017-07-01T00:00:00Z", 0},
	{"Thu (the (first)), 1 Jan 1970 00:00:01 +0000", "1970-01-01T00:00:01Z",
	 0},
	{"Fri, 31 Dec 9999 23:59:59 +0000", "9999-12-31T23:59:59Z", 0},
	/* impossible ones */
	{"Tue, 30 Feb 2022 11:19:07 +0000", NULL, 0},
	{"Tue, 29 Feb 2023 11:19:07 +0000", NULL, 0},
	{"Tue, 30 Aug 2022 25:19:07 +0000", NULL, 0},
	{"Tue, 30 Aug 2022 11:61:07 +0000", NULL, 0},
	{"Tue, 0 Aug 2022 11:19:07 +0000", NULL, 0},
	{"Tue, 30 Aug 1969 11:19:07 +0000", NULL, 0},
	{"Tue, 30 Aug 2022 11:19:07 +1500", NULL, 900},
	{"Tue, 30 Aug 2022 11:19:07 -9999", NULL, NONE},
	{"Tue, 30 Aug 2022 11:19:07 +9959", NULL, 5999},
	{"Tue, 30 Aug 2022 11:19:07 +00000", NULL, NONE},
	{"Tue, 30 Aug 20222 11:19:07 +0000", NULL, NONE},
	{"Tue, 30 Aug 2022 111:19:07 +0000", NULL, NONE},
	/* garbage */
	{"30 Aug 2022", NULL, NONE},
	{"11:19:07", NULL, NONE},
	{"Tue, 30 2022 11:19:07 +0000", NULL, 0},
	{"Tue, 30 Aug 2022 11:19:07 +0000 !", NULL, 0},
	{"yesterday", NULL, NONE},
	{"\xe6\x97\xa5", NULL, NONE},
	{"(((", NULL, NONE},
	{"", NULL, NONE},
};

START_TEST(parse)
{
	gint64 utc = -77;
	int zone = 12345;
	gboolean good = date_parse(cases[_i].value, &utc, &zone);
	g_autofree char *text = good ? date_to_rfc3339(utc) : NULL;

	ck_assert_pstr_eq(text, cases[_i].utc);
	ck_assert_int_eq(zone, cases[_i].zone);
	ck_assert(good || utc == -77);
}
END_TEST

/* What GLib prints in any zone is read back. */
START_TEST(round_trip)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);

	for (int n = 0; n < 3000; n++) {
		gint64 when = g_rand_int(rand);
		gint64 back = 0, strict = 0;
		int minutes = g_rand_int_range(rand, -839, 839), zone;
		g_autoptr(GTimeZone) tz = g_time_zone_new_offset(minutes * 60);
		g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(when);
		g_autoptr(GDateTime) t = g_date_time_to_timezone(utc, tz);
		g_autofree char *mail =
			g_date_time_format(t, "%a, %d %b %Y %H:%M:%S %z");
		g_autofree char *iso =
			g_date_time_format(t, "%Y-%m-%dT%H:%M:%S%:z");

		ck_assert(date_parse(mail, &back, &zone));
		ck_assert_int_eq(back, when);
		ck_assert_int_eq(zone, minutes);
		ck_assert(date_from_rfc3339(iso, &strict));
		ck_assert_int_eq(strict, when);
	}
}
END_TEST

static const struct {
	const char *text;
	gint64 utc; /* -1: none */
} strict_cases[] = {
	{"2024-01-31T14:09:33Z", 1706710173},
	{"2024-01-31t14:09:33z", 1706710173},
	{"2024-01-31T14:09:33.999Z", 1706710173},
	{"2024-01-31T09:09:33-05:00", 1706710173},
	{"2024-01-31T14:09:33+00:00", 1706710173},
	{"2024-01-31 14:09:33Z", -1},
	{"2024-01-31T14:09:33", -1},
	{"2024-01-31T14:09Z", -1},
	{"2024-01-31T14:09:33+0000", -1},
	{"2024-01-31T14:09:33+0", -1},
	{"2024-02-30T14:09:33Z", -1},
	{"2024-1-31T14:09:33Z", -1},
	{"2024-01-31T4:09:33Z", -1},
	{"2024-01-31T14:09:33Zx", -1},
	{"2024-01-31T14", -1},
	{"2024-01-31T1", -1},
	{"2024-01-31T", -1},
	{"2024-01-31", -1},
	{"now", -1},
	{"", -1},
};

START_TEST(strict)
{
	gint64 utc = -1;
	/* of its own, so that sanitizers see a byte too much */
	g_autofree char *text = g_strdup(strict_cases[_i].text);
	gboolean good = date_from_rfc3339(text, &utc);

	ck_assert_int_eq(good, strict_cases[_i].utc != -1);
	ck_assert_int_eq(utc, strict_cases[_i].utc);
}
END_TEST

START_TEST(printing)
{
	g_autofree char *early = date_to_overview(1692858780);
	g_autofree char *late = date_to_overview(1692914400);

	ck_assert_str_eq(early, "2023-08-24  6:33");
	ck_assert_str_eq(late, "2023-08-24 22:00");
	ck_assert_ptr_null(date_to_rfc3339(0));
	ck_assert_ptr_null(date_to_rfc3339(-1));
	ck_assert_ptr_null(date_to_rfc3339(G_GINT64_CONSTANT(253402300800)));
	ck_assert_ptr_null(date_to_rfc3339(G_MAXINT64));
	ck_assert_ptr_null(date_to_overview(0));
	ck_assert_ptr_null(date_to_overview(G_MAXINT64));
}
END_TEST

/* No bytes make it hang, overflow or invent a date out of our years. */
START_TEST(any_bytes)
{
	static const char parts[][8] = {"30", "Aug", "2022",  "11:19:07",
					"+",  "-",   "0200",  " ",
					",",  "(",   ")",     "Tue",
					":",  "1",   "99999", "GMT",
					"T",  "."};
	g_autoptr(GRand) rand = g_rand_new_with_seed(9);

	for (int n = 0; n < 50000; n++) {
		g_autoptr(GString) in = g_string_new(NULL);
		gint64 utc;

		for (int i = g_rand_int_range(rand, 0, 14); i > 0; i--)
			g_string_append(in,
					parts[g_rand_int_range(
						rand, 0, G_N_ELEMENTS(parts))]);
		if (date_parse(in->str, &utc, NULL))
			ck_assert(utc > -86400 &&
				  utc < G_GINT64_CONSTANT(253402387200));
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("date");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, parse, 0, G_N_ELEMENTS(cases));
	tcase_add_test(tc, round_trip);
	tcase_add_loop_test(tc, strict, 0, G_N_ELEMENTS(strict_cases));
	tcase_add_test(tc, printing);
	tcase_add_test(tc, any_bytes);
	suite_add_tcase(s, tc);
	return s;
}

TEST_MAIN(suite)
