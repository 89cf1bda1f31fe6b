/* nntp_article.c - an article as the mail that it was */
#include <string.h>

#include "mail/nntp_text.h"

/* ---- blocks */

enum block_state {
	AT_LINE, /* a line begins */
	DOT,	 /* ... with a dot */
	DOT_CR,	 /* ... and a CR behind it */
	IN_LINE,
	CR, /* in a line, held back */
};

/* Up to and without the next CR. */
static const char *take_run(const char *p, const char *end, GString *out)
{
	const char *cr = memchr(p, '\r', (gsize)(end - p));
	const char *to = cr ? cr : end;

	g_string_append_len(out, p, to - p);
	return to;
}

/* `c` follows a CR that was held back. TRUE if it was taken. */
static gboolean after_cr(struct nntp_block *b, char c, GString *out)
{
	b->state = c == '\n' ? AT_LINE : IN_LINE;
	g_string_append_c(out, c == '\n' ? '\n' : '\r');
	return c == '\n';
}

gsize nntp_block_take(struct nntp_block *b, const char *bytes, gsize len,
		      GString *out, gboolean *end)
{
	const char *p = bytes, *stop = bytes + len;

	*end = FALSE;
	while (p < stop && !*end) {
		switch ((enum block_state)b->state) {
		case AT_LINE:
			b->state = *p == '.' ? DOT : IN_LINE;
			p += *p == '.';
			break;
		case DOT:
			b->state = *p == '\r' ? DOT_CR : IN_LINE;
			if (*p == '.')
				g_string_append_c(out, '.');
			p += *p == '\r' || *p == '.';
			break;
		case DOT_CR:
			*end = *p == '\n';
			if (!*end)
				after_cr(b, *p, out);
			else
				p++;
			break;
		case IN_LINE:
			p = take_run(p, stop, out);
			if (p < stop) {
				b->state = CR;
				p++;
			}
			break;
		case CR:
			p += after_cr(b, *p, out);
			break;
		}
	}
	if (*end)
		b->state = AT_LINE;
	return (gsize)(p - bytes);
}

/* ---- the head */

enum field {
	OTHER,
	PATH, /* and Xref */
	NEWSGROUPS,
	ALT_ID,
};

static const struct {
	const char *name;
	enum field field;
} names[] = {
	{"Path:", PATH},
	{"Xref:", PATH},
	{"Newsgroups:", NEWSGROUPS},
	{"X-Alt-Message-ID:", ALT_ID},
};
#define ALT_PREFIX 6 /* "X-Alt-" */

/* One field with what it is folded into. */
struct span {
	gsize from, to;
	enum field field;
	gboolean sure; /* nothing before it is no field */
};

static enum field which(const char *line, gsize len)
{
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (len >= strlen(names[i].name) &&
		    g_ascii_strncasecmp(line, names[i].name,
					strlen(names[i].name)) == 0)
			return names[i].field;
	return OTHER;
}

static gboolean is_field(const char *line, gsize len)
{
	gsize i = 0;

	while (i < len && (guchar)line[i] > ' ' && line[i] != ':')
		i++;
	return i > 0 && i < len && line[i] == ':';
}

/* The fields that are not OTHER, and the last that is. */
static gsize scan(const GString *s, GArray *spans)
{
	gsize max = MIN(s->len, NNTP_MAX_HEAD), at = 0, other = 0;
	struct span *open = NULL;
	gboolean sure = TRUE;

	while (at < max && s->str[at] != '\n') {
		const char *line = s->str + at;
		const char *lf = memchr(line, '\n', max - at);
		gsize next = lf ? (gsize)(lf - s->str) + 1 : max;
		struct span sp = {at, next, OTHER, sure};

		if (*line != ' ' && *line != '\t') {
			sp.field = lf ? which(line, next - at) : OTHER;
			open = NULL;
			sure = sure && is_field(line, next - at);
			if (sp.field != OTHER) {
				g_array_append_val(spans, sp);
				open = &g_array_index(spans, struct span,
						      spans->len - 1);
			}
		}
		if (open)
			open->to = next;
		else
			other = next;
		at = next;
	}
	return other;
}

void nntp_strip(GString *article)
{
	g_autoptr(GArray) spans =
		g_array_new(FALSE, FALSE, sizeof(struct span));
	gsize other = scan(article, spans), to = 0, from = 0;
	char *s = article->str;

	for (guint i = 0; i < spans->len; i++) {
		const struct span *sp = &g_array_index(spans, struct span, i);
		gsize cut = sp->to;

		if (sp->from < other && (sp->field != PATH || !sp->sure))
			continue;
		if (sp->field == ALT_ID)
			cut = sp->from + ALT_PREFIX;
		memmove(s + to, s + from, sp->from - from);
		to += sp->from - from;
		from = cut;
	}
	memmove(s + to, s + from, article->len - from);
	g_string_truncate(article, to + article->len - from);
}
