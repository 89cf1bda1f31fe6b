/* webcopy_mail.c - the mail that a page shows, written anew
 * Leaves out what the archive hid; finds a robot's Message-ID where its own
 * report tells it. */
#include <string.h>

#include "mail/webcopy_priv.h"

#define ID_LINES 4000 /* looked at for a robot's Message-ID */

/* ---- the robot's own Message-ID */

/* "202401311609.2c8c0628-oliver.sang@intel.com", its domain perhaps hidden:
 * length of the local part, 0 none. */
static gsize id_len(const char *p, gsize len)
{
	gsize n = 0;

	while (n < len && g_ascii_isdigit(p[n]))
		n++;
	if (n != 12 || n >= len || p[n] != '.')
		return 0;
	for (n++; n < len && g_ascii_isalnum(p[n]);)
		n++;
	if (n < 18 || n >= len || (p[n] != '-' && p[n] != '%'))
		return 0;
	for (n++; n < len && (g_ascii_islower(p[n]) || p[n] == '.');)
		n++;
	return n < len && p[n] == '@' ? n : 0;
}

/* A line of the report itself which holds its id. */
static gboolean tells_id(const struct webcopy_line *l)
{
	static const char *const keys[] = {
		"Closes: ", "Link: ", "| Closes: ", "| Link: ",
		"https://download.01.org/0day-ci/archive/"};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		if (webcopy_starts(l, keys[i]))
			return TRUE;
	return FALSE;
}

static void recover_id(struct webcopy_page *pg)
{
	const char *p = pg->body;
	struct webcopy_line l;

	for (guint i = 0; i < ID_LINES && webcopy_next_line(&p, pg->end, &l);
	     i++) {
		const char *slash;
		gsize n, rest;

		if (!tells_id(&l))
			continue;
		while (l.len && l.text[l.len - 1] == '/')
			l.len--;
		slash = memrchr(l.text, '/', l.len);
		if (!slash)
			continue;
		slash++;
		rest = (gsize)(l.text + l.len - slash);
		n = id_len(slash, rest);
		if (!n)
			continue;
		g_string_append_printf(pg->other,
				       "\nMessage-ID: <%.*s@intel.com>", (int)n,
				       slash);
		return;
	}
}

static gboolean is_test_robot(const struct webcopy_page *pg)
{
	return g_str_has_prefix(pg->from->str, "kernel test r") ||
	       g_str_has_prefix(pg->from->str, "kbuild test r");
}

/* ---- the mail */

/* "name <user@xxxxxxxxx>", "name (user@xxx)": the name alone. */
static void hide_address(GString *from)
{
	char *at = strstr(from->str, "@xx");
	char *open;

	if (!at)
		return;
	open = memrchr(from->str, '<', (gsize)(at - from->str));
	if (!open)
		open = memrchr(from->str, '(', (gsize)(at - from->str));
	if (open)
		g_string_truncate(from, (gsize)(open - from->str));
}

static void append_from(const struct webcopy_page *pg, GString *out)
{
	const char *name = pg->from->str;

	if (strchr(name, '<') || strchr(name, '@')) {
		g_string_append_printf(out, "From: %s\n", name);
		return;
	}
	g_string_append(out, "From: \"");
	for (; *name; name++)
		if (!strchr("\"\\\r\n", *name))
			g_string_append_c(out, *name);
	g_string_append(out, "\" <>\n");
}

GBytes *webcopy_build(struct webcopy_page *pg)
{
	GString *out = g_string_sized_new((gsize)(pg->end - pg->body) + 512);
	gsize len;

	hide_address(pg->from);
	if (!pg->has_id && is_test_robot(pg))
		recover_id(pg);
	append_from(pg, out);
	g_string_append_printf(out, "Subject: %s\nDate: %s", pg->subject->str,
			       pg->date->str);
	g_string_append_len(out, pg->other->str, (gssize)pg->other->len);
	g_string_append(out, "\nMIME-Version: 1.0\n"
			     "Content-Transfer-Encoding: 8bit\n"
			     "Content-Type: text/plain\n\n");
	g_string_append_len(out, pg->body, (gssize)(pg->end - pg->body));
	len = out->len;
	return g_bytes_new_take(g_string_free(out, FALSE), len);
}
