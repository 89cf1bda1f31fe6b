/* wanted.h - mails that threads of reports refer to and that never came */
#ifndef DB_WANTED_H
#define DB_WANTED_H

#include "db/store.h"

/* As a source: who was asked for one has this kind, and as its place where it
 * was asked and the id behind it. */
#define WANTED_KIND "thread"

/* Ids of which there is no source `prefix`ID yet, one a thread, at most `max`;
 * of the latest threads with a report (but of builds) or a command. Strings,
 * which you own. */
GPtrArray *wanted_find(store *st, const char *prefix, guint max, GError **err);

#endif
