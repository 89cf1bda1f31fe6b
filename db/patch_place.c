/* patch_place.c - one thread of a closure: its facts, by whom, who links them
 * Reads two statements a thread; must not decide what to follow. */
#include "db/patch_place.h"

static void array_free(gpointer array)
{
	g_array_unref(array);
}

static void pointers_free(gpointer array)
{
	g_ptr_array_unref(array);
}

GHashTable *hits_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     array_free);
}

void hits_add(GHashTable *by, char *key, const struct hit *hit)
{
	GArray *hits = g_hash_table_lookup(by, key);

	if (hits) {
		g_free(key);
	} else {
		hits = g_array_new(FALSE, FALSE, sizeof(struct hit));
		g_hash_table_insert(by, key, hits);
	}
	g_array_append_vals(hits, hit, 1);
}

void place_free(gpointer data)
{
	struct place *p = data;

	g_hash_table_unref(p->rows);
	g_hash_table_unref(p->by_sender);
	g_hash_table_unref(p->by_author);
	g_hash_table_unref(p->senders);
	g_hash_table_unref(p->newer);
	g_free(p);
}

static struct place *place_new(gint64 tid)
{
	struct place *p = g_new0(struct place, 1);

	p->tid = tid;
	p->rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					g_free);
	p->by_sender = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					     pointers_free);
	p->by_author = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					     pointers_free);
	p->senders = g_hash_table_new(g_str_hash, g_str_equal);
	p->newer = hits_new();
	return p;
}

static gint64 *key_dup(gint64 v)
{
	gint64 *key = g_new(gint64, 1);

	*key = v;
	return key;
}

static void add_fact(GHashTable *by, const char *who, struct series_mail *m)
{
	GPtrArray *facts = g_hash_table_lookup(by, who);

	if (!facts) {
		facts = g_ptr_array_new();
		g_hash_table_insert(by, (gpointer)who, facts);
	}
	g_ptr_array_add(facts, m);
}

static gboolean read_rows(store *st, struct series_set *set, struct place *p,
			  GError **err)
{
	static const char sql[] =
		"SELECT " FACT_COLUMNS FACT_TABLES "WHERE n.tid = ?";
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(p->tid));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct series_mail m = fact_read(set, rows);
		struct series_mail *kept = g_memdup2(&m, sizeof(m));

		g_hash_table_insert(p->rows, key_dup(db_int(rows, 0)), kept);
		add_fact(p->by_sender, kept->sender, kept);
		add_fact(p->by_author, kept->author, kept);
	}
	return rc == 0;
}

/* Newer versions that link a mail of a sender, or a root that may be a cover:
 * that one is anybody's. */
static gboolean read_newer(store *st, struct series_set *set, struct place *p,
			   GError **err)
{
	static const char sql[] =
		"SELECT m.tid, s.text, n.parent IS NULL, a.text FROM node n "
		"JOIN link l ON l.mid = n.mid JOIN patch q ON q.node = l.node "
		"AND q.older IS NOT NULL JOIN node m ON m.id = q.node JOIN "
		"address s ON s.id = q.sender LEFT JOIN patch p ON p.node = "
		"n.id LEFT JOIN address a ON a.id = p.sender WHERE n.tid = ?";
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(p->tid));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct hit hit = {db_int(rows, 0),
				  fact_intern(set, db_text(rows, 1))};
		const char *who = db_int(rows, 2) ? "" : db_text(rows, 3);

		if (who)
			hits_add(p->newer, g_strdup(who), &hit);
	}
	return rc == 0;
}

struct place *place_read(store *st, struct series_set *set, gint64 tid,
			 GError **err)
{
	struct place *p = place_new(tid);

	if (read_rows(st, set, p, err) && read_newer(st, set, p, err))
		return p;
	place_free(p);
	return NULL;
}
