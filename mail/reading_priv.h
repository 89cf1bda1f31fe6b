/* reading_priv.h - for the reading_*.c files alone */
#ifndef MAIL_READING_PRIV_H
#define MAIL_READING_PRIV_H

#include "mail/reading.h"

/* TRUE for mail that a program sent on its own account: robots by address,
 * stable queues and patch trackers by what they write into subjects. People
 * who use a robot's machine under their own name are people. */
gboolean reading_is_notice(const message *msg, const struct subject *s);

#endif
