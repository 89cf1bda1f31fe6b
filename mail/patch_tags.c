/* patch_tags.c - what b4 and format-patch write beside a patch, and the
 * older versions that people link to in a changelog */
#include <string.h>

#include "mail/msgid.h"
#include "mail/patch_priv.h"

#define MAX_OLDER     50   /* older versions of one mail */
#define MAX_LINE      1000 /* bytes of a line that is looked at */
#define MAX_FOOTNOTES 50
#define MAX_TAG_VALUE 300

struct tag {
	const char *name;
	gboolean hex; /* the value is an object id */
};

static gboolean next_line(const char **p, const char *end, const char **line,
			  gsize *len)
{
	const char *eol;

	if (*p >= end)
		return FALSE;
	eol = memchr(*p, '\n', (gsize)(end - *p));
	*line = *p;
	*len = (gsize)((eol ? eol : end) - *p);
	*p = eol ? eol + 1 : end;
	return TRUE;
}

/* The first word behind "name:", NULL if the line is not that tag. */
static char *tag_value(const char *line, gsize len, const char *name)
{
	gsize n = strlen(name);
	gsize stop;

	if (len <= n || line[n] != ':' || g_ascii_strncasecmp(line, name, n))
		return NULL;
	for (n++; n < len && (line[n] == ' ' || line[n] == '\t'); n++)
		;
	for (stop = n; stop < len && !g_ascii_isspace(line[stop]); stop++)
		;
	if (stop == n || stop - n > MAX_TAG_VALUE)
		return NULL;
	return g_strndup(line + n, stop - n);
}

static gboolean is_hex(const char *text)
{
	gsize n = strspn(text, "0123456789abcdefABCDEF");

	return n >= 7 && n <= 64 && !text[n];
}

static void take_tag(char **slot, char *value, gboolean good)
{
	if (good && !*slot)
		*slot = g_utf8_make_valid(value, -1);
	g_free(value);
}

static void take_prerequisite(struct patch *p, const char *line, gsize len)
{
	static const char *const names[] = {"patch-id", "change-id",
					    "message-id", "commit"};
	static const char before[] = "prerequisite-";
	gsize skip = strlen(before);

	if (len <= skip || g_ascii_strncasecmp(line, before, skip) ||
	    p->prerequisites->len >= PATCH_MAX_PREREQUISITES)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *value =
			tag_value(line + skip, len - skip, names[i]);
		g_autofree char *valid = NULL;

		if (!value)
			continue;
		valid = g_utf8_make_valid(value, -1);
		g_ptr_array_add(p->prerequisites,
				g_strdup_printf("%s: %s", names[i], valid));
	}
}

void patch_read_tags(struct patch *p, const char *text, gsize len)
{
	const char *at = text;
	const char *line;
	gsize n;

	while (next_line(&at, text + len, &line, &n)) {
		char *value;

		switch (n ? *line : 0) {
		case 'c':
		case 'C':
			value = tag_value(line, n, "change-id");
			take_tag(&p->change_id, value, value != NULL);
			break;
		case 'b':
		case 'B':
			value = tag_value(line, n, "base-commit");
			take_tag(&p->base_commit, value,
				 value && is_hex(value));
			break;
		case 'p':
		case 'P':
			take_prerequisite(p, line, n);
			break;
		}
	}
}

/* ---- older versions */

static gboolean is_word_start(const char *text, const char *p)
{
	return p == text || !g_ascii_isalnum(p[-1]);
}

/* The version that a line speaks of: N of "v3", 0 of "previous version" and
 * the like, -1 if it speaks of none. */
static int version_in(const char *text)
{
	static const char *const words[] = {
		"previous ",   "prior ",	"earlier ",	 "original ",
		"rfc",	       "last version",	"last posting",	 "resend",
		"old version", "older version", "first version",
	};
	g_autofree char *folded = g_ascii_strdown(text, -1);

	for (const char *p = folded; (p = strchr(p, 'v')); p++)
		if (g_ascii_isdigit(p[1]) && is_word_start(folded, p))
			return (int)MIN(g_ascii_strtoull(p + 1, NULL, 10),
					1000);
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		const char *p = strstr(folded, words[i]);

		if (p && is_word_start(folded, p))
			return 0;
	}
	return -1;
}

struct older {
	struct patch *patch;
	int version;	       /* the mail's own, 0 = not stated */
	char *before;	       /* the last line that was not blank */
	GHashTable *footnotes; /* "[1]" on a line that speaks of a version */
};

static void add_older(struct older *o, const char *url, gsize len, int version)
{
	GPtrArray *links = o->patch->older_links;
	g_autofree char *copy = g_strndup(url, len);
	char *id = msgid_from_url(copy);

	if (!id || links->len >= MAX_OLDER ||
	    (o->version && version >= o->version) ||
	    g_ptr_array_find_with_equal_func(links, id, g_str_equal, NULL))
		g_free(id);
	else
		g_ptr_array_add(links, id);
}

static void note_footnotes(struct older *o, const char *line)
{
	const char *p = line;

	while ((p = strchr(p, '[')) &&
	       g_hash_table_size(o->footnotes) < MAX_FOOTNOTES) {
		gsize n = strspn(p + 1, "0123456789");

		if (n && n < 4 && p[1 + n] == ']')
			g_hash_table_add(o->footnotes, g_strndup(p, n + 2));
		p++;
	}
}

/* "[1] https://..." or "[1]: ..." for a footnote of a line on versions. */
static gboolean is_footnote(struct older *o, const char *line)
{
	gsize n = *line == '[' ? strspn(line + 1, "0123456789") : 0;
	g_autofree char *mark = NULL;

	if (!n || line[1 + n] != ']')
		return FALSE;
	mark = g_strndup(line, n + 2);
	return g_hash_table_contains(o->footnotes, mark);
}

static void read_older_line(struct older *o, const char *line)
{
	const char *url = strstr(line, "http");
	g_autofree char *text = NULL;
	int version;

	if (!url || (!g_str_has_prefix(url, "https://") &&
		     !g_str_has_prefix(url, "http://"))) {
		if (version_in(line) >= 0)
			note_footnotes(o, line);
		g_free(o->before);
		o->before = g_strdup(line);
		return;
	}
	text = g_strndup(line, (gsize)(url - line));
	version = version_in(text);
	if (version < 0 && is_footnote(o, line))
		version = 0;
	if (version < 0 && o->before && strlen(text) < 8 &&
	    g_str_has_suffix(o->before, ":"))
		version = version_in(o->before);
	if (version >= 0)
		add_older(o, url, strcspn(url, " \t<>\"'"), version);
}

void patch_read_older(struct patch *p, const char *text, gsize len, int version)
{
	struct older o = {.patch = p, .version = version};
	const char *at = text;
	const char *line;
	gsize n;

	if (!memmem(text, len, "http", 4))
		return;
	o.footnotes =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	while (next_line(&at, text + len, &line, &n)) {
		g_autofree char *copy = g_strndup(line, MIN(n, MAX_LINE));

		g_strstrip(copy);
		if (*copy && *copy != '>')
			read_older_line(&o, copy);
	}
	g_hash_table_unref(o.footnotes);
	g_free(o.before);
}
