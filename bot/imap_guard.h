/* imap_guard.h - what an IMAP server says, looked at before libetpan sees it
 * libetpan's parser recurses on parentheses, allocates what is announced, wraps
 * numbers beyond 32 bits and mistakes BYE for the end of a command. Bytes pass
 * here first, unchanged; what could harm it does not pass. */
#ifndef BOT_IMAP_GUARD_H
#define BOT_IMAP_GUARD_H

#include <glib.h>

#include "bot/net.h"

#define IMAP_MAX_LINE	 (64 * 1024) /* outside literals; of SEARCH none */
#define IMAP_MAX_DEPTH	 16	     /* of parentheses */
#define IMAP_MAX_LITERAL 4096	     /* that is no body: a mailbox's name */
#define IMAP_MAX_ANSWER	 (16 * 1024 * 1024) /* of lines; 2 million UIDs */
#define IMAP_GUARD_HEAD	 511

/* With what the bytes that passed end. */
enum imap_end {
	IMAP_END_NOT,	/* within an answer */
	IMAP_END_ASKED, /* a "+" line: the server waits for more */
	IMAP_END_DONE,	/* a tagged line */
};

struct imap_guard {
	guint64 max_body;   /* largest literal of a body */
	guint64 max_bodies; /* all of them in one answer */
	/* of the answer that is read */
	guint64 lines, bodies;
	/* of the line that is read */
	char head[IMAP_GUARD_HEAD + 1];
	guint head_len;
	gsize line;
	guint depth;
	guint64 recent; /* its last 8 bytes, upper case */
	guint64 number;
	gboolean counting;
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

/* A command goes out: its answer may hold bodies of `max_body` bytes each and
 * of `max_bodies` together; 0: none. */
void imap_guard_begin(struct imap_guard *g, guint64 max_body,
		      guint64 max_bodies);

/* How many of the `len` > 0 bytes that come next may pass: up to the end of
 * the answer or of a "+" line, else all. -1: NET_ERROR_CLOSED for BYE, _LIMIT, _REPLY;
 * texts fit behind "HOST:PORT: ". */
gssize imap_guard_pass(struct imap_guard *g, const char *bytes, gsize len,
		       GError **err);

/* What a server wrote, short, one line, control bytes replaced; you own it. */
char *imap_guard_printable(const char *text);

#endif
