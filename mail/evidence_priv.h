/* evidence_priv.h - for mail/evidence*.c alone */
#ifndef MAIL_EVIDENCE_PRIV_H
#define MAIL_EVIDENCE_PRIV_H

#include "mail/evidence.h"

/* One method of Authentication-Results. */
struct auth_method {
	char *name;   /* "dkim", "dmarc", "arc" ...; lower case */
	char *result; /* "pass", "fail" ...; lower case */
	char *domain; /* that it speaks of, lower case; NULL: not told */
};

struct auth_results {
	char *authserv;	    /* lower case */
	GPtrArray *methods; /* of struct auth_method */
};
void auth_results_free(struct auth_results *a);
AUTO_STRUCT(auth_results, auth_results_free)

/* RFC 8601 2.2. NULL: it names nobody, so it is nobody's. */
struct auth_results *auth_results_parse(const char *unfolded);

#endif
