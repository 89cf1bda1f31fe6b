/* http_get.c - a document of a web server, with bounds
 * Redirections are followed here and not by libcurl, so that each of them is
 * looked at first. */
#include "bot/http_get.h"

#include <string.h>

#include "bot/endpoint.h"
#include "bot/net_curl.h"

#define MAX_REDIRECTIONS 5
#define MAX_HEADER	 (256 * 1024) /* bytes of all fields of an answer */
#define MAX_WAIT	 86400	      /* seconds of Retry-After */

struct transfer {
	const struct http_ask *ask;
	struct http_answer *answer;
	struct net_curl curl;
	char *url;    /* now */
	char *name;   /* of it, for messages: without the query */
	gboolean get; /* the form was posted before a redirection */
	struct curl_slist *fields;
	gsize header_bytes;
	gboolean header_ended; /* libcurl takes one that was cut for whole */
	guint64 body_bytes;
	GError *why; /* of our own, which ended the transfer */
};

void http_answer_clear(struct http_answer *a)
{
	g_clear_pointer(&a->etag, g_free);
	g_clear_pointer(&a->modified, g_free);
	g_clear_pointer(&a->type, g_free);
	g_clear_pointer(&a->body, g_byte_array_unref);
	a->status = 0;
	a->wait = 0;
}

/* ---- where to */

static gboolean check_url(const struct http_ask *ask, const char *url,
			  GError **err)
{
	g_autoptr(GUri) uri = g_uri_parse(url, G_URI_FLAGS_ENCODED, NULL);
	const char *host = uri ? g_uri_get_host(uri) : NULL;
	const char *scheme = uri ? g_uri_get_scheme(uri) : "";
	gboolean plain = g_str_equal(scheme, "http");

	if (!host || !*host || g_uri_get_userinfo(uri) ||
	    (!plain && !g_str_equal(scheme, "https"))) {
		g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
			    "\"%s\" is no address of the web, or has a user "
			    "in it",
			    url);
		return FALSE;
	}
	if (!plain || endpoint_is_near(host) ||
	    (ask->plain_host && g_ascii_strcasecmp(ask->plain_host, host) == 0))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_PLAIN,
		    "%s: without TLS anybody on the way could change it; use "
		    "https://, or set plain-host=%s",
		    url, host);
	return FALSE;
}

static void set_url(struct transfer *t, const char *url)
{
	char *copy = g_strdup(url);

	g_free(t->url);
	g_free(t->name);
	t->url = copy;
	t->name = g_strndup(copy, strcspn(copy, "?#"));
}

/* ---- what comes */

static gboolean too_large(struct transfer *t)
{
	if (!t->why)
		t->why =
			g_error_new(NET_ERROR, NET_ERROR_LIMIT,
				    "%s: more than %" G_GUINT64_FORMAT " bytes",
				    t->name, t->ask->max_bytes);
	return FALSE;
}

static long status_of(struct transfer *t)
{
	long status = 0;

	curl_easy_getinfo(t->curl.easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

static gboolean take(struct transfer *t, const char *bytes, gsize len)
{
	const struct http_ask *ask = t->ask;

	t->body_bytes += len;
	if (t->body_bytes > ask->max_bytes)
		return too_large(t);
	if (status_of(t) / 100 != 2)
		return TRUE;
	if (ask->chunk)
		return ask->chunk(bytes, len, ask->data, &t->why);
	g_byte_array_append(t->answer->body, (const guint8 *)bytes, (guint)len);
	return TRUE;
}

static size_t on_body(char *bytes, size_t one, size_t len, void *data)
{
	return take(data, bytes, len) ? len : 0;
}

/* What is packed may be large, and next to nothing once unpacked. */
static int on_progress(void *data, curl_off_t all, curl_off_t now,
		       curl_off_t up_all, curl_off_t up_now)
{
	struct transfer *t = data;

	return (guint64)MAX(now, 0) > t->ask->max_bytes && !too_large(t);
}

/* The value of a field, NULL if the line is another one. You own it. */
static char *field_value(const char *line, gsize len, const char *name)
{
	gsize n = strlen(name);

	if (len <= n || g_ascii_strncasecmp(line, name, n) || line[n] != ':')
		return NULL;
	return g_strstrip(g_strndup(line + n + 1, len - n - 1));
}

static void take_field(char **to, const char *line, gsize len, const char *name)
{
	char *value = field_value(line, len, name);

	if (!value)
		return;
	g_free(*to);
	*to = value;
}

static size_t on_field(char *line, size_t one, size_t len, void *data)
{
	struct transfer *t = data;
	struct http_answer *a = t->answer;

	t->header_bytes += len;
	if (t->header_bytes > MAX_HEADER) {
		t->why = g_error_new(NET_ERROR, NET_ERROR_LIMIT,
				     "%s: its header is larger than %d bytes",
				     t->name, MAX_HEADER);
		return 0;
	}
	if (len > 5 && memcmp(line, "HTTP/", 5) == 0)
		t->header_ended = FALSE;
	if (*line == '\r' || *line == '\n')
		t->header_ended = TRUE;
	if (t->header_ended)
		return len;
	take_field(&a->etag, line, len, "ETag");
	take_field(&a->modified, line, len, "Last-Modified");
	take_field(&a->type, line, len, "Content-Type");
	return len;
}

/* ---- one request */

/* Values that servers gave come back here: none becomes two fields. */
static void add_field(struct transfer *t, const char *name, const char *value)
{
	g_autofree char *field = NULL;

	if (!value || strpbrk(value, "\r\n"))
		return;
	field = g_strdup_printf("%s: %s", name, value);
	t->fields = curl_slist_append(t->fields, field);
}

static void set_up(struct transfer *t)
{
	const struct http_ask *ask = t->ask;
	CURL *e = t->curl.easy;

	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(e, CURLOPT_USERAGENT, "culprit/" CULPRIT_VERSION);
	curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "gzip");
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, (long)NET_MIN_RATE);
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)t->curl.timeout);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_field);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(e, CURLOPT_MAXFILESIZE_LARGE,
			 (curl_off_t)MIN(ask->max_bytes, G_MAXINT64));
	curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(e, CURLOPT_XFERINFODATA, t);
	add_field(t, "If-None-Match", ask->etag);
	add_field(t, "If-Modified-Since", ask->modified);
	curl_easy_setopt(e, CURLOPT_HTTPHEADER, t->fields);
	if (ask->body)
		curl_easy_setopt(e, CURLOPT_POSTFIELDS, ask->body);
	t->get = !ask->body;
}

static gboolean fail(struct transfer *t, CURLcode code, GError **err)
{
	if (code == CURLE_FILESIZE_EXCEEDED)
		too_large(t);
	if (t->why)
		g_propagate_error(err, g_steal_pointer(&t->why));
	else if (code == CURLE_BAD_CONTENT_ENCODING)
		g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
			    "%s: what it packed is damaged", t->name);
	else
		net_curl_fail(&t->curl, t->name, code, err);
	return FALSE;
}

static void lower_type(struct http_answer *a)
{
	char *lower = a->type ? g_ascii_strdown(a->type, -1) : NULL;

	if (lower)
		g_strchomp(g_strdelimit(lower, ";", '\0'));
	g_free(a->type);
	a->type = lower;
}

static gboolean ask_once(struct transfer *t, GError **err)
{
	struct http_answer *a = t->answer;
	curl_off_t wait = 0;
	CURLcode code;

	http_answer_clear(a);
	if (!t->ask->chunk)
		a->body = g_byte_array_new();
	t->header_bytes = 0;
	t->header_ended = FALSE;
	t->body_bytes = 0;
	curl_multi_remove_handle(t->curl.multi, t->curl.easy);
	curl_easy_setopt(t->curl.easy, CURLOPT_URL, t->url);
	if (!net_curl_perform(&t->curl, 0, &code)) {
		net_curl_fail_wait(&t->curl, t->name, err);
		return FALSE;
	}
	if (code == CURLE_OK && !t->header_ended)
		code = CURLE_PARTIAL_FILE;
	if (code != CURLE_OK)
		return fail(t, code, err);
	a->status = (guint)status_of(t);
	curl_easy_getinfo(t->curl.easy, CURLINFO_RETRY_AFTER, &wait);
	a->wait = CLAMP(wait, 0, MAX_WAIT);
	lower_type(a);
	return TRUE;
}

/* ---- redirections */

/* Where the answer leads to; NULL: nowhere. Lent by libcurl. */
static const char *next_url(struct transfer *t)
{
	char *url = NULL;

	if (t->answer->status / 100 == 3)
		curl_easy_getinfo(t->curl.easy, CURLINFO_REDIRECT_URL, &url);
	return url;
}

static gboolean follow(struct transfer *t, const char *url, GError **err)
{
	if (g_str_has_prefix(t->url, "https://") &&
	    !g_str_has_prefix(url, "https://")) {
		g_set_error(err, NET_ERROR, NET_ERROR_PLAIN,
			    "%s: it leads to \"%s\", without TLS", t->name,
			    url);
		return FALSE;
	}
	if (!check_url(t->ask, url, err))
		return FALSE;
	if (t->answer->status <= 303 && !t->get) {
		curl_easy_setopt(t->curl.easy, CURLOPT_HTTPGET, 1L);
		t->get = TRUE;
	}
	set_url(t, url);
	return TRUE;
}

static gboolean ask_all(struct transfer *t, GError **err)
{
	const char *next;

	for (guint i = 0; i <= MAX_REDIRECTIONS; i++) {
		if (!ask_once(t, err))
			return FALSE;
		next = next_url(t);
		if (!next)
			return TRUE;
		if (!follow(t, next, err))
			return FALSE;
	}
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: it leads from place to place", t->name);
	return FALSE;
}

gboolean http_get(const struct http_ask *ask, struct http_answer *a,
		  GError **err)
{
	struct transfer t = {.ask = ask, .answer = a};
	gboolean ok;

	memset(a, 0, sizeof(*a));
	if (!check_url(ask, ask->url, err))
		return FALSE;
	set_url(&t, ask->url);
	net_curl_init(&t.curl, ask->ca_file, ask->proxy, ask->timeout,
		      ask->cancel);
	set_up(&t);
	ok = ask_all(&t, err);
	net_curl_clear(&t.curl);
	curl_slist_free_all(t.fields);
	g_clear_error(&t.why);
	g_free(t.url);
	g_free(t.name);
	if (!ok)
		http_answer_clear(a);
	return ok;
}
