/* reference_url.c - what a URL names: a mail, a commit, a tracker's ticket
 * By its form alone; hosts are known by name only where forms are theirs. */
#include <string.h>

#include "mail/msgid.h"
#include "mail/reference_priv.h"

#define MIN_HEX	   7
#define MAX_HEX	   40
#define MAX_TICKET 12 /* digits of a ticket's number */

/* Without what a sentence puts behind it; a ')' stays if it was opened. */
static char *trim_url(const char *word)
{
	gsize len;
	char *url;

	if (*word == '<')
		word++;
	len = strlen(word);
	while (len && (strchr(".,;:>'\"", word[len - 1]) ||
		       (word[len - 1] == ')' && !memchr(word, '(', len))))
		len--;
	url = g_strndup(word, len);
	return url;
}

static gsize hex_len(const char *p)
{
	gsize n = 0;

	while (g_ascii_isxdigit(p[n]))
		n++;
	return n >= MIN_HEX && n <= MAX_HEX && !g_ascii_isalnum(p[n]) ? n : 0;
}

/* The id in /commit/HEX, /c/HEX, /linus/HEX, ?id=HEX, &id=HEX. */
static char *commit_of(const char *url)
{
	static const char *const before[] = {"/commit/",     "/c/",  "/linus/",
					     "?id=",	     "&id=", ";id=",
					     "/commit/?id=", ";h=",  "?h="};

	for (guint i = 0; i < G_N_ELEMENTS(before); i++) {
		const char *p = url;

		while ((p = strstr(p, before[i])) != NULL) {
			gsize n = hex_len(p += strlen(before[i]));

			if (n && before[i][0] != '/' &&
			    !strstr(url, "commit") && !strstr(url, "/patch/"))
				n = 0;
			if (n)
				return g_ascii_strdown(p, (gssize)n);
		}
	}
	return NULL;
}

static gsize number_len(const char *p)
{
	gsize n = strspn(p, "0123456789");

	return n && n <= MAX_TICKET && !g_ascii_isalnum(p[n]) ? n : 0;
}

/* How trackers write where a ticket is; the number follows. */
static const struct {
	const char *host;   /* the host contains this */
	const char *before; /* "" : right behind the host's '/' */
	const char *proper; /* what is put instead of `before` */
} trackers[] = {
	{"", "/show_bug.cgi?id=", "/show_bug.cgi?id="},
	{"bugzilla", "/", "/show_bug.cgi?id="},
	{"", "/-/issues/", "/-/issues/"},
	{"gitlab", "/issues/", "/-/issues/"},
	{"", "/-/work_items/", "/-/issues/"},
	{"github.com", "/issues/", "/issues/"},
	{"codeberg.org", "/issues/", "/issues/"},
	{"launchpad.net", "/+bug/", "/+bug/"},
	{"bugs.debian.org", "/cgi-bin/bugreport.cgi?bug=", "/"},
	{"bugs.debian.org", "/", "/"},
};

/* "host/path" of a ticket, without what names a comment in it. `p` is behind
 * "://". */
static char *ticket_of(const char *p)
{
	gsize host_len = strcspn(p, "/?#");
	g_autofree char *host = g_ascii_strdown(p, (gssize)host_len);
	const char *path = p + host_len;

	for (guint i = 0; i < G_N_ELEMENTS(trackers); i++) {
		const char *at = strstr(path, trackers[i].before);
		gsize n;

		if (!strstr(host, trackers[i].host) || !at)
			continue;
		if (g_str_equal(trackers[i].before, "/") && at != path)
			continue;
		n = number_len(at + strlen(trackers[i].before));
		if (!n)
			continue;
		return g_strdup_printf("%s%.*s%s%.*s", host, (int)(at - path),
				       path, trackers[i].proper, (int)n,
				       at + strlen(trackers[i].before));
	}
	return NULL;
}

/* The anchor that public-inbox gives a mail of a thread. */
static char *anchor_of(const char *url)
{
	const char *p = strstr(url, "#m");

	if (!p || hex_len(p + 2) != MAX_HEX)
		return NULL;
	return g_ascii_strdown(p + 2, MAX_HEX);
}

static void read_url(struct reference *r)
{
	const char *behind = strstr(r->url, "://") + 3;

	r->id = msgid_from_url(r->url);
	if (r->id) {
		r->kind = REFERENCE_MAIL;
		r->anchor = anchor_of(r->url);
		return;
	}
	r->id = commit_of(behind);
	if (r->id) {
		r->kind = REFERENCE_COMMIT;
		return;
	}
	r->id = ticket_of(behind);
	r->kind = r->id ? REFERENCE_TICKET : REFERENCE_URL;
}

gboolean reference_read_url(struct reference *r, const char *word)
{
	g_autofree char *url = trim_url(word);
	g_autofree char *id = NULL;
	const char *mark = strstr(url, "://");

	if (mark && mark > url && mark[3]) {
		r->url = g_steal_pointer(&url);
		read_url(r);
		return TRUE;
	}
	if (mark || !strchr(url, '/') || !strchr(url, '.') || *url == '/')
		return FALSE;
	r->url = g_strconcat("https://", url, NULL);
	id = msgid_from_url(r->url);
	if (id || g_str_has_prefix(url, "bugzilla.")) {
		read_url(r);
		return TRUE;
	}
	g_clear_pointer(&r->url, g_free);
	return FALSE;
}
