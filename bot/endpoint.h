/* endpoint.h - a server as the settings name it
 * TLS from the first byte unless the settings allow plain text. */
#ifndef BOT_ENDPOINT_H
#define BOT_ENDPOINT_H

#include "mail/auto.h"

struct endpoint {
	char *scheme; /* "imaps", "imap", "nntps", "nntp" */
	char *host;   /* name or address, without the brackets of IPv6 */
	guint port;
	gboolean plain; /* no TLS; allowed as endpoint_parse() tells */
	char *ca_file;	/* NULL: the system's */
	char *proxy;	/* "http://..", "socks5h://.."; NULL: none, whatever the
			 * environment says */
	guint timeout;	/* seconds: to connect, and of silence */
};

/*
 * `text`: "HOST", "HOST:PORT", "[::1]:PORT" or a URL "imaps://HOST:PORT/".
 * `protocol` is "imap" or "nntp"; without a scheme it is the one with TLS, and
 * its usual port (993, 563; 143, 119). The scheme without TLS is an error
 * unless the host is a loopback address or "localhost", or equals
 * `plain_host`. A user, password, path or blank in it is an error. The other
 * fields are left 0. NULL with NET_ERROR_PLAIN or NET_ERROR_REPLY; the texts
 * name the remedy.
 */
struct endpoint *endpoint_parse(const char *text, const char *protocol,
				const char *plain_host, GError **err);
void endpoint_free(struct endpoint *e);
AUTO_STRUCT(endpoint, endpoint_free)

/* "imaps://HOST:PORT": where its mail comes from; you own it. */
char *endpoint_url(const struct endpoint *e);
/* A loopback address, or "localhost". */
gboolean endpoint_is_near(const char *host);

#endif
