/* imap_guard.h - what an IMAP server says, cut into lines, within bounds
 * Knows lines and literals; what the lines mean is bot/imap_text.h's.
 * Whatever a server sends or announces, memory stays bounded, and BYE is an
 * error wherever it comes. */
#ifndef BOT_IMAP_GUARD_H
#define BOT_IMAP_GUARD_H

#include <glib.h>

#include "bot/net.h"

#define IMAP_MAX_LINE	 (64 * 1024) /* outside literals; of SEARCH none */
#define IMAP_MAX_LITERAL 4096	     /* that is no body: a mailbox's name */
#define IMAP_MAX_ANSWER	 (16 * 1024 * 1024) /* of lines; 2 million UIDs */
#define IMAP_GUARD_HEAD	 511

/* With what the bytes that passed end. */
enum imap_end {
	IMAP_END_NOT,	/* within an answer */
	IMAP_END_ASKED, /* a "+" line: the server waits for more */
	IMAP_END_DONE,	/* a tagged line */
};

/* What an answer may hold, and who is told of its lines. */
struct imap_reply {
	guint64 max_body;   /* largest literal of a body; 0: none may come */
	guint64 max_bodies; /* all of them together */
	guint64 keep;	    /* bodies that are larger are not kept */
	gboolean asks;	    /* a "+" line is an answer, too */
	/* A line that is neither tagged nor a "+", without its end; literals
	 * are {NUMBER}CRLF in it, their bytes in `literals` (GByteArray, NULL:
	 * larger than `keep`; take one by putting NULL there). FALSE: it is
	 * not what it should be. NULL: lines are dropped. */
	gboolean (*line)(const char *line, GPtrArray *literals, void *data);
	void *data;
};

struct imap_guard {
	struct imap_reply reply;
	/* of the answer that is read */
	guint64 lines, bodies;
	/* of the line that is read */
	GString *text;
	GPtrArray *literals;
	char head[IMAP_GUARD_HEAD + 1];
	guint head_len;
	gsize line;
	guint64 recent;	   /* its last 8 bytes, upper case */
	int brace;	   /* how much of {NUMBER}CRLF was seen */
	guint64 announced; /* the NUMBER */
	gboolean body;	   /* ... is that of BODY[] */
	guint64 literal;   /* bytes of it that are still to come */
	/* what a caller may want to know */
	gboolean news; /* EXISTS was said; the caller resets it */
	enum imap_end ended;
	char tag[16]; /* of the last line that is no "*" */
	char *status; /* its text, made printable */
};

void imap_guard_init(struct imap_guard *g);
void imap_guard_clear(struct imap_guard *g);

/* A command goes out, and this is how its answer is taken; NULL: nothing of it
 * is wanted. */
void imap_guard_begin(struct imap_guard *g, const struct imap_reply *reply);

/* How many of the `len` > 0 bytes that come next may pass: up to the end of
 * the answer or of a "+" line, else all. -1: NET_ERROR_CLOSED for BYE, _LIMIT,
 * _REPLY; texts fit behind "HOST:PORT: ". */
gssize imap_guard_pass(struct imap_guard *g, const char *bytes, gsize len,
		       GError **err);

/* What a server wrote, short, one line, control bytes replaced; you own it. */
char *imap_guard_printable(const char *text);

#endif
