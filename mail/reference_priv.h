/* reference_priv.h - for the reference*.c files alone */
#ifndef MAIL_REFERENCE_PRIV_H
#define MAIL_REFERENCE_PRIV_H

#include "mail/reference.h"

/* Fills `r` if `word` is a URL, also one of an archive without "https://". */
gboolean reference_read_url(struct reference *r, const char *word);

#endif
