/* date.c - dates as mail programs write them, and as we print them
 * A date is read token by token in any order that leaves one meaning. Must
 * not read the clock: what is plausible is decided elsewhere. */
#include "mail/date.h"

#include <string.h>

#define MAX_TOKENS   24 /* no form of a date has more */
#define MAX_ZONE     (14 * 60)
#define UNIX_JULIAN  719163 /* GDate's number of 1970-01-01 */
#define YEAR_UNKNOWN -1

struct parts {
	int year, month, day; /* 0 (year: YEAR_UNKNOWN) = not seen */
	int hour, minute, second;
	gboolean has_time;
	int zone; /* minutes; G_MAXINT = not seen */
};

static const struct {
	const char *name;
	int minutes;
} zones[] = {
	{"UT", 0},	{"GMT", 0},	{"UTC", 0},    {"Z", 0},
	{"EST", -300},	{"EDT", -240},	{"CST", -360}, {"CDT", -300},
	{"MST", -420},	{"MDT", -360},	{"PST", -480}, {"PDT", -420},
	{"AKST", -540}, {"AKDT", -480}, {"HST", -600}, {"BRT", -180},
	{"WET", 0},	{"WEST", 60},	{"BST", 60},   {"CET", 60},
	{"CEST", 120},	{"MET", 60},	{"MEST", 120}, {"EET", 120},
	{"EEST", 180},	{"MSK", 180},	{"IST", 330},  {"SGT", 480},
	{"HKT", 480},	{"AWST", 480},	{"JST", 540},  {"KST", 540},
	{"AEST", 600},	{"AEDT", 660},	{"NZST", 720}, {"NZDT", 780},
};

static int month_of(const char *word, gsize len)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";

	for (int i = 0; len >= 3 && i < 12; i++)
		if (g_ascii_strncasecmp(word, names + 3 * i, 3) == 0)
			return i + 1;
	return 0;
}

static gboolean is_weekday(const char *word, gsize len)
{
	static const char names[] = "montuewedthufrisatsun";

	for (int i = 0; len >= 3 && i < 7; i++)
		if (g_ascii_strncasecmp(word, names + 3 * i, 3) == 0)
			return TRUE;
	return FALSE;
}

static int zone_of(const char *word, gsize len)
{
	for (guint i = 0; i < G_N_ELEMENTS(zones); i++)
		if (strlen(zones[i].name) == len &&
		    g_ascii_strncasecmp(word, zones[i].name, len) == 0)
			return zones[i].minutes;
	return G_MAXINT;
}

/* Up to `max` digits; returns how many. */
static int take_digits(const char *p, int max, int *value)
{
	int n = 0;

	*value = 0;
	while (n < max && g_ascii_isdigit(p[n]))
		*value = *value * 10 + (p[n++] - '0');
	return n;
}

/* Blanks, commas and comments; an open comment is the end. */
static const char *skip_filling(const char *p)
{
	guint depth = 0;

	for (; *p; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		else if (depth == 0 && *p != ',' && !g_ascii_isspace(*p))
			break;
	}
	return p;
}

static const char *take_word(struct parts *d, const char *p)
{
	const char *end = p;
	gsize len;

	while (g_ascii_isalpha(*end))
		end++;
	len = end - p;
	if (*end == '.')
		end++;
	if (!d->month && !is_weekday(p, len) && month_of(p, len)) {
		d->month = month_of(p, len);
		/* "31-Dec-2020" */
		if (*end == '-' && g_ascii_isdigit(end[1]))
			end++;
	} else if (d->has_time && d->zone == G_MAXINT) {
		d->zone = zone_of(p, len);
	}
	return end;
}

/* "hh:mm" or "hh:mm:ss", a fraction is dropped. */
static const char *take_time(struct parts *d, const char *p)
{
	int n = take_digits(p, 2, &d->hour);

	if (d->has_time || p[n] != ':')
		return NULL;
	p += n + 1;
	n = take_digits(p, 2, &d->minute);
	if (n == 0)
		return NULL;
	p += n;
	if (*p == ':') {
		n = take_digits(p + 1, 2, &d->second);
		if (n == 0)
			return NULL;
		p += n + 1;
		if (*p == '.')
			for (p++; g_ascii_isdigit(*p); p++)
				;
	}
	d->has_time = TRUE;
	return g_ascii_isdigit(*p) || *p == ':' ? NULL : p;
}

/* "+hhmm", "+hh:mm", "+h"; a named zone before it ("GMT+0100") gives way. */
static const char *take_zone(struct parts *d, const char *p)
{
	int sign = *p == '-' ? -1 : 1;
	int hours, minutes = 0;
	int n = take_digits(p + 1, 4, &hours);

	p += 1 + n;
	if (n == 0 || g_ascii_isdigit(*p))
		return NULL;
	if (n > 2) {
		minutes = hours % 100;
		hours /= 100;
	} else if (*p == ':') {
		n = take_digits(p + 1, 2, &minutes);
		if (n != 2)
			return NULL;
		p += 3;
	}
	if (minutes > 59)
		return NULL;
	d->zone = sign * (hours * 60 + minutes);
	return p;
}

/* "2020-12-31", followed by a blank or 'T' */
static const char *take_iso(struct parts *d, const char *p)
{
	if (take_digits(p, 4, &d->year) != 4 || p[4] != '-' ||
	    take_digits(p + 5, 2, &d->month) != 2 || p[7] != '-' ||
	    take_digits(p + 8, 2, &d->day) != 2)
		return NULL;
	p += 10;
	return *p == 'T' || *p == 't' ? p + 1 : p;
}

/* RFC 5322, 4.3: two and three digits count from 1900, below 50 from 2000. */
static int full_year(int value, int digits)
{
	if (digits > 3)
		return value;
	return digits < 3 && value < 50 ? value + 2000 : value + 1900;
}

static const char *take_number(struct parts *d, const char *p)
{
	int value;
	int n = take_digits(p, 5, &value);

	if (n == 4 && p[4] == '-' && g_ascii_isdigit(p[5]) &&
	    d->year == YEAR_UNKNOWN && !d->month && !d->day)
		return take_iso(d, p);
	if (p[n] == ':')
		return take_time(d, p);
	if (n <= 2 && !d->day && (d->year == YEAR_UNKNOWN || d->month))
		d->day = value;
	else if (n >= 2 && n <= 4 && d->year == YEAR_UNKNOWN)
		d->year = full_year(value, n);
	else
		return NULL;
	p += n;
	/* "31-Dec-2020" */
	return *p == '-' && g_ascii_isalpha(p[1]) ? p + 1 : p;
}

static const char *take_token(struct parts *d, const char *p)
{
	if (g_ascii_isalpha(*p))
		return take_word(d, p);
	if (g_ascii_isdigit(*p))
		return take_number(d, p);
	if ((*p == '+' || *p == '-') && d->has_time && g_ascii_isdigit(p[1]))
		return take_zone(d, p);
	if (*p == '-' && g_ascii_isspace(p[1])) /* "31 2020 - 10:00" */
		return p + 1;
	return NULL;
}

/* FALSE if the parts are no date from 1970 on. */
static gboolean to_utc(const struct parts *d, gint64 *utc)
{
	GDate date;

	if (d->year < 1970 || d->year > 9999 || d->hour > 23 ||
	    d->minute > 59 || d->second > 60 || d->month < 1 || d->day < 1 ||
	    !g_date_valid_dmy(d->day, d->month, d->year))
		return FALSE;
	g_date_clear(&date, 1);
	g_date_set_dmy(&date, d->day, d->month, d->year);
	*utc = ((gint64)g_date_get_julian(&date) - UNIX_JULIAN) * 86400 +
	       d->hour * 3600 + d->minute * 60 + d->second;
	if (d->zone != G_MAXINT)
		*utc -= (gint64)d->zone * 60;
	return TRUE;
}

gboolean date_parse(const char *value, gint64 *utc, int *zone)
{
	struct parts d = {.year = YEAR_UNKNOWN, .zone = G_MAXINT};
	const char *p = skip_filling(value);
	gint64 when = 0;
	gboolean good;

	for (int n = 0; *p && n < MAX_TOKENS; n++) {
		p = take_token(&d, p);
		if (!p)
			break;
		p = skip_filling(p);
	}
	good = p && !*p && d.has_time && to_utc(&d, &when) &&
	       (d.zone == G_MAXINT || ABS(d.zone) <= MAX_ZONE);
	if (zone)
		*zone = d.zone;
	if (good)
		*utc = when;
	return good;
}

gboolean date_from_rfc3339(const char *text, gint64 *utc)
{
	struct parts d = {.year = YEAR_UNKNOWN, .zone = G_MAXINT};
	const char *p = take_iso(&d, text);
	gint64 when;

	if (!p || p != text + 11 || !g_ascii_isdigit(p[0]) ||
	    !g_ascii_isdigit(p[1]) || p[2] != ':' || !g_ascii_isdigit(p[3]))
		return FALSE;
	p = take_time(&d, p);
	if (!p || p < text + 19)
		return FALSE;
	if (*p == 'Z' || *p == 'z') {
		d.zone = 0;
		p++;
	} else if (*p == '+' || *p == '-') {
		if (p[1] == '\0' || p[2] == '\0' || p[3] != ':')
			return FALSE;
		p = take_zone(&d, p);
	} else {
		return FALSE;
	}
	if (!p || *p || ABS(d.zone) >= 24 * 60 || !to_utc(&d, &when))
		return FALSE;
	*utc = when;
	return TRUE;
}

static GDateTime *printable(gint64 utc)
{
	GDateTime *t = utc < 0 ? NULL : g_date_time_new_from_unix_utc(utc);

	if (t && g_date_time_get_year(t) > 9999)
		g_clear_pointer(&t, g_date_time_unref);
	return t;
}

char *date_to_rfc3339(gint64 utc)
{
	g_autoptr(GDateTime) t = utc ? printable(utc) : NULL;

	return t ? g_date_time_format(t, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

char *date_to_overview(gint64 utc)
{
	g_autoptr(GDateTime) t = utc ? printable(utc) : NULL;

	if (!t)
		return NULL;
	return g_strdup_printf("%04d-%02d-%02d %2d:%02d",
			       g_date_time_get_year(t),
			       g_date_time_get_month(t),
			       g_date_time_get_day_of_month(t),
			       g_date_time_get_hour(t),
			       g_date_time_get_minute(t));
}

const char *date_day_name(int day)
{
	static const char days[7][4] = {"Mon", "Tue", "Wed", "Thu",
					"Fri", "Sat", "Sun"};

	g_assert(day >= 1 && day <= 7);
	return days[day - 1];
}

const char *date_month_name(int month)
{
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr",
					   "May", "Jun", "Jul", "Aug",
					   "Sep", "Oct", "Nov", "Dec"};

	g_assert(month >= 1 && month <= 12);
	return months[month - 1];
}

char *date_to_mail(gint64 utc)
{
	g_autoptr(GDateTime) t = utc ? printable(utc) : NULL;

	if (!t)
		return NULL;
	return g_strdup_printf("%s, %02d %s %d %02d:%02d:%02d +0000",
			       date_day_name(g_date_time_get_day_of_week(t)),
			       g_date_time_get_day_of_month(t),
			       date_month_name(g_date_time_get_month(t)),
			       g_date_time_get_year(t), g_date_time_get_hour(t),
			       g_date_time_get_minute(t),
			       g_date_time_get_second(t));
}
