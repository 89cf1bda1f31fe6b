/* outgoing_priv.h - what the files of outgoing share: text as mail has it */
#ifndef MAIL_OUTGOING_PRIV_H
#define MAIL_OUTGOING_PRIV_H

#include "mail/outgoing.h"

/* ---- outgoing_words.c: RFC 2047 */

/* Append decoded text; the words from the first to the last that are not ASCII
 * become encoded words (UTF-8, Q, 75 octets at most, characters whole), blanks
 * between them inside. `phrase`: only what a display name may have. */
void outgoing_encode(GString *out, const char *text, gboolean phrase);
/* "Name <address>", the name quoted or encoded where it has to be. */
char *outgoing_address(const struct address *a);

/* ---- outgoing_body.c */

enum outgoing_encoding { OUTGOING_7BIT, OUTGOING_8BIT, OUTGOING_QP };

enum outgoing_encoding outgoing_choose(const char *body, gboolean eight_bit);
/* Append the body as quoted-printable (RFC 2045 6.7), LF line ends; "." and
 * "From " at the beginning of a line are encoded. */
void outgoing_qp(GString *out, const char *body);

#endif
