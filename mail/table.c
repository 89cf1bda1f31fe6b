/* table.c - the values of a comparison table, and looking things up in them
 * Reads no text: the dialects do that. */
#include "mail/table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define COMMIT_PREFIX_MIN 7

const char *table_style_name(enum table_style s)
{
	static const char *const names[] = {"lkp", "lkp-old", "fsperf",
					    "other"};

	return names[s];
}

const char *table_row_kind_name(enum table_row_kind k)
{
	static const char *const names[] = {"perf", "fail"};

	return names[k];
}

const char *table_change_name(enum table_change c)
{
	static const char *const names[] = {NULL, "percent", "points"};

	return names[c];
}

const char *table_role_name(enum table_role r)
{
	static const char *const names[] = {NULL, "base", "culprit",
					    "candidate", "other"};

	return names[r];
}

const char *table_runs_source_name(enum table_runs_source s)
{
	static const char *const names[] = {NULL, "stated", "fail-table", "raw",
					    "inferred"};

	return names[s];
}

const char *metric_direction_name(enum metric_direction d)
{
	static const char *const names[] = {NULL, "higher", "lower"};

	return names[d];
}

static void reject_free(void *data)
{
	struct table_reject *r = data;

	g_free(r->text);
	g_free(r);
}

static void finding_free(void *data)
{
	struct table_finding *f = data;

	g_free(f->text);
	g_free(f);
}

struct table *table_new(enum table_style style, guint columns)
{
	struct table *t = g_new0(struct table, 1);

	t->style = style;
	t->axes = g_array_new(FALSE, TRUE, sizeof(struct table_axis));
	t->listed = g_ptr_array_new();
	t->columns = g_array_new(FALSE, TRUE, sizeof(struct table_column));
	g_array_set_size(t->columns, MIN(columns, TABLE_MAX_COLUMNS));
	t->rows = g_array_new(FALSE, TRUE, sizeof(struct table_row));
	t->cells = g_array_new(FALSE, TRUE, sizeof(struct table_cell));
	t->rejects = g_ptr_array_new_with_free_func(reject_free);
	t->findings = g_ptr_array_new_with_free_func(finding_free);
	t->text = g_string_chunk_new(1024);
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	g_free(t->title);
	g_array_unref(t->axes);
	g_ptr_array_unref(t->listed);
	g_array_unref(t->columns);
	g_array_unref(t->rows);
	g_array_unref(t->cells);
	g_ptr_array_unref(t->rejects);
	g_ptr_array_unref(t->findings);
	g_string_chunk_free(t->text);
	g_free(t);
}

const char *table_keep(struct table *t, const char *text, gsize len)
{
	return g_string_chunk_insert_len(t->text, text, (gssize)len);
}

struct table_row *table_add_row(struct table *t, enum table_row_kind kind,
				const char *metric, gsize len, guint line)
{
	struct table_row row = {.line = line, .kind = kind};
	struct table_cell cell = {.mean = NAN,
				  .sd_pct = NAN,
				  .change = NAN,
				  .fails = -1,
				  .runs = -1};

	row.metric = table_keep(t, metric, MIN(len, TABLE_MAX_METRIC));
	g_array_append_val(t->rows, row);
	for (guint i = 0; i < t->columns->len; i++)
		g_array_append_val(t->cells, cell);
	return table_row(t, t->rows->len - 1);
}

void table_add_reject(struct table *t, guint line, const char *text, gsize len,
		      const char *reason)
{
	struct table_reject *r;

	if (t->rejects->len >= TABLE_MAX_REJECTS)
		return;
	r = g_new(struct table_reject, 1);
	r->line = line;
	r->text = g_strndup(text, len);
	r->reason = reason;
	g_ptr_array_add(t->rejects, r);
}

void table_add_finding(struct table *t, const char *code, int row,
		       const char *format, ...)
{
	struct table_finding *f = g_new(struct table_finding, 1);
	va_list args;

	f->code = code;
	f->row = row;
	va_start(args, format);
	f->text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(t->findings, f);
}

int table_find(const struct table *t, const char *metric)
{
	for (guint i = 0; i < t->rows->len; i++)
		if (!strcmp(table_row(t, i)->metric, metric))
			return (int)i;
	return -1;
}

const char *table_axis(const struct table *t, const char *key)
{
	for (guint i = 0; i < t->axes->len; i++) {
		const struct table_axis *a =
			&g_array_index(t->axes, struct table_axis, i);

		if (!strcmp(a->key, key))
			return a->value;
	}
	return NULL;
}

static gboolean same_commit(const char *a, const char *b)
{
	gsize n = a && b ? MIN(strlen(a), strlen(b)) : 0;

	return n >= COMMIT_PREFIX_MIN && !g_ascii_strncasecmp(a, b, n);
}

int table_find_column(const struct table *t, const char *commit)
{
	for (guint i = 0; commit && i < t->columns->len; i++) {
		const struct table_column *c = table_column(t, i);

		if (same_commit(c->commit, commit) ||
		    (c->label && !strcmp(c->label, commit)))
			return (int)i;
	}
	return -1;
}

static gboolean same_label(const struct table_column *a,
			   const struct table_column *b)
{
	gsize n;

	if (!a->label || !b->label)
		return TRUE;
	n = MIN(strlen(a->label), strlen(b->label));
	return !g_ascii_strncasecmp(a->label, b->label, n);
}

/* What was printed in a row, as one word. */
static char *row_print(const struct table *t, guint row)
{
	GString *s = g_string_new(table_row(t, row)->metric);

	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_cell *c = table_cell(t, row, i);

		g_string_append_printf(s, "\n%s %s",
				       c->printed ? c->printed : "",
				       c->change_printed ? c->change_printed
							 : "");
		if (isfinite(c->sd_pct))
			g_string_append_printf(s, " %.0f", c->sd_pct);
	}
	return g_string_free(s, FALSE);
}

gboolean table_repeats(const struct table *a, const struct table *b)
{
	const struct table *less = a->rows->len < b->rows->len ? a : b;
	const struct table *more = less == a ? b : a;
	g_autoptr(GHashTable) rows =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	if (!less->rows->len || a->columns->len != b->columns->len)
		return FALSE;
	for (guint i = 0; i < a->columns->len; i++)
		if (!same_label(table_column(a, i), table_column(b, i)))
			return FALSE;
	for (guint i = 0; i < more->rows->len; i++)
		g_hash_table_add(rows, row_print(more, i));
	for (guint i = 0; i < less->rows->len; i++) {
		g_autofree char *text = row_print(less, i);

		if (!g_hash_table_contains(rows, text))
			return FALSE;
	}
	return TRUE;
}
