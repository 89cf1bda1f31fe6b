/* imap_session.h - logged in at an IMAP server, one mailbox open at a time
 * Only what is needed is asked for: no BODYSTRUCTURE, no ENVELOPE, sizes
 * before bodies. Every call ends within the time limit of the connection.
 * After NET_ERROR_REFUSED the session goes on, after any other error it is only
 * good to be closed.
 * Names of mailboxes are UTF-8. */
#ifndef BOT_IMAP_SESSION_H
#define BOT_IMAP_SESSION_H

#include "bot/remote.h"

#define IMAP_MAX_BOXES 100000 /* that a server lists */
#define IMAP_BATCH     50     /* messages whose bodies one answer brings */
#define IMAP_MAX_SIZES 200    /* messages whose sizes one answer brings */

typedef struct imap_session imap_session;

/* Connect, look what the server can do, log in as `r` says: PLAIN, else LOGIN
 * where it is not disabled; XOAUTH2; without a user as a guest of a public
 * archive. No secret is in an error's text. */
imap_session *imap_session_open(const struct remote *r, GCancellable *cancel,
				GError **err);
/* Says goodbye, waits for nothing. NULL is fine. */
void imap_session_close(imap_session *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(imap_session, imap_session_close)

/* "IDLE", "MOVE", as the server announced after the login. */
gboolean imap_session_can(const imap_session *s, const char *word);
/* Nobody has logged in: a public archive. */
gboolean imap_session_is_guest(const imap_session *s);

/* Mailboxes that can be opened and match `pattern` of IMAP's own wildcards,
 * sorted; owns its strings. */
GPtrArray *imap_session_list(imap_session *s, const char *pattern,
			     GError **err);

struct imap_box {
	guint32 validity; /* UIDVALIDITY; 0: the server gave none */
	guint32 exists;	  /* messages */
};
/* Open it, read-only unless `write`. */
gboolean imap_session_select(imap_session *s, const char *name, gboolean write,
			     struct imap_box *box, GError **err);

/* UIDs `from` to `to` (0: the last), ascending; of those that arrived before
 * `since` (0: none) the server leaves out what it can. guint32; you own it. */
GArray *imap_session_search(imap_session *s, guint32 from, guint32 to,
			    gint64 since, GError **err);

struct imap_mail {
	guint32 uid;
	gint64 received;  /* INTERNALDATE; 0: none */
	guint64 size;	  /* as the server says, with CRLF */
	GByteArray *body; /* NULL: none came, or larger than asked for */
	gboolean larger;
};
/* Of the `n` <= IMAP_MAX_SIZES UIDs those that are there; struct imap_mail,
 * ascending, without bodies. */
GArray *imap_session_sizes(imap_session *s, const guint32 *uids, guint n,
			   GError **err);
/* Fill in `body` of `n` <= IMAP_BATCH mails, with line ends LF, as long as it
 * has at most `max` bytes; nothing is marked as seen. Then asks whether the
 * mailbox is still the one that was opened: FALSE if the server hung up or
 * began it anew, and the bodies are of no use. */
gboolean imap_session_bodies(imap_session *s, struct imap_mail *mails, guint n,
			     guint64 max, GError **err);

/* Of a mailbox that was opened to write. Doing it twice does no harm, but for
 * a server without MOVE that was interrupted between copying and deleting:
 * then the copy is there twice. */
gboolean imap_session_mark_seen(imap_session *s, GArray *uids, GError **err);
gboolean imap_session_move(imap_session *s, GArray *uids, const char *to,
			   GError **err);

/* ---- hearing of new mail */

/* Something came since this was asked last, or since the mailbox was opened. */
gboolean imap_session_has_news(imap_session *s);
/* Let the server tell of changes; ends with imap_session_idle_end() before any
 * other command. */
gboolean imap_session_idle_begin(imap_session *s, GError **err);
gboolean imap_session_idle_end(imap_session *s, GError **err);
/* A server may end it, and may refuse it. */
gboolean imap_session_is_idle(const imap_session *s);
/* Take note of what it said so far; never waits for long. */
gboolean imap_session_hear(imap_session *s, GError **err);
/* Readable when imap_session_hear() has something to do; lent. */
int imap_session_fd(const imap_session *s);
/* Ask for news without IDLE. */
gboolean imap_session_noop(imap_session *s, GError **err);

#endif
