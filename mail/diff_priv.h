/* diff_priv.h - shared by diff.c (where diffs and hunks begin and end) and
 * diff_head.c (what the lines before the hunks say of a file) */
#ifndef MAIL_DIFF_PRIV_H
#define MAIL_DIFF_PRIV_H

#include "mail/diff.h"

/* The text as lines: `line[0..len)` is the one at hand, without newline. */
struct diff_scan {
	const char *text;
	const char *end;
	const char *line; /* == end: no line is left */
	gsize len;
	const char *next; /* the line after it */
	gboolean bare;	  /* an empty line stood in a hunk */
	gboolean plain;	  /* a file had no head of git */
};

void diff_scan_at(struct diff_scan *s, const char *line);
gboolean diff_scan_starts(const struct diff_scan *s, const char *word);

/* A diff begins at the line at hand. */
gboolean diff_starts(const struct diff_scan *s);
/*
 * Read the head of a file from the line at hand, at which a diff starts, up
 * to the first hunk, the data of a binary file or whatever else follows.
 * NULL if it names no file ("Index:" alone, "diff --cc" of a merge does).
 */
struct diff_file *diff_read_head(struct diff_scan *s);
void diff_file_free(struct diff_file *file);

#endif
