/* nntp_session.h - one connection to a news server
 * Sends commands and reads what comes back, in order; docs/sources.md. Knows
 * no groups and no positions. After any error it is of no use but to be
 * closed: what the server says next would be the answer to something else. */
#ifndef BOT_NNTP_SESSION_H
#define BOT_NNTP_SESSION_H

#include <gio/gio.h>

#include "bot/remote.h"

#define NNTP_MAX_SENT 8192 /* bytes of commands that wait for answers */

typedef struct nntp_session nntp_session;

/* Connect, greet, log in if `r` has a user, until the server would answer
 * GROUP. NET_ERROR. `r` must outlive it. */
nntp_session *nntp_session_open(const struct remote *r, GCancellable *cancel,
				GError **err);
/* Say QUIT, with nothing under way; does not wait for the answer. */
void nntp_session_quit(nntp_session *s);
/* NULL is fine. */
void nntp_session_close(nntp_session *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(nntp_session, nntp_session_close)

/* "HOST:PORT"; lent. */
const char *nntp_session_name(const nntp_session *s);

/* Whole command lines with their CRLF; what came from elsewhere in them is
 * nntp_is_name(). */
gboolean nntp_session_send(nntp_session *s, const char *commands, gsize len,
			   GError **err);

/* The status line of the next answer; `*text` is lent until the next call.
 * NET_ERROR_REPLY: it is none. */
gboolean nntp_session_reply(nntp_session *s, guint *code, const char **text,
			    GError **err);

/* Append to `out` some more of the block that the answer has, at least one
 * byte unless it is at its `*end`; see nntp_block_take(). */
gboolean nntp_session_block(nntp_session *s, GString *out, gboolean *end,
			    GError **err);

/* A line of a block, without its end; cut at NNTP_MAX_LINE. FALSE stops. */
typedef gboolean (*nntp_line_fn)(const char *line, gsize len, void *data,
				 GError **err);
/* The whole block by lines, at most `max` of them (NET_ERROR_LIMIT). */
gboolean nntp_session_lines(nntp_session *s, guint max, nntp_line_fn fn,
			    void *data, GError **err);

/* Sets *err to what `code` and `text` say about `what` ("GROUP x"): by its
 * code NET_ERROR_REFUSED (411, 480, 481, 502 ...), NET_ERROR_CLOSED (400) or
 * NET_ERROR_REPLY. Always FALSE. */
gboolean nntp_session_refused(const nntp_session *s, const char *what,
			      guint code, const char *text, GError **err);

#endif
