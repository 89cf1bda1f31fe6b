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

/* How sure it is that this item is meant; 0: it is not. By its names ... */
static int match_names(const char *id, const char *mid, const char *commit,
		       const struct wanted *w)
{
	const char *path;

	if (!strcmp(id, w->text) || (w->mid && !strcmp(mid, w->mid)))
		return 6;
	path = strstr(w->text, "/r/");
	if (path && g_str_has_prefix(path + 3, id))
		return 5;
	return w->hex && commit &&
			       !g_ascii_strncasecmp(commit, w->text,
						    strlen(w->text))
		       ? 4
		       : 0;
}

/* ... or by what only a whole item knows. */
static int match(gconstpointer data, const struct wanted *w)
{
	const struct item *i = data;
	int m = match_names(i->id, i->mid, i->commit, w);

	if (m)
		return m;
	if (*i->title && !g_ascii_strcasecmp(i->title, w->text))
		return 3;
	if (w->mid && is_fix(i, w->mid))
		return 2;
	return w->root && !strcmp(i->thread_root, w->root);
}

static int match_tracked(gconstpointer data, const struct wanted *w)
{
	const struct tracked *x = data;

	return x->dropped ? 0 : match_names(x->id, x->key, x->commit, w);
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
static int find_best(GPtrArray *all,
		     int (*fn)(gconstpointer, const struct wanted *),
		     const struct wanted *w, gboolean *many)
{
	int best = -1, sure = 0;
	guint count = 0;

	for (guint n = 0; n < all->len; n++) {
		int m = fn(all->pdata[n], w);

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

/* The only one that the mail belongs to. */
static struct tracked *by_mail(struct tracker *t, const char *mid)
{
	struct track_mail *m = mid ? track_mail_named(t, mid) : NULL;
	GPtrArray *some = m ? track_items_above(t, m) : NULL;
	struct tracked *x = some && some->len == 1 ? some->pdata[0] : NULL;

	return x && !x->dropped ? x : NULL;
}

static struct item *find(store *st, struct wanted *w, gboolean *many,
			 GError **err)
{
	g_autoptr(tracker_auto) t = tracker_open(st, err);
	g_autoptr(GPtrArray) items = NULL;
	struct tracked *one;
	int at = t ? find_best(t->all, match_tracked, w, many) : -1;

	if (at >= 0)
		return item_load_one(t, t->all->pdata[at], err);
	if (!t || *many)
		return NULL;
	one = by_mail(t, w->mid);
	if (one)
		return item_load_one(t, one, err);
	items = items_load(st, err);
	if (items && find_root(st, w, err))
		at = find_best(items, match, w, many);
	return at < 0 ? NULL : item_ref_item(items->pdata[at]);
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
