/* answer_priv.h - what the files of bot/answer*.c share */
#ifndef BOT_ANSWER_PRIV_H
#define BOT_ANSWER_PRIV_H

#include "mail/reading.h"

#include "db/command_past.h"
#include "db/outbox.h"

#include "templates/render.h"

#include "bot/answer.h"
#include "bot/own_mail.h"

/* A mail in hand. */
struct asked {
	store *st;
	const config *config;
	gint64 now;
	struct reading *reading;
	struct own_mail *own;
	template_set *templates;
	GPtrArray *live;    /* of struct command that are answered; lent */
	GPtrArray *records; /* of struct command_record: what became of them */
	GPtrArray *texts;   /* of char *, ours, by command; NULL: none */
	gboolean addressed; /* it was sent to us */
	gboolean known;	    /* it is stored already; that is no reason */
	gboolean forged;
	struct command_past past;
	struct answer *answer;
};

/* ---- answer_scope.c: is it for us? */

gboolean asked_is_addressed(const struct asked *a);
/* Why nothing is done with it, before anybody looks what it says; NULL. */
char *asked_why_not(struct asked *a, GError **err);
/* An address that lists may read. */
gboolean asked_is_list(const struct asked *a, const char *address);

/* ---- answer_text.c: our words on one command */

/* Sets outcome and texts of command `n`. */
gboolean asked_answer_command(struct asked *a, guint n, GError **err);
/* A template with values of which `tree` (taken) has some; the final newline
 * removed. NULL and *err. */
char *asked_render(struct asked *a, const char *name, json_t *tree,
		   GError **err);

/* ---- answer_ask.c: status, list, table, help */

gboolean asked_is_question(const char *verb);
/* The answer; *why instead, if there is none. `note` (NULL) stands above.
 * NULL with neither: *err. */
char *asked_question(struct asked *a, const struct command *c, const char *verb,
		     const char *note, char **why, GError **err);

/* ---- answer_mail.c */

gboolean asked_compose(struct asked *a, GError **err);
/* What it is to the outbox, once it is composed. */
enum outbox_kind asked_draft_kind(const struct asked *a);

#endif
