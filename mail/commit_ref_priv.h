/* commit_ref_priv.h - between the finder of hex words and their judge */
#ifndef MAIL_COMMIT_REF_PRIV_H
#define MAIL_COMMIT_REF_PRIV_H

#include "mail/body.h"
#include "mail/commit_ref.h"

/* A word of hex digits and the text around it. */
struct hex_word {
	const body *body;
	guint line;		 /* index in the body */
	const char *begin, *end; /* content of the line, prefix removed */
	const char *from, *to;	 /* the word */
	gboolean mixed;		 /* digits and letters */
	gboolean upper;		 /* has A-F */
};

/* What the text around a word says. */
struct hex_context {
	gboolean refused; /* no commit, whatever it looks like */
	gboolean named;	  /* "commit", a key or a URL says that it is one */
	gboolean plural;  /* "commits": more of them may follow */
	gboolean robot;	  /* "commit:" of a robot, if its headline is there */
	gboolean rest_is_subject; /* the rest of the line, without ("") */
	enum commit_role role;
};

void commit_context(const struct hex_word *w, struct hex_context *ctx);

/* The title in ("...") behind the word, also over the next lines; NULL if
 * there is none. `*behind` is where it ends if that is on the same line. */
char *commit_title(const struct hex_word *w, const char **behind);

#endif
