/* subject_priv.h - shared by subject.c (the loop over reply marks and
 * brackets) and subject_token.c (what one word in a bracket means) */
#ifndef MAIL_SUBJECT_PRIV_H
#define MAIL_SUBJECT_PRIV_H

#include "mail/subject.h"

struct subject_scan {
	struct subject *subject;
	const char *const *list_tags; /* or NULL */
	guint tokens;
	char *dotted;  /* "v5.10" or "v9.1": told apart at the end, or NULL */
	gboolean tree; /* "tree:branch" of a robot was among the tokens */
};

/* The words of one bracket, inner brackets already blanked out. */
void subject_scan_bracket(struct subject_scan *scan, const char *content);
/* Decide what could not be decided word by word. */
void subject_scan_finish(struct subject_scan *scan);
/* Length of the n/m at `text`, 0 if there is none. */
gsize subject_counter_len(const char *text);
/* Length of the words at `text` that no title begins with: PATCH, versions,
 * counters and their like. */
gsize subject_known_len(const char *text);

#endif
