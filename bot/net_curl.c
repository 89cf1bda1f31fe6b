/* net_curl.c - what every use of libcurl has in common */
#include "bot/net_curl.h"

#include <string.h>

#include "bot/net.h"

#define STEP_MS 1000 /* curl's own timers are looked at so often at least */

static void set_proxy(CURL *easy, const char *proxy, const char *ca_file)
{
	/* "" and not NULL: curl shall not look into the environment. */
	curl_easy_setopt(easy, CURLOPT_PROXY, proxy ? proxy : "");
	curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSLVERSION,
			 (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYHOST, 2L);
	if (ca_file)
		curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, ca_file);
}

static void set_tls(CURL *easy, const char *ca_file)
{
	curl_easy_setopt(easy, CURLOPT_SSLVERSION,
			 (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	if (!ca_file)
		return;
	/* This file alone: nobody else vouches for the server. */
	curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file);
	curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
}

void net_curl_init(struct net_curl *c, const char *ca_file, const char *proxy,
		   guint timeout, GCancellable *cancel)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		curl_global_init(CURL_GLOBAL_DEFAULT);
		g_once_init_leave(&once, 1);
	}
	memset(c, 0, sizeof(*c));
	c->easy = curl_easy_init();
	c->multi = curl_multi_init();
	g_assert(c->easy && c->multi);
	c->timeout = timeout ? timeout : NET_CURL_TIMEOUT;
	c->cancel = cancel ? g_object_ref(cancel) : NULL;
	c->wake.fd = -1;
	if (!g_cancellable_make_pollfd(cancel, &c->wake))
		c->wake.fd = -1;
	curl_easy_setopt(c->easy, CURLOPT_ERRORBUFFER, c->why);
	curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
	/* A name that takes long to resolve shall not hold who cancels. */
	curl_easy_setopt(c->easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(c->easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(c->easy, CURLOPT_CONNECTTIMEOUT, (long)c->timeout);
	set_tls(c->easy, ca_file);
	set_proxy(c->easy, proxy, ca_file);
}

void net_curl_clear(struct net_curl *c)
{
	if (!c->easy)
		return;
	curl_multi_remove_handle(c->multi, c->easy);
	curl_easy_cleanup(c->easy);
	curl_multi_cleanup(c->multi);
	if (c->wake.fd >= 0)
		g_cancellable_release_fd(c->cancel);
	g_clear_object(&c->cancel);
	c->easy = NULL;
}

/* TRUE if it is done; its result. */
static gboolean take_result(CURLM *multi, CURLcode *code)
{
	int left;
	CURLMsg *m = curl_multi_info_read(multi, &left);

	if (!m || m->msg != CURLMSG_DONE)
		return FALSE;
	*code = m->data.result;
	return TRUE;
}

gboolean net_curl_perform(struct net_curl *c, gint64 until, CURLcode *code)
{
	struct curl_waitfd wake = {c->wake.fd, CURL_WAIT_POLLIN, 0};
	guint extra = c->wake.fd >= 0 ? 1 : 0;
	int running;
	gint64 left;

	*code = CURLE_OK;
	curl_multi_add_handle(c->multi, c->easy);
	for (;;) {
		if (g_cancellable_is_cancelled(c->cancel))
			return FALSE;
		if (curl_multi_perform(c->multi, &running) != CURLM_OK) {
			*code = CURLE_OUT_OF_MEMORY;
			return TRUE;
		}
		if (take_result(c->multi, code))
			return TRUE;
		left = until ? (until - g_get_monotonic_time()) / 1000
			     : STEP_MS;
		if (left <= 0)
			return FALSE;
		curl_multi_poll(c->multi, &wake, extra, (int)MIN(left, STEP_MS),
				NULL);
	}
}

/* ---- what went wrong */

/* What the libraries of TLS say to a greeting in plain text. */
static gboolean is_no_tls(const char *words)
{
	return strstr(words, "unexpected TLS packet") ||
	       strstr(words, "wrong version number");
}

/* The handshake failed: over the certificate or the version of TLS, which stay
 * as they are, or because the server went away in it, which passes. */
static gboolean is_refusal(const char *words)
{
	static const char *const lasting[] = {
		"alert",
		"version",
		"protocol",
		"ertificate",
	};

	for (guint i = 0; i < G_N_ELEMENTS(lasting); i++)
		if (strstr(words, lasting[i]))
			return TRUE;
	return FALSE;
}

static enum net_error meaning(CURLcode code, const char *words)
{
	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return NET_ERROR_VERIFY;
	case CURLE_SSL_CONNECT_ERROR:
		if (is_no_tls(words))
			return NET_ERROR_REPLY;
		return is_refusal(words) ? NET_ERROR_VERIFY : NET_ERROR_CONNECT;
	case CURLE_OPERATION_TIMEDOUT:
		return NET_ERROR_TIME;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_PROXY:
		return NET_ERROR_CONNECT;
	case CURLE_RECV_ERROR:
		return g_str_has_prefix(words, "CONNECT tunnel failed")
			       ? NET_ERROR_CONNECT
			       : NET_ERROR_CLOSED;
	case CURLE_UNSUPPORTED_PROTOCOL: /* no HTTP at all */
	case CURLE_WEIRD_SERVER_REPLY:
		return NET_ERROR_REPLY;
	case CURLE_OUT_OF_MEMORY: /* of one line; ours has no end but abort() */
		return NET_ERROR_LIMIT;
	case CURLE_SEND_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
		return NET_ERROR_CLOSED;
	default:
		return NET_ERROR_IO;
	}
}

void net_curl_fail(struct net_curl *c, const char *name, CURLcode code,
		   GError **err)
{
	const char *words = *c->why ? c->why : curl_easy_strerror(code);
	enum net_error what = meaning(code, words);

	if (code == CURLE_SSL_CONNECT_ERROR && what == NET_ERROR_REPLY)
		g_set_error(err, NET_ERROR, (int)what,
			    "%s: no TLS is spoken there from the first byte "
			    "on: %s",
			    name, words);
	else if (code == CURLE_SSL_CACERT_BADFILE)
		g_set_error(err, NET_ERROR, (int)what,
			    "%s: ca-file can't be read, or has no "
			    "certificates: %s",
			    name, words);
	else if (what == NET_ERROR_LIMIT)
		g_set_error(err, NET_ERROR, (int)what,
			    "%s: sends a line that is longer than is taken",
			    name);
	else if (what == NET_ERROR_VERIFY)
		g_set_error(err, NET_ERROR, (int)what,
			    "%s: its identity can't be verified: %s", name,
			    words);
	else
		g_set_error(err, NET_ERROR, (int)what, "%s: %s", name, words);
}

void net_curl_fail_wait(struct net_curl *c, const char *name, GError **err)
{
	if (g_cancellable_is_cancelled(c->cancel))
		g_set_error(err, NET_ERROR, NET_ERROR_STOPPED,
			    "%s: interrupted", name);
	else
		g_set_error(err, NET_ERROR, NET_ERROR_TIME,
			    "%s: no answer within %u seconds", name,
			    c->timeout);
}
