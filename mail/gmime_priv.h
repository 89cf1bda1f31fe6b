/* gmime_priv.h - the one way to GMime inside mail/
 * Not for other layers: they never see a GMime type. */
#ifndef MAIL_GMIME_PRIV_H
#define MAIL_GMIME_PRIV_H

#include <gmime/gmime.h>

/* Initialise GMime at the first call, from any thread. Every function that
 * calls GMime calls this first. */
void gmime_ready(void);

/* Options for reading damaged mail: loose RFC 2047 and addresses, charset of
 * raw bytes UTF-8, else windows-1252. Shared: never change them. Lent. */
GMimeParserOptions *gmime_options(void);

/* TRUE if a conversion from `charset` to UTF-8 exists. */
gboolean gmime_knows_charset(const char *charset);

#endif
