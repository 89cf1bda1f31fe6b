/* am_priv.h - what the files of bot/am share */
#ifndef BOT_AM_PRIV_H
#define BOT_AM_PRIV_H

#include "mail/reading.h"

#include "db/patches.h"
#include "db/thread.h"

#include "bot/am.h"

#define AM_MAX_VERSIONS 100 /* older versions looked at for trailers */

/* A trailer that somebody gave. */
struct am_given {
	const struct trailer *trailer; /* lent by the job */
	const struct address *from;    /* lent by the job */
};

/* One patch of the chosen series. */
struct am_slot {
	int number;
	int mail;	   /* index into the facts */
	GArray *given;	   /* of struct am_given: in reply to this patch */
	GArray *for_cover; /* in reply to the cover */
	GArray *carried;   /* to an older version of the same patch-id */
};

struct am_job {
	store *st;
	const struct series_set *set;
	const struct series *chosen;
	int chosen_index;
	GPtrArray *slots;      /* of struct am_slot, by number */
	GHashTable *series_of; /* of am_index_mails(); lent */
	GPtrArray *readings;   /* of struct reading: what is lent out */
	GPtrArray *trailers;   /* of GPtrArray of struct trailer: the same */
};

const struct series_mail *am_mail_at(const struct am_job *job, int mail);
/* The message as read; lent. NULL with err unset: its bytes are not there. */
struct reading *am_read(struct am_job *job, const char *mid, GError **err);

/* am_choose.c: Message-ID -> index of the series + 1, own mails only; lends
 * from `set`. */
GHashTable *am_index_mails(const struct series_set *set);
/* The newest complete series of what was asked for in `t`, -1 if there is none.
 * `newest`: the newest one, complete or not, -1 if there is none at all. */
int am_choose(const struct series_set *set, const struct thread *t,
	      GHashTable *mails, int *newest);

/* am_replies.c: fill the slots' lists. */
gboolean am_collect(struct am_job *job, GError **err);

/* am_scope.c: what a reply says of how far its trailers reach. */
struct am_scope {
	gboolean whole;	    /* "for the series" */
	GArray *numbers;    /* of int: "for patches 1-3,5"; may be empty */
	gboolean withdraws; /* NAK, or "please drop my tag" */
};
void am_scope_init(struct am_scope *s, const body *b, GPtrArray *trailers);
void am_scope_clear(struct am_scope *s);

#endif
