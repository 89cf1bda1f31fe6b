/* page_related.c - items that have something in common
 * Each item is listed under its commit, its thread and its test, so that a
 * page looks at no more items than it shows. */
#include "bot/page_priv.h"

#define KEYS 3

/* NULL is a value like any other. */
static const char *or_none(const char *text)
{
	return text ? text : "\x01";
}

/* What it can have in common with others; NULL: not known. */
static void keys_of(const struct item *i, char *keys[KEYS])
{
	keys[0] = i->commit ? g_strconcat("commit ", i->commit, NULL) : NULL;
	keys[1] = g_strconcat("thread ", i->thread_root, NULL);
	keys[2] = i->metric ? g_strconcat("test ", i->metric, "\x02",
					  or_none(i->testcase), "\x02",
					  or_none(i->machine), NULL)
			    : NULL;
}

static void add(GHashTable *lists, char *key, guint index)
{
	GArray *list = g_hash_table_lookup(lists, key);

	if (list) {
		g_free(key);
	} else {
		list = g_array_new(FALSE, FALSE, sizeof(guint));
		g_hash_table_insert(lists, key, list);
	}
	g_array_append_val(list, index);
}

/* Keys to the indices of items, ascending. */
GHashTable *page_related_new(GPtrArray *items)
{
	GHashTable *lists =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)g_array_unref);

	for (guint n = 0; n < items->len; n++) {
		char *keys[KEYS];

		keys_of(items->pdata[n], keys);
		for (guint k = 0; k < KEYS; k++)
			if (keys[k])
				add(lists, keys[k], n);
	}
	return lists;
}

/* The smallest index that a list has from `from` on; G_MAXUINT: none. */
static guint next_index(GArray *lists[KEYS], guint at[KEYS], guint from)
{
	guint best = G_MAXUINT;

	for (guint k = 0; k < KEYS; k++) {
		const guint *list =
			lists[k] ? (const guint *)lists[k]->data : NULL;

		while (list && at[k] < lists[k]->len && list[at[k]] < from)
			at[k]++;
		if (list && at[k] < lists[k]->len)
			best = MIN(best, list[at[k]]);
	}
	return best;
}

GPtrArray *page_related(const struct site *s, const struct item *i)
{
	GPtrArray *found = g_ptr_array_new();
	GArray *lists[KEYS];
	char *keys[KEYS];
	guint at[KEYS] = {0}, n = 0;

	keys_of(i, keys);
	for (guint k = 0; k < KEYS; k++) {
		lists[k] = keys[k] ? g_hash_table_lookup(s->related, keys[k])
				   : NULL;
		g_free(keys[k]);
	}
	while (found->len < PAGE_MAX_RELATED &&
	       (n = next_index(lists, at, n)) != G_MAXUINT) {
		if (s->items->pdata[n] != i)
			g_ptr_array_add(found, s->items->pdata[n]);
		n++;
	}
	return found;
}
