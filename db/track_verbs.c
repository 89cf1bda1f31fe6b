/* track_verbs.c - what each command does to the item that it speaks of
 * One row a verb. A command that changes nothing says so: the same mail on
 * another list, or forwarded, is told no second time. */
#include <stdarg.h>
#include <string.h>

#include "db/track_priv.h"

void track_outcome(struct track_command *c, enum command_outcome o,
		   const char *format, ...)
{
	va_list args;

	g_free(c->text);
	c->outcome = o;
	va_start(args, format);
	c->text = g_strdup_vprintf(format, args);
	va_end(args);
}

/* ---- one function a kind of verb; TRUE: it changed something */

struct verb;
typedef gboolean verb_fn(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v);

struct verb {
	const char *name;
	verb_fn *fn;
	const char *type; /* of the note */
	enum track_right right;
	gboolean alone; /* not for the original of a duplicate, too */
};

static const char *or_none(const char *text)
{
	return text && *text ? text : NULL;
}

static gboolean say(struct tracker *t, struct tracked *i,
		    struct track_command *c, const struct verb *v)
{
	track_take(t, track_note(t, i, c, v->type, or_none(c->args), NULL));
	return TRUE;
}

/* Title and reporter: the value is the argument. */
static gboolean set_value(struct tracker *t, struct tracked *i,
			  struct track_command *c, const struct verb *v)
{
	const char *was = strcmp(v->type, "title") ? i->from : i->title;

	return (!was || strcmp(was, c->args) != 0) && say(t, i, c, v);
}

static gboolean close_it(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v)
{
	if (i->closed && !strcmp(i->closed, v->type) &&
	    !g_strcmp0(i->reason, or_none(c->args)))
		return FALSE;
	return say(t, i, c, v);
}

/* Who caused it does not decide alone that it is meant. */
static gboolean expect(struct tracker *t, struct tracked *i,
		       struct track_command *c, const struct verb *v)
{
	if (!track_is_judge_of_himself(t, c, i))
		return close_it(t, i, c, v);
	track_note(t, i, c, "disputed", or_none(c->args), NULL);
	track_outcome(c, OUTCOME_DONE,
		      "disputed: the reporter or a maintainer has to accept "
		      "it");
	return TRUE;
}

static gboolean backburn(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v)
{
	return (!i->backburner || strcmp(i->backburner, c->args) != 0) &&
	       say(t, i, c, v);
}

static gboolean unbackburn(struct tracker *t, struct tracked *i,
			   struct track_command *c, const struct verb *v)
{
	return i->backburner && say(t, i, c, v);
}

static gboolean same_fix(const struct reference *a, const struct reference *b)
{
	const char *x = a->id ? a->id : a->title ? a->title : a->text;
	const char *y = b->id ? b->id : b->title ? b->title : b->text;

	return a->kind == b->kind && !strcmp(x, y);
}

/* The same one was named before, and no other one since. */
static gboolean fix_is_named(const struct tracked *i, const struct reference *r)
{
	for (guint n = i->notes->len; n-- > 0;) {
		const struct track_note *x = i->notes->pdata[n];

		if (!track_note_holds(x))
			continue;
		if (!strcmp(x->note.type, "reopened"))
			return FALSE;
		if (!strcmp(x->note.type, "fix-named"))
			return same_fix(x->ref, r);
	}
	return FALSE;
}

static gboolean name_fix(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v)
{
	struct reference *r = reference_parse(c->args);

	if (!r) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "a commit or a patch's title was expected");
		return TRUE;
	}
	if (fix_is_named(i, r)) {
		reference_free(r);
		return FALSE;
	}
	track_take(t, track_note(t, i, c, v->type, c->args, r));
	return TRUE;
}

static gboolean unfix(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct verb *v)
{
	g_autoptr(reference_auto) r = reference_parse(c->args);
	struct track_note *away = NULL;

	for (guint n = 0; n < i->notes->len; n++) {
		struct track_note *x = i->notes->pdata[n];

		if (!track_note_holds(x) || !x->ref ||
		    strcmp(x->note.type, "fix-named") != 0 ||
		    (r && !same_fix(x->ref, r)))
			continue;
		if (!away)
			away = track_note(t, i, c, v->type, or_none(c->args),
					  NULL);
		x->away = away;
	}
	return away != NULL;
}

static gboolean link_it(struct tracker *t, struct tracked *i,
			struct track_command *c, const struct verb *v)
{
	const char *rest = c->args;
	g_autoptr(reference_auto) r = reference_next(&rest);

	if (!r || (!r->url && r->kind != REFERENCE_MAIL)) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD, "a URL was expected");
		return TRUE;
	}
	if (!strcmp(v->name, "unrelate"))
		return track_unlink(t, i, c, r);
	return track_link(t, i, c, r, or_none(rest),
			  strcmp(v->name, "relatebrief") != 0);
}

/* A mail with tables, or two commits that somebody measured. */
static gboolean rerun(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct verb *v)
{
	const char *rest = c->args;
	g_autoptr(reference_auto) r = reference_next(&rest);
	g_autoptr(reference_auto) other = reference_next(&rest);
	gboolean pair = r && other && r->kind == REFERENCE_COMMIT &&
			other->kind == REFERENCE_COMMIT;

	if (pair)
		return say(t, i, c, v);
	if (r && (r->url || r->kind == REFERENCE_MAIL))
		return track_link(t, i, c, r, NULL, TRUE);
	track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
		      "the link to a mail, or two commits were expected");
	return TRUE;
}

static gboolean untrack(struct tracker *t, struct tracked *i,
			struct track_command *c, const struct verb *v)
{
	if (!i->robot)
		return say(t, i, c, v);
	track_outcome(c, OUTCOME_REFUSED,
		      "a robot's report; resolve it instead");
	return TRUE;
}

static gboolean undup(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct verb *v)
{
	return i->duplicate_of && say(t, i, c, v);
}

#define OF_ITEM(name, fn)                                                   \
	static gboolean name(struct tracker *t, struct tracked *i,          \
			     struct track_command *c, const struct verb *v) \
	{                                                                   \
		(void)v;                                                    \
		return fn(t, i, c);                                         \
	}
OF_ITEM(undo, track_undo)
OF_ITEM(redo, track_redo)
OF_ITEM(prio, track_prio)
OF_ITEM(set, track_set)
OF_ITEM(unset, track_unset)
OF_ITEM(assign, track_assign)
OF_ITEM(copy, track_copy)
OF_ITEM(mute, track_mute)

static const struct verb verbs[] = {
	{"title", set_value, "title", RIGHT_WRITE, FALSE},
	{"from", set_value, "from", RIGHT_WRITE, FALSE},
	{"fix", name_fix, "fix-named", RIGHT_WRITE, FALSE},
	{"unfix", unfix, "unfixed", RIGHT_WRITE, FALSE},
	{"resolve", close_it, "resolved", RIGHT_END, FALSE},
	{"inconclusive", close_it, "inconclusive", RIGHT_END, FALSE},
	{"expected", expect, "expected", RIGHT_END, FALSE},
	{"backburn", backburn, "backburner", RIGHT_WRITE, FALSE},
	{"unbackburn", unbackburn, "unbackburner", RIGHT_WRITE, FALSE},
	{"reopen", say, "reopened", RIGHT_WRITE, TRUE},
	{"undup", undup, "reopened", RIGHT_WRITE, TRUE},
	/* what others did asks for more: track_stand.c */
	{"undo", undo, NULL, RIGHT_ANY, TRUE},
	{"redo", redo, NULL, RIGHT_ANY, TRUE},
	{"untrack", untrack, "untracked", RIGHT_END, TRUE},
	{"relate", link_it, "linked", RIGHT_WRITE, TRUE},
	{"relatebrief", link_it, "linked", RIGHT_WRITE, TRUE},
	{"unrelate", link_it, "unlinked", RIGHT_WRITE, TRUE},
	{"rerun", rerun, "rerun-named", RIGHT_WRITE, TRUE},
	{"result", rerun, "rerun-named", RIGHT_WRITE, TRUE},
	/* these are about the sender's own mail */
	{"poke", say, "poked", RIGHT_ANY, FALSE},
	{"ignore-activity", say, "ignored", RIGHT_ANY, TRUE},
	{"note", say, "note", RIGHT_WRITE, FALSE},
	{"prio", prio, NULL, RIGHT_WRITE, FALSE},
	{"set", set, NULL, RIGHT_WRITE, FALSE},
	{"unset", unset, NULL, RIGHT_WRITE, FALSE},
	{"assign", assign, NULL, RIGHT_WRITE, FALSE},
	{"cc", copy, NULL, RIGHT_WRITE, TRUE},
	/* and these about himself */
	{"uncc", copy, NULL, RIGHT_ANY, TRUE},
	{"mute", mute, NULL, RIGHT_ANY, TRUE},
	{"unmute", mute, NULL, RIGHT_ANY, TRUE},
	{NULL},
};

/* ---- which item */

static gboolean same_mail(const struct tracker *t, guint n,
			  const struct track_command *c)
{
	return ((const struct track_command *)t->commands->pdata[n])->node ==
	       c->node;
}

const struct track_command *track_use(struct tracker *t,
				      const struct track_command *c)
{
	guint n = c->at;

	if (!c->has_use)
		return NULL;
	while (n > 0 && same_mail(t, n - 1, c))
		n--;
	for (; n < t->commands->len && same_mail(t, n, c); n++) {
		const struct track_command *x = t->commands->pdata[n];

		if (x->block == c->block && !strcmp(x->verb, "use") &&
		    x->status == COMMAND_OK)
			return x;
	}
	return NULL;
}

struct track_mail *track_speaks_of(struct tracker *t,
				   const struct track_command *c)
{
	struct track_mail *own = track_mail_get(t, c->node);

	if (own && c->parent)
		return track_mail_parent(t, own);
	return own && c->root ? track_mail_root(t, own) : own;
}

/* The items that `c` is for; *one is room for a single one. */
static guint find_items(struct tracker *t, struct track_command *c,
			struct tracked **one, struct tracked ***items)
{
	const struct track_command *use = track_use(t, c);
	struct track_mail *m = track_speaks_of(t, c);
	GPtrArray *some;

	if (use && use != c) {
		const char *text = use->args;
		g_autoptr(reference_auto) r = reference_next(&text);

		*one = r ? track_item_of(t, r, track_mail_get(t, c->node), &m)
			 : NULL;
		*items = one;
		return *one ? 1 : 0;
	}
	some = m ? track_items_above(t, m) : NULL;
	*items = some ? (struct tracked **)some->pdata : NULL;
	return some ? some->len : 0;
}

static const struct verb *verb_of(const char *name)
{
	for (guint n = 0; verbs[n].name; n++)
		if (!strcmp(verbs[n].name, name))
			return &verbs[n];
	return NULL;
}

static struct tracked *original(struct tracked *i)
{
	for (guint n = 0; i->duplicate_of && n < TRACK_MAX_STEPS; n++)
		i = i->duplicate_of;
	return i;
}

static gboolean is_full(const struct tracked *i, struct track_command *c)
{
	if (i->notes->len < TRACK_MAX_NOTES)
		return FALSE;
	track_outcome(c, OUTCOME_REFUSED,
		      "more commands than are followed of one report");
	return TRUE;
}

static gboolean run(struct tracker *t, struct tracked *i,
		    struct track_command *c, const struct verb *v)
{
	return !is_full(i, c) && track_may(t, c, i, v->right) &&
	       v->fn(t, i, c, v);
}

static void apply_to(struct tracker *t, struct tracked *i,
		     struct track_command *c, const struct verb *v)
{
	struct tracked *top = v->alone ? i : original(i);
	gboolean changed = run(t, i, c, v);

	if (top != i && c->outcome != OUTCOME_REFUSED)
		changed = run(t, top, c, v) || changed;
	if (!c->text && changed)
		track_outcome(c, OUTCOME_DONE, "%s",
			      v->type ? v->type : c->verb);
	else if (!c->text)
		track_outcome(c, OUTCOME_NO_CHANGE, "it is so already");
	if (!c->item)
		c->item = i;
}

/* Of several items, what was done to one of them is told. */
static void apply_to_all(struct tracker *t, struct tracked **items, guint count,
			 struct track_command *c, const struct verb *v)
{
	for (guint n = 0; n < count && !t->error; n++) {
		g_autofree char *text = g_steal_pointer(&c->text);
		enum command_outcome was = c->outcome;

		if (items[n]->dropped && strcmp(v->name, "undo") != 0 &&
		    strcmp(v->name, "redo") != 0) {
			c->text = g_steal_pointer(&text);
			continue;
		}
		c->outcome = OUTCOME_NONE;
		apply_to(t, items[n], c, v);
		if (was != OUTCOME_DONE)
			continue;
		g_free(c->text);
		c->text = g_steal_pointer(&text);
		c->outcome = was;
	}
}

static void apply_verb(struct tracker *t, struct track_command *c,
		       const struct verb *v)
{
	struct tracked *one = NULL, **items = NULL;
	guint count = find_items(t, c, &one, &items);

	apply_to_all(t, items, count, c, v);
	if (c->text)
		return;
	if (!strcmp(v->name, "ignore-activity"))
		track_outcome(c, OUTCOME_DONE, "the mail is no activity");
	else
		track_outcome(c, OUTCOME_WAITING,
			      "no report is tracked that this mail answers");
}

/* "mute all" is said of no item. */
static gboolean is_of_all(struct track_command *c)
{
	if (strcmp(c->verb, "mute") != 0 && strcmp(c->verb, "unmute") != 0)
		return FALSE;
	if (*c->args && g_ascii_strcasecmp(c->args, "thread") != 0 &&
	    g_ascii_strcasecmp(c->args, "all") != 0)
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "thread, all or nothing was expected");
	return c->text || !g_ascii_strcasecmp(c->args, "all");
}

static void apply_known(struct tracker *t, struct track_command *c,
			const struct verb *v)
{
	if (!is_of_all(c))
		apply_verb(t, c, v);
	else if (!c->text)
		apply_to(t, t->everywhere, c, v);
	if (c->item == t->everywhere)
		c->item = NULL;
}

/* Asks, or says how the others are meant. */
static gboolean changes_nothing(const char *verb)
{
	static const char *const verbs_that_ask[] = {"status", "list",
						     "table",  "help",
						     "atomic", "use",
						     NULL};

	return g_strv_contains(verbs_that_ask, verb);
}

static gboolean is_forged(struct tracker *t, struct track_command *c)
{
	return !strcmp(c->marker, "#culprit") && !changes_nothing(c->verb) &&
	       track_is_forged(t, c);
}

static gboolean is_operators(const char *verb)
{
	return !strcmp(verb, "confirm") || !strcmp(verb, "reject") ||
	       !strcmp(verb, "hold");
}

void track_apply(struct tracker *t, struct track_command *c)
{
	const struct verb *v = verb_of(c->verb);

	if (c->status == COMMAND_INERT)
		track_outcome(c, OUTCOME_NONE, "%s",
			      c->problem ? c->problem : "not meant as one");
	else if (c->status != COMMAND_OK)
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD, "%s",
			      c->problem ? c->problem : "not understood");
	else if (strcmp(c->marker, "#regzbot") != 0 &&
		 strcmp(c->marker, "#culprit") != 0)
		track_outcome(c, OUTCOME_NONE, "for another tracker");
	else if (is_forged(t, c))
		track_outcome(c, OUTCOME_REFUSED,
			      "the signature of its sender's domain is false");
	else if (!strcmp(c->verb, "introduced"))
		track_introduced(t, c);
	else if (!strcmp(c->verb, "duplicate"))
		track_duplicate(t, c);
	else if (!strcmp(c->verb, "backmonitor"))
		track_backmonitor(t, c);
	else if (!strcmp(c->verb, "use"))
		track_outcome(c, OUTCOME_DONE,
			      "says what the lines beside it speak of");
	else if (!strcmp(c->verb, "atomic"))
		track_outcome(c, OUTCOME_DONE, "all of the mail, or nothing");
	else if (v)
		apply_known(t, c, v);
	else if (!is_operators(c->verb) || track_may(t, c, NULL, RIGHT_OPERATE))
		track_outcome(c, OUTCOME_NONE, "changes nothing");
}
