/* imap_after.c - what becomes of messages on the server once they are kept */
#include "bot/imap_priv.h"

#define MAX_SET 200 /* UIDs that one command names */

static struct mailimap_set *take_set(const GArray *uids, guint from)
{
	return imap_set(&g_array_index(uids, guint32, from),
			MIN(MAX_SET, uids->len - from));
}

static gboolean add_flag(imap_session *s, struct mailimap_set *set,
			 struct mailimap_flag *take, const char *what,
			 GError **err)
{
	struct mailimap_flag_list *flags = mailimap_flag_list_new_empty();
	struct mailimap_store_att_flags *add;
	int rc;

	mailimap_flag_list_add(flags, take);
	add = mailimap_store_att_flags_new_add_flags_silent(flags);
	imap_begin(s, NULL);
	rc = mailimap_uid_store(s->etpan, set, add);
	mailimap_store_att_flags_free(add);
	return imap_check(s, rc, what, err);
}

gboolean imap_session_mark_seen(imap_session *s, GArray *uids, GError **err)
{
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < uids->len; i += MAX_SET) {
		struct mailimap_set *set = take_set(uids, i);

		ok = add_flag(s, set, mailimap_flag_new_seen(),
			      "mail can't be marked as seen", err);
		mailimap_set_free(set);
	}
	return ok;
}

static gboolean copy_set(imap_session *s, struct mailimap_set *set,
			 const char *to, GError **err)
{
	imap_begin(s, NULL);
	return imap_check(s, mailimap_uid_copy(s->etpan, set, to),
			  "mail can't be copied", err);
}

static gboolean expunge_set(imap_session *s, struct mailimap_set *set,
			    GError **err)
{
	imap_begin(s, NULL);
	return imap_check(s, mailimap_uid_expunge(s->etpan, set),
			  "mail can't be expunged", err);
}

/* EXPUNGE alone would take away what others have deleted, too. */
static gboolean move_set(imap_session *s, struct mailimap_set *set,
			 const char *to, GError **err)
{
	if (imap_session_can(s, "MOVE")) {
		imap_begin(s, NULL);
		return imap_check(s, mailimap_uid_move(s->etpan, set, to),
				  "mail can't be moved", err);
	}
	if (!imap_session_can(s, "UIDPLUS")) {
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "%s: can move no mail (neither MOVE nor UIDPLUS); "
			    "use after=seen",
			    imap_stream_name(s->stream));
		return FALSE;
	}
	return copy_set(s, set, to, err) &&
	       add_flag(s, set, mailimap_flag_new_deleted(),
			"mail can't be deleted", err) &&
	       expunge_set(s, set, err);
}

gboolean imap_session_move(imap_session *s, GArray *uids, const char *to,
			   GError **err)
{
	g_autofree char *name = imap_name_encode(to, err);
	gboolean ok = name != NULL;

	for (guint i = 0; ok && i < uids->len; i += MAX_SET) {
		struct mailimap_set *set = take_set(uids, i);

		ok = move_set(s, set, name, err);
		mailimap_set_free(set);
	}
	return ok;
}
