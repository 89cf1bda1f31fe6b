/* source_nntp.c - mail from the groups of a news server; docs/sources.md */
#include <string.h>

#include "mail/nntp_text.h"

#include "bot/source_nntp_priv.h"

#define MAX_GROUPS    10000  /* that the patterns of one source fit */
#define MAX_ACTIVE    500000 /* lines of LIST ACTIVE */
#define ENOUGH_TO_TRY 100    /* articles of a connection that was lost */

struct reader {
	const struct remote *r;
	GCancellable *cancel;
	struct source_context *ctx; /* NULL: nothing is taken */
	nntp_session *s;	    /* NULL: to be opened */
	GError *unmatched;	    /* of a pattern that fits no group */
	gboolean retried;
	struct rate rate;
};

static gboolean connected(struct reader *rd, GError **err)
{
	if (!rd->s)
		rd->s = nntp_session_open(rd->r, rd->cancel, err);
	return rd->s != NULL;
}

static void hang_up(struct reader *rd)
{
	g_clear_pointer(&rd->s, nntp_session_close);
}

/* `ok`: the server was heard to the end. */
static gboolean leave(struct reader *rd, gboolean ok)
{
	if (ok && rd->s)
		nntp_session_quit(rd->s);
	hang_up(rd);
	g_clear_error(&rd->unmatched);
	return ok;
}

/* ---- which groups */

struct match {
	const char *pattern;
	GPtrArray *names;
	GHashTable *seen; /* the same strings */
	guint found;	  /* that match the pattern */
};

static void add_name(struct match *m, char *name)
{
	if (m->names->len < MAX_GROUPS && g_hash_table_add(m->seen, name))
		g_ptr_array_add(m->names, name);
	else
		g_free(name);
}

static gboolean on_active(const char *line, gsize len, void *data, GError **err)
{
	struct match *m = data;
	struct nntp_active a;
	char *name;

	if (!nntp_active(line, len, &a) || a.alias)
		return TRUE;
	name = g_strndup(a.name.at, a.name.len);
	if (nntp_matches(m->pattern, name)) {
		m->found++;
		add_name(m, name);
	} else {
		g_free(name);
	}
	return TRUE;
}

/* Some servers do not look at the pattern, and some do not like it. */
static gboolean list_active(struct reader *rd, struct match *m, GError **err)
{
	g_autofree char *command =
		g_strconcat("LIST ACTIVE ", m->pattern, "\r\n", NULL);
	const char *text;
	guint code;

	if (!nntp_session_send(rd->s, command, strlen(command), err) ||
	    !nntp_session_reply(rd->s, &code, &text, err))
		return FALSE;
	if ((code == 501 || code == 503) &&
	    (!nntp_session_send(rd->s, "LIST\r\n", 6, err) ||
	     !nntp_session_reply(rd->s, &code, &text, err)))
		return FALSE;
	if (code != 215)
		return nntp_session_refused(rd->s, "LIST ACTIVE", code, text,
					    err);
	return nntp_session_lines(rd->s, MAX_ACTIVE, on_active, m, err);
}

static void no_match(struct reader *rd, const char *pattern, GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "%s: there is no group that matches \"%s\"",
		    nntp_session_name(rd->s), pattern);
}

/* A pattern without a group among others is told at the end. */
static gboolean find_groups(struct reader *rd, GPtrArray *names, GError **err)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	struct match m = {NULL, names, seen, 0};

	g_clear_error(&rd->unmatched);
	for (guint i = 0; rd->r->groups[i]; i++) {
		m.pattern = rd->r->groups[i];
		m.found = 0;
		if (!nntp_is_name(m.pattern, strlen(m.pattern))) {
			g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
				    "source %s: groups: a name has a control "
				    "character or is too long",
				    rd->r->name);
			return FALSE;
		}
		if (!nntp_is_pattern(m.pattern)) {
			add_name(&m, g_strdup(m.pattern));
			continue;
		}
		if (!connected(rd, err) || !list_active(rd, &m, err))
			return FALSE;
		if (!m.found && !rd->unmatched)
			no_match(rd, m.pattern, &rd->unmatched);
	}
	if (names->len > 0 || !rd->unmatched)
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&rd->unmatched));
	return FALSE;
}

/* ---- reading */

/* A server may lose a connection through the fault of others: it is tried
 * again once, and whenever the lost one was of some use. */
static gboolean try_again(struct reader *rd, const GError *why, guint64 got)
{
	if (!g_error_matches(why, NET_ERROR, NET_ERROR_CLOSED) &&
	    !g_error_matches(why, NET_ERROR, NET_ERROR_IO) &&
	    !g_error_matches(why, NET_ERROR, NET_ERROR_LIMIT))
		return FALSE;
	if (rd->retried && got < ENOUGH_TO_TRY)
		return FALSE;
	rd->retried = TRUE;
	return TRUE;
}

static gboolean find_all(struct reader *rd, GPtrArray *names, GError **err)
{
	for (;;) {
		g_autoptr(GError) why = NULL;

		if (find_groups(rd, names, &why))
			return TRUE;
		hang_up(rd);
		if (!try_again(rd, why, 0)) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		g_ptr_array_set_size(names, 0);
	}
}

/* `*refused`: only this group could not be read. */
static gboolean read_group(struct reader *rd, const char *name,
			   gboolean *refused, GError **err)
{
	g_autoptr(nntp_group_auto) g =
		nntp_group_new(rd->r, rd->ctx, &rd->rate, name);

	for (;;) {
		g_autoptr(GError) why = NULL;

		if (connected(rd, &why) && nntp_group_read(g, rd->s, &why))
			return TRUE;
		*refused = rd->s &&
			   g_error_matches(why, NET_ERROR, NET_ERROR_REFUSED);
		hang_up(rd);
		if (!try_again(rd, why, g->got)) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
	}
}

/* One that is refused is told at the end: others are read. */
static gboolean read_groups(struct reader *rd, GPtrArray *names, GError **err)
{
	g_autoptr(GError) first = g_steal_pointer(&rd->unmatched);
	guint failed = 0;

	for (guint i = 0; i < names->len; i++) {
		g_autoptr(GError) why = NULL;
		gboolean refused = FALSE;

		if (read_group(rd, names->pdata[i], &refused, &why))
			continue;
		if (!refused) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		failed++;
		if (!first)
			first = g_steal_pointer(&why);
	}
	if (!first)
		return TRUE;
	/* for the others it is worth to come back soon */
	if (failed < names->len)
		first->code = NET_ERROR_REPLY;
	g_propagate_error(err, g_steal_pointer(&first));
	return FALSE;
}

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	struct reader rd = {.r = r, .cancel = ctx->cancel, .ctx = ctx};

	rate_init(&rd.rate, r->rate, g_get_monotonic_time());
	return leave(&rd,
		     find_all(&rd, names, err) && read_groups(&rd, names, err));
}

/* ---- only looking */

static gboolean look(struct reader *rd, const char *name, guint64 *articles,
		     GError **err)
{
	g_autofree char *command = g_strconcat("GROUP ", name, "\r\n", NULL);
	guint64 low, high;
	const char *text;
	guint code;

	if (!connected(rd, err) ||
	    !nntp_session_send(rd->s, command, strlen(command), err) ||
	    !nntp_session_reply(rd->s, &code, &text, err))
		return FALSE;
	if (code != 211)
		return nntp_session_refused(rd->s, name, code, text, err);
	if (nntp_group(text, &low, &high) && low <= high)
		*articles += high - low + 1;
	return TRUE;
}

static gboolean look_at_all(struct reader *rd, char **said, GError **err)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	guint64 articles = 0;

	if (!find_groups(rd, names, err))
		return FALSE;
	for (guint i = 0; i < names->len; i++)
		if (!look(rd, names->pdata[i], &articles, err))
			return FALSE;
	if (rd->unmatched) {
		g_propagate_error(err, g_steal_pointer(&rd->unmatched));
		return FALSE;
	}
	*said = g_strdup_printf("%s%u %s, about %" G_GUINT64_FORMAT " articles",
				rd->r->user ? "logged in, " : "", names->len,
				names->len == 1 ? "group" : "groups", articles);
	return TRUE;
}

static gboolean probe(const struct remote *r, GCancellable *cancel, char **said,
		      GError **err)
{
	struct reader rd = {.r = r, .cancel = cancel};

	return leave(&rd, look_at_all(&rd, said, err));
}

const struct remote_ops remote_nntp = {.type = "nntp",
				       .read = read_all,
				       .probe = probe};
