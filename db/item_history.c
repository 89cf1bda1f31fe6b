/* item_history.c - what is known of a report from others
 * Earlier and later reports of the same test, and of the same commit. */
#include <math.h>
#include <string.h>

#include "mail/test_key.h"

#include "db/items_priv.h"

#define SAME_CHANGE	 1.0 /* points that make two changes one */
#define SAME_CHANGE_TIME (60 * 86400)

/* The key of the row that the headline speaks of. */
static gboolean find_key(store *st, struct item_facts *f, GError **err)
{
	struct item *i = f->item;
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT r.series, r.strict FROM measure_row r"
			 " JOIN string s ON s.id = r.metric"
			 " WHERE r.node = ?1 AND s.text = ?2"
			 " AND r.series NOTNULL ORDER BY r.seq LIMIT 1",
			 INT(f->node), TEXT(i->metric));
	int rc = db_next(rows, err);
	struct report r = {.metric = i->metric,
			   .testcase = i->testcase,
			   .machine = i->machine,
			   .tbox = i->tbox,
			   .parameters = i->parameters};
	struct test_key key;

	if (rc > 0) {
		i->series_key = db_dup(rows, 0);
		i->strict_key = db_dup(rows, 1);
	} else if (rc == 0 && test_key_of_report(&r, &key)) {
		i->series_key = g_strdup(key.series);
		i->strict_key = g_strdup(key.strict);
	}
	return rc >= 0;
}

/* ---- the others: reports of a series, of a commit; each list is read once */

struct reported {
	GPtrArray *reports; /* of struct item_relation, by (date, mid) */
	GHashTable *at;	    /* mid to its index + 1 */
	guint retracted;    /* of these */
};

void item_reported_free(void *list)
{
	struct reported *r = list;

	g_hash_table_unref(r->at);
	g_ptr_array_unref(r->reports);
	g_free(r);
}

#define REPORT_COLUMNS                                          \
	"SELECT DISTINCT n.mid, n.date, r.direction, r.change," \
	" r.commit_id, r.metric, r.base_tree, r.branch"
static const char of_series[] = REPORT_COLUMNS
	" FROM measure_row x JOIN string s ON s.id = x.metric"
	" JOIN report r ON r.node = x.node AND r.metric = s.text"
	" JOIN node n ON n.id = x.node"
	" WHERE x.series = ?1 AND r.category = ?2 ORDER BY n.date, n.mid";
static const char of_commit[] = REPORT_COLUMNS
	" FROM report r JOIN node n ON n.id = r.node"
	" WHERE r.commit_id = ?1 AND r.category = ?2 ORDER BY n.date, n.mid";

static struct item_relation *read_relation(db_rows *rows)
{
	struct item_relation *o = g_new0(struct item_relation, 1);
	gint64 date = db_int(rows, 1);

	o->ratio = NAN;
	o->mid = db_dup(rows, 0);
	o->date = date == DB_NULL ? 0 : date;
	o->direction = (enum report_direction)db_int(rows, 2);
	o->change_percent = db_int(rows, 3) == DB_NULL
				    ? NAN
				    : sqlite3_column_double(rows, 3);
	o->commit = db_dup(rows, 4);
	o->metric = db_dup(rows, 5);
	o->tree = db_dup(rows, 6);
	o->branch = db_dup(rows, 7);
	return o;
}

/* Reports of the series that were taken back in words by their senders. */
static gboolean count_retracted(store *st, struct reported *r,
				const char *series, GError **err)
{
	gint64 count = 0;

	if (r->reports->len > 1 &&
	    db_get_int(st->state, &count, err,
		       "SELECT count(DISTINCT n.tid || ' ' || x.node)"
		       " FROM word w JOIN node a ON a.id = w.node"
		       " JOIN node n ON n.tid = a.tid"
		       " JOIN measure_row x ON x.node = n.id AND x.series = ?1"
		       " JOIN report p ON p.node = x.node"
		       " WHERE w.kind = ?2",
		       TEXT(series), INT(WORD_RETRACTED)) < 0)
		return FALSE;
	r->retracted = (guint)count;
	return TRUE;
}

static struct reported *read_reported(store *st, const char *sql,
				      const char *key, GError **err)
{
	struct reported *r = g_new0(struct reported, 1);
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, TEXT(key),
					   INT(REPORT_PERFORMANCE));
	int rc;

	r->reports = g_ptr_array_new_with_free_func(
		(GDestroyNotify)item_relation_free);
	r->at = g_hash_table_new(g_str_hash, g_str_equal);
	while ((rc = db_next(rows, err)) > 0) {
		struct item_relation *o = read_relation(rows);

		g_ptr_array_add(r->reports, o);
		g_hash_table_insert(r->at, o->mid,
				    GUINT_TO_POINTER(r->reports->len));
	}
	if (rc == 0 && (sql != of_series || count_retracted(st, r, key, err)))
		return r;
	item_reported_free(r);
	return NULL;
}

/* Lent by the cache. `key` NULL: an empty list. NULL and *err. */
static const struct reported *get_reported(struct item_cache *c,
					   const char *sql, const char *key,
					   GError **err)
{
	g_autofree char *name =
		g_strconcat(sql == of_series ? "s" : "c", key ? key : "", NULL);
	struct reported *r = g_hash_table_lookup(c->reported, name);

	if (r)
		return r;
	r = read_reported(c->st, sql, key, err);
	if (r)
		g_hash_table_insert(c->reported, g_steal_pointer(&name), r);
	return r;
}

static gboolean same_commit(const struct item *i, const struct item_relation *o)
{
	return i->commit && o->commit && !strcmp(i->commit, o->commit);
}

static gboolean same_change(const struct item *i, const struct item_relation *o)
{
	return i->direction == o->direction && i->reported && o->date &&
	       ABS(i->reported - o->date) <= SAME_CHANGE_TIME &&
	       fabs(i->change_percent - o->change_percent) <= SAME_CHANGE;
}

static gboolean opposite(const struct item *i, const struct item_relation *o)
{
	return i->direction != REPORT_UNKNOWN &&
	       o->direction != REPORT_UNKNOWN && i->direction != o->direction;
}

static enum item_relation_kind
kind_of(const struct item *i, const struct item_relation *o, gboolean in_series)
{
	if (same_commit(i, o))
		return in_series ? ITEM_SAME_REPORT : ITEM_SAME_COMMIT;
	if (opposite(i, o))
		return ITEM_CANCELS;
	return same_change(i, o) ? ITEM_BISECTED_TWICE : ITEM_SAME_SERIES;
}

static struct item_relation *relation_copy(const struct item_relation *from,
					   enum item_relation_kind kind)
{
	struct item_relation *o = g_memdup2(from, sizeof(*from));

	o->kind = kind;
	o->mid = g_strdup(from->mid);
	o->commit = g_strdup(from->commit);
	o->metric = g_strdup(from->metric);
	o->tree = g_strdup(from->tree);
	o->branch = g_strdup(from->branch);
	return o;
}

static int by_date(gconstpointer a, gconstpointer b)
{
	const struct item_relation *x = *(struct item_relation *const *)a;
	const struct item_relation *y = *(struct item_relation *const *)b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

/* The first ones of the list that are not in `seen`. */
static void take(struct item *i, const struct reported *list,
		 const struct reported *seen, gboolean in_series)
{
	guint taken = 0;

	for (guint n = 0; n < list->reports->len && taken < ITEM_MAX_RELATIONS;
	     n++) {
		const struct item_relation *o = list->reports->pdata[n];

		if (!strcmp(o->mid, i->mid) ||
		    (seen && g_hash_table_contains(seen->at, o->mid)))
			continue;
		g_ptr_array_add(i->relations,
				relation_copy(o, kind_of(i, o, in_series)));
		taken++;
	}
}

static gboolean find_others(struct item_cache *c, struct item *i, GError **err)
{
	const struct reported *series =
		get_reported(c, of_series, i->series_key, err);
	const struct reported *commit =
		series ? get_reported(c, of_commit, i->commit, err) : NULL;

	if (!commit)
		return FALSE;
	i->series_number =
		GPOINTER_TO_UINT(g_hash_table_lookup(series->at, i->mid));
	i->series_count = series->reports->len;
	i->series_retracted = series->retracted;
	take(i, series, NULL, TRUE);
	take(i, commit, series, FALSE);
	g_ptr_array_sort(i->relations, by_date);
	if (i->relations->len > ITEM_MAX_RELATIONS)
		g_ptr_array_set_size(i->relations, ITEM_MAX_RELATIONS);
	return TRUE;
}

/* ---- a change, and the later one that undoes it */

/* Means of the first two columns of the headline's row. */
static gboolean headline_means(store *st, const char *mid, const char *series,
			       const char *metric, double mean[2], GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT a.mean, b.mean FROM node n"
			 " JOIN measure_row r ON r.node = n.id"
			 " JOIN string s ON s.id = r.metric"
			 " JOIN measure_cell a ON a.node = r.node"
			 "  AND a.seq = r.seq AND a.row = r.row AND a.col = 0"
			 " JOIN measure_cell b ON b.node = r.node"
			 "  AND b.seq = r.seq AND b.row = r.row AND b.col = 1"
			 " WHERE n.mid = ?1 AND r.series = ?2 AND s.text = ?3"
			 " AND a.mean NOTNULL AND b.mean NOTNULL"
			 " ORDER BY r.seq LIMIT 1",
			 TEXT(mid), TEXT(series), TEXT(metric));
	int rc = db_next(rows, err);

	mean[0] = mean[1] = NAN;
	if (rc > 0) {
		mean[0] = sqlite3_column_double(rows, 0);
		mean[1] = sqlite3_column_double(rows, 1);
	}
	return rc >= 0;
}

static gboolean find_ratios(store *st, struct item *i, GError **err)
{
	double own[2], other[2];

	for (guint n = 0; n < i->relations->len; n++) {
		struct item_relation *o = i->relations->pdata[n];
		const double *first = other, *then = own;

		if (o->kind != ITEM_CANCELS)
			continue;
		if (!headline_means(st, i->mid, i->series_key, i->metric, own,
				    err) ||
		    !headline_means(st, o->mid, i->series_key, o->metric, other,
				    err))
			return FALSE;
		if (o->date > i->reported) {
			first = own;
			then = other;
		}
		if (first[0] != first[1])
			o->ratio = (then[1] - first[1]) / (first[0] - first[1]);
	}
	return TRUE;
}

gboolean item_find_history(struct item_cache *c, struct item_facts *f,
			   GError **err)
{
	struct item *i = f->item;

	if (!i->metric)
		return TRUE;
	return find_key(c->st, f, err) && find_others(c, i, err) &&
	       find_ratios(c->st, i, err);
}

void item_relation_free(struct item_relation *o)
{
	if (!o)
		return;
	g_free(o->mid);
	g_free(o->commit);
	g_free(o->metric);
	g_free(o->tree);
	g_free(o->branch);
	g_free(o);
}

const char *item_relation_name(enum item_relation_kind kind)
{
	static const char *const names[] = {"same-series", "same-report",
					    "same-commit", "cancels",
					    "bisected-twice"};

	return names[kind];
}
