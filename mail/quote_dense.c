/* quote_dense.c - what a line of a diff, a table or a log needs around it */
#include <string.h>

#include "mail/chars_priv.h"
#include "mail/quote_priv.h"

#define CONTEXT	     3 /* lines of a diff before the one that is meant */
#define LOG_CONTEXT  2
#define LOG_LINES    60 /* of a block above it */
#define TABLE_BLANKS 2	/* in a row between parts of a table */

static gboolean starts(const struct quote_plan *p, guint i, const char *word)
{
	gsize len, n = strlen(word);
	const char *text = quote_content(p, i, &len);

	return len >= n && !memcmp(text, word, n);
}

static void keep_dense(struct quote_plan *p, guint i, enum quote_keep why)
{
	quote_keep(p, i, why);
	p->marks[i].dense = TRUE;
}

static void set_dense(struct quote_plan *p, guint first, guint last)
{
	for (guint i = first; i <= last; i++)
		p->marks[i].dense = TRUE;
}

/* ---- diffs */

static gboolean is_hunk(const struct quote_plan *p, guint i)
{
	return starts(p, i, "@@ ");
}

static gboolean is_hunk_line(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	return !len || strchr(" +-\\\t", *text);
}

/* Walk up from `i` to a line that `want` takes, over lines that `over` takes,
 * all as deep as `i`. G_MAXUINT: there is none. */
static guint walk_up(const struct quote_plan *p, guint i,
		     gboolean (*want)(const struct quote_plan *, guint),
		     gboolean (*over)(const struct quote_plan *, guint))
{
	guint depth = quote_depth(p, i);

	for (guint n = 0; n < QUOTE_MAX_WALK; n++, i--) {
		if (quote_depth(p, i) != depth && !quote_is_blank(p, i))
			return G_MAXUINT;
		if (want(p, i))
			return i;
		if (!over(p, i) || i == 0)
			return G_MAXUINT;
	}
	return G_MAXUINT;
}

static gboolean is_new_file(const struct quote_plan *p, guint i)
{
	return starts(p, i, "+++ ");
}

static gboolean is_diff_line(const struct quote_plan *p, guint i)
{
	return is_hunk(p, i) || is_hunk_line(p, i);
}

static void keep_file(struct quote_plan *p, guint hunk)
{
	guint file =
		hunk ? walk_up(p, hunk, is_new_file, is_diff_line) : G_MAXUINT;

	if (file == G_MAXUINT || file == 0 || !starts(p, file - 1, "--- "))
		return;
	if (p->marks[file].keep == QUOTE_HEAD &&
	    p->marks[hunk].keep == QUOTE_NOT)
		p->marks[hunk].resumes = TRUE;
	keep_dense(p, file - 1, QUOTE_HEAD);
	keep_dense(p, file, QUOTE_HEAD);
}

gboolean quote_frame_diff(struct quote_plan *p, guint first, guint last)
{
	guint hunk = walk_up(p, first, is_hunk, is_hunk_line);

	if (hunk == G_MAXUINT)
		return FALSE;
	keep_file(p, hunk);
	keep_dense(p, hunk, QUOTE_HEAD);
	for (guint i = 1; i <= CONTEXT && first - i > hunk && i <= first; i++)
		keep_dense(p, first - i, QUOTE_CONTEXT);
	set_dense(p, first, last);
	return TRUE;
}

/* ---- tables */

/* Two or more runs of `sign` and nothing else. */
static gboolean is_rule_of(const char *text, gsize len, char sign, guint runs)
{
	guint seen = 0;

	for (gsize i = 0; i < len; i++) {
		if (text[i] != sign && text[i] != ' ')
			return FALSE;
		seen += text[i] == sign && (i == 0 || text[i - 1] == ' ');
	}
	return seen >= runs && len >= 10;
}

static gboolean is_rule(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	while (len && is_blank(text[len - 1]))
		len--;
	return is_rule_of(text, len, '-', 2) || is_rule_of(text, len, '=', 1);
}

/* "%stddev  %change  %stddev", "fail:runs", and the lines with "\" and "|"
 * below them. */
static gboolean is_column_head(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	if (memmem(text, len, "%stddev", 7) ||
	    memmem(text, len, "fail:runs", 9))
		return TRUE;
	for (gsize n = 0; n < len; n++)
		if (!strchr("\\| ", text[n]))
			return FALSE;
	return len > 0 && !quote_is_blank(p, i);
}

/* A number, and words kept apart by several blanks. */
static gboolean is_row(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);
	guint runs = 0, digits = 0;

	for (gsize n = 0; n < len; n++) {
		digits += g_ascii_isdigit(text[n]) != 0;
		runs += n + 2 < len && text[n] == ' ' && text[n + 1] == ' ' &&
			text[n + 2] != ' ';
	}
	return digits && runs >= 2;
}

static gboolean is_table_line(const struct quote_plan *p, guint i)
{
	return quote_is_blank(p, i)
		       ? i < TABLE_BLANKS || !quote_is_blank(p, i - 1) ||
				 !quote_is_blank(p, i - 2)
		       : is_row(p, i) || is_column_head(p, i);
}

static gboolean never(const struct quote_plan *p, guint i)
{
	return is_column_head(p, i) || is_rule(p, i);
}

/* The heads of the columns next above `row`, not above `rule`. */
static void keep_column_heads(struct quote_plan *p, guint row, guint rule)
{
	guint at = walk_up(p, row, never, is_table_line);

	while (at != G_MAXUINT && at > rule && is_column_head(p, at))
		keep_dense(p, at--, QUOTE_HEAD);
}

gboolean quote_frame_table(struct quote_plan *p, guint first, guint last)
{
	guint rule;

	if (!is_row(p, first) || is_rule(p, first))
		return FALSE;
	rule = walk_up(p, first, is_rule, is_table_line);
	if (rule == G_MAXUINT || rule == 0)
		return FALSE;
	keep_dense(p, rule - 1, QUOTE_HEAD);
	keep_dense(p, rule, QUOTE_HEAD);
	keep_column_heads(p, first, rule);
	set_dense(p, first, last);
	return TRUE;
}

/* ---- logs */

/* "[   12.345678] text", also with a process behind the time. */
static gboolean is_log(const struct quote_plan *p, guint i)
{
	gsize len, n = 1;
	const char *text = quote_content(p, i, &len);

	if (!len || (*text != '[' && *text != '<'))
		return FALSE;
	while (n < len && (text[n] == ' ' || g_ascii_isdigit(text[n])))
		n++;
	return n + 1 < len && text[n] == '.' && g_ascii_isdigit(text[n + 1]);
}

static gboolean is_trace(const struct quote_plan *p, guint i)
{
	gsize len;
	const char *text = quote_content(p, i, &len);

	return memmem(text, len, "Call Trace:", 11) ||
	       memmem(text, len, "BUG: ", 5) ||
	       memmem(text, len, "WARNING: ", 9);
}

gboolean quote_frame_log(struct quote_plan *p, guint first, guint last)
{
	guint top = first, head;

	if (!is_log(p, first))
		return FALSE;
	while (top > 0 && first - top < LOG_LINES && is_log(p, top - 1))
		top--;
	for (head = first; head > top && !is_trace(p, head); head--)
		;
	keep_dense(p, head, QUOTE_HEAD);
	for (guint i = 1; i <= LOG_CONTEXT && first >= top + i; i++)
		keep_dense(p, first - i, QUOTE_CONTEXT);
	set_dense(p, first, last);
	return TRUE;
}
