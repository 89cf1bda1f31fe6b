/* error.h - the error domain of the mail layer
 * Bad mail is data, not an error: these are for what is no mail at all. */
#ifndef MAIL_ERROR_H
#define MAIL_ERROR_H

#include <glib.h>

#define MAIL_ERROR (mail_error_quark())
GQuark mail_error_quark(void);

enum mail_error {
	MAIL_ERROR_NOT_MAIL, /* no header field where a message must begin */
	MAIL_ERROR_LIMIT,    /* beyond a named bound of the called function */
	MAIL_ERROR_SYNTAX,   /* a value that a person typed does not parse */
};

#endif
