/* source_nntp_group.c - one group of a news server, from its position on
 * Commands are sent ahead of their answers: a line of 50 ms would else allow
 * 20 articles a second. Answers come in the order of the commands. */
#include <string.h>

#include "mail/nntp_text.h"

#include "bot/source_nntp_priv.h"

#define KIND	      "nntp"
#define SPAN_GROWS    4
#define MAX_UNDER_WAY (4 * 1024 * 1024) /* bytes that a server may prepare */
#define USUAL_BYTES   8192
#define MAX_COMMAND   64
#define KEPT_BYTES    (256 * 1024) /* of memory, between two articles */

/* ---- what is wanted and what was asked for */

static void wanted_free(gpointer data)
{
	struct nntp_wanted *w = data;

	g_free(w->id);
	g_free(w);
}

struct nntp_group *nntp_group_new(const struct remote *r,
				  struct source_context *ctx, struct rate *rate,
				  const char *name)
{
	struct nntp_group *g = g_new0(struct nntp_group, 1);
	g_autofree char *url = endpoint_url(r->server);

	g->r = r;
	g->ctx = ctx;
	g->rate = rate;
	g->name = name;
	g->place = g_strconcat(url, "/", name, NULL);
	g->since = r->since;
	g->article = g_string_new(NULL);
	g_queue_init(&g->todo);
	g_queue_init(&g->asked);
	return g;
}

static void forget_asked(struct nntp_group *g)
{
	g_queue_clear_full(&g->todo, wanted_free);
	g_queue_clear_full(&g->asked, g_free);
	g->gone = 0;
	g->under_way = 0;
	g->span = NNTP_SPAN;
	g->got = 0;
}

void nntp_group_free(struct nntp_group *g)
{
	if (!g)
		return;
	forget_asked(g);
	g_free(g->place);
	g_free(g->last_id);
	g_string_free(g->article, TRUE);
	g_free(g);
}

/* ---- the position: "NUMBER <ID>" */

static gboolean say_cursor(struct nntp_group *g, GError **err)
{
	g_autofree char *cursor = NULL;

	if (!g->moved)
		return TRUE;
	cursor = g_strdup_printf("%" G_GUINT64_FORMAT " %s", g->last,
				 g->last_id ? g->last_id : "-");
	g->moved = FALSE;
	g->unsaid = 0;
	return source_cursor(g->ctx, KIND, g->place, cursor, err);
}

/* The article `number` is dealt with. Takes `id`, which may be NULL. */
static gboolean pass(struct nntp_group *g, guint64 number, char *id,
		     GError **err)
{
	g_free(g->last_id);
	g->last_id = id;
	g->last = number;
	g->moved = TRUE;
	g->got++;
	return ++g->unsaid < NNTP_CURSOR_EVERY || say_cursor(g, err);
}

static gboolean say_large(struct nntp_group *g, guint64 number, char *id,
			  GError **err)
{
	g_autoptr(GError) part =
		g_error_new(NET_ERROR, NET_ERROR_LIMIT,
			    "%s: article %" G_GUINT64_FORMAT "%s%s is larger "
			    "than %" G_GUINT64_FORMAT " MiB and was skipped",
			    g->place, number, id ? " " : "", id ? id : "",
			    g->r->max_bytes >> 20);
	gboolean said = source_broken(g->ctx, KIND, g->place, &part, err);

	if (said)
		return pass(g, number, id, err);
	g_free(id);
	return FALSE;
}

/* ---- sending */

static void ask_article(struct nntp_group *g, GString *out, guint64 number,
			guint64 bytes)
{
	struct nntp_asked *a = g_new(struct nntp_asked, 1);

	a->number = number;
	a->bytes = bytes ? bytes : USUAL_BYTES;
	g_queue_push_tail(&g->asked, a);
	g->under_way += a->bytes;
	g_string_append_printf(out, "ARTICLE %" G_GUINT64_FORMAT "\r\n",
			       number);
}

/* The next article, if there is one. `*none`: there is none by now. A large
 * one waits until all before it are dealt with. */
static gboolean ask_next(struct nntp_group *g, GString *out, gboolean *none,
			 GError **err)
{
	struct nntp_wanted *w = g_queue_peek_head(&g->todo);
	gboolean ok = TRUE;

	*none = FALSE;
	if (w && w->large) {
		if (g->asked.length > 0) {
			*none = TRUE;
			return TRUE;
		}
		ok = say_large(g, w->number, g_steal_pointer(&w->id), err);
	} else if (w) {
		ask_article(g, out, w->number, w->bytes);
	} else if (g->views == NNTP_NO_OVER && g->next <= g->high) {
		ask_article(g, out, g->next++, 0);
	} else {
		*none = TRUE;
	}
	if (w)
		wanted_free(g_queue_pop_head(&g->todo));
	return ok;
}

static gboolean has_next(const struct nntp_group *g)
{
	return g->todo.length > 0 ||
	       (g->views == NNTP_NO_OVER && g->next <= g->high);
}

/* Commands for as much as may be under way. `*wait`: microseconds until one
 * more may be sent, where the rate forbids it. */
static gboolean send_more(struct nntp_group *g, gint64 *wait, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);
	gboolean none = FALSE;

	*wait = 0;
	if (g->asked.length > NNTP_DEPTH / 2)
		return TRUE;
	while (!none && has_next(g) && g->asked.length < NNTP_DEPTH &&
	       out->len + MAX_COMMAND < NNTP_MAX_SENT &&
	       (g->under_way < MAX_UNDER_WAY || g->asked.length == 0)) {
		*wait = rate_take(g->rate, g_get_monotonic_time());
		if (*wait)
			break;
		if (!ask_next(g, out, &none, err))
			return FALSE;
	}
	return out->len == 0 ||
	       nntp_session_send(g->s, out->str, out->len, err);
}

/* ---- answers */

static gboolean on_view(const struct nntp_over *o, void *data, GError **err)
{
	struct nntp_group *g = data;
	struct nntp_wanted *w;

	if (g->todo.length >= NNTP_MAX_TODO)
		return TRUE;
	g->next = o->number + 1;
	if (g->since && o->date < g->since)
		return TRUE;
	g->since = 0;
	w = g_new0(struct nntp_wanted, 1);
	w->number = o->number;
	w->bytes = o->bytes;
	w->large = o->bytes > g->r->max_bytes;
	if (w->large)
		w->id = g_strndup(o->id.at, o->id.len);
	g_queue_push_tail(&g->todo, w);
	return TRUE;
}

/* Which articles come next. Where a long range has none, the next one is made
 * longer, so that marks that lie cost a few questions only. */
static gboolean look_ahead(struct nntp_group *g, GError **err)
{
	guint64 from = g->next;
	guint64 to = g->high - from < g->span ? g->high : from + g->span;

	if (!nntp_view(g, from, to, on_view, g, err))
		return FALSE;
	if (g->views == NNTP_NO_OVER) {
		g->next = MAX(g->next, g->low);
		return TRUE;
	}
	if (g->next > from)
		g->span = NNTP_SPAN;
	else
		g->span = MIN(g->span, G_MAXINT64 / SPAN_GROWS) * SPAN_GROWS;
	if (g->todo.length < NNTP_MAX_TODO)
		g->next = to + 1;
	return TRUE;
}

/* The text of an article; what is too large of it is read and dropped. */
static gboolean read_text(struct nntp_group *g, gboolean *large,
			  gboolean *whole, GError **err)
{
	GString *text = g->article;
	guint64 dropped = 0;

	*large = *whole = FALSE;
	g_string_truncate(text, 0);
	while (!*whole) {
		if (!nntp_session_block(g->s, text, whole, err))
			return FALSE;
		if (!*large && text->len <= g->r->max_bytes)
			continue;
		*large = TRUE;
		dropped += text->len;
		g_string_truncate(text, 0);
		if (dropped > g->r->max_bytes + NNTP_MAX_SKIP)
			break;
	}
	return TRUE;
}

/* What a large one took is given back. */
static void shrink(struct nntp_group *g)
{
	if (g->article->allocated_len <= KEPT_BYTES)
		return;
	g_string_free(g->article, TRUE);
	g->article = g_string_new(NULL);
}

static gboolean say_mail(struct nntp_group *g, GError **err)
{
	g_autoptr(GBytes) raw = NULL;
	struct source_event ev = {.type = SOURCE_MAIL,
				  .kind = KIND,
				  .place = g->place};

	nntp_strip(g->article);
	raw = g_bytes_new(g->article->str, g->article->len);
	ev.raw = raw;
	return source_say(g->ctx, &ev, err);
}

static guint64 pop_asked(struct nntp_group *g)
{
	g_autofree struct nntp_asked *a = g_queue_pop_head(&g->asked);

	g->under_way -= a->bytes;
	return a->number;
}

/* If nothing else is under way, it is these. */
static void drop_gone(struct nntp_group *g)
{
	if (g->gone < g->asked.length)
		return;
	while (g->asked.length > 0)
		pop_asked(g);
	g->gone = 0;
}

/* Is article `number` (0: not told) the next one? Those before it that were
 * said to be gone are passed. */
static gboolean is_next(struct nntp_group *g, guint64 *number)
{
	guint64 next = pop_asked(g);

	for (; g->gone > 0 && next != *number; g->gone--)
		next = pop_asked(g);
	if (*number && next != *number)
		return FALSE;
	*number = next;
	drop_gone(g);
	return TRUE;
}

/* 220: the text follows, of the article that was asked for. */
static gboolean take_text(struct nntp_group *g, const char *text, GError **err)
{
	struct nntp_slice found = {NULL, 0};
	g_autofree char *id = NULL;
	guint64 number = 0;
	gboolean large, whole;

	if (!nntp_article(text, &number, &found) || !is_next(g, &number)) {
		g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
			    "%s: the server sent an article that was not asked "
			    "for",
			    g->place);
		return FALSE;
	}
	id = g_strndup(found.at, found.len);
	if (!read_text(g, &large, &whole, err))
		return FALSE;
	g->gap = 0;
	if (large ? !say_large(g, number, g_steal_pointer(&id), err)
		  : !say_mail(g, err) ||
			    !pass(g, number, g_steal_pointer(&id), err))
		return FALSE;
	shrink(g);
	if (!whole)
		g_set_error(err, NET_ERROR, NET_ERROR_LIMIT,
			    "%s: article %" G_GUINT64_FORMAT " has no end",
			    g->place, number);
	return whole;
}

/* Which one is, shows when others come: public-inbox says so at once, ahead of
 * articles that were asked for before. */
static gboolean take_gone(struct nntp_group *g, GError **err)
{
	g->gone++;
	drop_gone(g);
	/* without overviews nothing else tells that the marks lie */
	if (g->views != NNTP_NO_OVER || ++g->gap < NNTP_MAX_GAP)
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_LIMIT,
		    "%s: %u numbers in a row have no article, and the server "
		    "has no overviews to tell which have one",
		    g->place, g->gap);
	return FALSE;
}

static gboolean take_answer(struct nntp_group *g, GError **err)
{
	const struct nntp_asked *a = g_queue_peek_head(&g->asked);
	g_autofree char *what = NULL;
	const char *text;
	guint code;

	if (!nntp_session_reply(g->s, &code, &text, err))
		return FALSE;
	if (code == 220)
		return take_text(g, text, err);
	if (code == 423 || code == 430)
		return take_gone(g, err);
	what = g_strdup_printf("%s: article %" G_GUINT64_FORMAT, g->name,
			       a->number);
	return nntp_session_refused(g->s, what, code, text, err);
}

/* ---- the whole */

/* Until `wait` microseconds are over, or somebody wants an end. */
static gboolean pause_for(struct nntp_group *g, gint64 wait, GError **err)
{
	GPollFD fd;
	gboolean can = g_cancellable_make_pollfd(g->ctx->cancel, &fd);

	g_poll(&fd, can ? 1 : 0, (gint)(wait / 1000) + 1);
	if (can)
		g_cancellable_release_fd(g->ctx->cancel);
	if (!g_cancellable_is_cancelled(g->ctx->cancel))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_STOPPED, "%s: stopped", g->place);
	return FALSE;
}

static void expect(struct nntp_group *g)
{
	guint64 from = MAX(g->next, g->low);

	if (g->ctx->expect && !g->expected && from <= g->high)
		g->ctx->expect(g->high - from + 1, g->ctx->data);
	g->expected = TRUE;
}

/* One answer, or one wait for leave to ask. */
static gboolean step(struct nntp_group *g, GError **err)
{
	gint64 wait = 0;

	if (g->asked.length == 0 && !has_next(g) && !look_ahead(g, err))
		return FALSE;
	if (!send_more(g, &wait, err))
		return FALSE;
	if (g->asked.length > 0)
		return take_answer(g, err);
	return !wait || pause_for(g, wait, err);
}

static gboolean read_on(struct nntp_group *g, GError **err)
{
	if (!nntp_group_enter(g, err))
		return FALSE;
	expect(g);
	while (g->asked.length > 0 || has_next(g) || g->next <= g->high)
		if (!step(g, err))
			return FALSE;
	return say_cursor(g, err);
}

gboolean nntp_group_read(struct nntp_group *g, nntp_session *s, GError **err)
{
	g_autoptr(GError) why = NULL;

	g->s = s;
	forget_asked(g);
	if (read_on(g, &why))
		return TRUE;
	if (why->domain == NET_ERROR)
		say_cursor(g, NULL);
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}
