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
	STEP_SAYS_APPLIED,
	STEP_APPLIED, /* as git shows */
	/* words that decide; those of one mail in their order in it */
	STEP_NAMED,
	STEP_RESOLVED,
	STEP_INCONCLUSIVE,
	STEP_EXPECTED,
	STEP_RETRACTED,
	STEP_DUPLICATE,
	STEP_REOPENED,
	STEP_BACKBURNER,
	STEP_UNBACKBURNER,
	/* what is only told */
	STEP_INTRODUCED,
	STEP_TITLE,
	STEP_FROM,
	STEP_LINKED,
	STEP_UNLINKED,
	STEP_UNDONE,
	STEP_REDONE,
	STEP_UNFIXED,
	STEP_UNTRACKED,
	STEP_PRIO,
	STEP_UNPRIO,
	STEP_SET,
	STEP_UNSET,
	STEP_ASSIGNED,
	STEP_UNASSIGNED,
	STEP_CC,
	STEP_UNCC,
	STEP_MUTED,
	STEP_UNMUTED,
	STEP_RERUN_NAMED,
	STEP_DISPUTED,
	STEP_SUGGESTED,
	STEP_REJECTED,
	STEP_DROPPED,
	STEP_PROMISED,
	STEP_NOT_COUNTED,
	STEP_VERSION_PROMISED,
	STEP_INTENDED,
	STEP_POKED,
	STEP_IGNORED,
	STEP_NOTE,
	/* commits */
	STEP_LANDED,
	STEP_FIXED,
	STEP_STABLE,
	STEP_REVERTED,
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
	[STEP_SAYS_APPLIED] = {"says-applied", "applied", NULL},
	[STEP_APPLIED] = {"applied", "applied", NULL},
	[STEP_NAMED] = {"fix-named", NULL, NULL},
	[STEP_RESOLVED] = {"resolved", NULL, NULL},
	[STEP_INCONCLUSIVE] = {"inconclusive", NULL, NULL},
	[STEP_EXPECTED] = {"expected", NULL, NULL},
	[STEP_RETRACTED] = {"retracted", NULL, NULL},
	[STEP_DUPLICATE] = {"duplicate", NULL, NULL},
	[STEP_REOPENED] = {"reopened", NULL, NULL},
	[STEP_BACKBURNER] = {"backburner", NULL, NULL},
	[STEP_UNBACKBURNER] = {"unbackburner", NULL, NULL},
	[STEP_INTRODUCED] = {"introduced", NULL, NULL},
	[STEP_TITLE] = {"title", NULL, NULL},
	[STEP_FROM] = {"from", NULL, NULL},
	[STEP_LINKED] = {"linked", NULL, NULL},
	[STEP_UNLINKED] = {"unlinked", NULL, NULL},
	[STEP_UNDONE] = {"undone", NULL, NULL},
	[STEP_REDONE] = {"redone", NULL, NULL},
	[STEP_UNFIXED] = {"unfixed", NULL, NULL},
	[STEP_UNTRACKED] = {"untracked", NULL, NULL},
	[STEP_PRIO] = {"prio", NULL, NULL},
	[STEP_UNPRIO] = {"unprio", NULL, NULL},
	[STEP_SET] = {"set", NULL, NULL},
	[STEP_UNSET] = {"unset", NULL, NULL},
	[STEP_ASSIGNED] = {"assigned", NULL, NULL},
	[STEP_UNASSIGNED] = {"unassigned", NULL, NULL},
	[STEP_CC] = {"cc", NULL, NULL},
	[STEP_UNCC] = {"uncc", NULL, NULL},
	[STEP_MUTED] = {"muted", NULL, NULL},
	[STEP_UNMUTED] = {"unmuted", NULL, NULL},
	[STEP_RERUN_NAMED] = {"rerun-named", NULL, NULL},
	[STEP_DISPUTED] = {"disputed", NULL, NULL},
	[STEP_SUGGESTED] = {"suggested", NULL, NULL},
	[STEP_REJECTED] = {"rejected", NULL, NULL},
	[STEP_DROPPED] = {"dropped", NULL, NULL},
	[STEP_PROMISED] = {"promised", NULL, NULL},
	[STEP_NOT_COUNTED] = {"not-counted", NULL, NULL},
	[STEP_VERSION_PROMISED] = {"version-promised", NULL, NULL},
	[STEP_INTENDED] = {"intended", NULL, NULL},
	[STEP_POKED] = {"poked", NULL, NULL},
	[STEP_IGNORED] = {"ignored", NULL, NULL},
	[STEP_NOTE] = {"note", NULL, NULL},
	[STEP_LANDED] = {"landed", NULL, NULL},
	[STEP_FIXED] = {"fixed", NULL, NULL},
	[STEP_STABLE] = {"stable-pending", NULL, NULL},
	[STEP_REVERTED] = {"reverted", NULL, NULL},
};

static guint step_of(const char *type)
{
	guint n = 0;

	while (n + 1 < STEPS && strcmp(steps[n].type, type))
		n++;
	return n;
}

/* Commands of one mail keep the order that they have in it. */
static guint rank_of(const char *type)
{
	guint step = step_of(type);

	return step > STEP_NAMED && step < STEP_LANDED ? STEP_NAMED : step;
}

/* By time; what is reported comes before what it caused; then by mail, and by
 * place in the mail. */
static int compare_notes(gconstpointer a, gconstpointer b)
{
	const struct item_note *x = a, *y = b;
	guint first = rank_of(x->type), second = rank_of(y->type);
	int order;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (first != second)
		return first < second ? -1 : 1;
	order = g_strcmp0(x->mid, y->mid);
	if (!order)
		order = strcmp(x->by, y->by);
	if (!order)
		order = (x->seq > y->seq) - (x->seq < y->seq);
	if (!order)
		order = strcmp(x->type, y->type);
	return order ? order : g_strcmp0(x->commit, y->commit);
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
	e->robot = note->robot;
	g_ptr_array_add(i->events, e);
}

static guint count_types(const GArray *notes)
{
	gboolean seen[STEPS] = {FALSE};
	guint count = 0;

	for (guint n = 0; n < notes->len; n++) {
		guint step =
			step_of(g_array_index(notes, struct item_note, n).type);

		count += !seen[step];
		seen[step] = TRUE;
	}
	return count;
}

static void fold_events(struct item *i, const GArray *notes)
{
	gboolean seen[STEPS] = {FALSE};
	guint room = ITEM_MAX_EVENTS - count_types(notes);

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
		return at < STEP_POSTED ? at : step;
	case STEP_RECOVERED:
		return at < STEP_POSTED || at >= STEP_SAYS_APPLIED ? at : step;
	default:
		return steps[step].state ? MAX(at, step) : at;
	}
}

struct standing {
	guint at;
	const char *closed;		  /* state that ends it; NULL */
	gboolean by_commit;		  /* ... since a commit repairs it */
	const struct item_note *disputed; /* who says that it is none */
};

/* Who repairs it, measures it or decides takes it for one: that settles it, as
 * another culprit does. */
static void settle(struct standing *s, guint step, const struct item_note *note)
{
	switch (step) {
	case STEP_NOT_REPRODUCED:
	case STEP_DISPUTED:
	case STEP_INTENDED:
		if (!s->disputed)
			s->disputed = note;
		break;
	case STEP_RERUN:
		if (note->again)
			s->disputed = NULL;
		break;
	case STEP_POSTED:
	case STEP_TESTED:
	case STEP_FAILED:
	case STEP_RECOVERED:
	case STEP_APPLIED:
	case STEP_NAMED:
	case STEP_RESOLVED:
	case STEP_INCONCLUSIVE:
	case STEP_EXPECTED:
	case STEP_REOPENED:
	case STEP_INTRODUCED:
		s->disputed = NULL;
		break;
	default:
		break;
	}
}

static void close_by(struct item *i, struct standing *s, const char *state,
		     gboolean by_commit)
{
	s->closed = state;
	s->by_commit = by_commit;
	i->backburner = FALSE;
}

static void take_word(struct item *i, struct standing *s, guint step,
		      const struct item_note *note)
{
	switch (step) {
	case STEP_NAMED:
		s->at = STEP_POSTED;
		s->closed = NULL;
		break;
	case STEP_RESOLVED:
	case STEP_INCONCLUSIVE:
	case STEP_EXPECTED:
		close_by(i, s, steps[step].type, FALSE);
		break;
	case STEP_RETRACTED:
		close_by(i, s, "resolved", FALSE);
		break;
	case STEP_REOPENED:
		*s = (struct standing){.at = STEP_REPORTED};
		break;
	case STEP_DROPPED:
		if (s->at == STEP_SAYS_APPLIED)
			s->at = STEP_POSTED;
		break;
	case STEP_BACKBURNER:
	case STEP_UNBACKBURNER:
		i->backburner = step == STEP_BACKBURNER;
		g_free(i->backburner_reason);
		i->backburner_reason =
			i->backburner ? g_strdup(note->text) : NULL;
		break;
	case STEP_FIXED:
	case STEP_STABLE:
		close_by(i, s, steps[step].type, TRUE);
		break;
	case STEP_REVERTED:
		if (s->by_commit || s->at == STEP_APPLIED)
			*s = (struct standing){.at = STEP_REPORTED};
		break;
	default:
		break;
	}
}

static void take_note(struct item *i, struct standing *s,
		      const struct item_note *note)
{
	guint step = step_of(note->type);

	settle(s, step, note);
	if (step >= STEP_NAMED) {
		take_word(i, s, step, note);
		return;
	}
	s->at = next_step(s->at, step);
	/* the repair is in, and does not work */
	if (step == STEP_FAILED && s->by_commit) {
		s->closed = NULL;
		s->by_commit = FALSE;
		s->at = step;
	}
}

/* Whether the culprit is known is told by the item itself: what named it may
 * have been taken back. */
static guint with_culprit(const struct item *i, guint at)
{
	return at > STEP_BISECTED		 ? at
	       : i->commit && !i->commit_unknown ? STEP_BISECTED
						 : STEP_REPORTED;
}

static void dispute(struct item *i, const struct item_note *note)
{
	i->disputed.since = MAX(note->time, 1);
	i->disputed.by = g_strdup(note->by);
	i->disputed.mid = g_strdup(note->mid);
	i->disputed.reason = g_strdup(note->text);
}

static void fold_state(struct item *i, const GArray *notes)
{
	struct standing s = {.at = STEP_REPORTED};

	for (guint n = 0; n < notes->len; n++) {
		const struct item_note *note =
			&g_array_index(notes, struct item_note, n);

		take_note(i, &s, note);
		if (!note->quiet)
			i->last_activity = MAX(i->last_activity, note->time);
	}
	if (i->duplicate_of)
		s.closed = "duplicate";
	i->state = s.closed ? s.closed : steps[with_culprit(i, s.at)].state;
	i->only_said = !s.closed && s.at == STEP_SAYS_APPLIED;
	i->open = !s.closed && i->direction != REPORT_IMPROVEMENT;
	if (i->open && s.disputed)
		dispute(i, s.disputed);
}

void item_fold(struct item *i, GArray *notes)
{
	g_array_sort(notes, compare_notes);
	drop_doubles(notes);
	fold_state(i, notes);
	fold_events(i, notes);
	fold_people(i, notes);
}
