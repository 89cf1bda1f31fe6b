/* imap_box.c - mailboxes of an IMAP server: which there are, opening one, and
 * which messages are in it */
#include <string.h>

#include "bot/imap_priv.h"

#define DAY (24 * 3600)

/* ---- names */

char *imap_name_encode(const char *utf8, GError **err)
{
	char *name =
		g_convert(utf8, -1, "UTF-7-IMAP", "UTF-8", NULL, NULL, NULL);

	if (name && imap_can_send(name, NULL))
		return name;
	g_free(name);
	g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
		    "mailbox \"%s\": this can't be a name", utf8);
	return NULL;
}

static char *decode_name(const char *name)
{
	char *utf8 =
		g_convert(name, -1, "UTF-8", "UTF-7-IMAP", NULL, NULL, NULL);

	return utf8 ? utf8 : imap_guard_printable(name);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *imap_session_list(imap_session *s, const char *pattern, GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_list};
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *coded = imap_name_encode(pattern, err);
	clist *found = NULL;
	int rc;

	if (!coded)
		return NULL;
	imap_begin(s, &reply);
	rc = mailimap_list(s->etpan, "", coded, &found);
	for (clistiter *i = found ? clist_begin(found) : NULL; i;
	     i = clist_next(i)) {
		const struct mailimap_mailbox_list *m = clist_content(i);

		g_ptr_array_add(out, decode_name(m->mb_name));
	}
	if (found)
		mailimap_list_result_free(found);
	if (!imap_check(s, rc, "it does not list its mailboxes", err))
		return NULL;
	g_ptr_array_sort(out, by_name);
	return g_steal_pointer(&out);
}

/* ---- opening */

gboolean imap_session_select(imap_session *s, const char *name, gboolean write,
			     struct imap_box *box, GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_box};
	g_autofree char *coded = imap_name_encode(name, err);
	g_autofree char *what = g_strdup_printf("mailbox \"%s\"", name);
	const struct mailimap_selection_info *info;
	int rc;

	if (!coded)
		return FALSE;
	*box = (struct imap_box){0};
	imap_begin(s, &reply);
	rc = write ? mailimap_select(s->etpan, coded)
		   : mailimap_examine(s->etpan, coded);
	/* how many there are is no news */
	imap_stream_guard(s->stream)->news = FALSE;
	if (!imap_check(s, rc, what, err))
		return FALSE;
	info = s->etpan->imap_selection_info;
	if (info) {
		box->validity = info->sel_uidvalidity;
		box->exists = info->sel_exists;
	}
	return TRUE;
}

/* ---- what is in it */

struct mailimap_set *imap_set(const guint32 *uids, guint n)
{
	struct mailimap_set *set = mailimap_set_new_empty();

	for (guint i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && uids[j] == uids[j - 1] + 1; j++)
			;
		mailimap_set_add_interval(set, uids[i], uids[j - 1]);
	}
	return set;
}

static int by_uid(gconstpointer a, gconstpointer b)
{
	guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

	return x < y ? -1 : x > y;
}

/* Ascending, each once, none that was not asked for: "5:*" names the last
 * message even if its UID is 3. */
static void tidy(GArray *uids, guint32 from, guint32 to)
{
	guint out = 0;

	g_array_sort(uids, by_uid);
	for (guint i = 0; i < uids->len; i++) {
		guint32 uid = g_array_index(uids, guint32, i);

		if (uid >= from && (to == 0 || uid <= to) &&
		    (out == 0 || g_array_index(uids, guint32, out - 1) != uid))
			g_array_index(uids, guint32, out++) = uid;
	}
	g_array_set_size(uids, out);
}

/* A day earlier: servers take the day in zones of their own. */
static struct mailimap_date *make_day(gint64 since)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(MAX(since - DAY, 0));
	int year, month, day;

	g_date_time_get_ymd(t, &year, &month, &day);
	return mailimap_date_new(day, month, year);
}

static struct mailimap_search_key *make_key(guint32 from, guint32 to,
					    gint64 since)
{
	struct mailimap_search_key *uids = mailimap_search_key_new_uid(
		mailimap_set_new_interval(from, to));
	struct mailimap_search_key *both;

	if (since <= 0)
		return uids;
	both = mailimap_search_key_new_multiple_empty();
	mailimap_search_key_multiple_add(both, uids);
	mailimap_search_key_multiple_add(both, mailimap_search_key_new_since(
						       make_day(since)));
	return both;
}

static gboolean search(imap_session *s, guint32 from, guint32 to, gint64 since,
		       GArray *out, GError **err)
{
	static const struct imap_reply reply = {.line = imap_say_search};
	struct mailimap_search_key *key = make_key(from, to, since);
	clist *found = NULL;
	int rc;

	imap_begin(s, &reply);
	rc = mailimap_uid_search(s->etpan, NULL, key, &found);
	mailimap_search_key_free(key);
	for (clistiter *i = found ? clist_begin(found) : NULL; i;
	     i = clist_next(i))
		g_array_append_val(out, *(guint32 *)clist_content(i));
	if (found)
		mailimap_search_result_free(found);
	return imap_check(s, rc, "it does not say which mail is new", err);
}

GArray *imap_session_search(imap_session *s, guint32 from, guint32 to,
			    gint64 since, GError **err)
{
	g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_autoptr(GError) no = NULL;

	imap_stream_guard(s->stream)->news = FALSE;
	if (!search(s, from, to, since, out, &no)) {
		/* an archive without an index knows no dates */
		if (since == 0 || !imap_is_refused(s)) {
			g_propagate_error(err, g_steal_pointer(&no));
			return NULL;
		}
		if (!search(s, from, to, 0, out, err))
			return NULL;
	}
	tidy(out, from, to);
	return g_steal_pointer(&out);
}
