/* track_make.c - the commands that begin or join items */
#include <string.h>

#include "db/track_priv.h"

/* ---- pointers behind a command's first word */

static gboolean is_pointer(enum reference_kind k)
{
	return k == REFERENCE_MAIL || k == REFERENCE_TICKET ||
	       k == REFERENCE_ITEM || k == REFERENCE_PARENT ||
	       k == REFERENCE_ROOT;
}

static gboolean has_kind(const GPtrArray *all, enum reference_kind k)
{
	for (guint n = 0; n < all->len; n++)
		if (((const struct reference *)all->pdata[n])->kind == k)
			return TRUE;
	return FALSE;
}

static void add_kind(GPtrArray *all, enum reference_kind k, const char *text)
{
	struct reference *r;

	if (has_kind(all, k))
		return;
	r = reference_next(&text);
	if (r)
		g_ptr_array_add(all, r);
}

/* The mark of the verb first, then what stands in `text`. */
static GPtrArray *pointers(const struct track_command *c, const char *text)
{
	GPtrArray *all =
		g_ptr_array_new_with_free_func((GDestroyNotify)reference_free);
	struct reference *r;

	if (c->parent)
		add_kind(all, REFERENCE_PARENT, "^");
	if (c->root)
		add_kind(all, REFERENCE_ROOT, "/");
	for (guint n = 0; n < TRACK_MAX_POINTERS; n++) {
		r = reference_next(&text);
		if (!r)
			break;
		if (is_pointer(r->kind) && !((r->kind == REFERENCE_PARENT ||
					      r->kind == REFERENCE_ROOT) &&
					     has_kind(all, r->kind)))
			g_ptr_array_add(all, r);
		else
			reference_free(r);
	}
	return all;
}

/* ---- introduced */

/* The report that `r` names, tracked from now on; NULL: it cannot be. */
static struct tracked *track_report(struct tracker *t, struct track_command *c,
				    const struct reference *r,
				    struct track_mail *m)
{
	struct track_mail *own = track_mail_get(t, c->node);
	struct tracked *i;

	if (m)
		return track_add(t, m->mid, NULL, m);
	if (r && r->kind == REFERENCE_TICKET) {
		i = track_add(t, r->url, r->id, NULL);
		/* answers to the mail that filed it speak of it, too */
		if (own && !track_items_above(t, own))
			track_add_head(t, own->node, i);
		i->date = c->date;
		return i;
	}
	if (r && r->kind == REFERENCE_MAIL)
		return track_add(t, r->id, NULL, NULL);
	return NULL;
}

/* The subject without marks of answers; NULL. *forward: it has one of those
 * that are sent on. */
static char *subject_base(const struct track_mail *m, gboolean *forward)
{
	g_autoptr(subject_auto) s =
		m && m->subject ? subject_parse(m->subject, NULL) : NULL;

	*forward = s && s->forward;
	return s ? g_strdup(s->base) : NULL;
}

/* For forwards of its report that say the same. */
static void remember_subject(struct tracker *t, struct tracked *i)
{
	gboolean forward;
	char *base =
		i->node ? subject_base(track_mail_get(t, i->node), &forward)
			: NULL;
	GPtrArray *some = base ? g_hash_table_lookup(t->subjects, base) : NULL;

	if (base && !some) {
		some = g_ptr_array_new();
		g_hash_table_insert(t->subjects, base, some);
	} else {
		g_free(base);
	}
	if (some && some->len < TRACK_MAX_HEADS &&
	    !g_ptr_array_find(some, i, NULL))
		g_ptr_array_add(some, i);
}

static void take_introduced(struct tracker *t, struct tracked *i,
			    struct track_command *c, struct reference *ref)
{
	const char *text = ref->id ? ref->id : ref->text;

	if (!i->dropped &&
	    ((i->ref && !strcmp(i->ref, text)) ||
	     (!i->ref && i->commit && ref->kind == REFERENCE_COMMIT &&
	      g_str_has_prefix(i->commit, ref->id)))) {
		track_outcome(c, OUTCOME_NO_CHANGE, "it is %s already", text);
		reference_free(ref);
		return;
	}
	track_outcome(c, OUTCOME_DONE, "introduced in %s", text);
	track_take(t, track_note(t, i, c, "introduced", text, ref));
	remember_subject(t, i);
}

static struct tracked *copy_of_forward(struct tracker *t,
				       const struct track_command *c,
				       const char *ref)
{
	gboolean forward;
	g_autofree char *base =
		subject_base(track_mail_get(t, c->node), &forward);
	const GPtrArray *some =
		forward ? g_hash_table_lookup(t->subjects, base) : NULL;

	for (guint n = 0; some && n < some->len; n++) {
		struct tracked *i = some->pdata[n];

		if (i->ref && !strcmp(i->ref, ref))
			return i;
	}
	return NULL;
}

/* `use` of its block names the report as a pointer does. */
static GPtrArray *report_pointers(struct tracker *t, struct track_command *c,
				  const char *rest)
{
	const struct track_command *use = track_use(t, c);
	g_autoptr(GPtrArray) more = NULL;
	GPtrArray *all;

	if (!use)
		return pointers(c, rest);
	all = pointers(use, use->args);
	more = pointers(c, rest);
	g_ptr_array_extend_and_steal(all, g_steal_pointer(&more));
	return all;
}

/* Do the settings want items of such commands? */
static gboolean is_wanted(const struct tracker *t,
			  const struct track_command *c)
{
	guint bit = strcmp(c->marker, "#culprit") ? ITEMS_BY_REGZBOT
						  : ITEMS_BY_CULPRIT;

	return (items_tracked(t->st) & bit) != 0;
}

static struct tracked *find_or_track(struct tracker *t, struct track_command *c,
				     const struct reference *pointer)
{
	struct track_mail *own = track_mail_get(t, c->node), *m = own;
	struct tracked *i = NULL;

	if (pointer) {
		i = track_item_of(t, pointer, own, &m);
	} else if (own) {
		GPtrArray *some = track_items_above(t, own);

		i = some ? some->pdata[0] : NULL;
	}
	return i || t->error || !is_wanted(t, c)
		       ? i
		       : track_report(t, c, pointer, m);
}

static void more_are_duplicates(struct tracker *t, struct tracked *i,
				struct track_command *c, GPtrArray *all);

void track_introduced(struct tracker *t, struct track_command *c)
{
	const char *rest = c->args;
	g_autoptr(reference_auto) ref = reference_next(&rest);
	g_autoptr(GPtrArray) all = report_pointers(t, c, rest);
	struct tracked *i;

	if (!ref) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "a commit, tag or range was expected");
		return;
	}
	i = all->len ? NULL
		     : copy_of_forward(t, c, ref->id ? ref->id : ref->text);
	if (!i)
		i = find_or_track(t, c, all->len ? all->pdata[0] : NULL);
	if (t->error)
		return;
	if (!i && !is_wanted(t, c)) {
		track_outcome(c, OUTCOME_REFUSED,
			      "the settings want no items by %s", c->marker);
		return;
	}
	if (!i) {
		track_outcome(c, OUTCOME_WAITING,
			      "the report that it speaks of is not known");
		return;
	}
	c->item = i;
	/* what is not tracked anybody may bring in */
	if ((i->ref || i->robot) && !track_may(t, c, i, RIGHT_WRITE))
		return;
	take_introduced(t, i, c, g_steal_pointer(&ref));
	more_are_duplicates(t, i, c, all);
}

/* ---- duplicate */

static void join(struct tracker *t, struct tracked *i, struct tracked *to,
		 struct track_command *c)
{
	struct track_note *n;

	if (i == to) {
		track_outcome(c, OUTCOME_REFUSED,
			      "nothing is a duplicate of itself");
	} else if (i->duplicate_of == to) {
		track_outcome(c, OUTCOME_NO_CHANGE,
			      "it is a duplicate of that already");
	} else if (track_leads_to(to, i)) {
		track_outcome(c, OUTCOME_REFUSED,
			      "that is a duplicate of this one: it would be a "
			      "circle");
	} else if (track_may(t, c, i, RIGHT_END)) {
		n = track_note(t, i, c, "duplicate", to->key, NULL);
		n->other = to;
		track_take(t, n);
		track_outcome(c, OUTCOME_DONE, "a duplicate of %s", to->key);
	}
}

/* The other one is tracked, too, as introduced by the same. */
static struct tracked *other_of(struct tracker *t, struct tracked *i,
				struct track_command *c,
				const struct reference *r)
{
	struct track_mail *own = track_mail_get(t, c->node), *m = NULL;
	struct tracked *to = track_item_of(t, r, own, &m);

	if (to || t->error)
		return to;
	if (!m && r->kind == REFERENCE_MAIL && !strcmp(c->marker, "#culprit"))
		return NULL; /* who makes a slip wants to know */
	to = track_report(t, c, r, m);
	if (to && i && i->ref) {
		track_take(t, track_note(t, to, c, "introduced", i->ref,
					 reference_parse(i->ref)));
		remember_subject(t, to);
	} else if (to) {
		to->bare = TRUE;
	}
	return to;
}

static void join_to(struct tracker *t, struct tracked *i,
		    struct track_command *c, const struct reference *r)
{
	struct tracked *to = other_of(t, i, c, r);

	if (to)
		join(t, i, to, c);
	else
		track_outcome(c, OUTCOME_WAITING, "%s is not known", r->text);
}

static void more_are_duplicates(struct tracker *t, struct tracked *i,
				struct track_command *c, GPtrArray *all)
{
	g_autofree char *text = NULL;
	enum command_outcome o = c->outcome;

	if (all->len < 2)
		return;
	text = g_strdup(c->text);
	for (guint n = 1; n < all->len && !t->error; n++)
		join_to(t, i, c, all->pdata[n]);
	if (o == OUTCOME_DONE && c->outcome == OUTCOME_DONE)
		track_outcome(c, o,
			      "%s, and what is named behind it is the "
			      "same",
			      text);
}

void track_duplicate(struct tracker *t, struct track_command *c)
{
	struct track_mail *m = track_speaks_of(t, c);
	GPtrArray *items = m ? track_items_above(t, m) : NULL;
	struct tracked *i = items ? items->pdata[0] : NULL, *to;
	g_autoptr(GPtrArray) all = pointers(c, c->args);
	struct track_note *note;

	/* the mark of the verb says whose duplicate is meant */
	while (all->len && (c->parent || c->root) &&
	       ((struct reference *)all->pdata[0])->kind != REFERENCE_MAIL)
		g_ptr_array_remove_index(all, 0);
	if (!all->len) {
		track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
			      "the link to another report was expected");
		return;
	}
	if (i) {
		c->item = i;
		for (guint n = 0; n < all->len && !t->error; n++)
			join_to(t, i, c, all->pdata[n]);
		return;
	}
	/* nothing is tracked here: the thread belongs to the other one */
	to = track_item_of(t, all->pdata[0], m, &(struct track_mail *){NULL});
	if (!to || !m) {
		track_outcome(c, OUTCOME_WAITING,
			      "neither this thread nor %s is tracked",
			      ((struct reference *)all->pdata[0])->text);
		return;
	}
	c->item = to;
	if (!track_may(t, c, to, RIGHT_WRITE))
		return;
	note = track_note(t, to, c, "linked", m->mid, NULL);
	note->head = m->node;
	track_take(t, note);
	track_outcome(c, OUTCOME_DONE, "the thread belongs to that report");
}

/* The thread of the mail above belongs to the report that the URL names. */
void track_backmonitor(struct tracker *t, struct track_command *c)
{
	struct track_mail *own = track_mail_get(t, c->node), *m, *there;
	const char *text = c->args;
	g_autoptr(reference_auto) r = reference_next(&text);
	struct tracked *i = r ? track_item_of(t, r, own, &there) : NULL;

	m = own ? track_mail_parent(t, own) : NULL;
	if (!i || !m) {
		track_outcome(c, OUTCOME_WAITING, "%s is not tracked",
			      r ? r->text : "the report");
		return;
	}
	c->item = i;
	if (!track_may(t, c, i, RIGHT_WRITE))
		return;
	if (track_link(t, i, c,
		       &(struct reference){.kind = REFERENCE_MAIL,
					   .id = m->mid,
					   .text = m->mid},
		       NULL, TRUE))
		track_outcome(c, OUTCOME_DONE, "watches the thread of <%s>",
			      m->mid);
	else
		track_outcome(c, OUTCOME_NO_CHANGE,
			      "it watches that thread already");
}
