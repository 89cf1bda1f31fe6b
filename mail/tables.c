/* tables.c - every table of a body, whichever dialect
 * Calls the readers of the dialects, and what only looks at values. */
#include <string.h>

#include "mail/fsperf_table.h"
#include "mail/lkp_table.h"
#include "mail/metric.h"
#include "mail/table.h"
#include "mail/table_check.h"
#include "mail/table_runs.h"

static gint by_line(gconstpointer a, gconstpointer b)
{
	const struct table *x = *(struct table *const *)a;
	const struct table *y = *(struct table *const *)b;

	return (x->line > y->line) - (x->line < y->line);
}

static void find_directions(struct table *t)
{
	for (guint i = 0; i < t->rows->len; i++) {
		struct table_row *row = table_row(t, i);

		if (row->kind == TABLE_ROW_PERF && !row->direction)
			row->direction = metric_direction(row->metric);
	}
}

GPtrArray *tables_read(const body *b)
{
	GPtrArray *tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	if (lkp_table_likely(b))
		lkp_tables_read(b, tables);
	if (fsperf_table_likely(b)) {
		fsperf_tables_read(b, tables);
		g_ptr_array_sort(tables, by_line);
	}
	if (!tables->len)
		return tables;
	tables_state_runs(tables, b);
	for (guint i = 0; i < tables->len; i++) {
		struct table *t = g_ptr_array_index(tables, i);

		find_directions(t);
		table_infer_runs(t);
		table_check(t);
	}
	return tables;
}
