/* http_get.h - a document of a web server, with bounds
 * libcurl; https verified as in tls_stream.h, http only to loopback or where
 * the settings say so. */
#ifndef BOT_HTTP_GET_H
#define BOT_HTTP_GET_H

#include <gio/gio.h>

#include "bot/net.h"

struct http_ask {
	const char *url;
	const char *body;	/* POST this form; NULL: GET */
	const char *etag;	/* If-None-Match; NULL: unconditional */
	const char *modified;	/* If-Modified-Since, as the server gave it */
	const char *ca_file;	/* NULL: the system's */
	const char *proxy;	/* NULL: none */
	const char *plain_host; /* may be spoken to without TLS */
	guint timeout;		/* seconds to connect, and of silence */
	guint64 max_bytes;	/* of the answer as sent and once unpacked */
	GCancellable *cancel;
	/* Bytes as they come, content encodings undone; FALSE stops with *err
	 * set. NULL: they are gathered in http_answer.body. */
	gboolean (*chunk)(const void *bytes, gsize len, void *data,
			  GError **err);
	void *data;
};

struct http_answer {
	guint status;	  /* 200, 304, 404 ... after at most 5 redirections,
			   * none from https to http */
	char *etag;	  /* NULL: none */
	char *modified;	  /* Last-Modified */
	char *type;	  /* "text/html", lower case, without parameters */
	gint64 wait;	  /* seconds of Retry-After, 0: none */
	GByteArray *body; /* NULL where chunk took it */
};
void http_answer_clear(struct http_answer *a);

/* FALSE: there was no whole answer (NET_ERROR_*, or of `chunk`). A status that
 * is no success is an answer; its body is not given to `chunk`. */
gboolean http_get(const struct http_ask *ask, struct http_answer *a,
		  GError **err);

#endif
