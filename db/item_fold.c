/* item_fold.c - what mails say to the state of an item
 * A pure fold: equal notes give an equal item, in whatever order they were
 * found. Knows no SQL. */
#include <string.h>

#include "db/items_priv.h"

/* In the order in which one causes the next, also within one mail. */
enum {
	STEP_REPORTED,
	STEP_BISECTED,
	STEP_POSTED,
	STEP_REVIEWED,
	STEP_RERUN,
	STEP_NOT_REPRODUCED,
	STEP_TESTED,
	STEP_FAILED,
	STEP_RECOVERED,
	STEPS
};

static const struct step {
	const char *type, *state, *role;
} steps[STEPS] = {
	[STEP_REPORTED] = {"reported", "reported", "reporter"},
	[STEP_BISECTED] = {"bisected", "bisected", NULL},
	[STEP_POSTED] = {"fix-posted", "fix-posted", "fix-author"},
	[STEP_REVIEWED] = {"reviewed", NULL, "reviewer"},
	[STEP_RERUN] = {"rerun", NULL, NULL},
	[STEP_NOT_REPRODUCED] = {"not-reproduced", NULL, NULL},
	[STEP_TESTED] = {"tested", "fix-tested", "tester"},
	[STEP_FAILED] = {"rerun-failed", "rerun-failed", NULL},
	[STEP_RECOVERED] = {"rerun-recovered", "fix-tested", NULL},
};

static guint step_of(const char *type)
{
	guint n = 0;

	while (n + 1 < STEPS && strcmp(steps[n].type, type))
		n++;
	return n;
}

/* By time; what is reported comes before what it caused; then by mail, and by
 * place in the mail. */
static int compare_notes(gconstpointer a, gconstpointer b)
{
	const struct item_note *x = a, *y = b;
	int order;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->type != y->type && strcmp(x->type, y->type))
		return step_of(x->type) < step_of(y->type) ? -1 : 1;
	order = strcmp(x->mid, y->mid);
	if (!order)
		order = strcmp(x->by, y->by);
	return order ? order : (x->seq > y->seq) - (x->seq < y->seq);
}

/* A tag for a series is one event, however many of its patches count. */
static void drop_doubles(GArray *notes)
{
	struct item_note *all = (struct item_note *)notes->data;
	guint kept = 0;

	for (guint n = 0; n < notes->len; n++)
		if (!kept || compare_notes(&all[kept - 1], &all[n]))
			all[kept++] = all[n];
	g_array_set_size(notes, kept);
}

/* ---- events */

static void add_event(struct item *i, const struct item_note *note)
{
	struct item_event *e = g_new0(struct item_event, 1);

	e->type = note->type;
	e->time = note->time;
	e->by = item_ref_again(note->by);
	e->mid = item_ref_again(note->mid);
	e->commit = item_ref_again(note->commit);
	e->text = item_ref_again(note->text);
	g_ptr_array_add(i->events, e);
}

static void fold_events(struct item *i, const GArray *notes)
{
	gboolean seen[STEPS] = {FALSE};
	guint room = ITEM_MAX_EVENTS - STEPS;

	for (guint n = 0; n < notes->len; n++) {
		const struct item_note *note =
			&g_array_index(notes, struct item_note, n);
		guint step = step_of(note->type);

		if (seen[step] && !room) {
			i->cut |= ITEM_CUT_EVENTS;
			continue;
		}
		if (seen[step])
			room--;
		seen[step] = TRUE;
		add_event(i, note);
	}
}

/* ---- people */

static void add_person(struct item *i, const struct item_note *note,
		       const char *role, GHashTable *seen)
{
	g_autofree char *lower = g_ascii_strdown(note->address, -1);
	char *key = g_strconcat(role, " ", lower, NULL);
	struct item_person *p;

	if (g_hash_table_contains(seen, key)) {
		g_free(key);
		return;
	}
	g_hash_table_add(seen, key);
	if (i->people->len >= ITEM_MAX_PEOPLE) {
		i->cut |= ITEM_CUT_PEOPLE;
		return;
	}
	p = g_new0(struct item_person, 1);
	p->name = item_ref_again(note->name);
	p->address = item_ref_again(note->address);
	p->role = role;
	g_ptr_array_add(i->people, p);
}

static int compare_people(gconstpointer a, gconstpointer b)
{
	const struct item_person *x = *(struct item_person *const *)a;
	const struct item_person *y = *(struct item_person *const *)b;

	return strcmp(x->role, y->role) ? strcmp(x->role, y->role)
					: strcmp(x->address, y->address);
}

static void fold_people(struct item *i, const GArray *notes)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint n = 0; n < notes->len && !(i->cut & ITEM_CUT_PEOPLE); n++) {
		const struct item_note *note =
			&g_array_index(notes, struct item_note, n);
		const char *role = steps[step_of(note->type)].role;

		if (role && note->address)
			add_person(i, note, role, seen);
	}
	g_ptr_array_sort(i->people, compare_people);
}

/* ---- state */

/* Where a step leads to from `at`. Words never outrank numbers: a patch whose
 * rerun failed is not good because somebody says so; its next version begins
 * anew. What was measured before there is a fix says nothing of one. */
static guint next_step(guint at, guint step)
{
	switch (step) {
	case STEP_POSTED:
		return at < STEP_POSTED || at == STEP_FAILED ? step : at;
	case STEP_TESTED:
		return at == STEP_FAILED ? at : MAX(at, step);
	case STEP_FAILED:
	case STEP_RECOVERED:
		return at < STEP_POSTED ? at : step;
	default:
		return steps[step].state ? MAX(at, step) : at;
	}
}

static void fold_state(struct item *i, const GArray *notes)
{
	guint at = 0;

	for (guint n = 0; n < notes->len; n++) {
		const struct item_note *note =
			&g_array_index(notes, struct item_note, n);

		at = next_step(at, step_of(note->type));
		i->last_activity = MAX(i->last_activity, note->time);
	}
	i->state = steps[at].state;
	/* none of the states that mail alone leads to ends an item */
	i->open = i->direction != REPORT_IMPROVEMENT;
}

void item_fold(struct item *i, GArray *notes)
{
	g_array_sort(notes, compare_notes);
	drop_doubles(notes);
	fold_state(i, notes);
	fold_events(i, notes);
	fold_people(i, notes);
}
