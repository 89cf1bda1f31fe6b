/* items.c - reports to items: which there are, and what they are called */
#include "db/items.h"

#include <string.h>

#include "db/items_priv.h"

static const char base32[] = "abcdefghijklmnopqrstuvwxyz234567";

char *item_id(const char *mid, gint64 date, guint more)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GDateTime) when =
		g_date_time_new_from_unix_utc(date > 0 ? date : 0);
	guint8 hash[32];
	gsize len = sizeof(hash);
	guint chars = MIN(ITEM_ID_CHARS + more, len * 8 / 5);
	GString *id = g_string_new(NULL);

	g_checksum_update(sum, (const guchar *)mid, -1);
	g_checksum_get_digest(sum, hash, &len);
	if (date > 0 && when)
		g_string_printf(id, "%04d%02d-", g_date_time_get_year(when),
				g_date_time_get_month(when));
	else
		g_string_assign(id, "000000-");
	for (guint n = 0; n < chars; n++) {
		guint bit = n * 5, byte = bit / 8;
		guint pair = (guint)hash[byte] << 8;

		if (byte + 1 < len)
			pair |= hash[byte + 1];
		g_string_append_c(id, base32[pair >> (11 - bit % 8) & 31]);
	}
	return g_string_free(id, FALSE);
}

/* ---- ids: the earliest of those that collide keeps the short one */

int item_compare_reported(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->reported != y->reported)
		return x->reported < y->reported ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

void items_name(GPtrArray *items)
{
	g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) order = g_ptr_array_new();

	for (guint n = 0; n < items->len; n++)
		g_ptr_array_add(order, items->pdata[n]);
	g_ptr_array_sort(order, item_compare_reported);
	for (guint n = 0; n < order->len; n++) {
		struct item *i = order->pdata[n];
		guint more = 0;

		i->id = item_id(i->mid, i->reported, 0);
		while (g_hash_table_contains(taken, i->id)) {
			g_free(i->id);
			more += 2;
			i->id = item_id(i->mid, i->reported, more);
		}
		g_hash_table_add(taken, i->id);
	}
}

/* ---- making them */

gboolean item_make(struct item_cache *c, struct item_facts *f, GError **err)
{
	g_autoptr(GArray) notes =
		g_array_new(FALSE, FALSE, sizeof(struct item_note));

	item_cache_trim(c);
	if (!item_collect(c, f, notes, err))
		return FALSE;
	item_fold(f->item, notes);
	return TRUE;
}

static int compare_activity(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->last_activity != y->last_activity)
		return x->last_activity > y->last_activity ? -1 : 1;
	return strcmp(x->id, y->id);
}

GPtrArray *items_load(store *st, GError **err)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(GArray) facts = NULL;
	struct item_cache cache;
	gboolean ok = TRUE;

	facts = snapshot ? item_reports_load(st, 0, err) : NULL;
	if (!facts)
		return NULL;
	item_cache_init(&cache, st);
	for (guint n = 0; n < facts->len && ok; n++) {
		struct item_facts *f =
			&g_array_index(facts, struct item_facts, n);

		ok = item_make(&cache, f, err);
		if (ok)
			g_ptr_array_add(items, g_steal_pointer(&f->item));
	}
	item_cache_clear(&cache);
	if (!ok)
		return NULL;
	items_name(items);
	g_ptr_array_sort(items, compare_activity);
	return g_steal_pointer(&items);
}
