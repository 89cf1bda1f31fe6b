/* imap_priv.h - what the parts of an IMAP session share */
#ifndef BOT_IMAP_PRIV_H
#define BOT_IMAP_PRIV_H

#include "bot/imap_session.h"
#include "bot/imap_stream.h"

struct imap_session {
	imap_stream *stream;
	GHashTable *can; /* capabilities, upper case */
	guint commands;	 /* so many were sent: the last one's tag */
	gboolean guest, idle;
};

/* Send a command; tag and line end are added. */
gboolean imap_send(imap_session *s, const char *command,
		   const struct imap_reply *reply, GError **err);
/* Its answer was read. FALSE: NET_ERROR_REFUSED with what the server said if
 * it said no to `what`, else NET_ERROR_REPLY. */
gboolean imap_is_ok(imap_session *s, const char *what, GError **err);
/* The server said no, or did not understand; it can be asked something else. */
gboolean imap_is_refused(imap_session *s);
/* Send it and read the answer, whose lines go to `reply`, which may be NULL. */
gboolean imap_ask(imap_session *s, const char *command,
		  const struct imap_reply *reply, const char *what,
		  GError **err);

/* As a quoted string. NULL with NET_ERROR_REPLY: there are line ends in it. */
char *imap_quote(const char *text, GError **err);
/* A mailbox's name as IMAP has it, quoted; you own it. NULL with
 * NET_ERROR_REFUSED. */
char *imap_name_encode(const char *utf8, GError **err);

/* "3:7,9" of `n` ascending UIDs; you own it. */
char *imap_set(const guint32 *uids, guint n);

gboolean imap_login(imap_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err);

#endif
