/* bounce.h - our own mail that came back
 * Found by the address it comes back to, which names the mail and perhaps the
 * recipient; what it says is read from its report (RFC 3464), never guessed
 * from its words. */
#ifndef MAIL_BOUNCE_H
#define MAIL_BOUNCE_H

#include "mail/auto.h"
#include "mail/message.h"

#define BOUNCE_MAX_REPORT (64 * 1024) /* bytes of a report that are read */
#define BOUNCE_MAX_FAILED 30	      /* recipients in it */

struct bounce_failed {
	char *address; /* as the report has it; "" unknown */
	char *status;  /* "5.1.1"; "" unknown */
	char *text;    /* what the other server said; "" */
};

struct bounce {
	gint64 outbox;	   /* the mail's number */
	guint number;	   /* of its recipient; 0: there were several */
	GPtrArray *failed; /* of struct bounce_failed: "Action: failed" */
};
void bounce_free(struct bounce *b);
AUTO_STRUCT(bounce, bounce_free)

/* "bot+b-12-1@host" of "bot@host": TRUE, and both numbers. */
gboolean bounce_address(const char *address, const char *own, gint64 *outbox,
			guint *number);

/* NULL: it is no mail to such an address of `own`. A mail without a report has
 * no `failed`. */
struct bounce *bounce_read(const message *msg, const char *own);

#endif
