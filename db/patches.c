/* patches.c - series out of the stored facts, and the trailers given
 * Assembles when asked; stores nothing. */
#include "db/patches.h"

#include "mail/trailers.h"

#include "db/patch_facts.h"
#include "db/patch_near.h"

static struct series_set *assemble(struct series_set *set)
{
	g_ptr_array_unref(set->series);
	set->series = series_assemble((struct series_mail *)set->mails->data,
				      set->mails->len);
	return set;
}

struct series_set *series_load(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(series_set_auto) set = NULL;
	gint64 node;

	if (!snap || node_find(st, mid, &node, err) < 1)
		return NULL;
	set = series_set_new();
	if (!near_load(st, set, node, err))
		return NULL;
	return assemble(g_steal_pointer(&set));
}

struct loading {
	struct series_set *set;
	GHashTable *rows; /* node id -> struct series_mail */
};

static gboolean read_all(store *st, struct loading *l, GError **err)
{
	static const char sql[] = "SELECT " FACT_COLUMNS FACT_TABLES;
	g_autoptr(db_rows) rows = db_query(st->state, err, sql);
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct series_mail m = fact_read(l->set, rows);
		gint64 *key = g_new(gint64, 1);

		*key = db_int(rows, 0);
		g_hash_table_insert(l->rows, key, g_memdup2(&m, sizeof(m)));
	}
	return rc == 0;
}

static gboolean take_thread(const struct thread *t, void *data, GError **err)
{
	struct loading *l = data;

	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];

		if (g_hash_table_contains(l->rows, &n->id)) {
			facts_add_thread(l->set, t, l->rows, NULL);
			return TRUE;
		}
	}
	return TRUE;
}

struct series_set *series_load_all(store *st, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(series_set_auto) set = series_set_new();
	g_autoptr(GHashTable) rows =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
				      g_free);
	struct loading l = {set, rows};

	if (!snap || !read_all(st, &l, err) ||
	    !thread_each(st, take_thread, &l, err))
		return NULL;
	return assemble(g_steal_pointer(&set));
}

/* ---- trailers */

void given_trailer_free(struct given_trailer *t)
{
	if (!t)
		return;
	g_free(t->mid);
	g_free(t->key);
	g_free(t->value);
	g_free(t->name);
	g_free(t->address);
	g_free(t->note);
	g_free(t);
}

static void free_item(gpointer t)
{
	given_trailer_free(t);
}

static struct given_trailer *read_trailer(sqlite3_stmt *row)
{
	struct given_trailer *t = g_new0(struct given_trailer, 1);

	t->mid = db_dup(row, 0);
	t->key = db_dup(row, 1);
	t->value = db_dup(row, 2);
	t->name = db_dup(row, 3);
	t->address = db_dup(row, 4);
	t->note = db_dup(row, 5);
	switch (db_int(row, 6)) {
	case TRAILER_COMMIT_MESSAGE:
		t->where = GIVEN_COMMIT;
		break;
	case TRAILER_NOTES:
		t->where = GIVEN_NOTES;
		break;
	default:
		t->where = GIVEN_REPLY;
	}
	t->relayed = (int)db_int(row, 7);
	t->date = db_int(row, 8);
	return t;
}

#define GIVEN                                                       \
	"SELECT n.mid, t.key, t.value, t.name, t.address, t.note, " \
	"t.place, t.relayed, coalesce(n.date, 0) FROM node n JOIN " \
	"trailer_text t ON t.node = n.id WHERE t.counts AND "
#define GIVEN_ORDER " ORDER BY n.date, n.mid, t.seq"

static const char of_one[] = GIVEN "n.id = ?1" GIVEN_ORDER;
static const char of_thread[] =
	GIVEN "n.tid = (SELECT tid FROM node WHERE id = ?1)" GIVEN_ORDER;

GPtrArray *trailers_load(store *st, const char *mid, gboolean thread,
			 GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(free_item);
	g_autoptr(db_rows) rows = NULL;
	gint64 node;
	int rc;

	rc = snap ? node_find(st, mid, &node, err) : -1;
	if (rc < 1)
		return rc < 0 ? NULL : g_steal_pointer(&out);
	rows = db_query_args(st->state, err, thread ? of_thread : of_one,
			     DB_ARGS(INT(node)));
	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, read_trailer(rows));
	return rc < 0 ? NULL : g_steal_pointer(&out);
}
