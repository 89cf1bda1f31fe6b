/* patch_cut.c - where the message, the notes and the diff of a patch begin
 * The rules are those of `git mailinfo`: what is cut here must be what
 * `git am` would cut, or a commit and its mail would differ. */
#include <string.h>

#include "mail/git_line.h"
#include "mail/patch_priv.h"

#define MAX_STAT_LINES 20000 /* of one diffstat */

enum in_body {
	IN_BODY_FROM = 1,
	IN_BODY_SUBJECT = 2,
	IN_BODY_DATE = 4,
};

struct cutter {
	struct patch_cut *cut;
	const char *end;
	const char *line;
	gsize len; /* of the line, without its newline */
	const char *next;
	guint number;	/* of the line, from 1 */
	gboolean head;	/* in-body headers may stand here */
	guint seen;	/* enum in_body: each counts once */
	GString *field; /* the in-body header at hand, folds removed, or NULL */
	enum in_body field_kind;
};

static void go_to(struct cutter *c, const char *line)
{
	const char *eol = memchr(line, '\n', (gsize)(c->end - line));

	c->line = line;
	c->len = (gsize)((eol ? eol : c->end) - line);
	c->next = eol ? eol + 1 : c->end;
}

static void step(struct cutter *c)
{
	go_to(c, c->next);
	c->number++;
}

static gboolean starts(const struct cutter *c, const char *word)
{
	gsize n = strlen(word);

	return c->len >= n && !memcmp(c->line, word, n);
}

static gboolean is_blank_line(const char *line, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isspace(line[i]))
			return FALSE;
	return TRUE;
}

/* "---" alone, "--- file", "diff -", "Index: ": the message ends. */
static gboolean is_break(const struct cutter *c)
{
	if (c->len < 3)
		return FALSE;
	switch (*c->line) {
	case 'd':
		return starts(c, "diff -");
	case 'I':
		return starts(c, "Index: ");
	case '-':
		if (!starts(c, "---"))
			return FALSE;
		if (c->len > 4 && c->line[3] == ' ' &&
		    !g_ascii_isspace(c->line[4]))
			return TRUE;
		return git_line_is_rule(c->line, c->len);
	default:
		return FALSE;
	}
}

static gboolean is_rule(const struct cutter *c)
{
	return git_line_is_rule(c->line, c->len);
}

/* ---- in-body headers */

static void finish_field(struct cutter *c)
{
	char **slot = c->field_kind == IN_BODY_FROM ? &c->cut->from
						    : &c->cut->subject;

	if (!c->field)
		return;
	if (c->field_kind != IN_BODY_DATE && !*slot)
		*slot = g_strdup(c->field->str);
	g_string_free(c->field, TRUE);
	c->field = NULL;
}

static gboolean begin_field(struct cutter *c, enum in_body kind, gsize skip)
{
	const char *p = c->line + skip;
	gsize len = c->len - skip;

	while (len && g_ascii_isspace(*p)) {
		p++;
		len--;
	}
	c->seen |= kind;
	c->field = g_string_new_len(p, (gssize)len);
	c->field_kind = kind;
	return TRUE;
}

static gboolean is_field(const struct cutter *c, const char *name)
{
	gsize n = strlen(name);

	return c->len > n && c->line[n] == ':' &&
	       !g_ascii_strncasecmp(c->line, name, n);
}

/* The separator of format-patch, ">From " where an mbox quoted it. */
static gboolean is_separator(const struct cutter *c)
{
	gsize i = starts(c, ">From ") ? 6 : starts(c, "From ") ? 5 : 0;
	gsize n = 0;

	while (i && i + n < c->len && g_ascii_isxdigit(c->line[i + n]))
		n++;
	return n == 40 && g_strstr_len(c->line, (gssize)c->len, " 2001");
}

static gboolean read_in_body(struct cutter *c)
{
	static const struct {
		const char *name;
		enum in_body kind;
	} fields[] = {
		{"From", IN_BODY_FROM},
		{"Subject", IN_BODY_SUBJECT},
		{"Date", IN_BODY_DATE},
	};

	if (c->field && (*c->line == ' ' || *c->line == '\t')) {
		g_string_append_len(c->field, c->line, (gssize)c->len);
		return TRUE;
	}
	finish_field(c);
	if (is_separator(c))
		return TRUE;
	if (starts(c, "[PATCH] ") && !(c->seen & IN_BODY_SUBJECT))
		return begin_field(c, IN_BODY_SUBJECT, 0);
	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		if (!(c->seen & fields[i].kind) && is_field(c, fields[i].name))
			return begin_field(c, fields[i].kind,
					   strlen(fields[i].name) + 1);
	/* "git show" pasted into a mail */
	if (!(c->seen & IN_BODY_FROM) && is_field(c, "Author") &&
	    memchr(c->line, '@', c->len))
		return begin_field(c, IN_BODY_FROM, strlen("Author:"));
	return FALSE;
}

/* TRUE if the line belongs to the in-body headers or the blanks around. */
static gboolean read_head(struct cutter *c)
{
	if (!c->head)
		return FALSE;
	if (is_blank_line(c->line, c->len)) {
		c->head = !c->seen;
		finish_field(c);
		return TRUE;
	}
	c->head = read_in_body(c);
	return c->head;
}

static void restart(struct cutter *c)
{
	g_clear_pointer(&c->cut->from, g_free);
	g_clear_pointer(&c->cut->subject, g_free);
	c->seen = 0;
	c->head = TRUE;
	c->cut->message = NULL;
	c->cut->scissors = TRUE;
}

/* ---- the message and the notes */

static void take_line(struct cutter *c, const char **text, gsize *len,
		      guint *line)
{
	if (is_blank_line(c->line, c->len))
		return;
	if (!*text) {
		*text = c->line;
		*line = c->number;
	}
	*len = (gsize)(c->line + c->len - *text);
}

/* The signature of format-patch, or of a person. */
static gboolean is_signature(const struct cutter *c)
{
	if (c->len == 3)
		return starts(c, "-- ");
	return c->len == 2 && starts(c, "--") && c->next < c->end &&
	       g_ascii_isdigit(*c->next) &&
	       memchr(c->next, '.', (gsize)MIN(c->end - c->next, 4));
}

/* Up to the break, at which it stops. */
static void read_message(struct cutter *c, gboolean has_diff)
{
	struct patch_cut *cut = c->cut;

	for (; c->line < c->end; step(c)) {
		if (read_head(c))
			continue;
		if (has_diff && git_line_is_scissors(c->line, c->len)) {
			restart(c);
			continue;
		}
		if (has_diff ? is_break(c) : is_signature(c))
			break;
		take_line(c, &cut->message, &cut->message_len,
			  &cut->message_line);
	}
	finish_field(c);
}

/* Whether a diffstat begins here. `*none` is where it was found that none
 * begins before: no line is looked at twice. */
static gboolean is_diffstat(const struct cutter *c, const char **none)
{
	struct cutter ahead = *c;
	guint n = 0;

	if (c->line < *none)
		return FALSE;
	if (git_line_is_stat_sum(c->line, c->len))
		return TRUE;
	while (ahead.line < ahead.end && n++ < MAX_STAT_LINES &&
	       git_line_is_stat(ahead.line, ahead.len))
		step(&ahead);
	if (n > 1 && git_line_is_stat_sum(ahead.line, ahead.len))
		return TRUE;
	*none = ahead.line;
	return FALSE;
}

static gboolean is_diff_line(const struct cutter *c)
{
	if (!c->len || (*c->line != 'd' && *c->line != '-' && *c->line != 'I'))
		return FALSE;
	if (starts(c, "--- ") || starts(c, "Index: "))
		return (gsize)(c->end - c->next) > 4 &&
		       (!memcmp(c->next, "+++ ", 4) ||
			!memcmp(c->next, "====", 4));
	return starts(c, "diff -");
}

static void read_notes(struct cutter *c)
{
	struct patch_cut *cut = c->cut;
	const char *none = c->line;

	for (step(c); c->line < c->end; step(c)) {
		if (is_diff_line(c) || is_diffstat(c, &none))
			break;
		if (!is_rule(c))
			take_line(c, &cut->notes, &cut->notes_len,
				  &cut->notes_line);
	}
}

void patch_cut_text(struct patch_cut *cut, const char *text, gsize len,
		    gboolean has_diff)
{
	struct cutter c = {.cut = cut, .end = text + len, .head = TRUE};

	memset(cut, 0, sizeof(*cut));
	go_to(&c, text);
	c.number = 1;
	read_message(&c, has_diff);
	if (has_diff && is_rule(&c))
		read_notes(&c);
	cut->message = cut->message ? cut->message : text;
	cut->notes = cut->notes ? cut->notes : text;
}

void patch_cut_clear(struct patch_cut *cut)
{
	g_free(cut->from);
	g_free(cut->subject);
}
