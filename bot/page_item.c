/* page_item.c - the page of one tracked item: its state first, then why */
#include <string.h>

#include "db/measures.h"

#include "bot/page_priv.h"
#include "bot/rerun_text.h"
#include "bot/view.h"

#define ITEM_DEPTH 2 /* r/ID/index.html */
#define ROOT	   "../../"

static char *href_in_thread(const struct thread *t, const char *mid)
{
	g_autofree char *path = page_thread_path(t->root);
	g_autofree char *anchor = page_anchor(mid);

	return g_strconcat(ROOT, path, "#", anchor, NULL);
}

/* ---- the sentence and the way to the fix */

static const struct item_event *event_of(const struct item *i, const char *type)
{
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		if (!strcmp(e->type, type))
			return e;
	}
	return NULL;
}

/* The name in "Name <address>". */
static char *event_name(const struct item_event *e)
{
	const char *end = strstr(e->by, " <");

	return end ? g_strndup(e->by, (gsize)(end - e->by)) : g_strdup(e->by);
}

/* Is it as good as tested, whatever else became of it? */
static gboolean is_tested(const struct item_fix *fix,
			  const struct item_event *tested)
{
	return !strcmp(fix->status, "tested") ||
	       (tested && (!strcmp(fix->status, "applied") ||
			   !strcmp(fix->status, "merged")));
}

static json_t *best_fix(const struct item *i)
{
	const struct item_event *tested = event_of(i, "tested");
	g_autofree char *by = tested ? event_name(tested) : NULL;
	g_autofree char *href = NULL, *evidence = NULL;
	const struct item_fix *fix;
	json_t *o;

	if (!i->fixes->len)
		return json_null();
	fix = i->fixes->pdata[i->fixes->len - 1];
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *f = i->fixes->pdata[n];

		if (is_tested(f, tested))
			fix = f;
	}
	href = page_lore(fix->mid);
	evidence = page_lore(tested ? tested->mid : fix->evidence_mid);
	o = json_object();
	tree_set(o, "author",
		 fix->author_name || fix->author_address
			 ? tree_text(page_name(fix->author_name,
					       fix->author_address))
			 : json_null());
	tree_set(o, "href", tree_text(href));
	tree_set(o, "date", tree_time(fix->date));
	tree_set(o, "tested", json_boolean(is_tested(fix, tested)));
	tree_set(o, "by", tree_text(by));
	tree_set(o, "evidence_href", tree_text(evidence));
	tree_set(o, "status", tree_text(fix->status));
	return o;
}

static json_t *way(const struct item *i)
{
	static const struct {
		const char *type, *name;
	} steps[] = {{"reported", "Reported"},	   {"bisected", "Bisected"},
		     {"fix-posted", "Fix posted"}, {"tested", "Fix tested"},
		     {"applied", "Applied"},	   {"fixed", "Fixed"}};
	json_t *out = json_array();
	gboolean next = TRUE;

	for (guint n = 0; n < G_N_ELEMENTS(steps); n++) {
		const struct item_event *e = event_of(i, steps[n].type);
		g_autofree char *by = e ? event_name(e) : NULL;
		const char *mark = e ? "done" : next ? "next" : "later";
		json_t *o = json_object();

		next = next && e;
		tree_set(o, "name", json_string(steps[n].name));
		tree_set(o, "mark", json_string(mark));
		tree_set(o, "time", e ? tree_time(e->time) : json_null());
		tree_set(o, "text", e ? tree_text(by) : json_string("not yet"));
		json_array_append_new(out, o);
	}
	return out;
}

/* ---- facts */

static void add_fact(json_t *facts, const char *name, const char *value,
		     const char *href, gboolean code, const char *note)
{
	json_t *o;

	if (!value || !*value)
		return;
	o = json_object();
	tree_set(o, "name", tree_text(name));
	tree_set(o, "value", tree_text(value));
	tree_set(o, "href", tree_text(href));
	tree_set(o, "code", json_boolean(code));
	tree_set(o, "note", tree_text(note));
	json_array_append_new(facts, o);
}

static char *parameters(const struct item *i)
{
	GString *out = g_string_new(NULL);

	for (guint n = 0; n < i->parameters->len; n++)
		g_string_append_printf(out, "%s%s", n ? ", " : "",
				       (const char *)i->parameters->pdata[n]);
	return g_string_free(out, FALSE);
}

static json_t *facts(const struct item *i)
{
	json_t *out = json_array();
	g_autofree char *params = parameters(i);
	g_autofree char *report = page_lore(i->mid);
	g_autofree char *patch = i->patch_mid ? page_lore(i->patch_mid) : NULL;

	add_fact(out, "Culprit", i->commit, NULL, TRUE, i->commit_subject);
	add_fact(out, "Author", i->author, NULL, FALSE, NULL);
	add_fact(out, "Patch", i->patch_mid, patch, FALSE, NULL);
	add_fact(out, "Base", i->base, NULL, TRUE, NULL);
	add_fact(out, "Tree", i->tree,
		 i->tree && strstr(i->tree, "://") ? i->tree : NULL, FALSE,
		 i->branch);
	add_fact(out, "Test", i->testcase, NULL, FALSE, NULL);
	add_fact(out, "Parameters", params, NULL, FALSE, NULL);
	add_fact(out, "Machine", i->tbox ? i->tbox : i->machine, NULL, FALSE,
		 i->tbox ? i->machine : NULL);
	add_fact(out, "Reporter", i->reporter_name, NULL, FALSE,
		 i->reporter_address);
	add_fact(out, "Report", i->subject, report, FALSE, NULL);
	return out;
}

/* ---- fixes, tags, log */

static const char *why(const struct item_fix *fix)
{
	if (!strcmp(fix->evidence, "fixes"))
		return "Fixes: names the commit";
	if (!strcmp(fix->evidence, "closes"))
		return "Closes: links the report";
	if (!strcmp(fix->evidence, "link"))
		return "Link: links the report";
	if (!strcmp(fix->evidence, "command"))
		return "named by a command";
	if (!strcmp(fix->evidence, "reverts"))
		return "reverts the commit";
	if (!strcmp(fix->evidence, "prerequisite"))
		return "a fix needs it to be there before";
	return "answers the report";
}

static json_t *fixes(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->fixes->len && n < PAGE_ITEM_FIXES; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];
		gboolean tested = !strcmp(fix->status, "tested");
		g_autofree char *href = page_lore(fix->mid);
		json_t *o = json_object();

		tree_set(o, "status", tree_text(fix_status_text(fix)));
		tree_set(o, "tone", json_string(tested ? "good" : "warn"));
		tree_set(o, "href", tree_text(href));
		tree_set(o, "subject", tree_text(fix->subject));
		tree_set(o, "author",
			 tree_text(page_name(fix->author_name,
					     fix->author_address)));
		tree_set(o, "date", tree_time(fix->date));
		tree_set(o, "why", json_string(why(fix)));
		json_array_append_new(out, o);
	}
	return out;
}

static gboolean offers(const struct item *i, const char *const *keys)
{
	for (guint n = 0; n < i->tags_offered->len; n++)
		for (guint k = 0; keys[k]; k++)
			if (g_str_has_prefix(i->tags_offered->pdata[n],
					     keys[k]))
				return TRUE;
	return FALSE;
}

/* Those that the report asks for, and what leads back to it. The commit of a
 * patch that is not applied is known to the robot alone. */
static json_t *tags(const struct item *i)
{
	static const char *const people[] = {"Reported-", NULL};
	static const char *const links[] = {"Closes:", "Link:", NULL};
	json_t *out = json_array();
	g_autofree char *lore = page_lore(i->mid);
	g_autofree char *fixes =
		g_strdup_printf("Fixes: %.12s (\"%s\")",
				i->commit ? i->commit : "",
				i->commit_subject ? i->commit_subject : "");
	g_autofree char *by =
		g_strdup_printf("Reported-by: %s <%s>", i->reporter_name,
				i->reporter_address);
	g_autofree char *closes = g_strconcat("Closes: ", lore, NULL);

	if (i->commit && !i->patch_mid)
		json_array_append_new(out, tree_text(fixes));
	if (!offers(i, people))
		json_array_append_new(out, tree_text(by));
	for (guint n = 0; n < i->tags_offered->len; n++)
		json_array_append_new(out,
				      tree_text(i->tags_offered->pdata[n]));
	if (!offers(i, links))
		json_array_append_new(out, tree_text(closes));
	return out;
}

static json_t *events(const struct item *i)
{
	json_t *out = json_array();

	for (guint n = 0; n < i->events->len && n < PAGE_ITEM_EVENTS; n++) {
		const struct item_event *e = i->events->pdata[n];
		g_autofree char *lore = page_lore(e->mid);
		json_t *o = json_object();

		tree_set(o, "time", tree_time(e->time));
		tree_set(o, "type", tree_text(e->type));
		tree_set(o, "by", tree_text(e->by));
		tree_set(o, "lore", tree_text(lore));
		tree_set(o, "text",
			 tree_text(e->text && *e->text ? e->text : e->mid));
		json_array_append_new(out, o);
	}
	return out;
}

/* What a list of the page leaves to its data. */
static json_t *more(guint count, guint max)
{
	g_autofree char *text =
		count > max ? g_strdup_printf("%u more", count - max) : NULL;

	return tree_text(text);
}

/* What there is more of than an item keeps. */
static json_t *cut(const struct item *i)
{
	g_autofree char *names = item_cut_text(i->cut, ", ");

	return tree_text(names);
}

/* ---- the thread */

static gboolean add_answer(const struct site *s, const struct thread *t,
			   const struct thread_node *n, json_t *said,
			   GError **err)
{
	GError *error = NULL;
	g_autoptr(reading_auto) r = page_reading(s, n->mid, &error);
	g_autofree char *text = NULL, *href = NULL, *lore = NULL;
	gboolean cut = FALSE, patch;
	json_t *o;

	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	text = r ? page_words(r->body, PAGE_SAID_LINES, &cut) : NULL;
	if (!text || !*text)
		return TRUE;
	patch = n->kind == KIND_PATCH || n->kind == KIND_COVER;
	href = href_in_thread(t, n->mid);
	lore = page_lore(n->mid);
	o = json_object();
	tree_set(o, "from",
		 tree_text(page_name(n->from_name, n->from_address)));
	tree_set(o, "date", tree_time(n->date));
	tree_set(o, "what", patch ? tree_text(n->subject) : json_null());
	tree_set(o, "runs", page_spans(text));
	tree_set(o, "wide", json_boolean(page_is_wide(text)));
	tree_set(o, "cut", json_boolean(cut));
	tree_set(o, "href", tree_text(href));
	tree_set(o, "lore", tree_text(lore));
	json_array_append_new(said, o);
	return TRUE;
}

/* The answers to the report stand behind it, deeper than it. */
static gboolean set_said(const struct site *s, const struct item *i,
			 const struct thread *t, json_t *o, GError **err)
{
	int at = thread_index(t, i->mid);
	const struct thread_node *report = at < 0 ? NULL : t->nodes->pdata[at];
	json_t *said = json_array();
	g_autofree char *more = NULL;
	g_autofree char *path = page_thread_path(t->root);
	g_autofree char *href = g_strconcat(ROOT, path, NULL);
	guint left = 0;

	tree_set(o, "said", said);
	for (guint n = (guint)at + 1; at >= 0 && n < t->nodes->len; n++) {
		const struct thread_node *node = t->nodes->pdata[n];

		if (node->depth <= report->depth)
			break;
		if (node->ghost)
			continue;
		if (json_array_size(said) >= PAGE_SAID)
			left++;
		else if (!add_answer(s, t, node, said, err))
			return FALSE;
	}
	if (left)
		more = g_strdup_printf("%u more in the thread", left);
	tree_set(o, "has_said", json_boolean(json_array_size(said) > 0));
	tree_set(o, "said_more",
		 left ? json_pack("{s:s, s:s}", "href", href, "text", more)
		      : json_null());
	return TRUE;
}

static gboolean set_report(const struct site *s, const struct item *i,
			   const struct thread *t, json_t *o, GError **err)
{
	GError *error = NULL;
	g_autoptr(reading_auto) r = page_reading(s, i->mid, &error);
	g_autofree char *text = NULL;
	g_autofree char *href = href_in_thread(t, i->mid);
	g_autofree char *lore = page_lore(i->mid);
	gboolean cut = FALSE;

	if (error) {
		g_propagate_error(err, error);
		return FALSE;
	}
	text = r ? page_begin(r->body, PAGE_REPORT_LINES, &cut) : NULL;
	tree_set(o, "runs", page_spans(text ? text : ""));
	tree_set(o, "report_cut", json_boolean(cut));
	tree_set(o, "report_href", tree_text(href));
	tree_set(o, "report_lore", tree_text(lore));
	return TRUE;
}

static void set_thread(const struct item *i, const struct thread *t, json_t *o)
{
	g_autofree char *path = page_thread_path(t->root);
	g_autofree char *href = g_strconcat(ROOT, path, NULL);
	g_autofree char *text =
		g_strdup_printf("The whole thread, %u mail%s", t->count,
				t->count == 1 ? "" : "s");

	tree_set(o, "thread_href", tree_text(href));
	tree_set(o, "thread_text", tree_text(text));
	tree_set(o, "tree", page_overview(t, href, i->mid, PAGE_ITEM_TREE));
}

/* ---- the page */

static void set_state(const struct site *s, const struct item *i, json_t *o)
{
	g_autoptr(GPtrArray) others = page_related(s, i);
	json_t *table = item_table("", "The same commit, thread or test.",
				   others, PAGE_MAX_RELATED);

	item_set_names(o, i);
	tree_set(o, "kind", tree_text(item_kind(i)));
	tree_set(o, "open", json_boolean(i->open));
	tree_set(o, "reported", tree_time(i->reported));
	tree_set(o, "reporter",
		 tree_text(page_name(i->reporter_name, i->reporter_address)));
	tree_set(o, "wants_fix",
		 json_boolean(i->direction != REPORT_IMPROVEMENT));
	tree_set(o, "fix", best_fix(i));
	tree_set(o, "way", way(i));
	tree_set(o, "facts", facts(i));
	tree_set(o, "has_fixes", json_boolean(i->fixes->len > 0));
	tree_set(o, "fixes", fixes(i));
	tree_set(o, "fixes_more", more(i->fixes->len, PAGE_ITEM_FIXES));
	tree_set(o, "tags", tags(i));
	tree_set(o, "events", events(i));
	tree_set(o, "events_more", more(i->events->len, PAGE_ITEM_EVENTS));
	tree_set(o, "cut", cut(i));
	tree_set(o, "has_related", json_boolean(others->len > 0));
	tree_set(o, "caption", json_string("The same commit, thread or test."));
	tree_set(o, "items", json_incref(json_object_get(table, "items")));
	json_decref(table);
}

static gboolean write_data(const struct site *s, const struct item *i,
			   const struct measures *m, GError **err)
{
	g_autofree char *path = g_strdup_printf("r/%s/data.json", i->id);
	g_autofree char *text =
		view_line_take(view_item(i, m->tables, s->base_url));

	return page_dir_put(s->dir, path, text, strlen(text), err);
}

gboolean page_write_item(const struct site *s, const struct item *i,
			 const struct thread *t, GError **err)
{
	g_autofree char *path = g_strdup_printf("r/%s/index.html", i->id);
	g_autoptr(measures_auto) m = measures_load(s->st, i->mid, err);
	json_t *o;

	if (!m)
		return FALSE;
	o = page_new(s, i->title, ITEM_DEPTH);
	set_state(s, i, o);
	set_thread(i, t, o);
	page_set_reruns(i, o);
	page_set_history(i, o);
	page_set_tables(m->tables, o);
	if (!set_said(s, i, t, o, err) || !set_report(s, i, t, o, err)) {
		json_decref(o);
		return FALSE;
	}
	return page_write(s, "item.html", path, o, err) &&
	       write_data(s, i, m, err);
}
