/* item_thread.c - the threads of reports and of fixes, each read once
 * Who is below whom is a question of two numbers here, since a thread is in
 * display order: all that is below a node stands right behind it. */
#include "mail/command.h"

#include "db/items_priv.h"

void item_thread_free(struct item_thread *t)
{
	if (!t)
		return;
	thread_free(t->t);
	g_hash_table_unref(t->by_node);
	g_clear_pointer(&t->quiet, g_hash_table_unref);
	g_free(t->end);
	g_free(t->above);
	g_free(t->cover);
	g_clear_pointer(&t->patches, g_array_unref);
	g_clear_pointer(&t->titles, g_hash_table_unref);
	item_thread_tags_free(t->tags);
	g_clear_pointer(&t->notices, g_array_unref);
	g_clear_pointer(&t->uttered, g_array_unref);
	g_clear_pointer(&t->questions, g_hash_table_unref);
	g_free(t->below);
	g_free(t);
}

/* Takes `thread`. A parent stands before what is below it. */
static struct item_thread *make(struct thread *thread, GHashTable *quiet)
{
	struct item_thread *t = g_new0(struct item_thread, 1);
	int count = (int)thread->nodes->len;

	t->t = thread;
	t->by_node = g_hash_table_new(g_int64_hash, g_int64_equal);
	t->end = g_new(int, count);
	t->above = g_new(int, count);
	t->cover = g_new(int, count);
	for (int n = 0; n < count; n++) {
		const struct thread_node *node = thread->nodes->pdata[n];
		const struct thread_node *up =
			node->parent < 0 ? NULL
					 : thread->nodes->pdata[node->parent];
		gboolean cover = node->kind == KIND_COVER;

		g_hash_table_insert(t->by_node, (gpointer)&node->id,
				    GINT_TO_POINTER(n + 1));
		if (!g_hash_table_contains(quiet, &node->id))
			t->newest = MAX(t->newest, node->date);
		t->end[n] = n + 1;
		t->above[n] = up ? t->above[node->parent] : -1;
		if (!node->ghost && (cover || node->kind == KIND_PATCH))
			t->above[n] = n;
		t->cover[n] = up ? t->cover[node->parent] : -1;
		if (up && !up->ghost && up->kind == KIND_COVER)
			t->cover[n] = node->parent;
	}
	for (int n = count - 1; n >= 0; n--) {
		const struct thread_node *node = thread->nodes->pdata[n];

		if (node->parent >= 0)
			t->end[node->parent] =
				MAX(t->end[node->parent], t->end[n]);
	}
	return t;
}

/* Nodes of mails that say that they are no activity; an answer inherits the
 * mark of the subject without meaning it. */
static GHashTable *read_quiet(store *st, gint64 tid, GError **err)
{
	static const char sql[] =
		"SELECT DISTINCT n.id FROM node n JOIN command c"
		" ON c.node = n.id WHERE n.tid = ?1 AND c.status = ?2"
		" AND c.verb IN ('poke', 'ignore-activity')"
		" AND (c.line > 0 OR NOT EXISTS (SELECT 1 FROM command u"
		"  WHERE u.node = n.parent AND u.line = 0))";
	g_autoptr(GHashTable) quiet =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
				      NULL);
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, INT(tid), INT(COMMAND_OK));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		gint64 node = db_int(rows, 0);

		g_hash_table_add(quiet, g_memdup2(&node, sizeof(node)));
	}
	return rc < 0 ? NULL : g_steal_pointer(&quiet);
}

struct item_thread *item_thread_get(struct item_cache *c, gint64 tid,
				    const char *mid, GError **err)
{
	struct item_thread *t = g_hash_table_lookup(c->threads, &tid);
	GError *error = NULL;
	g_autoptr(GHashTable) quiet = NULL;
	struct thread *thread;

	if (t)
		return t;
	quiet = read_quiet(c->st, tid, err);
	if (!quiet)
		return NULL;
	thread = thread_load(c->st, mid, &error);
	if (!thread) {
		if (!error)
			error = g_error_new(STORE_ERROR, STORE_ERROR_CORRUPT,
					    "<%s>: its thread is not there",
					    mid);
		g_propagate_error(err, error);
		return NULL;
	}
	t = make(thread, quiet);
	t->quiet = g_steal_pointer(&quiet);
	t->tid = tid;
	c->nodes += thread->nodes->len;
	g_hash_table_insert(c->threads, g_memdup2(&tid, sizeof(tid)), t);
	return t;
}

int item_thread_index(const struct item_thread *t, gint64 node)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(t->by_node, &node)) - 1;
}

gboolean item_thread_covers(const struct item_thread *t, int about, int patch)
{
	if (about == patch)
		return TRUE;
	for (int n = t->cover[patch]; n >= 0; n = t->cover[n])
		if (n == about)
			return TRUE;
	return FALSE;
}

gint64 item_thread_newest(struct item_thread *t, gint64 node)
{
	int at = item_thread_index(t, node);

	return at < 0 ? 0 : item_thread_below(t, at)->newest;
}

/* ---- its patches */

static int compare_places(gconstpointer a, gconstpointer b)
{
	const struct item_place *x = a, *y = b;

	return x->index - y->index;
}

static void add_title(GHashTable *titles, struct item_patch *p)
{
	GPtrArray *some = g_hash_table_lookup(titles, p->title_key);

	if (!some) {
		some = g_ptr_array_new();
		g_hash_table_insert(titles, p->title_key, some);
	}
	g_ptr_array_add(some, p);
}

static gboolean read_patches(struct item_cache *c, struct item_thread *t,
			     GError **err)
{
	static const char sql[] = ITEM_PATCH_COLUMNS
		" FROM (SELECT id AS node FROM node WHERE tid = ?1) x" ITEM_PATCH_JOINS
		" WHERE p.has_diff AND n.date NOTNULL"
		" ORDER BY n.date, n.mid";
	g_autoptr(db_rows) rows = db_query(c->st->state, err, sql, INT(t->tid));
	g_autoptr(GHashTable) titles =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
				      (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GArray) places =
		g_array_new(FALSE, FALSE, sizeof(struct item_place));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct item_patch *p = item_patch_read(c, rows);
		struct item_place place = {item_thread_index(t, p->node), p};

		if (place.index < 0)
			continue;
		g_array_append_val(places, place);
		add_title(titles, p);
	}
	if (rc < 0)
		return FALSE;
	g_array_sort(places, compare_places);
	t->patches = g_steal_pointer(&places);
	t->titles = g_steal_pointer(&titles);
	return TRUE;
}

static guint first_place(GArray *places, int index)
{
	guint low = 0, high = places->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (g_array_index(places, struct item_place, mid).index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static GPtrArray *below(struct item_thread *t, int top, gboolean *cut)
{
	GPtrArray *found = g_ptr_array_new();
	guint first = top < 0 ? 0 : first_place(t->patches, top + 1);

	for (guint n = first; top >= 0 && n < t->patches->len; n++) {
		struct item_place *place =
			&g_array_index(t->patches, struct item_place, n);

		if (place->index >= t->end[top])
			break;
		if (found->len >= ITEM_MAX_LOOKS) {
			*cut = TRUE;
			break;
		}
		g_ptr_array_add(found, place->patch);
	}
	return found;
}

GPtrArray *item_thread_patches(struct item_cache *c, struct item_thread *t,
			       gint64 top, const char *key, gint64 since,
			       gboolean *cut, GError **err)
{
	GPtrArray *found, *same;
	guint looks = 0;

	if (!t->patches && !read_patches(c, t, err))
		return NULL;
	found = below(t, item_thread_index(t, top), cut);
	same = key ? g_hash_table_lookup(t->titles, key) : NULL;
	for (guint n = same ? item_patch_since(same, since) : 0;
	     same && n < same->len && looks < ITEM_MAX_LOOKS; n++, looks++)
		g_ptr_array_add(found, same->pdata[n]);
	*cut = *cut || looks == ITEM_MAX_LOOKS;
	g_ptr_array_sort(found, item_patch_compare);
	return found;
}
