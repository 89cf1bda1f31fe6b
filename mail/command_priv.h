/* command_priv.h - for the command*.c files alone */
#ifndef MAIL_COMMAND_PRIV_H
#define MAIL_COMMAND_PRIV_H

#include "mail/command.h"

/* Problems of inert commands that others ask for. */
#define COMMAND_MISPLACED "it does not begin its line"
#define COMMAND_MISSPELT  "the marker is written otherwise"
#define COMMAND_IN_HTML	  "HTML alone: plain text is wanted"

/* Whose commands they are, by the word that they begin with. */
struct command_marker {
	const char *name; /* "#culprit" */
	char letter;	  /* in the table of verbs; 0: has no verbs there */
	guint wraps;	  /* lines that its text may go on for */
};

/* What stands between a marker and the arguments. */
struct command_head {
	const struct command_marker *marker;
	const struct command_verb *verb; /* NULL: none of the table */
	const char *word;		 /* the verb as written */
	gsize len;
	gboolean colon;	 /* ":" behind the verb */
	gboolean parent; /* "^" in front of it or behind */
	gboolean root;	 /* "/" or "~" in front of it */
	const char *args;
};

/* ---- command_head.c */
/* A line as the grammar sees it: UTF-8 of one line with odd blanks, full-width
 * marks and characters of no width made ASCII. */
char *command_normalise(const char *text, gsize len);
/* The same with curly quotes and long dashes. */
char *command_plain_quotes(const char *text, gsize len);
/* The marker that `text` begins with; `*behind` is what follows. */
const struct command_marker *command_marker_find(const char *text,
						 const char **behind);
/* TRUE if `text` begins with a marker and something that may be a verb, or
 * with a marker alone. */
gboolean command_head_read(const char *text, struct command_head *h);
/* Where in `text` the next command of the same line begins, and where the one
 * before it ends; NULL: there is none. */
const char *command_split(const char *text, const char **end);

/* ---- command_verbs.c */
/* The verb that `text` begins with, its length in `*len`. */
const struct command_verb *command_verb_find(char letter, const char *text,
					     gsize *len);
/* The only verb that `word` may have been meant as, in its nearest spelling;
 * NULL. You own it. */
char *command_verb_nearest(char letter, const char *word);

/* ---- command_text.c: the lines of a body as text of commands */
struct command_text {
	const body *body;
	guint number;  /* line at hand, from 0 */
	guint next;    /* first line that is not taken */
	GString *line; /* what is left of the line at hand */
	guint width;   /* columns of that line */
	gboolean ends; /* nothing of the line is left */
	guint8 kind;   /* enum body_kind of the line that holds the command */
};

void command_text_open(struct command_text *t, guint line);
/* What is left up to the next command of the line; you own it. */
char *command_text_piece(struct command_text *t);
/* The line below (`blank`: or the one below a blank one) as text that may go
 * on the one at hand: no command, no trailer, no greeting, no list, the
 * sender's own. NULL if it is none. You own it. */
char *command_text_below(const struct command_text *t, gboolean blank,
			 guint *number);
/* The line at hand is so long that `below` had no room in it. */
gboolean command_text_is_wrapped(const struct command_text *t,
				 const char *below);
/* Makes `number`, which command_text_below() gave, the line at hand. */
void command_text_take(struct command_text *t, guint number);

/* ---- command_args.c */
/* The arguments, blanks squeezed; lines below are taken from `t`, as `h` and
 * what is on its line ask for. You own it. */
char *command_args_read(struct command_text *t, const struct command_head *h);
/* Status, problem and pointers from verb and arguments. */
void command_args_judge(struct command *c, const struct command_head *h);

/* ---- command_inert.c */
/* Why line `number` holds no command, whatever it says; NULL: it may. */
char *command_why_inert(const message *msg, const body *b,
			const struct robot *robot, guint number,
			const struct command_head *h, const char *args);
/* The line where a list's words begin, or the number of lines. */
guint command_lines_end(const body *b);
/* What we put below our mails stands in it unquoted: whatever else does, may
 * be ours, too. */
gboolean command_has_footer(const body *b);
/* The line above tells to write what is on this one. */
gboolean command_is_instruction(const body *b, guint number);
/* The marker of a line that nearly is a command ("  #culprit fix",
 * "# culprit fix", "culprit: fix"), and the text of the command that was
 * meant; NULL. You own it. */
char *command_near_miss(const struct body_line *l, const char **why);

#endif
