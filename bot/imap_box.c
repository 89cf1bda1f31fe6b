/* imap_box.c - mailboxes of an IMAP server: which there are, opening one, and
 * which messages are in it */
#include <string.h>

#include "bot/imap_priv.h"

/* ---- names */

char *imap_name_encode(const char *utf8, GError **err)
{
	g_autofree char *name =
		g_convert(utf8, -1, "UTF-7-IMAP", "UTF-8", NULL, NULL, NULL);

	for (const char *p = name; p && *p; p++)
		if (g_ascii_iscntrl(*p))
			g_clear_pointer(&name, g_free);
	if (!name)
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "mailbox \"%s\": this can't be a name", utf8);
	return g_steal_pointer(&name);
}

char *imap_name_decode(const char *name)
{
	char *utf8 =
		g_convert(name, -1, "UTF-8", "UTF-7-IMAP", NULL, NULL, NULL);

	return utf8 ? utf8 : imap_guard_printable(name);
}

static gboolean can_be_opened(const struct mailimap_mailbox_list *m)
{
	const struct mailimap_mbx_list_flags *f = m->mb_flag;

	return !f || f->mbf_type != MAILIMAP_MBX_LIST_FLAGS_SFLAG ||
	       f->mbf_sflag != MAILIMAP_MBX_LIST_SFLAG_NOSELECT;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *imap_session_list(imap_session *s, const char *pattern, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *coded = imap_name_encode(pattern, err);
	clist *found = NULL;
	int rc;

	if (!coded)
		return NULL;
	imap_stream_begin(s->stream, 0, 0);
	rc = mailimap_list(s->etpan, "", coded, &found);
	for (clistiter *i = found ? clist_begin(found) : NULL; i;
	     i = clist_next(i)) {
		const struct mailimap_mailbox_list *m = clist_content(i);

		if (can_be_opened(m) && out->len < IMAP_MAX_BOXES)
			g_ptr_array_add(out, imap_name_decode(m->mb_name));
	}
	if (found)
		mailimap_list_result_free(found);
	g_ptr_array_sort(out, by_name);
	return imap_check(s, rc, "it does not list its mailboxes", err)
		       ? g_steal_pointer(&out)
		       : NULL;
}

/* ---- opening */

gboolean imap_session_select(imap_session *s, const char *name, gboolean write,
			     struct imap_box *box, GError **err)
{
	g_autofree char *coded = imap_name_encode(name, err);
	g_autofree char *what = g_strdup_printf("mailbox \"%s\"", name);
	const struct mailimap_selection_info *info;
	int rc;

	if (!coded)
		return FALSE;
	imap_stream_begin(s->stream, 0, 0);
	imap_stream_guard(s->stream)->news = FALSE;
	rc = write ? mailimap_select(s->etpan, coded)
		   : mailimap_examine(s->etpan, coded);
	if (!imap_check(s, rc, what, err))
		return FALSE;
	info = s->etpan->imap_selection_info;
	box->validity = info ? info->sel_uidvalidity : 0;
	box->exists = info ? info->sel_exists : 0;
	return TRUE;
}

/* ---- what is in it */

static int by_uid(gconstpointer a, gconstpointer b)
{
	guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

	return x < y ? -1 : x > y;
}

static struct mailimap_search_key *key_new(int type, struct mailimap_set *uids,
					   struct mailimap_date *since,
					   clist *keys)
{
	return mailimap_search_key_new(type, NULL, NULL, NULL, NULL, NULL, NULL,
				       NULL, since, NULL, NULL, NULL, NULL,
				       NULL, NULL, 0, NULL, NULL, NULL, NULL,
				       NULL, NULL, 0, uids, NULL, keys);
}

/* A day earlier: servers take the day in zones of their own. */
static struct mailimap_date *make_day(gint64 since)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(MAX(since - 86400, 0));
	int year, month, day;

	g_date_time_get_ymd(t, &year, &month, &day);
	return mailimap_date_new(day, month, year);
}

static struct mailimap_search_key *make_key(guint32 from, guint32 to,
					    gint64 since)
{
	struct mailimap_set *set = mailimap_set_new_interval(from, to);
	struct mailimap_search_key *key =
		key_new(MAILIMAP_SEARCH_KEY_UID, set, NULL, NULL);
	clist *both;

	if (since <= 0)
		return key;
	both = clist_new();
	clist_append(both, key);
	clist_append(both, key_new(MAILIMAP_SEARCH_KEY_SINCE, NULL,
				   make_day(since), NULL));
	return key_new(MAILIMAP_SEARCH_KEY_MULTIPLE, NULL, NULL, both);
}

/* "5:*" names the last message even if its UID is 3. */
static void take_uids(clist *found, guint32 from, guint32 to, GArray *out)
{
	for (clistiter *i = clist_begin(found); i; i = clist_next(i)) {
		guint32 uid = *(guint32 *)clist_content(i);

		if (uid >= from && (to == 0 || uid <= to))
			g_array_append_val(out, uid);
	}
	g_array_sort(out, by_uid);
}

static void drop_doubles(GArray *uids)
{
	guint out = 0;

	for (guint i = 0; i < uids->len; i++) {
		guint32 uid = g_array_index(uids, guint32, i);

		if (out == 0 || g_array_index(uids, guint32, out - 1) != uid)
			g_array_index(uids, guint32, out++) = uid;
	}
	g_array_set_size(uids, out);
}

/* libetpan's result. */
static int search(imap_session *s, guint32 from, guint32 to, gint64 since,
		  GArray *out)
{
	struct mailimap_search_key *key = make_key(from, to, since);
	clist *found = NULL;
	int rc;

	imap_stream_begin(s->stream, 0, 0);
	rc = mailimap_uid_search(s->etpan, NULL, key, &found);
	mailimap_search_key_free(key);
	if (found && imap_check(s, rc, "", NULL))
		take_uids(found, from, to, out);
	if (found)
		mailimap_search_result_free(found);
	return rc;
}

GArray *imap_session_search(imap_session *s, guint32 from, guint32 to,
			    gint64 since, GError **err)
{
	g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(guint32));
	int rc;

	imap_stream_guard(s->stream)->news = FALSE;
	rc = search(s, from, to, since, out);
	/* an archive without an index knows no dates */
	if (since > 0 && imap_is_refused(s))
		rc = search(s, from, to, 0, out);
	if (!imap_check(s, rc, "it does not say which mail is new", err))
		return NULL;
	drop_doubles(out);
	return g_steal_pointer(&out);
}
