/* subject.c - reply marks and brackets of a subject, titles for comparing
 * Knows nothing of headers: the text is decoded. */
#include "mail/subject.h"

#include <string.h>

#include "mail/subject_priv.h"

#define MAX_NESTING 3	/* of brackets that are read as one */
#define MAX_MARKS   100 /* reply marks of one subject */

static const char wide_colon[] = "\xef\xbc\x9a";

struct mark {
	const char *word;
	gboolean forward;
};

static const struct mark marks[] = {
	{"re", FALSE},	 {"aw", FALSE},	  {"antwort", FALSE}, {"antw", FALSE},
	{"sv", FALSE},	 {"odp", FALSE},  {"回复", FALSE},    {"答复", FALSE},
	{"回覆", FALSE}, {"答覆", FALSE}, {"fwd", TRUE},      {"fw", TRUE},
	{"转发", TRUE},	 {"轉寄", TRUE},
};

/* Lists that put their name in front, and what mail gateways add. */
static const char *const built_in_tags[] = {
	"f2fs-dev",	   "linux-f2fs-devel",
	"dm-devel",	   "ocfs2-devel",
	"qemu-devel",	   "cluster-devel",
	"intel-wired-lan", "xen-devel",
	"external",	   "ext",
	"external email",  "external sender",
};

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* "[2]", "(2)", "^2" between a reply mark and its colon. */
static const char *skip_mark_count(const char *p)
{
	const char *q = p;
	char close = *p == '[' ? ']' : *p == '(' ? ')' : 0;

	if (!close && *p != '^')
		return p;
	for (q++; g_ascii_isdigit(*q); q++)
		;
	if (q == p + 1)
		return p;
	if (!close)
		return q;
	return *q == close ? q + 1 : p;
}

/* Behind the reply mark at `p`, or NULL. */
static const char *match_mark(const char *p, gboolean *forward)
{
	for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
		gsize n = strlen(marks[i].word);
		const char *q;

		if (g_ascii_strncasecmp(p, marks[i].word, n))
			continue;
		q = skip_blanks(skip_mark_count(p + n));
		*forward = marks[i].forward;
		if (*q == ':')
			return q + 1;
		if (g_str_has_prefix(q, wide_colon))
			return q + strlen(wide_colon);
	}
	return NULL;
}

static const char *skip_marks(const char *p, struct subject *s)
{
	for (guint i = 0; i < MAX_MARKS; i++) {
		gboolean forward = FALSE;
		const char *q = match_mark(p, &forward);

		if (!q)
			break;
		s->forward |= forward;
		s->reply |= !forward;
		p = skip_blanks(q);
	}
	return p;
}

/* The "(subset)" that b4 puts before the bracket. */
static const char *skip_subset(const char *p, struct subject *s)
{
	static const char subset[] = "(subset)";
	const char *q;

	if (g_ascii_strncasecmp(p, subset, strlen(subset)))
		return p;
	q = skip_blanks(p + strlen(subset));
	s->subset = TRUE;
	return q;
}

/* Behind the ']' that balances the '[' at `p`, or NULL. */
static const char *balanced_end(const char *p)
{
	guint depth = 0;

	for (; *p; p++) {
		if (*p == '[' && ++depth > MAX_NESTING)
			return NULL;
		if (*p == ']' && --depth == 0)
			return p + 1;
	}
	return NULL;
}

/*
 * The end of a bracket that nothing balances: the first blank behind an N/M,
 * if that comes before any other bracket; else the first ']'.
 */
static const char *unbalanced_end(const char *p)
{
	const char *q = p + 1;

	for (; *q && *q != '[' && *q != ']'; q++) {
		gsize n = q[-1] == ' ' || q[-1] == '[' || q[-1] == ','
				  ? subject_counter_len(q)
				  : 0;

		if (n && (q[n] == ' ' || q[n] == ':'))
			return q + n;
	}
	q = strchr(p, ']');
	return q ? q + 1 : NULL;
}

/* "[v3 fstests: title": the words that cannot begin a title. */
static const char *open_end(const char *p)
{
	const char *q = skip_blanks(p + 1);
	gsize n = subject_known_len(q);

	return n ? q + n : NULL;
}

static gboolean is_list_tag(const char *content, const char *const *tags)
{
	for (guint i = 0; i < G_N_ELEMENTS(built_in_tags); i++)
		if (!g_ascii_strcasecmp(content, built_in_tags[i]))
			return TRUE;
	for (; tags && *tags; tags++)
		if (!g_ascii_strcasecmp(content, *tags))
			return TRUE;
	return FALSE;
}

/* Read the bracket at `p`; behind it and its ':', or NULL if it is none.
 * `*tag`: it is the name of a list, which may stand before a reply mark. */
static const char *read_bracket(struct subject_scan *scan, const char *p,
				gboolean *tag)
{
	const char *end = balanced_end(p);
	g_autofree char *content = NULL;

	if (!end) {
		end = unbalanced_end(p);
		if (!end)
			end = open_end(p);
		if (!end)
			return NULL;
		scan->subject->malformed = TRUE;
	}
	content = g_strndup(p + 1, (gsize)(end - p - 1));
	g_strdelimit(content, "[]", ' ');
	g_strstrip(content);
	*tag = is_list_tag(content, scan->list_tags);
	if (!*tag)
		subject_scan_bracket(scan, content);
	end = skip_blanks(end);
	return *end == ':' ? skip_blanks(end + 1) : end;
}

/* "RE title": without colon it counts at the very beginning only. */
static const char *skip_bare_re(const char *p, struct subject *s)
{
	const char *q;

	if (g_ascii_strncasecmp(p, "re ", 3))
		return p;
	q = skip_blanks(p + 3);
	if (*q == ':' || g_str_has_prefix(q, wide_colon))
		return p;
	s->reply = TRUE;
	return q;
}

/* "(v2)" at the end of the title. */
static void read_final_version(struct subject *s)
{
	gsize len = strlen(s->base);
	gsize start = len;

	if (s->version_stated || len < 4 || s->base[len - 1] != ')')
		return;
	for (start--; start > 0 && g_ascii_isdigit(s->base[start - 1]); start--)
		;
	if (len - 1 - start < 1 || len - 1 - start > 4 || start < 2)
		return;
	if ((s->base[start - 1] | 0x20) != 'v' || s->base[start - 2] != '(')
		return;
	s->version = (int)g_ascii_strtoull(s->base + start, NULL, 10);
	s->version_stated = TRUE;
}

struct subject *subject_parse(const char *text, const char *const *list_tags)
{
	struct subject *s = g_new0(struct subject, 1);
	struct subject_scan scan = {.subject = s, .list_tags = list_tags};
	const char *p = skip_blanks(text);

	s->version = 1;
	s->number = s->total = -1;
	s->prefixes = g_ptr_array_new_with_free_func(g_free);
	p = skip_subset(skip_marks(skip_bare_re(p, s), s), s);
	for (guint i = 0; i < SUBJECT_MAX_BRACKETS && *p == '['; i++) {
		struct subject later = {0};
		gboolean tag;
		const char *q = read_bracket(&scan, p, &tag);
		const char *r;

		if (!q)
			break;
		p = q;
		r = skip_subset(skip_marks(p, &later), &later);
		if (*r != '[' && !tag)
			continue;
		p = r;
		s->reply |= later.reply;
		s->forward |= later.forward;
		s->subset |= later.subset;
	}
	s->base = g_strchomp(g_strdup(p));
	subject_scan_finish(&scan);
	read_final_version(s);
	return s;
}

void subject_free(struct subject *s)
{
	if (!s)
		return;
	g_free(s->base);
	g_free(s->version_text);
	g_ptr_array_unref(s->prefixes);
	g_free(s);
}

/* Bytes of the blank at `p`, those of other scripts included; 0: none. */
static gsize blank_len(const char *p)
{
	gunichar c;

	if ((guchar)*p < 0x80)
		return g_ascii_isspace(*p);
	c = g_utf8_get_char_validated(p, -1);
	return c < 0x110000 && g_unichar_isspace(c)
		       ? (gsize)g_unichar_to_utf8(c, NULL)
		       : 0;
}

/* Blanks collapsed and trimmed. */
static char *squeeze_blanks(const char *text)
{
	GString *out = g_string_sized_new(strlen(text));

	while (*text) {
		gsize blank = blank_len(text);

		if (!blank)
			g_string_append_c(out, *text);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
		text += MAX(blank, 1);
	}
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

/* Final dots removed, too. */
static char *squeeze(const char *text)
{
	char *out = squeeze_blanks(text);
	gsize len = strlen(out);

	while (len && out[len - 1] == '.')
		out[--len] = '\0';
	return out;
}

char *subject_key(const char *title)
{
	g_autofree char *squeezed = squeeze(title);
	g_autofree char *valid = NULL;
	g_autofree char *normal = NULL;

	if (g_str_is_ascii(squeezed))
		return g_ascii_strdown(squeezed, -1);
	valid = g_utf8_make_valid(squeezed, -1);
	normal = g_utf8_normalize(valid, -1, G_NORMALIZE_NFC);
	return g_utf8_casefold(normal, -1);
}

char *subject_normalise(const char *text)
{
	g_autofree char *squeezed = squeeze(text);
	const char *p = squeezed;

	while (!g_ascii_strncasecmp(p, "re: ", 4))
		p += 4;
	return g_strdup(p);
}

/* Behind a mark that only an answer takes off, or NULL. */
static const char *match_rare_mark(const char *p)
{
	gboolean vs = !g_ascii_strncasecmp(p, "vs", 2);
	const char *q = vs				    ? p + 2
			: !g_ascii_strncasecmp(p, "ref", 3) ? p + 3
							    : NULL;

	if (!q)
		return NULL;
	q = skip_blanks(skip_mark_count(q));
	return *q == ':' ? q + 1 : NULL;
}

/* Behind "[f2fs-dev] ", or NULL: its list puts that there again. Lists that do
 * not tag any more keep what people know the thread by. */
static const char *match_tag(const char *p)
{
	static const char *const tags[] = {"[f2fs-dev]"};

	for (guint i = 0; i < G_N_ELEMENTS(tags); i++)
		if (!g_ascii_strncasecmp(p, tags[i], strlen(tags[i])))
			return p + strlen(tags[i]);
	return NULL;
}

char *subject_reply(const char *text)
{
	g_autofree char *squeezed = squeeze_blanks(text);
	const char *p = squeezed;

	for (guint i = 0; i < MAX_MARKS; i++) {
		gboolean forward;
		const char *q = match_mark(p, &forward);

		if (!q)
			q = match_rare_mark(p);
		if (!q)
			q = match_tag(p);
		if (!q)
			break;
		p = skip_blanks(q);
	}
	return g_strconcat("Re: ", *p ? p : "(no subject)", NULL);
}
