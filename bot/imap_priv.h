/* imap_priv.h - what the parts of an IMAP session share */
#ifndef BOT_IMAP_PRIV_H
#define BOT_IMAP_PRIV_H

#include <libetpan/libetpan.h>

#include "bot/imap_session.h"
#include "bot/imap_stream.h"

struct imap_session {
	imap_stream *stream;
	mailimap *etpan;
	GHashTable *can; /* capabilities, upper case */
	gboolean guest, idle;
};

/* Before each command that libetpan sends, as imap_stream_begin(). */
struct imap_said *imap_begin(imap_session *s, const struct imap_reply *reply);

/* libetpan's result `rc` of `what`. FALSE: the error of the connection;
 * NET_ERROR_REFUSED with what the server said if it said no; else
 * NET_ERROR_REPLY. */
gboolean imap_check(imap_session *s, int rc, const char *what, GError **err);
/* The server said no, or did not understand; it can be asked something else. */
gboolean imap_is_refused(imap_session *s);

/* Text that goes to the server has no line ends, or it would be a command of
 * its own. FALSE with NET_ERROR_REPLY. */
gboolean imap_can_send(const char *text, GError **err);
/* A mailbox's name as IMAP has it; you own it. NULL with NET_ERROR_REFUSED. */
char *imap_name_encode(const char *utf8, GError **err);

/* Of `n` ascending UIDs; mailimap_set_free(). */
struct mailimap_set *imap_set(const guint32 *uids, guint n);

gboolean imap_login(imap_session *s, const struct remote *r,
		    GCancellable *cancel, GError **err);

#endif
