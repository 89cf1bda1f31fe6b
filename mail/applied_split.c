/* applied_split.c - the words of one sentence, and what divides them */
#include <string.h>

#include "mail/applied_priv.h"

#define OPENING "([{\"'`*_<"
#define CLOSING ")]}\"'`*_>.,;:!?"

/* "1", "01-03", "2/5", "1,3,4,5", "#2", "1..3": patches of a series. */
static gboolean is_number(const char *low)
{
	gsize n = strspn(low, "0123456789,-/.&+#");
	guint digits = 0;

	if (low[n] || !strpbrk(low, "0123456789") || n > 40)
		return FALSE;
	if (strchr(low, '.') && !strstr(low, ".."))
		return FALSE; /* "5.4" */
	for (; *low; low++) {
		digits = g_ascii_isdigit(*low) ? digits + 1 : 0;
		if (digits > 3)
			return FALSE;
	}
	return TRUE;
}

/* A typographic apostrophe becomes a plain one. */
static char *fold(const char *p, gsize len, char *out)
{
	for (gsize i = 0; i < len;) {
		if (len - i > 2 && !memcmp(p + i, "\xe2\x80\x99", 3)) {
			*out++ = '\'';
			i += 3;
		} else {
			*out++ = g_ascii_tolower(p[i++]);
		}
	}
	*out++ = '\0';
	return out;
}

static enum notice_break break_of(char c)
{
	switch (c) {
	case '(':
	case ')':
	case '[':
		return BREAK_PAREN;
	case ',':
	case ';':
	case '.':
	case '!':
	case '?':
		return BREAK_COMMA;
	case ':':
		return BREAK_COLON;
	default:
		return BREAK_NONE;
	}
}

/* A question mark that is no part of a URL. */
static gboolean asks(const char *p)
{
	while ((p = strchr(p, '?'))) {
		p++;
		if (!*p || strchr(" \t\n)\"'?!", *p))
			return TRUE;
	}
	return FALSE;
}

static void note(guint8 *pending, char c)
{
	enum notice_break found = break_of(c);

	*pending = MAX(*pending, (guint8)found);
}

static gboolean is_dash(const char *p, gsize len)
{
	return (len <= 3 && strspn(p, "-*") >= len) ||
	       (len == 3 && (!memcmp(p, "\xe2\x80\x93", 3) ||
			     !memcmp(p, "\xe2\x80\x94", 3))) ||
	       (len >= 2 && strspn(p, ".") >= len);
}

static void judge(struct notice_sentence *s, struct notice_token *t)
{
	t->entry = notice_lookup(t->low);
	t->flags = t->entry ? t->entry->flags : 0;
	if (!t->entry && is_number(t->low))
		t->flags = IS_NUMBER | IS_LEAD;
	if (t->low[0] == 'v' && t->low[1] &&
	    !t->low[1 + strspn(t->low + 1, "0123456789")])
		t->flags = IS_WHAT | IS_LEAD; /* "v3" */
	s->thanks |= (t->flags & IS_THANKS) && t->low[0] == 't';
	s->trial |= (t->flags & IS_TRIAL) != 0;
	s->denied |= (t->flags & IS_DENY) != 0;
}

gboolean notice_split(struct notice_sentence *s, const char *text, gsize len)
{
	const char *p, *end;
	char *out = s->low;
	guint8 pending = BREAK_COLON;

	s->n = 0;
	s->question = s->thanks = s->trial = s->denied = FALSE;
	if (len > NOTICE_BYTES)
		return FALSE;
	p = s->raw;
	end = p + len + 1;
	s->raw[0] = ' ';
	memcpy(s->raw + 1, text, len);
	s->raw[len + 1] = '\0';
	while (p < end) {
		struct notice_token *t;
		const char *q, *from, *to;

		while (p < end && g_ascii_isspace(*p))
			p++;
		for (q = p; q < end && !g_ascii_isspace(*q);)
			q++;
		from = p;
		to = p = q;
		if (from == to)
			break;
		if (is_dash(from, (gsize)(to - from))) {
			pending = MAX(pending, BREAK_COLON);
			continue;
		}
		while (from < to && strchr(OPENING, *from))
			note(&pending, *from++);
		while (to > from && strchr(CLOSING, to[-1]))
			to--;
		if (from == to) {
			for (; to < q; to++)
				note(&pending, *to);
			continue;
		}
		if (s->n == NOTICE_WORDS)
			return FALSE;
		t = &s->word[s->n++];
		t->raw = from;
		t->len = (guint)(to - from);
		t->low = out;
		t->before = pending;
		out = fold(from, t->len, out);
		if (!strcmp(t->low, "&") || !strcmp(t->low, "+"))
			t->low = (char *)"and";
		judge(s, t);
		pending = BREAK_NONE;
		for (; to < q; to++)
			note(&pending, *to);
	}
	s->question = asks(s->raw);
	return s->n > 0;
}
