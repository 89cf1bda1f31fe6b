/* outbox_run.h - the sender: takes from the outbox what is due, and sends it
 * One at a time on a database: whoever sends holds a lock. */
#ifndef BOT_OUTBOX_RUN_H
#define BOT_OUTBOX_RUN_H

#include "db/outbox_queue.h"

#include "bot/send.h"

#define OUTBOX_STOP_FILE "STOP" /* in the folder of the database */

struct outbox_run {
	store *st;
	const char *db_path;
	const struct outbox_policy *policy;
	const struct send_settings *settings;
	const char *redirect; /* all mail goes there instead; NULL */
	gint64 (*clock)(void);
	gboolean (*stopped)(void); /* finish the one in hand; may be NULL */
	GCancellable *cancel;	   /* may be NULL */
	/* Told of each; may be NULL. */
	void (*told)(const struct outbox_entry *e, enum outbox_state state,
		     const struct outbox_result *r, void *data);
	void *data;
};

/* Why nothing may leave, which you own; NULL: it may. With err set: unknown. */
char *outbox_run_barred(const struct outbox_run *r, GError **err);

/*
 * Those that are due, or the `n` of `ids` (n 0: all that are due). Before that
 * what an earlier sender left is settled. `*next` is when to look again, 0
 * unknown. FALSE: G_FILE_ERROR_AGAIN, another one sends; OUTBOX_ERROR_STATE;
 * STORE_ERROR.
 */
gboolean outbox_run_once(const struct outbox_run *r, const gint64 *ids, guint n,
			 gint64 *next, GError **err);

#endif
