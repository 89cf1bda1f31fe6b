/* body.h - the body as lines: quote depth and what each line is for
 * Works on decoded text (message_body). Lines are slices, nothing is copied. */
#ifndef MAIL_BODY_H
#define MAIL_BODY_H

#include <glib.h>

#define BODY_MAX_LINES 400000 /* later lines are kept as one last line */
#define BODY_MAX_DEPTH 15     /* deeper quoting counts as this */

enum body_kind {
	BODY_TEXT,	  /* the sender's own words */
	BODY_QUOTE,	  /* depth > 0 */
	BODY_ATTRIBUTION, /* "On Tue, X wrote:", also over two lines */
	BODY_SIGNATURE,	  /* "-- " and what follows it */
	BODY_FOOTER,	  /* list footer ("____" rule and its four lines ...) */
	BODY_SCISSORS,	  /* -- >8 -- */
	BODY_FORWARD, /* below "-----Original Message-----", Outlook heads */
	BODY_DIFF,    /* inside an unquoted diff or diffstat */
	BODY_CODE,    /* indented by 5 or more blanks or a tab */
};

struct body_line {
	const char *text; /* slice of the body: the whole line, no newline */
	guint len;
	guint skip; /* bytes of the quote prefix: text + skip is the content */
	guint8 depth; /* number of '>' (or "AB>") marks; '|' never counts */
	guint8 kind;  /* enum body_kind */
};

typedef struct body body;

/* `text[0..len)` stays the caller's and must outlive the result. */
body *body_parse(const char *text, gsize len);
void body_free(body *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(body, body_free)

guint body_count(const body *b);
const struct body_line *body_line(const body *b, guint i);

/* What its sender wrote and may have meant: TEXT, CODE, SCISSORS. */
gboolean body_line_is_own(const struct body_line *l);

/* Length of the quote prefix of a line and its depth: mixed ">> >", blanks
 * between, initials "AB>" accepted; a ">From " line of mbox damage is not a
 * quote. */
guint body_quote_prefix(const char *line, gsize len, guint *depth);

/* The lines by whose they are, newline separated, quote prefixes removed:
 * `own` TEXT and CODE, `quoted` QUOTE and FORWARD, `diff` DIFF; the others are
 * left out. Any may be NULL. */
void body_split(const body *b, GString *own, GString *quoted, GString *diff);

#endif
