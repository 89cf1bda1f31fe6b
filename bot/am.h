/* am.h - the newest complete series as an mbox for `git am` */
#ifndef BOT_AM_H
#define BOT_AM_H

#include <glib.h>

#include "mail/auto.h"

#include "db/store.h"

struct am {
	GBytes *mbox;  /* NULL: no complete series */
	GBytes *cover; /* the cover letter as a message, NULL if there is none */
	char *slug;    /* what files are named after, as b4 does */
	char *note;    /* lines for a person: version, patches, doubts */
};

/*
 * The series that the thread of `mid` holds or leads to: of all its versions
 * the newest complete one. `signoff`: "Name <address>" or NULL. NULL with err
 * unset: the id is not known or no series is there.
 */
struct am *am_make(store *st, const char *mid, const char *signoff,
		   GError **err);
void am_free(struct am *a);
AUTO_STRUCT(am, am_free)

#endif
