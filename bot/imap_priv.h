/* imap_priv.h - what the parts of an IMAP session share */
#ifndef BOT_IMAP_PRIV_H
#define BOT_IMAP_PRIV_H

#include <libetpan/mailimap.h>

#include "bot/imap_session.h"
#include "bot/imap_stream.h"

struct imap_session {
	imap_stream *stream;
	mailimap *etpan;
	GHashTable *can; /* capabilities, upper case */
	guint commands;	 /* sent without libetpan */
	gboolean guest, idle;
	GPtrArray *bodies; /* that a FETCH brings at the moment */
	guint64 max_body;
};

/* libetpan's result `rc`. FALSE: the error of the connection; NET_ERROR_REFUSED
 * with what the server said if it said no to `what`; else NET_ERROR_REPLY. */
gboolean imap_check(imap_session *s, int rc, const char *what, GError **err);

/* The server said no, or did not understand; it can be asked something else. */
gboolean imap_is_refused(imap_session *s);

/* Send a command that needs no parser; its tag and line end are added. */
gboolean imap_send(imap_session *s, const char *command, GError **err);
/* Its answer was read: FALSE as imap_check(). */
gboolean imap_is_ok(imap_session *s, const char *what, GError **err);
/* Both, for a command that the server asks nothing back of. */
gboolean imap_command(imap_session *s, const char *command, const char *what,
		      GError **err);

/* As a quoted string. NULL with NET_ERROR_REPLY: there are line ends in it. */
char *imap_quote(const char *text, GError **err);
/* A mailbox's name as IMAP has it, and back; you own it. */
char *imap_name_encode(const char *utf8, GError **err);
char *imap_name_decode(const char *name);

/* Bodies are kept apart from what libetpan makes of an answer. */
void imap_fetch_prepare(imap_session *s);
void imap_fetch_clear(imap_session *s);

gboolean imap_login(imap_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err);

#endif
