/* quote_priv.h - which lines of the parent an answer keeps, and why */
#ifndef MAIL_QUOTE_PRIV_H
#define MAIL_QUOTE_PRIV_H

#include "mail/body.h"
#include "mail/quote.h"

/* In the order in which they go when there is too much. */
enum quote_keep {
	QUOTE_NOT,
	QUOTE_CONTEXT,	 /* lines before the one that is meant */
	QUOTE_PARAGRAPH, /* the sentence around it */
	QUOTE_HEAD,	 /* of a table, a hunk, a trace; who said it */
	QUOTE_ANCHOR,
};

/* One line of the parent. */
struct quote_mark {
	guint8 keep;	/* enum quote_keep */
	guint8 dense;	/* of a table, log or diff: gaps are counted */
	guint8 resumes; /* goes on in a file whose head was shown before */
};

struct quote_plan {
	const body *body;
	struct quote_mark *marks; /* one a line */
	guint n;		  /* lines */
};

const char *quote_content(const struct quote_plan *p, guint i, gsize *len);
gboolean quote_is_blank(const struct quote_plan *p, guint i);
guint quote_depth(const struct quote_plan *p, guint i);
void quote_keep(struct quote_plan *p, guint i, enum quote_keep why);

/* quote_frame.c: mark what is needed around lines [first, last] (from 0); not
 * at or below `stop`. Returns the last line that belongs to them. */
guint quote_frame(struct quote_plan *p, guint first, guint last, guint stop);

/* quote_dense.c: the same for lines of a diff, a table, a log; FALSE if they
 * are none. */
gboolean quote_frame_diff(struct quote_plan *p, guint first, guint last);
gboolean quote_frame_table(struct quote_plan *p, guint first, guint last);
gboolean quote_frame_log(struct quote_plan *p, guint first, guint last);

#endif
