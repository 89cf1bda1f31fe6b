/* fuzz_fsperf.c - any text as a body with tables of fsperf and raw values */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mail/fsperf_table.h"
#include "mail/table_check.h"
#include "mail/table_runs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(struct table *t, guint lines)
{
	g_assert(t->rows->len || t->rejects->len);
	g_assert(t->cells->len == t->rows->len * t->columns->len);
	for (guint i = 0; i < t->rows->len; i++) {
		g_assert(*table_row(t, i)->metric);
		g_assert(table_row(t, i)->line <= lines);
		g_assert(table_cell(t, i, 0)->printed);
		g_assert(table_cell(t, i, 1)->change_printed);
	}
	table_infer_runs(t);
	table_check(t);
	g_assert(t->findings->len <= TABLE_CHECK_MAX + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autoptr(body) b = body_parse(text, strlen(text));
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);
	g_autoptr(GPtrArray) samples = table_samples_read(b);

	fsperf_tables_read(b, tables);
	tables_state_runs(tables, b);
	for (guint i = 0; i < tables->len; i++)
		check_table(tables->pdata[i], body_count(b));
	for (guint i = 0; i < samples->len; i++) {
		const struct table_samples *s = samples->pdata[i];

		g_assert(s->values->len && *s->metric);
		for (guint k = 0; k < s->values->len; k++)
			g_assert(isfinite(g_array_index(s->values, double, k)));
	}
	table_samples_bind(tables, samples);
	return 0;
}
