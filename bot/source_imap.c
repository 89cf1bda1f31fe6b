/* source_imap.c - [source NAME] of type imap: a mailbox of ours, or a public
 * archive that speaks IMAP. docs/sources.md. */
#include "bot/source_imap_priv.h"

#define MAX_CONNECTIONS 1000 /* of one run, if each brings something */

/* TRUE with `*refused` set: it can't be opened, and others may be. */
static gboolean read_box(imap_session *s, const struct remote *r,
			 struct source_context *ctx, const char *name,
			 gboolean alone, guint64 *taken, GError **refused,
			 GError **err)
{
	struct imap_reader rd;
	g_autoptr(GError) why = NULL;
	gboolean ok = imap_reader_open(&rd, r, ctx, s, name, &why) &&
		      imap_reader_take(&rd, &why);

	if (!ok && g_error_matches(why, NET_ERROR, NET_ERROR_REFUSED)) {
		ok = alone || imap_reader_refused(&rd, why, err);
		g_propagate_error(refused, g_steal_pointer(&why));
	} else if (!ok) {
		g_propagate_error(err, g_steal_pointer(&why));
	}
	*taken += rd.taken;
	imap_reader_clear(&rd);
	return ok;
}

gboolean imap_read_names(imap_session *s, const struct remote *r,
			 struct source_context *ctx, GPtrArray *names,
			 guint from, guint64 *taken, GError **err)
{
	g_autoptr(GError) first = NULL;
	guint refused = 0;

	for (guint i = from; i < names->len; i++) {
		g_autoptr(GError) why = NULL;

		if (!read_box(s, r, ctx, names->pdata[i], names->len == 1,
			      taken, &why, err))
			return FALSE;
		refused += why != NULL;
		if (!first)
			first = g_steal_pointer(&why);
	}
	if (refused < names->len)
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&first));
	return FALSE;
}

/* One connection, which brought `*taken` messages. */
static gboolean read_once(const struct remote *r, struct source_context *ctx,
			  guint64 *taken, GError **err)
{
	g_autoptr(imap_session) s = imap_session_open(r, ctx->cancel, err);
	g_autoptr(GPtrArray) names = s ? imap_names(s, r, err) : NULL;

	*taken = 0;
	return names && imap_read_names(s, r, ctx, names, 0, taken, err);
}

/* Archives lose connections by no fault of ours: as long as each brings
 * something, a further one is worth it. */
static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	g_autoptr(GError) why = NULL;
	guint64 taken;

	for (guint i = 1; !read_once(r, ctx, &taken, &why); i++) {
		if (taken == 0 || i == MAX_CONNECTIONS ||
		    !g_error_matches(why, NET_ERROR, NET_ERROR_CLOSED)) {
			g_propagate_prefixed_error(err, g_steal_pointer(&why),
						   "source %s: ", r->name);
			return FALSE;
		}
		g_clear_error(&why);
	}
	return TRUE;
}

static gboolean follow(const struct remote *r, struct source_context *ctx,
		       GError **err)
{
	if (imap_follow(r, ctx, err))
		return TRUE;
	g_prefix_error(err, "source %s: ", r->name);
	return FALSE;
}

/* ---- is it all right? */

static gboolean count_mails(imap_session *s, GPtrArray *names, guint64 *mails,
			    GError **err)
{
	for (guint i = 0; i < names->len; i++) {
		struct imap_box box;

		if (!imap_names_open(s, names->pdata[i], FALSE, &box, err))
			return FALSE;
		*mails += box.exists;
	}
	return TRUE;
}

static gboolean probe(const struct remote *r, GCancellable *cancel, char **said,
		      GError **err)
{
	g_autoptr(imap_session) s = imap_session_open(r, cancel, err);
	g_autoptr(GPtrArray) names = s ? imap_names(s, r, err) : NULL;
	guint64 mails = 0;

	if (!names || !count_mails(s, names, &mails, err)) {
		g_prefix_error(err, "source %s: ", r->name);
		return FALSE;
	}
	*said = g_strdup_printf("logged in as %s, %u %s, %" G_GUINT64_FORMAT
				" %s, %s",
				r->user ? r->user : "a guest", names->len,
				names->len == 1 ? "mailbox" : "mailboxes",
				mails, mails == 1 ? "mail" : "mails",
				imap_session_can(s, "IDLE")
					? "tells of new mail"
					: "has to be asked for new mail");
	return TRUE;
}

const struct remote_ops remote_imap = {
	.type = "imap",
	.read = read_all,
	.follow = follow,
	.probe = probe,
};
