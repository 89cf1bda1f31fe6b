/* nntp_text.h - what a news server says, as values (RFC 3977)
 * Pure: lines and bytes are handed in. Numbers are taken up to 2^63 - 1, names
 * and ids only where they can stand in a command of ours. */
#ifndef MAIL_NNTP_TEXT_H
#define MAIL_NNTP_TEXT_H

#include <glib.h>

#define NNTP_MAX_LINE 16384 /* of a reply; RFC 3977 has 512 */
#define NNTP_MAX_NAME 497   /* bytes of a group or Message-ID in a command */
#define NNTP_MAX_HEAD (1024 * 1024) /* looked at for the server's own fields */

/* A piece of the bytes that were handed in. */
struct nntp_slice {
	const char *at; /* NULL: none */
	gsize len;
};

/* ---- names */

/* May it stand in a command? UTF-8, no byte up to 0x20, no 0x7f. */
gboolean nntp_is_name(const char *name, gsize len);
/* The same of "<...>". */
gboolean nntp_is_id(const char *id, gsize len);
/* Has it a wildcard, "*" or "?"? */
gboolean nntp_is_pattern(const char *name);
/* Those two wildcards alone; everything else is itself. */
gboolean nntp_matches(const char *pattern, const char *name);

/* ---- replies; `line` without its line end */

/* "211 300 1 300 x": the code, and in `*text` what follows the blank. */
gboolean nntp_reply(const char *line, guint *code, const char **text);
/* Of 211: the marks. The count is an estimate and passed over; `*low` is more
 * than `*high` where the group is empty. */
gboolean nntp_group(const char *text, guint64 *low, guint64 *high);
/* Of 220 and 223: the article's number, 0 if the server does not tell; its
 * Message-ID with the brackets, if it is one. */
gboolean nntp_article(const char *text, guint64 *number, struct nntp_slice *id);

struct nntp_active {
	struct nntp_slice name; /* nntp_is_name() */
	gboolean alias;		/* of another group, whose articles it shows */
};
/* A line of LIST ACTIVE. */
gboolean nntp_active(const char *line, gsize len, struct nntp_active *a);

struct nntp_over {
	guint64 number;
	struct nntp_slice id; /* as above */
	gint64 date;	      /* of the mail, UTC; 0: none that makes sense */
	guint64 bytes;	      /* 0: not told */
};
/* A line of OVER or XOVER; FALSE without a number. */
gboolean nntp_over(const char *line, gsize len, struct nntp_over *o);

/* ---- blocks: lines up to one that is a dot */

struct nntp_block {
	guint state; /* 0: at the beginning */
};
/*
 * Take bytes of a block, append what they mean to `out`: dots unstuffed, CRLF
 * made LF, everything else as it is (NUL, LF and CR alone). A line ends with
 * CRLF only. Gives the number of bytes taken, fewer than `len` only where the
 * block ended, which `*end` tells.
 */
gsize nntp_block_take(struct nntp_block *b, const char *bytes, gsize len,
		      GString *out, gboolean *end);

/*
 * Undo, in place, what a server does to the head of an article: Path and Xref
 * go; at the end of the head, where public-inbox puts its own, so does
 * Newsgroups, and X-Alt-Message-ID becomes the Message-ID that it was.
 */
void nntp_strip(GString *article);

#endif
