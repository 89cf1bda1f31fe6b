/* webcopy.c - pages of web archives as mail again
 * Works on lines of bytes; charset and quoting are the page's. */
#include <string.h>

#include "mail/date.h"
#include "mail/webcopy_priv.h"

#define HEAD_LINES 80 /* in which the head is looked for */

gboolean webcopy_next_line(const char **p, const char *end,
			   struct webcopy_line *l)
{
	const char *stop;

	if (*p >= end)
		return FALSE;
	stop = memchr(*p, '\n', (gsize)(end - *p));
	l->start = *p;
	l->next = stop ? stop + 1 : end;
	l->text = *p;
	l->len = (gsize)((stop ? stop : end) - *p);
	while (l->len && g_ascii_isspace(l->text[0])) {
		l->text++;
		l->len--;
	}
	while (l->len && g_ascii_isspace(l->text[l->len - 1]))
		l->len--;
	*p = l->next;
	return TRUE;
}

gboolean webcopy_starts(const struct webcopy_line *l, const char *with)
{
	gsize n = strlen(with);

	return l->len >= n && g_ascii_strncasecmp(l->text, with, n) == 0;
}

static gboolean holds(const struct webcopy_line *l, const char *what)
{
	return memmem(l->text, l->len, what, strlen(what)) != NULL;
}

static void set(GString *field, const char *text, gsize len)
{
	g_string_truncate(field, 0);
	g_string_append_len(field, text, (gssize)MIN(len, WEBCOPY_MAX_FIELD));
	g_strstrip(field->str);
	g_string_set_size(field, strlen(field->str));
}

static void set_value(GString *field, const struct webcopy_line *l,
		      const char *key)
{
	set(field, l->text + strlen(key), l->len - strlen(key));
}

/* ---- hypermail */

/* "EST" as minutes of an offset. */
static const char *zone_offset(const char *name)
{
	static const char *const zones[][2] = {
		{"EST", "-0500"}, {"EDT", "-0400"}, {"CST", "-0600"},
		{"CDT", "-0500"}, {"MST", "-0700"}, {"MDT", "-0600"},
		{"PST", "-0800"}, {"PDT", "-0700"}, {"CET", "+0100"},
		{"CEST", "+0200"}};

	for (guint i = 0; i < G_N_ELEMENTS(zones); i++)
		if (g_ascii_strcasecmp(name, zones[i][0]) == 0)
			return zones[i][1];
	return *name == '+' || *name == '-' ? name : "+0000";
}

/* "Date: Wed Jan 31 2024 - 09:09:33 EST" */
static gboolean read_hyper_date(struct webcopy_page *pg,
				const struct webcopy_line *l)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) w = NULL;
	guint n = 0;

	if (!webcopy_starts(l, "Date:") || l->len > 80)
		return FALSE;
	text = g_strndup(l->text + 5, l->len - 5);
	g_strstrip(text);
	w = g_strsplit_set(text, " \t", 12);
	/* double blanks before a day of one digit */
	for (guint i = 0; w[i]; i++)
		if (*w[i])
			w[n++] = w[i];
		else
			g_free(w[i]);
	w[n] = NULL;
	if (n < 6 || strcmp(w[4], "-") != 0 || strlen(w[3]) != 4 ||
	    strlen(w[1]) != 3 || strchr(w[0], ',') || !strchr(w[5], ':'))
		return FALSE;
	g_string_printf(pg->date, "%s, %s %s %s %s %s", w[0], w[2], w[1], w[3],
			w[5], zone_offset(n > 6 ? w[6] : ""));
	return TRUE;
}

static gboolean is_navigation(const struct webcopy_line *l)
{
	static const char *const words[] = {"Next message:",
					    "Previous message:",
					    "In reply to:",
					    "Next in thread:",
					    "Previous in thread:",
					    "Reply:",
					    "Messages sorted by:",
					    "Maybe in reply to:",
					    "[ date ]",
					    "Next message",
					    "Previous message",
					    "[Date ",
					    "Contemporary messages sorted:",
					    "[ Date ]"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (webcopy_starts(l, words[i]))
			return TRUE;
	return FALSE;
}

/* Behind the navigation and empty lines at `p`. */
static const char *skip_navigation(const char *p, const char *end)
{
	const char *from = p;
	struct webcopy_line l;

	while (webcopy_next_line(&p, end, &l)) {
		if (l.len && !is_navigation(&l) && l.text[0] != '[')
			break;
		from = l.next;
	}
	return from;
}

/* The page's own lines below a mail: where only such follow. */
static void cut_hyper(struct webcopy_page *pg)
{
	const char *p = pg->body, *cut = NULL;
	struct webcopy_line l;

	while (webcopy_next_line(&p, pg->end, &l)) {
		if (l.len && is_navigation(&l))
			cut = cut ? cut : l.start;
		else if (l.len && (!cut || l.text[0] != '['))
			cut = NULL;
	}
	if (cut)
		pg->end = cut;
}

static gboolean read_hyper(struct webcopy_page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean from = FALSE;
	struct webcopy_line l;

	for (guint i = 0; i < HEAD_LINES && webcopy_next_line(&p, pg->end, &l);
	     i++) {
		if (!l.len || is_navigation(&l))
			continue;
		if (webcopy_starts(&l, "From:")) {
			set_value(pg->from, &l, "From:");
			from = TRUE;
		} else if (from && read_hyper_date(pg, &l)) {
			pg->body = skip_navigation(p, pg->end);
			cut_hyper(pg);
			return pg->subject->len > 0;
		} else if (from && !webcopy_starts(&l, "To:") &&
			   !webcopy_starts(&l, "Cc:")) {
			return FALSE;
		} else if (webcopy_starts(&l, "Subject:")) {
			set_value(pg->subject, &l, "Subject:");
		} else if (!from) {
			set(pg->subject, l.text, l.len);
		}
	}
	return FALSE;
}

/* ---- public-inbox: the page of one message */

/* "Message-ID: <a@b> (raw)" without the link's text. */
static gsize without(const struct webcopy_line *l, const char *link)
{
	gsize n = strlen(link), len = l->len;

	if (len >= n && memcmp(l->text + len - n, link, n) == 0)
		len -= n;
	while (len && g_ascii_isspace(l->text[len - 1]))
		len--;
	return len;
}

static gboolean is_inbox_line(const struct webcopy_line *l)
{
	return (webcopy_starts(l, "Message-ID:") &&
		without(l, "(raw)") < l->len) ||
	       (webcopy_starts(l, "Date:") &&
		without(l, "[thread overview]") < l->len);
}

/* A field's name at the line's beginning. */
static gboolean is_field(const struct webcopy_line *l)
{
	static const char *const names[] = {
		"From:",     "To:",	    "Cc:",	    "Subject:",
		"Date:",     "Message-ID:", "In-Reply-To:", "References:",
		"Reply-To:", "List-Id:"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (webcopy_starts(l, names[i]))
			return TRUE;
	return FALSE;
}

static void add_field(struct webcopy_page *pg, const struct webcopy_line *l)
{
	gsize len = without(l, "(raw)");
	struct webcopy_line cut = {.text = l->text, .len = len};

	if (webcopy_starts(l, "From:")) {
		set_value(pg->last = pg->from, l, "From:");
	} else if (webcopy_starts(l, "Subject:")) {
		set_value(pg->last = pg->subject, l, "Subject:");
	} else if (webcopy_starts(l, "Date:")) {
		cut.len = without(l, "[thread overview]");
		set_value(pg->last = pg->date, &cut, "Date:");
	} else if (is_field(l)) {
		pg->has_id = pg->has_id || webcopy_starts(l, "Message-ID:");
		pg->last = pg->other;
		g_string_append_c(pg->other, '\n');
		g_string_append_len(pg->other, l->text, (gssize)len);
	} else if (pg->last && pg->last->len < WEBCOPY_MAX_FIELD) {
		/* a long subject or list of people goes on */
		g_string_append_c(pg->last, ' ');
		g_string_append_len(pg->last, l->text, (gssize)len);
	}
}

/* What the page wrote below the mail. */
static void cut_inbox(struct webcopy_page *pg)
{
	static const char *const marks[] = {
		"next prev parent reply", "prev parent reply",
		"next             reply", "^ permalink raw reply",
		"Thread overview:",	  "Reply instructions:"};
	const char *p = pg->body;
	struct webcopy_line l;

	while (webcopy_next_line(&p, pg->end, &l)) {
		gboolean mark = holds(&l, "other threads:[~");

		for (guint i = 0; i < G_N_ELEMENTS(marks) && !mark; i++)
			mark = webcopy_starts(&l, marks[i]);
		if (mark) {
			pg->end = l.start;
			return;
		}
	}
}

static gboolean read_inbox(struct webcopy_page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean inbox = FALSE, head = FALSE;
	struct webcopy_line l;

	for (guint i = 0; i < HEAD_LINES && webcopy_next_line(&p, pg->end, &l);
	     i++) {
		if (!head && !is_field(&l))
			continue;
		if (head && !l.len) {
			if (!inbox)
				return FALSE;
			pg->body = p;
			cut_inbox(pg);
			return pg->from->len && pg->date->len;
		}
		head = TRUE;
		inbox = inbox || is_inbox_line(&l);
		add_field(pg, &l);
	}
	return FALSE;
}

/* ---- public-inbox: a whole thread, of which the first mail counts */

/* "From: A Person @ 2024-01-31 14:09 UTC (permalink / raw)" */
static gboolean read_thread_from(struct webcopy_page *pg,
				 const struct webcopy_line *l)
{
	const char *at;
	guint year, month, day, hour, minute;
	g_autofree char *text = NULL;

	if (!webcopy_starts(l, "From:") || !holds(l, "(permalink / raw)"))
		return FALSE;
	text = g_strndup(l->text, l->len);
	at = strstr(text, " @ ");
	if (!at || strlen(at) < 20 || at[7] != '-' || at[10] != '-' ||
	    at[16] != ':')
		return FALSE;
	year = (guint)g_ascii_strtoull(at + 3, NULL, 10);
	month = (guint)g_ascii_strtoull(at + 8, NULL, 10);
	day = (guint)g_ascii_strtoull(at + 11, NULL, 10);
	hour = (guint)g_ascii_strtoull(at + 14, NULL, 10);
	minute = (guint)g_ascii_strtoull(at + 17, NULL, 10);
	if (month < 1 || month > 12)
		return FALSE;
	set(pg->from, text + 5, (gsize)(at - text - 5));
	g_string_printf(pg->date, "%u %s %u %02u:%02u:00 +0000", day,
			date_month_name((int)month), year, hour, minute);
	return TRUE;
}

static gboolean read_thread(struct webcopy_page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean from = FALSE;
	struct webcopy_line l;

	for (guint i = 0; i < HEAD_LINES && webcopy_next_line(&p, pg->end, &l);
	     i++) {
		if (from && !l.len) {
			pg->body = p;
			cut_inbox(pg);
			return pg->subject->len > 0;
		}
		if (!from && webcopy_starts(&l, "* "))
			set_value(pg->subject, &l, "* ");
		from = from || read_thread_from(pg, &l);
	}
	return FALSE;
}

/* What each kind of page has in its head. */
static gboolean is_likely(const char *bytes, gsize len)
{
	len = MIN(len, WEBCOPY_MAX_HEAD);
	return memmem(bytes, len, "(raw)", 5) ||
	       memmem(bytes, len, "[thread overview]", 17) ||
	       memmem(bytes, len, "(permalink / raw)", 17) ||
	       memmem(bytes, len, " - ", 3);
}

GBytes *webcopy_to_mail(GBytes *raw)
{
	typedef gboolean (*reader)(struct webcopy_page * pg, const char *bytes);
	static const reader readers[] = {read_hyper, read_inbox, read_thread};
	gsize len;
	const char *bytes = g_bytes_get_data(raw, &len);
	GBytes *mail = NULL;

	if (!bytes || !is_likely(bytes, len))
		return NULL;
	if (len > 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		bytes += 3;
		len -= 3;
	}
	for (guint i = 0; i < G_N_ELEMENTS(readers) && !mail; i++) {
		struct webcopy_page pg = {.end = bytes + len,
					  .from = g_string_new(NULL),
					  .date = g_string_new(NULL),
					  .subject = g_string_new(NULL),
					  .other = g_string_new(NULL)};

		if (readers[i](&pg, bytes))
			mail = webcopy_build(&pg);
		g_string_free(pg.from, TRUE);
		g_string_free(pg.date, TRUE);
		g_string_free(pg.subject, TRUE);
		g_string_free(pg.other, TRUE);
	}
	return mail;
}
