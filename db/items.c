/* items.c - reports to items: which there are, and what they are called */
#include "db/items.h"

#include <string.h>

#include "mail/version_range.h"

#include "db/track_priv.h"

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

int item_compare_reported(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->reported != y->reported)
		return x->reported < y->reported ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

/* ---- what is tracked */

void items_configure(store *st, guint what, gint64 now)
{
	st->track = what;
	st->now = now;
}

guint items_tracked(store *st)
{
	return st->track ? st->track : ITEMS_DEFAULT;
}

gint64 items_now(store *st)
{
	return st->now;
}

/* ---- making them */

gboolean item_make(struct item_cache *c, struct item_facts *f, GError **err)
{
	g_autoptr(GArray) notes =
		g_array_new(FALSE, FALSE, sizeof(struct item_note));

	item_cache_trim(c);
	if (!item_collect(c, f, notes, err) ||
	    (f->node && !item_read_lists(c->st, f, err)))
		return FALSE;
	item_fold(f->item, notes);
	item_take_mutes(f);
	return item_find_subsystems(c, f, err) && item_find_waiting(c, f, err);
}

static int compare_activity(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->last_activity != y->last_activity)
		return x->last_activity > y->last_activity ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* ---- how long they hold */

void item_span_begin(struct item_span *s, gint64 now)
{
	s->from = now ? G_MININT64 : 0;
	s->until = now ? G_MAXINT64 : 1;
}

void item_span_cut(struct item_span *s, gint64 now, gint64 edge)
{
	for (gint64 at = edge; at <= edge + 1; at++) {
		if (at > now)
			s->until = MIN(s->until, at);
		else
			s->from = MAX(s->from, at);
	}
}

gboolean item_span_has(const struct item_span *s, gint64 now)
{
	return now >= s->from && now < s->until;
}

/* Who waits too long is stalled; a tag of tomorrow is no release yet. */
static void find_span(struct item_span *s, const struct item_cache *c,
		      const GPtrArray *items)
{
	gint64 now = items_now(c->st);

	item_span_begin(s, now);
	for (guint n = 0; n < items->len && now; n++) {
		const struct item *i = items->pdata[n];

		if (i->waiting.role && i->waiting.until)
			item_span_cut(s, now, i->waiting.until);
	}
	for (guint n = 0; c->tags && n < c->tags->len && now; n++)
		item_span_cut(
			s, now,
			g_array_index(c->tags, struct version_tag, n).date);
}

GPtrArray *items_make(store *st, struct item_span *span, GError **err)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_autoptr(tracker_auto) t = tracker_open(st, err);
	g_autoptr(GArray) facts = t ? item_tracked_load(t, NULL, err) : NULL;
	struct item_cache cache;
	gboolean ok = TRUE;

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
	if (ok)
		find_span(span, &cache, items);
	item_cache_clear(&cache);
	if (!ok)
		return NULL;
	g_ptr_array_sort(items, compare_activity);
	return g_steal_pointer(&items);
}
