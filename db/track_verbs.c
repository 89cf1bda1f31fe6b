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

struct track_note *track_note(struct tracker *t, struct tracked *i,
			      struct track_command *c, const char *type,
			      const char *text, struct reference *ref)
{
	struct track_note *n = g_new0(struct track_note, 1);

	n->note.type = type;
	n->note.time = c->date;
	n->note.by = c->by;
	n->note.name = c->name;
	n->note.address = c->address;
	n->note.mid = c->mid;
	n->note.text = item_ref(text);
	n->note.seq = (int)c->seq;
	n->note.quiet = c->quiet;
	n->note.ref = ref;
	n->ref = ref;
	if (n->note.text)
		g_ptr_array_add(t->strings, n->note.text);
	if (ref && ref->kind == REFERENCE_COMMIT) {
		n->note.commit = item_ref(ref->id);
		g_ptr_array_add(t->strings, n->note.commit);
	}
	g_ptr_array_add(i->notes, n);
	return n;
}

/* ---- one function a kind of verb; TRUE: it changed something */

struct verb;
typedef gboolean verb_fn(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v);

struct verb {
	const char *name;
	verb_fn *fn;
	const char *type; /* of the note */
	gboolean alone;	  /* not for the original of a duplicate, too */
};

static const char *or_none(const char *text)
{
	return text && *text ? text : NULL;
}

/* Title and reporter: the value is the argument. */
static gboolean set_value(struct tracker *t, struct tracked *i,
			  struct track_command *c, const struct verb *v)
{
	const char **was = strcmp(v->type, "title") ? &i->from : &i->title;

	if (*was && !strcmp(*was, c->args))
		return FALSE;
	*was = c->args;
	track_note(t, i, c, v->type, c->args, NULL);
	return TRUE;
}

static gboolean close_it(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v)
{
	if (i->closed && !strcmp(i->closed, v->type) &&
	    !g_strcmp0(i->reason, or_none(c->args)))
		return FALSE;
	i->closed = v->type;
	i->reason = or_none(c->args);
	i->backburner = NULL;
	track_note(t, i, c, v->type, i->reason, NULL);
	return TRUE;
}

static gboolean reopen(struct tracker *t, struct tracked *i,
		       struct track_command *c, const struct verb *v)
{
	struct track_note *n =
		track_note(t, i, c, v->type, or_none(c->args), NULL);

	i->closed = i->reason = NULL;
	n->other = i->duplicate_of;
	i->duplicate_of = NULL;
	return TRUE;
}

static gboolean backburn(struct tracker *t, struct tracked *i,
			 struct track_command *c, const struct verb *v)
{
	if (i->backburner && !strcmp(i->backburner, c->args))
		return FALSE;
	i->backburner = c->args;
	track_note(t, i, c, v->type, or_none(c->args), NULL);
	return TRUE;
}

static gboolean unbackburn(struct tracker *t, struct tracked *i,
			   struct track_command *c, const struct verb *v)
{
	if (!i->backburner)
		return FALSE;
	i->backburner = NULL;
	track_note(t, i, c, v->type, or_none(c->args), NULL);
	return TRUE;
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

		if (x->undone)
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
	track_note(t, i, c, v->type, c->args, r);
	if (r->kind == REFERENCE_TITLE)
		track_watch_title(t, i, r->title ? r->title : r->text);
	if (i->closed)
		i->closed = i->reason = NULL;
	return TRUE;
}

/* Told, without effect on the state. */
static gboolean tell(struct tracker *t, struct tracked *i,
		     struct track_command *c, const struct verb *v)
{
	track_note(t, i, c, v->type, or_none(c->args), NULL);
	return TRUE;
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
	if (!strcmp(v->name, "unrelate")) {
		if (!track_unlink(t, i, r)) {
			track_outcome(c, OUTCOME_REFUSED,
				      "%s is not linked here", r->text);
			return TRUE;
		}
		track_note(t, i, c, v->type, r->text, NULL);
		return TRUE;
	}
	return track_link(t, i, c, r, or_none(rest),
			  strcmp(v->name, "relatebrief") != 0);
}

/* ---- undo */

static void take_back(struct tracker *t, struct tracked *i,
		      struct track_note *n)
{
	n->undone = TRUE;
	if (!strcmp(n->note.type, "duplicate") ||
	    !strcmp(n->note.type, "reopened"))
		i->duplicate_of = n->other;
	if (n->link) {
		g_autoptr(reference_auto) r = reference_parse(n->link);

		if (r)
			track_unlink(t, i, r);
	}
}

/* What the notes that are left make of the values that are compared. */
static void stand_again(struct tracked *i)
{
	i->title = i->from = i->closed = i->reason = i->backburner = NULL;
	i->ref = NULL;
	for (guint k = 0; k < i->notes->len; k++) {
		const struct track_note *n = i->notes->pdata[k];
		const char *type = n->note.type;

		if (n->undone)
			continue;
		if (!strcmp(type, "title"))
			i->title = n->note.text;
		else if (!strcmp(type, "from"))
			i->from = n->note.text;
		else if (!strcmp(type, "introduced"))
			i->ref = n->note.text;
		else if (!strcmp(type, "backburner"))
			i->backburner = n->note.text ? n->note.text : "";
		else if (!strcmp(type, "unbackburner"))
			i->backburner = NULL;
		else if (!strcmp(type, "reopened"))
			i->closed = NULL;
		else if (!strcmp(type, "resolved") ||
			 !strcmp(type, "inconclusive") ||
			 !strcmp(type, "expected"))
			i->closed = type;
	}
	i->dropped = !i->robot && !i->ref;
}

static gboolean is_told_only(const char *type)
{
	return !strcmp(type, "note") || !strcmp(type, "poked") ||
	       !strcmp(type, "ignored");
}

static gboolean undo(struct tracker *t, struct tracked *i,
		     struct track_command *c, const struct verb *v)
{
	guint64 count = g_ascii_strtoull(c->args, NULL, 10);
	guint done = 0;

	(void)v;
	for (guint k = i->notes->len; k-- > 0 && done < MAX(count, 1);) {
		struct track_note *n = i->notes->pdata[k];

		if (n->undone || is_told_only(n->note.type))
			continue;
		take_back(t, i, n);
		done++;
	}
	if (!done)
		return FALSE;
	stand_again(i);
	return TRUE;
}

static gboolean untrack(struct tracker *t, struct tracked *i,
			struct track_command *c, const struct verb *v)
{
	if (i->robot) {
		track_outcome(c, OUTCOME_REFUSED,
			      "a robot's report; resolve it instead");
		return TRUE;
	}
	i->dropped = TRUE;
	track_note(t, i, c, v->type, or_none(c->args), NULL);
	return TRUE;
}

static gboolean undup(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct verb *v)
{
	return i->duplicate_of && reopen(t, i, c, v);
}

static gboolean unfix(struct tracker *t, struct tracked *i,
		      struct track_command *c, const struct verb *v)
{
	g_autoptr(reference_auto) r = reference_parse(c->args);
	gboolean any = FALSE;

	(void)t;
	(void)v;
	for (guint n = 0; n < i->notes->len; n++) {
		struct track_note *x = i->notes->pdata[n];

		if (x->undone || strcmp(x->note.type, "fix-named") != 0 ||
		    (r && !same_fix(x->ref, r)))
			continue;
		x->undone = TRUE;
		any = TRUE;
	}
	return any;
}

static const struct verb verbs[] = {
	{"title", set_value, "title", FALSE},
	{"from", set_value, "from", FALSE},
	{"fix", name_fix, "fix-named", FALSE},
	{"unfix", unfix, "fix-named", FALSE},
	{"resolve", close_it, "resolved", FALSE},
	{"inconclusive", close_it, "inconclusive", FALSE},
	{"expected", close_it, "expected", FALSE},
	{"improvement", close_it, "expected", FALSE},
	{"backburn", backburn, "backburner", FALSE},
	{"unbackburn", unbackburn, "unbackburner", FALSE},
	{"reopen", reopen, "reopened", TRUE},
	{"undup", undup, "reopened", TRUE},
	{"undo", undo, "undone", TRUE},
	{"untrack", untrack, "untracked", TRUE},
	{"relate", link_it, "linked", TRUE},
	{"relatebrief", link_it, "linked", TRUE},
	{"unrelate", link_it, "unlinked", TRUE},
	{"poke", tell, "poked", FALSE},
	{"ignore-activity", tell, "ignored", TRUE},
	{"note", tell, "note", FALSE},
	{"prio", tell, "note", FALSE},
	{"set", tell, "note", FALSE},
	{"assign", tell, "note", FALSE},
	{"rerun", link_it, "linked", TRUE},
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

static void apply_to(struct tracker *t, struct tracked *i,
		     struct track_command *c, const struct verb *v)
{
	struct tracked *top = v->alone ? i : original(i);
	gboolean changed = v->fn(t, i, c, v);

	if (top != i)
		changed = v->fn(t, top, c, v) || changed;
	if (!c->text && changed)
		track_outcome(c, OUTCOME_DONE, "%s", v->type);
	if (!c->item)
		c->item = i;
}

static void apply_verb(struct tracker *t, struct track_command *c,
		       const struct verb *v)
{
	struct tracked *one = NULL, **items = NULL;
	guint count = find_items(t, c, &one, &items), live = 0;

	for (guint n = 0; n < count && !t->error; n++) {
		if (items[n]->dropped && strcmp(v->name, "undo") != 0)
			continue;
		live++;
		apply_to(t, items[n], c, v);
	}
	if (!live && !strcmp(v->name, "ignore-activity"))
		track_outcome(c, OUTCOME_DONE, "the mail is no activity");
	else if (!live)
		track_outcome(c, OUTCOME_WAITING,
			      "no report is tracked that this mail answers");
	else if (!c->text)
		track_outcome(c, OUTCOME_NO_CHANGE, "it is so already");
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
	else if (!strcmp(c->verb, "introduced"))
		track_introduced(t, c);
	else if (!strcmp(c->verb, "duplicate"))
		track_duplicate(t, c);
	else if (!strcmp(c->verb, "backmonitor"))
		track_backmonitor(t, c);
	else if (!strcmp(c->verb, "use"))
		track_outcome(c, OUTCOME_DONE,
			      "says what the lines beside it speak of");
	else if (v)
		apply_verb(t, c, v);
	else
		track_outcome(c, OUTCOME_NONE, "changes nothing");
}
