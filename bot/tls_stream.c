/* tls_stream.c - bytes to and from a server, the only way to one that is
 * spoken to line by line */
#include "bot/tls_stream.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "bot/net_curl.h"

#define AHEAD 16384 /* what tls_stream_wait() may read before it is wanted */

struct tls_stream {
	struct net_curl curl;
	char *name;
	int fd;
	char ahead[AHEAD];
	gsize ahead_at, ahead_end;
	gboolean ended; /* an orderly end was seen */
	/* The clock of an answer: only time spent waiting for it counts. */
	gboolean timed;
	gint64 waited; /* microseconds */
	gint64 got;    /* bytes */
};

/* ---- connecting */

static char *name_of(const struct endpoint *to)
{
	return g_strdup_printf(strchr(to->host, ':') ? "[%s]:%u" : "%s:%u",
			       to->host, to->port);
}

static gint64 limit_of(const tls_stream *s)
{
	return (gint64)s->curl.timeout * G_TIME_SPAN_SECOND;
}

static gboolean connect_to(tls_stream *s, gboolean plain, GError **err)
{
	g_autofree char *url =
		g_strdup_printf("%s://%s/", plain ? "http" : "https", s->name);
	CURL *easy = s->curl.easy;
	curl_socket_t fd = CURL_SOCKET_BAD;
	CURLcode code;

	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
	curl_easy_setopt(easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
	/* Nobody here speaks what curl would offer. */
	curl_easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
	if (!net_curl_perform(&s->curl, g_get_monotonic_time() + limit_of(s),
			      &code)) {
		net_curl_fail_wait(&s->curl, s->name, err);
		return FALSE;
	}
	if (code == CURLE_OK)
		code = curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &fd);
	if (code == CURLE_OK && fd == CURL_SOCKET_BAD)
		code = CURLE_COULDNT_CONNECT;
	if (code != CURLE_OK)
		net_curl_fail(&s->curl, s->name, code, err);
	s->fd = fd;
	return code == CURLE_OK;
}

tls_stream *tls_stream_open(const struct endpoint *to, GCancellable *cancel,
			    GError **err)
{
	tls_stream *s = g_new0(tls_stream, 1);

	s->name = name_of(to);
	net_curl_init(&s->curl, to->ca_file, to->proxy, to->timeout, cancel);
	if (connect_to(s, to->plain, err))
		return s;
	tls_stream_close(s);
	return NULL;
}

void tls_stream_close(tls_stream *s)
{
	if (!s)
		return;
	net_curl_clear(&s->curl);
	g_free(s->name);
	g_free(s);
}

int tls_stream_fd(const tls_stream *s)
{
	return s->fd;
}

const char *tls_stream_name(const tls_stream *s)
{
	return s->name;
}

/* ---- waiting */

static gboolean stopped(tls_stream *s, GError **err)
{
	if (!g_cancellable_is_cancelled(s->curl.cancel))
		return FALSE;
	net_curl_fail_wait(&s->curl, s->name, err);
	return TRUE;
}

/* Wait for the socket, at most `span` microseconds. 1: it is ready; 0: the
 * time is over; -1: cancelled, or failed. */
static int wait_for(tls_stream *s, short events, gint64 span, GError **err)
{
	gint64 until = g_get_monotonic_time() + span;
	struct pollfd fds[2] = {{s->fd, events, 0},
				{s->curl.wake.fd, POLLIN, 0}};
	gint64 left;
	int n;

	for (;;) {
		if (stopped(s, err))
			return -1;
		left = MAX(until - g_get_monotonic_time(), 0);
		/* 1 s at a time, should there be no descriptor to wake us */
		n = poll(fds, 2, (int)MIN((left + 999) / 1000, 1000));
		if (n > 0 && fds[0].revents)
			return 1;
		if (n < 0 && errno != EINTR) {
			g_set_error(err, NET_ERROR, NET_ERROR_IO, "%s: %s",
				    s->name, g_strerror(errno));
			return -1;
		}
		if (left == 0)
			return 0;
	}
}

static void too_late(tls_stream *s, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_TIME, "%s: silent for %u seconds",
		    s->name, s->curl.timeout);
}

void tls_stream_begin(tls_stream *s)
{
	s->timed = TRUE;
	s->waited = 0;
	s->got = 0;
}

/* A full time limit was waited: was it worth it? */
static gboolean is_fast_enough(tls_stream *s, GError **err)
{
	if (!s->timed || s->waited < limit_of(s))
		return TRUE;
	if (s->got * G_TIME_SPAN_SECOND < s->waited * NET_MIN_RATE) {
		g_set_error(err, NET_ERROR, NET_ERROR_TIME,
			    "%s: slower than %d bytes a second", s->name,
			    NET_MIN_RATE);
		return FALSE;
	}
	tls_stream_begin(s);
	return TRUE;
}

/* ---- reading */

/* What is there now. -2: nothing yet; -1: failed; 0: the end. */
static gssize receive(tls_stream *s, void *buf, gsize len, GError **err)
{
	size_t n = 0;
	CURLcode code;

	if (s->ended)
		return 0;
	*s->curl.why = '\0';
	code = curl_easy_recv(s->curl.easy, buf, len, &n);
	if (code == CURLE_AGAIN)
		return -2;
	if (code != CURLE_OK) {
		net_curl_fail(&s->curl, s->name, code, err);
		return -1;
	}
	s->ended = n == 0;
	s->got += (gint64)n;
	return (gssize)n;
}

static gsize take_ahead(tls_stream *s, void *buf, gsize len)
{
	gsize n = MIN(len, s->ahead_end - s->ahead_at);

	memcpy(buf, s->ahead + s->ahead_at, n);
	s->ahead_at += n;
	return n;
}

gssize tls_stream_read(tls_stream *s, void *buf, gsize len, GError **err)
{
	gssize n = (gssize)take_ahead(s, buf, len);
	gint64 spent, left = limit_of(s);
	int ready;

	if (n > 0)
		return n;
	while ((n = receive(s, buf, len, err)) == -2) {
		spent = g_get_monotonic_time();
		ready = wait_for(s, POLLIN, MAX(left, 0), err);
		spent = g_get_monotonic_time() - spent;
		left -= spent;
		s->waited += spent;
		if (ready == 0)
			too_late(s, err);
		if (ready <= 0)
			return -1;
		if (!is_fast_enough(s, err))
			return -1;
	}
	if (n > 0 && stopped(s, err))
		return -1;
	return n;
}

int tls_stream_wait(tls_stream *s, guint seconds, GError **err)
{
	gint64 until =
		g_get_monotonic_time() + (gint64)seconds * G_TIME_SPAN_SECOND;
	gint64 left;
	gssize n;
	int ready;

	if (s->ahead_at < s->ahead_end)
		return 1;
	/* Not the socket alone: bytes may wait within the TLS layer. And what
	 * wakes the socket may be of that layer only. */
	while ((n = receive(s, s->ahead, AHEAD, err)) == -2) {
		left = until - g_get_monotonic_time();
		ready = wait_for(s, POLLIN, MAX(left, 0), err);
		if (ready <= 0)
			return ready;
	}
	s->ahead_at = 0;
	s->ahead_end = (gsize)MAX(n, 0);
	return n < 0 ? -1 : 1;
}

/* ---- writing */

gboolean tls_stream_write(tls_stream *s, const void *bytes, gsize len,
			  GError **err)
{
	gint64 budget =
		limit_of(s) + (gint64)(len / NET_MIN_RATE) * G_TIME_SPAN_SECOND;
	gint64 until = g_get_monotonic_time() + budget;
	const char *p = bytes;
	CURLcode code;
	size_t n;
	int ready;

	while (len) {
		if (stopped(s, err))
			return FALSE;
		n = 0;
		*s->curl.why = '\0';
		code = curl_easy_send(s->curl.easy, p, len, &n);
		p += n;
		len -= n;
		if (code == CURLE_OK)
			continue;
		if (code != CURLE_AGAIN) {
			net_curl_fail(&s->curl, s->name, code, err);
			return FALSE;
		}
		ready = wait_for(s, POLLOUT,
				 MIN(limit_of(s),
				     MAX(until - g_get_monotonic_time(), 0)),
				 err);
		if (ready == 0)
			too_late(s, err);
		if (ready <= 0)
			return FALSE;
	}
	return TRUE;
}
