/* subject.h - the grammar of subjects: reply marks, brackets, counters
 * threads-patches 3.2. Input is decoded UTF-8 with blanks collapsed. */
#ifndef MAIL_SUBJECT_H
#define MAIL_SUBJECT_H

#include <glib.h>

#include "mail/auto.h"

#define SUBJECT_MAX_BRACKETS 16
#define SUBJECT_MAX_TOKENS   64

struct subject {
	char *base;	/* the title: no reply marks, no leading brackets */
	gboolean reply; /* any Re:, AW:, ... seen (Fwd is not one) */
	gboolean forward;
	gboolean patch; /* a PATCH token, or a counter with patch-like tags */
	gboolean cover_hint; /* PATCHSET, PATCHBOMB */
	gboolean pull;	     /* GIT PULL, PULL */
	gboolean tip;	     /* "tip:" of the tip robot */
	gboolean rfc;
	gboolean resend; /* RESEND, REPOST */
	gboolean subset; /* "(subset)", b4 ty */
	gboolean stable; /* AUTOSEL, CANDIDATE, STABLE, "5.10", "5.10.y" */
	gboolean not_for_merge; /* WIP, DRAFT, POC */
	gboolean malformed;	/* an unclosed bracket was read anyway */
	int version;		/* of "v3", "PATCHv3", "(v3)"; 1 if none */
	gboolean version_stated;
	char *version_text;  /* "9.1" of v9.1, else NULL */
	gboolean numbered;   /* n/m or "n of m" was there */
	int number;	     /* 0 = cover; -1 if not numbered */
	int total;	     /* -1 if not numbered or "3/n" */
	GPtrArray *prefixes; /* tokens other than PATCH, version, counter; as
			      * written, list tags dropped */
};

/* `list_tags` (NULL-terminated, may be NULL): names of lists whose bracket is
 * dropped ("f2fs-dev"); the built-in ones are always dropped. Never NULL. */
struct subject *subject_parse(const char *text, const char *const *list_tags);
void subject_free(struct subject *s);
AUTO_STRUCT(subject, subject_free)

/* For comparing titles: NFC, blanks collapsed, final dots stripped, folded. */
char *subject_key(const char *title);

/* public-inbox's normalised subject for the overview: trimmed, blanks
 * collapsed, final dots dropped, every "re: " removed repeatedly. */
char *subject_normalise(const char *text);

/* The subject of an answer: all reply and forward marks ("RE:", "AW[2]:",
 * "Fwd:", also those of other tongues) and tags that a list adds again taken
 * off, blanks collapsed, "Re: " in front. "Re: (no
 * subject)" if nothing is left. */
char *subject_reply(const char *text);

#endif
