/* reference.h - what an argument names: commit, range, mail, ticket, title
 * Grammar alone; whether such a thing exists is told by trees and archive.
 * docs/commands.md. */
#ifndef MAIL_REFERENCE_H
#define MAIL_REFERENCE_H

#include <glib.h>

#include "mail/auto.h"

#define REFERENCE_MAX_TEXT 2000 /* bytes looked at */

enum reference_kind {
	REFERENCE_COMMIT, /* 7 to 40 hex digits, "commit X", a commit's URL */
	REFERENCE_TAG,	  /* v6.2-rc1, next-20230102: no hex, no URL */
	REFERENCE_RANGE,  /* A..B, A..  of ids and tags */
	REFERENCE_MAIL,	  /* <id>, id of a mail, archive URL */
	REFERENCE_TICKET, /* URL of a tracker's ticket: a report elsewhere */
	REFERENCE_URL,	  /* any other URL */
	REFERENCE_ITEM,	  /* 202309-abcdefgh: an item of ours */
	REFERENCE_PARENT, /* ^: the mail that this one answers */
	REFERENCE_ROOT,	  /* / or ~: the first mail of the thread */
	REFERENCE_TITLE,  /* anything else: words, a subject */
};

struct reference {
	enum reference_kind kind;
	char *text;   /* as written, blanks squeezed */
	char *id;     /* COMMIT: lower-case hex; MAIL: Message-ID; TICKET:
		      * "host/path" that is equal for all URLs of the ticket;
		      * ITEM, TAG: its name; RANGE: "A..B" without blanks;
		      * else NULL */
	char *from;   /* RANGE: the older end */
	char *to;     /* RANGE: the newer end; NULL: open, "A.." */
	char *url;    /* the URL, closing punctuation removed; NULL: no URL */
	char *title;  /* TITLE: without Re:, [PATCH ...], enclosing quotes;
		      * COMMIT: what stands behind the id as ("title"), or
		      * NULL */
	char *anchor; /* MAIL: 40 hex of "/T/#m...": SHA-1 of the Message-ID
		       * of the mail in that thread that is meant; or NULL */
};

/* The reference at the beginning of *text, which is moved behind it and the
 * blanks that follow; one word, but "commit X", "X ("title")" and "A .. B".
 * Never a TITLE but for a word that is none of the others. NULL at the end.
 * You own it. */
struct reference *reference_next(const char **text);

/* The whole of `text` as what fixed or caused something: a commit's id (text
 * behind it is its title or a remark) or a range or a tag or a URL if it
 * begins with one, else a title. NULL for blanks. You own it. */
struct reference *reference_parse(const char *text);

void reference_free(struct reference *r);
AUTO_STRUCT(reference, reference_free)
const char *reference_kind_name(enum reference_kind k);

/* A subject as it is compared: reply marks, [PATCH v2 1/3] and other brackets
 * in front, one pair of quotes or parentheses around all of it, a closing
 * full stop and superfluous blanks removed. You own it. */
char *reference_clean_title(const char *text);

#endif
