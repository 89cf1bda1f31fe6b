/* item.c - items as values: made, freed, described */
#include <math.h>

#include "db/items_priv.h"

static void event_free(struct item_event *e)
{
	item_ref_drop(e->by);
	item_ref_drop(e->mid);
	item_ref_drop(e->commit);
	item_ref_drop(e->text);
	g_free(e);
}

static void person_free(struct item_person *p)
{
	item_ref_drop(p->name);
	item_ref_drop(p->address);
	g_free(p);
}

void item_fix_tree_free(struct item_fix_tree *t)
{
	if (!t)
		return;
	g_free(t->name);
	g_free(t->tag);
	g_free(t->url);
	g_free(t);
}

void item_fix_free(struct item_fix *fix)
{
	if (!fix)
		return;
	item_ref_drop(fix->id);
	item_ref_drop(fix->mid);
	item_ref_drop(fix->subject);
	item_ref_drop(fix->patch_id);
	item_ref_drop(fix->author_name);
	item_ref_drop(fix->author_address);
	item_ref_drop(fix->evidence_mid);
	g_clear_pointer(&fix->trees, g_ptr_array_unref);
	g_free(fix);
}

struct item *item_new(void)
{
	struct item *i = g_new0(struct item, 1);

	i->refs = 1;
	i->shown = g_new0(struct item_shown, 1);
	i->change_percent = NAN;
	i->parameters = g_ptr_array_new_with_free_func(g_free);
	i->tags_offered = g_ptr_array_new_with_free_func(g_free);
	i->fixes =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_fix_free);
	i->events = g_ptr_array_new_with_free_func((GDestroyNotify)event_free);
	i->people = g_ptr_array_new_with_free_func((GDestroyNotify)person_free);
	i->reruns = g_ptr_array_new_with_free_func((GDestroyNotify)rerun_free);
	i->duplicates = g_ptr_array_new_with_free_func(g_free);
	i->links =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_link_free);
	i->commands = g_ptr_array_new_with_free_func(
		(GDestroyNotify)command_record_free);
	i->settings = g_ptr_array_new_with_free_func(g_free);
	i->subsystems = g_ptr_array_new_with_free_func(g_free);
	i->lists = g_ptr_array_new_with_free_func(g_free);
	i->relations = g_ptr_array_new_with_free_func(
		(GDestroyNotify)item_relation_free);
	return i;
}

struct item *item_ref_item(struct item *i)
{
	i->refs++;
	return i;
}

void item_free(struct item *i)
{
	if (!i || --i->refs)
		return;
	g_free(i->shown->text);
	g_free(i->shown->with);
	g_free(i->shown);
	g_ptr_array_unref(i->parameters);
	g_ptr_array_unref(i->tags_offered);
	g_ptr_array_unref(i->fixes);
	g_ptr_array_unref(i->events);
	g_ptr_array_unref(i->people);
	g_ptr_array_unref(i->reruns);
	g_ptr_array_unref(i->relations);
	g_ptr_array_unref(i->duplicates);
	g_ptr_array_unref(i->links);
	g_ptr_array_unref(i->settings);
	g_ptr_array_unref(i->subsystems);
	g_ptr_array_unref(i->commands);
	g_ptr_array_unref(i->lists);
	g_free(i->report_url);
	g_free(i->range);
	g_free(i->describe);
	g_free(i->commit_url);
	g_free(i->backburner_reason);
	g_free(i->assignee);
	g_free(i->disputed.by);
	g_free(i->disputed.mid);
	g_free(i->disputed.reason);
	g_free(i->duplicate_of);
	g_free(i->maintainer);
	g_free(i->waiting.person);
	g_free(i->waiting.mid);
	g_free(i->series_key);
	g_free(i->strict_key);
	g_free(i->id);
	g_free(i->mid);
	g_free(i->thread_root);
	g_free(i->title);
	g_free(i->subject);
	g_free(i->metric);
	g_free(i->commit);
	g_free(i->commit_subject);
	g_free(i->base);
	g_free(i->tree);
	g_free(i->branch);
	g_free(i->testcase);
	g_free(i->machine);
	g_free(i->tbox);
	g_free(i->reporter_name);
	g_free(i->reporter_address);
	g_free(i->patch_mid);
	g_free(i->author);
	g_free(i);
}

/* Robots answer patches, and lists put their names in front: neither says what
 * is wrong. */
static const char *plain_title(const struct item *i, const char *found)
{
	const char *mark = strstr(i->subject, "[syzbot]");

	if (mark)
		return mark;
	return found && *found && !g_ascii_strncasecmp(i->subject, "re:", 3)
		       ? found
		       : i->subject;
}

char *item_title(const struct item *i, const char *found)
{
	GString *t = g_string_new(i->metric);
	const char *machine = i->tbox ? i->tbox : i->machine;

	if (!i->metric) {
		g_string_assign(t, plain_title(i, found));
		return g_string_free(t, FALSE);
	}
	if (!isnan(i->change_percent)) {
		char change[G_ASCII_DTOSTR_BUF_SIZE];

		g_ascii_formatd(change, sizeof(change), "%+.1f",
				i->change_percent);
		g_string_append_printf(t, " %s%%", change);
	}
	if (i->testcase || machine)
		g_string_append(t, " on ");
	if (i->testcase)
		g_string_append(t, i->testcase);
	if (i->testcase && machine)
		g_string_append_c(t, '/');
	if (machine)
		g_string_append(t, machine);
	return g_string_free(t, FALSE);
}

char *item_cut_text(guint cut, const char *separator)
{
	static const struct {
		enum item_cut bit;
		const char *name;
	} names[] = {
		{ITEM_CUT_FIXES, "fixes"},
		{ITEM_CUT_TAGS, "tags"},
		{ITEM_CUT_EVENTS, "events"},
		{ITEM_CUT_PEOPLE, "people"},
	};
	GString *out;

	if (!cut)
		return NULL;
	out = g_string_new(NULL);
	for (guint n = 0; n < G_N_ELEMENTS(names); n++)
		if (cut & names[n].bit)
			g_string_append_printf(out, "%s%s",
					       out->len ? separator : "",
					       names[n].name);
	return g_string_free(out, FALSE);
}
