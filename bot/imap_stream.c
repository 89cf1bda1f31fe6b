/* imap_stream.c - a connection to an IMAP server */
#include "bot/imap_stream.h"

#include <string.h>

#define BUFFER (16 * 1024)

struct imap_stream {
	tls_stream *tls;
	struct imap_guard guard;
	GError *error;
	char bytes[BUFFER]; /* read, not yet passed */
	gsize start, end;
};

imap_stream *imap_stream_new(tls_stream *take)
{
	imap_stream *s = g_new0(imap_stream, 1);

	s->tls = take;
	imap_guard_init(&s->guard);
	return s;
}

void imap_stream_free(imap_stream *s)
{
	if (!s)
		return;
	tls_stream_close(s->tls);
	imap_guard_clear(&s->guard);
	g_clear_error(&s->error);
	g_free(s);
}

const GError *imap_stream_error(const imap_stream *s)
{
	return s->error;
}

struct imap_guard *imap_stream_guard(imap_stream *s)
{
	return &s->guard;
}

const char *imap_stream_name(const imap_stream *s)
{
	return tls_stream_name(s->tls);
}

int imap_stream_fd(const imap_stream *s)
{
	return tls_stream_fd(s->tls);
}

void imap_stream_begin(imap_stream *s, const struct imap_reply *reply)
{
	imap_guard_begin(&s->guard, reply);
	tls_stream_begin(s->tls);
}

/* ---- bytes */

static gboolean fill(imap_stream *s)
{
	gssize n;

	if (s->error)
		return FALSE;
	n = tls_stream_read(s->tls, s->bytes, BUFFER, &s->error);
	if (n == 0)
		g_set_error(&s->error, NET_ERROR, NET_ERROR_CLOSED,
			    "%s: the server hung up", imap_stream_name(s));
	if (n <= 0)
		return FALSE;
	s->start = 0;
	s->end = (gsize)n;
	return TRUE;
}

/* At least one byte more; FALSE: s->error. */
static gboolean pass(imap_stream *s)
{
	gssize n;

	if (s->start == s->end && !fill(s))
		return FALSE;
	n = imap_guard_pass(&s->guard, s->bytes + s->start, s->end - s->start,
			    &s->error);
	if (n < 0) {
		g_prefix_error(&s->error, "%s: ", imap_stream_name(s));
		return FALSE;
	}
	s->start += (gsize)n;
	return TRUE;
}

static gboolean put(imap_stream *s, const void *bytes, gsize len)
{
	return !s->error && tls_stream_write(s->tls, bytes, len, &s->error);
}

static gboolean report(const imap_stream *s, GError **err)
{
	if (s->error && err)
		*err = g_error_copy(s->error);
	return !s->error;
}

gboolean imap_stream_send(imap_stream *s, const char *text, GError **err)
{
	put(s, text, strlen(text));
	return report(s, err);
}

gboolean imap_stream_answer(imap_stream *s, enum imap_end *end, GError **err)
{
	do {
		if (!pass(s))
			return report(s, err);
	} while (s->guard.ended == IMAP_END_NOT);
	*end = s->guard.ended;
	return TRUE;
}

int imap_stream_wait(imap_stream *s, guint seconds, GError **err)
{
	int n = 1;

	if (!s->error && s->start == s->end)
		n = tls_stream_wait(s->tls, seconds, &s->error);
	return report(s, err) ? n : -1;
}

gboolean imap_stream_hear(imap_stream *s, enum imap_end *end, GError **err)
{
	if (!pass(s))
		return report(s, err);
	*end = s->guard.ended;
	return TRUE;
}
