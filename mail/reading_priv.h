/* reading_priv.h - for the reading_*.c files alone */
#ifndef MAIL_READING_PRIV_H
#define MAIL_READING_PRIV_H

#include "mail/reading.h"

/* A reply with measurements that are neither quoted nor pasted. */
gboolean reading_is_rerun(const struct reading *r);

#endif
