/* item_find.c - one item, by whatever names it */
#include <string.h>

#include "mail/msgid.h"

#include "db/track_priv.h"

#define COMMIT_PREFIX_MIN 7

static gboolean is_hex_prefix(const char *what)
{
	gsize len = strspn(what, "0123456789abcdefABCDEF");

	return len >= COMMIT_PREFIX_MIN && !what[len];
}

static gboolean is_fix(const struct item *i, const char *mid)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (fix->mid && !strcmp(fix->mid, mid))
			return TRUE;
	}
	return FALSE;
}

/* What is asked for, in the forms it may have. */
struct wanted {
	const char *text;
	char *mid;  /* NULL: it is none */
	char *root; /* of the thread that holds `mid`, NULL unknown */
	gboolean hex;
};

/* How sure it is that this item is meant; 0: it is not. */
static int match(const struct item *i, const struct wanted *w)
{
	g_autofree char *path = g_strconcat("/r/", i->id, NULL);

	if (!strcmp(i->id, w->text) || (w->mid && !strcmp(i->mid, w->mid)))
		return 6;
	if (strstr(w->text, path))
		return 5;
	if (w->hex && i->commit &&
	    !g_ascii_strncasecmp(i->commit, w->text, strlen(w->text)))
		return 4;
	if (*i->title && !g_ascii_strcasecmp(i->title, w->text))
		return 3;
	if (w->mid && is_fix(i, w->mid))
		return 2;
	return w->root && !strcmp(i->thread_root, w->root);
}

static gboolean find_root(store *st, struct wanted *w, GError **err)
{
	GError *error = NULL;
	g_autoptr(thread_auto) t =
		w->mid ? thread_load(st, w->mid, &error) : NULL;

	if (t)
		w->root = g_strdup(t->root);
	if (!error)
		return TRUE;
	g_propagate_error(err, error);
	return FALSE;
}

/* The index of the one that is meant; -1: none, or several (*many). */
static int find_best(GPtrArray *items, const struct wanted *w, gboolean *many)
{
	int best = -1, sure = 0;
	guint count = 0;

	for (guint n = 0; n < items->len; n++) {
		int m = match(items->pdata[n], w);

		if (m > sure) {
			sure = m;
			best = (int)n;
			count = 0;
		}
		count += m && m == sure;
	}
	*many = count > 1;
	return count == 1 ? best : -1;
}

/* ---- finding one by its name, without folding the others */

/* Items that know no more than their names, in the order of t->all. */
static GPtrArray *load_names(struct tracker *t)
{
	GPtrArray *items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);

	for (guint n = 0; n < t->all->len; n++) {
		const struct tracked *x = t->all->pdata[n];
		struct item *i = item_new();

		i->id = g_strdup(x->dropped ? "" : x->id);
		i->mid = g_strdup(x->dropped ? "" : x->key);
		i->title = g_strdup("");
		i->thread_root = g_strdup("");
		if (!x->dropped)
			i->commit = g_strdup(x->commit);
		g_ptr_array_add(items, i);
	}
	return items;
}

struct item *item_load_one(struct tracker *t, struct tracked *x, GError **err)
{
	g_autoptr(GArray) facts = item_tracked_load(t, x, err);
	struct item_cache cache;
	struct item_facts *f;
	gboolean ok;

	if (!facts || !facts->len)
		return NULL;
	f = &g_array_index(facts, struct item_facts, 0);
	item_cache_init(&cache, t->st);
	ok = item_make(&cache, f, err);
	item_cache_clear(&cache);
	return ok ? g_steal_pointer(&f->item) : NULL;
}

static struct item *find(store *st, struct wanted *w, gboolean *many,
			 GError **err)
{
	g_autoptr(tracker_auto) t = tracker_open(st, err);
	g_autoptr(GPtrArray) items = t ? load_names(t) : NULL;
	int at = items ? find_best(items, w, many) : -1;

	if (at >= 0)
		return item_load_one(t, t->all->pdata[at], err);
	if (!items || *many)
		return NULL;
	/* by what only a whole item knows: title, thread, fixes */
	g_ptr_array_unref(items);
	items = items_load(st, err);
	if (items && find_root(st, w, err))
		at = find_best(items, w, many);
	return at < 0 ? NULL : g_ptr_array_steal_index(items, (guint)at);
}

struct item *item_find(store *st, const char *what, gboolean *many,
		       GError **err)
{
	struct wanted w = {.text = what,
			   .mid = msgid_from_text(what),
			   .hex = is_hex_prefix(what)};
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	struct item *found;

	*many = FALSE;
	found = snapshot ? find(st, &w, many, err) : NULL;
	g_free(w.mid);
	g_free(w.root);
	return found;
}

/* ---- the item that a mail belongs to */

/* Of those in its thread the earliest. */
static struct tracked *in_thread(struct tracker *t, const struct track_mail *m)
{
	for (guint n = 0; n < t->all->len; n++) {
		struct tracked *x = t->all->pdata[n];

		if (x->tid == m->tid && x->node && !x->dropped)
			return x;
	}
	return NULL;
}

struct item *item_of_mail(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(tracker_auto) t = snapshot ? tracker_open(st, err) : NULL;
	struct track_mail *m = t ? track_mail_named(t, mid) : NULL;
	GPtrArray *some = m ? track_items_above(t, m) : NULL;
	struct tracked *x = some ? some->pdata[0] : NULL;

	if (m && !x)
		x = in_thread(t, m);
	if (x)
		return item_load_one(t, x, err);
	if (t && t->error)
		g_propagate_error(err, g_steal_pointer(&t->error));
	return NULL;
}
