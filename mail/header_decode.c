/* header_decode.c - RFC 2047 and the charset of raw bytes, by GMime
 * GMime turns a word in a charset that it does not know into nothing, so such
 * words never reach it. */
#include <string.h>

#include "mail/gmime_priv.h"
#include "mail/header.h"

#define MAX_CHARSET 64 /* longest name looked up */
#define MAX_LOOKUPS 64 /* different unknown charsets of one value */

/* Raw bytes as UTF-8: they are, or they are taken for windows-1252. */
static char *guess_charset(const char *s)
{
	char *text;

	if (g_utf8_validate(s, -1, NULL))
		return g_strdup(s);
	text = g_convert(s, -1, "UTF-8", "windows-1252", NULL, NULL, NULL);
	if (!text)
		text = g_convert(s, -1, "UTF-8", "iso-8859-1", NULL, NULL,
				 NULL);
	return text ? text : g_utf8_make_valid(s, -1);
}

/* Where the two bytes of `pair` stand in `p`, or NULL. (Not strstr: some
 * of them measure the whole string at each call.) */
static const char *find_pair(const char *p, const char *end, const char *pair)
{
	while ((p = memchr(p, pair[0], end - p)) != NULL) {
		if (p[1] == pair[1])
			return p;
		p++;
	}
	return NULL;
}

/* The charset of the encoded word at `p` ("=?charset*lang?Q?text?="): FALSE
 * if none begins there. `*end` is behind the word; NULL if no word can end
 * any more, so that a caller does not search the rest again and again. */
static gboolean encoded_word(const char *p, const char *stop,
			     char charset[MAX_CHARSET], const char **end)
{
	const char *mark = p + 2 + strcspn(p + 2, "? \t");
	gsize len = strcspn(p + 2, "*? \t");

	*end = p + 2;
	if (*mark != '?' || len == 0 || len >= MAX_CHARSET ||
	    !strchr("BbQq", mark[1]) || mark[1] == '\0' || mark[2] != '?')
		return FALSE;
	memcpy(charset, p + 2, len);
	charset[len] = '\0';
	*end = find_pair(mark + 3, stop, "?=");
	if (*end)
		*end += 2;
	return *end != NULL;
}

static void decode_run(GString *out, const char *from, gsize len)
{
	g_autofree char *run = g_strndup(from, len);
	g_autofree char *text = NULL;

	if (len == 0)
		return;
	text = g_mime_utils_header_decode_text(gmime_options(), run);
	g_string_append(out, text);
}

/* The last charset of either kind, so that a long value costs few lookups. */
struct charsets {
	char known[MAX_CHARSET];
	char unknown[MAX_CHARSET];
	guint lookups;
};

/* TRUE if GMime would lose a word in `charset`. */
static gboolean is_unknown(struct charsets *c, const char *charset)
{
	gboolean known;

	if (g_ascii_strcasecmp(charset, c->known) == 0)
		return FALSE;
	if (g_ascii_strcasecmp(charset, c->unknown) == 0)
		return TRUE;
	known = c->lookups++ < MAX_LOOKUPS && gmime_knows_charset(charset);
	g_strlcpy(known ? c->known : c->unknown, charset, MAX_CHARSET);
	return !known;
}

static char *decode_words(const char *s)
{
	GString *out = g_string_sized_new(strlen(s));
	struct charsets seen = {.known = "utf-8"};
	char charset[MAX_CHARSET];
	const char *run = s, *p = s, *end;
	const char *stop = s + strlen(s);

	for (; (p = find_pair(p, stop, "=?")) != NULL; p = end) {
		gboolean word = encoded_word(p, stop, charset, &end);

		if (!end)
			break;
		if (word && is_unknown(&seen, charset)) {
			decode_run(out, run, p - run);
			g_string_append_len(out, p, end - p);
			run = end;
		}
	}
	/* Behind the last "?=" there is no word; GMime would search the rest
	 * anew for each beginning of one. */
	decode_run(out, run, (p ? p : stop) - run);
	if (p) {
		g_autofree char *rest = guess_charset(p);

		g_string_append(out, rest);
	}
	return g_string_free(out, FALSE);
}

/* Runs of blanks become one, control characters go, in place. */
static void tidy(char *s)
{
	char *out = s;
	const char *p = s;

	while (*p) {
		guchar c = *p;

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			if (out > s && out[-1] != ' ')
				*out++ = ' ';
			p++;
		} else if (c < 0x20 || c == 0x7f) {
			p++;
		} else if (c == 0xc2 && (guchar)p[1] < 0xa0) {
			p += 2; /* U+0080 to U+009F */
		} else {
			*out++ = *p++;
		}
	}
	if (out > s && out[-1] == ' ')
		out--;
	*out = '\0';
}

char *header_decode(const char *unfolded)
{
	g_autofree char *text = NULL;
	char *valid;

	if (strstr(unfolded, "=?"))
		text = decode_words(unfolded);
	else
		text = guess_charset(unfolded);
	if (g_utf8_validate(text, -1, NULL))
		valid = g_steal_pointer(&text);
	else
		valid = g_utf8_make_valid(text, -1);
	tidy(valid);
	return valid;
}
