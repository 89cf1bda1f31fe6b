/* reference.c - what an argument names
 * Words one after the other; what a URL names is in reference_url.c. Looks
 * nothing up. */
#include "mail/reference.h"

#include <string.h>

#include "mail/chars_priv.h"
#include "mail/msgid.h"
#include "mail/reference_priv.h"
#include "mail/subject.h"

#define MIN_HEX	    7 /* git's shortest abbreviation */
#define MAX_HEX	    40
#define CERTAIN_HEX 12 /* so many letters without a digit are no word */
#define ITEM_MONTH  6
#define ITEM_MIN    13
#define ITEM_MAX    40
#define BEFORE_HEX  4 /* words in front of an id: "upstream commit id X" */

const char *reference_kind_name(enum reference_kind k)
{
	static const char *const names[] = {"commit", "tag",  "range", "mail",
					    "ticket", "url",  "item",  "parent",
					    "root",   "title"};

	return names[k];
}

void reference_free(struct reference *r)
{
	if (!r)
		return;
	g_free(r->text);
	g_free(r->id);
	g_free(r->from);
	g_free(r->to);
	g_free(r->url);
	g_free(r->title);
	g_free(r->anchor);
	g_free(r);
}

/* ---- words */

static const char *skip_blanks(const char *p)
{
	while (g_ascii_isspace(*p))
		p++;
	return p;
}

static const char *skip_separators(const char *p)
{
	while (g_ascii_isspace(*p) || *p == ',' || *p == ';')
		p++;
	return p;
}

/* An id ends before a title that is glued to it: `0123456789ab("title")`. */
static const char *word_end(const char *p)
{
	gsize hex = 0;

	while (g_ascii_isxdigit(p[hex]))
		hex++;
	if (hex >= MIN_HEX && hex <= MAX_HEX && p[hex] == '(')
		return p + hex;
	while (*p && !g_ascii_isspace(*p))
		p++;
	return p;
}

static gboolean is_hex(const char *p, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isxdigit(p[i]))
			return FALSE;
	return len >= MIN_HEX && len <= MAX_HEX;
}

static gboolean has_digit(const char *p, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (g_ascii_isdigit(p[i]))
			return TRUE;
	return FALSE;
}

static gboolean is_ref_name(const char *p, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isalnum(p[i]) && !strchr("._/+-^~", p[i]))
			return FALSE;
	return len > 0;
}

/* v6.2-rc1, next-20230102, 6.1.7, btrfs-progs-5.1 */
static gboolean is_tag(const char *p, gsize len)
{
	if (!g_ascii_isalnum(*p) || !is_ref_name(p, len) || !has_digit(p, len))
		return FALSE;
	if (g_ascii_tolower(*p) == 'v' && len > 1 && g_ascii_isdigit(p[1]))
		return TRUE;
	for (gsize i = 1; i + 1 < len; i++)
		if (strchr("./-", p[i]))
			return TRUE;
	return FALSE;
}

/* 202309-abcdefgh, also with an "r" before it */
static gboolean is_item(const char *p, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (i < ITEM_MONTH ? !g_ascii_isdigit(p[i])
		    : i == ITEM_MONTH
			    ? p[i] != '-'
			    : !g_ascii_islower(p[i]) && !strchr("234567", p[i]))
			return FALSE;
	return len >= ITEM_MIN && len <= ITEM_MAX;
}

/* Without the marks around it and the punctuation behind. `..` of an open
 * range stays. */
static char *trim_word(const char *p, gsize len)
{
	while (len && strchr("\"'`([{", *p)) {
		p++;
		len--;
	}
	while (len && (strchr("\"'`)]},;:!?", p[len - 1]) ||
		       (p[len - 1] == '.' && (len < 2 || p[len - 2] != '.'))))
		len--;
	return g_strndup(p, len);
}

/* ---- ranges */

/* Where the dots are and how many bytes they take; NULL: none. */
static const char *find_dots(const char *word, gsize *len)
{
	const char *p = strstr(word, "..");
	const char *ellipsis = strstr(word, "\xe2\x80\xa6");

	if (p) {
		*len = strspn(p, ".");
		return *len <= 3 ? p : NULL;
	}
	*len = 3;
	return ellipsis;
}

static gboolean is_end(const char *p, gsize len)
{
	return is_hex(p, len) || is_tag(p, len);
}

static char *end_name(const char *p, gsize len)
{
	return is_hex(p, len) ? g_ascii_strdown(p, (gssize)len)
			      : g_strndup(p, len);
}

static void make_range(struct reference *r, const char *from, gsize from_len,
		       const char *to, gsize to_len)
{
	r->kind = REFERENCE_RANGE;
	r->from = from_len ? end_name(from, from_len) : NULL;
	r->to = to_len ? end_name(to, to_len) : NULL;
	r->id = g_strdup_printf("%s..%s", r->from ? r->from : "",
				r->to ? r->to : "");
}

static gboolean read_range(struct reference *r, const char *word)
{
	gsize dots, from, to;
	const char *p = find_dots(word, &dots), *behind;

	if (!p)
		return FALSE;
	from = (gsize)(p - word);
	behind = p + dots;
	to = strlen(behind);
	if ((from && !is_ref_name(word, from)) ||
	    (to && !is_ref_name(behind, to)) ||
	    (!is_end(word, from) && !is_end(behind, to)))
		return FALSE;
	make_range(r, word, from, behind, to);
	return TRUE;
}

/* "A to B", "A - B", "A -> B": bytes of what stands between. */
static gsize word_between(const char *p)
{
	static const char *const words[] = {"- ", "-> ", "to ",
					    "\xe2\x80\x93 "};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(p, words[i]))
			return strlen(words[i]);
	return 0;
}

/* "A .. B", "A.. B": `*end` is behind the word that was read. */
static void widen_range(struct reference *r, const char **end)
{
	const char *p = skip_blanks(*end), *to;
	gsize len, between;
	gboolean dots = FALSE;

	if (r->kind == REFERENCE_RANGE && r->to)
		return;
	if (r->kind != REFERENCE_RANGE) {
		between = strncmp(p, "..", 2) == 0 ? strspn(p, ".")
						   : word_between(p);
		if (!between)
			return;
		dots = *p == '.';
		p = skip_blanks(p + between);
	}
	to = word_end(p);
	while (to > p && strchr(".,;:)", to[-1]))
		to--;
	len = (gsize)(to - p);
	if (!is_end(p, len) && !dots)
		return;
	if (!is_end(p, len))
		len = 0;
	if (!r->from)
		r->from = g_strdup(r->id);
	g_free(r->id);
	r->kind = REFERENCE_RANGE;
	r->to = len ? end_name(p, len) : NULL;
	r->id = g_strdup_printf("%s..%s", r->from, r->to ? r->to : "");
	*end = len ? word_end(p) : p;
}

/* ---- one word */

static gboolean read_pointer(struct reference *r, const char *word)
{
	if (g_str_equal(word, "^"))
		r->kind = REFERENCE_PARENT;
	else if (g_str_equal(word, "/") || g_str_equal(word, "~"))
		r->kind = REFERENCE_ROOT;
	else
		return FALSE;
	return TRUE;
}

static gboolean read_mail(struct reference *r, const char *word)
{
	gsize len = strlen(word);

	if (!strchr(word, '@') || len > MSGID_MAX_BYTES)
		return FALSE;
	r->id = msgid_from_text(word);
	if (!r->id)
		return FALSE;
	r->kind = REFERENCE_MAIL;
	return TRUE;
}

static void read_word(struct reference *r, const char *word)
{
	gsize len = strlen(word);

	if (read_pointer(r, word) || reference_read_url(r, word))
		return;
	if (is_hex(word, len)) {
		r->kind = REFERENCE_COMMIT;
		r->id = g_ascii_strdown(word, -1);
	} else if (read_range(r, word) || read_mail(r, word)) {
		return;
	} else if (is_item(word + (*word == 'r'), len - (*word == 'r'))) {
		r->kind = REFERENCE_ITEM;
		r->id = g_strdup(word + (*word == 'r'));
	} else if (is_tag(word, len)) {
		r->kind = REFERENCE_TAG;
		r->id = g_strdup(word);
	} else {
		r->kind = REFERENCE_TITLE;
		r->title = g_strdup(word);
	}
}

/* Behind "commit", "upstream commit:", "commit id" if an id follows; else
 * `text`. */
static const char *skip_commit_words(const char *text)
{
	static const char *const words[] = {"commit",  "upstream", "mainline",
					    "id",      "sha1",	   "hash",
					    "commits", "the",	   NULL};
	const char *p = text;

	for (guint n = 0; n < BEFORE_HEX; n++) {
		gsize len = strcspn(p, " \t:#");
		g_autofree char *word = g_ascii_strdown(p, (gssize)len);
		g_autofree char *next = NULL;

		if (!g_strv_contains(words, word))
			return text;
		p += len;
		p += strspn(p, " \t:#");
		next = trim_word(p, (gsize)(word_end(p) - p));
		if (is_hex(next, strlen(next)))
			return p;
	}
	return text;
}

/* ("title") behind an id; `*end` is moved behind it. */
static char *title_behind(const char **end)
{
	const char *p = skip_blanks(*end), *close;
	char mark;

	if (*p != '(' || (p[1] != '"' && p[1] != '\''))
		return NULL;
	mark = p[1];
	for (close = strchr(p + 2, ')'); close; close = strchr(close + 1, ')'))
		if (close[-1] == mark && close - 1 > p + 1)
			break;
	if (!close)
		return NULL;
	*end = close + 1;
	return g_strndup(p + 2, (gsize)(close - 1 - (p + 2)));
}

static char *squeezed(const char *p, gsize len)
{
	return g_strchomp(chars_squeeze(p, len, len));
}

struct reference *reference_next(const char **text)
{
	const char *begin = skip_separators(*text), *p, *end;
	struct reference *r;
	g_autofree char *word = NULL;

	if (!*begin) {
		*text = begin;
		return NULL;
	}
	r = g_new0(struct reference, 1);
	p = skip_commit_words(begin);
	end = word_end(p);
	word = trim_word(p, MIN((gsize)(end - p), REFERENCE_MAX_TEXT));
	read_word(r, word);
	if (r->kind == REFERENCE_COMMIT)
		r->title = title_behind(&end);
	if ((r->kind == REFERENCE_COMMIT && !r->url) ||
	    r->kind == REFERENCE_TAG || r->kind == REFERENCE_RANGE)
		widen_range(r, &end);
	r->text = squeezed(begin, (gsize)(end - begin));
	*text = skip_separators(end);
	return r;
}

/* ---- the whole of an argument */

/* "defaced pages ..." is a title, not a commit and a remark. */
static gboolean is_english(const struct reference *r, const char *rest)
{
	gsize len = r->id ? strlen(r->id) : 0;

	return r->kind == REFERENCE_COMMIT && !r->url && len < CERTAIN_HEX &&
	       !has_digit(r->id, len) && *rest && *rest != '(' &&
	       g_str_has_prefix(r->text, r->id);
}

static gboolean stands_for_all(const struct reference *r, const char *rest)
{
	const char *next = rest;
	g_autoptr(reference_auto) behind = NULL;

	switch (r->kind) {
	case REFERENCE_COMMIT:
		return !is_english(r, rest);
	case REFERENCE_MAIL:
	case REFERENCE_TICKET:
	case REFERENCE_URL:
		return TRUE;
	case REFERENCE_TITLE:
		return FALSE;
	default:
		behind = reference_next(&next);
		return !behind || (behind->kind != REFERENCE_TITLE &&
				   behind->kind != REFERENCE_TAG);
	}
}

struct reference *reference_parse(const char *text)
{
	const char *rest = text;
	struct reference *r = reference_next(&rest);

	if (!r || stands_for_all(r, rest))
		return r;
	reference_free(r);
	r = g_new0(struct reference, 1);
	r->kind = REFERENCE_TITLE;
	text = skip_blanks(text);
	r->text = squeezed(text, strnlen(text, REFERENCE_MAX_TEXT));
	r->title = reference_clean_title(r->text);
	return r;
}

/* ---- titles */

/* Opening and closing marks of the inside of a pair: whether the pair holds
 * all of it, and is not the beginning of one piece and the end of another. */
static gboolean holds_together(const char *p, gsize len, char open, char close)
{
	int depth = 0;

	for (gsize i = 0; i < len && depth >= 0; i++) {
		char before = i ? p[i - 1] : ' ';
		char behind = i + 1 < len ? p[i + 1] : ' ';

		if (open != close)
			depth += (p[i] == open) - (p[i] == close);
		else if (p[i] != open)
			continue;
		else if (g_ascii_isspace(before))
			depth++;
		else if (!g_ascii_isalnum(behind))
			depth--;
	}
	return depth >= 0;
}

static gboolean strip_quotes(char *text, const char *open, const char *close)
{
	gsize len = strlen(text), n = strlen(open), m = strlen(close);

	if (len <= n + m || !g_str_has_prefix(text, open) ||
	    !g_str_has_suffix(text, close))
		return FALSE;
	if (n == 1 && !holds_together(text + 1, len - 2, *open, *close))
		return FALSE;
	memmove(text, text + n, len - n - m);
	text[len - n - m] = '\0';
	g_strstrip(text);
	return TRUE;
}

static void strip_pair(char *text)
{
	static const struct {
		const char *open, *close;
	} pairs[] = {
		{"\"", "\""},
		{"'", "'"},
		{"(", ")"},
		{"`", "`"},
		{"\xe2\x80\x9c", "\xe2\x80\x9d"},
		{"\xe2\x80\x98", "\xe2\x80\x99"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (strip_quotes(text, pairs[i].open, pairs[i].close))
			return;
}

static void strip_stop(char *text)
{
	gsize len = strlen(text);

	if (len > 1 && text[len - 1] == '.' && text[len - 2] != '.')
		text[len - 1] = '\0';
}

char *reference_clean_title(const char *text)
{
	g_autofree char *own =
		squeezed(skip_blanks(text),
			 strnlen(skip_blanks(text), REFERENCE_MAX_TEXT));
	g_autoptr(subject_auto) s = NULL;
	char *title;

	strip_stop(own);
	strip_pair(own);
	s = subject_parse(own, NULL);
	title = g_strdup(*s->base ? s->base : own);
	strip_pair(title);
	strip_stop(title);
	return title;
}
