/* command.h - lines that are meant for a tracker: #regzbot, #culprit, #syz
 * Grammar alone: what a command does, and whether its sender may, is decided
 * elsewhere. docs/commands.md. */
#ifndef MAIL_COMMAND_H
#define MAIL_COMMAND_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/body.h"
#include "mail/message.h"
#include "mail/robot.h"

#define COMMANDS_MAX	 100  /* of one message; later ones are not read */
#define COMMAND_MAX_ARGS 2000 /* bytes of one command's arguments */

enum command_status {
	COMMAND_OK,
	COMMAND_UNKNOWN,   /* no such verb; `problem` names the nearest */
	COMMAND_MALFORMED, /* arguments are missing or wrong */
	COMMAND_INERT,	   /* echoed by a robot, own footer, a sample */
};

struct command {
	const char *marker; /* "#regzbot", "#culprit", "#syz" ...: lent */
	char *verb;	    /* canonical: "introduced", "duplicate" ...; for an
			     * unknown one as written, lower case */
	char *verb_written; /* with its '^' or colon removed */
	char *args;	    /* blanks squeezed, wraps joined; "" none */
	guint line;	    /* of the body, from 1 */
	guint block; /* commands of one block share it, from 0: `use` holds
		      * within its block */
	enum command_status status;
	char *problem;	  /* one line; NULL none */
	char *nearest;	  /* the verb that an unknown one may mean; NULL */
	guint last;	  /* line that it goes on to, from 1 */
	gboolean parent;  /* "^": speaks of the mail it answers */
	gboolean root;	  /* "/" or "~": of the first mail of the thread */
	char *target_url; /* a URL that says which report is meant; NULL */
};

/* Of struct command, in the order of lines. Unquoted text of the sender only;
 * the one of the subject first, with line 0: "#forregzbot", its verb is
 * ignore-activity (an answer inherits it: it holds only if the parent's
 * subject lacks it). `robot` wrote the mail; NULL: a person. Never NULL. */
GPtrArray *commands_read(const message *msg, const body *b,
			 const struct robot *robot);
void command_free(struct command *c);
AUTO_STRUCT(command, command_free)
const char *command_status_name(enum command_status s);
/* Inert, but its sender may have meant it: "  #culprit fix", "@culprit". */
gboolean command_is_near_miss(const struct command *c);
/* Inert, since its mail is HTML alone. */
gboolean command_is_html(const struct command *c);
/* The row of a canonical name; NULL. */
const struct command_verb *command_verb_named(const char *name);

enum command_args {
	COMMAND_ARGS_NONE,    /* text behind it is dropped */
	COMMAND_ARGS_REF,     /* a commit, tag or range, then pointers */
	COMMAND_ARGS_POINTER, /* mails, tickets, items, ^ and / */
	COMMAND_ARGS_URL,     /* a URL, then a title */
	COMMAND_ARGS_FIX,     /* a commit, with text, or a patch's title */
	COMMAND_ARGS_LINE,    /* words, required */
	COMMAND_ARGS_WORDS,   /* words, or nothing */
	COMMAND_ARGS_REASON,  /* words; #culprit has to give them */
};

/* One verb; the grammar of all, and its documentation, is the table. */
struct command_verb {
	const char *name;    /* canonical */
	const char *aliases; /* separated by blanks, "_" for a blank; or "" */
	const char *markers; /* "rc": of #regzbot, of #culprit */
	enum command_args args;
	const char *usage; /* arguments as documentation shows them */
	const char *help;
};

/* Ends with a NULL name. */
const struct command_verb *command_verbs(void);

#endif
