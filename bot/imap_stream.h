/* imap_stream.h - a connection to an IMAP server, shared with libetpan
 * bot/tls_stream with bot/imap_guard.h before it; nobody reads beyond the end
 * of an answer. libetpan writes to it, and reads what bot/imap_say.h makes of
 * the lines; nothing that came over the wire reaches it otherwise. */
#ifndef BOT_IMAP_STREAM_H
#define BOT_IMAP_STREAM_H

#include <libetpan/mailstream.h>

#include "bot/imap_guard.h"
#include "bot/imap_say.h"
#include "bot/tls_stream.h"

typedef struct imap_stream imap_stream;

imap_stream *imap_stream_new(tls_stream *take);
void imap_stream_free(imap_stream *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(imap_stream, imap_stream_free)

/* For libetpan, which owns what it gets; closing it leaves `s` open. */
mailstream *imap_stream_driver(imap_stream *s);

/* What went wrong, lent; NULL: nothing did. It is of no use afterwards. */
const GError *imap_stream_error(const imap_stream *s);

/* Lent, to see what was said. */
struct imap_guard *imap_stream_guard(imap_stream *s);
const char *imap_stream_name(const imap_stream *s); /* "HOST:PORT" */
int imap_stream_fd(const imap_stream *s);

/* Before each command, see imap_guard_begin(); its `data` is set here, to what
 * this lends. */
struct imap_said *imap_stream_begin(imap_stream *s,
				    const struct imap_reply *reply);
/* Before the last command: whoever reads its answer is told that none comes. */
void imap_stream_deaf(imap_stream *s);

gboolean imap_stream_send(imap_stream *s, const char *text, GError **err);
/* Read to the end of an answer or a "+" line. */
gboolean imap_stream_answer(imap_stream *s, enum imap_end *end, GError **err);

/* As tls_stream_wait(). */
int imap_stream_wait(imap_stream *s, guint seconds, GError **err);
/* Read what is there, or up to the end of an answer if that is there: `*end`.
 * Waits if nothing is. */
gboolean imap_stream_hear(imap_stream *s, enum imap_end *end, GError **err);

#endif
