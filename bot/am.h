/* am.h - the newest complete series as an mbox for `git am` */
#ifndef BOT_AM_H
#define BOT_AM_H

#include <glib.h>

#include "db/store.h"

/* `signoff`: "Name <address>" or NULL. The series that the thread of `mid`
 * holds or leads to. NULL with err unset: no complete series. `note` gets one
 * line about what was taken (version, patches, trailers), you own it. */
char *am_mbox(store *st, const char *mid, const char *signoff, char **note,
	      GError **err);

#endif
