/* html.c - HTML mail as readable text
 * One pass over the bytes, no tree. Keeps words, line breaks, links of text and
 * quotes; must not try to render. */
#include <string.h>

#include "mail/mime_priv.h"

#define MAX_TAG	   16 /* letters of a tag's name that matter */
#define MAX_ENTITY 10

struct html {
	const char *p;
	const char *end;
	GString *out;
	guint quotes;	   /* open <blockquote>s */
	guint pre;	   /* open <pre>s */
	guint breaks;	   /* line ends at the end of `out` */
	gboolean blank;	   /* a blank is due before the next word */
	gboolean prefixed; /* the line at hand has its quote marks */
};

static void put_break(struct html *h, guint n)
{
	h->blank = FALSE;
	if (!h->out->len && !h->prefixed)
		return;
	while (h->breaks < n) {
		if (!h->prefixed && h->quotes && h->breaks)
			for (guint i = 0; i < h->quotes; i++)
				g_string_append_c(h->out, '>');
		g_string_append_c(h->out, '\n');
		h->breaks++;
		h->prefixed = FALSE;
	}
}

/* One more, whatever there is. */
static void put_line_end(struct html *h)
{
	h->breaks = 0;
	put_break(h, 1);
}

static void begin_text(struct html *h)
{
	guint i;

	if (!h->prefixed && h->quotes) {
		for (i = 0; i < h->quotes; i++)
			g_string_append_c(h->out, '>');
		g_string_append_c(h->out, ' ');
	} else if (h->blank && h->prefixed) {
		g_string_append_c(h->out, ' ');
	}
	h->prefixed = TRUE;
	h->blank = FALSE;
	h->breaks = 0;
}

static void put_text(struct html *h, const char *s, gsize len)
{
	begin_text(h);
	g_string_append_len(h->out, s, (gssize)len);
}

static const struct entity {
	const char *name;
	const char *text;
} entities[] = {
	{"amp", "&"},
	{"lt", "<"},
	{"gt", ">"},
	{"quot", "\""},
	{"apos", "'"},
	{"nbsp", " "},
	{"copy", "\xc2\xa9"},
	{"reg", "\xc2\xae"},
	{"plusmn", "\xc2\xb1"},
	{"times", "\xc3\x97"},
	{"middot", "\xc2\xb7"},
	{"laquo", "\xc2\xab"},
	{"raquo", "\xc2\xbb"},
	{"ndash", "\xe2\x80\x93"},
	{"mdash", "\xe2\x80\x94"},
	{"lsquo", "\xe2\x80\x98"},
	{"rsquo", "\xe2\x80\x99"},
	{"ldquo", "\xe2\x80\x9c"},
	{"rdquo", "\xe2\x80\x9d"},
	{"bull", "\xe2\x80\xa2"},
	{"hellip", "\xe2\x80\xa6"},
	{"rarr", "\xe2\x86\x92"},
	{"larr", "\xe2\x86\x90"},
	{"auml", "\xc3\xa4"},
	{"ouml", "\xc3\xb6"},
	{"uuml", "\xc3\xbc"},
	{"Auml", "\xc3\x84"},
	{"Ouml", "\xc3\x96"},
	{"Uuml", "\xc3\x9c"},
	{"szlig", "\xc3\x9f"},
	{"eacute", "\xc3\xa9"},
	{"egrave", "\xc3\xa8"},
	{"agrave", "\xc3\xa0"},
	{"ccedil", "\xc3\xa7"},
	{"ntilde", "\xc3\xb1"},
};

/* "#8217", "#x2019": the character, 0 if it is none that text may hold. */
static gunichar numeric(const char *s)
{
	gboolean hex = s[1] == 'x' || s[1] == 'X';
	char *rest;
	guint64 u = g_ascii_strtoull(s + 1 + hex, &rest, hex ? 16 : 10);

	if (*rest || u == 0 || u > 0x10ffff || (u < 32 && u != 9 && u != 10))
		return 0;
	return g_unichar_validate((gunichar)u) ? (gunichar)u : 0;
}

static void read_entity(struct html *h)
{
	char name[MAX_ENTITY + 1] = "";
	gsize n = 0, i;
	gunichar u;

	while (n < MAX_ENTITY && h->p + 1 + n < h->end &&
	       (g_ascii_isalnum(h->p[1 + n]) || h->p[1 + n] == '#')) {
		name[n] = h->p[1 + n];
		n++;
	}
	name[n] = '\0';
	if (name[0] == '#' && (u = numeric(name)) != 0) {
		begin_text(h);
		g_string_append_unichar(h->out, u == 0xa0 ? ' ' : u);
		goto done;
	}
	for (i = 0; i < G_N_ELEMENTS(entities); i++)
		if (strcmp(name, entities[i].name) == 0) {
			put_text(h, entities[i].text, strlen(entities[i].text));
			goto done;
		}
	put_text(h, "&", 1);
	h->p++;
	return;
done:
	h->p += 1 + n;
	if (h->p < h->end && *h->p == ';')
		h->p++;
}

static gboolean is_tag(const char *tag, const char *const *tags)
{
	for (; *tags; tags++)
		if (strcmp(tag, *tags) == 0)
			return TRUE;
	return FALSE;
}

/* Skip to behind </tag>: what is inside is no text. */
static void skip_element(struct html *h, const char *tag)
{
	gsize len = strlen(tag);
	const char *p = h->p;

	while ((p = memchr(p, '<', (gsize)(h->end - p)))) {
		p++;
		if ((gsize)(h->end - p) > len && *p == '/' &&
		    g_ascii_strncasecmp(p + 1, tag, len) == 0)
			break;
	}
	p = p ? memchr(p, '>', (gsize)(h->end - p)) : NULL;
	h->p = p ? p + 1 : h->end;
}

static void apply_tag(struct html *h, const char *tag, gboolean closes)
{
	static const char *const hidden[] = {"script", "style", "head", "title",
					     NULL};
	static const char *const lines[] = {"div", "tr",      "li",	 "ul",
					    "ol",  "table",   "dt",	 "dd",
					    "hr",  "address", "section", NULL};
	static const char *const paragraphs[] = {"p",  "h1", "h2", "h3",
						 "h4", "h5", "h6", NULL};

	if (is_tag(tag, hidden) && !closes) {
		skip_element(h, tag);
	} else if (strcmp(tag, "br") == 0) {
		put_line_end(h);
	} else if (is_tag(tag, lines)) {
		put_break(h, 1);
	} else if (is_tag(tag, paragraphs)) {
		put_break(h, 2);
	} else if (strcmp(tag, "pre") == 0) {
		put_break(h, 1);
		if (closes)
			h->pre -= h->pre > 0;
		else
			h->pre++;
	} else if (strcmp(tag, "blockquote") == 0) {
		put_break(h, 1);
		if (closes)
			h->quotes -= h->quotes > 0;
		else if (h->quotes < HTML_MAX_QUOTES)
			h->quotes++;
	} else if (strcmp(tag, "td") == 0 || strcmp(tag, "th") == 0) {
		h->blank = TRUE;
	}
}

static void read_tag(struct html *h)
{
	const char *p = h->p + 1, *close;
	char tag[MAX_TAG + 1] = "";
	gboolean closes;
	gsize n = 0;

	if (h->end - p >= 3 && memcmp(p, "!--", 3) == 0) {
		close = memmem(p, (gsize)(h->end - p), "-->", 3);
		h->p = close ? close + 3 : h->end;
		return;
	}
	closes = p < h->end && *p == '/';
	p += closes;
	/* "a < b" is no tag */
	if (p == h->end || !(g_ascii_isalpha(*p) || *p == '!' || *p == '?')) {
		put_text(h, "<", 1);
		h->p++;
		return;
	}
	for (; p < h->end && g_ascii_isalnum(*p); p++)
		if (n < MAX_TAG)
			tag[n++] = g_ascii_tolower(*p);
	close = memchr(p, '>', (gsize)(h->end - p));
	h->p = close ? close + 1 : h->end;
	apply_tag(h, tag, closes);
}

static void read_space(struct html *h)
{
	if (!h->pre)
		h->blank = TRUE;
	else if (*h->p == '\n')
		put_line_end(h);
	else
		put_text(h, h->p, 1);
	h->p++;
}

GString *html_to_text(const char *html, gsize len)
{
	struct html h = {.p = html, .end = html + len};

	h.out = g_string_sized_new(len / 2 + 16);
	while (h.p < h.end) {
		const char *word = h.p;

		while (h.p < h.end && !strchr("<& \t\r\n", *h.p))
			h.p++;
		if (h.p > word)
			put_text(&h, word, (gsize)(h.p - word));
		if (h.p == h.end)
			break;
		if (*h.p == '<')
			read_tag(&h);
		else if (*h.p == '&')
			read_entity(&h);
		else
			read_space(&h);
	}
	put_break(&h, 1);
	while (h.out->len > 1 && h.out->str[h.out->len - 2] == '\n')
		g_string_truncate(h.out, h.out->len - 1);
	return h.out;
}
