/* flowed.c - format=flowed text put together again (RFC 3676)
 * Works on decoded text; never sees a diff, but to take stuffed blanks out. */
#include <string.h>

#include "mail/mime_priv.h"

struct flow {
	GString *out;
	gboolean delsp;
	gboolean open; /* the last line ended in a soft break */
	guint depth;   /* of the last line */
};

static guint count_marks(const char *p, gsize len)
{
	guint n = 0;

	while (n < len && p[n] == '>')
		n++;
	return n;
}

static void begin_line(struct flow *f, const char *line, guint depth)
{
	if (f->open)
		g_string_append_c(f->out, '\n');
	g_string_append_len(f->out, line, depth);
	f->depth = depth;
}

static void add_line(struct flow *f, const char *line, gsize len)
{
	guint depth = count_marks(line, len);
	const char *text = line + depth;
	gboolean is_signature, soft;

	len -= depth;
	if (len && *text == ' ') {
		text++;
		len--;
	}
	is_signature = len == 3 && memcmp(text, "-- ", 3) == 0;
	soft = len && text[len - 1] == ' ' && !is_signature;
	if (!f->open || depth != f->depth || is_signature ||
	    depth > FLOWED_MAX_DEPTH) {
		begin_line(f, line, depth);
		if (depth && len)
			g_string_append_c(f->out, ' ');
	}
	if (soft && f->delsp)
		len--;
	g_string_append_len(f->out, text, (gssize)len);
	f->open = soft;
	if (!soft)
		g_string_append_c(f->out, '\n');
}

GString *flowed_join(const char *text, gsize len, gboolean delsp)
{
	struct flow f = {.delsp = delsp};
	const char *end = text + len, *nl;

	f.out = g_string_sized_new(len + 1);
	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (gsize)(end - text));
		if (!nl)
			nl = end;
		add_line(&f, text, (gsize)(nl - text));
	}
	if (f.open)
		g_string_append_c(f.out, '\n');
	return f.out;
}

/* In a diff whose context was stuffed every such line begins with two blanks;
 * one that begins with a single blank tells that nothing was. */
static gboolean was_stuffed(const char *text, const char *end)
{
	gboolean hunk = FALSE, seen = FALSE;
	const char *nl;

	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (gsize)(end - text));
		if (!nl)
			nl = end;
		if (nl - text > 3 && memcmp(text, "@@ -", 4) == 0)
			hunk = TRUE;
		else if (text < nl && !strchr(" +-\\", *text))
			hunk = FALSE;
		if (!hunk || *text != ' ')
			continue;
		if (nl - text < 2 || text[1] != ' ')
			return FALSE;
		seen = TRUE;
	}
	return seen;
}

GString *flowed_unstuff(const char *text, gsize len)
{
	const char *end = text + len, *nl;
	GString *out;

	if (!was_stuffed(text, end))
		return NULL;
	out = g_string_sized_new(len);
	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (gsize)(end - text));
		if (!nl)
			nl = end - 1;
		text += *text == ' ';
		g_string_append_len(out, text, nl + 1 - text);
	}
	return out;
}
