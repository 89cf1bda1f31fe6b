/* view_thread.c - culprit/thread/1: a thread and the series in it */
#include "bot/thread_text.h"
#include "bot/view.h"
#include "bot/view_priv.h"

static json_t *view_node(const struct thread *t, const struct thread_node *n)
{
	const struct thread_node *parent =
		n->parent >= 0 ? t->nodes->pdata[n->parent] : NULL;
	struct address from = {n->from_name, n->from_address};
	json_t *o = json_object();

	json_object_set_new(o, "message_id", view_text(n->mid));
	json_object_set_new(o, "parent",
			    view_text(parent ? parent->mid : NULL));
	json_object_set_new(o, "depth", json_integer(n->depth));
	json_object_set_new(o, "ghost", json_boolean(n->ghost));
	json_object_set_new(o, "kind",
			    n->ghost ? json_null()
				     : view_text(mail_kind_name(n->kind)));
	json_object_set_new(o, "subject", view_text(n->subject));
	json_object_set_new(o, "from",
			    n->ghost ? json_null() : view_person(&from));
	json_object_set_new(o, "date", view_date(n->date));
	return o;
}

static const struct series_mail *mail_at(const struct series_set *set, int i)
{
	return &g_array_index(set->mails, struct series_mail, i);
}

/* What the series is called by: the id of its cover or first patch. */
static json_t *series_name(const struct series_set *set, int i)
{
	const struct series *s;

	if (i < 0)
		return json_null();
	s = set->series->pdata[i];
	return view_text(mail_at(set, s->first)->mid);
}

static json_t *view_patches(const struct series_set *set,
			    const struct series *s)
{
	json_t *out = json_array();

	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);
		json_t *o = json_object();

		json_object_set_new(o, "message_id",
				    view_text(mail_at(set, p->mail)->mid));
		json_object_set_new(o, "number", json_integer(p->number));
		json_object_set_new(o, "inherited", json_boolean(p->inherited));
		json_array_append_new(out, o);
	}
	return out;
}

static void add_relations(json_t *o, const struct series_set *set,
			  const struct series *s)
{
	json_object_set_new(o, "change_id", view_text(s->change_id));
	json_object_set_new(o, "supersedes", series_name(set, s->supersedes));
	json_object_set_new(o, "superseded_by",
			    series_name(set, s->superseded_by));
	json_object_set_new(o, "resend_of", series_name(set, s->resend_of));
	json_object_set_new(o, "backport_of", view_text(s->backport_of));
	json_object_set_new(o, "depends_on", view_texts(s->depends_on));
}

static json_t *view_one(const struct series_set *set, const struct series *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "cover",
			    s->cover >= 0
				    ? view_text(mail_at(set, s->cover)->mid)
				    : json_null());
	json_object_set_new(o, "cover_inherited",
			    json_boolean(s->cover_inherited));
	json_object_set_new(o, "version", json_integer(s->version));
	json_object_set_new(o, "version_inferred",
			    json_boolean(s->version_inferred));
	json_object_set_new(o, "total",
			    s->total > 0 ? json_integer(s->total)
					 : json_null());
	json_object_set_new(o, "complete", json_boolean(s->complete));
	add_relations(o, set, s);
	json_object_set_new(o, "patches", view_patches(set, s));
	return o;
}

static json_t *view_series(const struct thread *t, const struct series_set *set)
{
	g_autoptr(GHashTable) mids = g_hash_table_new(g_str_hash, g_str_equal);
	json_t *out = json_array();

	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];

		g_hash_table_add(mids, n->mid);
	}
	for (guint i = 0; set && i < set->series->len; i++) {
		const struct series *s = set->series->pdata[i];

		if (thread_has_series(set, s, mids))
			json_array_append_new(out, view_one(set, s));
	}
	return out;
}

json_t *view_thread(const struct thread *t, const struct series_set *set)
{
	json_t *o = json_object(), *messages = json_array();

	for (guint i = 0; i < t->nodes->len; i++)
		json_array_append_new(messages,
				      view_node(t, t->nodes->pdata[i]));
	json_object_set_new(o, "schema", json_string("culprit/thread/1"));
	json_object_set_new(o, "root", view_text(t->root));
	json_object_set_new(o, "count", json_integer(t->count));
	json_object_set_new(o, "messages", messages);
	json_object_set_new(o, "series", view_series(t, set));
	return o;
}
