/* fuzz_lkp_table.c - any bytes as a body with tables of the test robot: what
 * is read can be printed, and reading that gives the same */
#include <stddef.h>
#include <stdint.h>

#include "mail/lkp_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct table *t, guint lines)
{
	g_assert_cmpuint(t->columns->len, >=, 2);
	g_assert_cmpuint(t->rows->len + t->rejects->len, >, 0);
	g_assert_cmpuint(t->cells->len, ==, t->rows->len * t->columns->len);
	for (guint i = 0; i < t->rows->len; i++) {
		g_assert_cmpuint(table_row(t, i)->line, >=, 1);
		g_assert_cmpuint(table_row(t, i)->line, <=, lines);
		g_assert_true(*table_row(t, i)->metric);
	}
	for (guint i = 0; i < t->cells->len; i++)
		g_assert_nonnull(
			g_array_index(t->cells, struct table_cell, i).printed);
}

static void read_again(const struct table *t)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(body) b = NULL;
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	lkp_table_print(t, TRUE, out);
	if (t->headless || !t->rows->len)
		return;
	b = body_parse(out->str, out->len);
	lkp_tables_read(b, tables);
	g_assert_cmpuint(tables->len, ==, 1);
	g_assert_true(table_repeats(t, tables->pdata[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(body) b = body_parse((const char *)data, size);
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)table_free);

	lkp_table_likely(b);
	lkp_tables_read(b, tables);
	for (guint i = 0; i < tables->len; i++) {
		check_table(tables->pdata[i], body_count(b));
		read_again(tables->pdata[i]);
	}
	return 0;
}
