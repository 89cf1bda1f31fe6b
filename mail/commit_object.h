/* commit_object.h - a commit as git stores it: who, when, and what it says
 * Bytes in, value out: how they are got at is not known here. */
#ifndef MAIL_COMMIT_OBJECT_H
#define MAIL_COMMIT_OBJECT_H

#include <glib.h>

#include "mail/address.h"
#include "mail/auto.h"

#define COMMIT_OID_LEN	   20
#define COMMIT_MAX_PARENTS 256	       /* later ones are not seen */
#define COMMIT_MAX_MESSAGE (64 * 1024) /* bytes that are looked at */
#define COMMIT_MAX_SUBJECT 1000	       /* bytes */
#define COMMIT_MAX_NOTES   200

enum commit_says {		/* stored as numbers: append only */
		   SAYS_LINK,	/* Link:, Message-ID:, Patchwork-...: a mail */
		   SAYS_CLOSES, /* Closes:, Bug:, BugLink: a mail or URL */
		   SAYS_MENTIONS_URL, /* any other URL */
		   SAYS_FIXES,	      /* Fixes: a commit */
		   SAYS_REVERTS,      /* This reverts commit X */
		   SAYS_BACKPORTS,    /* commit X upstream */
		   SAYS_PICKED,	      /* (cherry picked from commit X) */
		   SAYS_MENTIONS,     /* any other id of a commit */
};

/* What its message says of a mail or of another commit. */
struct commit_note {
	enum commit_says says;
	char *id;      /* of a commit, lower-case hex; NULL: none is given */
	char *subject; /* ("title") behind it; of Revert "title"; or NULL */
	char *mid;     /* inside of the URL, or NULL */
	char *url;     /* or NULL */
};

struct commit_object {
	GByteArray *parents; /* COMMIT_OID_LEN bytes each */
	struct address *author, *committer;
	gint64 author_date; /* seconds since 1970 in UTC; 0: unreadable */
	gint64 commit_date;
	char *subject;	  /* UTF-8, the first paragraph on one line */
	char *trailers;	  /* "Key: value" lines, or NULL */
	GPtrArray *notes; /* of struct commit_note */
};

/* Read all of it. NULL if it is no commit. */
struct commit_object *commit_object_parse(const char *raw, gsize len);
void commit_object_free(struct commit_object *c);
AUTO_STRUCT(commit_object, commit_object_free)

/* Only the parents (added to `parents`) and the commit date: cheap. FALSE if
 * it is no commit. */
gboolean commit_object_parents(const char *raw, gsize len, GByteArray *parents,
			       gint64 *date);

#endif
