/* attribution.c - the line above a quote */
#include "mail/attribution.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/date.h"

#define DAY	 (24 * 60 * 60)
#define MAX_NAME 200 /* bytes of a name */

static char *without_controls(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (g_unichar_isspace(c))
			g_string_append_c(out, ' ');
		else if (!is_unsafe(c) && c != 0x200e && c != 0x200f)
			g_string_append_unichar(out, c);
	}
	return g_string_free(out, FALSE);
}

/* "Jo Wu via Some-List" is Jo Wu. */
static void drop_via(char *name)
{
	char *via = g_strrstr(name, " via ");

	if (via && via != name)
		*via = '\0';
}

static void drop_quotes(char *name)
{
	gsize len;

	g_strstrip(name);
	while (*name == '"' || *name == '\'')
		memmove(name, name + 1, strlen(name));
	for (len = strlen(name);
	     len && (name[len - 1] == '"' || name[len - 1] == '\'');)
		name[--len] = '\0';
	g_strstrip(name);
}

char *attribution_name(const struct address *author)
{
	g_autofree char *name = without_controls(author->name);
	const char *at = strchr(author->address, '@');

	drop_via(name);
	drop_quotes(name);
	if (*name)
		return chars_squeeze(name, strlen(name), MAX_NAME);
	if (!at)
		return g_strdup(*author->address ? author->address
						 : "somebody");
	return g_strndup(author->address, (gsize)(at - author->address));
}

/* The instant on a clock in `zone`, minutes east of UTC. */
static GDateTime *on_clock(gint64 utc, int zone)
{
	g_autoptr(GTimeZone) tz = g_time_zone_new_offset(zone * 60);
	g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(utc);

	return at ? g_date_time_to_timezone(at, tz) : NULL;
}

static char *zone_text(int zone)
{
	int minutes = ABS(zone);

	return g_strdup_printf("%c%02d%02d", zone < 0 ? '-' : '+', minutes / 60,
			       minutes % 60);
}

static char *print_default(GDateTime *t, const char *zone)
{
	int hour = g_date_time_get_hour(t);

	return g_strdup_printf("%s, %s %02d, %d at %02d:%02d:%02d%s %s",
			       date_day_name(g_date_time_get_day_of_week(t)),
			       date_month_name(g_date_time_get_month(t)),
			       g_date_time_get_day_of_month(t),
			       g_date_time_get_year(t), (hour + 11) % 12 + 1,
			       g_date_time_get_minute(t),
			       g_date_time_get_second(t),
			       hour < 12 ? "AM" : "PM", zone);
}

static char *print_date(GDateTime *t, int zone, enum attribution_form form)
{
	g_autofree char *offset = zone_text(zone);

	if (form == ATTRIBUTION_ISO)
		return g_strdup_printf("%04d-%02d-%02d %02d:%02d %s",
				       g_date_time_get_year(t),
				       g_date_time_get_month(t),
				       g_date_time_get_day_of_month(t),
				       g_date_time_get_hour(t),
				       g_date_time_get_minute(t), offset);
	if (form == ATTRIBUTION_SHORT)
		return g_strdup_printf("%02d/%02d", g_date_time_get_month(t),
				       g_date_time_get_day_of_month(t));
	return print_default(t, offset);
}

static char *date_text(const message *msg, enum attribution_form form,
		       gint64 now)
{
	g_autofree char *value =
		header_dup_decoded(message_header(msg), "Date");
	g_autoptr(GDateTime) t = NULL;
	gint64 utc;
	int zone;

	if (!value || !date_parse(value, &utc, &zone))
		return NULL;
	if (zone == G_MAXINT)
		zone = 0;
	if (utc < 0 || (now && utc > now + DAY)) {
		utc = message_date(msg);
		zone = 0;
	} else if (form == ATTRIBUTION_RFC) {
		return g_strdup(value);
	}
	t = on_clock(utc, zone);
	return t ? print_date(t, zone, form) : NULL;
}

char *attribution_line(const message *msg, enum attribution_form form,
		       gint64 now)
{
	g_autofree char *name = attribution_name(message_from(msg));
	g_autofree char *date = date_text(msg, form, now);

	return date ? g_strdup_printf("On %s, %s wrote:", date, name)
		    : g_strdup_printf("%s wrote:", name);
}
