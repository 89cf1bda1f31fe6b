/* patch_near.c - the facts that the series of one thread hang on
 * A closure over (thread, sender): whatever mail/series would look up among
 * all facts is followed here by index, so that the result is the same as if
 * all had been loaded. */
#include "db/patch_near.h"

#include "db/patch_place.h"

#define PATCH_ID_LEN 20

/* What is to be followed: all that a sender has in a thread. */
struct job {
	struct place *place;
	const char *sender; /* lent by the set */
};

/* Dates that were looked at. */
struct span {
	gint64 from, to;
};

struct near {
	store *st;
	struct series_set *set;
	GHashTable *places; /* tid -> struct place */
	GPtrArray *order;   /* of struct place, as found */
	GArray *jobs;	    /* of struct job, as found */
	/* Each value is looked up once, whoever has it. */
	GHashTable *asked;  /* kind, side, value */
	GHashTable *titles; /* side, person, title -> array of struct hit;
			     * taken out when looked at */
	GHashTable *spans;  /* sender, version, total, tags -> of struct span */
};

/* The place of a thread, read if it is new; NULL and *err, or NULL alone
 * where the closure is full. */
static struct place *find_place(struct near *near, gint64 tid, GError **err)
{
	struct place *p = g_hash_table_lookup(near->places, &tid);

	if (p || near->order->len >= NEAR_MAX_THREADS)
		return p;
	p = place_read(near->st, near->set, tid, err);
	if (!p)
		return NULL;
	g_hash_table_insert(near->places, &p->tid, p);
	g_ptr_array_add(near->order, p);
	return p;
}

static void concern(struct near *near, struct place *p, const char *sender)
{
	struct job job = {p, sender};

	if (!g_hash_table_add(p->senders, (gpointer)sender))
		return;
	g_array_append_val(near->jobs, job);
}

static void array_free(gpointer array)
{
	g_array_unref(array);
}

static gboolean follow_hits(struct near *near, const GArray *hits, GError **err)
{
	for (guint i = 0; hits && i < hits->len; i++) {
		const struct hit *hit = &g_array_index(hits, struct hit, i);
		g_autoptr(GError) why = NULL;
		struct place *p = find_place(near, hit->tid, &why);

		if (why) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
		if (p)
			concern(near, p, hit->sender);
	}
	return TRUE;
}

/* Follow what `by` holds under `key`, once. */
static gboolean follow_kept(struct near *near, GHashTable *by, const char *key,
			    GError **err)
{
	gpointer name, hits;
	gboolean ok;

	if (!g_hash_table_steal_extended(by, key, &name, &hits))
		return TRUE;
	g_free(name);
	ok = follow_hits(near, hits, err);
	g_array_unref(hits);
	return ok;
}

/* Rows of (tid, sender's address). Read to the end before any other statement
 * runs. */
static gboolean follow_rows(struct near *near, db_rows *rows, GError **err)
{
	g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(struct hit));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct hit hit = {db_int(rows, 0),
				  fact_intern(near->set, db_text(rows, 1))};

		g_array_append_val(hits, hit);
	}
	return rc == 0 && follow_hits(near, hits, err);
}

static int side_of(const struct series_mail *m)
{
	return m->stable || m->backport_of;
}

static gboolean is_new(struct near *near, char kind,
		       const struct series_mail *m, const char *value)
{
	const char what[] = {kind, side_of(m) ? '1' : '0', 0};

	return g_hash_table_add(near->asked, g_strconcat(what, value, NULL));
}

#define FOUND                                               \
	"SELECT n.tid, s.text FROM patch p JOIN node n ON " \
	"n.id = p.node JOIN address s ON s.id = p.sender WHERE "
#define SAME_SIDE "(p.stable OR p.backport_of IS NOT NULL) = ?1 AND "

static char *title_name(int side, const char *who, const char *title)
{
	return g_strconcat(side ? "1" : "0", who, "\n", title, NULL);
}

/* All patches with the title of `m`, kept by their people. */
static gboolean read_title(struct near *near, const struct series_mail *m,
			   GError **err)
{
	static const char sql[] =
		"SELECT n.tid, s.text, a.text FROM patch p JOIN node n ON "
		"n.id = p.node JOIN address s ON s.id = p.sender JOIN address "
		"a ON a.id = p.author WHERE " SAME_SIDE "p.title_key = ?2";
	g_autoptr(db_rows) rows = db_query(near->st->state, err, sql,
					   INT(side_of(m)), TEXT(m->title_key));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct hit hit = {db_int(rows, 0),
				  fact_intern(near->set, db_text(rows, 1))};

		for (int col = 1; col <= 2; col++)
			hits_add(near->titles,
				 title_name(side_of(m), db_text(rows, col),
					    m->title_key),
				 &hit);
	}
	return rc == 0;
}

/* The same title, of one of the same people. */
static gboolean follow_title(struct near *near, const struct series_mail *m,
			     GError **err)
{
	g_autofree char *sent = title_name(side_of(m), m->sender, m->title_key);
	g_autofree char *made = title_name(side_of(m), m->author, m->title_key);

	if (!*m->title_key)
		return TRUE;
	if (is_new(near, 't', m, m->title_key) && !read_title(near, m, err))
		return FALSE;
	return follow_kept(near, near->titles, sent, err) &&
	       follow_kept(near, near->titles, made, err);
}

static gboolean follow_change(struct near *near, const struct series_mail *m,
			      GError **err)
{
	static const char sql[] = FOUND SAME_SIDE "p.change_id = ?2";
	g_autoptr(db_rows) rows = NULL;

	if (!m->change_id || !is_new(near, 'c', m, m->change_id))
		return TRUE;
	rows = db_query(near->st->state, err, sql, INT(side_of(m)),
			TEXT(m->change_id));
	return rows && follow_rows(near, rows, err);
}

static gboolean follow_patch_id(struct near *near, const struct series_mail *m,
				GError **err)
{
	static const char sql[] = FOUND SAME_SIDE "p.patch_id = ?2";
	g_autoptr(db_rows) rows = NULL;
	guint8 id[PATCH_ID_LEN];

	if (!m->patch_id || !is_new(near, 'i', m, m->patch_id))
		return TRUE;
	for (guint i = 0; i < PATCH_ID_LEN; i++)
		id[i] = (guint8)(g_ascii_xdigit_value(m->patch_id[2 * i]) * 16 +
				 g_ascii_xdigit_value(m->patch_id[2 * i + 1]));
	rows = db_query(near->st->state, err, sql, INT(side_of(m)),
			BLOB(id, PATCH_ID_LEN));
	return rows && follow_rows(near, rows, err);
}

/* ---- sent by the same at nearly the same time, of the same size */

static gboolean follow_dates(struct near *near, const struct series_mail *m,
			     gint64 from, gint64 to, GError **err)
{
	static const char sql[] =
		FOUND "p.sender = (SELECT id FROM address WHERE text = ?1) "
		      "AND p.version = ?2 AND p.total = ?3 AND p.date BETWEEN "
		      "?4 AND ?5 AND p.tags = ?6";
	g_autoptr(db_rows) rows = NULL;

	if (from > to)
		return TRUE;
	rows = db_query(near->st->state, err, sql, TEXT(m->sender),
			INT(m->version), INT(m->total), INT(from), INT(to),
			TEXT(m->tags));
	return rows && follow_rows(near, rows, err);
}

static GArray *spans_of(struct near *near, const struct series_mail *m)
{
	char *key = g_strdup_printf("%d %d %s\n%s", m->version, m->total,
				    m->sender, m->tags);
	GArray *spans = g_hash_table_lookup(near->spans, key);

	if (spans) {
		g_free(key);
		return spans;
	}
	spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	g_hash_table_insert(near->spans, key, spans);
	return spans;
}

/* Only the dates that no mail before had near it, in whole steps: what is
 * found too much is far enough to be no neighbour. */
static gboolean follow_time(struct near *near, const struct series_mail *m,
			    GError **err)
{
	gint64 step = m->date / SERIES_GAP;
	struct span want = {(step - 2) * SERIES_GAP, (step + 2) * SERIES_GAP};
	GArray *spans;

	if (m->total < 0)
		return TRUE;
	spans = spans_of(near, m);
	for (guint i = 0; i < spans->len; i++) {
		struct span *s = &g_array_index(spans, struct span, i);
		struct span had = *s;

		if (want.from > had.to || want.to < had.from)
			continue;
		s->from = MIN(had.from, want.from);
		s->to = MAX(had.to, want.to);
		return follow_dates(near, m, want.from, had.from - 1, err) &&
		       follow_dates(near, m, had.to + 1, want.to, err);
	}
	g_array_append_val(spans, want);
	return follow_dates(near, m, want.from, want.to, err);
}

/* ---- links */

/* Those in the place who may be the people of `m`. */
static void concern_people(struct near *near, struct place *p,
			   const struct series_mail *m)
{
	g_autoptr(GPtrArray) facts = NULL;
	gpointer name, kept;

	concern(near, p, m->sender);
	if (!g_hash_table_steal_extended(p->by_author, m->author, &name, &kept))
		return;
	facts = kept;
	for (guint i = 0; i < facts->len; i++) {
		const struct series_mail *x = facts->pdata[i];

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

static gboolean follow(struct near *near, const struct series_mail *m,
		       GError **err)
{
	return follow_time(near, m, err) && follow_title(near, m, err) &&
	       follow_change(near, m, err) && follow_patch_id(near, m, err);
}

static gboolean follow_job(struct near *near, const struct job *job,
			   GError **err)
{
	GPtrArray *facts =
		g_hash_table_lookup(job->place->by_sender, job->sender);

	for (guint i = 0; facts && i < facts->len; i++) {
		const struct series_mail *m = facts->pdata[i];

		if ((!m->reply && !follow(near, m, err)) ||
		    !follow_older(near, m, err))
			return FALSE;
	}
	return follow_kept(near, job->place->newer, "", err) &&
	       follow_kept(near, job->place->newer, job->sender, err);
}

static gboolean follow_all(struct near *near, GError **err)
{
	for (guint i = 0; i < near->jobs->len; i++) {
		struct job job = g_array_index(near->jobs, struct job, i);

		if (!follow_job(near, &job, err))
			return FALSE;
	}
	return TRUE;
}

/* Everyone who has patches in the asked thread. */
static gboolean start(struct near *near, gint64 node, GError **err)
{
	GHashTableIter iter;
	struct place *p;
	gpointer sender;
	gint64 tid;

	if (db_get_int(near->st->state, &tid, err,
		       "SELECT tid FROM node WHERE id = ?", INT(node)) < 1)
		return FALSE;
	p = find_place(near, tid, err);
	if (!p)
		return FALSE;
	g_hash_table_iter_init(&iter, p->by_sender);
	while (g_hash_table_iter_next(&iter, &sender, NULL))
		concern(near, p, sender);
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
	near.asked =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	near.titles = hits_new();
	near.spans = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   array_free);
	ok = start(&near, node, err) && follow_all(&near, err) &&
	     add_facts(&near, err);
	g_hash_table_unref(near.spans);
	g_hash_table_unref(near.titles);
	g_hash_table_unref(near.asked);
	g_array_unref(near.jobs);
	g_ptr_array_unref(near.order);
	g_hash_table_unref(near.places);
	return ok;
}
