/* endpoint.c - a server as the settings name it */
#include "bot/endpoint.h"

#include <gio/gio.h>
#include <string.h>

#include "bot/net.h"

void endpoint_free(struct endpoint *e)
{
	if (!e)
		return;
	g_free(e->scheme);
	g_free(e->host);
	g_free(e->ca_file);
	g_free(e->proxy);
	g_free(e);
}

gboolean endpoint_is_near(const char *host)
{
	g_autoptr(GInetAddress) a = g_inet_address_new_from_string(host);

	if (a)
		return g_inet_address_get_is_loopback(a);
	return g_ascii_strcasecmp(host, "localhost") == 0;
}

char *endpoint_url(const struct endpoint *e)
{
	gboolean v6 = strchr(e->host, ':') != NULL;

	return g_strdup_printf("%s://%s%s%s:%u", e->scheme, v6 ? "[" : "",
			       e->host, v6 ? "]" : "", e->port);
}

static guint usual_port(const char *protocol, gboolean plain)
{
	if (g_str_equal(protocol, "imap"))
		return plain ? 143 : 993;
	return plain ? 119 : 563;
}

/* "HOST:PORT" as a URL of the protocol with TLS. */
static char *complete(const char *text, const char *protocol)
{
	return strstr(text, "://") ? g_strdup(text)
				   : g_strconcat(protocol, "s://", text, NULL);
}

static gboolean is_bare(GUri *uri)
{
	const char *path = g_uri_get_path(uri);

	return !g_uri_get_userinfo(uri) && !g_uri_get_query(uri) &&
	       !g_uri_get_fragment(uri) &&
	       (*path == '\0' || g_str_equal(path, "/"));
}

/* TRUE if the scheme is the protocol's; `*plain` is the one without TLS. */
static gboolean read_scheme(const char *scheme, const char *protocol,
			    gboolean *plain)
{
	*plain = g_str_equal(scheme, protocol);
	return *plain || (g_str_has_prefix(scheme, protocol) &&
			  g_str_equal(scheme + strlen(protocol), "s"));
}

static gboolean plain_is_fine(const char *host, const char *plain_host)
{
	return endpoint_is_near(host) ||
	       (plain_host && g_ascii_strcasecmp(host, plain_host) == 0);
}

/* No name and no address: GLib takes nearly everything for a host. */
static gboolean is_host(const char *host)
{
	for (const char *p = host; p && *p; p++)
		if (!g_ascii_isalnum(*p) && !strchr("-._:%", *p) &&
		    !((guchar)*p & 0x80))
			return FALSE;
	return host && *host;
}

struct endpoint *endpoint_parse(const char *text, const char *protocol,
				const char *plain_host, GError **err)
{
	g_autofree char *whole = complete(text, protocol);
	g_autoptr(GUri) uri = g_uri_parse(whole, G_URI_FLAGS_NONE, NULL);
	const char *host = uri ? g_uri_get_host(uri) : NULL;
	const char *at = strrchr(text, '@'); /* a password is not repeated */
	struct endpoint *e;
	gboolean plain;

	if (!is_host(host) || !is_bare(uri) || g_uri_get_port(uri) == 0 ||
	    !read_scheme(g_uri_get_scheme(uri), protocol, &plain)) {
		g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
			    "\"%s\" must be HOST, HOST:PORT or "
			    "%ss://HOST:PORT",
			    at ? at + 1 : text, protocol);
		return NULL;
	}
	if (plain && !plain_is_fine(host, plain_host)) {
		g_set_error(err, NET_ERROR, NET_ERROR_PLAIN,
			    "%s: without TLS all would be readable on the "
			    "way; use %ss://, or set plain-host=%s",
			    text, protocol, host);
		return NULL;
	}
	e = g_new0(struct endpoint, 1);
	e->scheme = g_strdup(g_uri_get_scheme(uri));
	e->host = g_ascii_strdown(host, -1);
	e->port = g_uri_get_port(uri) > 0 ? (guint)g_uri_get_port(uri)
					  : usual_port(protocol, plain);
	e->plain = plain;
	return e;
}
