/* pages.c - writes the site: items and their threads, then lists, then the
 * first page, so that no link leads to what is not there yet */
#include "bot/pages.h"

#include <string.h>

#include "bot/page_priv.h"

/* The policy of each page allows this one style sheet, by its hash. */
static char *hash_style(template_set *set, GError **err)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GString) text = g_string_new(NULL);
	json_t *empty = json_object();
	guint8 digest[32];
	gsize len = sizeof(digest);
	gboolean ok = template_render(set, "style.css", empty, text, err);

	json_decref(empty);
	if (!ok)
		return NULL;
	g_checksum_update(sum, (const guchar *)text->str, (gssize)text->len);
	g_checksum_get_digest(sum, digest, &len);
	return g_base64_encode(digest, len);
}

/* That of a ticket elsewhere, or of a mail that was not seen: nothing. */
static struct thread *no_thread(const char *root)
{
	struct thread *t = g_new0(struct thread, 1);

	t->nodes = g_ptr_array_new();
	t->by_mid = g_hash_table_new(g_str_hash, g_str_equal);
	t->root = g_strdup(root);
	t->asked = -1;
	return t;
}

/* A thread once, then the items in it. */
static gboolean write_thread(const struct site *s, GPtrArray *items,
			     GError **err)
{
	const struct item *first = items->pdata[0];
	GError *error = NULL;
	g_autoptr(thread_auto) t = thread_load(s->st, first->mid, &error);

	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	if (!t)
		t = no_thread(first->thread_root);
	if (!page_write_thread(s, t, items, err))
		return FALSE;
	for (guint n = 0; n < items->len; n++)
		if (!page_write_item(s, items->pdata[n], t, err))
			return FALSE;
	return TRUE;
}

/* Thread to items; of `wanted` (of their roots) only, if there is one. */
static GHashTable *items_by_root(const struct site *s, GHashTable *wanted)
{
	GHashTable *by_root =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
				      (GDestroyNotify)g_ptr_array_unref);

	for (guint n = 0; n < s->items->len; n++) {
		struct item *i = s->items->pdata[n];
		GPtrArray *some = g_hash_table_lookup(by_root, i->thread_root);

		if (wanted && !g_hash_table_contains(wanted, i->thread_root))
			continue;
		if (!some) {
			some = g_ptr_array_new();
			g_hash_table_insert(by_root, i->thread_root, some);
		}
		g_ptr_array_add(some, i);
	}
	return by_root;
}

static gboolean write_threads(const struct site *s, GHashTable *wanted,
			      GError **err)
{
	g_autoptr(GHashTable) by_root = items_by_root(s, wanted);
	GHashTableIter iter;
	gpointer items;

	g_hash_table_iter_init(&iter, by_root);
	while (g_hash_table_iter_next(&iter, NULL, &items))
		if (!write_thread(s, items, err))
			return FALSE;
	return TRUE;
}

/* ---- all of it, or what some mails touch */

static gboolean names_any(const struct item *i, GHashTable *mids)
{
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		if (e->mid && g_hash_table_contains(mids, e->mid))
			return TRUE;
	}
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *f = i->fixes->pdata[n];

		if (f->mid && g_hash_table_contains(mids, f->mid))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_new(const struct site *s, const struct item *i)
{
	g_autofree char *path = g_strdup_printf("r/%s/index.html", i->id);

	return !page_dir_had(s->dir, path);
}

/* Roots of the threads that hold one of `list`, or an item that counts one or
 * has no page yet. */
static GHashTable *roots_near(const struct site *s, GPtrArray *list,
			      GError **err)
{
	g_autoptr(GHashTable) mids = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) roots =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint n = 0; n < list->len; n++) {
		GError *error = NULL;
		g_autoptr(thread_auto) t =
			thread_load(s->st, list->pdata[n], &error);

		if (error) {
			g_propagate_error(err, error);
			return NULL;
		}
		g_hash_table_add(mids, list->pdata[n]);
		if (t)
			g_hash_table_add(roots, g_strdup(t->root));
	}
	for (guint n = 0; n < s->items->len; n++) {
		const struct item *i = s->items->pdata[n];

		if (names_any(i, mids) || is_new(s, i))
			g_hash_table_add(roots, g_strdup(i->thread_root));
	}
	return g_steal_pointer(&roots);
}

static gboolean write_near(struct site *s, GPtrArray *mids, GError **err)
{
	g_autoptr(GHashTable) roots = roots_near(s, mids, err);

	return roots && write_threads(s, roots, err) &&
	       page_write_lists(s, err) && page_dir_finish_part(s->dir, err);
}

static gboolean write_all(struct site *s, GError **err)
{
	return write_threads(s, NULL, err) && page_write_lists(s, err) &&
	       page_write_about(s, err) && page_dir_finish(s->dir, err);
}

/* `mids` NULL: all. */
static gboolean write_site(store *st, const config *c, template_set *set,
			   const char *dir, gboolean force, GPtrArray *mids,
			   struct pages_counts *counts, GError **err)
{
	g_autofree char *style_hash = hash_style(set, err);
	g_autoptr(page_dir) d =
		style_hash ? page_dir_open(dir, force, err) : NULL;
	g_autoptr(GPtrArray) items = d ? items_load(st, err) : NULL;
	g_autoptr(GHashTable) related = items ? page_related_new(items) : NULL;
	struct site s = {.st = st,
			 .set = set,
			 .dir = d,
			 .title = config_get(c, "pages", NULL, "title"),
			 .base_url = config_get(c, "bot", NULL, "url"),
			 .style_hash = style_hash,
			 .items = items,
			 .related = related};
	gboolean ok = items &&
		      (mids ? write_near(&s, mids, err) : write_all(&s, err));

	if (d)
		*counts = *page_dir_counts(d);
	return ok;
}

gboolean pages_write(store *st, const config *c, template_set *set,
		     const char *dir, gboolean force,
		     struct pages_counts *counts, GError **err)
{
	return write_site(st, c, set, dir, force, NULL, counts, err);
}

gboolean pages_write_near(store *st, const config *c, template_set *set,
			  const char *dir, GPtrArray *mids,
			  struct pages_counts *counts, GError **err)
{
	return write_site(st, c, set, dir, FALSE, mids, counts, err);
}
