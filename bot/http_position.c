/* http_position.c - how far an inbox was read over HTTP, as text
 * "to=1557207333 swept=1557207400 etag=W%2F%22x%22 seen=0f3a...,77c1..." */
#include "bot/http_position.h"

#include <string.h>

#include "bot/http_inbox.h"

#define MAX_WORDS 16

static GHashTable *set_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void http_position_free(struct http_position *p)
{
	if (!p)
		return;
	g_free(p->etag);
	g_free(p->modified);
	g_hash_table_unref(p->feed);
	g_hash_table_unref(p->seen);
	g_free(p);
}

static void parse_set(GHashTable *set, const char *text)
{
	g_auto(GStrv) hashes = g_strsplit(text, ",", HTTP_POSITION_MAX_SEEN);

	for (guint i = 0; hashes[i]; i++)
		if (strlen(hashes[i]) == HTTP_INBOX_HASH)
			g_hash_table_add(set, g_strdup(hashes[i]));
}

static void parse_word(struct http_position *p, const char *name,
		       const char *value)
{
	struct {
		const char *name;
		gint64 *number;
		char **text;
	} fields[] = {
		{"to", &p->to, NULL},	    {"swept", &p->swept, NULL},
		{"again", &p->again, NULL}, {"alone", &p->alone, NULL},
		{"etag", NULL, &p->etag},   {"modified", NULL, &p->modified},
	};

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		if (!g_str_equal(name, fields[i].name))
			continue;
		if (fields[i].number)
			g_ascii_string_to_signed(value, 10, 0, G_MAXINT64 / 2,
						 fields[i].number, NULL);
		else if (!*fields[i].text)
			*fields[i].text = g_uri_unescape_string(value, NULL);
	}
	if (g_str_equal(name, "feed"))
		parse_set(p->feed, value);
	if (g_str_equal(name, "seen"))
		parse_set(p->seen, value);
}

struct http_position *http_position_parse(const char *text)
{
	struct http_position *p = g_new0(struct http_position, 1);
	g_auto(GStrv) words = g_strsplit(text ? text : "", " ", MAX_WORDS);
	char *value;

	p->feed = set_new();
	p->seen = set_new();
	for (guint i = 0; words[i]; i++) {
		value = strchr(words[i], '=');
		if (!value)
			continue;
		*value = '\0';
		parse_word(p, words[i], value + 1);
	}
	return p;
}

static void print_text(GString *out, const char *name, const char *value)
{
	g_autofree char *escaped =
		value ? g_uri_escape_string(value, NULL, FALSE) : NULL;

	if (escaped)
		g_string_append_printf(out, " %s=%s", name, escaped);
}

static void print_set(GString *out, const char *name, GHashTable *set)
{
	g_autoptr(GList) keys = g_hash_table_get_keys(set);

	if (!keys || g_hash_table_size(set) > HTTP_POSITION_MAX_SEEN)
		return;
	keys = g_list_sort(keys, (GCompareFunc)strcmp);
	g_string_append_printf(out, " %s=", name);
	for (GList *k = keys; k; k = k->next)
		g_string_append_printf(out, "%s%s", (const char *)k->data,
				       k->next ? "," : "");
}

char *http_position_print(const struct http_position *p)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out,
			       "to=%" G_GINT64_FORMAT " swept=%" G_GINT64_FORMAT
			       " again=%" G_GINT64_FORMAT
			       " alone=%" G_GINT64_FORMAT,
			       p->to, p->swept, p->again, p->alone);
	print_text(out, "etag", p->etag);
	print_text(out, "modified", p->modified);
	print_set(out, "feed", p->feed);
	print_set(out, "seen", p->seen);
	return g_string_free(out, FALSE);
}
