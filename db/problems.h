/* problems.h - what could not be handled, for `problems` and its page */
#ifndef DB_PROBLEMS_H
#define DB_PROBLEMS_H

#include <glib.h>

#include "mail/auto.h"

#include "db/store.h"

struct problem {
	gint64 time; /* of the message; 0 unknown */
	char *kind;  /* "message", "source" ... (contract 4c) */
	char *mid;   /* NULL if there is none */
	char *place; /* file or archive; NULL if a message says it all */
	char *code;
	char *text;
	char *item; /* id, NULL */
};
void problem_free(struct problem *p);

/* All, ordered by (time, mid, code, text). */
GPtrArray *problems_load(store *st, GError **err);

/* Bulk dumps, sorted bytewise, in the form of the contract. Links are lines of
 * Message-ID TAB kind TAB what: the role of a link and the Message-ID it names
 * (else its URL), "commit-ROLE" and a commit id, and what a patch says of
 * itself: patch-id, change-id, base-commit, backport-of. */
gboolean dump_threads(store *st, GString *out, GError **err);
gboolean dump_series(store *st, GString *out, GError **err);
gboolean dump_items(store *st, GString *out, GError **err);
gboolean dump_links(store *st, GString *out, GError **err);

/* One message's stored facts: for `why`. */
struct stored_message {
	char *mid, *subject, *kind;
	gint64 date;
	GPtrArray *lists;  /* strings, sorted */
	GPtrArray *places; /* "git /path", "spool" */
	guint copies;
	gboolean ghost;
	char *thread_root;
	char *parent;
	GPtrArray *warnings; /* "code: text", those of its tables, too */
	GPtrArray *measures; /* a line for each table */
	GPtrArray *commands; /* of struct command_record */
	GPtrArray *verdicts; /* a line for each: what its tables show */
	char *item;	     /* id of the item it belongs to, or NULL */
	guint item_cut;	     /* enum item_cut: what that item does not keep */
	gboolean is_report;
};
struct stored_message *stored_message_load(store *st, const char *mid,
					   GError **err);
void stored_message_free(struct stored_message *m);
AUTO_STRUCT(stored_message, stored_message_free)

#endif
