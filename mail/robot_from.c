/* robot_from.c - senders: addresses, headers, names
 * What rows of the table of robots share. */
#include <string.h>

#include "mail/robot_priv.h"

#define MAX_NAME 40

gboolean robot_from(const message *msg, const char *address)
{
	return g_ascii_strcasecmp(message_from(msg)->address, address) == 0;
}

gboolean robot_domain(const message *msg, const char *domain)
{
	const char *at = strrchr(message_from(msg)->address, '@');

	return at && g_ascii_strcasecmp(at + 1, domain) == 0;
}

gboolean robot_local(const message *msg, const char *prefix)
{
	return g_ascii_strncasecmp(message_from(msg)->address, prefix,
				   strlen(prefix)) == 0;
}

guint robot_name_distance(const message *msg, const char *want)
{
	const char *name = message_from(msg)->name;
	gsize n = strlen(name), m = strlen(want), i, k;
	guint row[MAX_NAME + 1];

	if (n > MAX_NAME || m > MAX_NAME || n + 3 < m || m + 3 < n)
		return 3;
	for (k = 0; k <= m; k++)
		row[k] = (guint)k;
	for (i = 1; i <= n; i++) {
		guint diagonal = row[0];

		row[0] = (guint)i;
		for (k = 1; k <= m; k++) {
			guint change =
				diagonal +
				(g_ascii_tolower(name[i - 1]) != want[k - 1]);

			diagonal = row[k];
			row[k] = MIN(MIN(row[k], row[k - 1]) + 1, change);
		}
	}
	return MIN(row[m], 3);
}

gboolean robot_has_header(const message *msg, const char *name)
{
	return header_find(message_header(msg), name) != NULL;
}

gboolean robot_header_is(const message *msg, const char *name,
			 const char *value)
{
	g_autofree char *have = header_dup(message_header(msg), name);

	return have && g_ascii_strncasecmp(have, value, strlen(value)) == 0;
}

gboolean robot_answers(const message *msg, const struct subject *s,
		       const body *b)
{
	gboolean attribution = FALSE;

	if (!s->reply && !message_in_reply_to(msg))
		return FALSE;
	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		if (l->kind == BODY_ATTRIBUTION)
			attribution = TRUE;
		else if (l->kind == BODY_QUOTE && attribution)
			return TRUE;
	}
	return FALSE;
}

char *robot_value(const body *b, guint lines, const char *key)
{
	const char *const keys[] = {key, NULL};

	for (guint i = 0; i < body_count(b) && i < lines; i++) {
		char *value = report_value(b, i, keys);

		if (value)
			return value;
	}
	return NULL;
}
