/* trailers.h - "Tested-by: A Person <a@example.org>" and its like
 * threads-patches section 4. A quoted line never counts. */
#ifndef MAIL_TRAILERS_H
#define MAIL_TRAILERS_H

#include <glib.h>

#include "mail/address.h"
#include "mail/body.h"

#define TRAILERS_MAX 2000 /* of one message; the rest is dropped */

enum trailer_where {
	TRAILER_COMMIT_MESSAGE, /* patch: the block that git will keep */
	TRAILER_NOTES,		/* patch: between --- and the diff, or cover */
	TRAILER_MESSAGE,	/* a reply's or other mail's own text */
};

enum trailer_type {
	TRAILER_PERSON,	 /* any "-by", cc */
	TRAILER_UTILITY, /* fixes, link, closes, bug, change-id ... */
};

struct trailer {
	char *key;   /* canonical case: "Reviewed-by", "Fixes", "Cc" */
	char *value; /* as written, wrapped forms joined, blanks collapsed */
	struct address *who; /* persons; NULL otherwise */
	char *note;	     /* after '#', or [note]; NULL if none */
	char *commit;	     /* Fixes: the hex id; NULL if none */
	char *subject;	     /* Fixes: the title inside ("..."), NULL if none */
	char *url;	     /* link, closes, bug...: the URL; NULL if none */
	guint line;	     /* from 1, in the text that was read */
	enum trailer_where where;
	enum trailer_type type;
	gboolean typo;	  /* known name at edit distance <= 2: key is mended */
	gboolean counts;  /* FALSE: joke or negation ("Not-acked-by") */
	gboolean relayed; /* Reviewed/Acked/Tested naming another than sender */
};

void trailer_free(struct trailer *t);

/* The trailers of a commit message (last paragraph, up to the last three if
 * each line there is a trailer or [note]). `line0` is the line number of its
 * first line. You own the array. */
GPtrArray *trailers_in_commit(const char *text, guint line0);

/* Those in the notes of a patch or in a cover letter. */
GPtrArray *trailers_in_notes(const char *text, guint line0);

/* Those of a reply or other mail: unquoted lines, <= 4 blanks before, not in
 * signature, footer, forward, diff, code; person names with an address, or
 * fixes/link/closes with a valid value; never cc/to/from/date/subject...
 * `from` (may be NULL) decides `relayed`. */
GPtrArray *trailers_in_reply(const body *b, const struct address *from);

#endif
