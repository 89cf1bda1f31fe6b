/* am_mail.h - a patch mail rewritten for `git am`
 * One message of the mbox that b4 would write: plain UTF-8, the headers that
 * git reads, the trailers given in replies below those of the author. Pure. */
#ifndef MAIL_AM_MAIL_H
#define MAIL_AM_MAIL_H

#include "mail/reading.h"

struct am_mail {
	const struct reading
		*patch; /* a patch, or a cover: then without diff */
	int version;	/* printed where > 1 or stated; 0: as in the subject */
	GPtrArray *given;    /* of struct trailer: added in this order, what is
			   * there already is not; may be NULL */
	const char *signoff; /* "Name <address>": last of all, or NULL */
};

/* Append the message with its separator line ("From git@z ..."). Gives how
 * many trailers were added. */
guint am_mail_append(GString *out, const struct am_mail *mail);

/* The message alone, as a file of its own. */
void am_mail_write(GString *out, const struct am_mail *mail);

/* Equal key and person (name, and address by the rule of
 * address_same_person()), equal Message-ID of a link, else equal value. */
gboolean am_trailer_equal(const struct trailer *a, const struct trailer *b);

#endif
