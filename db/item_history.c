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

/* ---- the others */

/* Reports whose headline is a row of the series, or that name the commit. */
static const char others[] =
	"SELECT DISTINCT n.mid, n.date, r.direction, r.change, r.commit_id,"
	" r.metric, r.base_tree, r.branch,"
	" EXISTS (SELECT 1 FROM measure_row x JOIN string s ON s.id = x.metric"
	"  WHERE x.node = r.node AND x.series = ?1 AND s.text = r.metric)"
	" FROM (SELECT node FROM measure_row WHERE series = ?1"
	"       UNION SELECT node FROM report WHERE commit_id = ?2) w"
	" JOIN report r ON r.node = w.node JOIN node n ON n.id = w.node"
	" WHERE r.category = ?3 ORDER BY n.date, n.mid LIMIT ?4";

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

static gboolean find_others(store *st, struct item *i, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err, others, TEXT(i->series_key),
			 TEXT(i->commit), INT(REPORT_PERFORMANCE),
			 INT(ITEM_MAX_RELATIONS));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct item_relation *o = read_relation(rows);
		gboolean in_series = db_int(rows, 8) != 0;
		gboolean self = !strcmp(o->mid, i->mid);

		if (in_series &&
		    (o->date < i->reported || self ||
		     (o->date == i->reported && strcmp(o->mid, i->mid) < 0)))
			i->series_number++;
		i->series_count += in_series;
		if (self || !(in_series || same_commit(i, o))) {
			item_relation_free(o);
			continue;
		}
		o->kind = kind_of(i, o, in_series);
		g_ptr_array_add(i->relations, o);
	}
	return rc == 0;
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

/* Reports of the series that were taken back in words by their senders. */
static gboolean count_retracted(store *st, struct item *i, GError **err)
{
	gint64 count = 0;

	if (db_get_int(st->state, &count, err,
		       "SELECT count(DISTINCT r.node) FROM measure_row r"
		       " JOIN report p ON p.node = r.node"
		       " JOIN node n ON n.id = r.node"
		       " JOIN node a ON a.tid = n.tid"
		       " JOIN word w ON w.node = a.id AND w.kind = ?2"
		       " WHERE r.series = ?1",
		       TEXT(i->series_key), INT(WORD_RETRACTED)) < 0)
		return FALSE;
	i->series_retracted = (guint)count;
	return TRUE;
}

gboolean item_find_history(store *st, struct item_facts *f, GError **err)
{
	struct item *i = f->item;

	if (!i->metric)
		return TRUE;
	return find_key(st, f, err) && find_others(st, i, err) &&
	       find_ratios(st, i, err) &&
	       (i->series_count < 2 || count_retracted(st, i, err));
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
