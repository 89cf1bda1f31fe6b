/* recipients.h - who gets an answer
 * From the mail that is answered alone: nobody is ever added. */
#ifndef MAIL_RECIPIENTS_H
#define MAIL_RECIPIENTS_H

#include "mail/message.h"

#define RECIPIENTS_MAX_FOLLOWUP 30 /* a longer Mail-Followup-To is passed by */

struct recipients {
	GPtrArray *to, *cc; /* of struct address */
};

/*
 * `everybody` FALSE: the author alone (Mail-Reply-To, Reply-To unless it is a
 * recipient anyway, the un-munged From). TRUE: the author, copies to all To and
 * Cc in their order; Mail-Followup-To and Mail-Copies-To are honoured. An
 * answer to our own mail goes where that went. Left out: `own` (NULL-ended
 * addresses, whatever their +tag), what is no address, command boxes of other
 * bots, "noreply", and who was named before. To is empty only if nobody is
 * left.
 */
void recipients_of(const message *msg, gboolean everybody,
		   const char *const *own, struct recipients *r);
void recipients_clear(struct recipients *r);

/* One of `own`, its +tag and case not counting. */
gboolean recipients_is_own(const char *address, const char *const *own);
/* TRUE if the mail or the looks of the address tell that it is a list. */
gboolean recipients_is_list(const message *msg, const char *address);

#endif
