/* view_item.c - culprit/item/1: what is known of a tracked item
 * Every key of the contract is there; what is not known yet is null, and what
 * there is none of is an empty array. */
#include <math.h>
#include <string.h>

#include "bot/view.h"
#include "bot/view_priv.h"

static void set(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static json_t *view_pair(const char *name, const char *address)
{
	struct address who = {(char *)name, (char *)address};

	return view_person(&who);
}

/* The trees that everybody knows have short names. */
static const char *tree_name(const char *url)
{
	static const struct {
		const char *end, *name;
	} known[] = {
		{"torvalds/linux.git", "mainline"},
		{"next/linux-next.git", "next"},
		{"stable/linux.git", "stable"},
		{"stable/linux-stable.git", "stable"},
	};

	for (guint n = 0; url && n < G_N_ELEMENTS(known); n++)
		if (g_str_has_suffix(url, known[n].end))
			return known[n].name;
	return url;
}

static json_t *item_url(const struct item *i, const char *base_url)
{
	g_autofree char *url = NULL;
	gsize len = base_url ? strlen(base_url) : 0;

	if (!len)
		return json_null();
	url = g_strdup_printf("%s%sr/%s/", base_url,
			      base_url[len - 1] == '/' ? "" : "/", i->id);
	return view_text(url);
}

static json_t *view_waiting(const struct item_waiting *w)
{
	json_t *o;

	if (!w->role)
		return json_null();
	o = json_object();
	set(o, "role", view_text(w->role));
	set(o, "person", view_filled(w->person));
	set(o, "since", view_date(w->since));
	set(o, "reason", view_text(w->reason));
	set(o, "message_id", view_text(w->mid));
	return o;
}

static json_t *view_links(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];
		json_t *o = json_object();

		set(o, "url", view_text(l->url));
		set(o, "title", view_filled(l->title));
		set(o, "message_id", view_text(l->mid));
		set(o, "monitored", json_boolean(l->monitored));
		json_array_append_new(out, o);
	}
	return out;
}

/* What commands set: pairs of "key: value". */
static json_t *view_settings(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->settings->len; n++) {
		const char *text = i->settings->pdata[n];
		gsize len = strcspn(text, ":");
		g_autofree char *key = g_strndup(text, len);
		json_t *o = json_object();

		text += len;
		set(o, "key", view_text(key));
		set(o, "value", view_text(text + strspn(text, ": ")));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_disputed(const struct item_dispute *d)
{
	json_t *o;

	if (!d->since)
		return json_null();
	o = json_object();
	set(o, "by", view_filled(d->by));
	set(o, "since", view_date(d->since));
	set(o, "reason", view_filled(d->reason));
	set(o, "message_id", view_text(d->mid));
	return o;
}

json_t *view_item_short(const struct item *i, const char *base_url)
{
	json_t *o = json_object();

	set(o, "schema", view_text("culprit/item/1"));
	set(o, "id", view_text(i->id));
	set(o, "url", item_url(i, base_url));
	set(o, "title", view_text(i->title));
	set(o, "state", view_text(i->state));
	set(o, "open", json_boolean(i->open));
	set(o, "stalled", json_boolean(i->stalled));
	set(o, "backburner", json_boolean(i->backburner));
	set(o, "waiting_for", view_waiting(&i->waiting));
	set(o, "category",
	    i->robot ? view_text(report_category_name(i->category))
		     : json_null());
	set(o, "direction", view_text(report_direction_name(i->direction)));
	set(o, "metric", view_filled(i->metric));
	set(o, "change_percent", view_number(i->change_percent));
	set(o, "tree", view_filled(tree_name(i->tree)));
	set(o, "branch", view_filled(i->branch));
	set(o, "cycle", view_text(i->cycle));
	set(o, "subsystems", view_texts(i->subsystems));
	set(o, "subsystems_guessed", json_boolean(i->subsystems_guessed));
	set(o, "reported", view_date(i->reported));
	set(o, "last_activity", view_date(i->last_activity));
	set(o, "messages", json_integer(i->messages));
	set(o, "reporter", view_pair(i->reporter_name, i->reporter_address));
	set(o, "report_message_id", view_text(i->report_url ? NULL : i->mid));
	set(o, "report_url", view_text(i->report_url));
	set(o, "poked", view_date(i->poked));
	set(o, "backburner_reason", view_filled(i->backburner_reason));
	set(o, "state_basis",
	    strcmp(i->state, "applied")
		    ? json_null()
		    : view_text(i->only_said ? "notice" : "tree"));
	set(o, "disputed", view_disputed(&i->disputed));
	set(o, "prio", view_text(i->prio));
	set(o, "assignee", view_text(i->assignee));
	set(o, "settings", view_settings(i));
	return o;
}

const char *view_item_line(const struct item *i, const char *base_url)
{
	struct item_shown *shown = i->shown;

	if (shown->text && !g_strcmp0(shown->with, base_url))
		return shown->text;
	g_free(shown->text);
	g_free(shown->with);
	shown->text = view_line_take(view_item_short(i, base_url));
	shown->text[strlen(shown->text) - 1] = '\0';
	shown->with = g_strdup(base_url);
	return shown->text;
}

void view_items_append(GString *out, GPtrArray *items, const char *base_url)
{
	g_string_append(out, "{\"schema\":\"culprit/list/1\",\"items\":[");
	for (guint n = 0; n < items->len; n++) {
		if (n)
			g_string_append_c(out, ',');
		g_string_append(out, view_item_line(items->pdata[n], base_url));
	}
	g_string_append(out, "]}\n");
}

static json_t *view_culprit(const struct item *i)
{
	json_t *o;

	if (!i->commit || i->commit_unknown)
		return json_null();
	o = json_object();
	set(o, "id", view_text(i->commit));
	set(o, "subject", view_filled(i->commit_subject));
	set(o, "author", view_filled(i->author));
	set(o, "describe", view_text(i->describe));
	set(o, "url", view_text(i->commit_url));
	return o;
}

static json_t *view_fix_trees(const struct item_fix *fix)
{
	json_t *out = json_array();

	for (guint n = 0; fix->trees && n < fix->trees->len; n++) {
		const struct item_fix_tree *t = fix->trees->pdata[n];
		json_t *o = json_object();

		set(o, "name", view_text(t->name));
		set(o, "present",
		    t->present < 0 ? json_null() : json_boolean(t->present));
		set(o, "tag", view_text(t->tag));
		set(o, "url", view_text(t->url));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_fix(const struct item_fix *fix)
{
	json_t *o = json_object();

	set(o, "id", view_text(fix->id));
	set(o, "subject", view_filled(fix->subject));
	set(o, "patch_message_id", view_text(fix->mid));
	set(o, "patch_id", view_filled(fix->patch_id));
	set(o, "role", view_text(fix->role));
	set(o, "status", view_text(fix->status));
	set(o, "evidence", view_text(fix->evidence));
	set(o, "message_id", view_text(fix->evidence_mid));
	set(o, "trees", view_fix_trees(fix));
	set(o, "status_basis", view_text(fix->basis));
	return o;
}

json_t *view_fixes(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->fixes->len; n++)
		json_array_append_new(out, view_fix(i->fixes->pdata[n]));
	return out;
}

static json_t *view_params(const struct item *i)
{
	json_t *o = json_object();

	for (guint n = 0; n < i->parameters->len; n++) {
		const char *line = i->parameters->pdata[n];
		const char *colon = strstr(line, ":");
		g_autofree char *key = NULL;
		g_autofree char *value = NULL;

		if (!colon)
			continue;
		key = g_strstrip(g_strndup(line, (gsize)(colon - line)));
		value = g_strstrip(g_strdup(colon + 1));
		if (g_utf8_validate(key, -1, NULL))
			set(o, key, view_text(value));
	}
	return o;
}

static json_t *view_test(const struct item *i)
{
	json_t *o = json_object();

	set(o, "testcase", view_filled(i->testcase));
	set(o, "machine", view_filled(i->tbox ? i->tbox : i->machine));
	set(o, "machine_text", view_filled(i->machine));
	set(o, "params", view_params(i));
	set(o, "series_key", view_text(i->series_key));
	set(o, "strict_key", view_text(i->strict_key));
	return o;
}

static json_t *view_item_people(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];
		json_t *o = view_pair(p->name, p->address);

		set(o, "role", view_text(p->role));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_events(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];
		json_t *o = json_object();

		set(o, "seq", json_integer(n + 1));
		set(o, "time", view_date(e->time));
		set(o, "type", view_text(e->type));
		set(o, "by", view_filled(e->by));
		set(o, "message_id", view_text(e->mid));
		set(o, "commit", view_text(e->commit));
		set(o, "text", view_filled(e->text));
		json_array_append_new(out, o);
	}
	return out;
}

/* What there is more of than is listed. */
static json_t *view_cut(const struct item *i)
{
	g_autofree char *text = item_cut_text(i->cut, " ");
	g_auto(GStrv) names = text ? g_strsplit(text, " ", -1) : NULL;
	json_t *out = json_array();

	for (guint n = 0; names && names[n]; n++)
		json_array_append_new(out, json_string(names[n]));
	return out;
}

static json_t *view_reruns(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->reruns->len; n++)
		json_array_append_new(out, view_rerun(i->reruns->pdata[n]));
	return out;
}

static json_t *view_relation(const struct item_relation *r)
{
	json_t *o = json_object();

	set(o, "kind", view_text(item_relation_name(r->kind)));
	set(o, "message_id", view_text(r->mid));
	set(o, "date", view_date(r->date));
	set(o, "direction", view_text(report_direction_name(r->direction)));
	set(o, "metric", view_text(r->metric));
	set(o, "change_percent", view_number(r->change_percent));
	set(o, "commit", view_text(r->commit));
	set(o, "ratio", view_number(r->ratio));
	set(o, "tree", view_text(tree_name(r->tree)));
	set(o, "branch", view_text(r->branch));
	return o;
}

static json_t *count_or_null(guint n)
{
	return n ? json_integer(n) : json_null();
}

json_t *view_history(const struct item *i)
{
	json_t *o = json_object(), *related = json_array();

	for (guint n = 0; n < i->relations->len; n++)
		json_array_append_new(related,
				      view_relation(i->relations->pdata[n]));
	set(o, "number", count_or_null(i->series_number));
	set(o, "count", count_or_null(i->series_count));
	set(o, "retracted",
	    i->series_count ? json_integer(i->series_retracted) : json_null());
	set(o, "related", related);
	return o;
}

json_t *view_item(const struct item *i, GPtrArray *tables, const char *base_url)
{
	json_t *o = view_item_short(i, base_url);

	set(o, "culprit", view_culprit(i));
	set(o, "introduced_range",
	    view_text(i->commit_unknown ? i->commit : i->range));
	set(o, "base", view_filled(i->base));
	set(o, "fixes", view_fixes(i));
	set(o, "reruns", view_reruns(i));
	set(o, "test", view_test(i));
	set(o, "tables", view_tables(tables));
	set(o, "duplicates", view_texts(i->duplicates));
	set(o, "duplicate_of", view_text(i->duplicate_of));
	set(o, "links", view_links(i));
	set(o, "people", view_item_people(i));
	set(o, "events", view_events(i));
	set(o, "commands", view_outcomes(i->commands));
	set(o, "cut", view_cut(i));
	set(o, "history", view_history(i));
	return o;
}
