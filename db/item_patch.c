/* item_patch.c - patch mails that may repair something, each read once
 * Which of them belong to an item is not known here. */
#include <string.h>

#include "mail/subject.h"

#include "db/items_priv.h"

#define PREFIX 7  /* digits: the fewest of a commit id in mail */
#define DIGITS 64 /* the most */

static void clear_tag(void *data)
{
	struct item_tag *tag = data;

	item_ref_drop(tag->mid);
	item_ref_drop(tag->key);
	item_ref_drop(tag->name);
	item_ref_drop(tag->address);
	item_ref_drop(tag->by);
}

void item_tag_unref(struct item_tag *tag)
{
	g_rc_box_release_full(tag, clear_tag);
}

static void free_patch(struct item_patch *p)
{
	item_ref_drop(p->mid);
	item_ref_drop(p->subject);
	item_ref_drop(p->title_key);
	item_ref_drop(p->patch_id);
	item_ref_drop(p->author_name);
	item_ref_drop(p->author_address);
	item_ref_drop(p->by);
	g_clear_pointer(&p->tags, g_ptr_array_unref);
	g_free(p);
}

int item_patch_compare(gconstpointer a, gconstpointer b)
{
	const struct item_patch *x = *(struct item_patch *const *)a;
	const struct item_patch *y = *(struct item_patch *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

guint item_patch_since(GPtrArray *patches, gint64 since)
{
	guint low = 0, high = patches->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;
		const struct item_patch *p = patches->pdata[mid];

		if (p->date < since)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The title inside the patch, else the subject without its brackets. */
static char *title_of(db_rows *rows)
{
	const char *title = db_text(rows, 5);
	g_autoptr(subject_auto) s = NULL;

	if (title)
		return item_ref(title);
	s = subject_parse(db_text(rows, 6), NULL);
	return item_ref(s->base);
}

struct item_patch *item_patch_read(struct item_cache *c, db_rows *rows)
{
	gint64 node = db_int(rows, 0);
	struct item_patch *p = g_hash_table_lookup(c->patches, &node);
	const char *patch_id;

	if (p)
		return p;
	p = g_new0(struct item_patch, 1);
	p->node = node;
	p->tid = db_int(rows, 1);
	p->mid = item_ref_column(rows, 2);
	p->date = db_int(rows, 3);
	p->title_key = item_ref_column(rows, 4);
	p->subject = title_of(rows);
	p->version = (int)db_int(rows, 7);
	p->backport = db_int(rows, 8) != 0;
	patch_id = db_text(rows, 9);
	if (patch_id && *patch_id) {
		g_autofree char *lower = g_ascii_strdown(patch_id, -1);

		p->patch_id = item_ref(lower);
	}
	p->author_name = item_ref_column(rows, 10);
	p->author_address = item_ref_column(rows, 11);
	p->by = item_ref_person(p->author_name, p->author_address);
	p->sender = db_int(rows, 12);
	g_hash_table_insert(c->patches, &p->node, p);
	return p;
}

/* ---- what is kept */

void item_cache_init(struct item_cache *c, store *st)
{
	c->st = st;
	c->nodes = 0;
	c->trees = NULL;
	c->tags = NULL;
	c->gate = NULL;
	c->tag_names = NULL;
	c->asked_keepers = FALSE;
	c->keepers = NULL;
	c->mailmap = NULL;
	c->patches = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
					   (GDestroyNotify)free_patch);
	c->culprits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_hash_table_unref);
	c->threads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					   (GDestroyNotify)item_thread_free);
	c->reported = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    item_reported_free);
	c->measured =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void item_cache_trim(struct item_cache *c)
{
	gboolean all = g_hash_table_size(c->patches) > ITEM_KEPT_PATCHES;

	if (all || c->nodes > ITEM_KEPT_NODES ||
	    g_hash_table_size(c->threads) > ITEM_KEPT_THREADS) {
		g_hash_table_remove_all(c->threads);
		c->nodes = 0;
	}
	if (all) {
		g_hash_table_remove_all(c->culprits);
		g_hash_table_remove_all(c->patches);
	}
}

void item_cache_clear(struct item_cache *c)
{
	item_gate_free(c->gate);
	g_hash_table_unref(c->reported);
	g_hash_table_unref(c->measured);
	g_hash_table_unref(c->threads);
	g_hash_table_unref(c->culprits);
	g_hash_table_unref(c->patches);
	g_clear_pointer(&c->trees, g_ptr_array_unref);
	g_clear_pointer(&c->tags, g_array_unref);
	g_clear_pointer(&c->tag_names, g_ptr_array_unref);
}

/* ---- patches by the commit that they name: for all commits that begin with
 * the same digits at once, since a patch may name it by no more than these */

static GHashTable *read_culprits(struct item_cache *c, const char *prefix,
				 GError **err)
{
	static const char sql[] = ITEM_PATCH_COLUMNS
		", x.id FROM (SELECT DISTINCT node, id FROM commit_ref"
		" WHERE role = ?1 AND id >= ?2 AND id < ?2 || 'g') x" ITEM_PATCH_JOINS
		" WHERE p.has_diff AND n.date NOTNULL"
		" ORDER BY n.date, n.mid";
	g_autoptr(GHashTable) by_id =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(db_rows) rows = db_query(c->st->state, err, sql,
					   INT(COMMIT_FIXES), TEXT(prefix));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		const char *id = db_text(rows, ITEM_PATCH_NEXT_COLUMN);
		GPtrArray *some = g_hash_table_lookup(by_id, id);

		if (!some) {
			some = g_ptr_array_new();
			g_hash_table_insert(by_id, g_strdup(id), some);
		}
		g_ptr_array_add(some, item_patch_read(c, rows));
	}
	return rc < 0 ? NULL : g_steal_pointer(&by_id);
}

/* One of several lists that are merged. */
struct cursor {
	GPtrArray *patches;
	guint at;
};

static struct item_patch *next_patch(struct cursor *lists, guint count)
{
	struct item_patch *best = NULL;

	for (guint n = 0; n < count; n++) {
		struct cursor *l = &lists[n];

		if (l->at < l->patches->len &&
		    (!best ||
		     item_patch_compare(&l->patches->pdata[l->at], &best) < 0))
			best = l->patches->pdata[l->at];
	}
	for (guint n = 0; best && n < count; n++) {
		struct cursor *l = &lists[n];

		/* it may name the commit in several lengths */
		if (l->at < l->patches->len && l->patches->pdata[l->at] == best)
			l->at++;
	}
	return best;
}

gboolean item_culprit_each(struct item_cache *c, const char *commit,
			   gint64 since,
			   gboolean (*fn)(struct item_patch *p, void *data),
			   void *data, GError **err)
{
	g_autofree char *id = g_strndup(commit, DIGITS);
	char *prefix = g_strndup(commit, PREFIX);
	GHashTable *by_id = g_hash_table_lookup(c->culprits, prefix);
	struct cursor lists[DIGITS];
	struct item_patch *p;
	guint count = 0;

	if (!by_id)
		by_id = read_culprits(c, prefix, err);
	else
		g_clear_pointer(&prefix, g_free);
	if (!by_id) {
		g_free(prefix);
		return FALSE;
	}
	if (prefix)
		g_hash_table_insert(c->culprits, prefix, by_id);
	for (gsize len = strlen(id); len >= PREFIX; len--) {
		GPtrArray *some;

		id[len] = '\0';
		some = g_hash_table_lookup(by_id, id);
		if (some)
			lists[count++] =
				(struct cursor){some,
						item_patch_since(some, since)};
	}
	while ((p = next_patch(lists, count)))
		if (!fn(p, data))
			break;
	return TRUE;
}
