/* keepers.h - MAINTAINERS and .mailmap of the git trees, parsed once
 * As of the last sync; kept with the store, and read again when they change. */
#ifndef DB_KEEPERS_H
#define DB_KEEPERS_H

#include "mail/mailmap.h"
#include "mail/maintainers.h"

#include "db/store.h"

/* Where the tree keeps which names in its MAINTAINERS are directories, one a
 * line: a file of that name can't be. */
#define KEEPERS_DIRECTORIES "MAINTAINERS/"

/* Lent until the next call. NULL with err unset: no tree has one, or it is
 * none that can be read. */
const maintainers *keepers_maintainers(store *st, GError **err);
const mailmap *keepers_mailmap(store *st, GError **err);

/* What of MAINTAINERS could not be used, a line each; of char *, lent. NULL
 * with err unset: there is none. */
GPtrArray *keepers_problems(store *st, GError **err);

#endif
