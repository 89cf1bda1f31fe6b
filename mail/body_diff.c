/* body_diff.c - which lines of a body belong to an unquoted diff
 * Follows hunks by their line counts, for the sake of the lines around them;
 * reading what a diff changes is the business of diff.c. */
#include <string.h>

#include "mail/body_priv.h"
#include "mail/git_line.h"

#define HEADER_LOOKAHEAD 3 /* lines below "diff -u" till its "--- a" */

/* "-12,3" or "+12": the count behind the comma, 1 if none. */
static const char *range(const char *p, const char *end, char sign,
			 guint64 *count)
{
	guint64 n = 0;
	const char *digits;

	if (p == end || *p != sign)
		return NULL;
	for (digits = ++p; p < end && g_ascii_isdigit(*p); p++)
		;
	if (p == digits)
		return NULL;
	*count = 1;
	if (p == end || *p != ',')
		return p;
	for (digits = ++p; p < end && g_ascii_isdigit(*p); p++)
		n = n < G_MAXUINT32 ? n * 10 + (guint64)(*p - '0') : n;
	*count = n;
	return p > digits ? p : NULL;
}

static gboolean hunk_start(struct diff_walk *w, const struct body_line *l)
{
	const char *p = l->text, *end = l->text + l->len;

	if (!line_starts(l, "@@ "))
		return FALSE;
	p = range(p + 3, end, '-', &w->old_left);
	if (!p || p == end || *p != ' ')
		return FALSE;
	p = range(p + 1, end, '+', &w->new_left);
	if (!p || end - p < 3 || memcmp(p, " @@", 3) != 0)
		return FALSE;
	w->at = DIFF_AT_HUNK;
	return TRUE;
}

static gboolean starts_any(const struct body_line *l, const char *const *with)
{
	for (; *with; with++)
		if (line_starts(l, *with))
			return TRUE;
	return FALSE;
}

static gboolean file_pair(const struct body_lines *b, guint i)
{
	return i + 1 < b->n && line_starts(&b->at[i], "--- ") &&
	       line_starts(&b->at[i + 1], "+++ ");
}

static gboolean is_diff_start(const struct body_lines *b, guint i)
{
	const struct body_line *l = &b->at[i];
	guint k;

	if (l->len < 5 || !strchr("d-I", l->text[0]))
		return FALSE;
	if (line_starts(l, "diff --git ") || line_starts(l, "diff --cc ") ||
	    line_starts(l, "diff --combined ") || file_pair(b, i))
		return TRUE;
	if (line_starts(l, "Index: "))
		return i + 1 < b->n && line_starts(&b->at[i + 1], "=====");
	if (!line_starts(l, "diff -"))
		return FALSE;
	for (k = i + 1; k < b->n && k <= i + HEADER_LOOKAHEAD; k++)
		if (file_pair(b, k) || line_starts(&b->at[k], "Binary files "))
			return TRUE;
	return FALSE;
}

static gboolean diff_start(struct diff_walk *w, const struct body_lines *b,
			   guint i)
{
	if (!is_diff_start(b, i))
		return FALSE;
	w->at = DIFF_AT_HEADER;
	return TRUE;
}

static gboolean in_header(struct diff_walk *w, const struct body_lines *b,
			  guint i)
{
	static const char *const heads[] = {"index ",
					    "--- ",
					    "+++ ",
					    "old mode ",
					    "new mode ",
					    "deleted file mode ",
					    "new file mode ",
					    "similarity index ",
					    "dissimilarity index ",
					    "rename ",
					    "copy ",
					    "Binary files ",
					    "=====",
					    "mode ",
					    NULL};
	const struct body_line *l = &b->at[i];

	if (hunk_start(w, l))
		return TRUE;
	if (line_starts(l, "@@@ ")) {
		w->at = DIFF_AT_COMBINED;
		return TRUE;
	}
	if (line_starts(l, "GIT binary patch")) {
		w->at = DIFF_AT_BINARY;
		return TRUE;
	}
	return starts_any(l, heads) || diff_start(w, b, i);
}

static gboolean looks_like_hunk(const struct body_lines *b, guint i)
{
	return i < b->n && b->at[i].len &&
	       strchr(" +-\\@", b->at[i].text[0]) != NULL;
}

static gboolean in_hunk(struct diff_walk *w, const struct body_lines *b,
			guint i)
{
	const struct body_line *l = &b->at[i];
	char c = l->len ? l->text[0] : ' ';

	if (c == '\\')
		return TRUE;
	if (c != ' ' && c != '+' && c != '-') {
		/* one wrapped line is damage inside, more is the end */
		if (c != '@' && looks_like_hunk(b, i + 1))
			return TRUE;
		w->at = DIFF_AT_BETWEEN;
		return diff_walk_line(w, b, i);
	}
	if (c != '+' && w->old_left)
		w->old_left--;
	if (c != '-' && w->new_left)
		w->new_left--;
	if (!w->old_left && !w->new_left)
		w->at = DIFF_AT_BETWEEN;
	return TRUE;
}

static gboolean between(struct diff_walk *w, const struct body_lines *b,
			guint i)
{
	const struct body_line *l = &b->at[i];

	if (hunk_start(w, l) || (l->len && l->text[0] == '\\'))
		return TRUE;
	if (diff_start(w, b, i) || line_starts(l, "Only in "))
		return TRUE;
	w->at = DIFF_AT_NONE;
	return FALSE;
}

static gboolean in_combined(struct diff_walk *w, const struct body_lines *b,
			    guint i)
{
	if (looks_like_hunk(b, i) && !mark_signature(b, i))
		return TRUE;
	if (line_blank(&b->at[i]) && looks_like_hunk(b, i + 1))
		return TRUE;
	return between(w, b, i);
}

static gboolean in_binary(struct diff_walk *w, const struct body_lines *b,
			  guint i)
{
	static const char *const blocks[] = {"literal ", "delta ", NULL};

	if (!line_blank(&b->at[i]) && !mark_signature(b, i))
		return TRUE;
	if (i + 1 < b->n && starts_any(&b->at[i + 1], blocks))
		return TRUE;
	w->at = DIFF_AT_BETWEEN;
	return line_blank(&b->at[i]) || between(w, b, i);
}

static gboolean stat_line(const struct body_line *l)
{
	return git_line_is_stat(l->text, l->len);
}

/* A diffstat counts only with its sum: "a | 3" is also a table. */
static gboolean stat_start(struct diff_walk *w, const struct body_lines *b,
			   guint i)
{
	static const char *const modes[] = {
		" create mode ", " delete mode ", " rename ", " copy ",
		" mode change ", " rewrite ",	  NULL};
	guint k = i;

	if (i < w->stat_none || !stat_line(&b->at[i]))
		return FALSE;
	while (k < b->n && stat_line(&b->at[k]))
		k++;
	w->stat_none = k;
	if (k == b->n || !git_line_is_stat_sum(b->at[k].text, b->at[k].len))
		return FALSE;
	for (k++; k < b->n && starts_any(&b->at[k], modes); k++)
		;
	w->stat_end = k;
	w->at = DIFF_AT_STAT;
	return TRUE;
}

gboolean diff_walk_line(struct diff_walk *w, const struct body_lines *b,
			guint i)
{
	if (w->at == DIFF_AT_STAT && i >= w->stat_end)
		w->at = DIFF_AT_NONE;
	switch (w->at) {
	case DIFF_AT_HUNK:
		return in_hunk(w, b, i);
	case DIFF_AT_BETWEEN:
		return between(w, b, i);
	case DIFF_AT_COMBINED:
		return in_combined(w, b, i);
	case DIFF_AT_BINARY:
		return in_binary(w, b, i);
	case DIFF_AT_STAT:
		return TRUE;
	case DIFF_AT_HEADER:
		if (in_header(w, b, i))
			return TRUE;
		w->at = DIFF_AT_NONE;
		break;
	case DIFF_AT_NONE:
		break;
	}
	return diff_start(w, b, i) || stat_start(w, b, i);
}
