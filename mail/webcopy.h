/* webcopy.h - mail that was copied from a page of a web archive
 * Pages of hypermail ("From: name", "Date: Wed Jan 31 2024 - 09:09:33 EST")
 * and of public-inbox ("[thread overview]", "(raw)") as text. */
#ifndef MAIL_WEBCOPY_H
#define MAIL_WEBCOPY_H

#include <glib.h>

#define WEBCOPY_MAX_HEAD 16384 /* bytes in which the page's head stands */

/*
 * The mail that the page shows, as an RFC 5322 message: its first one, with
 * what the page wrote around it removed. Addresses that the archive hid are
 * left out, never guessed. A robot's report tells its own Message-ID in the
 * URLs of its downloads or tags. You own it.
 *
 * NULL if the bytes are no such page: any mail, any other text.
 */
GBytes *webcopy_to_mail(GBytes *raw);

#endif
