/* series_list.c - a test through time: its reports and what was measured */
#include "bot/series_list.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"

#include "db/measures.h"

#include "bot/list_format.h"
#include "bot/view_priv.h"

static void one_free(struct series_of_test *s)
{
	g_ptr_array_unref(s->reports);
	if (s->values)
		g_ptr_array_unref(s->values);
	g_free(s);
}

void series_list_free(struct series_list *l)
{
	if (!l)
		return;
	g_ptr_array_unref(l->series);
	g_free(l);
}

static int by_date(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	if (x->reported != y->reported)
		return x->reported < y->reported ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

/* The series that are asked for, each once. */
static GHashTable *begin_series(struct series_list *l, GPtrArray *found)
{
	GHashTable *by_key = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint n = 0; n < found->len && !l->cut; n++) {
		const struct item *i = found->pdata[n];
		struct series_of_test *s;

		if (!i->series_key ||
		    g_hash_table_contains(by_key, i->series_key))
			continue;
		if (l->series->len == SERIES_LIST_MAX) {
			l->cut = TRUE;
			break;
		}
		s = g_new0(struct series_of_test, 1);
		s->key = i->series_key;
		s->reports = g_ptr_array_new();
		g_ptr_array_add(l->series, s);
		g_hash_table_insert(by_key, i->series_key, s);
	}
	return by_key;
}

struct series_list *series_list_load(store *st, GPtrArray *all,
				     GPtrArray *found, GError **err)
{
	g_autoptr(series_list_auto) l = g_new0(struct series_list, 1);
	g_autoptr(GHashTable) by_key = NULL;

	l->series = g_ptr_array_new_with_free_func((GDestroyNotify)one_free);
	by_key = begin_series(l, found);
	for (guint n = 0; n < all->len; n++) {
		struct item *i = all->pdata[n];
		struct series_of_test *s =
			i->series_key
				? g_hash_table_lookup(by_key, i->series_key)
				: NULL;

		if (s)
			g_ptr_array_add(s->reports, i);
	}
	for (guint n = 0; n < l->series->len; n++) {
		struct series_of_test *s = l->series->pdata[n];

		g_ptr_array_sort(s->reports, by_date);
		s->values = observations_load(st, s->key, err);
		if (!s->values)
			return NULL;
	}
	return g_steal_pointer(&l);
}

/* ---- for people */

static void add_report(GString *out, const struct item *i)
{
	g_autofree char *date = date_to_rfc3339(i->reported);
	const char *kind = report_direction_name(i->direction);

	g_string_append_printf(out, "  %.10s  ", date ? date : "no date   ");
	if (isfinite(i->change_percent))
		g_string_append_printf(out, "%+.1f%% ", i->change_percent);
	g_string_append_printf(out, "%s, %.12s, %s, %s\n",
			       kind ? kind : "change",
			       i->commit ? i->commit : "commit unknown",
			       i->state, i->id);
}

static void add_value(GString *out, const struct observation *v)
{
	g_autofree char *date = date_to_rfc3339(v->date);
	const char *role = table_role_name(v->role);

	g_string_append_printf(out, "  %.10s  %10s", date ? date : "no date   ",
			       v->printed);
	if (isfinite(v->sd_pct))
		g_string_append_printf(out, " ± %g%%", v->sd_pct);
	g_string_append_printf(out, "  %.12s",
			       v->label	   ? v->label
			       : v->commit ? v->commit
					   : "unknown");
	if (role)
		g_string_append_printf(out, ", %s", role);
	if (v->runs)
		g_string_append_printf(out, ", %u run%s", v->runs,
				       v->runs == 1 ? "" : "s");
	g_string_append_printf(out, ", <%s>\n", v->mid);
}

/* The first report tells what the series is of. */
void series_text(GString *out, const struct series_of_test *s)
{
	const struct item *i = s->reports->pdata[0];

	g_string_append_printf(out, "%s on %s/%s\n",
			       i->metric ? i->metric : "unknown metric",
			       i->testcase ? i->testcase : "unknown test",
			       i->tbox ? i->tbox : "unknown machine");
	g_string_append_printf(out, "series %s", s->key);
	for (guint n = 0; n < i->parameters->len; n++)
		g_string_append_printf(out, "%s %s", n ? "," : ":",
				       (char *)i->parameters->pdata[n]);
	g_string_append_printf(out, "\n%u report%s\n", s->reports->len,
			       s->reports->len == 1 ? "" : "s");
	for (guint n = 0; n < s->reports->len; n++)
		add_report(out, s->reports->pdata[n]);
	g_string_append_printf(out, "%u value%s\n", s->values->len,
			       s->values->len == 1 ? "" : "s");
	for (guint n = 0; n < s->values->len; n++)
		add_value(out, s->values->pdata[n]);
}

/* ---- for programs */

static void add_number(GString *out, double v, char end)
{
	char buf[G_ASCII_DTOSTR_BUF_SIZE];

	list_cell(out, isfinite(v) ? g_ascii_dtostr(buf, sizeof(buf), v) : NULL,
		  end);
}

void series_tsv(GString *out, const struct series_of_test *s)
{
	for (guint n = 0; n < s->values->len; n++) {
		const struct observation *v = s->values->pdata[n];

		list_cell(out, s->key, '\t');
		list_cell_date(out, v->date, '\t');
		list_cell(out, v->metric, '\t');
		list_cell(out, v->commit ? v->commit : v->label, '\t');
		list_cell(out, table_role_name(v->role), '\t');
		list_cell(out, v->printed, '\t');
		add_number(out, v->sd_pct, '\t');
		add_number(out, v->runs ? (double)v->runs : NAN, '\t');
		list_cell(out, v->mid, '\n');
	}
}

static json_t *view_series_report(const struct item *i)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", view_text(i->id));
	json_object_set_new(o, "message_id", view_text(i->mid));
	json_object_set_new(o, "date", view_date(i->reported));
	json_object_set_new(o, "state", view_text(i->state));
	json_object_set_new(o, "direction",
			    view_text(report_direction_name(i->direction)));
	json_object_set_new(o, "change_percent",
			    view_number(i->change_percent));
	json_object_set_new(o, "commit", view_text(i->commit));
	json_object_set_new(o, "commit_subject", view_text(i->commit_subject));
	json_object_set_new(o, "base", view_text(i->base));
	return o;
}

static json_t *view_value(const struct observation *v)
{
	json_t *o = json_object();

	json_object_set_new(o, "message_id", view_text(v->mid));
	json_object_set_new(o, "date", view_date(v->date));
	json_object_set_new(o, "commit", view_text(v->commit));
	json_object_set_new(o, "label", view_text(v->label));
	json_object_set_new(o, "role", view_text(table_role_name(v->role)));
	json_object_set_new(o, "printed", view_text(v->printed));
	json_object_set_new(o, "mean", view_number(v->mean));
	json_object_set_new(o, "sd_pct", view_number(v->sd_pct));
	json_object_set_new(o, "runs",
			    v->runs ? json_integer(v->runs) : json_null());
	json_object_set_new(o, "strict_key", view_filled(v->strict));
	return o;
}

json_t *series_view(const struct series_of_test *s)
{
	const struct item *i = s->reports->pdata[0];
	json_t *o = json_object(), *reports = json_array();
	json_t *values = json_array();

	for (guint n = 0; n < s->reports->len; n++)
		json_array_append_new(reports,
				      view_series_report(s->reports->pdata[n]));
	for (guint n = 0; n < s->values->len; n++)
		json_array_append_new(values, view_value(s->values->pdata[n]));
	json_object_set_new(o, "schema", view_text("culprit/series/1"));
	json_object_set_new(o, "series_key", view_text(s->key));
	json_object_set_new(o, "metric", view_text(i->metric));
	json_object_set_new(o, "testcase", view_text(i->testcase));
	json_object_set_new(o, "machine", view_text(i->tbox));
	json_object_set_new(o, "parameters", view_texts(i->parameters));
	json_object_set_new(o, "reports", reports);
	json_object_set_new(o, "observations", values);
	return o;
}
