/* view_commit.c - culprit/commit/1, and where commits are */
#include "bot/commit_facts.h"
#include "bot/view_priv.h"

static void set(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static json_t *view_present(enum known present)
{
	return present == KNOWN_NOT ? json_null()
				    : json_boolean(present == KNOWN_YES);
}

static json_t *view_place(const struct commit_place *p)
{
	json_t *o = json_object();
	g_autofree char *url =
		code_tree_url(p->tree, p->commit ? p->commit->id : NULL);

	set(o, "name", view_text(p->tree->name));
	set(o, "present", view_present(p->present));
	set(o, "tag", view_text(p->tag));
	set(o, "role", view_text(tree_role_name(p->tree->role)));
	set(o, "branch", view_text(p->branch));
	set(o, "merged", view_date(p->merged));
	set(o, "id", view_text(p->commit ? p->commit->id : NULL));
	set(o, "url", view_text(url));
	set(o, "same", view_text(p->commit ? commit_same_name(p->same) : NULL));
	set(o, "left", view_date(p->left));
	set(o, "looked", view_date(p->tree->looked));
	return o;
}

json_t *view_places(GPtrArray *places)
{
	json_t *out = json_array();

	for (guint i = 0; places && i < places->len; i++)
		json_array_append_new(out, view_place(places->pdata[i]));
	return out;
}

static json_t *view_patches(GPtrArray *patches)
{
	json_t *out = json_array();

	for (guint i = 0; patches && i < patches->len; i++) {
		const struct commit_link *l = patches->pdata[i];
		json_t *o = json_object(), *also = json_array();

		for (int e = EVIDENCE_LINK; e <= EVIDENCE_TITLE; e++)
			if (l->also & 1U << e)
				json_array_append_new(
					also, view_text(commit_evidence_name((
						      enum commit_evidence)e)));
		set(o, "message_id", view_text(l->mid));
		set(o, "evidence",
		    view_text(commit_evidence_name(l->evidence)));
		set(o, "all_evidence", also);
		set(o, "evidence_message_id", view_text(l->evidence_mid));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_sayings(GPtrArray *sayings)
{
	json_t *out = json_array();

	for (guint i = 0; sayings && i < sayings->len; i++) {
		const struct commit_saying *s = sayings->pdata[i];
		json_t *o = json_object();

		set(o, "says", view_text(commit_says_name(s->says)));
		set(o, "id", view_text(s->id));
		set(o, "subject", view_text(s->subject));
		set(o, "message_id", view_text(s->mid));
		set(o, "url", view_text(s->url));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_others(GPtrArray *sayings)
{
	json_t *out = json_array();

	for (guint i = 0; sayings && i < sayings->len; i++) {
		const struct commit_saying *s = sayings->pdata[i];
		json_t *o = json_object();

		set(o, "says", view_text(commit_says_name(s->says)));
		set(o, "id", view_text(s->commit->id));
		set(o, "subject", view_text(s->commit->subject));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_items(GPtrArray *items)
{
	json_t *out = json_array();

	for (guint i = 0; i < items->len; i++) {
		const struct commit_item *x = items->pdata[i];
		json_t *o = json_object();

		set(o, "id", view_text(x->item->id));
		set(o, "title", view_text(x->item->title));
		set(o, "state", view_text(x->item->state));
		set(o, "role", view_text(x->culprit ? "culprit" : "fix"));
		set(o, "status", view_text(x->status));
		set(o, "report_message_id", view_text(x->item->mid));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_mentions(GPtrArray *mentions)
{
	json_t *out = json_array();

	for (guint i = 0; i < mentions->len; i++) {
		const struct commit_mention *m = mentions->pdata[i];
		json_t *o = json_object();

		set(o, "message_id", view_text(m->mid));
		set(o, "subject", view_text(m->subject));
		set(o, "role", view_text(commit_role_name(m->role)));
		set(o, "date", view_date(m->date));
		json_array_append_new(out, o);
	}
	return out;
}

/* Is it known to have broken something? null: nobody knows the commit. */
static json_t *view_regressed(const struct commit_facts *f)
{
	for (guint i = 0; i < f->items->len; i++)
		if (((struct commit_item *)f->items->pdata[i])->culprit)
			return json_true();
	return f->commit ? json_false() : json_null();
}

static json_t *view_author(const struct commit *c)
{
	struct address who;

	if (!c)
		return json_null();
	who.name = c->author_name;
	who.address = c->author_address;
	return view_person(&who);
}

static json_t *view_follow(const struct commit_facts *f)
{
	json_t *o;

	if (!f->follow)
		return json_null();
	o = json_object();
	set(o, "id", view_text(f->follow->id));
	set(o, "same", view_text(commit_same_name(f->same)));
	return o;
}

json_t *view_commit(const struct commit_facts *f)
{
	const struct commit *c = f->commit;
	json_t *o = json_object();

	set(o, "schema", view_text("culprit/commit/1"));
	set(o, "id", view_text(c ? c->id : NULL));
	set(o, "asked", view_text(f->asked));
	set(o, "subject", view_text(c ? c->subject : NULL));
	set(o, "author", view_author(c));
	set(o, "author_date", view_date(c ? c->author_date : 0));
	set(o, "commit_date", view_date(c ? c->commit_date : 0));
	set(o, "patch_id", view_text(c ? c->patch_id : NULL));
	set(o, "describe", view_text(f->describe));
	set(o, "regressed", view_regressed(f));
	set(o, "items", view_items(f->items));
	set(o, "trees", view_places(f->places));
	set(o, "replaced_by", view_follow(f));
	set(o, "patches", view_patches(f->patches));
	set(o, "says", view_sayings(f->sayings));
	set(o, "said", view_others(f->others));
	set(o, "mentions", view_mentions(f->mentions));
	return o;
}
