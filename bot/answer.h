/* answer.h - what a mail with commands is answered, and why it is not
 * Decides and composes; hands nothing over, changes nothing. docs/answers.md. */
#ifndef BOT_ANSWER_H
#define BOT_ANSWER_H

#include <jansson.h>

#include "mail/auto.h"
#include "mail/outgoing.h"

#include "db/commands.h"
#include "db/outbox.h"
#include "db/store.h"

#include "bot/config.h"

#define ANSWER_MAX_AGE	(48 * 3600) /* seconds; older mail is history */
#define ANSWER_MAX_WAIT (24 * 3600) /* for the mail that one answers */
#define ANSWER_MAX_ROWS 50	    /* of a list or table */

enum answer_kind {
	ANSWER_NONE,
	ANSWER_PRIVATE,
	ANSWER_HELD, /* asks the sender to confirm; what he wrote waits */
};

const char *answer_kind_name(enum answer_kind k); /* "none" ... */

struct answer_command {
	char *verb, *verb_written, *args;
	enum command_outcome outcome;
	char *text; /* one line for programs */
};

struct answer {
	char *mid; /* of the mail that is answered */
	enum answer_kind kind;
	char *reason;
	char *item;		/* id; NULL: none is concerned */
	GPtrArray *commands;	/* of struct answer_command */
	struct outgoing *mail;	/* NULL: none */
	enum outbox_kind draft; /* what it is to the outbox */
};
void answer_free(struct answer *a);
AUTO_STRUCT(answer, answer_free)

/*
 * Of a mail as if it had just been fetched. It is taken into `st`, which has
 * to be writable, in a transaction that is rolled back. Settings need an
 * address in [bot]. NULL and *err: it is no mail, or the store failed.
 */
struct answer *answer_make(store *st, const config *c, GBytes *raw, gint64 now,
			   GError **err);

/* The same of a mail that is in `st` already; the rules of the outbox are left
 * to who hands it over. */
struct answer *answer_make_stored(store *st, const config *c, GBytes *raw,
				  gint64 now, GError **err);

/* Whether the stored mail `mid` was to be answered when it was written, and by
 * which rule; only reads. You own it. NULL: its bytes can't be had, or *err. */
char *answer_why(store *st, const config *c, const char *mid, GError **err);

/* culprit/answer/1 */
json_t *answer_view(const struct answer *a, GError **err);

#endif
