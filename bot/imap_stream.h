/* imap_stream.h - a connection to an IMAP server, shared with libetpan
 * libetpan reads and writes through a driver over bot/tls_stream; commands
 * whose answer holds nothing to parse are spoken here. Bytes are guarded
 * either way (bot/imap_guard.h), and nobody reads beyond the end of an answer,
 * so both can take turns. */
#ifndef BOT_IMAP_STREAM_H
#define BOT_IMAP_STREAM_H

#include <libetpan/mailstream.h>

#include "bot/imap_guard.h"
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

/* Before each command, see imap_guard_begin(). */
void imap_stream_begin(imap_stream *s, guint64 max_body, guint64 max_bodies);

gboolean imap_stream_send(imap_stream *s, const char *text, GError **err);
/* Read to the end of an answer or a "+" line; what else is said is dropped. */
gboolean imap_stream_answer(imap_stream *s, enum imap_end *end, GError **err);

/* As tls_stream_wait(). */
int imap_stream_wait(imap_stream *s, guint seconds, GError **err);
/* Read and drop what is there, or up to the end of an answer if that is there:
 * `*end`. Only after imap_stream_wait() gave 1. */
gboolean imap_stream_hear(imap_stream *s, enum imap_end *end, GError **err);

#endif
