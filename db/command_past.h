/* command_past.h - what somebody has written to a tracker before
 * By the stored commands of his mails, so it is the same after a rebuild. */
#ifndef DB_COMMAND_PAST_H
#define DB_COMMAND_PAST_H

#include "db/store.h"

#define COMMAND_PAST_MAILS 1000 /* of one sender that are looked at */
#define COMMAND_PAST_WEEK  (7 * 86400)

struct command_past {
	guint mails;	   /* with #culprit commands, but for this one */
	guint slips;	   /* of the week before: with such as nearly are one */
	gboolean receipts; /* he asked to be told of each (set receipts: on) */
};

/* Of `address` (in any case), up to `now`; `mid` is the mail in hand. */
gboolean command_past_load(store *st, const char *address, const char *mid,
			   gint64 now, struct command_past *past, GError **err);

#endif
