/* evidence.h - how sure it is that a mail's author is who he says
 * By what hosts that are trusted wrote about its signatures, no more: whoever
 * sends a mail writes what he likes below. Nothing is verified here.
 * docs/answers.md. */
#ifndef MAIL_EVIDENCE_H
#define MAIL_EVIDENCE_H

#include "mail/message.h"

#define EVIDENCE_MAX_FIELDS  20 /* of one name that are read */
#define EVIDENCE_MAX_METHODS 40 /* of one field */

enum evidence {
	EVIDENCE_FAILED, /* E0: a signature of the author's domain is false */
	EVIDENCE_NONE,	 /* E1: nothing speaks for it or against it */
	EVIDENCE_PROVEN, /* E2: the author's domain signed it */
};

struct evidence_trust {
	/* NULL-ended, may be NULL */
	const char *const *authserv; /* names of hosts that judge for us */
	const char *const *sealers;  /* domains whose ARC seals are believed */
	const char *host;	     /* ours; NULL: the names above alone */
};

/* `*why` (may be NULL): half a sentence, a constant. */
enum evidence evidence_of(const message *msg,
			  const struct evidence_trust *trust, const char **why);

#endif
