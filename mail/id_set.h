/* id_set.h - ids in order, each once
 * Not for other layers. */
#ifndef MAIL_ID_SET_H
#define MAIL_ID_SET_H

#include <glib.h>

struct id_set {
	GPtrArray *ids;	  /* of strings; whether it owns them is its business */
	GHashTable *seen; /* NULL while they are few; borrows from `ids` */
};

/* Add `id`, which `ids` takes; FALSE if it is there already: then it stays the
 * caller's. */
gboolean id_set_add(struct id_set *set, char *id);

/* Forget what was added, and free all but `ids`. */
void id_set_reset(struct id_set *set);
/* Free all but `ids`. */
void id_set_clear(struct id_set *set);

#endif
