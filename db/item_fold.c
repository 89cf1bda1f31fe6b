/* item_fold.c - events to the state of an item
 * A pure fold: equal events give an equal state, in whatever order they were
 * found. Knows no SQL. */
#include <math.h>
#include <string.h>

#include "db/items_priv.h"

/* Each event leads at least to this state; the furthest one counts. */
static const struct {
	const char *type, *state;
} steps[] = {
	{"reported", "reported"},
	{"bisected", "bisected"},
	{"fix-posted", "fix-posted"},
	{"tested", "fix-tested"},
};

static void event_free(struct item_event *e)
{
	g_free(e->by);
	g_free(e->mid);
	g_free(e->commit);
	g_free(e->text);
	g_free(e);
}

static void person_free(struct item_person *p)
{
	g_free(p->name);
	g_free(p->address);
	g_free(p);
}

void item_fix_free(struct item_fix *fix)
{
	if (!fix)
		return;
	g_free(fix->mid);
	g_free(fix->subject);
	g_free(fix->patch_id);
	g_free(fix->author_name);
	g_free(fix->author_address);
	g_free(fix->evidence_mid);
	g_free(fix);
}

struct item *item_new(void)
{
	struct item *i = g_new0(struct item, 1);

	i->change_percent = NAN;
	i->parameters = g_ptr_array_new_with_free_func(g_free);
	i->tags_offered = g_ptr_array_new_with_free_func(g_free);
	i->fixes =
		g_ptr_array_new_with_free_func((GDestroyNotify)item_fix_free);
	i->events = g_ptr_array_new_with_free_func((GDestroyNotify)event_free);
	i->people = g_ptr_array_new_with_free_func((GDestroyNotify)person_free);
	return i;
}

void item_free(struct item *i)
{
	if (!i)
		return;
	g_ptr_array_unref(i->parameters);
	g_ptr_array_unref(i->tags_offered);
	g_ptr_array_unref(i->fixes);
	g_ptr_array_unref(i->events);
	g_ptr_array_unref(i->people);
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

void item_add_event(struct item *i, const char *type, gint64 time,
		    const char *by, const char *mid, const char *commit,
		    const char *text)
{
	struct item_event *e = g_new0(struct item_event, 1);

	e->type = type;
	e->time = time;
	e->by = g_strdup(by);
	e->mid = g_strdup(mid);
	e->commit = g_strdup(commit);
	e->text = g_strdup(text);
	g_ptr_array_add(i->events, e);
}

void item_add_person(struct item *i, const char *name, const char *address,
		     const char *role)
{
	struct item_person *p;

	if (!address)
		return;
	for (guint n = 0; n < i->people->len; n++) {
		p = i->people->pdata[n];
		if (!g_ascii_strcasecmp(p->address, address) &&
		    g_str_equal(p->role, role))
			return;
	}
	p = g_new0(struct item_person, 1);
	p->name = g_strdup(name);
	p->address = g_strdup(address);
	p->role = role;
	g_ptr_array_add(i->people, p);
}

static int step_of(const char *type)
{
	for (guint n = 0; n < G_N_ELEMENTS(steps); n++)
		if (g_str_equal(steps[n].type, type))
			return (int)n;
	return -1;
}

/* By time; a report comes before what it caused; then by Message-ID. */
static int compare_events(gconstpointer a, gconstpointer b)
{
	const struct item_event *x = *(struct item_event *const *)a;
	const struct item_event *y = *(struct item_event *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (step_of(x->type) != step_of(y->type))
		return step_of(x->type) - step_of(y->type);
	if (strcmp(x->mid, y->mid))
		return strcmp(x->mid, y->mid);
	return g_strcmp0(x->by, y->by);
}

static int compare_people(gconstpointer a, gconstpointer b)
{
	const struct item_person *x = *(struct item_person *const *)a;
	const struct item_person *y = *(struct item_person *const *)b;

	return strcmp(x->role, y->role) ? strcmp(x->role, y->role)
					: strcmp(x->address, y->address);
}

void item_fold(struct item *i)
{
	int furthest = 0;

	g_ptr_array_sort(i->events, compare_events);
	g_ptr_array_sort(i->people, compare_people);
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		furthest = MAX(furthest, step_of(e->type));
		i->last_activity = MAX(i->last_activity, e->time);
	}
	i->state = steps[furthest].state;
	/* none of the states that mail alone leads to ends an item */
	i->open = i->direction != REPORT_IMPROVEMENT;
}

char *item_title(const struct item *i)
{
	GString *t = g_string_new(i->metric);
	const char *machine = i->tbox ? i->tbox : i->machine;

	if (!i->metric) {
		g_string_assign(t, i->subject);
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
