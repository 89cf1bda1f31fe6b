/* body.c - the body as lines: quote depth and what each line is for
 * Two passes: cut into lines, then judge each in order. Copies no text and
 * reads nothing but the lines. */
#include "mail/body.h"

#include <string.h>

#include "mail/body_priv.h"
#include "mail/git_line.h"

#define MAX_INITIALS 3 /* "ABC> " */
#define MAX_INDENT   4 /* blanks before the first '>' */
#define CODE_INDENT  5

struct body {
	GArray *lines; /* of struct body_line */
};

/* ` > 319<TAB>code`: the marked line of an excerpt in a build report. */
static gboolean is_excerpt(const char *p, const char *end)
{
	const char *digits;

	while (p < end && *p == ' ')
		p++;
	for (digits = p; p < end && g_ascii_isdigit(*p); p++)
		;
	return p > digits && p < end && *p == '\t';
}

/* ">8----": scissors, not a quote. */
static gboolean is_cut(const struct body_line *l)
{
	return (line_starts(l, ">8") || line_starts(l, ">%")) &&
	       git_line_is_scissors(l->text, l->len);
}

static gsize initials(const char *p, const char *end)
{
	gsize n = 0;

	while (n < MAX_INITIALS && p + n < end && g_ascii_isupper(p[n]))
		n++;
	if (!n || p + n == end || p[n] != '>')
		return 0;
	return p + n + 1 == end || strchr(" \t>", p[n + 1]) ? n : 0;
}

guint body_quote_prefix(const char *line, gsize len, guint *depth)
{
	const char *end = line + len, *p = line, *q, *mark = NULL;
	guint d = 0, blanks;

	*depth = 0;
	if (len >= 6 && memcmp(line, ">From ", 6) == 0)
		return 0;
	for (;;) {
		blanks = d ? 1 : MAX_INDENT;
		for (q = p; q < end && blanks && (*q == ' ' || *q == '\t');
		     q++, blanks--)
			if (*q == '\t' && !d)
				break;
		q += initials(q, end);
		if (q == end || *q != '>')
			break;
		if (!d && q > line && is_excerpt(q + 1, end))
			return 0;
		/* ">= 4.0" at the beginning of a wrapped line */
		if (!d && end - q > 2 && q[1] == '=' &&
		    (q[2] == ' ' || g_ascii_isdigit(q[2])))
			return 0;
		mark = p = q + 1;
		d++;
	}
	if (!mark)
		return 0;
	if (mark < end && (*mark == ' ' || *mark == '\t'))
		mark++;
	*depth = MIN(d, BODY_MAX_DEPTH);
	return (guint)(mark - line);
}

static void cut_lines(GArray *lines, const char *text, gsize len)
{
	const char *end = text + len, *nl;
	struct body_line l = {0};

	while (text < end) {
		nl = memchr(text, '\n', (gsize)(end - text));
		if (!nl || lines->len + 1 == BODY_MAX_LINES)
			nl = end > text && end[-1] == '\n' ? end - 1 : end;
		l.text = text;
		l.len = (guint)(nl - text);
		g_array_append_val(lines, l);
		text = nl + 1;
	}
}

static void set_kind(struct body_lines *b, guint from, guint n,
		     enum body_kind kind)
{
	for (; n && from < b->n; from++, n--)
		b->at[from].kind = kind;
}

/* Line `i` begins a quote: what stands above may introduce it. */
static void attribute_quote(struct body_lines *b, guint i)
{
	guint k = i, n, blanks = 2;

	while (k && blanks && line_blank(&b->at[k - 1])) {
		k--;
		blanks--;
	}
	if (!k || b->at[k - 1].depth)
		return;
	switch (b->at[k - 1].kind) {
	case BODY_TEXT:
	case BODY_CODE:
	case BODY_SIGNATURE:
		n = mark_attribution(b, k - 1, TRUE);
		set_kind(b, k - n, n, BODY_ATTRIBUTION);
		break;
	default:
		break;
	}
}

static gboolean is_indented(const struct body_line *l)
{
	guint n = 0;

	while (n < l->len && n < CODE_INDENT && l->text[n] == ' ')
		n++;
	return n < l->len && (n == CODE_INDENT || l->text[n] == '\t');
}

/* The lines of a forward's head that are not one by one judged again, and
 * whether all that follows is the forwarded mail: not if that is quoted with
 * marks, then the sender's answers stand in between. */
static guint enter_forward(struct body_lines *b, guint i, guint n,
			   enum body_kind *tail)
{
	guint k = i + n, end, depth = 0;

	for (end = MIN(b->n, k + 3); k < end && line_blank(&b->at[k]);)
		k++;
	if (k < b->n)
		body_quote_prefix(b->at[k].text, b->at[k].len, &depth);
	if (!depth)
		*tail = BODY_FORWARD;
	set_kind(b, i, n, depth && n == 1 ? BODY_ATTRIBUTION : BODY_FORWARD);
	return n;
}

/* An unquoted line that is no part of a diff; the number of lines judged. */
static guint judge_plain(struct body_lines *b, guint i, gboolean first,
			 enum body_kind *tail)
{
	struct body_line *l = &b->at[i];
	guint n;

	l->kind = *tail;
	if (mark_footer(b, i))
		l->kind = *tail = BODY_FOOTER;
	if (*tail == BODY_FOOTER || *tail == BODY_FORWARD)
		return 1;
	n = mark_forward(b, i, first);
	if (n)
		return enter_forward(b, i, n, tail);
	if (mark_signature(b, i))
		l->kind = *tail = BODY_SIGNATURE;
	if (git_line_is_scissors(l->text, l->len)) {
		/* what follows is meant for git, below a signature as well */
		l->kind = BODY_SCISSORS;
		*tail = BODY_TEXT;
	} else if (*tail != BODY_TEXT) {
		return 1;
	} else if (is_indented(l)) {
		l->kind = BODY_CODE;
	} else if (l->len && l->text[l->len - 1] == ':') {
		n = mark_attribution(b, i, FALSE);
		set_kind(b, i + 1 - n, n, BODY_ATTRIBUTION);
	}
	return 1;
}

static void judge(struct body_lines *b)
{
	struct diff_walk diff = {0};
	enum body_kind tail = BODY_TEXT;
	gboolean first = TRUE;
	guint i = 0, depth;

	while (i < b->n) {
		struct body_line *l = &b->at[i];

		if (diff_walk_line(&diff, b, i)) {
			l->kind = tail == BODY_FORWARD ? tail : BODY_DIFF;
			first = FALSE;
			i++;
			continue;
		}
		l->skip = body_quote_prefix(l->text, l->len, &depth);
		if (depth && is_cut(l))
			l->skip = depth = 0;
		l->depth = (guint8)depth;
		if (depth) {
			l->kind = BODY_QUOTE;
			if (i && !b->at[i - 1].depth)
				attribute_quote(b, i);
			i++;
		} else {
			i += judge_plain(b, i, first, &tail);
		}
		first = first && line_blank(l);
	}
}

body *body_parse(const char *text, gsize len)
{
	body *b = g_new0(body, 1);
	struct body_lines lines;

	b->lines = g_array_sized_new(FALSE, TRUE, sizeof(struct body_line),
				     (guint)MIN(len / 40 + 8, BODY_MAX_LINES));
	cut_lines(b->lines, text, len);
	lines.at = (struct body_line *)(void *)b->lines->data;
	lines.n = b->lines->len;
	judge(&lines);
	return b;
}

void body_free(body *b)
{
	if (!b)
		return;
	g_array_unref(b->lines);
	g_free(b);
}

guint body_count(const body *b)
{
	return b->lines->len;
}

const struct body_line *body_line(const body *b, guint i)
{
	return &g_array_index(b->lines, struct body_line, i);
}

gboolean body_line_is_own(const struct body_line *l)
{
	return l->kind == BODY_TEXT || l->kind == BODY_CODE ||
	       l->kind == BODY_SCISSORS;
}

static void append(GString *out, const struct body_line *l)
{
	if (!out)
		return;
	g_string_append_len(out, l->text + l->skip, l->len - l->skip);
	g_string_append_c(out, '\n');
}

void body_split(const body *b, GString *own, GString *quoted, GString *diff)
{
	guint i;

	for (i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);

		switch ((enum body_kind)l->kind) {
		case BODY_TEXT:
		case BODY_CODE:
			append(own, l);
			break;
		case BODY_QUOTE:
		case BODY_FORWARD:
			append(quoted, l);
			break;
		case BODY_DIFF:
			append(diff, l);
			break;
		default:
			break;
		}
	}
}
