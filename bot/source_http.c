/* source_http.c - a public-inbox, read by its web server
 * New mail shows in new.atom, which costs little to ask for, and each one is
 * fetched by its page. Where more came than that shows, and for what a server
 * took up late, a search by time of arrival finds it; that index lags behind,
 * so a search begins well before the position and is repeated once. */
#include <string.h>

#include "mail/date.h"

#include "bot/atom_feed.h"
#include "bot/http_inbox.h"
#include "bot/http_position.h"
#include "bot/http_thread.h"
#include "bot/source_priv.h"

#define FEED	    "new.atom"
#define HOUR	    3600
#define DAY	    (24 * HOUR)
#define OVERLAP	    HOUR
#define REPEAT	    120 /* seconds until an index shows what the feed does */
#define SWEEP_EVERY DAY
#define SWEEP	    (3 * DAY)
#define FIRST_SPAN  (7 * DAY)
#define BEFORE_ALL  (20 * 365 * DAY) /* there were no lists then */
#define MAX_SPAN    (366 * DAY)
#define FEW_BYTES   (4 * 1024 * 1024) /* a span with less: a longer one */
#define MANY_BYTES  (32 * 1024 * 1024)
#define OLDEST	    10000 /* what has fewer digits is no time to a search */
#define MAX_PAGE    600	  /* letters of a Message-ID in an address */

struct poll {
	struct http_inbox inbox;
	struct http_position *at;
	const struct remote *r;
	struct source_context *ctx;
	gint64 now;
	gint64 span;	  /* seconds of mail to search for at once */
	gboolean is_new;  /* there is no position yet */
	GPtrArray *feed;  /* its entries; NULL: as last time */
	GPtrArray *fresh; /* pages that are new in it; lent strings */
	gboolean gap;	  /* there is more new mail than it shows */
	gint64 newest;	  /* of it; 0: it does not tell */
	char *etag, *modified;
};

static gboolean say_position(struct poll *p, GError **err)
{
	g_autofree char *cursor = http_position_print(p->at);

	return source_cursor(p->ctx, HTTP_INBOX_KIND, p->inbox.url, cursor,
			     err);
}

/* Pass `why` on; where the server wants to be left alone, remember it. */
static gboolean give_up(struct poll *p, GError **why, GError **err)
{
	if (p->inbox.wait > 0) {
		p->at->alone = p->now + p->inbox.wait;
		say_position(p, NULL);
	}
	g_propagate_error(err, g_steal_pointer(why));
	return FALSE;
}

/* ---- the feed */

/* "MSGID" of ".../MSGID/", still escaped; NULL: it is no such address. Lent:
 * the link is cut for it. */
static const char *page_of(struct atom_entry *e)
{
	gsize len = strlen(e->link);
	const char *page;

	if (len && e->link[len - 1] == '/')
		e->link[len - 1] = '\0';
	page = strrchr(e->link, '/');
	page = page ? page + 1 : "";
	return *page && *page != '.' && strlen(page) <= MAX_PAGE &&
			       !strpbrk(page, "?#")
		       ? page
		       : NULL;
}

static char *page_hash(const char *page)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(page, strlen(page));

	return http_inbox_hash(bytes);
}

static void find_fresh(struct poll *p)
{
	guint known = 0;

	for (guint i = 0; i < p->feed->len; i++) {
		struct atom_entry *e = p->feed->pdata[i];
		const char *page = page_of(e);
		g_autofree char *hash = page ? page_hash(page) : NULL;

		p->newest = MAX(p->newest, e->updated);
		if (hash && g_hash_table_contains(p->at->feed, hash))
			known++;
		else if (page && e->updated >= p->r->since)
			g_ptr_array_add(p->fresh, (gpointer)page);
	}
	p->gap = known == 0;
}

/* A feed that can't be read tells at least that it changed. */
static void note_feed(struct poll *p, const struct http_answer *a)
{
	p->etag = g_strdup(a->etag);
	p->modified = g_strdup(a->modified);
	p->feed = atom_feed_parse((const char *)a->body->data, a->body->len,
				  p->inbox.url, NULL);
	if (p->feed)
		find_fresh(p);
	p->gap |= !p->feed;
}

static gboolean no_feed(const char *url, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "%s: is no public-inbox, or has no mail yet (no %s there)",
		    url, FEED);
	return FALSE;
}

static gboolean ask_feed(struct poll *p, GError **err)
{
	g_autoptr(GError) why = NULL;
	struct http_answer a;
	gboolean ok = TRUE;

	if (!http_inbox_page(&p->inbox, FEED, p->at->etag, p->at->modified, &a,
			     &why))
		return give_up(p, &why, err);
	if (a.status == 200)
		note_feed(p, &a);
	else if (a.status == 404)
		ok = no_feed(p->inbox.url, err);
	http_answer_clear(&a);
	return ok;
}

/* All that the feed shows was taken. */
static void keep_feed(struct poll *p)
{
	if (!p->feed)
		return;
	g_hash_table_remove_all(p->at->feed);
	for (guint i = 0; i < p->feed->len; i++) {
		const char *page = page_of(p->feed->pdata[i]);

		if (page)
			g_hash_table_add(p->at->feed, page_hash(page));
	}
	g_free(p->at->etag);
	g_free(p->at->modified);
	p->at->etag = g_steal_pointer(&p->etag);
	p->at->modified = g_steal_pointer(&p->modified);
}

/* ---- searches */

/* What came is remembered; when that is too much, the latest of it. */
static void merge_seen(struct http_position *at, GHashTable *came)
{
	GHashTableIter iter;
	gpointer hash;

	if (g_hash_table_size(at->seen) + g_hash_table_size(came) >
	    HTTP_POSITION_MAX_SEEN)
		g_hash_table_remove_all(at->seen);
	g_hash_table_iter_init(&iter, came);
	while (g_hash_table_iter_next(&iter, &hash, NULL))
		g_hash_table_add(at->seen, g_strdup(hash));
}

/* Mail that arrived from `from` to `to`, 0: to whenever. */
static gboolean search(struct poll *p, gint64 from, gint64 to, gboolean *found,
		       GError **err)
{
	g_autoptr(GHashTable) came =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *until =
		to ? g_strdup_printf("%" G_GINT64_FORMAT, to) : g_strdup("");
	g_autofree char *path =
		g_strdup_printf("?q=rt:%" G_GINT64_FORMAT "..%s&x=m",
				MAX(from, OLDEST), until);
	gboolean ok;

	p->inbox.known = p->at->seen;
	p->inbox.came = came;
	ok = http_inbox_mails(&p->inbox, path, TRUE, found, err);
	p->inbox.came = NULL;
	if (ok)
		merge_seen(p->at, came);
	return ok;
}

/* The end of what the server can have; a mail may pretend to be of the
 * future. */
static gint64 certain(const struct poll *p)
{
	return p->newest ? MIN(p->newest, p->now) : p->now;
}

/* From long ago in spans, each with a position behind it. FALSE with
 * inbox.large: a shorter span may do. */
static gboolean catch_up(struct poll *p, GError **err)
{
	gboolean found;
	gint64 to;

	while (p->at->to + p->span < certain(p)) {
		to = p->at->to + p->span;
		if (!search(p, p->at->to, to, &found, err))
			return FALSE;
		p->at->to = to;
		if (!say_position(p, err))
			return FALSE;
		if (!found || p->inbox.bytes < FEW_BYTES)
			p->span = MIN(p->span * 2, MAX_SPAN);
		else if (p->inbox.bytes > MANY_BYTES)
			p->span = MAX(p->span / 2, HOUR);
	}
	return TRUE;
}

static gboolean is_sweep_due(const struct poll *p)
{
	return p->now - p->at->swept >= SWEEP_EVERY;
}

static gint64 last_from(const struct poll *p)
{
	gint64 back = is_sweep_due(p) ? SWEEP : OVERLAP;

	return MAX(p->at->to - back, MIN(p->r->since, p->at->to));
}

/* From the position to whatever there is by now. */
static gboolean search_last(struct poll *p, GError **err)
{
	gboolean found;

	if (!search(p, last_from(p), 0, &found, err))
		return FALSE;
	if (is_sweep_due(p))
		p->at->swept = p->now;
	return TRUE;
}

static gboolean search_all(struct poll *p, GError **err)
{
	p->span = p->at->to ? FIRST_SPAN : BEFORE_ALL;
	for (;; p->span = MAX(p->span / 4, HOUR)) {
		g_autoptr(GError) why = NULL;

		if (catch_up(p, &why) && search_last(p, &why))
			break;
		if (!p->inbox.large || p->span <= HOUR)
			return give_up(p, &why, err);
	}
	p->at->again = p->is_new || p->gap ? p->now + REPEAT : 0;
	return TRUE;
}

static gboolean must_search(const struct poll *p)
{
	return p->is_new || p->gap || is_sweep_due(p) ||
	       (p->at->again && p->now >= p->at->again);
}

/* ---- what the feed shows, one by one */

static gboolean take_fresh(struct poll *p, GError **err)
{
	gboolean found;

	p->inbox.known = p->inbox.came = p->at->seen;
	/* oldest first */
	for (guint i = p->fresh->len; i-- > 0;) {
		g_autofree char *path =
			g_strconcat(p->fresh->pdata[i], "/raw", NULL);
		g_autoptr(GError) why = NULL;

		if (!http_inbox_mails(&p->inbox, path, FALSE, &found, &why))
			return give_up(p, &why, err);
	}
	p->inbox.known = p->inbox.came = NULL;
	return TRUE;
}

/* ---- what remote.h sees */

static void begin(struct poll *p, const struct remote *r,
		  struct source_context *ctx)
{
	g_autofree char *cursor = NULL;

	memset(p, 0, sizeof(*p));
	p->r = r;
	p->ctx = ctx;
	p->now = g_get_real_time() / G_USEC_PER_SEC;
	p->fresh = g_ptr_array_new();
	http_inbox_init(&p->inbox, r, ctx);
	cursor = source_position(ctx, HTTP_INBOX_KIND, p->inbox.url);
	p->is_new = cursor == NULL;
	p->at = http_position_parse(cursor);
	if (!p->is_new)
		return;
	p->at->to = r->since;
	p->at->swept = p->now;
}

static void end(struct poll *p)
{
	http_inbox_clear(&p->inbox);
	http_position_free(p->at);
	g_ptr_array_unref(p->fresh);
	g_clear_pointer(&p->feed, g_ptr_array_unref);
	g_free(p->etag);
	g_free(p->modified);
}

static gboolean is_let_alone(const struct poll *p, GError **err)
{
	g_autofree char *until = NULL;

	if (p->now >= p->at->alone || p->at->alone - p->now > DAY)
		return FALSE;
	until = date_to_rfc3339(p->at->alone);
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: wanted to be left alone until %s", p->inbox.url,
		    until);
	return TRUE;
}

static gboolean read_new(struct poll *p, GError **err)
{
	gboolean searches;

	if (is_let_alone(p, err) || !ask_feed(p, err))
		return FALSE;
	searches = must_search(p);
	if (!searches && p->fresh->len == 0)
		return TRUE;
	if (p->is_new &&
	    !source_afresh(p->ctx, HTTP_INBOX_KIND, p->inbox.url, err))
		return FALSE;
	if ((searches && !search_all(p, err)) || !take_fresh(p, err))
		return FALSE;
	p->at->to = MAX(p->at->to, certain(p));
	keep_feed(p);
	return say_position(p, err) && http_thread_wanted(&p->inbox, err);
}

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	struct poll p;
	gboolean ok;

	begin(&p, r, ctx);
	ok = read_new(&p, err);
	end(&p);
	return ok;
}

static char *newest_text(const struct http_answer *a, const char *url,
			 GError **err)
{
	g_autoptr(GPtrArray) feed = atom_feed_parse((const char *)a->body->data,
						    a->body->len, url, err);
	g_autofree char *date = NULL;
	gint64 newest = 0;

	if (!feed)
		return NULL;
	for (guint i = 0; i < feed->len; i++)
		newest = MAX(newest,
			     ((struct atom_entry *)feed->pdata[i])->updated);
	date = date_to_rfc3339(newest);
	return g_strdup_printf("answers, newest mail of %s",
			       date ? date : "an unknown time");
}

static gboolean probe(const struct remote *r, GCancellable *cancel, char **said,
		      GError **err)
{
	struct source_context ctx = {.cancel = cancel};
	struct http_inbox h;
	struct http_answer a;

	*said = NULL;
	http_inbox_init(&h, r, &ctx);
	if (http_inbox_page(&h, FEED, NULL, NULL, &a, err)) {
		if (a.status == 404)
			no_feed(h.url, err);
		else
			*said = newest_text(&a, h.url, err);
		http_answer_clear(&a);
	}
	http_inbox_clear(&h);
	return *said != NULL;
}

const struct remote_ops remote_http = {
	.type = "http",
	.read = read_all,
	.thread = http_thread_read,
	.probe = probe,
};
