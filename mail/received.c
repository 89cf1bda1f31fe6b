/* received.c - fields that the hosts on a mail's way put on top of it */
#include "mail/received.h"

#include <string.h>

#include "mail/chars_priv.h"

#define MAX_TOKENS 60 /* of one field */

char *received_plain(const char *unfolded)
{
	GString *out = g_string_new(NULL);
	gboolean quoted = FALSE;
	guint depth = 0;

	for (const char *p = unfolded; *p; p++) {
		gboolean escaped = *p == '\\' && p[1] && (quoted || depth);

		if (escaped)
			p++;
		else if (*p == '"' && !depth)
			quoted = !quoted;
		else if (*p == '(' && !quoted)
			depth++;
		if (!depth && (escaped || *p != '"'))
			g_string_append_c(out,
					  quoted && (is_blank(*p) || *p == ';')
						  ? '_'
						  : *p);
		if (!escaped && *p == ')' && depth && --depth == 0)
			g_string_append_c(out, ' ');
	}
	return g_string_free(out, FALSE);
}

/* What follows "from" is the sender's own word: it is passed over, so that
 * nobody who calls himself "by" is taken for it. */
void received_parse(const struct header_field *f, struct received *r)
{
	g_autofree char *value = header_unfold(f);
	g_autofree char *plain = received_plain(value);
	g_auto(GStrv) tokens = g_strsplit_set(g_strdelimit(plain, ";\t", ' '),
					      " ", MAX_TOKENS);
	const char *before = "";

	r->by = r->with = NULL;
	for (guint i = 0; tokens[i]; i++) {
		const char *now = tokens[i];

		if (!*now)
			continue;
		if (!g_ascii_strcasecmp(before, "by") && !r->by)
			r->by = g_ascii_strdown(now, -1);
		else if (!g_ascii_strcasecmp(before, "with") && r->by &&
			 !r->with)
			r->with = g_ascii_strup(now, -1);
		before = g_ascii_strcasecmp(before, "from") ? now : "";
	}
	if (!r->by)
		r->by = g_strdup("");
	if (!r->with)
		r->with = g_strdup("");
}

void received_clear(struct received *r)
{
	g_clear_pointer(&r->by, g_free);
	g_clear_pointer(&r->with, g_free);
}

gboolean host_is_below(const char *name, const char *host)
{
	gsize n = strlen(name), h = strlen(host);

	if (!h || n < h || g_ascii_strcasecmp(name + n - h, host) != 0)
		return FALSE;
	return n == h || name[n - h - 1] == '.';
}
