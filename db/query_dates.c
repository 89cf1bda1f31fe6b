/* query_dates.c - dates as people type them, resolved against a given now */
#include "db/query_dates.h"

#include <string.h>

#define DAY (24 * 3600)

static gint64 utc_seconds(int year, int month, int day, int h, int m, int s)
{
	g_autoptr(GDateTime) t = NULL;

	if (year < 1 || year > 9998)
		return G_MININT64;
	t = g_date_time_new_utc(year, month, day, h, m, s);
	return t ? g_date_time_to_unix(t) : G_MININT64;
}

/* `n` digits at `*p`; -1 if they are not there. */
static int digits(const char **p, guint n)
{
	int value = 0;

	for (guint i = 0; i < n; i++, (*p)++) {
		if (!g_ascii_isdigit(**p))
			return -1;
		value = value * 10 + (**p - '0');
	}
	return value;
}

static gboolean span(gint64 from, gint64 to, gint64 *low, gint64 *high)
{
	*low = from;
	*high = to;
	return from != G_MININT64 && to != G_MININT64;
}

/* YYYY[-MM[-DD]], YYYYMM, YYYYMMDD, YYYYMMDDhhmmss */
static gboolean absolute_span(const char *p, gint64 *low, gint64 *high)
{
	int year = digits(&p, 4), month, day, clock[3];
	gboolean dash;
	gint64 t;

	if (year < 0)
		return FALSE;
	if (!*p)
		return span(utc_seconds(year, 1, 1, 0, 0, 0),
			    utc_seconds(year + 1, 1, 1, 0, 0, 0), low, high);
	dash = *p == '-';
	p += dash;
	month = digits(&p, 2);
	if (month < 0)
		return FALSE;
	if (!*p)
		return span(utc_seconds(year, month, 1, 0, 0, 0),
			    utc_seconds(month == 12 ? year + 1 : year,
					month % 12 + 1, 1, 0, 0, 0),
			    low, high);
	if (dash && *p++ != '-')
		return FALSE;
	day = digits(&p, 2);
	if (day < 0)
		return FALSE;
	t = utc_seconds(year, month, day, 0, 0, 0);
	if (!*p)
		return t != G_MININT64 && span(t, t + DAY, low, high);
	for (int i = 0; i < 3; i++)
		clock[i] = digits(&p, 2);
	if (dash || *p || clock[0] < 0 || clock[1] < 0 || clock[2] < 0)
		return FALSE;
	t = utc_seconds(year, month, day, clock[0], clock[1], clock[2]);
	return t != G_MININT64 && span(t, t + 1, low, high);
}

static gboolean rfc3339_span(const char *text, gint64 *low, gint64 *high)
{
	g_autoptr(GDateTime) t = NULL;

	if (!strchr(text, 'T') && !strchr(text, 't'))
		return FALSE;
	t = g_date_time_new_from_iso8601(text, NULL);
	if (!t)
		return FALSE;
	return span(g_date_time_to_unix(t), g_date_time_to_unix(t) + 1, low,
		    high);
}

static gboolean instant_span(GDateTime *t, gboolean by_second, gint64 *low,
			     gint64 *high)
{
	gint64 at;

	if (!t)
		return FALSE;
	at = g_date_time_to_unix(t);
	if (by_second)
		return span(at, at + 1, low, high);
	at = utc_seconds(g_date_time_get_year(t), g_date_time_get_month(t),
			 g_date_time_get_day_of_month(t), 0, 0, 0);
	return at != G_MININT64 && span(at, at + DAY, low, high);
}

/* `count` units before now. */
static gboolean before(gint64 now, int count, char unit, gint64 *low,
		       gint64 *high)
{
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(now);
	g_autoptr(GDateTime) then = NULL;

	if (!t)
		return FALSE;
	switch (unit) {
	case 'h':
		then = g_date_time_add_hours(t, -count);
		break;
	case 'd':
		then = g_date_time_add_days(t, -count);
		break;
	case 'w':
		then = g_date_time_add_weeks(t, -count);
		break;
	case 'm':
		then = g_date_time_add_months(t, -count);
		break;
	case 'y':
		then = g_date_time_add_years(t, -count);
		break;
	default:
		return FALSE;
	}
	return instant_span(then, unit == 'h', low, high);
}

static const struct {
	const char *name;
	char unit;
} units[] = {
	{"h", 'h'},	{"hour", 'h'}, {"hours", 'h'}, {"d", 'd'},
	{"day", 'd'},	{"days", 'd'}, {"w", 'w'},     {"week", 'w'},
	{"weeks", 'w'}, {"m", 'm'},    {"month", 'm'}, {"months", 'm'},
	{"y", 'y'},	{"year", 'y'}, {"years", 'y'},
};

static char unit_of(const char *name, gsize len)
{
	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (strlen(units[i].name) == len &&
		    !g_ascii_strncasecmp(units[i].name, name, len))
			return units[i].unit;
	return 0;
}

/* 7d, 3.days.ago, last.week */
static gboolean relative_span(const char *text, gint64 now, gint64 *low,
			      gint64 *high)
{
	const char *p = text;
	guint64 count = 0;
	gsize len;
	char unit;

	if (g_ascii_strncasecmp(p, "last.", 5) == 0) {
		unit = unit_of(p + 5, strlen(p + 5));
		return unit && before(now, 1, unit, low, high);
	}
	while (g_ascii_isdigit(*p) && count < 100000)
		count = count * 10 + (guint64)(*p++ - '0');
	if (p == text || count >= 100000)
		return FALSE;
	if (*p == '.')
		p++;
	len = strcspn(p, ".");
	unit = unit_of(p, len);
	p += len;
	if (!unit || (*p && g_ascii_strcasecmp(p, ".ago") != 0))
		return FALSE;
	return before(now, (int)count, unit, low, high);
}

gboolean query_date_span(const char *text, gint64 now, gint64 *low,
			 gint64 *high)
{
	if (!g_ascii_strcasecmp(text, "today"))
		return before(now, 0, 'd', low, high);
	if (!g_ascii_strcasecmp(text, "yesterday"))
		return before(now, 1, 'd', low, high);
	if (!g_ascii_strcasecmp(text, "now"))
		return span(now, now + 1, low, high);
	return rfc3339_span(text, low, high) ||
	       relative_span(text, now, low, high) ||
	       absolute_span(text, low, high);
}
