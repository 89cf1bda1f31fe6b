/* measures.c - stored measurements back to the values of mail/ */
#include "db/measures.h"

#include <math.h>
#include <string.h>

#include "db/db_priv.h"

static double real_or_nan(db_rows *rows, int col)
{
	return sqlite3_column_type(rows, col) == SQLITE_NULL
		       ? NAN
		       : sqlite3_column_double(rows, col);
}

static const char *keep_text(struct table *t, db_rows *rows, int col)
{
	const char *text = db_text(rows, col);

	return text ? table_keep(t, text, strlen(text)) : NULL;
}

static gint32 count_or_none(db_rows *rows, int col)
{
	gint64 n = db_int(rows, col);

	return n == DB_NULL ? -1 : (gint32)n;
}

static void read_axes(struct table *t, const char *lines)
{
	g_auto(GStrv) axes = lines ? g_strsplit(lines, "\n", -1) : NULL;

	for (guint i = 0; axes && axes[i]; i++) {
		const char *eq = strchr(axes[i], '=');
		struct table_axis a;

		if (!eq)
			continue;
		a.key = table_keep(t, axes[i], (gsize)(eq - axes[i]));
		a.value = table_keep(t, eq + 1, strlen(eq + 1));
		g_array_append_val(t->axes, a);
	}
}

/* ---- tables, from the outside in; `seq` of each is its index */

static gboolean load_tables(store *st, gint64 node, GPtrArray *tables,
			    GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT m.style, m.depth, m.line, m.headless, m.title, m.axes,"
		" (SELECT count(*) FROM measure_column c"
		"  WHERE c.node = m.node AND c.seq = m.seq)"
		" FROM measure m WHERE m.node = ?1 ORDER BY m.seq",
		INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct table *t = table_new((enum table_style)db_int(rows, 0),
					    (guint)db_int(rows, 6));

		t->depth = (guint)db_int(rows, 1);
		t->line = (guint)db_int(rows, 2);
		t->headless = db_int(rows, 3) != 0;
		t->title = db_dup(rows, 4);
		read_axes(t, db_text(rows, 5));
		g_ptr_array_add(tables, t);
	}
	return rc == 0;
}

static struct table *table_at(GPtrArray *tables, gint64 seq)
{
	return seq >= 0 && seq < (gint64)tables->len ? tables->pdata[seq]
						     : NULL;
}

static gboolean load_columns(store *st, gint64 node, GPtrArray *tables,
			     GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT seq, col, label, commit_id, subject, equation, role,"
		" runs, runs_source FROM measure_column WHERE node = ?1",
		INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct table *t = table_at(tables, db_int(rows, 0));
		guint col = (guint)db_int(rows, 1);
		struct table_column *c;

		if (!t || col >= t->columns->len)
			continue;
		c = table_column(t, col);
		c->label = keep_text(t, rows, 2);
		c->commit = keep_text(t, rows, 3);
		c->subject = keep_text(t, rows, 4);
		c->equation = keep_text(t, rows, 5);
		c->role = (enum table_role)db_int(rows, 6);
		c->runs = (guint)db_int(rows, 7);
		c->runs_source = (enum table_runs_source)db_int(rows, 8);
	}
	return rc == 0;
}

static gboolean load_rows(store *st, gint64 node, GPtrArray *tables,
			  GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT r.seq, s.text, r.kind, r.direction, r.line"
			 " FROM measure_row r JOIN string s ON s.id = r.metric"
			 " WHERE r.node = ?1 ORDER BY r.seq, r.row",
			 INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct table *t = table_at(tables, db_int(rows, 0));
		const char *metric = db_text(rows, 1);

		if (t)
			table_add_row(t, (enum table_row_kind)db_int(rows, 2),
				      metric, strlen(metric),
				      (guint)db_int(rows, 4))
				->direction = (guint8)db_int(rows, 3);
	}
	return rc == 0;
}

static gboolean load_cells(store *st, gint64 node, GPtrArray *tables,
			   GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT seq, row, col, printed, mean, sd_pct, change_printed,"
		" change, change_kind, base_zero, fails, runs"
		" FROM measure_cell WHERE node = ?1",
		INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct table *t = table_at(tables, db_int(rows, 0));
		guint row = (guint)db_int(rows, 1), col;
		struct table_cell *c;

		col = (guint)db_int(rows, 2);
		if (!t || row >= t->rows->len || col >= t->columns->len)
			continue;
		c = table_cell(t, row, col);
		c->printed = keep_text(t, rows, 3);
		c->mean = real_or_nan(rows, 4);
		c->sd_pct = real_or_nan(rows, 5);
		c->change_printed = keep_text(t, rows, 6);
		c->change = real_or_nan(rows, 7);
		c->change_kind = (guint8)db_int(rows, 8);
		c->base_zero = (guint8)db_int(rows, 9);
		c->fails = count_or_none(rows, 10);
		c->runs = count_or_none(rows, 11);
	}
	return rc == 0;
}

/* ---- raw values and words */

static gboolean load_samples(store *st, gint64 node, GPtrArray *samples,
			     GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT metric, label, line, depth, vals FROM sample"
			 " WHERE node = ?1 ORDER BY seq",
			 INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct table_samples *s = g_new0(struct table_samples, 1);
		g_auto(GStrv) values = g_strsplit(db_text(rows, 4), " ", -1);

		s->metric = db_dup(rows, 0);
		s->label = db_dup(rows, 1);
		s->line = (guint)db_int(rows, 2);
		s->depth = (guint)db_int(rows, 3);
		s->values = g_array_new(FALSE, FALSE, sizeof(double));
		for (guint i = 0; values[i]; i++) {
			double v = g_ascii_strtod(values[i], NULL);

			g_array_append_val(s->values, v);
		}
		g_ptr_array_add(samples, s);
	}
	return rc == 0;
}

static gboolean load_words(store *st, gint64 node, GPtrArray *words,
			   GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT kind, line, text FROM word WHERE node = ?1"
			 " ORDER BY seq",
			 INT(node));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct verdict_word *w = g_new0(struct verdict_word, 1);

		w->kind = (enum verdict_word_kind)db_int(rows, 0);
		w->line = (guint)db_int(rows, 1);
		w->text = db_dup(rows, 2);
		g_ptr_array_add(words, w);
	}
	return rc == 0;
}

static struct measures *measures_new(void)
{
	struct measures *m = g_new(struct measures, 1);

	m->tables = g_ptr_array_new_with_free_func((GDestroyNotify)table_free);
	m->samples = g_ptr_array_new_with_free_func(
		(GDestroyNotify)table_samples_free);
	m->words = g_ptr_array_new_with_free_func(
		(GDestroyNotify)verdict_word_free);
	return m;
}

struct measures *measures_load(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(measures_auto) m = measures_new();
	gint64 node;
	int rc = snapshot ? db_get_int(st->state, &node, err,
				       "SELECT id FROM node WHERE mid = ?1",
				       TEXT(mid))
			  : -1;

	if (rc < 0)
		return NULL;
	if (rc > 0 && (!load_tables(st, node, m->tables, err) ||
		       !load_columns(st, node, m->tables, err) ||
		       !load_rows(st, node, m->tables, err) ||
		       !load_cells(st, node, m->tables, err) ||
		       !load_samples(st, node, m->samples, err) ||
		       !load_words(st, node, m->words, err)))
		return NULL;
	return g_steal_pointer(&m);
}

void measures_free(struct measures *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->tables);
	g_ptr_array_unref(m->samples);
	g_ptr_array_unref(m->words);
	g_free(m);
}

/* ---- series */

void observation_free(struct observation *o)
{
	if (!o)
		return;
	g_free(o->mid);
	g_free(o->metric);
	g_free(o->label);
	g_free(o->commit);
	g_free(o->printed);
	g_free(o->strict);
	g_free(o);
}

static struct observation *read_observation(db_rows *rows)
{
	struct observation *o = g_new0(struct observation, 1);
	gint64 date = db_int(rows, 1);

	o->mid = db_dup(rows, 0);
	o->date = date == DB_NULL ? 0 : date;
	o->metric = db_dup(rows, 2);
	o->label = db_dup(rows, 3);
	o->commit = db_dup(rows, 4);
	o->printed = db_dup(rows, 5);
	o->mean = real_or_nan(rows, 6);
	o->sd_pct = real_or_nan(rows, 7);
	o->runs = (guint)db_int(rows, 8);
	o->role = (enum table_role)db_int(rows, 9);
	o->strict = db_dup(rows, 10);
	return o;
}

GPtrArray *observations_load(store *st, const char *series, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)observation_free);
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT n.mid, n.date, s.text, k.label, k.commit_id, c.printed,"
		" c.mean, c.sd_pct, k.runs, k.role, r.strict"
		" FROM measure_row r JOIN string s ON s.id = r.metric"
		" JOIN node n ON n.id = r.node"
		" JOIN measure_cell c ON c.node = r.node AND c.seq = r.seq"
		"  AND c.row = r.row"
		" JOIN measure_column k ON k.node = r.node AND k.seq = r.seq"
		"  AND k.col = c.col"
		" WHERE r.series = ?1 AND c.mean NOTNULL"
		" ORDER BY n.date, n.mid, r.seq, r.row, c.col",
		TEXT(series));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		const char *label = db_text(rows, 3);
		char *key =
			g_strdup_printf("%.12s %s %s", label ? label : "",
					db_text(rows, 5), db_text(rows, 10));

		if (g_hash_table_add(seen, key))
			g_ptr_array_add(out, read_observation(rows));
	}
	return rc < 0 ? NULL : g_steal_pointer(&out);
}
