/* outbox_queue.h - what persons, the sender and bounces do with the outbox
 * Each call is a transaction of its own, committed when it returns: a claim is
 * on disk before the first byte goes out. */
#ifndef DB_OUTBOX_QUEUE_H
#define DB_OUTBOX_QUEUE_H

#include "db/outbox.h"

#define OUTBOX_ERROR (outbox_error_quark())
GQuark outbox_error_quark(void);
enum outbox_error {
	OUTBOX_ERROR_STATE, /* what is asked can't be done in that state */
};

#define OUTBOX_UNSURE_WAIT 7200	  /* seconds for an uncertain one to be seen */
#define OUTBOX_GIVE_UP	   259200 /* ... after its release */

/* ---- persons; OUTBOX_ERROR_STATE with a text that names it */

/* A draft or a held one: what it says now is sealed, and goes out when the
 * hold window is over. Lists are looked at again, by the settings of today. */
gboolean outbox_approve(store *st, gint64 id, const struct outbox_policy *p,
			gint64 now, GError **err);
/* Not sent yet, or to be tried again: waits for a person. */
gboolean outbox_hold(store *st, gint64 id, const char *why, gint64 now,
		     GError **err);
/* Not sent yet, or to be tried again, or uncertain: never sent (again). */
gboolean outbox_drop(store *st, gint64 id, const char *why, gint64 now,
		     GError **err);

/* ---- stopping: nothing is claimed then */

/* NULL with err unset: it is not; else why, which you own. */
char *outbox_stopped(store *st, GError **err);
gboolean outbox_stop(store *st, const char *why, gint64 now, GError **err);
gboolean outbox_resume(store *st, GError **err);

/* ---- sending */

/*
 * Claim the next one that is due (`id` 0), or this one, approved, without its
 * hold window. What must not go out any more is held on the way: it is not what
 * was approved, a list is no longer allowed, its thread moved on. Budgets of
 * lists and of all mail put it off. NULL with err unset: nothing is to be
 * sent now; `*next` (may be NULL) is when to ask again, 0: unknown. Its
 * recipients that are OUTBOX_PENDING or OUTBOX_TEMP are to be tried.
 */
struct outbox_entry *outbox_claim(store *st, gint64 id,
				  const struct outbox_policy *p, gint64 now,
				  gint64 *next, GError **err);

struct outbox_reply {
	guint number;	       /* of the recipient */
	enum outbox_told told; /* OK, TEMP, PERM; PENDING: see `uncertain` */
	guint code;
	char *text;
};

/* How a try ended. */
struct outbox_result {
	GArray *replies;    /* of struct outbox_reply: all that were tried */
	gboolean uncertain; /* the pending ones may have it */
	gboolean host;	    /* the server takes nothing at the moment */
	gboolean content;   /* it refuses what is in the mail: stop */
	gboolean seven_bit;
	char *note; /* for its history; NULL */
};
void outbox_result_init(struct outbox_result *r);
void outbox_result_clear(struct outbox_result *r);
void outbox_result_add(struct outbox_result *r, guint number,
		       enum outbox_told told, guint code, const char *text);

/* The claimed one ended so. `jitter`: -200 .. 200, per mille of the time until
 * the next try. `*state` (may be NULL) is what became of it. */
gboolean outbox_settle(store *st, gint64 id, const struct outbox_result *r,
		       int jitter, gint64 now, enum outbox_state *state,
		       GError **err);

/* Is there anything that a sender would do now? Cheap, and writes nothing. -1
 * and *err. */
int outbox_has_work(store *st, gint64 now, GError **err);
/* When the only sender begins: what is in `sending` was cut off, and is
 * uncertain. How many; -1 and *err. */
gint64 outbox_recover(store *st, gint64 now, GError **err);
/* Uncertain ones whose mail was seen are sent; those that were not for long go
 * to a person, if to lists, else are tried once more. How many changed; -1 and
 * *err. */
gint64 outbox_reconcile(store *st, gint64 now, GError **err);

/* ---- mail that came: answers and bounces are looked for in it */

struct outbox_news {
	gint64 seq;
	char *mid;
};
/* From now on what comes is news; what was there before is history, as it is
 * after a rebuild. Does nothing where that was said already. */
gboolean outbox_news_begin(store *st, GError **err);
/* What came since outbox_news_done(), oldest first, `most` at most. */
GPtrArray *outbox_news(store *st, guint most, GError **err);
/* Up to there all is looked at; with the draft that came of it, inside of its
 * transaction. */
gboolean outbox_news_done(store *st, gint64 seq, GError **err);

/* ---- bounces */

/* Mail number `id` came back from its recipient `number` (0: `address` says
 * which), as a bounce that speaks of `code` ("5.1.1"). Hard ones make it
 * OUTBOX_PERM; two of them a day apart, and an address that is no list is not
 * written to any more. `*known`: it was a mail of ours to that one. */
gboolean outbox_bounced(store *st, gint64 id, guint number, const char *address,
			const char *code, const char *text, gint64 now,
			gboolean *known, GError **err);

/* ---- history: "2026-11-30T12:00:00Z text" lines are made of these */

struct outbox_event {
	gint64 time;
	char *text;
};
GPtrArray *outbox_history(store *st, gint64 id, GError **err);

#endif
