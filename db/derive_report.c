/* derive_report.c - what robots measured: reports, tables, words, to rows
 * Rows of monitors are left out: they never decide anything. */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/test_key.h"

#include "db/db_priv.h"
#include "db/derive.h"

static char *still_lines(GPtrArray *all)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_status *s = all->pdata[i];

		g_ptr_array_add(lines,
				g_strdup_printf("%d\t%s\t%s", (int)s->status,
						s->commit ? s->commit : "",
						s->tree ? s->tree : ""));
	}
	return derive_lines(lines);
}

static char *error_lines(GPtrArray *all)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new();

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_error *e = all->pdata[i];

		if (e->is_new)
			g_ptr_array_add(lines, e->text);
	}
	return derive_lines(lines);
}

gboolean derive_report(store *st, gint64 node, const struct report *p,
		       GError **err)
{
	g_autofree char *parameters = NULL, *tags = NULL, *artifacts = NULL;
	g_autofree char *still = NULL, *errors = NULL;

	if (!p)
		return TRUE;
	parameters = derive_lines(p->parameters);
	tags = derive_lines(p->tags_offered);
	artifacts = derive_lines(p->artifacts);
	still = still_lines(p->still_on);
	errors = error_lines(p->errors);
	return db_run(
		st->state, err,
		"INSERT INTO report (node, robot, category, direction, "
		"metric, change, commit_id, commit_subject, base, "
		"base_tree, branch, patch_url, patch_mid, testcase, "
		"machine, tbox, compiler, config, parameters, tags_offered, "
		"artifacts, still_on, errors, bug_id, title) VALUES (?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?)",
		INT(node), TEXT(p->robot), INT(p->category), INT(p->direction),
		TEXT(p->metric), REAL(p->change_percent), TEXT(p->commit),
		TEXT(p->commit_subject), TEXT(p->base), TEXT(p->base_tree),
		TEXT(p->branch), TEXT(p->patch_url), TEXT(p->patch_message_id),
		TEXT(p->testcase), TEXT(p->machine), TEXT(p->tbox),
		TEXT(p->compiler), TEXT(p->config), TEXT(parameters),
		TEXT(tags), TEXT(artifacts), TEXT(still), TEXT(errors),
		TEXT(p->bug_id), TEXT(p->title));
}

/* ---- tables */

static char *axes_lines(const struct table *t)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < t->axes->len; i++) {
		const struct table_axis *a =
			&g_array_index(t->axes, struct table_axis, i);

		g_ptr_array_add(lines,
				g_strconcat(a->key, "=", a->value, NULL));
	}
	return derive_lines(lines);
}

static gboolean derive_column(store *st, gint64 node, guint seq, guint col,
			      const struct table_column *c, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO measure_column (node, seq, col, label, "
		      "commit_id, subject, equation, role, runs, runs_source) "
		      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), INT(col), TEXT(c->label),
		      TEXT(c->commit), TEXT(c->subject), TEXT(c->equation),
		      INT(c->role), INT(c->runs), INT(c->runs_source));
}

static gint64 known(gint32 n)
{
	return n < 0 ? DB_NULL : n;
}

static gboolean derive_cell(store *st, gint64 node, guint seq, guint row,
			    guint col, const struct table_cell *c, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO measure_cell (node, seq, row, col, printed, "
		      "mean, sd_pct, change_printed, change, change_kind, "
		      "base_zero, fails, runs) "
		      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), INT(row), INT(col), TEXT(c->printed),
		      REAL(c->mean), REAL(c->sd_pct), TEXT(c->change_printed),
		      REAL(c->change), INT(c->change_kind), INT(c->base_zero),
		      INT(known(c->fails)), INT(known(c->runs)));
}

static gboolean derive_row(store *st, gint64 node, guint seq, guint row,
			   const struct table *t, guint at, GError **err)
{
	const struct table_row *r = table_row(t, at);
	struct test_key key = {0};
	gboolean keyed = r->kind == TABLE_ROW_PERF && !t->headless &&
			 test_key_of_table(t, r->metric, &key);
	gint64 metric = intern_text(st, INTERN_STRING, r->metric, err);

	if (metric < 0 ||
	    !db_run(st->state, err,
		    "INSERT INTO measure_row (node, seq, row, metric, kind, "
		    "direction, line, series, strict) "
		    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    INT(node), INT(seq), INT(row), INT(metric), INT(r->kind),
		    INT(r->direction), INT(r->line),
		    TEXT(keyed ? key.series : NULL),
		    TEXT(keyed ? key.strict : NULL)))
		return FALSE;
	for (guint col = 0; col < t->columns->len; col++)
		if (!derive_cell(st, node, seq, row, col,
				 table_cell(t, at, col), err))
			return FALSE;
	return TRUE;
}

/* Failures, and what the test itself measured. */
static gboolean is_kept(const struct table_row *r, const char *headline)
{
	return r->kind == TABLE_ROW_FAIL || !metric_is_monitor(r->metric) ||
	       (headline && !strcmp(headline, r->metric));
}

static gboolean derive_table(store *st, gint64 node, guint seq,
			     const struct table *t, const char *headline,
			     GError **err)
{
	g_autofree char *axes = axes_lines(t);
	guint row = 0;

	if (!db_run(st->state, err,
		    "INSERT INTO measure (node, seq, style, depth, line, "
		    "headless, title, axes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		    INT(node), INT(seq), INT(t->style), INT(t->depth),
		    INT(t->line), INT(t->headless), TEXT(t->title), TEXT(axes)))
		return FALSE;
	for (guint i = 0; i < t->columns->len; i++)
		if (!derive_column(st, node, seq, i, table_column(t, i), err))
			return FALSE;
	for (guint i = 0; i < t->rows->len && row < MEASURE_MAX_ROWS; i++)
		if (is_kept(table_row(t, i), headline) &&
		    !derive_row(st, node, seq, row++, t, i, err))
			return FALSE;
	return TRUE;
}

static gboolean derive_problem(store *st, gint64 node, guint seq,
			       const char *code, const char *text, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO measure_problem (node, seq, code, text) "
		      "VALUES (?, ?, ?, ?)",
		      INT(node), INT(seq), TEXT(code), TEXT(text));
}

static gboolean derive_problems(store *st, gint64 node, const struct table *t,
				guint *seq, GError **err)
{
	for (guint i = 0; i < t->rejects->len; i++) {
		const struct table_reject *r = t->rejects->pdata[i];
		g_autofree char *text =
			g_strdup_printf("line %u: %s: %s", r->line, r->reason,
					r->text);

		if (!derive_problem(st, node, (*seq)++, "not-read", text, err))
			return FALSE;
	}
	for (guint i = 0; i < t->findings->len; i++) {
		const struct table_finding *f = t->findings->pdata[i];

		if (!derive_problem(st, node, (*seq)++, f->code, f->text, err))
			return FALSE;
	}
	return TRUE;
}

/* ---- raw values and words */

static gboolean derive_sample(store *st, gint64 node, guint seq,
			      const struct table_samples *s, GError **err)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < s->values->len; i++) {
		char number[G_ASCII_DTOSTR_BUF_SIZE];

		g_ascii_dtostr(number, sizeof(number),
			       g_array_index(s->values, double, i));
		g_string_append_printf(text, "%s%s", i ? " " : "", number);
	}
	return db_run(st->state, err,
		      "INSERT INTO sample (node, seq, metric, label, line, "
		      "depth, vals) VALUES (?, ?, ?, ?, ?, ?, ?)",
		      INT(node), INT(seq), TEXT(s->metric), TEXT(s->label),
		      INT(s->line), INT(s->depth), TEXT(text->str));
}

static gboolean derive_word(store *st, gint64 node, guint seq,
			    const struct verdict_word *w, GError **err)
{
	return db_run(st->state, err,
		      "INSERT INTO word (node, seq, kind, line, text) "
		      "VALUES (?, ?, ?, ?, ?)",
		      INT(node), INT(seq), INT(w->kind), INT(w->line),
		      TEXT(w->text));
}

gboolean derive_measures(store *st, gint64 node, const struct reading *r,
			 GError **err)
{
	const char *headline = r->report ? r->report->metric : NULL;
	guint problems = 0;

	for (guint i = 0; i < r->tables->len; i++) {
		const struct table *t = r->tables->pdata[i];

		if (!derive_table(st, node, i, t, headline, err) ||
		    (!t->depth &&
		     !derive_problems(st, node, t, &problems, err)))
			return FALSE;
	}
	for (guint i = 0; i < r->samples->len; i++)
		if (!derive_sample(st, node, i, r->samples->pdata[i], err))
			return FALSE;
	for (guint i = 0; i < r->words->len; i++)
		if (!derive_word(st, node, i, r->words->pdata[i], err))
			return FALSE;
	return TRUE;
}
