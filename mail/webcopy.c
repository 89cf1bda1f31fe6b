/* webcopy.c - pages of web archives as mail again
 * Works on lines of bytes; charset and quoting are the page's. */
#include "mail/webcopy.h"

#include <string.h>

#define HEAD_LINES 80	 /* in which the head is looked for */
#define MAX_FIELD  16384 /* bytes of one field of the new head */
#define ID_LINES   4000	 /* looked at for a robot's Message-ID */

struct line {
	const char *text; /* blanks at both ends trimmed */
	gsize len;
	const char *start; /* of the whole line */
	const char *next;  /* behind its end */
};

struct page {
	const char *end;
	const char *body; /* where it begins */
	GString *from;
	GString *date;
	GString *subject;
	GString *other; /* whole fields */
	gboolean has_id;
};

static gboolean next_line(const char **p, const char *end, struct line *l)
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

static gboolean starts(const struct line *l, const char *with)
{
	gsize n = strlen(with);

	return l->len >= n && g_ascii_strncasecmp(l->text, with, n) == 0;
}

static gboolean holds(const struct line *l, const char *what)
{
	return memmem(l->text, l->len, what, strlen(what)) != NULL;
}

static void set(GString *field, const char *text, gsize len)
{
	g_string_truncate(field, 0);
	g_string_append_len(field, text, (gssize)MIN(len, MAX_FIELD));
	g_strstrip(field->str);
	g_string_set_size(field, strlen(field->str));
}

static void set_value(GString *field, const struct line *l, const char *key)
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
static gboolean read_hyper_date(struct page *pg, const struct line *l)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) w = NULL;
	guint n = 0;

	if (!starts(l, "Date:") || l->len > 80)
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

static gboolean is_navigation(const struct line *l)
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
		if (starts(l, words[i]))
			return TRUE;
	return FALSE;
}

/* Behind the navigation and empty lines at `p`. */
static const char *skip_navigation(const char *p, const char *end)
{
	const char *from = p;
	struct line l;

	while (next_line(&p, end, &l)) {
		if (l.len && !is_navigation(&l) && l.text[0] != '[')
			break;
		from = l.next;
	}
	return from;
}

/* The page's own lines below a mail: where only such follow. */
static void cut_hyper(struct page *pg)
{
	const char *p = pg->body, *cut = NULL;
	struct line l;

	while (next_line(&p, pg->end, &l)) {
		if (l.len && is_navigation(&l))
			cut = cut ? cut : l.start;
		else if (l.len && (!cut || l.text[0] != '['))
			cut = NULL;
	}
	if (cut)
		pg->end = cut;
}

static gboolean read_hyper(struct page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean from = FALSE;
	struct line l;

	for (guint i = 0; i < HEAD_LINES && next_line(&p, pg->end, &l); i++) {
		if (!l.len || is_navigation(&l))
			continue;
		if (starts(&l, "From:")) {
			set_value(pg->from, &l, "From:");
			from = TRUE;
		} else if (from && read_hyper_date(pg, &l)) {
			pg->body = skip_navigation(p, pg->end);
			cut_hyper(pg);
			return pg->subject->len > 0;
		} else if (from && !starts(&l, "To:") && !starts(&l, "Cc:")) {
			return FALSE;
		} else if (starts(&l, "Subject:")) {
			set_value(pg->subject, &l, "Subject:");
		} else if (!from) {
			set(pg->subject, l.text, l.len);
		}
	}
	return FALSE;
}

/* ---- public-inbox: the page of one message */

/* "Message-ID: <a@b> (raw)" without the link's text. */
static gsize without(const struct line *l, const char *link)
{
	gsize n = strlen(link), len = l->len;

	if (len >= n && memcmp(l->text + len - n, link, n) == 0)
		len -= n;
	while (len && g_ascii_isspace(l->text[len - 1]))
		len--;
	return len;
}

static gboolean is_inbox_line(const struct line *l)
{
	return (starts(l, "Message-ID:") && without(l, "(raw)") < l->len) ||
	       (starts(l, "Date:") && without(l, "[thread overview]") < l->len);
}

/* A field's name at the line's beginning. */
static gboolean is_field(const struct line *l)
{
	static const char *const names[] = {
		"From:",     "To:",	    "Cc:",	    "Subject:",
		"Date:",     "Message-ID:", "In-Reply-To:", "References:",
		"Reply-To:", "List-Id:"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (starts(l, names[i]))
			return TRUE;
	return FALSE;
}

static void add_field(struct page *pg, const struct line *l)
{
	gsize len = without(l, "(raw)");
	struct line cut = {.text = l->text, .len = len};

	if (starts(l, "From:")) {
		set_value(pg->from, l, "From:");
	} else if (starts(l, "Subject:")) {
		set_value(pg->subject, l, "Subject:");
	} else if (starts(l, "Date:")) {
		cut.len = without(l, "[thread overview]");
		set_value(pg->date, &cut, "Date:");
	} else if (is_field(l)) {
		pg->has_id = pg->has_id || starts(l, "Message-ID:");
		g_string_append_c(pg->other, '\n');
		g_string_append_len(pg->other, l->text, (gssize)len);
	} else if (pg->other->len && pg->other->len < MAX_FIELD) {
		/* the rest of a long list of people */
		g_string_append_c(pg->other, ' ');
		g_string_append_len(pg->other, l->text, (gssize)len);
	}
}

/* What the page wrote below the mail. */
static void cut_inbox(struct page *pg)
{
	static const char *const marks[] = {
		"next prev parent reply", "prev parent reply",
		"next             reply", "^ permalink raw reply",
		"Thread overview:",	  "Reply instructions:"};
	const char *p = pg->body;
	struct line l;

	while (next_line(&p, pg->end, &l)) {
		gboolean mark = holds(&l, "other threads:[~");

		for (guint i = 0; i < G_N_ELEMENTS(marks) && !mark; i++)
			mark = starts(&l, marks[i]);
		if (mark) {
			pg->end = l.start;
			return;
		}
	}
}

static gboolean read_inbox(struct page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean inbox = FALSE, head = FALSE;
	struct line l;

	for (guint i = 0; i < HEAD_LINES && next_line(&p, pg->end, &l); i++) {
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
static gboolean read_thread_from(struct page *pg, const struct line *l)
{
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr",
					   "May", "Jun", "Jul", "Aug",
					   "Sep", "Oct", "Nov", "Dec"};
	const char *at;
	guint year, month, day, hour, minute;
	g_autofree char *text = NULL;

	if (!starts(l, "From:") || !holds(l, "(permalink / raw)"))
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
			months[month - 1], year, hour, minute);
	return TRUE;
}

static gboolean read_thread(struct page *pg, const char *bytes)
{
	const char *p = bytes;
	gboolean from = FALSE;
	struct line l;

	for (guint i = 0; i < HEAD_LINES && next_line(&p, pg->end, &l); i++) {
		if (from && !l.len) {
			pg->body = p;
			cut_inbox(pg);
			return pg->subject->len > 0;
		}
		if (!from && starts(&l, "* "))
			set_value(pg->subject, &l, "* ");
		from = from || read_thread_from(pg, &l);
	}
	return FALSE;
}

/* ---- the robot's own Message-ID */

/* "202401311609.2c8c0628-oliver.sang@intel.com", its domain perhaps hidden:
 * length of the local part, 0 none. */
static gsize id_len(const char *p, gsize len)
{
	gsize n = 0;

	while (n < len && g_ascii_isdigit(p[n]))
		n++;
	if (n != 12 || n >= len || p[n] != '.')
		return 0;
	for (n++; n < len && g_ascii_isalnum(p[n]);)
		n++;
	if (n < 18 || n >= len || (p[n] != '-' && p[n] != '%'))
		return 0;
	for (n++; n < len && (g_ascii_islower(p[n]) || p[n] == '.');)
		n++;
	return n < len && p[n] == '@' ? n : 0;
}

/* A line of the report itself which holds its id. */
static gboolean tells_id(const struct line *l)
{
	static const char *const keys[] = {
		"Closes: ", "Link: ", "| Closes: ", "| Link: ",
		"https://download.01.org/0day-ci/archive/"};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		if (starts(l, keys[i]))
			return TRUE;
	return FALSE;
}

static void recover_id(struct page *pg)
{
	const char *p = pg->body;
	struct line l;

	for (guint i = 0; i < ID_LINES && next_line(&p, pg->end, &l); i++) {
		const char *slash;
		gsize n, rest;

		if (!tells_id(&l))
			continue;
		while (l.len && l.text[l.len - 1] == '/')
			l.len--;
		slash = memrchr(l.text, '/', l.len);
		if (!slash)
			continue;
		slash++;
		rest = (gsize)(l.text + l.len - slash);
		n = id_len(slash, rest);
		if (!n)
			continue;
		g_string_append_printf(pg->other,
				       "\nMessage-ID: <%.*s@intel.com>", (int)n,
				       slash);
		return;
	}
}

static gboolean is_test_robot(const struct page *pg)
{
	return g_str_has_prefix(pg->from->str, "kernel test r") ||
	       g_str_has_prefix(pg->from->str, "kbuild test r");
}

/* ---- the mail */

/* "name <user@xxxxxxxxx>", "name (user@xxx)": the name alone. */
static void hide_address(GString *from)
{
	char *at = strstr(from->str, "@xx");
	char *open;

	if (!at)
		return;
	open = memrchr(from->str, '<', (gsize)(at - from->str));
	if (!open)
		open = memrchr(from->str, '(', (gsize)(at - from->str));
	if (open)
		g_string_truncate(from, (gsize)(open - from->str));
}

static void append_from(const struct page *pg, GString *out)
{
	const char *name = pg->from->str;

	if (strchr(name, '<') || strchr(name, '@')) {
		g_string_append_printf(out, "From: %s\n", name);
		return;
	}
	g_string_append(out, "From: \"");
	for (; *name; name++)
		if (!strchr("\"\\\r\n", *name))
			g_string_append_c(out, *name);
	g_string_append(out, "\" <>\n");
}

static GBytes *build(struct page *pg)
{
	GString *out = g_string_sized_new((gsize)(pg->end - pg->body) + 512);
	gsize len;

	hide_address(pg->from);
	if (!pg->has_id && is_test_robot(pg))
		recover_id(pg);
	append_from(pg, out);
	g_string_append_printf(out, "Subject: %s\nDate: %s", pg->subject->str,
			       pg->date->str);
	g_string_append_len(out, pg->other->str, (gssize)pg->other->len);
	g_string_append(out, "\nMIME-Version: 1.0\n"
			     "Content-Transfer-Encoding: 8bit\n"
			     "Content-Type: text/plain\n\n");
	g_string_append_len(out, pg->body, (gssize)(pg->end - pg->body));
	len = out->len;
	return g_bytes_new_take(g_string_free(out, FALSE), len);
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
	typedef gboolean (*reader)(struct page * pg, const char *bytes);
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
		struct page pg = {.end = bytes + len,
				  .from = g_string_new(NULL),
				  .date = g_string_new(NULL),
				  .subject = g_string_new(NULL),
				  .other = g_string_new(NULL)};

		if (readers[i](&pg, bytes))
			mail = build(&pg);
		g_string_free(pg.from, TRUE);
		g_string_free(pg.date, TRUE);
		g_string_free(pg.subject, TRUE);
		g_string_free(pg.other, TRUE);
	}
	return mail;
}
