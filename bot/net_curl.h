/* net_curl.h - what every use of libcurl has in common
 * Verified TLS, no proxy but the one told, waiting that can be cancelled. */
#ifndef BOT_NET_CURL_H
#define BOT_NET_CURL_H

#include <curl/curl.h>
#include <gio/gio.h>

#define NET_CURL_TIMEOUT 60 /* seconds, where the settings say 0 */

struct net_curl {
	CURL *easy;
	CURLM *multi;
	GCancellable *cancel;
	GPollFD wake; /* of `cancel`; fd -1: none */
	char why[CURL_ERROR_SIZE];
	guint timeout;
};

/* Ready for a URL; `cancel` is referenced. The strings may be NULL. */
void net_curl_init(struct net_curl *c, const char *ca_file, const char *proxy,
		   guint timeout, GCancellable *cancel);
void net_curl_clear(struct net_curl *c);

/* Until the transfer (or CONNECT_ONLY's connection) is done. FALSE: cancelled,
 * or monotonic time `until` is past (0: no limit); else *code has its result. */
gboolean net_curl_perform(struct net_curl *c, gint64 until, CURLcode *code);

/* Say in *err what a code means, of the server `name`. */
void net_curl_fail(struct net_curl *c, const char *name, CURLcode code,
		   GError **err);
/* NET_ERROR_STOPPED if cancelled, else NET_ERROR_TIME. */
void net_curl_fail_wait(struct net_curl *c, const char *name, GError **err);

#endif
