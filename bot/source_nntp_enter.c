/* source_nntp_enter.c - does the stored position still stand in its group?
 * A group that was made anew counts from 1 again; then the number of the last
 * article is that of another one, or of none yet. */
#include <string.h>

#include "mail/nntp_text.h"

#include "bot/source_nntp_priv.h"

#define KIND "nntp"

/* What a server says of an article that was asked for by STAT. */
struct found {
	gboolean there;
	guint64 number; /* 0: not told */
	gboolean other; /* its id is not the one of the position */
};

static gboolean read_stat(struct nntp_group *g, struct found *f, GError **err)
{
	struct nntp_slice id = {NULL, 0};
	const char *text;
	guint code;

	*f = (struct found){FALSE};
	if (!nntp_session_reply(g->s, &code, &text, err))
		return FALSE;
	if (code == 400)
		return nntp_session_refused(g->s, g->name, code, text, err);
	f->there = code == 223 && nntp_article(text, &f->number, &id);
	f->other = f->there && id.at && g->last_id &&
		   (strlen(g->last_id) != id.len ||
		    memcmp(g->last_id, id.at, id.len) != 0);
	return TRUE;
}

/* The position in the database: "NUMBER <ID>". */
static void recall(struct nntp_group *g)
{
	g_autofree char *cursor = source_position(g->ctx, KIND, g->place);
	struct nntp_slice id = {NULL, 0};
	guint64 number = 0;

	g->entered = TRUE;
	if (!cursor || !nntp_article(cursor, &number, &id) || !number)
		return;
	g->last = number;
	g->last_id = g_strndup(id.at, id.len);
	g->since = 0;
}

static gboolean ask(struct nntp_group *g, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);

	g_string_append_printf(out, "GROUP %s\r\n", g->name);
	if (g->last)
		g_string_append_printf(out, "STAT %" G_GUINT64_FORMAT "\r\n",
				       g->last);
	if (g->last && g->last_id)
		g_string_append_printf(out, "STAT %s\r\n", g->last_id);
	return nntp_session_send(g->s, out->str, out->len, err);
}

static gboolean read_group(struct nntp_group *g, GError **err)
{
	const char *text;
	guint code;

	if (!nntp_session_reply(g->s, &code, &text, err))
		return FALSE;
	if (code != 211)
		return nntp_session_refused(g->s, g->name, code, text, err);
	if (nntp_group(text, &g->low, &g->high))
		return TRUE;
	g_set_error(err, NET_ERROR, NET_ERROR_REPLY,
		    "%s: %s: the server tells no numbers of its articles",
		    nntp_session_name(g->s), g->name);
	return FALSE;
}

/* By id it is at `number`: the group has other numbers if that is so here. */
static gboolean is_moved(struct nntp_group *g, guint64 number, gboolean *moved,
			 GError **err)
{
	g_autofree char *command =
		g_strdup_printf("STAT %" G_GUINT64_FORMAT "\r\n", number);
	struct found f;

	if (!nntp_session_send(g->s, command, strlen(command), err) ||
	    !read_stat(g, &f, err))
		return FALSE;
	*moved = f.there && !f.other;
	return TRUE;
}

/* Answers to both STATs. */
static gboolean check(struct nntp_group *g, gboolean *stands, GError **err)
{
	struct found by_number = {FALSE}, by_id = {FALSE};
	gboolean moved = FALSE;

	if (!read_stat(g, &by_number, err) ||
	    (g->last_id && !read_stat(g, &by_id, err)))
		return FALSE;
	if (by_number.there) {
		*stands = !by_number.other;
		return TRUE;
	}
	if (by_id.there && by_id.number && by_id.number != g->last &&
	    by_id.number <= g->high && !is_moved(g, by_id.number, &moved, err))
		return FALSE;
	*stands = g->last <= g->high && !moved;
	return TRUE;
}

static gboolean begin(struct nntp_group *g, GError **err)
{
	g->last = 0;
	g_clear_pointer(&g->last_id, g_free);
	g->since = g->r->since;
	g->next = 1;
	return source_afresh(g->ctx, KIND, g->place, err) &&
	       (!g->since || g->high == 0 || nntp_since(g, &g->next, err));
}

gboolean nntp_group_enter(struct nntp_group *g, GError **err)
{
	gboolean stands = FALSE;

	if (!g->entered)
		recall(g);
	if (!ask(g, err) || !read_group(g, err) ||
	    (g->last && !check(g, &stands, err)))
		return FALSE;
	if (!stands)
		return begin(g, err);
	g->next = g->last + 1;
	return TRUE;
}
