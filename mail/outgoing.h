/* outgoing.h - a mail of our own as bytes
 * Headers in a fixed order, ASCII only, folded as RFC 5322 and 2047 want it;
 * bodies never flowed, never base64. The only writer of mail. */
#ifndef MAIL_OUTGOING_H
#define MAIL_OUTGOING_H

#include <glib.h>

#include "mail/address.h"
#include "mail/auto.h"

#define OUTGOING_LINE	   998 /* octets of a line, RFC 5322 2.1.1 */
#define OUTGOING_FOLD	   76  /* columns of a header line, where possible */
#define OUTGOING_MAX_REFS  20  /* ids of References; more: the first and ... */
#define OUTGOING_LAST_REFS 10  /* ... as many of the last */
#define OUTGOING_REFS_LEN  900 /* octets of them all; more: likewise */

struct outgoing {
	struct address *from;
	GPtrArray *to, *cc;    /* of struct address; cc may be empty */
	char *subject;	       /* decoded */
	gint64 date;	       /* printed in UTC */
	char *message_id;      /* "<...>" */
	char *in_reply_to;     /* "<...>", NULL: none */
	GPtrArray *references; /* of "<...>", oldest first; may be empty */
	GPtrArray *extra;      /* "Name: value" lines, ASCII; may be empty */
	char *body;	       /* UTF-8, LF */
};

struct outgoing *outgoing_new(void);
void outgoing_free(struct outgoing *m);
AUTO_STRUCT(outgoing, outgoing_free)

enum outgoing_form {
	OUTGOING_EML,  /* LF, as mutt -H and git send-email take it */
	OUTGOING_MBOX, /* the same behind a From_ line, mboxrd */
	OUTGOING_WIRE, /* CRLF, as SMTP wants it before dots are doubled */
};

/*
 * `eight_bit`: bodies that are not ASCII may go as they are, else as
 * quoted-printable, as do lines beyond OUTGOING_LINE and lone CRs. You own the
 * bytes. NULL with MAIL_ERROR_SYNTAX: a header value has a CR, LF or NUL, an
 * address is no ASCII, or nobody stands in To.
 */
GBytes *outgoing_write(const struct outgoing *m, enum outgoing_form form,
		       gboolean eight_bit, GError **err);

#endif
