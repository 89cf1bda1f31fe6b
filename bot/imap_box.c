/* imap_box.c - mailboxes of an IMAP server: which there are, opening one, and
 * which messages are in it */
#include <string.h>

#include "mail/date.h"

#include "bot/imap_priv.h"
#include "bot/imap_text.h"

#define DAY (24 * 3600)

/* ---- names */

char *imap_name_encode(const char *utf8, GError **err)
{
	g_autofree char *name =
		g_convert(utf8, -1, "UTF-7-IMAP", "UTF-8", NULL, NULL, NULL);
	char *quoted = name ? imap_quote(name, NULL) : NULL;

	if (!quoted)
		g_set_error(err, NET_ERROR, NET_ERROR_REFUSED,
			    "mailbox \"%s\": this can't be a name", utf8);
	return quoted;
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

static gboolean on_list(const char *line, GPtrArray *literals, void *data)
{
	GPtrArray *names = data;
	g_autofree char *name = NULL;

	if (!imap_text_list(line, literals, &name))
		return FALSE;
	if (name && names->len < IMAP_MAX_BOXES)
		g_ptr_array_add(names, decode_name(name));
	return TRUE;
}

GPtrArray *imap_session_list(imap_session *s, const char *pattern, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	const struct imap_reply reply = {.line = on_list, .data = out};
	g_autofree char *coded = imap_name_encode(pattern, err);
	g_autofree char *command = g_strconcat("LIST \"\" ", coded, NULL);

	if (!coded || !imap_ask(s, command, &reply,
				"it does not list its mailboxes", err))
		return NULL;
	g_ptr_array_sort(out, by_name);
	return g_steal_pointer(&out);
}

/* ---- opening */

static gboolean on_select(const char *line, GPtrArray *literals, void *data)
{
	struct imap_box *box = data;

	return imap_text_exists(line, &box->exists) &&
	       imap_text_validity(line, &box->validity);
}

gboolean imap_session_select(imap_session *s, const char *name, gboolean write,
			     struct imap_box *box, GError **err)
{
	const struct imap_reply reply = {.line = on_select, .data = box};
	g_autofree char *coded = imap_name_encode(name, err);
	g_autofree char *command = g_strjoin(" ", write ? "SELECT" : "EXAMINE",
					     coded ? coded : "", NULL);
	g_autofree char *what = g_strdup_printf("mailbox \"%s\"", name);

	if (!coded)
		return FALSE;
	*box = (struct imap_box){0};
	imap_stream_guard(s->stream)->news = FALSE;
	if (!imap_ask(s, command, &reply, what, err))
		return FALSE;
	/* how many there are is no news */
	imap_stream_guard(s->stream)->news = FALSE;
	return TRUE;
}

/* ---- what is in it */

char *imap_set(const guint32 *uids, guint n)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && uids[j] == uids[j - 1] + 1; j++)
			;
		g_string_append_printf(out, "%s%u", i ? "," : "", uids[i]);
		if (j > i + 1)
			g_string_append_printf(out, ":%u", uids[j - 1]);
	}
	return g_string_free(out, FALSE);
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

/* A day earlier: servers take the day in zones of their own. Months have
 * English names, whatever the locale. */
static void append_since(GString *out, gint64 since)
{
	g_autoptr(GDateTime) t =
		g_date_time_new_from_unix_utc(MAX(since - DAY, 0));

	g_string_append_printf(out, " SINCE %d-%s-%d",
			       g_date_time_get_day_of_month(t),
			       date_month_name(g_date_time_get_month(t)),
			       g_date_time_get_year(t));
}

static gboolean on_search(const char *line, GPtrArray *literals, void *data)
{
	return imap_text_search(line, data);
}

static gboolean search(imap_session *s, guint32 from, guint32 to, gint64 since,
		       GArray *out, GError **err)
{
	const struct imap_reply reply = {.line = on_search, .data = out};
	GString *command = g_string_new(NULL);
	gboolean ok;

	g_string_printf(command, "UID SEARCH UID %u:", from);
	if (to)
		g_string_append_printf(command, "%u", to);
	else
		g_string_append_c(command, '*');
	if (since > 0)
		append_since(command, since);
	ok = imap_ask(s, command->str, &reply,
		      "it does not say which mail is new", err);
	g_string_free(command, TRUE);
	return ok;
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
