/* test_measures.c - tables come back from the database as they were read */
#include <math.h>

#include "db/items.h"
#include "db/measures.h"

#include "tests/db/measure_letters.h"
#include "tests/db/support.h"

static gboolean same_number(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

static void same_row(const struct table *a, guint n, const struct table *b,
		     guint m)
{
	ck_assert_str_eq(table_row(a, n)->metric, table_row(b, m)->metric);
	ck_assert_int_eq(table_row(a, n)->kind, table_row(b, m)->kind);
	ck_assert_int_eq(table_row(a, n)->direction,
			 table_row(b, m)->direction);
	for (guint i = 0; i < a->columns->len; i++) {
		const struct table_cell *x = table_cell(a, n, i);
		const struct table_cell *y = table_cell(b, m, i);

		ck_assert(!g_strcmp0(x->printed, y->printed));
		ck_assert(!g_strcmp0(x->change_printed, y->change_printed));
		ck_assert(same_number(x->mean, y->mean));
		ck_assert(same_number(x->sd_pct, y->sd_pct));
		ck_assert(same_number(x->change, y->change));
		ck_assert_int_eq(x->change_kind, y->change_kind);
		ck_assert_int_eq(x->fails, y->fails);
		ck_assert_int_eq(x->runs, y->runs);
	}
}

/* What is stored is the table without its monitors. */
START_TEST(as_it_was_read)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(GBytes) raw = letter_bytes(&measured);
	g_autoptr(message) msg = message_parse(raw, 0, &err);
	g_autoptr(reading_auto) r = reading_new(msg);
	g_autoptr(measures_auto) m = NULL;
	const struct table *a, *b;

	put_letter(st, &measured);
	m = measures_load(st, measured.id, &err);
	must(m != NULL, err);
	ck_assert_uint_eq(r->tables->len, 1);
	ck_assert_uint_eq(m->tables->len, 1);
	a = r->tables->pdata[0];
	b = m->tables->pdata[0];
	ck_assert_uint_eq(a->rows->len, 2);
	ck_assert_uint_eq(b->rows->len, 1);
	same_row(a, 0, b, 0);
	ck_assert_str_eq(table_axis(b, "tbox_group"), "lkp-a");
	ck_assert_uint_eq(b->axes->len, a->axes->len);
	for (guint i = 0; i < a->columns->len; i++) {
		ck_assert_str_eq(table_column(a, i)->label,
				 table_column(b, i)->label);
		ck_assert_str_eq(table_column(a, i)->commit,
				 table_column(b, i)->commit);
		ck_assert_str_eq(table_column(a, i)->subject,
				 table_column(b, i)->subject);
		ck_assert_int_eq(table_column(a, i)->role,
				 table_column(b, i)->role);
	}
}
END_TEST

START_TEST(nothing_known)
{
	g_autoptr(store) st = open_memory();
	g_autoptr(GError) err = NULL;
	g_autoptr(measures_auto) m = measures_load(st, "no@x", &err);

	must(m != NULL, err);
	ck_assert_uint_eq(m->tables->len, 0);
	ck_assert_uint_eq(m->samples->len, 0);
	ck_assert_uint_eq(m->words->len, 0);
}
END_TEST

/* The rerun shows base and culprit of the report again, by the same text: one
 * new measurement, whatever comes first. */
START_TEST(each_measurement_once)
{
	static const struct letter *const orders[][3] = {
		{&measured, &rerun_good, &rerun_bad},
		{&rerun_bad, &rerun_good, &measured},
	};

	for (gsize n = 0; n < G_N_ELEMENTS(orders); n++) {
		g_autoptr(store) st = open_memory();
		g_autoptr(GError) err = NULL;
		g_autoptr(GString) got = g_string_new(NULL);
		g_autoptr(GPtrArray) items = NULL, all = NULL;
		const struct item *i;

		for (gsize k = 0; k < 3; k++)
			put_letter(st, orders[n][k]);
		items = items_load(st, &err);
		must(items != NULL, err);
		ck_assert_uint_eq(items->len, 1);
		i = items->pdata[0];
		ck_assert(i->series_key != NULL);
		ck_assert_uint_eq(i->series_number, 1);
		ck_assert_uint_eq(i->series_count, 1);
		all = observations_load(st, i->series_key, &err);
		must(all != NULL, err);
		for (guint k = 0; k < all->len; k++) {
			const struct observation *o = all->pdata[k];

			g_string_append_printf(got, "%s %s;", o->printed,
					       o->mid);
		}
		ck_assert_str_eq(got->str, "117419 " REPORT ";77863 " REPORT
					   ";79485 bad@x;117404 good@x;");
	}
}
END_TEST

static Suite *suite(void)
{
	TCase *c = tcase_create("measures");
	Suite *s = suite_create("measures");

	tcase_add_test(c, as_it_was_read);
	tcase_add_test(c, nothing_known);
	tcase_add_test(c, each_measurement_once);
	suite_add_tcase(s, c);
	return s;
}

TEST_MAIN(suite)
