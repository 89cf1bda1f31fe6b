/* links.c - URLs in what the sender wrote, by role
 * Must not fetch, resolve or judge: a link is what it says. */
#include "mail/links.h"

#include <string.h>

#include "mail/msgid.h"

#define MAX_SCHEME 5	/* "https" */
#define MAX_URL	   2048 /* a longer one is no link */
#define MAX_INDENT 4	/* blanks before a key, as in trailers */
#define MAX_KEY	   24

void link_free(struct link *l)
{
	if (!l)
		return;
	g_free(l->url);
	g_free(l->message_id);
	g_free(l);
}

const char *link_role_name(enum link_role role)
{
	static const char *const names[] = {
		[LINK_LINK] = "link",	      [LINK_CLOSES] = "closes",
		[LINK_FIXES] = "fixes",	      [LINK_PATCH] = "patch",
		[LINK_ARTIFACT] = "artifact", [LINK_LORE] = "lore",
		[LINK_OTHER] = "other",
	};

	return names[role];
}

static const struct {
	const char *key;
	enum link_role role;
} keys[] = {
	{"link", LINK_LINK},	   {"message-id", LINK_LINK},
	{"closes", LINK_CLOSES},   {"bug", LINK_CLOSES},
	{"buglink", LINK_CLOSES},  {"bugzilla", LINK_CLOSES},
	{"bug-link", LINK_CLOSES}, {"bug-url", LINK_CLOSES},
	{"fixes", LINK_FIXES},	   {"patch link", LINK_PATCH},
};

/* Where robots keep logs, configurations and images. */
static const char *const stores[] = {
	"://download.01.org/",
	"://storage.kernelci.org/",
	"://files.kernelci.org/",
	"://storage.tuxsuite.com/",
	"://storage.tuxboot.com/",
	"://builds.tuxbuild.com/",
	"://syzkaller.appspot.com/x/",
	"://syzkaller.appspot.com/text?",
	"://storage.googleapis.com/syzbot-assets/",
};

/* The role that "key: " at the beginning of the line gives to what follows
 * at `at`; LINK_OTHER if there is none. */
static enum link_role role_of_key(const struct body_line *line, const char *at)
{
	const char *p = line->text + line->skip;
	const char *key, *colon;
	gsize len;

	for (int n = 0; n < MAX_INDENT && p < at && *p == ' '; n++)
		p++;
	key = p;
	colon = memchr(key, ':', MIN(at - key, MAX_KEY));
	len = colon ? (gsize)(colon - key) : 0;
	for (guint i = 0; len > 0 && i < G_N_ELEMENTS(keys); i++)
		if (strlen(keys[i].key) == len &&
		    g_ascii_strncasecmp(key, keys[i].key, len) == 0)
			return keys[i].role;
	if (len > 10 && g_ascii_strncasecmp(key, "patchwork-", 10) == 0)
		return LINK_LINK;
	return LINK_OTHER;
}

/* Length of the scheme that ends at `colon`; 0 if it is none of ours. */
static gsize scheme_before(const char *begin, const char *colon)
{
	static const char *const schemes[] = {"https", "http", "git", "ssh"};
	gsize len = 0;

	while (len <= MAX_SCHEME && colon - len > begin &&
	       g_ascii_isalpha(colon[-1 - (gssize)len]))
		len++;
	for (guint i = 0; i < G_N_ELEMENTS(schemes); i++)
		if (strlen(schemes[i]) == len &&
		    g_ascii_strncasecmp(colon - len, schemes[i], len) == 0)
			return len;
	return 0;
}

static gboolean is_url_byte(char c)
{
	return (guchar)c > 0x20 && (guchar)c < 0x7f &&
	       !strchr("<>\"`{}|\\^", c);
}

/* A bracket that the URL did not open closes the sentence around it. */
static const char *trim_end(const char *from, const char *to)
{
	int round = 0, square = 0; /* closed more often than opened */

	for (const char *p = from; p < to; p++) {
		round += (*p == ')') - (*p == '(');
		square += (*p == ']') - (*p == '[');
	}
	for (; to > from && strchr(".,;:!?'*)]", to[-1]); to--) {
		if ((to[-1] == ')' && round-- <= 0) ||
		    (to[-1] == ']' && square-- <= 0))
			break;
	}
	return to;
}

/* ".../r/<id@host>": the brackets of an id belong to the URL. */
static const char *id_in_brackets(const char *p, const char *end)
{
	const char *close = memchr(p, '>', MIN(end - p, MAX_URL));

	for (const char *q = p + 1; close && q < close; q++)
		if (!is_url_byte(*q))
			return p;
	return close && memchr(p, '@', close - p) ? close + 1 : p;
}

static const char *url_end(const char *from, const char *end)
{
	const char *to = from;

	while (to < end && is_url_byte(*to))
		to++;
	if (to < end && *to == '<' && to[-1] == '/') {
		const char *closed = id_in_brackets(to, end);

		if (closed > to)
			return closed;
	}
	return trim_end(from, to);
}

static gboolean is_stored(const char *url)
{
	for (guint i = 0; i < G_N_ELEMENTS(stores); i++) {
		const char *p = strstr(url, "://");

		if (p && g_str_has_prefix(p, stores[i]))
			return TRUE;
	}
	return FALSE;
}

static guint link_hash(gconstpointer data)
{
	const struct link *l = data;

	return g_str_hash(l->url) * 31 + l->role;
}

static gboolean link_equal(gconstpointer a, gconstpointer b)
{
	const struct link *l = a, *m = b;

	return l->role == m->role && g_str_equal(l->url, m->url);
}

struct search {
	const body *body;
	guint line; /* of the last hit: hits come in order */
	GPtrArray *links;
	GHashTable *seen;
};

static void add_link(struct search *s, const struct body_line *line,
		     const char *from, const char *to)
{
	struct link *l = g_new(struct link, 1);

	l->url = g_strndup(from, to - from);
	l->message_id = msgid_from_url(l->url);
	l->line = s->line + 1;
	l->role = role_of_key(line, from);
	if (l->role == LINK_OTHER && is_stored(l->url))
		l->role = LINK_ARTIFACT;
	if (l->role == LINK_OTHER && l->message_id)
		l->role = LINK_LORE;
	if (!s->seen)
		s->seen = g_hash_table_new(link_hash, link_equal);
	if (g_hash_table_contains(s->seen, l)) {
		link_free(l);
		return;
	}
	g_ptr_array_add(s->links, l);
	g_hash_table_add(s->seen, l);
}

/* What stands around the "://" at `p`. Returns where to go on. */
static const char *take_hit(struct search *s, const char *p)
{
	const struct body_line *line = body_line(s->body, s->line);
	const char *begin, *end, *from, *to;
	gsize scheme;

	while (p >= line->text + line->len)
		line = body_line(s->body, ++s->line);
	begin = line->text + line->skip;
	end = line->text + line->len;
	if (p < begin || !body_line_is_own(line))
		return end;
	scheme = scheme_before(begin, p);
	from = p - scheme;
	to = url_end(p + 3, end);
	if (scheme > 0 && to > p + 3 && to - from <= MAX_URL)
		add_link(s, line, from, to);
	return MAX(to, p + 3);
}

static void free_element(gpointer data)
{
	link_free(data);
}

GPtrArray *links_find(const body *b)
{
	struct search s = {
		.body = b,
		.links = g_ptr_array_new_with_free_func(free_element),
	};
	guint n = body_count(b);
	const char *p, *end;

	if (n == 0)
		return s.links;
	p = body_line(b, 0)->text;
	end = body_line(b, n - 1)->text + body_line(b, n - 1)->len;
	while (s.links->len < LINKS_MAX &&
	       (p = memmem(p, end - p, "://", 3)) != NULL)
		p = take_hit(&s, p);
	g_clear_pointer(&s.seen, g_hash_table_unref);
	return s.links;
}
