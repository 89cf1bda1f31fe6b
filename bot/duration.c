/* duration.c - spans of time as people write them: "10min", "7d" */
#include "bot/duration.h"

static const struct {
	const char *name;
	gint64 seconds;
} units[] = {
	{"s", 1},	  {"min", 60},		{"h", 3600},
	{"d", 24 * 3600}, {"w", 7 * 24 * 3600}, {"y", 365 * 24 * 3600},
};

gboolean duration_parse(const char *text, gint64 *seconds)
{
	guint64 n;
	char *end;

	if (!g_ascii_isdigit(*text))
		return FALSE;
	n = g_ascii_strtoull(text, &end, 10);
	if (n > DURATION_MAX)
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
		if (!g_str_equal(end, units[i].name))
			continue;
		if (n > (guint64)(DURATION_MAX / units[i].seconds))
			return FALSE;
		*seconds = (gint64)n * units[i].seconds;
		return TRUE;
	}
	return FALSE;
}
