/* track_stand.c - notes to what an item is, and back
 * Each note has its effect when it is made. What was taken back is marked, and
 * the item made again of those that are left: so undo reverses every verb, and
 * an atomic mail that fails leaves nothing. */
#include <string.h>

#include "db/track_priv.h"

struct track_note *track_note(struct tracker *t, struct tracked *i,
			      struct track_command *c, const char *type,
			      const char *text, struct reference *ref)
{
	struct track_note *n = g_new0(struct track_note, 1);

	n->item = i;
	n->order = ++t->order;
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
	if (t->group)
		g_ptr_array_add(t->group, n);
	return n;
}

void track_note_free(struct track_note *n)
{
	reference_free(n->ref);
	g_clear_pointer(&n->took, g_ptr_array_unref);
	g_free(n);
}

gboolean track_note_holds(const struct track_note *n)
{
	return !n->undone && (!n->away || n->away->undone);
}

gboolean track_leads_to(const struct tracked *from, const struct tracked *to)
{
	for (guint n = 0; from && n < TRACK_MAX_STEPS; n++) {
		if (from == to)
			return TRUE;
		from = from->duplicate_of;
	}
	return from != NULL;
}

/* ---- one note */

static void take_introduced(struct tracked *i, const struct track_note *n)
{
	g_free(i->commit);
	i->commit = n->ref && n->ref->kind == REFERENCE_COMMIT
			    ? g_strdup(n->ref->id)
			    : NULL;
	i->ref = n->note.text;
	i->dropped = FALSE;
}

static void close_by(struct tracked *i, const char *type, const char *reason)
{
	i->closed = type;
	i->reason = reason;
	if (type)
		i->backburner = NULL;
}

static void take_fix(struct tracker *t, const struct track_note *n)
{
	const struct reference *r = n->ref;

	if (r->kind == REFERENCE_TITLE)
		track_watch_title(t, n->item, r->title ? r->title : r->text);
	close_by(n->item, NULL, NULL);
}

static gboolean ends(const char *type)
{
	return !strcmp(type, "resolved") || !strcmp(type, "inconclusive") ||
	       !strcmp(type, "expected");
}

void track_take(struct tracker *t, struct track_note *n)
{
	struct tracked *i = n->item;
	const char *type = n->note.type, *text = n->note.text;

	if (!strcmp(type, "title"))
		i->title = text;
	else if (!strcmp(type, "from"))
		i->from = text;
	else if (!strcmp(type, "introduced"))
		take_introduced(i, n);
	else if (!strcmp(type, "untracked"))
		i->dropped = TRUE;
	else if (ends(type))
		close_by(i, type, text);
	else if (!strcmp(type, "reopened"))
		close_by(i, NULL, NULL);
	else if (!strcmp(type, "backburner"))
		i->backburner = text ? text : "";
	else if (!strcmp(type, "unbackburner"))
		i->backburner = NULL;
	else if (!strcmp(type, "fix-named"))
		take_fix(t, n);
	else if (!strcmp(type, "linked") || !strcmp(type, "unlinked"))
		track_take_link(t, n);
	else if (strcmp(type, "duplicate") != 0)
		track_take_value(i, n);
	else if (!track_leads_to(n->other, i))
		i->duplicate_of = n->other;
	if (!strcmp(type, "reopened"))
		i->duplicate_of = NULL;
}

/* ---- all of them */

static void stand(struct tracker *t, struct tracked *i)
{
	track_drop_links(t, i);
	i->title = i->from = i->closed = i->reason = i->backburner = NULL;
	i->ref = NULL;
	i->duplicate_of = NULL;
	g_free(i->commit);
	i->commit = g_strdup(i->reported);
	i->dropped = !i->robot && !i->bare;
	g_hash_table_remove_all(i->values);
	for (guint k = 0; k < i->notes->len; k++) {
		struct track_note *n = i->notes->pdata[k];

		if (track_note_holds(n))
			track_take(t, n);
	}
}

/* What an undo or redo did to others. */
static void reverse(struct track_note *n)
{
	gboolean redone = !strcmp(n->note.type, "redone");

	for (guint k = 0; n->took && k < n->took->len; k++) {
		struct track_note *x = n->took->pdata[k];

		x->undone = redone;
		for (guint j = 0; redone && x->took && j < x->took->len; j++)
			((struct track_note *)x->took->pdata[j])->undone = TRUE;
	}
}

/* Those are let go first: what stands is no circle, whichever comes first. */
static void stand_all(struct tracker *t, GPtrArray *notes)
{
	for (guint k = 0; k < notes->len; k++)
		((struct track_note *)notes->pdata[k])->item->duplicate_of =
			NULL;
	for (guint k = 0; k < notes->len; k++)
		stand(t, ((struct track_note *)notes->pdata[k])->item);
}

void track_roll_back(struct tracker *t, GPtrArray *notes)
{
	for (guint k = notes->len; k-- > 0;) {
		struct track_note *n = notes->pdata[k];

		reverse(n);
		n->undone = TRUE;
		n->item->undos++;
	}
	stand_all(t, notes);
	for (guint k = 0; k < notes->len; k++) {
		struct track_note *n = notes->pdata[k];

		if (n->took)
			stand_all(t, n->took);
	}
}

/* ---- undo and redo */

/* Is it of that mail, or did it take back what that mail alone did? */
static gboolean is_of(const struct track_note *n, const char *mid)
{
	if (!mid || !strcmp(n->note.mid, mid))
		return TRUE;
	for (guint k = 0; n->took && k < n->took->len; k++)
		if (strcmp(((struct track_note *)n->took->pdata[k])->note.mid,
			   mid) != 0)
			return FALSE;
	return n->took != NULL;
}

static gboolean can_be_undone(const struct track_note *n)
{
	return track_note_holds(n) && strcmp(n->note.type, "undone") != 0 &&
	       strcmp(n->note.type, "redone") != 0;
}

/* The newest that `c` may mean: of its sender, else of anybody. */
static struct track_note *newest(struct tracker *t, struct tracked *i,
				 const struct track_command *c,
				 const char *type, const char *mid)
{
	struct track_note *other = NULL;

	for (guint k = i->notes->len; k-- > 0;) {
		struct track_note *n = i->notes->pdata[k];

		if (!is_of(n, mid) ||
		    (type ? n->undone || !n->took || strcmp(n->note.type, type)
			  : !can_be_undone(n)))
			continue;
		if (track_same_person(t, n->note.address, c->address))
			return n;
		if (!other)
			other = n;
	}
	return other;
}

/* What others said is taken back by those who could have said it. */
static gboolean may_reverse(struct tracker *t, struct track_command *c,
			    const struct track_note *n)
{
	gboolean end = ends(n->note.type) || !strcmp(n->note.type, "duplicate");

	return track_same_person(t, n->note.address, c->address) ||
	       track_may(t, c, n->item, end ? RIGHT_END : RIGHT_WRITE);
}

/* Who has nothing to do with it leaves the others theirs. */
static gboolean is_worn_out(struct tracker *t, struct tracked *i,
			    struct track_command *c)
{
	guint *count = track_is_known(t, c, i) ? &i->undos : &i->strange_undos;

	if ((*count)++ < TRACK_MAX_UNDO)
		return FALSE;
	track_outcome(c, OUTCOME_REFUSED,
		      "more was taken back of this report than is followed");
	return TRUE;
}

/* What is taken back: what one mail did, or so many. */
struct aim {
	char *mid; /* NULL: any */
	guint count;
};

static gboolean aim_at_mail(struct tracker *t, struct track_command *c,
			    struct aim *aim)
{
	const char *args = c->args;
	g_autoptr(reference_auto) r = reference_next(&args);
	struct track_mail *m = track_mail_get(t, c->node);

	if (r && r->kind == REFERENCE_MAIL) {
		aim->mid = g_strdup(r->id);
	} else if (r && m &&
		   (r->kind == REFERENCE_PARENT || r->kind == REFERENCE_ROOT)) {
		m = r->kind == REFERENCE_PARENT ? track_mail_parent(t, m)
						: track_mail_root(t, m);
		aim->mid = m ? g_strdup(m->mid) : NULL;
	}
	aim->count = TRACK_MAX_OWN;
	return aim->mid != NULL;
}

/* FALSE: neither; the outcome tells. regzbot's users write what they like. */
static gboolean take_aim(struct tracker *t, struct track_command *c,
			 struct aim *aim)
{
	char *end;
	guint64 count = g_ascii_strtoull(c->args, &end, 10);

	*aim = (struct aim){.count = 1};
	if (!*c->args)
		return TRUE;
	if (g_ascii_isdigit(*c->args) && count >= 1 && count <= TRACK_MAX_OWN &&
	    (!*end || *end == ' ')) {
		aim->count = (guint)count;
		return TRUE;
	}
	if (aim_at_mail(t, c, aim))
		return TRUE;
	aim->count = 1;
	if (!strcmp(c->marker, "#regzbot"))
		return TRUE;
	track_outcome(c, OUTCOME_NOT_UNDERSTOOD,
		      "a mail%s was expected, or nothing",
		      strcmp(c->verb, "undo") ? ""
					      : ", or a number from 1 to 10");
	return FALSE;
}
G_STATIC_ASSERT(TRACK_MAX_OWN == 10);

/* Is it a duplicate of what it is said to be? What would be a circle is not. */
static gboolean is_as_said(const struct tracked *i)
{
	for (guint k = i->notes->len; k-- > 0;) {
		const struct track_note *n = i->notes->pdata[k];

		if (!track_note_holds(n))
			continue;
		if (!strcmp(n->note.type, "reopened"))
			return TRUE;
		if (n->other)
			return i->duplicate_of == n->other;
	}
	return TRUE;
}

static void refuse_circle(struct track_command *c)
{
	track_outcome(c, OUTCOME_REFUSED,
		      "it would be a duplicate in a circle again");
}

static gboolean nothing_left(struct track_command *c, const char *what)
{
	if (!c->text)
		track_outcome(c, OUTCOME_NO_CHANGE, "nothing is left to %s",
			      what);
	return TRUE;
}

static char *types_of(const GPtrArray *notes)
{
	GString *out = g_string_new(NULL);

	for (guint k = 0; k < notes->len; k++)
		g_string_append_printf(
			out, "%s%s", k ? ", " : "",
			((struct track_note *)notes->pdata[k])->note.type);
	return g_string_free(out, FALSE);
}

/* `what` happened to `of`, by what was done to `took`. */
static void told(struct tracker *t, struct tracked *i, struct track_command *c,
		 const char *what, const GPtrArray *of, GPtrArray *took)
{
	g_autofree char *text = types_of(of);

	track_note(t, i, c, what, text, NULL)->took = took;
	stand(t, i);
	track_outcome(c, OUTCOME_DONE, "%s: %s", what, text);
}

/* Of what is said of all items, one's own alone, if it is newer. */
static struct track_note *newest_of_all(struct tracker *t, struct tracked *i,
					struct track_command *c,
					const char *mid)
{
	struct track_note *n = newest(t, i, c, NULL, mid);
	struct track_note *of_all = newest(t, t->everywhere, c, NULL, mid);
	gboolean own = of_all &&
		       track_same_person(t, of_all->note.address, c->address);

	return own && (!n || of_all->order > n->order) ? of_all : n;
}

/* FALSE: not done, and why may be told. */
static gboolean take_back(struct tracker *t, struct track_command *c,
			  struct track_note *n)
{
	if (!may_reverse(t, c, n))
		return FALSE;
	n->undone = TRUE;
	stand(t, n->item);
	if (is_as_said(n->item))
		return TRUE;
	n->undone = FALSE;
	stand(t, n->item);
	refuse_circle(c);
	return FALSE;
}

gboolean track_undo(struct tracker *t, struct tracked *i,
		    struct track_command *c)
{
	g_autofree char *mid = NULL;
	struct aim aim;
	GPtrArray *took;
	struct track_note *n;
	gboolean own = FALSE;

	if (!take_aim(t, c, &aim) || is_worn_out(t, i, c))
		return TRUE;
	mid = aim.mid;
	took = g_ptr_array_new();
	while (took->len < aim.count && (n = newest_of_all(t, i, c, mid))) {
		gboolean same =
			track_same_person(t, n->note.address, c->address);

		/* who takes back his own does not mean that of others */
		if ((own && !same) || !take_back(t, c, n))
			break;
		own = own || same;
		g_ptr_array_add(took, n);
	}
	if (took->len) {
		told(t, i, c, "undone", took, took);
		return TRUE;
	}
	g_ptr_array_unref(took);
	return nothing_left(c, "take back");
}

static void set_undone(struct tracker *t, GPtrArray *notes, gboolean undone)
{
	for (guint k = 0; k < notes->len; k++)
		((struct track_note *)notes->pdata[k])->undone = undone;
	stand_all(t, notes);
}

static gboolean all_as_said(const GPtrArray *notes)
{
	for (guint k = 0; k < notes->len; k++)
		if (!is_as_said(((struct track_note *)notes->pdata[k])->item))
			return FALSE;
	return TRUE;
}

gboolean track_redo(struct tracker *t, struct tracked *i,
		    struct track_command *c)
{
	g_autofree char *mid = NULL;
	struct aim aim;
	struct track_note *n;
	GPtrArray *took;

	if (!take_aim(t, c, &aim))
		return TRUE;
	mid = aim.mid;
	n = newest(t, i, c, "undone", mid);
	if (!n)
		return nothing_left(c, "do again");
	if (is_worn_out(t, i, c) || !may_reverse(t, c, n))
		return TRUE;
	set_undone(t, n->took, FALSE);
	if (!all_as_said(n->took)) {
		set_undone(t, n->took, TRUE);
		refuse_circle(c);
		return TRUE;
	}
	n->undone = TRUE;
	took = g_ptr_array_new();
	g_ptr_array_add(took, n);
	told(t, i, c, "redone", n->took, took);
	return TRUE;
}
