/* patch_near.c - the facts that the series of one thread hang on
 * A closure over (thread, sender): whatever mail/series would look up among
 * all facts is followed here by index, so that the result is the same as if
 * all had been loaded. */
#include "db/patch_near.h"

#include <string.h>

#define PATCH_ID_LEN 20

/* One thread of the closure. */
struct place {
	gint64 tid;
	GHashTable *rows;    /* node id -> struct series_mail */
	GHashTable *senders; /* those concerned */
};

struct near {
	store *st;
	struct series_set *set;
	GHashTable *places; /* tid -> struct place */
	GPtrArray *order;   /* of struct place, as found */
	GQueue *pending;    /* of struct series_mail, lent by the places */
	GQueue *roots;	    /* ids of roots that may be covers */
};

static void place_free(gpointer data)
{
	struct place *p = data;

	g_hash_table_unref(p->rows);
	g_hash_table_unref(p->senders);
	g_free(p);
}

static gint64 *key_dup(gint64 v)
{
	gint64 *key = g_new(gint64, 1);

	*key = v;
	return key;
}

/* Roots that have no row: followed by their id alone. */
static gboolean read_roots(struct near *near, gint64 tid, GError **err)
{
	static const char sql[] =
		"SELECT n.mid FROM node n JOIN message m ON m.node = n.id "
		"LEFT JOIN patch p ON p.node = n.id WHERE n.tid = ? AND "
		"n.parent IS NULL AND p.node IS NULL AND m.kind = ?";
	struct fact_store *f = near->set->priv;
	g_autoptr(db_rows) rows =
		db_query(near->st->state, err, sql, INT(tid), INT(KIND_OTHER));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_queue_push_tail(near->roots,
				  g_string_chunk_insert(f->strings,
							db_text(rows, 0)));
	return rc == 0;
}

static gboolean read_rows(struct near *near, struct place *p, GError **err)
{
	static const char sql[] =
		"SELECT " FACT_COLUMNS FACT_TABLES "WHERE n.tid = ?";
	g_autoptr(db_rows) rows =
		db_query(near->st->state, err, sql, INT(p->tid));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct series_mail m = fact_read(near->set, rows);

		g_hash_table_insert(p->rows, key_dup(db_int(rows, 0)),
				    g_memdup2(&m, sizeof(m)));
	}
	return rc == 0;
}

/* The place of a thread, read if it is new; NULL and *err, or NULL alone
 * where the closure is full. */
static struct place *find_place(struct near *near, gint64 tid, GError **err)
{
	struct place *p = g_hash_table_lookup(near->places, &tid);

	if (p || near->order->len >= NEAR_MAX_THREADS)
		return p;
	p = g_new0(struct place, 1);
	p->tid = tid;
	p->rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					g_free);
	p->senders = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(near->places, &p->tid, p);
	g_ptr_array_add(near->order, p);
	return read_rows(near, p, err) && read_roots(near, tid, err) ? p : NULL;
}

/* All that `sender` has in the place is now to be followed. */
static void concern(struct near *near, struct place *p, const char *sender)
{
	GHashTableIter iter;
	gpointer fact;

	if (g_hash_table_contains(p->senders, sender))
		return;
	g_hash_table_add(p->senders, (gpointer)sender);
	g_hash_table_iter_init(&iter, p->rows);
	while (g_hash_table_iter_next(&iter, NULL, &fact)) {
		struct series_mail *m = fact;

		if (!strcmp(m->sender, sender) && !m->reply)
			g_queue_push_tail(near->pending, m);
	}
}

/* Rows of (tid, sender's address): places to go on from. Read to the end
 * before any other statement runs. */
static gboolean follow_rows(struct near *near, db_rows *rows, GError **err)
{
	g_autoptr(GArray) tids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GPtrArray) senders = g_ptr_array_new();
	struct fact_store *f = near->set->priv;
	g_autoptr(GError) why = NULL;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		gint64 tid = db_int(rows, 0);

		g_array_append_val(tids, tid);
		g_ptr_array_add(senders,
				g_string_chunk_insert_const(f->strings,
							    db_text(rows, 1)));
	}
	if (rc < 0)
		return FALSE;
	for (guint i = 0; i < tids->len; i++) {
		struct place *p =
			find_place(near, g_array_index(tids, gint64, i), &why);

		if (why) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (p)
			concern(near, p, senders->pdata[i]);
	}
	return TRUE;
}

#define FOUND                                                                \
	"SELECT DISTINCT n.tid, s.text FROM patch p JOIN node n ON "         \
	"n.id = p.node JOIN address s ON s.id = p.sender JOIN address a ON " \
	"a.id = p.author WHERE "
#define SAME_SIDE "(p.stable OR p.backport_of IS NOT NULL) = ?1 AND "

/* Sent by the same at nearly the same time, of the same size. */
static gboolean follow_time(struct near *near, const struct series_mail *m,
			    GError **err)
{
	static const char sql[] =
		FOUND "p.sender = (SELECT id FROM address WHERE text = ?1) "
		      "AND p.version = ?2 AND p.total = ?3 AND p.date BETWEEN "
		      "?4 AND ?5 AND p.tags = ?6";
	g_autoptr(db_rows) rows = NULL;

	if (m->total < 0)
		return TRUE;
	rows = db_query(near->st->state, err, sql, TEXT(m->sender),
			INT(m->version), INT(m->total),
			INT(m->date - SERIES_GAP), INT(m->date + SERIES_GAP),
			TEXT(m->tags));
	return rows && follow_rows(near, rows, err);
}

static gboolean follow_title(struct near *near, const struct series_mail *m,
			     GError **err)
{
	static const char sql[] =
		FOUND SAME_SIDE "p.title_key = ?2 AND "
				"(s.text IN (?3, ?4) OR a.text IN (?3, ?4))";
	g_autoptr(db_rows) rows = NULL;

	if (!*m->title_key)
		return TRUE;
	rows = db_query(near->st->state, err, sql,
			INT(m->stable || m->backport_of), TEXT(m->title_key),
			TEXT(m->author), TEXT(m->sender));
	return rows && follow_rows(near, rows, err);
}

static gboolean follow_change(struct near *near, const struct series_mail *m,
			      GError **err)
{
	static const char sql[] = FOUND SAME_SIDE "p.change_id = ?2";
	g_autoptr(db_rows) rows = NULL;

	if (!m->change_id)
		return TRUE;
	rows = db_query(near->st->state, err, sql,
			INT(m->stable || m->backport_of), TEXT(m->change_id));
	return rows && follow_rows(near, rows, err);
}

static gboolean follow_patch_id(struct near *near, const struct series_mail *m,
				GError **err)
{
	static const char sql[] = FOUND SAME_SIDE "p.patch_id = ?2";
	g_autoptr(db_rows) rows = NULL;
	guint8 id[PATCH_ID_LEN];

	for (guint i = 0; m->patch_id && i < PATCH_ID_LEN; i++)
		id[i] = (guint8)(g_ascii_xdigit_value(m->patch_id[2 * i]) * 16 +
				 g_ascii_xdigit_value(m->patch_id[2 * i + 1]));
	if (!m->patch_id)
		return TRUE;
	rows = db_query(near->st->state, err, sql,
			INT(m->stable || m->backport_of),
			BLOB(id, PATCH_ID_LEN));
	return rows && follow_rows(near, rows, err);
}

/* Those in the place who may be the people of `m`. */
static void concern_people(struct near *near, struct place *p,
			   const struct series_mail *m)
{
	GHashTableIter iter;
	gpointer fact;

	concern(near, p, m->sender);
	g_hash_table_iter_init(&iter, p->rows);
	while (g_hash_table_iter_next(&iter, NULL, &fact)) {
		const struct series_mail *x = fact;

		if (!strcmp(x->author, m->author))
			concern(near, p, x->sender);
	}
}

/* Older versions that the mail links. */
static gboolean follow_older(struct near *near, const struct series_mail *m,
			     GError **err)
{
	for (guint i = 0; m->older_links && m->older_links[i]; i++) {
		g_autoptr(GError) why = NULL;
		struct place *p;
		gint64 tid;
		int rc = db_get_int(near->st->state, &tid, err,
				    "SELECT tid FROM node WHERE mid = ?",
				    TEXT(m->older_links[i]));

		if (rc < 0)
			return FALSE;
		p = rc > 0 ? find_place(near, tid, &why) : NULL;
		if (why) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (p)
			concern_people(near, p, m);
	}
	return TRUE;
}

/* Newer versions that link the mail. */
static gboolean follow_newer(struct near *near, const char *mid, GError **err)
{
	static const char sql[] =
		"SELECT DISTINCT n.tid, s.text FROM link l JOIN patch p ON "
		"p.node = l.node JOIN node n ON n.id = p.node JOIN address s "
		"ON s.id = p.sender WHERE l.mid = ? AND p.older IS NOT NULL";
	g_autoptr(db_rows) rows =
		db_query(near->st->state, err, sql, TEXT(mid));

	return rows && follow_rows(near, rows, err);
}

static gboolean follow(struct near *near, const struct series_mail *m,
		       GError **err)
{
	return follow_time(near, m, err) && follow_title(near, m, err) &&
	       follow_change(near, m, err) && follow_patch_id(near, m, err) &&
	       follow_older(near, m, err) && follow_newer(near, m->mid, err);
}

static gboolean follow_all(struct near *near, GError **err)
{
	for (;;) {
		const struct series_mail *m = g_queue_pop_head(near->pending);
		const char *root = g_queue_pop_head(near->roots);

		if (!m && !root)
			return TRUE;
		if ((m && !follow(near, m, err)) ||
		    (root && !follow_newer(near, root, err)))
			return FALSE;
	}
}

/* Everyone who has patches in the asked thread. */
static gboolean start(struct near *near, gint64 node, GError **err)
{
	g_autoptr(GPtrArray) senders = g_ptr_array_new();
	GHashTableIter iter;
	struct place *p;
	gpointer fact;
	gint64 tid;

	if (db_get_int(near->st->state, &tid, err,
		       "SELECT tid FROM node WHERE id = ?", INT(node)) < 1)
		return FALSE;
	p = find_place(near, tid, err);
	if (!p)
		return FALSE;
	g_hash_table_iter_init(&iter, p->rows);
	while (g_hash_table_iter_next(&iter, NULL, &fact))
		g_ptr_array_add(senders,
				(gpointer)((struct series_mail *)fact)->sender);
	for (guint i = 0; i < senders->len; i++)
		concern(near, p, senders->pdata[i]);
	return TRUE;
}

static struct thread *load_thread(struct near *near, struct place *p,
				  GError **err)
{
	GHashTableIter iter;
	gpointer fact;

	g_hash_table_iter_init(&iter, p->rows);
	if (!g_hash_table_iter_next(&iter, NULL, &fact))
		return NULL;
	return thread_load(near->st, ((struct series_mail *)fact)->mid, err);
}

static gboolean add_facts(struct near *near, GError **err)
{
	for (guint i = 0; i < near->order->len; i++) {
		struct place *p = near->order->pdata[i];
		g_autoptr(thread_auto) t = NULL;

		if (!g_hash_table_size(p->rows))
			continue;
		t = load_thread(near, p, err);
		if (!t)
			return FALSE;
		facts_add_thread(near->set, t, p->rows, p->senders);
	}
	return TRUE;
}

gboolean near_load(store *st, struct series_set *set, gint64 node, GError **err)
{
	struct near near = {.st = st, .set = set};
	gboolean ok;

	near.places = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
					    place_free);
	near.order = g_ptr_array_new();
	near.pending = g_queue_new();
	near.roots = g_queue_new();
	ok = start(&near, node, err) && follow_all(&near, err) &&
	     add_facts(&near, err);
	g_queue_free(near.roots);
	g_queue_free(near.pending);
	g_ptr_array_unref(near.order);
	g_hash_table_unref(near.places);
	return ok;
}
