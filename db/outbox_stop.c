/* outbox_stop.c - nothing is sent: by order, or because a loop was seen */
#include "db/outbox_priv.h"

gboolean outbox_note_loop(store *st, const char *mid, const char *why,
			  gint64 now, GError **err)
{
	gint64 n = 0;

	if (!db_run(st->state, err,
		    "INSERT INTO outbox_loop (time, mid, why) VALUES (?, ?, ?)",
		    INT(now), TEXT(mid), TEXT(why)) ||
	    db_get_int(st->state, &n, err,
		       "SELECT count(*) FROM outbox_loop WHERE time > ?",
		       INT(now - OUTBOX_HOUR)) < 0)
		return FALSE;
	return n < OUTBOX_LOOPS ||
	       db_run(st->state, err,
		      "INSERT OR IGNORE INTO outbox_stop VALUES (1, ?, ?)",
		      INT(now), TEXT("loops were noticed: 3 within an hour"));
}
