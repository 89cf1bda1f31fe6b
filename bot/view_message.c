/* view_message.c - culprit/message/1: what was understood of one message
 * Keys in the order of the contract; what is unknown is null. */
#include <math.h>

#include "bot/view.h"
#include "bot/view_priv.h"

static const char *const where_names[] = {
	[TRAILER_COMMIT_MESSAGE] = "commit-message",
	[TRAILER_NOTES] = "notes",
	[TRAILER_MESSAGE] = "message",
};

static json_t *number_or_null(int n)
{
	return n >= 0 ? json_integer(n) : json_null();
}

static json_t *view_files(const struct diff *d)
{
	json_t *out = json_array();

	for (guint i = 0; d && i < d->files->len; i++) {
		const struct diff_file *f = d->files->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "path", view_text(f->path));
		json_object_set_new(o, "old_path", view_text(f->old_path));
		json_object_set_new(o, "insertions",
				    json_integer(f->insertions));
		json_object_set_new(o, "deletions", json_integer(f->deletions));
		json_object_set_new(o, "binary", json_boolean(f->binary));
		json_array_append_new(out, o);
	}
	return out;
}

static void add_diff(json_t *o, const struct diff *d)
{
	json_object_set_new(o, "insertions",
			    d ? json_integer(d->insertions) : json_null());
	json_object_set_new(o, "deletions",
			    d ? json_integer(d->deletions) : json_null());
	json_object_set_new(o, "files", view_files(d));
}

static json_t *view_patch(const struct reading *r)
{
	const struct patch *p = r->patch;
	const struct subject *s = r->subject;
	json_t *o;

	if (!p)
		return json_null();
	o = json_object();
	json_object_set_new(o, "title",
			    view_text(p->title ? p->title : s->base));
	json_object_set_new(o, "version", json_integer(s->version));
	json_object_set_new(o, "number", number_or_null(s->number));
	json_object_set_new(o, "total", number_or_null(s->total));
	json_object_set_new(o, "rfc", json_boolean(s->rfc));
	json_object_set_new(o, "resend", json_boolean(s->resend));
	json_object_set_new(o, "cover", json_boolean(r->kind == KIND_COVER));
	json_object_set_new(o, "change_id", view_text(p->change_id));
	json_object_set_new(o, "base_commit", view_text(p->base_commit));
	json_object_set_new(o, "prerequisites", view_texts(p->prerequisites));
	json_object_set_new(o, "prefixes", view_texts(s->prefixes));
	json_object_set_new(o, "patch_id",
			    view_text(p->diff ? p->diff->patch_id : NULL));
	json_object_set_new(o, "commit_message", view_text(p->commit_message));
	add_diff(o, p->diff);
	return o;
}

static json_t *view_pull(const struct pull *p)
{
	json_t *o;

	if (!p)
		return json_null();
	o = json_object();
	json_object_set_new(o, "url", view_text(p->url));
	json_object_set_new(o, "ref", view_text(p->ref));
	json_object_set_new(o, "base", view_text(p->base));
	json_object_set_new(o, "commits", number_or_null(p->commits));
	return o;
}

static json_t *view_trailer(const struct trailer *t)
{
	json_t *o = json_object();

	json_object_set_new(o, "key", view_text(t->key));
	json_object_set_new(o, "value", view_text(t->value));
	json_object_set_new(o, "name",
			    view_filled(t->who ? t->who->name : NULL));
	json_object_set_new(o, "address",
			    view_filled(t->who ? t->who->address : NULL));
	json_object_set_new(o, "note", view_text(t->note));
	json_object_set_new(o, "commit", view_text(t->commit));
	json_object_set_new(o, "subject", view_text(t->subject));
	json_object_set_new(o, "url", view_text(t->url));
	json_object_set_new(o, "line", json_integer(t->line));
	json_object_set_new(o, "where", view_text(where_names[t->where]));
	json_object_set_new(o, "counts", json_boolean(t->counts));
	json_object_set_new(o, "relayed", json_boolean(t->relayed));
	json_object_set_new(o, "typo", json_boolean(t->typo));
	return o;
}

static json_t *view_commit(const struct commit_ref *c)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", view_text(c->id));
	json_object_set_new(o, "subject", view_text(c->subject));
	json_object_set_new(o, "role", view_text(commit_role_name(c->role)));
	json_object_set_new(o, "line", json_integer(c->line));
	return o;
}

static json_t *view_link(const struct link *l)
{
	json_t *o = json_object();

	json_object_set_new(o, "role", view_text(link_role_name(l->role)));
	json_object_set_new(o, "url", view_text(l->url));
	json_object_set_new(o, "message_id", view_text(l->message_id));
	return o;
}

static json_t *view_warning(const struct warning *w)
{
	json_t *o = json_object();

	json_object_set_new(o, "code", view_text(w->code));
	json_object_set_new(o, "text", view_text(w->text));
	return o;
}

#define VIEW_ARRAY(out, values, type, view)                              \
	do {                                                             \
		GPtrArray *values_ = (values);                           \
		for (guint i_ = 0; values_ && i_ < values_->len; i_++) { \
			const struct type *value_ = values_->pdata[i_];  \
			json_array_append_new((out), view(value_));      \
		}                                                        \
	} while (0)

static void add_head(json_t *o, const struct reading *r)
{
	const message *m = r->msg;

	json_object_set_new(o, "schema", json_string("culprit/message/1"));
	json_object_set_new(o, "message_id", view_text(message_id(m)));
	json_object_set_new(o, "message_id_made",
			    json_boolean(message_id_made(m)));
	json_object_set_new(o, "message_ids_extra",
			    view_texts(message_extra_ids(m)));
	json_object_set_new(o, "subject", view_text(message_subject(m)));
	json_object_set_new(o, "subject_base", view_text(r->subject->base));
	json_object_set_new(o, "from", view_person(message_from(m)));
	json_object_set_new(o, "from_header",
			    view_text(message_from_header(m)));
	json_object_set_new(o, "sender", view_person(message_sender(m)));
	json_object_set_new(o, "reply_to", view_people(message_reply_to(m)));
	json_object_set_new(o, "to", view_people(message_to(m)));
	json_object_set_new(o, "cc", view_people(message_cc(m)));
	json_object_set_new(o, "date", view_date(message_date(m)));
	json_object_set_new(o, "date_zone", view_text(message_date_zone(m)));
	json_object_set_new(o, "in_reply_to",
			    view_text(message_in_reply_to(m)));
	json_object_set_new(o, "references", view_texts(message_references(m)));
	json_object_set_new(o, "list_ids", view_texts(message_list_ids(m)));
}

static void add_content(json_t *o, const struct reading *r)
{
	json_t *trailers = json_array(), *commits = json_array();
	json_t *links = json_array(), *warnings = json_array();

	VIEW_ARRAY(trailers, r->trailers, trailer, view_trailer);
	VIEW_ARRAY(commits, r->commits, commit_ref, view_commit);
	VIEW_ARRAY(links, r->links, link, view_link);
	VIEW_ARRAY(warnings, r->warnings, warning, view_warning);
	json_object_set_new(o, "kind", view_text(mail_kind_name(r->kind)));
	json_object_set_new(o, "rerun", json_boolean(r->rerun));
	json_object_set_new(o, "patch", view_patch(r));
	json_object_set_new(o, "pull", view_pull(r->pull));
	json_object_set_new(o, "trailers", trailers);
	json_object_set_new(o, "robot",
			    view_text(r->robot ? r->robot->name : NULL));
	json_object_set_new(o, "report", view_report(r->report));
	json_object_set_new(o, "tables", view_tables(r->tables));
	json_object_set_new(o, "applied", view_applied(r->applied));
	json_object_set_new(o, "verdict_words", view_words(r->words, TRUE));
	json_object_set_new(o, "plans", view_words(r->words, FALSE));
	json_object_set_new(o, "commands", view_commands(r->commands));
	json_object_set_new(o, "commits", commits);
	json_object_set_new(o, "links", links);
	json_object_set_new(o, "warnings", warnings);
}

json_t *view_message(const struct reading *r, gboolean with_body)
{
	json_t *o = json_object();

	add_head(o, r);
	add_content(o, r);
	if (with_body)
		json_object_set_new(o, "body", view_text(message_body(r->msg)));
	return o;
}
