/* page_tree.c - what all pages share: names, dates, addresses, the frame */
#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"

#include "bot/page_priv.h"

#define LORE	     "https://lore.kernel.org/all/"
#define ANCHOR_CHARS 10
#define THREAD_CHARS 16

void tree_set(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

json_t *tree_text(const char *text)
{
	g_autofree char *valid = NULL;

	if (!text || !*text)
		return json_null();
	valid = g_utf8_make_valid(text, -1);
	return json_string(valid);
}

json_t *tree_time(gint64 utc)
{
	g_autofree char *iso = date_to_rfc3339(utc);
	g_autofree char *day = iso ? g_strndup(iso, 10) : NULL;
	g_autofree char *text = NULL;

	if (!iso)
		return json_null();
	text = g_strdup_printf("%s %.5s UTC", day, iso + 11);
	return json_pack("{s:s, s:s, s:s}", "iso", iso, "day", day, "text",
			 text);
}

char *page_lore(const char *mid)
{
	g_autofree char *path = mid ? msgid_to_url(mid) : NULL;

	/* a ticket is named by its URL */
	if (!path || g_str_has_prefix(mid, "https://") ||
	    g_str_has_prefix(mid, "http://"))
		return g_strdup(mid);
	return g_strconcat(LORE, path, "/", NULL);
}

static char *hash(const char *text, guint chars)
{
	char *hex = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	hex[chars] = '\0';
	return hex;
}

char *page_anchor(const char *mid)
{
	g_autofree char *hex = hash(mid, ANCHOR_CHARS);

	return g_strconcat("m", hex, NULL);
}

char *page_thread_path(const char *root)
{
	g_autofree char *hex = hash(root, THREAD_CHARS);

	return g_strdup_printf("t/%.2s/%s/index.html", hex, hex);
}

const char *page_name(const char *name, const char *address)
{
	if (name && *name)
		return name;
	return address && *address ? address : "unknown";
}

json_t *page_new(const struct site *s, const char *title, guint depth)
{
	g_autoptr(GString) root = g_string_new(NULL);
	json_t *o = json_object();

	for (guint n = 0; n < depth; n++)
		g_string_append(root, "../");
	tree_set(o, "page_title", tree_text(title));
	tree_set(o, "site_title", tree_text(s->title));
	tree_set(o, "style_hash", tree_text(s->style_hash));
	tree_set(o, "root", json_string(root->str));
	return o;
}

gboolean page_write(const struct site *s, const char *template,
		    const char *path, json_t *tree, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);
	gboolean ok = template_render(s->set, template, tree, out, err);

	json_decref(tree);
	return ok && page_dir_put(s->dir, path, out->str, out->len, err);
}
