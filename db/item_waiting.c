/* item_waiting.c - who must act next, and since when
 * The first rule that fits, over an item that is folded already. Who waits
 * longer than the rule allows is stalled, by the clock that was configured. */
#include <string.h>

#include "mail/version_range.h"

#include "db/item_commits.h"

#define DAY 86400

/* What a rule looks at. */
struct scene {
	struct item_cache *c;
	struct item_facts *f;
	struct item *i;
	struct item_thread *t;		 /* NULL: none */
	const struct thread_node *last;	 /* below the report, by date; NULL */
	const struct thread_node *asked; /* whom it answers; NULL */
	gboolean answered; /* by a person other than the reporter */
	gboolean question; /* the last mail asks one */
	const struct thread_node *wanted; /* last one that wants changes */
	gboolean doubtful; /* tables of the report contradict themselves */
	const struct item_fix *fix; /* the newest that was not reverted */
};

static gboolean same_address(const char *a, const char *b)
{
	return a && b && !g_ascii_strcasecmp(a, b);
}

static void look_at_thread(struct scene *s)
{
	int at = s->t ? item_thread_index(s->t, s->f->node) : -1;
	const struct item_below *b =
		at < 0 ? NULL : item_thread_below(s->t, at);

	if (!b || b->last < 0)
		return;
	s->answered =
		b->several || !same_address(b->person, s->i->reporter_address);
	s->last = s->t->t->nodes->pdata[b->last];
	if (s->last->parent >= 0)
		s->asked = s->t->t->nodes->pdata[s->last->parent];
}

/* What syzbot's mail comes from is no mailbox of a person: it obeys commands,
 * and never answers. */
static gboolean can_answer(const struct thread_node *n)
{
	return n->from_address &&
	       !g_str_has_suffix(n->from_address, "@syzkaller.appspotmail.com");
}

/* Words of the thread that ask for something. */
static gboolean look_at_words(struct scene *s, GError **err)
{
	if (!s->last)
		return TRUE;
	if (!item_thread_words(s->c, s->t, err))
		return FALSE;
	s->question = g_hash_table_contains(s->t->questions, s->last);
	s->wanted = s->t->wanted;
	return TRUE;
}

static gboolean look_at_tables(struct scene *s, GError **err)
{
	gint64 count = 0;

	if (!s->i->robot)
		return TRUE;
	if (db_get_int(s->c->st->state, &count, err,
		       "SELECT count(*) FROM measure_problem WHERE node = ?1"
		       " AND code <> 'not-read'",
		       INT(s->f->node)) < 0)
		return FALSE;
	s->doubtful = count > 0;
	return TRUE;
}

static void look_at_fixes(struct scene *s)
{
	for (guint n = 0; n < s->i->fixes->len; n++) {
		const struct item_fix *fix = s->i->fixes->pdata[n];

		if (strcmp(fix->status, "reverted") != 0 &&
		    strcmp(fix->role, "prerequisite") != 0 &&
		    (!s->fix || fix->date >= s->fix->date))
			s->fix = fix;
	}
}

/* ---- what the rules say */

static void wait_for(struct scene *s, const char *role, char *person,
		     gint64 since, const char *mid, const char *reason,
		     int days)
{
	struct item_waiting *w = &s->i->waiting;

	if (!person && !strcmp(role, "maintainer"))
		person = g_strdup(s->i->maintainer);
	w->role = role;
	w->person = person;
	w->since = since;
	w->mid = g_strdup(mid);
	w->reason = reason;
	w->until = since ? since + (gint64)days * DAY : 0;
}

static char *person_of(const char *name, const char *address)
{
	if (!address || !*address)
		return name && *name ? g_strdup(name) : NULL;
	return name && *name ? g_strdup_printf("%s <%s>", name, address)
			     : g_strdup_printf("<%s>", address);
}

static char *reporter(const struct scene *s)
{
	return person_of(s->i->reporter_name, s->i->reporter_address);
}

static char *fix_author(const struct scene *s)
{
	return s->fix ? person_of(s->fix->author_name, s->fix->author_address)
		      : NULL;
}

static void wait_for_culprit(struct scene *s, gint64 since, const char *mid,
			     const char *reason, int days)
{
	wait_for(s, s->i->author ? "culprit-author" : "maintainer",
		 g_strdup(s->i->author), since, mid, reason, days);
}

static const struct item_event *last_event(const struct item *i,
					   const char *type)
{
	for (guint n = i->events->len; n-- > 0;) {
		const struct item_event *e = i->events->pdata[n];

		if (!strcmp(e->type, type))
			return e;
	}
	return NULL;
}

static void wait_after(struct scene *s, const char *type, const char *role,
		       char *person, const char *reason, int days)
{
	const struct item_event *e = last_event(s->i, type);

	if (!e && s->fix)
		wait_for(s, role, person, s->fix->date, s->fix->evidence_mid,
			 reason, days);
	else
		wait_for(s, role, person, e ? e->time : s->i->last_activity,
			 e ? e->mid : NULL, reason, days);
}

/* The first -rc1 after `when`, which ends the merge window; 0: none yet. */
static gint64 window_after(const struct item_cache *c, gint64 when)
{
	gint64 first = 0;

	for (guint n = 0; c->tags && n < c->tags->len; n++) {
		const struct version_tag *t =
			&g_array_index(c->tags, struct version_tag, n);

		if (t->date > when && g_str_has_suffix(t->name, "-rc1") &&
		    (!first || t->date < first))
			first = t->date;
	}
	return first;
}

/* Who says that he applied it has to bring it on. */
static void wait_for_merge(struct scene *s)
{
	struct item_waiting *w = &s->i->waiting;
	const struct item_event *said =
		s->i->only_said ? last_event(s->i, "says-applied") : NULL;
	gint64 window;

	if (said)
		wait_for(s, "maintainer",
			 said->robot ? NULL : g_strdup(said->by), said->time,
			 said->mid, "said to be applied; no tree shows it yet",
			 0);
	else
		wait_after(s, "applied", "maintainer", NULL,
			   "applied, but not where it is needed yet", 0);
	window = window_after(s->c, w->since);
	w->until = window ? window + (gint64)7 * DAY : 0;
}

/* The last event of that type, if it is newer than the newest fix. */
static const struct item_event *since_fix(const struct scene *s,
					  const char *type)
{
	const struct item_event *e = last_event(s->i, type);

	return e && (!s->fix || e->time >= s->fix->date) ? e : NULL;
}

/* Who said that he would act; FALSE: nobody since the newest fix. */
static gboolean wait_for_promise(struct scene *s, const char *type,
				 const char *role, const char *reason)
{
	const struct item_event *e = since_fix(s, type);

	if (e)
		wait_for(s, role, e->robot ? NULL : g_strdup(e->by), e->time,
			 e->mid, reason, 14);
	return e != NULL;
}

static gboolean wait_for_version(struct scene *s)
{
	return wait_for_promise(s, "version-promised", "fix-author",
				s->fix ? "a new version was promised"
				       : "a fix or a new version was promised");
}

static gboolean wait_for_applier(struct scene *s)
{
	return wait_for_promise(s, "promised", "maintainer",
				"it was promised to apply the fix");
}

static void wait_for_fix_to_move(struct scene *s)
{
	const struct item *i = s->i;

	if (wait_for_version(s))
		return;
	if (s->wanted && s->fix && s->wanted->date >= s->fix->date)
		wait_for(s, "fix-author", fix_author(s), s->wanted->date,
			 s->wanted->mid, "changes of the fix were asked for",
			 14);
	else if (wait_for_applier(s))
		return;
	else if (s->fix && s->fix->mid && i->robot)
		wait_for(s, "reporter", reporter(s), s->fix->date, s->fix->mid,
			 "a fix is posted and was not measured", 7);
	else if (s->fix && s->fix->mid)
		wait_for(s, "maintainer", NULL, s->fix->date, s->fix->mid,
			 "a fix is posted", 14);
	else
		wait_after(s, "fix-named", "maintainer", NULL,
			   "the fix is in no tree yet", 14);
}

/* NULL: what was reverted last is not what it depends on now. */
static const struct item_fix *reverted_fix(const struct item *i)
{
	const struct item_fix *found = NULL;

	if (strcmp(i->state, "reported") != 0 &&
	    strcmp(i->state, "bisected") != 0)
		return NULL;
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (!strcmp(fix->status, "reverted") &&
		    (!found || fix->date >= found->date))
			found = fix;
	}
	return last_event(i, "reverted") ? found : NULL;
}

static void wait_for_tested(struct scene *s)
{
	if (wait_for_version(s) || wait_for_applier(s))
		return;
	wait_after(s,
		   last_event(s->i, "rerun-recovered") ? "rerun-recovered"
						       : "tested",
		   "maintainer", NULL, "the fix works and is not applied", 14);
}

/* The author of the culprit says that it is meant so: who reported it has to
 * accept that; for a robot, who tracks it. */
static gboolean wait_for_acceptance(struct scene *s)
{
	const struct item_event *e = last_event(s->i, "intended");
	const struct item_event *again = last_event(s->i, "reopened");
	gboolean robot = s->i->robot;

	if (e && again && again->time >= e->time)
		e = NULL;
	if (e)
		wait_for(s, robot ? "tracker" : "reporter",
			 robot ? NULL : reporter(s), e->time, e->mid,
			 "the author of the culprit says that it is intended",
			 21);
	return e != NULL;
}

/* Somebody says that it is none. */
static void wait_for_settlement(struct scene *s)
{
	const struct item_dispute *d = &s->i->disputed;
	char *who = reporter(s);

	wait_for(s, who ? "reporter" : "tracker", who, d->since, d->mid,
		 "it is disputed", 21);
}

static const char *failure(const struct item *i)
{
	const struct item_event *e = last_event(i, "rerun-failed");

	return e && e->text && g_str_has_prefix(e->text, "partial:")
		       ? "a rerun shows that the fix repairs a part only"
		       : "a rerun shows that the fix does not work";
}

/* The last mail asks something: whom it is sent to, else whom it answers. */
static gboolean wait_for_answer(struct scene *s)
{
	const struct thread_node *asked = s->asked;
	char *who;

	if (!s->question || (s->fix && s->fix->date >= s->last->date))
		return FALSE;
	who = item_addressee(s->c, s->i, s->t, s->last,
			     asked ? asked->from_address : NULL);
	if (!who && (!asked || !can_answer(asked)))
		return FALSE;
	wait_for(s, "addressee",
		 who ? who : person_of(asked->from_name, asked->from_address),
		 s->last->date, s->last->mid, "a question was asked", 7);
	return TRUE;
}

static void wait_while_open(struct scene *s)
{
	const struct item *i = s->i;
	const struct item_fix *reverted = reverted_fix(i);

	if (reverted)
		wait_after(s, "reverted", "fix-author",
			   person_of(reverted->author_name,
				     reverted->author_address),
			   "its fix was reverted", 14);
	else if (!s->answered && !s->fix && !i->assignee)
		wait_for_culprit(s, i->reported, i->mid,
				 "nobody has answered the report", 7);
	else if (wait_for_answer(s))
		return;
	else if (!strcmp(i->state, "fix-posted"))
		wait_for_fix_to_move(s);
	else if (!strcmp(i->state, "rerun-failed"))
		wait_after(s, "rerun-failed", "fix-author", fix_author(s),
			   failure(i), 7);
	else if (!strcmp(i->state, "fix-tested"))
		wait_for_tested(s);
	else if (!strcmp(i->state, "applied"))
		wait_for_merge(s);
	else if (i->disputed.since && last_event(i, "not-reproduced"))
		wait_after(s, "not-reproduced", "reporter", reporter(s),
			   "measured again, and it did not show", 7);
	else if (wait_for_version(s) || wait_for_acceptance(s))
		return;
	else if (s->doubtful)
		wait_for(s, "reporter", reporter(s), i->reported, i->mid,
			 "the numbers of the report contradict each other", 7);
	else if (i->disputed.since)
		wait_for_settlement(s);
	else if (i->assignee)
		wait_after(s, "assigned", "assignee", g_strdup(i->assignee),
			   "it was assigned", 21);
	else
		wait_for_culprit(s, s->last ? s->last->date : i->reported,
				 s->last ? s->last->mid : i->mid,
				 "no fix is known", 21);
}

static void note_stalled(struct item *i)
{
	struct item_event *e;

	if (i->events->len >= ITEM_MAX_EVENTS)
		return;
	e = g_new0(struct item_event, 1);
	e->type = "stalled";
	e->time = i->waiting.until;
	e->mid = item_ref(i->waiting.mid);
	e->by = item_ref("");
	e->text = item_ref(i->waiting.reason);
	g_ptr_array_add(i->events, e);
}

static void decide(struct scene *s)
{
	struct item *i = s->i;
	gint64 now = items_now(s->c->st);

	if (i->open)
		wait_while_open(s);
	else if (!strcmp(i->state, "stable-pending"))
		wait_after(s, "stable-pending", "stable", NULL,
			   "fixed, but missing in a stable tree", 30);
	i->stalled = i->waiting.role && i->waiting.until && !i->backburner &&
		     now > i->waiting.until;
	if (i->stalled)
		note_stalled(i);
}

gboolean item_find_waiting(struct item_cache *c, struct item_facts *f,
			   GError **err)
{
	struct scene s = {.c = c, .f = f, .i = f->item};

	if (f->tid) {
		s.t = item_thread_get(c, f->tid, f->item->mid, err);
		if (!s.t)
			return FALSE;
	}
	look_at_thread(&s);
	look_at_fixes(&s);
	if (!look_at_words(&s, err) || !look_at_tables(&s, err))
		return FALSE;
	decide(&s);
	return TRUE;
}
