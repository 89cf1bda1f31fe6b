/* patch_near.c - the facts that the series of one thread hang on
 * A closure over (thread, sender): whatever mail/series would look up among
 * all facts is followed here by index, so that the result is the same as if
 * all had been loaded. */
#include "db/patch_near.h"

#include <string.h>

/* One thread of the closure. */
struct place {
	gint64 tid;
	GHashTable *rows;    /* node id -> struct series_mail */
	GHashTable *senders; /* those concerned */
};

/* What is to be followed: all that a sender has in a thread. */
struct job {
	struct place *place;
	const char *sender; /* lent by the set */
};

struct near {
	store *st;
	struct series_set *set;
	GHashTable *places; /* tid -> struct place */
	GPtrArray *order;   /* of struct place, as found */
	GArray *jobs;	    /* of struct job, as found */
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
	return read_rows(near, p, err) ? p : NULL;
}

static void concern(struct near *near, struct place *p, const char *sender)
{
	struct job job = {p, sender};

	if (!g_hash_table_add(p->senders, (gpointer)sender))
		return;
	g_array_append_val(near->jobs, job);
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

/* From the patches p that a sender (?2) has in a thread (?1) to others, q. */
#define FROM_JOB                                                        \
	"SELECT DISTINCT m.tid, s.text FROM node n JOIN patch p ON "    \
	"p.node = n.id AND NOT p.reply AND p.sender = (SELECT id FROM " \
	"address WHERE text = ?2) "
#define TO_OTHERS                                                         \
	"JOIN node m ON m.id = q.node JOIN address s ON s.id = q.sender " \
	"WHERE n.tid = ?1"
#define SAME_SIDE                                        \
	"AND (q.stable OR q.backport_of IS NOT NULL) = " \
	"(p.stable OR p.backport_of IS NOT NULL) "

static const char *const legs[] = {
	/* sent by the same at nearly the same time, of the same size */
	"SELECT DISTINCT m.tid, ?2 FROM (SELECT p.sender, p.version, p.total, "
	"p.tags, min(p.date) AS first, max(p.date) AS last FROM node n JOIN "
	"patch p ON p.node = n.id AND NOT p.reply AND p.sender = (SELECT id "
	"FROM address WHERE text = ?2) WHERE n.tid = ?1 GROUP BY p.version, "
	"p.total, p.tags) p JOIN patch q ON q.sender = p.sender AND q.version "
	"= p.version AND q.total = p.total AND q.date BETWEEN p.first - ?3 "
	"AND p.last + ?3 AND q.tags = p.tags JOIN node m ON m.id = q.node",
	/* the same title, of one of the same people */
	FROM_JOB "JOIN patch q ON q.title_key = p.title_key AND p.title_key "
		 "<> '' AND (q.sender IN (p.sender, p.author) OR q.author IN "
		 "(p.sender, p.author)) " SAME_SIDE TO_OTHERS,
	FROM_JOB
	"JOIN patch q ON q.change_id = p.change_id " SAME_SIDE TO_OTHERS,
	FROM_JOB "JOIN patch q ON q.patch_id = p.patch_id " SAME_SIDE TO_OTHERS,
	/* newer versions that link one of the mails, or a root that may be
	 * its cover */
	"SELECT DISTINCT m.tid, s.text FROM node n LEFT JOIN patch p ON "
	"p.node = n.id JOIN link l ON l.mid = n.mid JOIN patch q ON q.node = "
	"l.node AND q.older IS NOT NULL JOIN node m ON m.id = q.node JOIN "
	"address s ON s.id = q.sender WHERE n.tid = ?1 AND (n.parent IS NULL "
	"OR p.sender = (SELECT id FROM address WHERE text = ?2))",
};

static gboolean follow_legs(struct near *near, const struct job *job,
			    GError **err)
{
	for (guint i = 0; i < G_N_ELEMENTS(legs); i++) {
		g_autoptr(db_rows) rows =
			i == 0 ? db_query(near->st->state, err, legs[i],
					  INT(job->place->tid),
					  TEXT(job->sender), INT(SERIES_GAP))
			       : db_query(near->st->state, err, legs[i],
					  INT(job->place->tid),
					  TEXT(job->sender));

		if (!rows || !follow_rows(near, rows, err))
			return FALSE;
	}
	return TRUE;
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

static gboolean follow_all_older(struct near *near, const struct job *job,
				 GError **err)
{
	GHashTableIter iter;
	gpointer fact;

	g_hash_table_iter_init(&iter, job->place->rows);
	while (g_hash_table_iter_next(&iter, NULL, &fact)) {
		const struct series_mail *m = fact;

		if (m->older_links && !strcmp(m->sender, job->sender) &&
		    !follow_older(near, m, err))
			return FALSE;
	}
	return TRUE;
}

static gboolean follow_all(struct near *near, GError **err)
{
	for (guint i = 0; i < near->jobs->len; i++) {
		struct job job = g_array_index(near->jobs, struct job, i);

		if (!follow_legs(near, &job, err) ||
		    !follow_all_older(near, &job, err))
			return FALSE;
	}
	return TRUE;
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
	near.jobs = g_array_new(FALSE, FALSE, sizeof(struct job));
	ok = start(&near, node, err) && follow_all(&near, err) &&
	     add_facts(&near, err);
	g_array_unref(near.jobs);
	g_ptr_array_unref(near.order);
	g_hash_table_unref(near.places);
	return ok;
}
