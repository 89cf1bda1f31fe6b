/* view_check.c - culprit/check/1
 * Tables without their rows, but for that of the headline. */
#include "mail/date.h"

#include "bot/item_check.h"
#include "bot/view_priv.h"

static json_t *check_table(const struct table *t, const char *metric)
{
	json_t *o = view_table(t);
	int row = metric ? table_find(t, metric) : -1;
	json_t *rows = json_object_get(o, "rows");

	json_object_set_new(o, "row_count",
			    json_integer((json_int_t)json_array_size(rows)));
	if (row >= 0)
		json_object_set(o, "headline",
				json_array_get(rows, (size_t)row));
	else
		json_object_set_new(o, "headline", json_null());
	json_object_del(o, "rows");
	return o;
}

static json_t *check_mail(const struct check_mail *m, const char *metric)
{
	const struct reading *r = m->reading;
	json_t *o = json_object(), *tables = json_array();

	for (guint n = 0; n < r->tables->len; n++)
		json_array_append_new(tables,
				      check_table(r->tables->pdata[n], metric));
	json_object_set_new(o, "message_id", view_text(message_id(r->msg)));
	json_object_set_new(o, "date", view_date(message_date(r->msg)));
	json_object_set_new(o, "role",
			    view_text(m->report ? "report" : "rerun"));
	json_object_set_new(o, "tables", tables);
	return o;
}

json_t *item_check_view(const struct item_check *c)
{
	const struct item *i = c->item;
	json_t *o = json_object(), *mails = json_array();
	json_t *reruns = json_array();

	for (guint n = 0; n < c->mails->len; n++)
		json_array_append_new(mails, check_mail(c->mails->pdata[n],
							i->metric));
	for (guint n = 0; n < i->reruns->len; n++)
		json_array_append_new(reruns, view_rerun(i->reruns->pdata[n]));
	json_object_set_new(o, "schema", view_text("culprit/check/1"));
	json_object_set_new(o, "id", view_text(i->id));
	json_object_set_new(o, "title", view_text(i->title));
	json_object_set_new(o, "metric", view_text(i->metric));
	json_object_set_new(o, "tables", json_integer(c->tables));
	json_object_set_new(o, "findings", json_integer(c->findings));
	json_object_set_new(o, "rejects", json_integer(c->rejects));
	json_object_set_new(o, "mails_missing", json_integer(c->gone));
	json_object_set_new(o, "series_key", view_text(i->series_key));
	json_object_set_new(o, "history", view_history(i));
	json_object_set_new(o, "reruns", reruns);
	json_object_set_new(o, "mails", mails);
	return o;
}
