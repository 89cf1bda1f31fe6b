/* source_imap.c - [source NAME] of type imap: a mailbox of ours, or a public
 * archive that speaks IMAP. docs/sources.md. */
#include "bot/source_imap_priv.h"

static gboolean is_refusal(const GError *e)
{
	return g_error_matches(e, NET_ERROR, NET_ERROR_REFUSED);
}

static gboolean read_box(imap_session *s, const struct remote *r,
			 struct source_context *ctx, const char *name,
			 GError **err)
{
	struct imap_reader rd;
	gboolean ok = imap_reader_open(&rd, r, ctx, s, name, err) &&
		      imap_reader_take(&rd, err);

	imap_reader_clear(&rd);
	return ok;
}

gboolean imap_read_names(imap_session *s, const struct remote *r,
			 struct source_context *ctx, GPtrArray *names,
			 guint from, GError **err)
{
	g_autoptr(GError) first = NULL;

	for (guint i = from; i < names->len; i++) {
		g_autoptr(GError) why = NULL;

		if (read_box(s, r, ctx, names->pdata[i], &why))
			continue;
		if (!first)
			first = g_error_copy(why);
		if (!is_refusal(why))
			break;
	}
	if (!first)
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&first));
	return FALSE;
}

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	g_autoptr(imap_session) s = imap_session_open(r, ctx->cancel, err);
	g_autoptr(GPtrArray) names = s ? imap_names(s, r, err) : NULL;

	if (names && imap_read_names(s, r, ctx, names, 0, err))
		return TRUE;
	g_prefix_error(err, "source %s: ", r->name);
	return FALSE;
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
