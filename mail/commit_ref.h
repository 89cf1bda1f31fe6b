/* commit_ref.h - commits mentioned in a text, and in which role */
#ifndef MAIL_COMMIT_REF_H
#define MAIL_COMMIT_REF_H

#include <glib.h>

#include "mail/body.h"

#define COMMIT_REF_MAX	   500
#define COMMIT_REF_MIN_HEX 7 /* git's shortest abbreviation */

enum commit_role {
	COMMIT_CULPRIT, /* "commit:" after a robot's headline */
	COMMIT_BASE,	/* base-commit:, "base:" of a robot */
	COMMIT_FIXES,	/* Fixes: trailer */
	COMMIT_PARENT,	/* "commit <sha> upstream", upstream commit */
	COMMIT_FIX,	/* "fixed by commit", regzbot fix */
	COMMIT_TESTED,
	COMMIT_REVERTED, /* "This reverts commit <sha>" */
	COMMIT_MENTIONED,
};

struct commit_ref {
	char *id;      /* lower-case hex, 7 to 64 digits */
	char *subject; /* ("title") after it, wrapped lines joined, or NULL */
	enum commit_role role;
	guint line;
};

void commit_ref_free(struct commit_ref *c);
const char *commit_role_name(enum commit_role role);

/* Mentions in the unquoted lines: "commit abcdef123456", "abcdef123456
 * ("title")", "Fixes:", "This reverts commit", "commit X upstream.",
 * "[ Upstream commit X ]", base-commit:, "first bad commit", #regzbot
 * commands. A bare hex word counts only if it is 40 digits in lower case (64
 * are more often a checksum), or has a digit and a letter and stands before
 * ("title"); never Message-IDs, blob ids of index lines, digests, ranges,
 * addresses, URLs other than kernel.org commit links. Each (id, role) once.
 * You own the array. */
GPtrArray *commit_refs_find(const body *b);

#endif
