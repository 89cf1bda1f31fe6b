/* attribution.h - the line above a quote: when, and who wrote it
 * One line, never wrapped, names and dates in English whatever the locale. */
#ifndef MAIL_ATTRIBUTION_H
#define MAIL_ATTRIBUTION_H

#include "mail/message.h"

enum attribution_form {
	ATTRIBUTION_DEFAULT, /* "On Tue, Sep 08, 2026 at 09:05:07AM +0200, " */
	ATTRIBUTION_RFC,     /* "On " and the Date field as it stands */
	ATTRIBUTION_ISO,     /* "On 2026-09-08 09:05 +0200, " */
	ATTRIBUTION_SHORT,   /* "On 09/08, " */
};

/*
 * The time is that of Date in the zone written there. A Date that is missing or
 * can't be read: "NAME wrote:" alone; before 1970 or more than a day after
 * `now` (0: not known): message_date() in UTC. You own it.
 */
char *attribution_line(const message *msg, enum attribution_form form,
		       gint64 now);

/* The author's name for a person to read: decoded, outer quotes and " via
 * LIST" off, no control characters; the local part of the address if there is
 * no name. You own it. */
char *attribution_name(const struct address *author);

#endif
