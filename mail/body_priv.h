/* body_priv.h - what the files of body share: judging single lines
 * Nothing here keeps state between messages. */
#ifndef MAIL_BODY_PRIV_H
#define MAIL_BODY_PRIV_H

#include "mail/body.h"

#define BODY_LOOKAHEAD 40 /* lines looked at below a mark to judge it */

/* Lines are being judged: `text` and `len` are set for all of them, the rest
 * only before the line at hand. */
struct body_lines {
	struct body_line *at;
	guint n;
};

static inline gboolean line_starts(const struct body_line *l, const char *with)
{
	gsize n = __builtin_strlen(with);

	return l->len >= n && memcmp(l->text, with, n) == 0;
}

gboolean line_blank(const struct body_line *l);
/* The line's content contains `word` (bytes, case-sensitive). */
gboolean line_has(const struct body_line *l, const char *word);

/* ---- body_marks.c: lines that divide a mail */
gboolean mark_signature(const struct body_lines *b, guint i);
gboolean mark_footer(const struct body_lines *b, guint i);
/* Number of lines of a head that introduces another's mail, 0 if none. */
guint mark_forward(const struct body_lines *b, guint i, gboolean first);
/* Lines of an attribution that ends with line `i`, 0 if it is none;
 * `before_quote` tells that a quote follows. */
guint mark_attribution(const struct body_lines *b, guint i,
		       gboolean before_quote);

/* ---- body_diff.c: unquoted diffs, line by line */
enum diff_at {
	DIFF_AT_NONE,
	DIFF_AT_HEADER, /* from "diff --git" to the first hunk */
	DIFF_AT_HUNK,
	DIFF_AT_BETWEEN, /* behind a complete hunk */
	DIFF_AT_COMBINED,
	DIFF_AT_BINARY,
	DIFF_AT_STAT,
};

struct diff_walk {
	enum diff_at at;
	guint64 old_left; /* lines of the hunk still to come */
	guint64 new_left;
	guint stat_end;	 /* line behind the diffstat at hand */
	guint stat_none; /* no diffstat begins before this line */
};

/* TRUE if line `i` belongs to a diff or diffstat. Called for one line after
 * the other; those of a forward's head may be left out. */
gboolean diff_walk_line(struct diff_walk *w, const struct body_lines *b,
			guint i);

#endif
