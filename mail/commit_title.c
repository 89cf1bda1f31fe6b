/* commit_title.c - the ("title") behind a commit id
 * Must not take what is no title: without both quotes there is none. */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/commit_ref_priv.h"
#include "mail/header.h"

#define MAX_LINES 4   /* that a title is wrapped over */
#define MAX_TITLE 400 /* bytes */

/* Length of the opening `("` at `p`, straight or curly; 0 if none. */
static gsize opening(const char *p, const char *end)
{
	if (end - p >= 2 && p[0] == '(' && (p[1] == '"' || p[1] == '\''))
		return 2;
	return end - p >= 4 && memcmp(p, "(\xe2\x80\x9c", 4) == 0 ? 4 : 0;
}

/* Where the `")` that belongs to the quote `mark` begins; NULL if none. */
static const char *closing(const char *p, const char *end, char mark)
{
	for (; p + 1 < end; p++) {
		if (mark != '(' && p[0] == mark && p[1] == ')')
			return p;
		if (mark == '(' && end - p >= 4 &&
		    memcmp(p, "\xe2\x80\x9d)", 4) == 0)
			return p;
	}
	return NULL;
}

/* The content of line `i` without blanks around it; FALSE at the end of the
 * paragraph. */
static gboolean next_line(const struct hex_word *w, guint i, const char **from,
			  const char **to)
{
	const struct body_line *l;

	if (i >= body_count(w->body))
		return FALSE;
	l = body_line(w->body, i);
	if (!body_line_is_own(l))
		return FALSE;
	*from = l->text + l->skip;
	*to = l->text + l->len;
	while (*from < *to && is_blank(**from))
		(*from)++;
	while (*to > *from && is_blank((*to)[-1]))
		(*to)--;
	return *to > *from;
}

static char *finish(const GString *title)
{
	g_autofree char *text = NULL;

	if (title->len == 0 || title->len > MAX_TITLE)
		return NULL;
	text = g_utf8_make_valid(title->str, title->len);
	return header_decode(text);
}

/* Behind marks that close around the id: `"abc"' ("title")`. */
static const char *skip_marks(const char *p, const char *end)
{
	while (p < end && (is_blank(*p) || strchr("\"'`>]", *p)))
		p++;
	return p;
}

char *commit_title(const struct hex_word *w, const char **behind)
{
	const char *p = skip_marks(w->to, w->end), *end = w->end;
	g_autoptr(GString) title = NULL;
	guint line = w->line;
	gsize skip;
	char mark;

	*behind = w->to;
	if (p == end && !next_line(w, ++line, &p, &end))
		return NULL;
	skip = opening(p, end);
	if (!skip)
		return NULL;
	mark = skip == 2 ? p[1] : '(';
	title = g_string_new(NULL);
	for (p += skip; line - w->line < MAX_LINES;) {
		const char *stop =
			closing(p, MIN(end, p + MAX_TITLE + 4), mark);

		if (!stop && end - p > MAX_TITLE)
			return NULL;
		g_string_append_len(title, p, (stop ? stop : end) - p);
		if (stop) {
			if (line == w->line)
				*behind = stop + (mark == '(' ? 4 : 2);
			return finish(title);
		}
		if (title->len > MAX_TITLE || !next_line(w, ++line, &p, &end))
			return NULL;
		g_string_append_c(title, ' ');
	}
	return NULL;
}
