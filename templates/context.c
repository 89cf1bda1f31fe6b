/* context.c - where in an HTML or XML page a template's text stands
 * A small reading of tags and attributes, good for text that we write
 * ourselves: it decides how a value is escaped and refuses places where no
 * escaping helps. It never sees values. */
#include <string.h>

#include "templates/template_priv.h"

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static void name_add(struct html *h, char c)
{
	if (h->len < sizeof(h->name) - 1)
		h->name[h->len++] = g_ascii_tolower(c);
	h->name[h->len] = '\0';
}

static void name_begin(struct html *h, char c, enum html_mode mode)
{
	h->len = 0;
	h->mode = mode;
	name_add(h, c);
}

static void element_named(struct html *h)
{
	h->element = ELEMENT_OTHER;
	if (h->closing)
		return;
	if (!strcmp(h->name, "style"))
		h->element = ELEMENT_STYLE;
	else if (!strcmp(h->name, "script"))
		h->element = ELEMENT_SCRIPT;
}

static void attr_named(struct html *h)
{
	static const char *const urls[] = {"href",	 "src",
					   "action",	 "formaction",
					   "cite",	 "poster",
					   "data",	 "xlink:href",
					   "background", "manifest",
					   NULL};
	static const char *const codes[] = {"style", "srcdoc", "srcset", "ping",
					    NULL};

	h->attr = ATTR_PLAIN;
	h->started = FALSE;
	if (g_strv_contains(urls, h->name))
		h->attr = ATTR_URL;
	else if (g_str_has_prefix(h->name, "on") ||
		 g_strv_contains(codes, h->name))
		h->attr = ATTR_CODE;
}

static void tag_end(struct html *h)
{
	h->match = 0;
	h->mode = h->element == ELEMENT_OTHER ? HTML_TEXT : HTML_RAW;
}

static void feed_open(struct html *h, char c)
{
	if (c == '/' && !h->closing)
		h->closing = TRUE;
	else if (g_ascii_isalpha(c))
		name_begin(h, c, HTML_NAME);
	else if ((c == '!' || c == '?') && !h->closing)
		h->mode = HTML_DECL;
	else
		h->mode = HTML_TEXT;
	h->match = 0;
}

/* Inside <style> or <script>: only its own end tag ends it. */
static void feed_raw(struct html *h, char c)
{
	const char *end = h->element == ELEMENT_STYLE ? "</style" : "</script";

	if (g_ascii_tolower(c) == end[h->match])
		h->match++;
	else
		h->match = c == '<';
	if (end[h->match])
		return;
	h->element = ELEMENT_OTHER;
	h->closing = TRUE;
	h->mode = HTML_GAP;
}

static void feed_comment(struct html *h, char c)
{
	if (c == '>' && h->match >= 2)
		h->mode = HTML_TEXT;
	h->match = c == '-' ? h->match + 1 : 0;
}

static void feed_decl(struct html *h, char c)
{
	if (c == '>')
		h->mode = HTML_TEXT;
	else if (c == '-' && h->match == 1)
		h->mode = HTML_COMMENT;
	h->match = c == '-' && h->match == 0 ? 1 : 2;
	if (h->mode == HTML_COMMENT)
		h->match = 0;
}

static void feed_tag(struct html *h, char c)
{
	if (c == '>')
		tag_end(h);
	else if (is_blank(c) || c == '/')
		h->mode = HTML_TAG;
	else
		name_begin(h, c, HTML_ATTR);
}

static void feed_attr(struct html *h, char c)
{
	if (c == '=') {
		attr_named(h);
		h->mode = HTML_EQUAL;
	} else if (is_blank(c)) {
		h->mode = HTML_AFTER;
	} else if (c == '>' || c == '/') {
		feed_tag(h, c);
	} else if (h->mode == HTML_AFTER) {
		name_begin(h, c, HTML_ATTR);
	} else {
		name_add(h, c);
	}
}

static void feed_value(struct html *h, char c)
{
	if (h->mode == HTML_EQUAL && (c == '"' || c == '\'')) {
		h->quote = c;
		h->mode = HTML_QUOTED;
	} else if (c == '>') {
		tag_end(h);
	} else if (is_blank(c)) {
		h->mode = h->mode == HTML_BARE ? HTML_TAG : HTML_EQUAL;
	} else {
		h->mode = HTML_BARE;
	}
}

static void feed_name(struct html *h, char c)
{
	if (!is_blank(c) && c != '>' && c != '/') {
		name_add(h, c);
		return;
	}
	element_named(h);
	feed_tag(h, c);
}

static void feed_char(struct html *h, char c)
{
	switch (h->mode) {
	case HTML_TEXT:
		if (c == '<') {
			h->mode = HTML_OPEN;
			h->closing = FALSE;
		}
		break;
	case HTML_OPEN:
		feed_open(h, c);
		break;
	case HTML_NAME:
		feed_name(h, c);
		break;
	case HTML_TAG:
	case HTML_GAP:
		feed_tag(h, c);
		break;
	case HTML_ATTR:
	case HTML_AFTER:
		feed_attr(h, c);
		break;
	case HTML_EQUAL:
	case HTML_BARE:
		feed_value(h, c);
		break;
	case HTML_QUOTED:
		if (c == h->quote)
			h->mode = HTML_GAP;
		h->started = TRUE;
		break;
	case HTML_DECL:
		feed_decl(h, c);
		break;
	case HTML_COMMENT:
		feed_comment(h, c);
		break;
	case HTML_RAW:
		feed_raw(h, c);
		break;
	}
}

const char *html_feed(struct html *h, const char *text, gsize len)
{
	for (gsize i = 0; i < len; i++) {
		char c = text[i];

		if (h->mode == HTML_GAP && !is_blank(c) && c != '/' && c != '>')
			return "a blank, \"/\" or \">\" has to follow in "
			       "this tag";
		feed_char(h, c);
	}
	return NULL;
}

const char *html_value(struct html *h, gboolean marked, enum show *show)
{
	*show = marked ? SHOW_MARKED : SHOW_MARKUP;
	if (h->mode == HTML_TEXT)
		return NULL;
	if (h->mode == HTML_OPEN)
		return "a value cannot name an element";
	if (h->mode == HTML_RAW)
		return "a value cannot stand in a style sheet or script";
	if (h->mode == HTML_COMMENT || h->mode == HTML_DECL)
		return "a value cannot stand in a comment or declaration";
	if (h->mode != HTML_QUOTED)
		return "a value in a tag has to stand in quotes";
	if (h->attr == ATTR_CODE)
		return "a value cannot stand in an attribute of code or style";
	if (marked)
		return "markup cannot stand in an attribute";
	if (h->attr == ATTR_URL)
		*show = h->started ? SHOW_URL_PART : SHOW_URL;
	h->started = TRUE;
	return NULL;
}

const char *html_branch(struct html *h)
{
	switch (h->mode) {
	case HTML_NAME:
		element_named(h);
		h->mode = HTML_GAP;
		break;
	case HTML_ATTR:
		h->mode = HTML_GAP;
		break;
	case HTML_AFTER:
		h->mode = HTML_TAG;
		break;
	case HTML_OPEN:
	case HTML_EQUAL:
	case HTML_BARE:
	case HTML_DECL:
		return "a section or partial cannot stand here in a tag";
	case HTML_RAW:
	case HTML_COMMENT:
		h->match = 0;
		break;
	default:
		break;
	}
	return NULL;
}

void html_filled(struct html *h)
{
	if (h->mode == HTML_TAG)
		h->mode = HTML_GAP;
	h->started = TRUE;
}

static gboolean in_tag(const struct html *h)
{
	return h->mode == HTML_TAG || h->mode == HTML_GAP;
}

static gboolean same_place(const struct html *a, const struct html *b)
{
	if (in_tag(a) && in_tag(b))
		return a->element == b->element && a->closing == b->closing;
	if (a->mode != b->mode)
		return FALSE;
	if (a->mode == HTML_QUOTED)
		return a->quote == b->quote && a->attr == b->attr;
	return a->mode != HTML_RAW || a->element == b->element;
}

gboolean html_join(const struct html *begin, const struct html *end,
		   struct html *after)
{
	gboolean gap = end->mode == HTML_GAP;
	gboolean same = same_place(begin, end);

	*after = *begin;
	if (in_tag(begin) && gap)
		after->mode = HTML_GAP;
	return same;
}

guint html_key(const struct html *h)
{
	guint key = h->mode;

	key = key * 4 + (h->mode == HTML_QUOTED ? h->attr : 0);
	key = key * 4 + h->element;
	key = key * 2 + (h->mode == HTML_QUOTED && h->started);
	key = key * 2 + (h->mode == HTML_QUOTED && h->quote == '"');
	return key * 2 + (in_tag(h) && h->closing);
}
