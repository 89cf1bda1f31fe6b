/* search.c - the full text file follows the state's table `change`
 * Never writes the state, and never makes its writer wait. What a kill leaves
 * undone is seen by the difference between 'seen' and the last change, and
 * done by the next search_index(). */
#include "db/search_priv.h"

/* ---- where we are */

static gboolean meta_get(struct search *s, const char *key, gint64 *value,
			 GError **err)
{
	*value = 0;
	return db_get_int(s->fts, value, err,
			  "SELECT value FROM main.meta WHERE key = ?1",
			  TEXT(key)) >= 0;
}

static gboolean meta_set(struct search *s, const char *key, gint64 value,
			 GError **err)
{
	return db_run(s->fts, err,
		      "INSERT INTO main.meta (key, value) VALUES (?1, ?2) "
		      "ON CONFLICT (key) DO UPDATE SET value = ?2",
		      TEXT(key), INT(value));
}

/* The last change followed; after a rebuild of the state nothing here means
 * anything any more, then -1. */
static gboolean position(struct search *s, gint64 *seen, gint64 *generation,
			 GError **err)
{
	gint64 ours;

	*generation = 0;
	if (!meta_get(s, "generation", &ours, err) ||
	    !meta_get(s, "seen", seen, err) ||
	    db_get_int(s->fts, generation, err,
		       "SELECT value FROM state.meta "
		       "WHERE key = 'generation'") < 0)
		return FALSE;
	if (ours != *generation)
		*seen = -1;
	return TRUE;
}

gboolean search_behind(store *st, guint *count, GError **err)
{
	struct search *s = search_of(st, err);
	gint64 seen, generation, n = 0;

	if (!s || !position(s, &seen, &generation, err) ||
	    db_get_int(s->fts, &n, err,
		       "SELECT count(DISTINCT c.node) FROM state.change c "
		       "JOIN state.message m ON m.node = c.node "
		       "WHERE c.seq > ?1",
		       INT(MAX(seen, 0))) < 0)
		return search_blame(st, err);
	*count = (guint)n;
	return TRUE;
}

/* ---- writing */

static gboolean start_anew(struct search *s, gint64 generation, GError **err)
{
	return db_script(s->fts,
			 "INSERT INTO text (text) VALUES ('delete-all');"
			 "DELETE FROM doc;"
			 "DELETE FROM main.meta;",
			 err) &&
	       meta_set(s, "generation", generation, err);
}

static gboolean doc_insert(struct search *s, gint64 id, gint64 node,
			   const struct search_doc *doc, GError **err)
{
	GString *const *t = doc->text;

#define COL(i) TEXTN(t[i]->str, (int)t[i]->len)
	return db_run(s->fts, err, "DELETE FROM doc WHERE node = ?1",
		      INT(node)) &&
	       db_run(s->fts, err, "INSERT INTO doc (id, node) VALUES (?1, ?2)",
		      INT(id), INT(node)) &&
	       db_run(s->fts, err,
		      "INSERT INTO text (rowid, subject, sender, addressee, "
		      "cc, own, quoted, diff, file, trailer) VALUES "
		      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
		      INT(id), COL(COLUMN_SUBJECT), COL(COLUMN_SENDER),
		      COL(COLUMN_TO), COL(COLUMN_CC), COL(COLUMN_OWN),
		      COL(COLUMN_QUOTED), COL(COLUMN_DIFF), COL(COLUMN_FILE),
		      COL(COLUMN_TRAILER));
#undef COL
}

struct change {
	gint64 seq, node, raw;
	char *mid;	  /* NULL: the message is gone */
	gboolean several; /* its id has several raws: don't trust the queue */
};

static void change_clear(void *data)
{
	g_free(((struct change *)data)->mid);
}

/* The next changes after `seen`, at most SEARCH_BATCH. */
static GArray *changes_after(struct search *s, gint64 seen, GError **err)
{
	g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(struct change));
	g_autoptr(db_rows) rows =
		db_query(s->fts, err,
			 "SELECT c.seq, c.node, n.raw, n.mid, "
			 "r.hash IS NOT NULL FROM state.change c "
			 "LEFT JOIN state.message m ON m.node = c.node "
			 "LEFT JOIN state.node n ON n.id = m.node "
			 "LEFT JOIN state.raw r ON r.id = n.raw "
			 "WHERE c.seq > ?1 ORDER BY c.seq LIMIT ?2",
			 INT(seen), INT(SEARCH_BATCH));
	int rc;

	g_array_set_clear_func(all, change_clear);
	while ((rc = db_next(rows, err)) > 0) {
		struct change c = {
			.seq = db_int(rows, 0),
			.node = db_int(rows, 1),
			.raw = db_int(rows, 2),
			.mid = db_dup(rows, 3),
			.several = sqlite3_column_int(rows, 4),
		};

		g_array_append_val(all, c);
	}
	return rc < 0 ? NULL : g_steal_pointer(&all);
}

/* Bytes that can't be read are the archive's problem, told elsewhere: the
 * message is found by its other fields only. */
static gboolean follow(store *st, struct search *s, const struct change *c,
		       GError **err)
{
	struct search_doc *doc = NULL;
	g_autoptr(GError) why = NULL;
	struct reading *r;
	gboolean ok;

	if (!c->mid)
		return db_run(s->fts, err, "DELETE FROM doc WHERE node = ?1",
			      INT(c->node));
	if (!c->several)
		doc = g_hash_table_lookup(s->queue, c->mid);
	if (doc)
		return doc_insert(s, c->seq, c->node, doc, err);
	r = raw_read(st, c->raw, &why);
	if (!r && !g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	if (!r)
		return TRUE;
	doc = search_doc_new(r);
	reading_free(r);
	ok = doc_insert(s, c->seq, c->node, doc, err);
	search_doc_free(doc);
	return ok;
}

/* One transaction; *more tells whether there may be further ones. */
static gboolean follow_batch(store *st, struct search *s, gint64 *seen,
			     gboolean *more, guint *done, GError **err)
{
	g_autoptr(GArray) changes = changes_after(s, *seen, err);

	if (!changes)
		return FALSE;
	*more = changes->len == SEARCH_BATCH;
	for (guint i = 0; i < changes->len; i++) {
		const struct change *c =
			&g_array_index(changes, struct change, i);

		if (!follow(st, s, c, err))
			return FALSE;
		*seen = c->seq;
		*done += c->mid != NULL;
	}
	return !changes->len || meta_set(s, "seen", *seen, err);
}

static gboolean catch_up(store *st, struct search *s, store_progress progress,
			 void *data, guint all, GError **err)
{
	gint64 seen = 0, generation = 0;
	gboolean more = TRUE, ok = TRUE;
	guint done = 0;

	while (more && ok) {
		/* IMMEDIATE would lock the attached state, too; a write that
		 * comes before all reads locks this file alone. */
		ok = db_script(s->fts,
			       "BEGIN; DELETE FROM main.meta WHERE key = ''",
			       err) &&
		     position(s, &seen, &generation, err) &&
		     (seen >= 0 || start_anew(s, generation, err));
		if (!ok && sqlite3_get_autocommit(db_handle(s->fts)))
			return FALSE;
		seen = MAX(seen, 0);
		ok = ok && follow_batch(st, s, &seen, &more, &done, err) &&
		     db_script(s->fts, "COMMIT", err);
		if (!ok)
			db_script(s->fts, "ROLLBACK", NULL);
		else if (progress && !progress(MIN(done, all), all, data))
			break;
	}
	return ok;
}

gboolean search_index(store *st, store_progress progress, void *data,
		      GError **err)
{
	struct search *s = search_of(st, err);
	guint behind;

	if (!s || !search_behind(st, &behind, err))
		return FALSE;
	return s->transient || catch_up(st, s, progress, data, behind, err) ||
	       search_blame(st, err);
}

void search_queue(store *st, const char *mid, const struct reading *r)
{
	if (st->mode == STORE_WRITE)
		g_hash_table_replace(search_queued(st), g_strdup(mid),
				     search_doc_new(r));
}

static gboolean flush(store *st, GError **err)
{
	struct search *s = search_of(st, err);
	gint64 seen, generation, last = 0;

	if (!s || !position(s, &seen, &generation, err) ||
	    db_get_int(s->fts, &last, err,
		       "SELECT max(seq) FROM state.change") < 0)
		return FALSE;
	return s->transient || last == DB_NULL ||
	       last - MAX(seen, 0) > SEARCH_LAG_MAX ||
	       catch_up(st, s, NULL, NULL, 0, err);
}

gboolean search_flush(store *st, GError **err)
{
	gboolean ok = flush(st, err) || search_blame(st, err);

	g_hash_table_remove_all(search_queued(st));
	return ok;
}
