/* pull.c - what a pull request offers: where, which ref, since when
 * Reads unquoted lines only; fetches nothing, checks no address. */
#include "mail/pull.h"

#include <string.h>

#define MAX_LINES   100000 /* of the text */
#define MAX_AHEAD   6	   /* lines from "please pull" to its URL */
#define MAX_COMMITS 1000000

struct lines {
	const char *line;
	gsize len;
	const char *next;
	guint left; /* of MAX_LINES */
};

static void go_to(struct lines *l, const char *line)
{
	const char *eol = strchr(line, '\n');

	l->line = line;
	l->len = eol ? (gsize)(eol - line) : strlen(line);
	l->next = eol ? eol + 1 : line + l->len;
	while (l->len && g_ascii_isspace(l->line[l->len - 1]))
		l->len--;
	while (l->len && g_ascii_isspace(*l->line)) {
		l->line++;
		l->len--;
	}
}

/* On to the next unquoted line; FALSE at the end. */
static gboolean step(struct lines *l)
{
	do {
		if (!*l->next || !l->left)
			return FALSE;
		l->left--;
		go_to(l, l->next);
	} while (l->len && *l->line == '>');
	return TRUE;
}

/* `words` is lower case. */
static gboolean has(const struct lines *l, const char *words)
{
	gsize n = strlen(words);

	for (gsize i = 0; i + n <= l->len; i++)
		if ((l->line[i] | 0x20) == *words &&
		    !g_ascii_strncasecmp(l->line + i, words, n))
			return TRUE;
	return FALSE;
}

static gsize word_len(const char *p, const char *end)
{
	gsize n = 0;

	while (p + n < end && !g_ascii_isspace(p[n]))
		n++;
	return n;
}

static gboolean is_scheme(const char *p, gsize len)
{
	static const char *const schemes[] = {"git://", "https://", "http://",
					      "ssh://", "git+ssh://"};

	for (guint i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (len > strlen(schemes[i]) &&
		    !g_ascii_strncasecmp(p, schemes[i], strlen(schemes[i])))
			return TRUE;
	return FALSE;
}

/* "user@host:path" as ssh takes it. */
static gboolean is_scp(const char *p, gsize len)
{
	const char *at = memchr(p, '@', len);
	const char *colon = memchr(p, ':', len);

	return at && colon && at > p && colon > at + 1 && colon + 1 < p + len &&
	       memchr(colon, '/', len - (gsize)(colon - p));
}

static gboolean any_in(const char *p, gsize len, const char *const *words)
{
	for (; *words; words++)
		if (memmem(p, len, *words, strlen(*words)))
			return TRUE;
	return FALSE;
}

/* A URL that git can fetch from: other pages are linked in requests, too. */
static gboolean is_repository(const char *p, gsize len)
{
	static const char *const pages[] = {"/c/",     "/commit", "/?",
					    "/h/",     "/issues", "/blob/",
					    "/plain/", "/log/",	  NULL};
	static const char *const signs[] = {
		".git",		 "/git/",     "/scm/",		 "//git.",
		"//github.com/", "//gitlab.", "//codeberg.org/", NULL};

	if (!is_scheme(p, len))
		return is_scp(p, len);
	if (*p != 'h' && *p != 'H')
		return TRUE;
	return any_in(p, len, signs) && !any_in(p, len, pages);
}

static gsize without_punctuation(const char *p, gsize len)
{
	while (len && strchr(".,;:)>]'\"", p[len - 1]))
		len--;
	return len;
}

static gboolean is_ref(const char *p, gsize len)
{
	if (!len || *p == '-' || *p == '(')
		return FALSE;
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isgraph(p[i]) || strchr("~^:?*[\\<>()", p[i]))
			return FALSE;
	return TRUE;
}

/* The word behind the URL, or alone on the line after it. */
static char *read_ref(struct lines l, const char *p, const char *end)
{
	static const char *const labels[] = {"branch", "tag", "tags"};
	gsize n;

	while (p < end && (g_ascii_isspace(*p) || *p == '\\'))
		p++;
	if (p == end) {
		if (!step(&l) || !l.len ||
		    word_len(l.line, l.line + l.len) != l.len)
			return NULL;
		p = l.line;
		end = p + l.len;
	}
	n = word_len(p, end);
	for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
		if (n == strlen(labels[i]) && !memcmp(p, labels[i], n) &&
		    p + n < end) {
			p += n + 1;
			n = word_len(p, end);
			break;
		}
	if (p + n != end && !is_ref(p, n))
		return NULL;
	n = without_punctuation(p, n);
	return is_ref(p, n) ? g_utf8_make_valid(p, (gssize)n) : NULL;
}

/* "https://github.com/user/repo/tree/branch" names both. */
static void split_tree(struct pull *pull)
{
	char *tree = strstr(pull->url, "/tree/");

	if (!tree || pull->ref || !tree[6])
		return;
	pull->ref = g_strdup(tree + 6);
	*tree = '\0';
}

/* The first repository on the line; with `any` any URL is one. */
static gboolean read_url(struct pull *pull, const struct lines *l, gboolean any)
{
	const char *end = l->line + l->len;

	for (const char *p = l->line; p < end;) {
		gsize n = word_len(p, end);
		gsize skip = n && strchr("<(\"'", *p) ? 1 : 0;
		gsize len = without_punctuation(p + skip, n - skip);

		if (is_repository(p + skip, len) ||
		    (any && is_scheme(p + skip, len))) {
			pull->url = g_utf8_make_valid(p + skip, (gssize)len);
			if (!strchr(".,;", p[n - 1])) /* not a new sentence */
				pull->ref = read_ref(*l, p + n, end);
			split_tree(pull);
			return TRUE;
		}
		for (p += n; p < end && g_ascii_isspace(*p); p++)
			;
	}
	return FALSE;
}

/* The URL on one of the lines from the one at hand on. */
static gboolean read_url_near(struct pull *pull, struct lines l, gboolean any)
{
	for (guint i = 0; i < MAX_AHEAD; i++) {
		if (read_url(pull, &l, any))
			return TRUE;
		if (!step(&l))
			return FALSE;
	}
	return FALSE;
}

static void read_base(struct pull *pull, const struct lines *l)
{
	static const char words[] = "following changes since commit ";
	const char *p = memmem(l->line, l->len, words, strlen(words));
	gsize n = 0;

	if (!p || pull->base)
		return;
	p += strlen(words);
	while (p + n < l->line + l->len && g_ascii_isxdigit(p[n]))
		n++;
	if (n >= 7 && n <= 64)
		pull->base = g_ascii_strdown(p, (gssize)n);
}

/* "A Person (3):" of a shortlog. */
static void read_shortlog(struct pull *pull, const struct lines *l)
{
	const char *end = l->line + l->len;
	const char *open;
	guint64 n;

	if (l->len < 6 || memcmp(end - 2, "):", 2))
		return;
	for (open = end - 3; open > l->line && g_ascii_isdigit(*open); open--)
		;
	if (*open != '(' || open == end - 3 || open == l->line ||
	    open[-1] != ' ')
		return;
	n = g_ascii_strtoull(open + 1, NULL, 10);
	if (n > MAX_COMMITS || pull->commits > MAX_COMMITS)
		return;
	pull->commits = MAX(pull->commits, 0) + (int)n;
}

/* Most mail is not a request: told without looking at its lines. */
static gboolean may_be_pull(const char *body)
{
	const char *p = body;

	while ((p = strstr(p, "ull"))) {
		if (p > body && (p[-1] | 0x20) == 'p' && !g_ascii_isalpha(p[3]))
			return TRUE;
		p += 3;
	}
	return strstr(body, "it repository at") || strstr(body, "PULL ");
}

struct pull *pull_parse(const char *body, gboolean said)
{
	static const char offer[] = "available in the git repository at";
	struct lines l = {.next = body, .left = MAX_LINES};
	gboolean found = FALSE;
	struct pull *pull;

	if (!said && !may_be_pull(body))
		return NULL;
	pull = g_new0(struct pull, 1);
	pull->commits = -1;
	while (step(&l)) {
		read_base(pull, &l);
		read_shortlog(pull, &l);
		if (found)
			continue;
		if (has(&l, offer))
			found = read_url_near(pull, l, TRUE);
		else if (has(&l, "please pull") || has(&l, "git pull "))
			found = read_url_near(pull, l, FALSE);
	}
	l = (struct lines){.next = body, .left = MAX_LINES};
	while (said && !found && step(&l))
		found = read_url(pull, &l, FALSE);
	if (found)
		return pull;
	pull_free(pull);
	return NULL;
}

void pull_free(struct pull *p)
{
	if (!p)
		return;
	g_free(p->url);
	g_free(p->ref);
	g_free(p->base);
	g_free(p);
}
