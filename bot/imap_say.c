/* imap_say.c - what an IMAP server said, said again for libetpan */
#include "bot/imap_say.h"

#include <stdlib.h>
#include <string.h>

#include "mail/date.h"

#include "bot/imap_guard.h"
#include "bot/imap_session.h"
#include "bot/imap_text.h"

#define MAX_LINES 10000 /* of an answer that has no bound of its own */
#define MAX_WORDS 1000	/* capabilities of an answer */
#define MAX_WORD  100	/* bytes of one */

/* libetpan keeps each line until the answer is over. */
static gboolean count(struct imap_said *to)
{
	return ++to->lines <= MAX_LINES;
}

gboolean imap_say_greeting(const char *line, GPtrArray *literals, void *data)
{
	struct imap_said *to = data;

	if (to->lines++ > 0)
		return TRUE;
	if (imap_text_is(line, "* OK"))
		g_string_append(to->text, "* OK hello\r\n");
	else if (imap_text_is(line, "* PREAUTH"))
		g_string_append(to->text, "* PREAUTH hello\r\n");
	else
		g_string_append(to->text, "* NO hello\r\n");
	return TRUE;
}

/* ---- capabilities */

static gboolean is_word(const char *word, gsize len)
{
	static const char mechanism[] = "AUTH=";

	if (len == 0 || len > MAX_WORD ||
	    (len == strlen(mechanism) &&
	     g_ascii_strncasecmp(word, mechanism, len) == 0))
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isgraph(word[i]) || strchr("(){%*\"\\]", word[i]))
			return FALSE;
	return TRUE;
}

gboolean imap_say_capability(const char *line, GPtrArray *literals, void *data)
{
	static const char head[] = "* CAPABILITY";
	struct imap_said *to = data;
	const char *p = line + strlen(head);

	if (!imap_text_is(line, head))
		return TRUE;
	g_string_append(to->text, "* CAPABILITY IMAP4rev1");
	while (*p) {
		gsize len;

		p += strspn(p, " ");
		len = strcspn(p, " ");
		if (is_word(p, len) && to->found++ < MAX_WORDS) {
			g_string_append_c(to->text, ' ');
			g_string_append_len(to->text, p, (gssize)len);
		}
		p += len;
	}
	g_string_append(to->text, "\r\n");
	return count(to);
}

/* ---- mailboxes */

/* IMAP has them in ASCII (UTF-7); others are only good to be shown. */
static char *clean_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!g_ascii_isprint(*p))
			return imap_guard_printable(name);
	return g_strdup(name);
}

gboolean imap_say_list(const char *line, GPtrArray *literals, void *data)
{
	struct imap_said *to = data;
	g_autofree char *name = NULL, *clean = NULL;

	if (!imap_text_list(line, literals, &name))
		return FALSE;
	if (!name || to->lines >= IMAP_MAX_BOXES)
		return TRUE;
	to->lines++;
	clean = clean_name(name);
	g_string_append(to->text, "* LIST () \"/\" \"");
	for (const char *p = clean; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(to->text, '\\');
		g_string_append_c(to->text, *p);
	}
	g_string_append(to->text, "\"\r\n");
	return TRUE;
}

gboolean imap_say_box(const char *line, GPtrArray *literals, void *data)
{
	struct imap_said *to = data;
	guint32 exists = G_MAXUINT32, validity = 0;

	if (!imap_text_exists(line, &exists) ||
	    !imap_text_validity(line, &validity))
		return FALSE;
	if (exists < G_MAXUINT32)
		g_string_append_printf(to->text, "* %u EXISTS\r\n", exists);
	else if (validity > 0)
		g_string_append_printf(to->text, "* OK [UIDVALIDITY %u] it\r\n",
				       validity);
	else
		return TRUE;
	return count(to);
}

/* ---- messages */

gboolean imap_say_search(const char *line, GPtrArray *literals, void *data)
{
	struct imap_said *to = data;
	g_autoptr(GArray) uids = g_array_new(FALSE, FALSE, sizeof(guint32));
	gsize before = to->text->len;

	if (!imap_text_search(line, uids))
		return FALSE;
	g_string_append(to->text, "* SEARCH");
	for (guint i = 0; i < uids->len; i++) {
		guint32 uid = g_array_index(uids, guint32, i);

		if (uid == 0)
			continue;
		if (++to->found > IMAP_MAX_FOUND)
			return FALSE;
		g_string_append_printf(to->text, " %u", uid);
	}
	if (to->text->len == before + strlen("* SEARCH")) {
		g_string_truncate(to->text, before);
		return TRUE;
	}
	g_string_append(to->text, "\r\n");
	return count(to);
}

static int by_uid(gconstpointer a, gconstpointer b)
{
	guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

	return x < y ? -1 : x > y;
}

static gboolean is_wanted(const struct imap_said *to,
			  const struct imap_fetched *f)
{
	gboolean told = to->bodies ? f->body || f->larger : f->sized;

	return f->is && told && to->n > 0 &&
	       bsearch(&f->uid, to->uids, to->n, sizeof(f->uid), by_uid) &&
	       to->lines < 4 * to->n;
}

static void say_date(GString *to, gint64 received)
{
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(received);

	if (!t || received == 0)
		return;
	g_string_append_printf(
		to, " INTERNALDATE \"%02d-%s-%04d %02d:%02d:%02d +0000\"",
		g_date_time_get_day_of_month(t),
		date_month_name(g_date_time_get_month(t)),
		g_date_time_get_year(t), g_date_time_get_hour(t),
		g_date_time_get_minute(t), g_date_time_get_second(t));
}

static void say_fetched(GString *to, const struct imap_fetched *f,
			gboolean with_body)
{
	g_string_append_printf(to, "* 1 FETCH (UID %u", f->uid);
	if (with_body) {
		g_string_append_printf(to, " BODY[] {%u}\r\n", f->body->len);
		g_string_append_len(to, (const char *)f->body->data,
				    f->body->len);
	} else {
		g_string_append_printf(to, " RFC822.SIZE %u",
				       (guint)MIN(f->size, G_MAXUINT32));
		say_date(to, f->received);
	}
	g_string_append(to, ")\r\n");
}

gboolean imap_say_fetch(const char *line, GPtrArray *literals, void *data)
{
	struct imap_said *to = data;
	struct imap_fetched f;

	if (!imap_text_fetch(line, literals, &f))
		return FALSE;
	if (is_wanted(to, &f)) {
		to->lines++;
		say_fetched(to->text, &f, to->bodies && f.body);
	}
	g_clear_pointer(&f.body, g_byte_array_unref);
	return TRUE;
}

/* ---- ends */

void imap_say_end(struct imap_said *to, const char *tag, const char *status)
{
	static const char *const words[] = {"OK", "NO", "BAD"};
	char own[16];

	g_snprintf(own, sizeof(own), "%d", to->tag);
	if (to->tag == 0 || !g_str_equal(tag, own))
		return;
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (imap_text_is(status, words[i]))
			g_string_append_printf(to->text, "%s %s it\r\n", own,
					       words[i]);
}
