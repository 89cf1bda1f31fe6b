/* http_inbox.c - a public-inbox as its web server shows it
 * Mail is kept in a file without a name until the answer is whole, so that a
 * slow database does not hold the server, nor half an answer count. */
#include "bot/http_inbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "bot/source_priv.h"

void http_inbox_init(struct http_inbox *h, const struct remote *r,
		     struct source_context *ctx)
{
	gsize len = strlen(r->url);

	memset(h, 0, sizeof(*h));
	h->r = r;
	h->ctx = ctx;
	while (len && r->url[len - 1] == '/')
		len--;
	h->url = g_strdup_printf("%.*s/", (int)len, r->url);
}

void http_inbox_clear(struct http_inbox *h)
{
	g_clear_pointer(&h->url, g_free);
}

/* ---- asking */

static struct http_ask ask_of(const struct http_inbox *h, const char *url)
{
	return (struct http_ask){.url = url,
				 .ca_file = h->r->ca_file,
				 .proxy = h->r->proxy,
				 .plain_host = h->r->plain_host,
				 .timeout = h->r->timeout,
				 .cancel = h->ctx->cancel,
				 .max_bytes = HTTP_INBOX_MAX_PAGE};
}

/* 403 and the like stay as they are until somebody changes something. */
static enum net_error meaning(guint status)
{
	return (status >= 400 && status < 500 && status != 408 &&
		status != 429) ||
			       status == 501
		       ? NET_ERROR_REFUSED
		       : NET_ERROR_REPLY;
}

static gboolean check_status(struct http_inbox *h, const struct http_answer *a,
			     GError **err)
{
	h->wait = a->wait;
	if (a->status == 200 || a->status == 304 || a->status == 404)
		return TRUE;
	if (a->wait)
		g_set_error(err, NET_ERROR, (int)meaning(a->status),
			    "%s: answers %u and wants to be left alone for "
			    "%" G_GINT64_FORMAT " seconds",
			    h->url, a->status, a->wait);
	else
		g_set_error(err, NET_ERROR, (int)meaning(a->status),
			    "%s: answers %u%s", h->url, a->status,
			    a->status == 501 ? ", it has no such search; use "
					       "type=inbox"
					     : "");
	return FALSE;
}

gboolean http_inbox_page(struct http_inbox *h, const char *path,
			 const char *etag, const char *modified,
			 struct http_answer *a, GError **err)
{
	g_autofree char *url = g_strconcat(h->url, path, NULL);
	struct http_ask ask = ask_of(h, url);

	ask.etag = etag;
	ask.modified = modified;
	if (!http_get(&ask, a, err))
		return FALSE;
	if (check_status(h, a, err))
		return TRUE;
	http_answer_clear(a);
	return FALSE;
}

/* ---- a file for what comes */

struct keeper {
	int fd;
	struct http_inbox *h;
};

static gboolean keep_failed(struct http_inbox *h, int code, GError **err)
{
	g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN,
		    "%s: what it sends can't be kept in %s: %s", h->url,
		    g_get_tmp_dir(), g_strerror(code));
	return FALSE;
}

static int open_keeper(struct http_inbox *h, GError **err)
{
	g_autofree char *path =
		g_build_filename(g_get_tmp_dir(), "culprit-mail-XXXXXX", NULL);
	int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		keep_failed(h, errno, err);
	else
		g_unlink(path);
	return fd;
}

static gboolean keep(const void *bytes, gsize len, void *data, GError **err)
{
	struct keeper *k = data;
	gssize n;

	for (gsize done = 0; done < len; done += (gsize)n) {
		n = write(k->fd, (const char *)bytes + done, len - done);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return keep_failed(k->h, errno, err);
	}
	k->h->bytes += len;
	return TRUE;
}

/* ---- its mail */

char *http_inbox_hash(GBytes *bytes)
{
	char *hex = g_compute_checksum_for_bytes(G_CHECKSUM_SHA1, bytes);

	hex[HTTP_INBOX_HASH] = '\0';
	return hex;
}

static gboolean say_large(struct http_inbox *h, gsize size)
{
	g_autoptr(GError) part =
		g_error_new(SOURCE_ERROR, SOURCE_ERROR_READ,
			    "%s: a message of %" G_GSIZE_FORMAT
			    " bytes is larger than max-size and was skipped",
			    h->url, size);

	return source_broken(h->ctx, HTTP_INBOX_KIND, h->url, &part, NULL);
}

/* Empty lines at the end are the mbox's, or not. */
static char *mail_hash(GBytes *raw)
{
	gsize len;
	const char *text = g_bytes_get_data(raw, &len);
	g_autoptr(GBytes) part = NULL;

	while (len && text[len - 1] == '\n')
		len--;
	part = g_bytes_new_from_bytes(raw, 0, len);
	return http_inbox_hash(part);
}

static gboolean on_event(const struct source_event *ev, void *data)
{
	struct http_inbox *h = data;
	struct source_event mail = *ev;
	g_autofree char *hash = NULL;
	gboolean known;

	if (ev->type != SOURCE_MAIL)
		return h->ctx->sink(ev, h->ctx->data);
	mail.offset = 0; /* of nothing that could be looked up */
	if (g_bytes_get_size(ev->raw) > h->r->max_bytes)
		return say_large(h, g_bytes_get_size(ev->raw));
	hash = mail_hash(ev->raw);
	known = h->known && g_hash_table_contains(h->known, hash);
	if (h->came)
		g_hash_table_add(h->came, g_steal_pointer(&hash));
	return known || h->ctx->sink(&mail, h->ctx->data);
}

static gboolean say_mails(struct http_inbox *h, int fd, GError **err)
{
	struct source_home home = {.kind = HTTP_INBOX_KIND, .place = h->url};
	struct source_context inner = *h->ctx;
	g_autoptr(unpack) from = unpack_stream(fd, h->url, h->ctx->stopped);

	inner.sink = on_event;
	inner.data = h;
	inner.cursor_of = NULL;
	unpack_limit(from, HTTP_INBOX_MAX_MAIL);
	return source_file(from, &home, &inner, err);
}

static gboolean check_type(struct http_inbox *h, const struct http_answer *a,
			   GError **err)
{
	if (a->status == 200 && g_strcmp0(a->type, "text/html"))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: sends a page where mail was asked for", h->url);
	return FALSE;
}

static gboolean fetch(struct http_inbox *h, const struct http_ask *ask,
		      struct keeper *k, gboolean *found, GError **err)
{
	struct http_answer a;
	g_autoptr(GError) why = NULL;
	gboolean ok;

	if (!http_get(ask, &a, &why)) {
		h->large = g_error_matches(why, NET_ERROR, NET_ERROR_LIMIT);
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	*found = a.status != 404;
	ok = check_status(h, &a, err) && (!*found || check_type(h, &a, err));
	http_answer_clear(&a);
	return ok && (!*found || lseek(k->fd, 0, SEEK_SET) == 0 ||
		      keep_failed(h, errno, err));
}

gboolean http_inbox_mails(struct http_inbox *h, const char *path, gboolean post,
			  gboolean *found, GError **err)
{
	g_autofree char *url = g_strconcat(h->url, path, NULL);
	struct http_ask ask = ask_of(h, url);
	struct keeper k = {open_keeper(h, err), h};
	gboolean ok;

	*found = FALSE;
	h->bytes = 0;
	h->large = FALSE;
	if (k.fd < 0)
		return FALSE;
	ask.body = post ? "" : NULL;
	ask.max_bytes = HTTP_INBOX_MAX_PACKED;
	ask.chunk = keep;
	ask.data = &k;
	ok = fetch(h, &ask, &k, found, err) &&
	     (!*found || say_mails(h, k.fd, err));
	close(k.fd);
	return ok;
}
