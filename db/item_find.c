/* item_find.c - one item, by whatever names it */
#include <string.h>

#include "mail/msgid.h"

#include "db/items_priv.h"

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

		if (!strcmp(fix->mid, mid))
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

/* Where the report of an item is. */
struct spot {
	gint64 node, tid;
};

/* Items that know no more than their names; `spots` gets where they are. */
static GPtrArray *load_names(store *st, GArray *spots, GError **err)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT r.node, n.mid, n.date, r.commit_id, n.tid"
			 " FROM report r JOIN node n ON n.id = r.node"
			 " WHERE r.category = ?1",
			 INT(REPORT_PERFORMANCE));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct item *i = item_new();
		struct spot spot = {db_int(rows, 0), db_int(rows, 4)};
		gint64 date = db_int(rows, 2);

		g_array_append_val(spots, spot);
		i->mid = db_dup(rows, 1);
		i->reported = date == DB_NULL ? 0 : date;
		i->commit = db_dup(rows, 3);
		i->title = g_strdup("");
		i->thread_root = g_strdup("");
		g_ptr_array_add(items, i);
	}
	if (rc < 0)
		return NULL;
	items_name(items);
	return g_steal_pointer(&items);
}

static struct item *load_one(store *st, gint64 node, const char *id,
			     GError **err)
{
	g_autoptr(GArray) facts = item_reports_load(st, node, err);
	struct item_cache cache;
	struct item_facts *f;
	gboolean ok;

	if (!facts || !facts->len)
		return NULL;
	f = &g_array_index(facts, struct item_facts, 0);
	item_cache_init(&cache, st);
	ok = item_make(&cache, f, err);
	item_cache_clear(&cache);
	if (!ok)
		return NULL;
	f->item->id = g_strdup(id);
	return g_steal_pointer(&f->item);
}

static struct item *find(store *st, struct wanted *w, gboolean *many,
			 GError **err)
{
	g_autoptr(GArray) spots =
		g_array_new(FALSE, FALSE, sizeof(struct spot));
	g_autoptr(GPtrArray) items = load_names(st, spots, err);
	int at = items ? find_best(items, w, many) : -1;

	if (at >= 0) {
		const struct item *i = items->pdata[at];

		return load_one(st, g_array_index(spots, struct spot, at).node,
				i->id, err);
	}
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

struct item *item_of_mail(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(GArray) spots =
		g_array_new(FALSE, FALSE, sizeof(struct spot));
	g_autoptr(GPtrArray) items = NULL;
	gint64 node, tid;
	int best = -1;

	if (!snapshot || node_find(st, mid, &node, err) < 1 ||
	    db_get_int(st->state, &tid, err,
		       "SELECT tid FROM node WHERE id = ?", INT(node)) < 1)
		return NULL;
	items = load_names(st, spots, err);
	for (guint n = 0; items && n < items->len; n++) {
		const struct spot *s = &g_array_index(spots, struct spot, n);

		if (s->node == node) {
			best = (int)n;
			break;
		}
		if (s->tid == tid &&
		    (best < 0 ||
		     item_compare_reported(&items->pdata[n],
					   &items->pdata[best]) < 0))
			best = (int)n;
	}
	if (best < 0)
		return NULL;
	return load_one(st, g_array_index(spots, struct spot, best).node,
			((struct item *)items->pdata[best])->id, err);
}
