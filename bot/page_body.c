/* page_body.c - the text of a mail in parts that a page can fold
 * Every line is shown as it was written; only what is folded or cut differs. */
#include <string.h>

#include "db/archive.h"

#include "bot/page_priv.h"

#define QUOTE_OPEN 6 /* quoted lines that are not folded */
#define DIFF_OPEN  30
#define WIDE	   90 /* longer lines are not wrapped, their box scrolls */

enum part { PART_TEXT, PART_QUOTE, PART_DIFF, PART_SIGNATURE };

static enum part part_of(const struct body_line *l)
{
	switch (l->kind) {
	case BODY_QUOTE:
		return PART_QUOTE;
	case BODY_DIFF:
		return PART_DIFF;
	case BODY_SIGNATURE:
	case BODY_FOOTER:
		return PART_SIGNATURE;
	default:
		return PART_TEXT;
	}
}

static gboolean is_blank(const struct body_line *l)
{
	for (guint n = 0; n < l->len; n++)
		if (!g_ascii_isspace(l->text[n]))
			return FALSE;
	return TRUE;
}

static void add_line(GString *text, const struct body_line *l)
{
	g_string_append_len(text, l->text, l->len);
	g_string_append_c(text, '\n');
}

struct run {
	json_t *parts;
	GString *text;
	guint lines, longest;
	enum part part;
};

static const char *fold_text(const struct run *r, char *buf, gsize size)
{
	static const char *const names[] = {"more lines", "quoted lines",
					    "lines of diff", "lines"};

	g_snprintf(buf, size, "%u %s", r->lines, names[r->part]);
	return buf;
}

/* The class of a line of a diff, by the mark it begins with. */
static const char *diff_class(const char *line)
{
	if (!strncmp(line, "@@", 2))
		return "hunk";
	if (!strncmp(line, "+++", 3) || !strncmp(line, "---", 3))
		return NULL;
	return *line == '+' ? "add" : *line == '-' ? "del" : NULL;
}

static void add_span(json_t *spans, const char *text, gsize len,
		     const char *class, gboolean link)
{
	g_autofree char *copy = g_strndup(text, len);
	json_t *o;

	if (!len)
		return;
	o = json_object();
	tree_set(o, "class", class ? json_string(class) : json_null());
	tree_set(o, "href", link ? tree_text(copy) : json_null());
	tree_set(o, "text", tree_text(copy));
	json_array_append_new(spans, o);
}

/* Neighbours of one class are one span. */
static json_t *diff_spans(const char *text)
{
	json_t *spans = json_array();
	const char *class = NULL, *from = text, *next;

	for (const char *p = text; *p; p = next) {
		const char *nl = strchr(p, '\n');

		next = nl ? nl + 1 : p + strlen(p);
		if (g_strcmp0(diff_class(p), class)) {
			add_span(spans, from, (gsize)(p - from), class, FALSE);
			class = diff_class(p);
			from = p;
		}
	}
	add_span(spans, from, strlen(from), class, FALSE);
	return spans;
}

/* Length of the URL that begins here, 0: none. What closes a sentence or a
 * bracket around it is not part of it. */
static gsize url_len(const char *p)
{
	gsize len = 0;

	if (strncmp(p, "https://", 8) && strncmp(p, "http://", 7))
		return 0;
	while (p[len] > ' ' && p[len] < 0x7f && !strchr("<>\"'`|\\^{}", p[len]))
		len++;
	while (len && strchr(".,;:!?)]", p[len - 1]))
		len--;
	return len > strlen("https://") ? len : 0;
}

json_t *page_spans(const char *text)
{
	json_t *spans = json_array();
	const char *from = text;

	for (const char *p = text; (p = strstr(p, "http"));) {
		gsize len = url_len(p);

		if (!len) {
			p += strlen("http");
			continue;
		}
		add_span(spans, from, (gsize)(p - from), NULL, FALSE);
		add_span(spans, p, len, NULL, TRUE);
		p += len;
		from = p;
	}
	add_span(spans, from, strlen(from), NULL, FALSE);
	return spans;
}

static void add_part(struct run *r, gboolean fold)
{
	static const char *const classes[] = {"text", "q", "diff", "sig"};
	static const char *const labels[] = {"Text", "Quote", "Diff",
					     "Signature"};
	json_t *o = json_object();
	char buf[40];

	tree_set(o, "runs",
		 r->part == PART_DIFF ? diff_spans(r->text->str)
				      : page_spans(r->text->str));
	tree_set(o, "class", json_string(classes[r->part]));
	tree_set(o, "label", json_string(labels[r->part]));
	tree_set(o, "wide",
		 json_boolean(r->longest > WIDE || r->part == PART_DIFF));
	tree_set(o, "fold",
		 fold ? json_string(fold_text(r, buf, sizeof(buf)))
		      : json_null());
	json_array_append_new(r->parts, o);
	g_string_truncate(r->text, 0);
	r->lines = 0;
	r->longest = 0;
}

static void end_run(struct run *r)
{
	guint open = r->part == PART_QUOTE  ? QUOTE_OPEN
		     : r->part == PART_DIFF ? DIFF_OPEN
					    : PAGE_OPEN_LINES;

	while (r->text->len && r->text->str[r->text->len - 1] == '\n')
		g_string_truncate(r->text, r->text->len - 1);
	if (r->text->len)
		add_part(r, r->lines > open);
	r->lines = 0;
	r->longest = 0;
}

/* A blank line between two quotes belongs to neither. */
static gboolean starts_run(const struct run *r, const struct body_line *l)
{
	if (!r->lines)
		return TRUE;
	if (part_of(l) == r->part)
		return FALSE;
	return !(r->part == PART_SIGNATURE || is_blank(l));
}

json_t *page_parts(const body *b, guint *cut)
{
	struct run r = {.parts = json_array(), .text = g_string_new(NULL)};
	guint count = body_count(b), n;

	for (n = 0; n < count && n < PAGE_MAIL_LINES; n++) {
		const struct body_line *l = body_line(b, n);

		if (!r.lines && is_blank(l))
			continue;
		if (starts_run(&r, l)) {
			end_run(&r);
			r.part = part_of(l);
		}
		add_line(r.text, l);
		r.lines++;
		r.longest = MAX(r.longest, l->len);
		/* a long own text stays readable: its beginning is open */
		if (r.part == PART_TEXT && r.lines == PAGE_OPEN_LINES &&
		    json_array_size(r.parts) == 0)
			add_part(&r, FALSE);
	}
	end_run(&r);
	g_string_free(r.text, TRUE);
	*cut = count - n;
	return r.parts;
}

static char *trimmed(GString *text)
{
	while (text->len && g_ascii_isspace(text->str[text->len - 1]))
		g_string_truncate(text, text->len - 1);
	return g_string_free(text, FALSE);
}

char *page_words(const body *b, guint lines, gboolean *cut)
{
	GString *text = g_string_new(NULL);
	guint taken = 0;
	gboolean blank = TRUE;

	*cut = FALSE;
	for (guint n = 0; n < body_count(b); n++) {
		const struct body_line *l = body_line(b, n);

		if (l->kind != BODY_TEXT && l->kind != BODY_CODE &&
		    l->kind != BODY_SCISSORS) {
			/* what was left out separates two remarks */
			if (!blank)
				g_string_append_c(text, '\n');
			blank = TRUE;
			continue;
		}
		if (blank && is_blank(l))
			continue;
		if (taken == lines) {
			*cut = TRUE;
			break;
		}
		blank = is_blank(l);
		add_line(text, l);
		taken++;
	}
	return trimmed(text);
}

gboolean page_is_wide(const char *text)
{
	while (*text) {
		gsize len = strcspn(text, "\n");

		if (len > WIDE)
			return TRUE;
		text += len + (text[len] == '\n');
	}
	return FALSE;
}

char *page_begin(const body *b, guint lines, gboolean *cut)
{
	GString *text = g_string_new(NULL);
	guint count = body_count(b), first = 0;

	while (first < count && is_blank(body_line(b, first)))
		first++;
	for (guint n = first; n < count && n < first + lines; n++)
		add_line(text, body_line(b, n));
	*cut = count > first + lines;
	return trimmed(text);
}

struct reading *page_reading(const struct site *s, const char *mid,
			     GError **err)
{
	GError *error = NULL;
	g_autoptr(GBytes) raw = archive_raw(s->st, mid, &error);
	g_autoptr(message) msg = NULL;

	/* gone from where it was: the page says so, the rest is written */
	if (g_error_matches(error, STORE_ERROR, STORE_ERROR_MISSING))
		g_clear_error(&error);
	if (error)
		g_propagate_error(err, error);
	if (!raw)
		return NULL;
	msg = message_parse(raw, 0, NULL);
	return msg ? reading_new(msg) : NULL;
}
