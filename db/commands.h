/* commands.h - what became of each command that a mail holds
 * Not stored: it follows from all commands together, by date, so it is the
 * same after any order of arrival. docs/items.md. */
#ifndef DB_COMMANDS_H
#define DB_COMMANDS_H

#include <glib.h>

#include "mail/auto.h"

#include "db/store.h"

#define COMMANDS_MAX_ALL 200000 /* of a database; later ones are not followed */

enum command_outcome {
	OUTCOME_NONE, /* of another tracker, or inert: nothing is done */
	OUTCOME_DONE,
	OUTCOME_NO_CHANGE, /* it was so already */
	OUTCOME_REFUSED,
	OUTCOME_NOT_UNDERSTOOD, /* the text names the nearest verb */
	OUTCOME_WAITING,	/* what it speaks of has not been seen */
	OUTCOME_HELD,		/* until its sender confirms that it is his */
};
/* "done", "no-change", "refused", "not-understood", "waiting", "held";
 * NULL. */
const char *command_outcome_name(enum command_outcome o);

struct command_record {
	char *mid;
	gint64 date; /* 0 unknown */
	char *marker, *verb, *verb_written, *args;
	guint line;
	enum command_outcome outcome;
	char *text; /* why, or what was done; never NULL */
	char *item; /* id; NULL if none is concerned */
};
void command_record_free(struct command_record *r);

/* Those of one mail (NULL: of all), by (date, mid, line). */
GPtrArray *command_records_load(store *st, const char *mid, GError **err);

#endif
