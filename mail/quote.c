/* quote.c - the body of an answer: what is kept, put together */
#include "mail/quote.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/error.h"
#include "mail/own_text.h"
#include "mail/quote_priv.h"

#define COUNTED_GAP 20 /* lines; a larger one in dense text tells its size */
#define FILLED_GAP  2  /* lines within a paragraph that are shown instead */

/* ---- lines */

const char *quote_content(const struct quote_plan *p, guint i, gsize *len)
{
	const struct body_line *l = body_line(p->body, i);

	*len = l->len - l->skip;
	return l->text + l->skip;
}

gboolean quote_is_blank(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	for (gsize n = 0; n < len; n++)
		if (!is_blank(text[n]))
			return FALSE;
	return TRUE;
}

guint quote_depth(const struct quote_plan *p, guint i)
{
	return body_line(p->body, i)->depth;
}

void quote_keep(struct quote_plan *p, guint i, enum quote_keep why)
{
	p->marks[i].keep = MAX(p->marks[i].keep, (guint8)why);
}

/* ---- one line */

static gsize without_end_blanks(const char *line, gsize len)
{
	while (len) {
		const char *last = g_utf8_find_prev_char(line, line + len);
		gunichar c = last ? g_utf8_get_char(last) : 0;

		if (!last || !(g_unichar_isspace(c) ||
			       (c >= 0x1c && c <= 0x1f) || c == 0x85))
			break;
		len = (gsize)(last - line);
	}
	return len;
}

void quote_line(GString *out, const char *line, gsize len, gboolean spaced)
{
	len = without_end_blanks(line, len);
	if (!len)
		g_string_append_c(out, '>');
	else
		g_string_append(out, *line == '>' && !spaced ? ">" : "> ");
	for (gsize i = 0; i < len; i++) {
		if (g_ascii_iscntrl(line[i]) && line[i] != '\t')
			g_string_append(out, "\xef\xbf\xbd");
		else
			g_string_append_c(out, line[i]);
	}
	g_string_append_c(out, '\n');
}

/* ---- a block of quoted lines */

struct writer {
	GString *out;
	const struct quote_plan *plan;
	gboolean spaced;
	guint last;    /* line written last in this block; G_MAXUINT: none */
	gboolean said; /* own text stands above */
};

static void write_line(struct writer *w, guint i)
{
	const struct body_line *l = body_line(w->plan->body, i);

	quote_line(w->out, l->text, l->len, w->spaced);
}

/* No empty line between [a, b], all of one depth. */
static gboolean is_one_piece(const struct quote_plan *p, guint a, guint b)
{
	for (guint i = a; i <= b; i++)
		if (quote_is_blank(p, i) ||
		    quote_depth(p, i) != quote_depth(p, a))
			return FALSE;
	return TRUE;
}

static void write_gap(struct writer *w, guint next)
{
	const struct quote_plan *p = w->plan;
	guint dropped = next - w->last - 1, words = 0;

	for (guint i = w->last + 1; i < next; i++)
		words += !quote_is_blank(p, i);
	if (!dropped)
		return;
	if (!words)
		write_line(w, w->last + 1);
	else if (dropped <= FILLED_GAP && is_one_piece(p, w->last, next))
		for (guint i = w->last + 1; i < next; i++)
			write_line(w, i);
	else if (dropped > COUNTED_GAP && p->marks[next].dense)
		g_string_append_printf(w->out, "> [ ... %u lines ... ]\n",
				       dropped);
	else
		g_string_append(w->out, "> [...]\n");
}

static void write_kept(struct writer *w, guint i)
{
	if (w->last != G_MAXUINT)
		write_gap(w, i);
	else if (w->said && w->plan->marks[i].resumes)
		g_string_append(w->out, "\n> [...]\n");
	else if (w->said)
		g_string_append_c(w->out, '\n');
	write_line(w, i);
	w->last = i;
}

static void write_own(struct writer *w, const char *text)
{
	gsize from;

	g_string_append_c(w->out, '\n');
	from = w->out->len;
	own_text_wrap(w->out, text);
	while (w->out->len > from + 1 && w->out->str[w->out->len - 2] == '\n')
		g_string_truncate(w->out, w->out->len - 1);
	w->last = G_MAXUINT;
	w->said = TRUE;
}

/* ---- how much */

static guint own_lines(const struct quote_anchor *anchors, guint n)
{
	g_autoptr(GString) text = g_string_new(NULL);
	guint lines = 0;

	for (guint i = 0; i < n; i++)
		own_text_wrap(text, anchors[i].text);
	for (gsize i = 0; i + 1 < text->len; i++)
		lines += text->str[i] == '\n' && text->str[i + 1] != '\n';
	return lines + 1;
}

static guint count_kept(const struct quote_plan *p)
{
	guint n = 0;

	for (guint i = 0; i < p->n; i++)
		n += p->marks[i].keep != QUOTE_NOT;
	return n;
}

/* Frames go, one kind after the other, until the rest is small enough. */
static void shrink(struct quote_plan *p, guint own)
{
	guint most =
		MIN(QUOTE_MAX_LINES, MAX(QUOTE_MIN_LINES, QUOTE_PER_OWN * own));

	for (guint8 kind = QUOTE_CONTEXT; kind < QUOTE_ANCHOR; kind++) {
		if (count_kept(p) <= most)
			return;
		for (guint i = 0; i < p->n; i++)
			if (p->marks[i].keep == kind)
				p->marks[i].keep = QUOTE_NOT;
	}
}

/* ---- the whole */

static gboolean check(const struct quote_anchor *anchors, guint n, guint lines,
		      GError **err)
{
	const char *wrong = NULL;
	guint i;

	for (i = 0; i < n && !wrong; i++) {
		const struct quote_anchor *a = &anchors[i];

		if (a->first < 1 || a->first > a->last)
			wrong = "its lines must be [first, last], from 1";
		else if (a->last > lines)
			wrong = "the mail has fewer lines";
		else if (i && a->first <= anchors[i - 1].last)
			wrong = "its lines do not come after the one before";
		else if (i + 1 == n && !*a->text)
			wrong = "the last one needs a text";
	}
	if (!wrong && n > QUOTE_MAX_ANCHORS)
		wrong = "there are too many";
	if (!wrong)
		return TRUE;
	g_set_error(err, MAIL_ERROR, MAIL_ERROR_SYNTAX, "anchor %u: %s", i,
		    wrong);
	return FALSE;
}

/* Mark all frames; ends[i] is where the own text of anchor i belongs. */
static void mark_all(struct quote_plan *p, const struct quote_anchor *anchors,
		     guint n, guint *ends)
{
	for (guint i = 0; i < n; i++)
		for (guint l = anchors[i].first - 1; l < anchors[i].last; l++)
			quote_keep(p, l, QUOTE_ANCHOR);
	for (guint i = 0; i < n; i++) {
		guint stop = i + 1 < n ? anchors[i + 1].first - 1 : p->n;

		ends[i] = quote_frame(p, anchors[i].first - 1,
				      anchors[i].last - 1, stop);
	}
}

static void write_all(struct writer *w, const struct quote_anchor *anchors,
		      guint n, const guint *ends)
{
	guint at = 0;

	for (guint i = 0; i < n; i++) {
		for (; at <= ends[i]; at++)
			if (w->plan->marks[at].keep != QUOTE_NOT)
				write_kept(w, at);
		if (*anchors[i].text)
			write_own(w, anchors[i].text);
	}
}

gboolean quote_answer(GString *out, const char *text, gsize len,
		      const struct quote_anchor *anchors, guint n,
		      gboolean spaced, GError **err)
{
	g_autoptr(body) b = body_parse(text, len);
	g_autofree struct quote_mark *marks =
		g_new0(struct quote_mark, body_count(b));
	g_autofree guint *ends = g_new0(guint, n);
	struct quote_plan plan = {b, marks, body_count(b)};
	struct writer w = {out, &plan, spaced, G_MAXUINT, FALSE};

	if (!check(anchors, n, plan.n, err))
		return FALSE;
	mark_all(&plan, anchors, n, ends);
	shrink(&plan, own_lines(anchors, n));
	write_all(&w, anchors, n, ends);
	return TRUE;
}

void quote_all(GString *out, const char *text, gsize len, gboolean spaced)
{
	g_autoptr(body) b = body_parse(text, len);
	guint n = body_count(b);

	while (n) {
		const struct body_line *l = body_line(b, n - 1);

		if (l->kind != BODY_SIGNATURE && l->kind != BODY_FOOTER &&
		    without_end_blanks(l->text, l->len))
			break;
		n--;
	}
	for (guint i = 0; i < n; i++)
		quote_line(out, body_line(b, i)->text, body_line(b, i)->len,
			   spaced);
}
