/* outbox_priv.h - what the files of db/outbox share */
#ifndef DB_OUTBOX_PRIV_H
#define DB_OUTBOX_PRIV_H

#include "db/db_priv.h"
#include "db/outbox.h"

/* Budgets; what is beyond waits, or is not written at all. */
#define BUDGET_AUTHOR_HOUR  20
#define BUDGET_AUTHOR_DAY   60
#define BUDGET_THREAD_DAY   5
#define BUDGET_MISTAKES_DAY 3
#define BUDGET_HOUR	    60
#define BUDGET_DAY	    300
#define OUTBOX_HOUR	    3600
#define OUTBOX_DAY	    86400
#define OUTBOX_MAX_LOG	    1000 /* lines of one mail; later ones go */

void outbox_rcpt_free(void *rcpt);

/* A line of its history. */
gboolean outbox_log(store *st, gint64 id, gint64 now, GError **err,
		    const char *format, ...) G_GNUC_PRINTF(5, 6);

/* The text that is hashed for an approval: headers but Date, and body. */
char *outbox_text_of(const struct outbox_entry *e, GError **err);
char *outbox_hash_of(const char *text);

/* Mails of other people in the thread of `mid` (NULL: 0). -1 and *err. */
gint64 outbox_heard(store *st, const char *mid, GError **err);

/* ---- outbox_person.c */

/* With a line of its history. */
gboolean outbox_set_state(store *st, gint64 id, enum outbox_state state,
			  const char *why, gint64 now, GError **err);
gboolean outbox_tell(store *st, gint64 id, const struct outbox_rcpt *r,
		     enum outbox_told told, guint code, const char *text,
		     GError **err);

/* ---- outbox_rules.c */

/* Does anything that is known call it a list? -1 and *err. */
int outbox_is_list(store *st, const struct outbox_policy *p,
		   const char *address, GError **err);
/* Lent: what the settings say of a list's address; NULL nothing. */
const struct outbox_list *outbox_list_of(const struct outbox_policy *p,
					 const char *address);
/* May it be written to? NULL: yes, else why not, a constant. */
const char *outbox_list_refusal(const struct outbox_policy *p,
				const char *address);
/* Did too much of our mail come back from there? -1 and *err. */
int outbox_is_disabled(store *st, const char *address, GError **err);

/* What the budgets say of a draft that is about to be taken in. */
struct outbox_judgement {
	const char *why;   /* NULL: fine */
	gboolean drop;	   /* never; else */
	gint64 not_before; /* ... later */
	gboolean loop;	   /* it would be one */
};
gboolean outbox_judge(store *st, const struct outbox_draft *d,
		      const guint8 *digest, gsize len, gboolean public,
		      gint64 now, struct outbox_judgement *j, GError **err);

#endif
