/* outbox.h - mail of our own, from its draft until it is settled
 * Truth: no rebuild touches it. A draft is made in the transaction of whatever
 * caused it; its Message-ID never changes. Knows no transport and no settings:
 * the policy is handed in. docs/outbox.md. */
#ifndef DB_OUTBOX_H
#define DB_OUTBOX_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/outgoing.h"

#include "db/store.h"

#define OUTBOX_MAX_RECIPIENTS 30 /* more: a person must look at it */
#define OUTBOX_FEW	      3	 /* more: as mail to a list */
#define OUTBOX_MAX_LISTED     10000

enum outbox_mode { OUTBOX_DRY_RUN, OUTBOX_APPROVE, OUTBOX_AUTO };

enum outbox_state {
	OUTBOX_DRAFT,	  /* of a dry run: stays until a person approves it */
	OUTBOX_HELD,	  /* waits for a person; `why` tells for what */
	OUTBOX_APPROVED,  /* goes out when it is due */
	OUTBOX_SENDING,	  /* claimed; found so at start-up: uncertain */
	OUTBOX_SENT,	  /* all recipients have it */
	OUTBOX_PARTIAL,	  /* some have it, the others never will */
	OUTBOX_UNCERTAIN, /* the line broke when it may have been taken */
	OUTBOX_RETRY,	  /* some may take it later */
	OUTBOX_FAILED,	  /* nobody will */
	OUTBOX_CANCELLED, /* dropped, by a person or by a rule */
};
const char *outbox_state_name(enum outbox_state s); /* "draft" ... */
/* -1: no such name. */
int outbox_state_find(const char *name);

enum outbox_kind {
	OUTBOX_RESULT,	/* what became of a command: waits, is never dropped */
	OUTBOX_ANSWER,	/* what somebody asked for */
	OUTBOX_MISTAKE, /* a command that is not understood or not allowed */
	OUTBOX_CONFIRM, /* asks who is said to have written whether it is so */
	OUTBOX_NOTICE,	/* nobody asked for it: a fix landed, a comparison */
	OUTBOX_DIGEST,	/* regular, to those who want it */
	OUTBOX_ALERT,	/* to the operators */
};
const char *outbox_kind_name(enum outbox_kind k); /* "result" ... */

/* A list of the settings. */
struct outbox_list {
	char *name;    /* [list NAME] */
	char *address; /* NULL: its mail is never written to */
	gboolean reply_to_author, reply_list, cc_individuals;
	gboolean quiet_on_good_news, approve;
	char *prefix_text; /* NULL none */
	guint max_per_day;
};
void outbox_list_free(struct outbox_list *l);

/* What the settings allow. */
struct outbox_policy {
	enum outbox_mode mode;
	char *name;    /* ours in From; NULL: none */
	char *address; /* our own; NULL: nothing is ever drafted */
	char **also;   /* further own ones; may be NULL */
	char *host;    /* of Message-IDs; NULL: of `address` */
	char **allow;  /* lists that may be written to; may be NULL */
	char **operators;
	gint64 hold;	  /* seconds that mail to lists can be dropped in */
	GPtrArray *lists; /* of struct outbox_list */
};

struct outbox_draft {
	enum outbox_kind kind;
	const char *rule;	     /* why it is written: a few words */
	const char *parent;	     /* Message-ID it answers, no <>; NULL */
	const char *item;	     /* id; NULL */
	const char *author;	     /* address of who asked; NULL nobody */
	gboolean good_news;	     /* that a list may not want to hear */
	const struct outgoing *mail; /* its date and Message-ID are not
				      * looked at: both are made */
};

/* What became of a draft. */
struct outbox_fate {
	gint64 id; /* of the outbox; told even if it is cancelled */
	enum outbox_state state;
	char *why; /* "" or a sentence for people */
};
void outbox_fate_clear(struct outbox_fate *f);

/*
 * Take a draft in, inside a transaction: with the effect of the command it
 * answers, or not at all. Applies the policy (recipients that are not allowed
 * go, texts of lists are put in front), the budgets and the rules against
 * loops; what they forbid is kept as cancelled, with its reason. `now` is the
 * clock. FALSE with MAIL_ERROR_SYNTAX: the mail can't be written at all.
 */
gboolean outbox_add(store *st, const struct outbox_draft *d,
		    const struct outbox_policy *p, gint64 now,
		    struct outbox_fate *fate, GError **err);

/* ---- looking */

enum outbox_told {
	OUTBOX_PENDING, /* not tried, or uncertain */
	OUTBOX_OK,	/* the server took it for them */
	OUTBOX_TEMP,	/* later */
	OUTBOX_PERM,	/* never; or it bounced */
	OUTBOX_MUTED,	/* left out by a rule: not in the mail either */
};
const char *outbox_told_name(enum outbox_told t); /* "pending" ... */

struct outbox_rcpt {
	guint number; /* from 1, as in the envelope sender */
	gboolean cc;  /* else in To */
	char *name, *address;
	gboolean is_list;
	gboolean is_new; /* the parent did not go to it */
	enum outbox_told told;
	guint code; /* of the server's last reply; 0 none */
	char *text; /* that reply, or the rule; "" */
};

struct outbox_entry {
	gint64 id;
	enum outbox_state state;
	enum outbox_kind kind;
	char *why; /* of its state; "" */
	char *rule, *parent, *item, *author;
	char *message_id; /* no <> */
	gboolean public;  /* to a list, or to more than OUTBOX_FEW */
	gint64 created, approved, due, released; /* 0: not (yet) */
	guint attempts;
	gboolean seven_bit;    /* how it went out the first time */
	struct outgoing *mail; /* date: `released`, else `created` */
	GPtrArray *rcpts;      /* of struct outbox_rcpt, by number */
	char *hash;	       /* of what was approved; NULL */
	char *approved_text;   /* that; NULL */
};
void outbox_entry_free(struct outbox_entry *e);
AUTO_STRUCT(outbox_entry, outbox_entry_free)

/* NULL with err unset: there is none. */
struct outbox_entry *outbox_load(store *st, gint64 id, GError **err);
/* Of struct outbox_entry, oldest first; `states` is a set of 1 << state. */
GPtrArray *outbox_list_load(store *st, guint states, GError **err);
/* The id of the entry whose Message-ID or number this is; 0 none, -1 *err. */
gint64 outbox_find(store *st, const char *what, GError **err);
/* Is this Message-ID (no <>) one of ours? -1 and *err. */
int outbox_is_ours(store *st, const char *mid, GError **err);

/* A loop was noticed (our own mail came back as if it were news, ...): after
 * OUTBOX_LOOPS of them in an hour sending stops by itself. In a transaction. */
#define OUTBOX_LOOPS 3
gboolean outbox_note_loop(store *st, const char *mid, const char *why,
			  gint64 now, GError **err);

#endif
