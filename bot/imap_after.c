/* imap_after.c - what becomes of messages on the server once they are kept */
#include "bot/imap_priv.h"

#define MAX_SET 200 /* UIDs that one command names */

/* "3:7,9" of UIDs `i` and on; `*next` is the first that it leaves out. */
static char *name_set(const GArray *uids, guint i, guint *next)
{
	const guint32 *u = (const guint32 *)(const void *)uids->data;
	guint end = MIN(uids->len, i + MAX_SET);
	GString *out = g_string_new(NULL);

	for (guint j; i < end; i = j) {
		for (j = i + 1; j < end && u[j] == u[j - 1] + 1; j++)
			;
		g_string_append_printf(out, "%s%u", out->len ? "," : "", u[i]);
		if (j > i + 1)
			g_string_append_printf(out, ":%u", u[j - 1]);
	}
	*next = i;
	return g_string_free(out, FALSE);
}

/* "UID VERB SET REST" */
static gboolean run(imap_session *s, const char *verb, const char *set,
		    const char *rest, const char *what, GError **err)
{
	g_autofree char *command = g_strjoin(" ", "UID", verb, set, rest, NULL);

	return imap_command(s, command, what, err);
}

gboolean imap_session_mark_seen(imap_session *s, GArray *uids, GError **err)
{
	for (guint i = 0; i < uids->len;) {
		g_autofree char *set = name_set(uids, i, &i);

		if (!run(s, "STORE", set, "+FLAGS.SILENT (\\Seen)",
			 "mail can't be marked as seen", err))
			return FALSE;
	}
	return TRUE;
}

/* EXPUNGE alone would take away what others have deleted, too. */
static gboolean move_set(imap_session *s, const char *set, const char *to,
			 GError **err)
{
	if (imap_session_can(s, "MOVE"))
		return run(s, "MOVE", set, to, "mail can't be moved", err);
	if (!imap_session_can(s, "UIDPLUS")) {
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "%s: can move no mail (neither MOVE nor UIDPLUS); "
			    "use after=seen",
			    imap_stream_name(s->stream));
		return FALSE;
	}
	return run(s, "COPY", set, to, "mail can't be copied", err) &&
	       run(s, "STORE", set, "+FLAGS.SILENT (\\Deleted)",
		   "mail can't be deleted", err) &&
	       run(s, "EXPUNGE", set, NULL, "mail can't be expunged", err);
}

gboolean imap_session_move(imap_session *s, GArray *uids, const char *to,
			   GError **err)
{
	g_autofree char *coded = imap_name_encode(to, err);
	g_autofree char *name = coded ? imap_quote(coded, err) : NULL;

	for (guint i = 0; name && i < uids->len;) {
		g_autofree char *set = name_set(uids, i, &i);

		if (!move_set(s, set, name, err))
			return FALSE;
	}
	return name != NULL;
}
