/* nntp_deflate.h - COMPRESS DEFLATE (RFC 8054): only for nntp_session.c
 * Between the session and the connection, in both directions; a third of the
 * bytes, which a long line takes a third of the time for. */
#ifndef BOT_NNTP_DEFLATE_H
#define BOT_NNTP_DEFLATE_H

#include "bot/tls_stream.h"

typedef struct nntp_deflate nntp_deflate;

/* `tls` is lent. */
nntp_deflate *nntp_deflate_new(tls_stream *tls);
void nntp_deflate_free(nntp_deflate *z);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(nntp_deflate, nntp_deflate_free)

/* As tls_stream_write() and tls_stream_read(); NET_ERROR_REPLY: what came is
 * not packed in this way. */
gboolean nntp_deflate_write(nntp_deflate *z, const void *bytes, gsize len,
			    GError **err);
gssize nntp_deflate_read(nntp_deflate *z, void *buf, gsize len, GError **err);

#endif
