/* escape.c - a value's text made harmless for the place it is shown in
 * The place was found when the template was compiled; nothing is decided by
 * what a value looks like, but the scheme of a URL. */
#include <string.h>

#include "templates/template_priv.h"

/* Characters that are not seen or turn the text around: in a page they are
 * named, in plain text the dangerous ones are dropped. */
static gboolean is_unseen(gunichar c)
{
	return c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

static gboolean is_override(gunichar c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Control characters but newline and tab, C1 and DEL included. */
static gboolean is_control(gunichar c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f);
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void append_markup(GString *out, const char *p, gunichar c, gsize len)
{
	const char *name = len == 1 ? entity(*p) : NULL;

	if (name)
		g_string_append(out, name);
	else if (c < 0x80 && is_control(c))
		g_string_append_printf(out, "^%c", (char)(c ^ 0x40));
	else if (is_control(c) || is_unseen(c))
		g_string_append_printf(out, "[U+%04X]", c);
	else if ((c & 0xfffe) == 0xfffe)
		g_string_append(out, "\xef\xbf\xbd");
	else
		g_string_append_len(out, p, (gssize)len);
}

static void append_spec(GString *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		const char *name = *p == '\'' ? NULL : entity(*p);

		if (name)
			g_string_append(out, name);
		else
			g_string_append_c(out, *p);
	}
}

static void append_plain(GString *out, const char *p, gunichar c, gsize len)
{
	if (!is_control(c) && !is_override(c))
		g_string_append_len(out, p, (gssize)len);
}

static void append_url_byte(GString *out, guchar c, const char *allowed)
{
	if (g_ascii_isalnum(c) || (c && strchr(allowed, c)))
		g_string_append_c(out, (char)c);
	else
		g_string_append_printf(out, "%%%02X", c);
}

static gboolean scheme_allowed(const char *url)
{
	static const char *const schemes[] = {"http", "https", "mailto"};
	gsize n = strcspn(url, ":/?#");

	if (url[n] != ':')
		return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (n == strlen(schemes[i]) &&
		    !g_ascii_strncasecmp(url, schemes[i], n))
			return TRUE;
	return FALSE;
}

/* Only http, https, mailto and relative ones; others lead nowhere. Quotes
 * and "&" need no further escape in an attribute: %26 would be another URL,
 * so "&" is written as its entity. */
static void append_url(GString *out, const char *url)
{
	if (!scheme_allowed(url)) {
		g_string_append_c(out, '#');
		return;
	}
	for (const char *p = url; *p; p++) {
		if (*p == '&')
			g_string_append(out, "&amp;");
		else if (*p == '\'')
			g_string_append(out, "%27");
		else
			append_url_byte(out, (guchar)*p,
					"-._~:/?#[]@!$()*+,;=%");
	}
}

static void append_component(GString *out, const char *text)
{
	for (const char *p = text; *p; p++)
		append_url_byte(out, (guchar)*p, "-._~");
}

/* Length of the beginning that is the same in every place. */
static gsize harmless(const char *text)
{
	gsize n = 0;

	while (text[n] >= 0x20 && text[n] < 0x7f && !entity(text[n]))
		n++;
	return n;
}

static void append_text(GString *out, const char *text, enum show show)
{
	const char *p = text;

	while (*p) {
		gsize n = harmless(p);
		const char *next;

		g_string_append_len(out, p, (gssize)n);
		p += n;
		if (!*p)
			break;
		next = g_utf8_next_char(p);
		if (show == SHOW_MARKUP)
			append_markup(out, p, g_utf8_get_char(p),
				      (gsize)(next - p));
		else
			append_plain(out, p, g_utf8_get_char(p),
				     (gsize)(next - p));
		p = next;
	}
}

void escape_append(GString *out, const char *text, enum show show)
{
	switch (show) {
	case SHOW_PLAIN:
	case SHOW_MARKUP:
		append_text(out, text, show);
		break;
	case SHOW_URL:
		append_url(out, text);
		break;
	case SHOW_URL_PART:
		append_component(out, text);
		break;
	case SHOW_SPEC:
		append_spec(out, text);
		break;
	case SHOW_RAW:
	case SHOW_MARKED:
		g_string_append(out, text);
		break;
	}
}
