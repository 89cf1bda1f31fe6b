/* msgid_url.c - Message-IDs in URLs and in what people type
 * Must not guess: a URL that merely holds an '@' names no mail. */
#include <string.h>

#include "mail/msgid.h"

/* Where an archive keeps the id in its paths. `host` is the whole name, or
 * with a leading or trailing '.' the end or the beginning of one. */
static const struct archive {
	const char *host;
	const char *before; /* the id follows this, or "*": one folder */
} archives[] = {
	{"patch.msgid.link", "/"},
	{"msgid.link", "/"},
	{"lore.kernel.org", "*"}, /* /r/, /all/, /LIST/ */
	{"lkml.kernel.org", "*"},
	{"patchwork.", "/msgid/"},
	{"patchwork.", "/patch/"},
	{"patchwork.", "/cover/"},
	{"groups.google.com", "/d/msgid/*"},
	{"marc.info", "/?i="},
	{"mid.gmane.org", "/"},
	{"mid.mail-archive.com", "/"},
	{"lists.debian.org", "/msgid-search/"},
	{"public-inbox.org", "*"},
	{"yhbt.net", "/lore/*"},
	{"80x24.org", "/lore/*"},
	{"80x24.org", "*"},
	{"lore.", "*"},
	{"inbox.", "*"},
	{".lore.kernel.org", "*"},
};

char *msgid_to_url(const char *id)
{
	return g_uri_escape_string(id, "!$&'()*+,;=:@", FALSE);
}

static gboolean is_escape(const char *p, gsize len)
{
	return len >= 3 && p[0] == '%' && g_ascii_isxdigit(p[1]) &&
	       g_ascii_isxdigit(p[2]);
}

/* NULL if what comes out is no text fit for an id. A '%' without two hex
 * digits stands for itself. */
static char *percent_decode(const char *p, gsize len)
{
	GString *out = g_string_sized_new(len);
	gboolean fit = TRUE;

	for (gsize i = 0; i < len; i++) {
		guchar c = p[i];

		if (is_escape(p + i, len - i)) {
			c = g_ascii_xdigit_value(p[i + 1]) * 16 +
			    g_ascii_xdigit_value(p[i + 2]);
			i += 2;
		}
		fit = fit && c > 0x20 && c != 0x7f;
		g_string_append_c(out, c);
	}
	fit = fit && g_utf8_validate(out->str, out->len, NULL);
	return g_string_free(out, !fit);
}

/* Without <> and the punctuation that a sentence puts behind a URL; takes
 * `id`. NULL if nothing like an id is left. */
static char *take_trimmed(char *id)
{
	gsize len;
	char *p = id;

	if (!id)
		return NULL;
	while (*p == '<')
		p++;
	len = strlen(p);
	while (len > 0 && strchr("/.,>)", p[len - 1]))
		len--;
	p[len] = '\0';
	if (len == 0 || len > MSGID_MAX_BYTES) {
		g_free(id);
		return NULL;
	}
	memmove(id, p, len + 1);
	return id;
}

/* End of the id that begins at `p`: the first '/', '?' or '#' behind the
 * '@'. An id may hold '/' before it, never '?' or '#', and never ends a
 * folder's name there ("/list/?q=a@b"). NULL if no id begins at `p`. */
static const char *id_end(const char *p)
{
	const char *at = p;

	while (*at && *at != '@' && *at != '?' && *at != '#' &&
	       g_ascii_strncasecmp(at, "%40", 3) != 0)
		at++;
	if (at == p || *at == '\0' || *at == '?' || *at == '#')
		return NULL;
	return at + strcspn(at, "/?#");
}

/* Behind `before` in the path; NULL if the path has no such place. */
static const char *path_behind(const char *path, const char *before)
{
	const char *star = strchr(before, '*');
	gsize len = star ? (gsize)(star - before) : strlen(before);
	const char *p;

	if (before[0] == '*') {
		p = path + 1;
	} else if (star || g_str_equal(before, "/") || before[1] == '?') {
		if (strncmp(path, before, len) != 0)
			return NULL;
		p = path + len;
	} else {
		p = strstr(path, before);
		return p ? p + len : NULL;
	}
	if (!star)
		return p;
	p += strcspn(p, "/@?#");
	return *p == '/' ? p + 1 : NULL;
}

static gboolean host_matches(const char *host, const char *pattern)
{
	if (pattern[0] == '.')
		return g_str_has_suffix(host, pattern);
	if (g_str_has_suffix(pattern, "."))
		return g_str_has_prefix(host, pattern);
	return g_str_equal(host, pattern);
}

/* Host in lower case, without user, port and "www."; `*path` begins with
 * '/'. NULL if `url` is not of the web or has no path. */
static char *split_host(const char *url, const char **path)
{
	g_autofree char *host = NULL;
	const char *p, *at;

	if (g_ascii_strncasecmp(url, "https://", 8) == 0)
		p = url + 8;
	else if (g_ascii_strncasecmp(url, "http://", 7) == 0)
		p = url + 7;
	else
		return NULL;
	*path = p + strcspn(p, "/?#");
	if (**path != '/')
		return NULL;
	at = memchr(p, '@', *path - p);
	if (at)
		p = at + 1;
	host = g_ascii_strdown(p, *path - p);
	host[strcspn(host, ":")] = '\0';
	return g_strdup(g_str_has_prefix(host, "www.") ? host + 4 : host);
}

char *msgid_from_url(const char *url)
{
	const char *path;
	g_autofree char *host = split_host(url, &path);

	if (!host)
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(archives); i++) {
		const char *p, *end;

		if (!host_matches(host, archives[i].host))
			continue;
		p = path_behind(path, archives[i].before);
		end = p ? id_end(p) : NULL;
		if (end)
			return take_trimmed(percent_decode(p, end - p));
	}
	return NULL;
}

static const char *skip_prefix(const char *text)
{
	static const char *const prefixes[] = {"id:", "mid:", "rfc822msgid:",
					       "message-id:", "msgid:"};

	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		gsize len = strlen(prefixes[i]);

		if (g_ascii_strncasecmp(text, prefixes[i], len) == 0)
			return text + len + strspn(text + len, " \t");
	}
	return text;
}

/* TRUE if `text` is an id as msgid_to_url() writes it, and not an id that
 * holds a '%' of its own. */
static gboolean is_encoded(const char *text, const char *decoded)
{
	g_autofree char *again = msgid_to_url(decoded);

	return g_ascii_strcasecmp(again, text) == 0 ||
	       (!strchr(text, '@') && strchr(decoded, '@'));
}

static gboolean is_archive_host(const char *text)
{
	g_autofree char *url = g_strconcat("https://", text, NULL);
	const char *path;
	g_autofree char *host = split_host(url, &path);

	for (guint i = 0; host && i < G_N_ELEMENTS(archives); i++)
		if (host_matches(host, archives[i].host))
			return TRUE;
	return FALSE;
}

char *msgid_from_text(const char *text)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(text));
	g_autofree char *decoded = NULL;
	const char *p = skip_prefix(trimmed);
	gboolean marked = p > trimmed || *p == '<';
	char *id;

	if (strstr(p, "://")) {
		g_autofree char *url = g_strdup(p + (*p == '<'));

		return msgid_from_url(url);
	}
	if (is_archive_host(p)) {
		g_autofree char *url = g_strconcat("https://", p, NULL);

		id = msgid_from_url(url);
		if (id)
			return id;
	}
	decoded = percent_decode(p, strlen(p));
	if (!decoded || !g_utf8_validate(p, -1, NULL))
		return NULL;
	id = take_trimmed(g_strdup(is_encoded(p, decoded) ? decoded : p));
	if (id && (marked || strchr(id, '@')))
		return id;
	g_free(id);
	return NULL;
}
