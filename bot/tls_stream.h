/* tls_stream.h - bytes to and from a server, the only way to one that is
 * spoken to line by line (IMAP, NNTP)
 * libcurl connects (proxy, TLS 1.2 or later, chain and host name verified) and
 * moves the bytes; not one byte is ours before that. Every call ends: within
 * the time limit, or when `cancel` is cancelled. A stream belongs to one
 * thread; the cancellable to any. */
#ifndef BOT_TLS_STREAM_H
#define BOT_TLS_STREAM_H

#include <gio/gio.h>

#include "bot/endpoint.h"
#include "bot/net.h"

typedef struct tls_stream tls_stream;

/* Connect to `to`, which need not outlive the call. `cancel` may be NULL; it is
 * referenced. NET_ERROR_CONNECT, _VERIFY, _TIME, _STOPPED. */
tls_stream *tls_stream_open(const struct endpoint *to, GCancellable *cancel,
			    GError **err);
void tls_stream_close(tls_stream *s); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tls_stream, tls_stream_close)

/* A question was asked: from now on its answer must come at NET_MIN_RATE or
 * faster, averaged over each time limit, or reading fails with NET_ERROR_TIME.
 * A server that drips bytes holds nobody for ever. */
void tls_stream_begin(tls_stream *s);

/* At least one byte, at most `len`; waits for it. 0: an orderly end. -1 and
 * NET_ERROR_TIME, _CLOSED, _IO, _STOPPED; the stream is of no use then. */
gssize tls_stream_read(tls_stream *s, void *buf, gsize len, GError **err);

/* All of it. Does not read: whoever sends much while the server answers much
 * must keep what is under way below what sockets hold (16 KiB). */
gboolean tls_stream_write(tls_stream *s, const void *bytes, gsize len,
			  GError **err);

/* Wait for bytes to read, at most `seconds`, also those that are decrypted but
 * not yet read. 1: there are some, or the end; 0: none; -1 and NET_ERROR_IO,
 * _STOPPED. */
int tls_stream_wait(tls_stream *s, guint seconds, GError **err);

/* The socket, for a library that wants one; lent, never to be read. */
int tls_stream_fd(const tls_stream *s);
/* "HOST:PORT", for messages; lent. */
const char *tls_stream_name(const tls_stream *s);

#endif
