/* fold.h - Message-IDs in another case than they are stored: internal to db/ */
#ifndef DB_FOLD_H
#define DB_FOLD_H

#include "db/store.h"

#define FOLD_MAX_SEEKS 1000 /* keys looked at; then it counts as not found */

/* The smallest id (by bytes) of a node that equals `mid` but for the case of
 * ASCII letters. 1, 0: none, -1 and *err. */
int fold_find(store *st, const char *mid, gint64 *node, GError **err);

/* Of all ways to write `mid` in capitals and small letters the smallest that
 * is not before `key`; NULL if all are. You own it. */
char *fold_next(const char *mid, const char *key);

#endif
