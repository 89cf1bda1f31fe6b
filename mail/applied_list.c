/* applied_list.c - the patches that a notice lists
 * "[2/5] title", and below it "commit: hex", a URL, or that there is none:
 * as b4 and patchwork write it. */
#include <string.h>

#include "mail/applied_priv.h"

#define HEX_MIN	    12 /* of a bare word */
#define HEX_COMMIT  7  /* behind "commit" */
#define HEX_MAX	    64
#define TITLE_LINES 2 /* a title may be wrapped once */
#define BARE_LINES  4 /* between a notice and a bare list */
#define TITLE_MAX   300

void applied_add_commit(struct applied *a, const char *hex, gsize len)
{
	g_autofree char *low = g_ascii_strdown(hex, (gssize)len);

	if (a->commits->len >= APPLIED_MAX_ITEMS)
		return;
	for (guint i = 0; i < a->commits->len; i++)
		if (!strcmp(a->commits->pdata[i], low))
			return;
	g_ptr_array_add(a->commits, g_steal_pointer(&low));
}

/* At most TITLE_MAX bytes, whole characters. */
static char *cut(const char *p, gsize len)
{
	const char *end = p + MIN(len, TITLE_MAX);

	if (len > TITLE_MAX)
		g_utf8_validate(p, TITLE_MAX, &end);
	return g_strndup(p, (gsize)(end - p));
}

static gsize hex_len(const char *p, const char *end)
{
	gsize n = 0;

	while (p + n < end && g_ascii_isxdigit(p[n]) && n <= HEX_MAX)
		n++;
	return n <= HEX_MAX && (p + n == end ||
				(!g_ascii_isalnum(p[n]) && !strchr("-_", p[n])))
		       ? n
		       : 0;
}

static gboolean has_letter_and_digit(const char *p, gsize n)
{
	gboolean letter = FALSE, digit = FALSE;

	for (gsize i = 0; i < n; i++) {
		letter |= g_ascii_isalpha(p[i]);
		digit |= g_ascii_isdigit(p[i]);
	}
	return letter && digit;
}

/* The commit in a URL: "/c/hex", "?id=hex", "/commit/hex". */
static const char *url_commit(const char *url, const char *end, gsize *len)
{
	static const char *const marks[] = {"/c/", "?id=", "&id=", "/commit/",
					    "h="};

	for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
		const char *at = memmem(url, (gsize)(end - url), marks[i],
					strlen(marks[i]));

		if (!at)
			continue;
		at += strlen(marks[i]);
		*len = hex_len(at, end);
		if (*len >= HEX_COMMIT)
			return at;
	}
	return NULL;
}

static gboolean follows_commit(const char *text, const char *p)
{
	while (p > text && strchr(" \t\n:\"'`(", p[-1]))
		p--;
	return p - text >= 6 && !g_ascii_strncasecmp(p - 6, "commit", 6);
}

void applied_find_commits(struct applied *a, const char *text, gsize len)
{
	const char *end = text + len, *p = text;

	while (p < end) {
		const char *q = p, *hex;
		gsize n = 0;

		while (p < end && g_ascii_isspace(*p))
			p++;
		for (q = p; q < end && !g_ascii_isspace(*q); q++)
			;
		while (p < q && strchr("(\"'`<[", *p))
			p++;
		if (memmem(p, (gsize)(q - p), "://", 3)) {
			hex = url_commit(p, q, &n);
			if (hex)
				applied_add_commit(a, hex, n);
		} else {
			n = hex_len(p, q);
			if (n >= HEX_MIN ||
			    (n >= HEX_COMMIT && has_letter_and_digit(p, n) &&
			     follows_commit(text, p)))
				applied_add_commit(a, p, n);
		}
		p = q;
	}
}

/* ---- lists */

static const char *content(const struct body_line *l, gsize *len)
{
	const char *p = l->text, *end = l->text + l->len;

	while (p < end && g_ascii_isspace(*p))
		p++;
	while (end > p && g_ascii_isspace(end[-1]))
		end--;
	*len = (gsize)(end - p);
	return p;
}

static gboolean is_own(const struct body_line *l)
{
	return l->kind == BODY_TEXT || l->kind == BODY_CODE ||
	       l->kind == BODY_DIFF;
}

struct head {
	int number, total;
	const char *title;
	gsize len;
};

/* "[1/3] title", "- [f2fs-dev,v2,1/3] title", "- [net] title". */
static gboolean read_head(struct head *h, const char *p, gsize len)
{
	const char *end = p + len, *close;

	*h = (struct head){-1, -1, NULL, 0};
	if (len > 2 && *p == '-' && p[1] == ' ')
		p += 2;
	close = p < end && *p == '[' ? memchr(p, ']', (gsize)(end - p)) : NULL;
	if (!close || close + 2 >= end || close[1] != ' ')
		return FALSE;
	for (const char *q = p + 1; q < close; q++) {
		char *slash;
		guint64 k;

		if (!g_ascii_isdigit(*q) ||
		    (q[-1] != '[' && q[-1] != ',' && q[-1] != ' '))
			continue;
		k = g_ascii_strtoull(q, &slash, 10);
		if (*slash == '/' && g_ascii_isdigit(slash[1]) && k < 10000) {
			h->number = (int)k;
			k = g_ascii_strtoull(slash + 1, NULL, 10);
			h->total = k < 10000 ? (int)k : -1;
			break;
		}
	}
	h->title = close + 2;
	h->len = (gsize)(end - h->title);
	return TRUE;
}

/* What a line below a title says of its commit. */
static gboolean read_commit(struct applied *a, struct applied_item *item,
			    const char *p, gsize len, gboolean *none)
{
	const char *end = p + len, *hex;
	gsize n = 0;

	*none = FALSE;
	if (len > 8 && !g_ascii_strncasecmp(p, "commit:", 7)) {
		for (hex = p + 7; hex < end && g_ascii_isspace(*hex); hex++)
			;
		n = hex_len(hex, end);
	} else if (len > 8 && memmem(p, MIN(len, 12), "://", 3)) {
		hex = url_commit(p, end, &n);
		if (!hex)
			return FALSE;
	} else if (*p == '(' && memmem(p, len, "commit", 6) &&
		   !strncmp(p, "(no ", 4)) {
		*none = TRUE;
		return TRUE;
	} else {
		hex = p;
		n = hex_len(p, end) == len ? len : 0;
	}
	if (n < HEX_COMMIT)
		return FALSE;
	item->commit = g_ascii_strdown(hex, (gssize)n);
	applied_add_commit(a, hex, n);
	return TRUE;
}

/* The item whose head is line `i`; FALSE: nothing below tells of a commit, so
 * it is none. */
static gboolean read_item(struct applied *a, const body *b, guint i,
			  const struct head *h, gboolean *none)
{
	struct applied_item *item = applied_add_item(a, h->number, h->total);
	GString *title;

	if (!item)
		return FALSE;
	title = g_string_new_len(h->title, (gssize)h->len);
	for (guint k = i + 1; k < body_count(b) && k <= i + TITLE_LINES; k++) {
		gsize len;
		const char *p = content(body_line(b, k), &len);

		if (!len || !is_own(body_line(b, k)))
			break;
		if (read_commit(a, item, p, len, none)) {
			item->title = cut(title->str, title->len);
			g_string_free(title, TRUE);
			return TRUE;
		}
		if (title->len + len < TITLE_MAX) {
			g_string_append_c(title, ' ');
			g_string_append_len(title, p, (gssize)len);
		}
	}
	g_string_free(title, TRUE);
	g_ptr_array_set_size(a->items, (int)a->items->len - 1);
	return FALSE;
}

/* "0123456789ab title", below the notice. */
static gboolean read_bare(struct applied *a, const char *p, gsize len)
{
	gsize n = hex_len(p, p + len);
	struct applied_item *item;

	if (n < HEX_MIN || n + 2 >= len || p[n] != ' ' || p[n + 1] == ' ' ||
	    !has_letter_and_digit(p, n))
		return FALSE;
	item = applied_add_item(a, -1, -1);
	if (!item)
		return FALSE;
	item->commit = g_ascii_strdown(p, (gssize)n);
	item->title = cut(p + n + 1, len - n - 1);
	applied_add_commit(a, p, n);
	return TRUE;
}

guint applied_read_list(struct applied *a, const body *b)
{
	guint without = 0, bare = a->line + BARE_LINES;

	for (guint i = 0; i < body_count(b); i++) {
		const struct body_line *l = body_line(b, i);
		gboolean none;
		struct head h;
		gsize len;
		const char *p;

		if (!is_own(l) || !l->len)
			continue;
		if (!a->robot && i >= a->line && i < bare &&
		    g_ascii_isxdigit(l->text[0]) &&
		    read_bare(a, l->text, l->len))
			bare = i + BARE_LINES;
		if (!memchr(l->text, '[', l->len))
			continue;
		p = content(l, &len);
		if (read_head(&h, p, len) && (a->robot || h.number >= 0) &&
		    read_item(a, b, i, &h, &none))
			without += none;
	}
	return without;
}
