/* mailmap.h - .mailmap: one person under several names and addresses
 * The four forms of an entry, read and applied as git does. */
#ifndef MAIL_MAILMAP_H
#define MAIL_MAILMAP_H

#include <glib.h>

#include "mail/auto.h"

#define MAILMAP_MAX_BYTES   (8 * 1024 * 1024) /* the rest is not read */
#define MAILMAP_MAX_ENTRIES 200000

typedef struct mailmap mailmap;

/* Never NULL: what is no entry is passed over. */
mailmap *mailmap_parse(const char *text, gsize len);
void mailmap_free(mailmap *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mailmap, mailmap_free)

guint mailmap_count(const mailmap *m);

/* Replace name and address by the proper ones. Both stay as they are, and
 * FALSE, if the map has nothing of this person. What it sets is lent by the
 * map. A NULL map knows nobody. */
gboolean mailmap_apply(const mailmap *m, const char **name,
		       const char **address);

#endif
