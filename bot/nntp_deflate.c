/* nntp_deflate.c - a connection whose bytes are packed */
#include "bot/nntp_deflate.h"

#include <zlib.h>

#define BUFFER (16 * 1024)

struct nntp_deflate {
	tls_stream *tls;
	z_stream in, out;
	guint8 packed[BUFFER]; /* what z->in reads from */
};

nntp_deflate *nntp_deflate_new(tls_stream *tls)
{
	nntp_deflate *z = g_new0(nntp_deflate, 1);

	z->tls = tls;
	if (inflateInit2(&z->in, -MAX_WBITS) != Z_OK ||
	    deflateInit2(&z->out, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS,
			 8, Z_DEFAULT_STRATEGY) != Z_OK)
		g_error("no memory to pack with");
	return z;
}

void nntp_deflate_free(nntp_deflate *z)
{
	if (!z)
		return;
	inflateEnd(&z->in);
	deflateEnd(&z->out);
	g_free(z);
}

gboolean nntp_deflate_write(nntp_deflate *z, const void *bytes, gsize len,
			    GError **err)
{
	guint8 packed[BUFFER];

	z->out.next_in = (guint8 *)bytes;
	z->out.avail_in = (uInt)len;
	do {
		z->out.next_out = packed;
		z->out.avail_out = BUFFER;
		deflate(&z->out, Z_SYNC_FLUSH);
		if (!tls_stream_write(z->tls, packed, BUFFER - z->out.avail_out,
				      err))
			return FALSE;
	} while (z->out.avail_out == 0);
	return TRUE;
}

gssize nntp_deflate_read(nntp_deflate *z, void *buf, gsize len, GError **err)
{
	z->in.next_out = buf;
	z->in.avail_out = (uInt)len;
	for (;;) {
		int rc = inflate(&z->in, Z_SYNC_FLUSH);
		gssize got = (gssize)(len - z->in.avail_out);

		if (got > 0)
			return got;
		if (rc != Z_OK && rc != Z_BUF_ERROR) {
			g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
				    "%s: the server packs in a way that can't "
				    "be unpacked",
				    tls_stream_name(z->tls));
			return -1;
		}
		if (z->in.avail_in > 0)
			continue;
		got = tls_stream_read(z->tls, z->packed, BUFFER, err);
		if (got <= 0)
			return got;
		z->in.next_in = z->packed;
		z->in.avail_in = (uInt)got;
	}
}
