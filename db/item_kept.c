/* item_kept.c - the tracker and the items of the last question
 * Kept as long as nothing was written, by this connection or another, the same
 * is asked for, and nothing changes by the clock alone: who asks often pays
 * once. */
#include "db/track_priv.h"

struct kept {
	gint64 version; /* of the file, as other connections change it */
	int changes;	/* by this one */
	guint what, roles;
	struct tracker *tracker; /* NULL none */
	GPtrArray *items;	 /* of struct item; NULL none */
	struct item_span span;	 /* that they hold for */
};

static void kept_clear(struct kept *k)
{
	g_clear_pointer(&k->tracker, tracker_free);
	g_clear_pointer(&k->items, g_ptr_array_unref);
}

static void kept_free(void *data)
{
	kept_clear(data);
	g_free(data);
}

/* What is kept, empty if it is of another state; NULL and *err. */
static struct kept *kept_now(store *st, GError **err)
{
	struct kept *k = st->kept, is = {0};

	if (db_get_int(st->state, &is.version, err, "PRAGMA data_version") < 0)
		return NULL;
	is.changes = sqlite3_total_changes(db_handle(st->state));
	is.what = items_tracked(st);
	is.roles = roles_count(st);
	if (!k) {
		k = st->kept = g_new0(struct kept, 1);
		st->kept_free = kept_free;
	}
	if (k->version != is.version || k->changes != is.changes ||
	    k->what != is.what || k->roles != is.roles) {
		kept_clear(k);
		*k = is;
	}
	return k;
}

struct tracker *tracker_open(store *st, GError **err)
{
	struct kept *k = kept_now(st, err);

	if (!k)
		return NULL;
	/* what failed once must not fail for ever */
	if (k->tracker && k->tracker->error)
		g_clear_pointer(&k->tracker, tracker_free);
	if (!k->tracker)
		k->tracker = tracker_make(st, err);
	return k->tracker ? tracker_ref(k->tracker) : NULL;
}

static GPtrArray *share(GPtrArray *items)
{
	GPtrArray *all =
		g_ptr_array_new_full(items->len, (GDestroyNotify)item_free);

	for (guint n = 0; n < items->len; n++)
		g_ptr_array_add(all, item_ref_item(items->pdata[n]));
	return all;
}

GPtrArray *items_load(store *st, GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	struct kept *k = snapshot ? kept_now(st, err) : NULL;
	GPtrArray *items;

	if (!k)
		return NULL;
	if (k->items && item_span_has(&k->span, items_now(st)))
		return share(k->items);
	g_clear_pointer(&k->items, g_ptr_array_unref);
	items = items_make(st, &k->span, err);
	if (items && items->len <= ITEMS_MAX_KEPT)
		k->items = share(items);
	return items;
}
