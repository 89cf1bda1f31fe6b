/* imap_after.c - what becomes of messages on the server once they are kept */
#include "bot/imap_priv.h"

#define MAX_SET 200 /* UIDs that one command names */

static char *name_set(const GArray *uids, guint from)
{
	return imap_set(&g_array_index(uids, guint32, from),
			MIN(MAX_SET, uids->len - from));
}

/* "UID VERB SET REST" */
static gboolean run(imap_session *s, const char *verb, const char *set,
		    const char *rest, const char *what, GError **err)
{
	g_autofree char *command = g_strjoin(" ", "UID", verb, set, rest, NULL);

	return imap_ask(s, command, NULL, what, err);
}

gboolean imap_session_mark_seen(imap_session *s, GArray *uids, GError **err)
{
	for (guint i = 0; i < uids->len; i += MAX_SET) {
		g_autofree char *set = name_set(uids, i);

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
	g_autofree char *name = imap_name_encode(to, err);

	for (guint i = 0; name && i < uids->len; i += MAX_SET) {
		g_autofree char *set = name_set(uids, i);

		if (!move_set(s, set, name, err))
			return FALSE;
	}
	return name != NULL;
}
