/* view_table.c - comparison tables and words: parts of culprit/message/1
 * Keys in the order of the contract; what is unknown is null. */
#include <math.h>

#include "bot/view_priv.h"

static json_t *count_or_null(gint32 n)
{
	return n >= 0 ? json_integer(n) : json_null();
}

static json_t *view_cell(const struct table_cell *c)
{
	json_t *o = json_object();

	json_object_set_new(o, "printed", view_text(c->printed));
	json_object_set_new(o, "mean", view_number(c->mean));
	json_object_set_new(o, "sd_pct", view_number(c->sd_pct));
	json_object_set_new(o, "sd_shown", json_boolean(isfinite(c->sd_pct)));
	json_object_set_new(o, "change", view_number(c->change));
	json_object_set_new(o, "change_printed", view_text(c->change_printed));
	json_object_set_new(o, "change_kind",
			    view_text(table_change_name(c->change_kind)));
	json_object_set_new(o, "base_zero", json_boolean(c->base_zero));
	json_object_set_new(o, "fails", count_or_null(c->fails));
	json_object_set_new(o, "runs", count_or_null(c->runs));
	return o;
}

static json_t *view_row(const struct table *t, guint row)
{
	const struct table_row *r = table_row(t, row);
	json_t *o = json_object(), *cells = json_array();

	for (guint i = 0; i < t->columns->len; i++)
		json_array_append_new(cells, view_cell(table_cell(t, row, i)));
	json_object_set_new(o, "metric", view_text(r->metric));
	json_object_set_new(o, "kind", view_text(table_row_kind_name(r->kind)));
	json_object_set_new(o, "direction",
			    view_text(metric_direction_name(r->direction)));
	json_object_set_new(o, "line", json_integer(r->line));
	json_object_set_new(o, "note", view_text(r->note));
	json_object_set_new(o, "notable", json_boolean(r->notable));
	json_object_set_new(o, "cells", cells);
	return o;
}

static json_t *view_column(const struct table_column *c)
{
	json_t *o = json_object();

	json_object_set_new(o, "label", view_text(c->label));
	json_object_set_new(o, "commit", view_text(c->commit));
	json_object_set_new(o, "subject", view_text(c->subject));
	json_object_set_new(o, "equation", view_text(c->equation));
	json_object_set_new(o, "role", view_text(table_role_name(c->role)));
	json_object_set_new(o, "runs",
			    c->runs ? json_integer(c->runs) : json_null());
	json_object_set_new(o, "runs_source",
			    view_text(table_runs_source_name(c->runs_source)));
	return o;
}

static json_t *view_axes(const struct table *t)
{
	json_t *out = json_array();

	for (guint i = 0; i < t->axes->len; i++) {
		const struct table_axis *a =
			&g_array_index(t->axes, struct table_axis, i);
		json_t *o = json_object();

		json_object_set_new(o, "key", view_text(a->key));
		json_object_set_new(o, "value", view_text(a->value));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_rejects(const struct table *t)
{
	json_t *out = json_array();

	for (guint i = 0; i < t->rejects->len; i++) {
		const struct table_reject *r = t->rejects->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "line", json_integer(r->line));
		json_object_set_new(o, "text", view_text(r->text));
		json_object_set_new(o, "reason", view_text(r->reason));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_findings(const struct table *t)
{
	json_t *out = json_array();

	for (guint i = 0; i < t->findings->len; i++) {
		const struct table_finding *f = t->findings->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "code", view_text(f->code));
		json_object_set_new(o, "row", count_or_null(f->row));
		json_object_set_new(o, "text", view_text(f->text));
		json_array_append_new(out, o);
	}
	return out;
}

json_t *view_table(const struct table *t)
{
	json_t *o = json_object();
	json_t *columns = json_array(), *rows = json_array();

	for (guint i = 0; i < t->columns->len; i++)
		json_array_append_new(columns, view_column(table_column(t, i)));
	for (guint i = 0; i < t->rows->len; i++)
		json_array_append_new(rows, view_row(t, i));
	json_object_set_new(o, "style", view_text(table_style_name(t->style)));
	json_object_set_new(o, "title", view_text(t->title));
	json_object_set_new(o, "depth", json_integer(t->depth));
	json_object_set_new(o, "line", json_integer(t->line));
	json_object_set_new(o, "axes", view_axes(t));
	json_object_set_new(o, "columns", columns);
	json_object_set_new(o, "rows", rows);
	json_object_set_new(o, "rejects", view_rejects(t));
	json_object_set_new(o, "findings", view_findings(t));
	return o;
}

json_t *view_tables(GPtrArray *tables)
{
	json_t *out = json_array();

	for (guint i = 0; tables && i < tables->len; i++)
		json_array_append_new(out, view_table(tables->pdata[i]));
	return out;
}

json_t *view_words(GPtrArray *words, gboolean verdicts)
{
	json_t *out = json_array();

	for (guint i = 0; words && i < words->len; i++) {
		const struct verdict_word *w = words->pdata[i];
		json_t *o;

		if ((w->kind <= WORD_LAST_VERDICT) != verdicts)
			continue;
		o = json_object();
		json_object_set_new(o, "kind",
				    view_text(verdict_word_name(w->kind)));
		json_object_set_new(o, "line", json_integer(w->line));
		json_object_set_new(o, "text", view_text(w->text));
		json_array_append_new(out, o);
	}
	return out;
}
