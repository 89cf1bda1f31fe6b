/* imap_say.h - what an IMAP server said, said again for libetpan
 * libetpan follows NULL pointers, recurses, allocates what is announced and
 * wraps numbers; so it hears nothing that a server wrote but names, words,
 * numbers and bodies, each checked and put into a line of our making. What is
 * not asked for is left out. Each function is an imap_reply.line whose data is
 * a struct imap_said. */
#ifndef BOT_IMAP_SAY_H
#define BOT_IMAP_SAY_H

#include <glib.h>

#define IMAP_MAX_FOUND 2000000 /* UIDs of one SEARCH */

struct imap_said {
	int tag;       /* of the command; 0: none was sent */
	GString *text; /* not yet heard by libetpan */
	guint lines;   /* of the answer that is read */
	guint found;   /* UIDs or words in them */
	/* whose FETCH is wanted, ascending, lent; with a body, or a size */
	const guint32 *uids;
	guint n;
	gboolean bodies;
};

/* OK, PREAUTH or, whatever else it is, NO. */
gboolean imap_say_greeting(const char *line, GPtrArray *literals, void *data);
gboolean imap_say_capability(const char *line, GPtrArray *literals, void *data);
/* Mailboxes that can be opened, names without control characters. */
gboolean imap_say_list(const char *line, GPtrArray *literals, void *data);
/* EXISTS and UIDVALIDITY. */
gboolean imap_say_box(const char *line, GPtrArray *literals, void *data);
gboolean imap_say_search(const char *line, GPtrArray *literals, void *data);
/* UID, and RFC822.SIZE with INTERNALDATE in UTC, or else BODY[]; of a body that
 * was not kept RFC822.SIZE, which nobody asked for with a body. */
gboolean imap_say_fetch(const char *line, GPtrArray *literals, void *data);

/* The end of an answer: "TAG OK", NO, BAD. Nothing is said if it is something
 * else, or that of another command. */
void imap_say_end(struct imap_said *to, const char *tag, const char *status);

#endif
