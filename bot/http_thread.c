/* http_thread.c - threads of a public-inbox, by a mail in them */
#include "bot/http_thread.h"

#include "mail/date.h"

#include "db/wanted.h"

#include "bot/source_priv.h"

static gboolean read_thread(struct http_inbox *h, const char *mid,
			    gboolean *found, GError **err)
{
	g_autofree char *page = g_uri_escape_string(mid, "@", FALSE);
	g_autofree char *path = g_strconcat(page, "/t.mbox.gz", NULL);

	return http_inbox_mails(h, path, FALSE, found, err);
}

/* So that nobody asks there again, whatever came of it. */
static gboolean say_asked(struct http_inbox *h, const char *mid, gboolean found,
			  GError **err)
{
	g_autofree char *place = g_strconcat(h->url, mid, NULL);
	g_autofree char *date =
		date_to_rfc3339(g_get_real_time() / G_USEC_PER_SEC);
	g_autofree char *cursor =
		g_strdup_printf("%s %s", found ? "found" : "none", date);

	return source_cursor(h->ctx, WANTED_KIND, place, cursor, err);
}

gboolean http_thread_read(const struct remote *r, const char *mid,
			  struct source_context *ctx, gboolean *found,
			  GError **err)
{
	struct http_inbox h;
	gboolean ok;

	http_inbox_init(&h, r, ctx);
	ok = read_thread(&h, mid, found, err) &&
	     say_asked(&h, mid, *found, err);
	http_inbox_clear(&h);
	return ok;
}

gboolean http_thread_wanted(struct http_inbox *h, GError **err)
{
	g_autoptr(GPtrArray) mids =
		h->ctx->wanted
			? h->ctx->wanted(h->url, HTTP_THREAD_MAX, h->ctx->data)
			: NULL;
	gboolean found;

	for (guint i = 0; mids && i < mids->len; i++) {
		g_autoptr(GError) why = NULL;

		/* A server that never gives threads is no worse a source. */
		if (!read_thread(h, mids->pdata[i], &found, &why) &&
		    !g_error_matches(why, NET_ERROR, NET_ERROR_REFUSED)) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (!say_asked(h, mids->pdata[i], found, err))
			return FALSE;
	}
	return TRUE;
}
