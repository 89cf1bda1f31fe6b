/* reply.h - an answer to a mail: who gets it, how it hangs in the thread, what
 * is quoted
 * The same input gives the same bytes. */
#ifndef MAIL_REPLY_H
#define MAIL_REPLY_H

#include "mail/attribution.h"
#include "mail/message.h"
#include "mail/outgoing.h"
#include "mail/quote.h"

struct reply_options {
	const struct address *from; /* our own name and address */
	const char *const *also;    /* further own addresses; may be NULL */
	const char *host;	    /* of Message-IDs; NULL: of our address */
	gboolean everybody;	    /* else to the author alone */
	gboolean spaced;	    /* quotes as "> > x" */
	enum attribution_form attribution;
	gint64 now;
};

/*
 * Headers and body of an answer to `parent`; `anchors` as in quote_answer(), of
 * message_body(). Without any, all of it is quoted for a person to cut and
 * write into. The body ends behind our last words: a signature is the
 * caller's. NULL with MAIL_ERROR_SYNTAX: an anchor is wrong.
 */
struct outgoing *reply_new(const message *parent,
			   const struct quote_anchor *anchors, guint n,
			   const struct reply_options *opt, GError **err);

/* The ids of References for an answer, "<...>", bounded as outgoing.h tells:
 * those of the parent (of its In-Reply-To, if that has exactly one), then its
 * own; of one named twice the last place counts. You own the array. */
GPtrArray *reply_references(const message *parent);

#endif
