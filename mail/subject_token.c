/* subject_token.c - the words inside the brackets of a subject
 * A word is a chain of pieces ("v2PATCH1/4"), or a tag of its own. */
#include <string.h>

#include "mail/subject_priv.h"

#define MAX_PIECES 8 /* glued to one word */
#define MAX_DIGITS 6 /* of a version or counter; longer is no number */

enum piece_kind {
	PIECE_PATCH,
	PIECE_COVER,
	PIECE_RFC,
	PIECE_RESEND,
	PIECE_VERSION,
	PIECE_COUNTER,
};

struct piece {
	enum piece_kind kind;
	const char *text;
	gsize len;
};

struct keyword {
	const char *word;
	enum piece_kind kind;
};

/* Longer ones before their beginnings. */
static const struct keyword keywords[] = {
	{"patchset", PIECE_COVER}, {"patchbomb", PIECE_COVER},
	{"patches", PIECE_PATCH},  {"patch", PIECE_PATCH},
	{"pacth", PIECE_PATCH},	   {"ptach", PIECE_PATCH},
	{"pathc", PIECE_PATCH},	   {"rfc", PIECE_RFC},
	{"resend", PIECE_RESEND},  {"resent", PIECE_RESEND},
	{"repost", PIECE_RESEND},
};

static gsize digits(const char *p)
{
	gsize n = 0;

	while (g_ascii_isdigit(p[n]))
		n++;
	return n;
}

gsize subject_counter_len(const char *text)
{
	gsize n = digits(text);
	gsize m;

	if (!n || n > MAX_DIGITS)
		return 0;
	if (text[n] == '.' && digits(text + n + 1))
		n += 1 + digits(text + n + 1);
	if (text[n] != '/')
		return 0;
	m = digits(text + n + 1);
	if (m)
		return m > MAX_DIGITS ? 0 : n + 1 + m;
	if (text[n + 1] && strchr("nNmMxX?", text[n + 1]) &&
	    !g_ascii_isalnum(text[n + 2]))
		return n + 2;
	return 0;
}

/* "v3", "V.3", "v9.1"; a third number makes it a release, no version. */
static gsize version_len(const char *p)
{
	gsize n = 1;
	gsize m;

	if (*p != 'v' && *p != 'V')
		return 0;
	if (p[n] == '.')
		n++;
	m = digits(p + n);
	if (!m || m > MAX_DIGITS)
		return 0;
	n += m;
	if (p[n] != '.')
		return n;
	m = digits(p + n + 1);
	if (!m)
		return p[n + 1] ? 0 : n;
	n += 1 + m;
	return p[n] == '.' ? 0 : n;
}

static gboolean match_piece(const char *p, struct piece *piece)
{
	piece->text = p;
	for (guint i = 0; i < G_N_ELEMENTS(keywords); i++) {
		gsize n = strlen(keywords[i].word);

		if (g_ascii_strncasecmp(p, keywords[i].word, n))
			continue;
		piece->kind = keywords[i].kind;
		piece->len = n;
		return TRUE;
	}
	piece->kind = PIECE_COUNTER;
	piece->len = subject_counter_len(p);
	if (piece->len)
		return TRUE;
	piece->kind = PIECE_VERSION;
	piece->len = version_len(p);
	return piece->len > 0;
}

/*
 * Split a word into pieces. `*rest` gets what is left of "PATCH-next" and
 * must be empty otherwise. 0 if the word is no chain of pieces.
 */
static guint split_pieces(const char *word, struct piece *pieces,
			  const char **rest)
{
	const char *p = word;
	guint n = 0;

	while (*p && n < MAX_PIECES && match_piece(p, &pieces[n])) {
		p += pieces[n++].len;
		if (*p && strchr("-_.:/+", *p) &&
		    match_piece(p + 1, pieces + n))
			p++;
	}
	if (!n)
		return 0;
	*rest = p;
	if (!*p || (!p[1] && g_ascii_ispunct(*p))) {
		*rest = "";
		return n;
	}
	if (pieces[n - 1].kind != PIECE_PATCH)
		return 0;
	if (!g_ascii_isalpha(*p))
		return n;
	*rest = ""; /* "PATCHi" is a slip, "patchwork" is not */
	return p[1] ? 0 : n;
}

gsize subject_known_len(const char *text)
{
	const char *p = text;
	const char *known = text;

	for (guint i = 0; i < SUBJECT_MAX_TOKENS && *p; i++) {
		struct piece pieces[MAX_PIECES + 1];
		gsize n = strcspn(p, " \t,;");
		g_autofree char *word = g_strndup(p, n);
		const char *rest = "";

		if (n && (!split_pieces(word, pieces, &rest) || *rest))
			break;
		p += n;
		known = p;
		p += strspn(p, " \t,;");
	}
	return (gsize)(known - text);
}

static void read_counter(struct subject *s, const char *text)
{
	const char *slash = strchr(text, '/');

	if (s->numbered)
		return;
	s->numbered = TRUE;
	s->number = (int)g_ascii_strtoull(text, NULL, 10);
	if (g_ascii_isdigit(slash[1]))
		s->total = (int)g_ascii_strtoull(slash + 1, NULL, 10);
}

static void read_version(struct subject_scan *scan, const struct piece *piece)
{
	struct subject *s = scan->subject;
	const char *number = piece->text + (piece->text[1] == '.' ? 2 : 1);
	gsize len = piece->len - (gsize)(number - piece->text);

	if (memchr(number, '.', len)) {
		if (!scan->dotted)
			scan->dotted = g_strndup(number, len);
		return;
	}
	if (s->version_stated)
		return;
	s->version = (int)g_ascii_strtoull(number, NULL, 10);
	s->version_stated = TRUE;
}

static void add_prefix(struct subject *s, const char *text, gsize len)
{
	g_ptr_array_add(s->prefixes, g_strndup(text, len));
}

static void apply_piece(struct subject_scan *scan, const struct piece *piece)
{
	struct subject *s = scan->subject;

	switch (piece->kind) {
	case PIECE_COVER:
		s->cover_hint = TRUE;
		/* fall through */
	case PIECE_PATCH:
		s->patch = TRUE;
		break;
	case PIECE_RFC:
		s->rfc = TRUE;
		add_prefix(s, piece->text, piece->len);
		break;
	case PIECE_RESEND:
		s->resend = TRUE;
		add_prefix(s, piece->text, piece->len);
		break;
	case PIECE_VERSION:
		read_version(scan, piece);
		break;
	case PIECE_COUNTER:
		read_counter(s, piece->text);
		break;
	}
}

/* "5.10", "v5.4.y", "stable-5.15.y", "linux-6.1.y", "5.10.3". */
static gboolean is_release(const char *word)
{
	gboolean branch = g_str_has_prefix(word, "for-");
	gsize n;

	if (branch || g_str_has_prefix(word, "stable-") ||
	    g_str_has_prefix(word, "linux-"))
		word = strchr(word, '-') + 1;
	if (*word == 'v')
		word++;
	n = digits(word);
	if (!n || n > 2 || word[n] != '.')
		return FALSE;
	word += n + 1;
	n = digits(word);
	if (!n || n > 3)
		return FALSE;
	word += n;
	if (!*word)
		return !branch; /* for-6.18 is development */
	if (*word != '.')
		return FALSE;
	word++;
	n = digits(word);
	return n ? !word[n] : (*word == 'y' || *word == 'x') && !word[1];
}

static gboolean equals_any(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!g_ascii_strcasecmp(word, *words))
			return TRUE;
	return FALSE;
}

static void read_tag(struct subject_scan *scan, const char *word)
{
	static const char *const stable[] = {"autosel", "candidate", "stable",
					     "-stable", NULL};
	static const char *const draft[] = {
		"wip",		 "draft",      "poc", "nfm",
		"not-for-merge", "donotmerge", NULL};
	static const char *const pull[] = {"pull", "pull-request", "git-pull",
					   "gitpull", NULL};
	struct subject *s = scan->subject;
	const char *colon = strchr(word, ':');

	if (colon && !g_ascii_strncasecmp(word, "tip:", 4)) {
		s->tip = TRUE;
		word = colon + 1;
		scan->tree |= *word != '\0';
	} else if (colon && colon[1]) {
		scan->tree = TRUE;
	}
	if (!*word)
		return;
	s->stable |= is_release(word) || equals_any(word, stable);
	s->not_for_merge |= equals_any(word, draft);
	s->pull |= equals_any(word, pull);
	add_prefix(s, word, strlen(word) - (colon && !colon[1]));
}

static void read_word(struct subject_scan *scan, const char *word)
{
	struct piece pieces[MAX_PIECES + 1];
	const char *rest = "";
	guint n;

	if (!strcmp(word, "-") || !strcmp(word, "&") || !strcmp(word, ":"))
		return;
	n = split_pieces(word, pieces, &rest);
	for (guint i = 0; i < n; i++)
		apply_piece(scan, &pieces[i]);
	if (!n)
		read_tag(scan, word);
	else if (*rest)
		add_prefix(scan->subject, rest, strlen(rest));
}

/* "1 of 2", as Mercurial writes it, becomes "1/2". */
static void join_counters(char *content)
{
	char *out = content;
	const char *p = content;

	while (*p) {
		if (p > content && g_ascii_isdigit(p[-1]) &&
		    !g_ascii_strncasecmp(p, " of ", 4) &&
		    g_ascii_isdigit(p[4])) {
			*out++ = '/';
			p += 4;
		} else {
			*out++ = *p++;
		}
	}
	*out = '\0';
}

void subject_scan_bracket(struct subject_scan *scan, const char *content)
{
	g_autofree char *text = g_strdup(content);
	char *p = text;

	join_counters(text);
	while (*p && scan->tokens < SUBJECT_MAX_TOKENS) {
		char *end = p + strcspn(p, " \t,;");
		gboolean last = !*end;

		*end = '\0';
		if (*p) {
			scan->tokens++;
			read_word(scan, p);
		}
		p = last ? end : end + 1;
	}
}

/* v5.10 next to v2 is a kernel, and so is anything from v4.5 on that a
 * kernel was; v9.1, v1.1 and v4.1 are versions of the patch. */
static gboolean dotted_is_kernel(const struct subject_scan *scan)
{
	guint64 major = g_ascii_strtoull(scan->dotted, NULL, 10);
	guint64 minor =
		g_ascii_strtoull(strchr(scan->dotted, '.') + 1, NULL, 10);

	return scan->subject->version_stated ||
	       (major >= 4 && major <= 7 && minor >= 5);
}

void subject_scan_finish(struct subject_scan *scan)
{
	struct subject *s = scan->subject;

	if (scan->dotted && dotted_is_kernel(scan)) {
		s->stable = TRUE;
		g_ptr_array_add(s->prefixes,
				g_strconcat("v", scan->dotted, NULL));
	} else if (scan->dotted) {
		s->version = (int)g_ascii_strtoull(scan->dotted, NULL, 10);
		s->version_stated = TRUE;
		s->version_text = g_steal_pointer(&scan->dotted);
	}
	g_clear_pointer(&scan->dotted, g_free);
	if (s->numbered && !s->patch && !scan->tree && !s->pull)
		s->patch = s->total < 0 || s->number <= s->total;
	if (scan->tree && s->numbered)
		s->tip = FALSE;
}
