/* said.h - what a stored message says became of a patch
 * A claim of its sender, not looked at against git. */
#ifndef DB_SAID_H
#define DB_SAID_H

#include <glib.h>

#include "mail/applied.h"
#include "mail/auto.h"

#include "db/store.h"

struct said {
	struct applied *applied; /* NULL: it tells of no such thing */
};

/* By Message-ID; an unknown one says nothing. NULL and *err. */
struct said *said_load(store *st, const char *mid, GError **err);
/* The same by the message's node. */
struct said *said_load_node(store *st, gint64 node, GError **err);
void said_free(struct said *s);
AUTO_STRUCT(said, said_free)

#endif
