/* imap_stream.c - a connection to an IMAP server, shared with libetpan */
#include "bot/imap_stream.h"

#include <string.h>

#define BUFFER (16 * 1024)

struct imap_stream {
	tls_stream *tls;
	struct imap_guard guard;
	GError *error;
	char bytes[BUFFER]; /* read, not yet passed */
	gsize start, end;
	/* what libetpan hears, and how much of it it has heard */
	struct imap_said said;
	gsize heard;
	gboolean over; /* nothing comes after that */
};

imap_stream *imap_stream_new(tls_stream *take)
{
	imap_stream *s = g_new0(imap_stream, 1);

	s->tls = take;
	imap_guard_init(&s->guard);
	s->said.text = g_string_new(NULL);
	return s;
}

void imap_stream_free(imap_stream *s)
{
	if (!s)
		return;
	tls_stream_close(s->tls);
	imap_guard_clear(&s->guard);
	g_clear_error(&s->error);
	g_string_free(s->said.text, TRUE);
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

struct imap_said *imap_stream_begin(imap_stream *s,
				    const struct imap_reply *reply)
{
	GString *text = g_string_truncate(s->said.text, 0);
	struct imap_reply own = {0};

	s->said = (struct imap_said){.text = text};
	s->heard = 0;
	s->over = FALSE;
	if (reply)
		own = *reply;
	own.data = &s->said;
	imap_guard_begin(&s->guard, &own);
	tls_stream_begin(s->tls);
	return &s->said;
}

void imap_stream_deaf(imap_stream *s)
{
	imap_stream_begin(s, NULL);
	s->over = TRUE;
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

/* ---- libetpan's driver */

/* Of a question that was not expected, and of what is no end, nothing is said:
 * libetpan is told that there is no more. */
static void say_end(imap_stream *s)
{
	s->over = TRUE;
	if (s->guard.ended == IMAP_END_DONE)
		imap_say_end(&s->said, s->guard.tag, s->guard.status);
	else if (s->guard.reply.asks)
		g_string_append(s->said.text, "+ go\r\n");
}

/* FALSE: there is no more. */
static gboolean say(imap_stream *s)
{
	g_string_truncate(s->said.text, 0);
	s->heard = 0;
	while (s->said.text->len == 0) {
		if (s->over || !pass(s))
			return FALSE;
		if (s->guard.ended != IMAP_END_NOT)
			say_end(s);
	}
	return TRUE;
}

static ssize_t driver_read(mailstream_low *low, void *buf, size_t len)
{
	imap_stream *s = low->data;
	gsize n;

	if (s->heard == s->said.text->len && !say(s))
		return -1;
	n = MIN(len, s->said.text->len - s->heard);
	memcpy(buf, s->said.text->str + s->heard, n);
	s->heard += n;
	return (ssize_t)n;
}

static ssize_t driver_write(mailstream_low *low, const void *buf, size_t len)
{
	return put(low->data, buf, len) ? (ssize_t)len : -1;
}

static int driver_close(mailstream_low *low)
{
	return 0;
}

static int driver_get_fd(mailstream_low *low)
{
	return imap_stream_fd(low->data);
}

static void driver_free(mailstream_low *low)
{
	free(low);
}

static void driver_cancel(mailstream_low *low)
{
}

mailstream *imap_stream_driver(imap_stream *s)
{
	static mailstream_low_driver driver = {
		.mailstream_read = driver_read,
		.mailstream_write = driver_write,
		.mailstream_close = driver_close,
		.mailstream_get_fd = driver_get_fd,
		.mailstream_free = driver_free,
		.mailstream_cancel = driver_cancel,
	};

	return mailstream_new(mailstream_low_new(s, &driver), BUFFER);
}

/* ---- without libetpan */

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
