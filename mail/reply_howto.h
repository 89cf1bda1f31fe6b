/* reply_howto.h - how a person answers a mail: a command, a link
 * For pages and for mails to maintainers. */
#ifndef MAIL_REPLY_HOWTO_H
#define MAIL_REPLY_HOWTO_H

#include "mail/outgoing.h"

#define REPLY_MAILTO_MAX 1900 /* octets; longer ones do not survive */

/* `git send-email` over several lines, each but the first indented, for the
 * recipients of `m` and the mail that it answers; words quoted for a shell
 * where they must be. Ends with a newline. You own it. */
char *reply_command(const struct outgoing *m);

/* A link as RFC 6068 has it: recipients, In-Reply-To, Subject; the subject is
 * left out where it gets too long, and it is NULL where it still is. */
char *reply_mailto(const struct outgoing *m);

#endif
