/* applied_judge.c - "Patches 1-3 applied to for-next, thanks"
 * One sentence: a verb, what stands before it and what behind. Words it does
 * not know between them make it say nothing. */
#include <string.h>

#include "mail/applied_priv.h"

#define SHORT_CLAUSE 5 /* words */
#define WILL_WORDS   5 /* between "will" and its verb */

static gboolean is(const struct notice_token *t, const char *word)
{
	return !strcmp(t->low, word);
}

static gboolean tells_of_trial(const struct notice_sentence *s, guint from,
			       guint to)
{
	for (guint k = from; k < to; k++)
		if (s->word[k].flags & IS_TRIAL)
			return TRUE;
	return FALSE;
}

/* "This patch, pushed into mainline, breaks it". */
static gboolean is_aside(const struct notice_sentence *s, guint start,
			 guint end)
{
	guint k;

	if (!start || start > 3 || s->word[start].before != BREAK_COMMA)
		return FALSE;
	for (k = 0; k < start; k++)
		if (!(s->word[k].flags & (IS_THE | IS_POINT | IS_WHAT)))
			return FALSE;
	for (k = end; k < s->n; k++)
		if (s->word[k].before == BREAK_COMMA &&
		    !(s->word[k].flags & IS_THANKS))
			return TRUE;
	return FALSE;
}

/* ---- is that enough? */

/* "Fixed and applied": all before the "and" belongs to it. */
static gboolean is_joined_to_more(const struct notice_sentence *s,
				  const struct notice_lead *l,
				  const struct notice_rest *r)
{
	if (l->start && s->word[l->start].before && l->what && r->clean)
		return FALSE; /* "fixed up, and all queued" */
	if ((s->word[0].flags & IS_WHO) && r->what)
		return FALSE; /* "I've fixed it and applied the patch" */
	for (guint k = 0; l->joined && k < l->start; k++)
		if (!(s->word[k].flags & (IS_LEAD | IS_VERB)))
			return TRUE;
	return FALSE;
}

/* Where people also test what others sent. */
static gboolean is_testbed(const struct notice_place *p)
{
	static const char *const names[] = {"linux-next", "mainline", "master",
					    "upstream",	  "linus",    NULL};
	const char *name = p->tree ? p->tree : p->branch;

	if (p->version || !name)
		return TRUE;
	for (guint i = 0; names[i]; i++)
		if (!g_ascii_strcasecmp(name, names[i]))
			return TRUE;
	return FALSE;
}

/* "The patch has been applied", and no more of it. */
static gboolean is_passive_of_patch(const struct notice_sentence *s, guint verb,
				    const struct notice_lead *l,
				    const struct notice_rest *r)
{
	while (verb && (s->word[verb - 1].flags & IS_ADVERB))
		verb--;
	return verb && is(&s->word[verb - 1], "been") && l->noun && !l->soft &&
	       !l->loose && (r->clean || s->word[r->end].before);
}

/* Who tries something out takes all of it. */
static gboolean is_choice(const struct notice *n,
			  const struct notice_sentence *s,
			  const struct notice_rest *r)
{
	return n->count || (r->end < s->n && is(&s->word[r->end], "except"));
}

static gboolean is_enough_strong(const struct notice *n,
				 const struct notice_sentence *s, guint verb,
				 const struct notice_lead *l,
				 const struct notice_rest *r,
				 const struct notice_context *c)
{
	gboolean trial = tells_of_trial(s, r->end, s->n) &&
			 !(l->who && !l->past && is_choice(n, s, r));
	guint words = r->end - l->start;

	if (trial && !s->thanks && !n->folded && is_testbed(&n->place))
		return FALSE;
	if (r->told && !n->open && g_str_has_prefix(s->word[r->to].low, "on") &&
	    !s->thanks)
		return FALSE; /* "on current master": on a machine */
	if (n->place.named)
		return TRUE;
	if (is_joined_to_more(s, l, r) && !s->thanks && !l->who)
		return FALSE;
	if (n->place.version)
		return n->kind == APPLIED_QUEUED || s->thanks ||
		       is(&s->word[r->to], "for");
	if (trial && !(s->thanks && r->clean) && !n->folded)
		return FALSE;
	if (s->thanks || n->open)
		return TRUE;
	if (l->have && !l->who && !l->now && !(n->folded && r->what))
		/* "extents are merged" */
		return c->patch && is_passive_of_patch(s, verb, l, r);
	if (!c->patch)
		return r->clean && r->what && !l->past && words <= SHORT_CLAUSE;
	if (l->past)
		return r->clean && (r->what || r->told);
	if (l->start && !l->what && !l->who && !r->what)
		return r->clean && !(s->word[l->start].flags & IS_JOIN);
	return TRUE;
}

static gboolean is_enough_weak(const struct notice *n,
			       const struct notice_sentence *s, guint verb,
			       const struct notice_lead *l,
			       const struct notice_rest *r,
			       const struct notice_context *c)
{
	const struct notice_token *t = &s->word[verb];

	if (is(t, "landed") && !l->who && n->place.tree &&
	    !strcmp(n->place.tree, "linux-next"))
		return FALSE; /* as testers begin */
	if (n->place.named)
		return c->patch || !n->place.version;
	if (!c->patch)
		return FALSE;
	if (r->pile)
		return !l->have && (s->thanks || r->clean);
	if (is(t, "pushed") && r->told)
		return s->thanks;
	if ((is(t, "taken") || is(t, "committed")) && l->who && !l->past &&
	    r->what && !r->told)
		return r->clean || s->thanks;
	if (is(t, "updated") || n->place.version || r->told || !r->clean ||
	    l->past)
		return FALSE;
	if (is(t, "replaced") || is(t, "moved") || is(t, "put"))
		return l->noun && s->thanks;
	if (is(t, "added"))
		return l->noun && (s->thanks || !l->have);
	for (guint k = 0; k < l->start; k++)
		if (!(s->word[k].flags & (IS_LEAD | IS_VERB)))
			return FALSE;
	return s->thanks || (!l->joined && r->end == 1);
}

/* "Merged with the other patch, thanks": into one. */
static gboolean is_merged_with(const struct notice_sentence *s, guint k)
{
	if (k >= s->n || !is(&s->word[k], "with"))
		return FALSE;
	for (k++; k < s->n && !s->word[k].before; k++)
		if (s->word[k].flags & (IS_WHAT | IS_POINT))
			return TRUE;
	return FALSE;
}

static gboolean judge_verb(struct notice *n, const struct notice_sentence *s,
			   guint verb, const struct notice_context *c)
{
	const struct notice_token *t = &s->word[verb];
	struct notice_lead l;
	struct notice_rest r;

	n->kind = t->entry->kind;
	n->folded = is(t, "folded");
	if (!notice_read_lead(&l, s, verb) ||
	    !notice_read_rest(n, s, verb, &r) || is_aside(s, l.start, r.end))
		return FALSE;
	if (((l.soft || r.soft) && !n->place.named && !n->folded) ||
	    (is(t, "merged") && is_merged_with(s, verb + 1)))
		return FALSE; /* "merged with the other patch" */
	if (l.opened && (!n->place.named || !r.clean))
		return FALSE;
	if (l.loose && l.who && l.noun)
		return FALSE; /* "the commit I've staged": another */
	if ((l.loose || r.loose) && !(n->folded && r.what) &&
	    !(l.who && !l.past && r.what && c->patch && !l.loose) &&
	    !n->place.named && !n->place.version && !s->thanks)
		return FALSE;
	if (l.start && (s->word[0].flags & IS_COND) &&
	    !(l.joined && n->place.named))
		return FALSE;
	for (guint k = l.start; k < verb; k++) {
		if (s->word[k].flags & IS_NUMBER)
			notice_take_number(n, s, k);
		n->some |= notice_is_portion(s, k);
	}
	return t->entry->weight == WEIGHT_STRONG
		       ? is_enough_strong(n, s, verb, &l, &r, c)
		       : is_enough_weak(n, s, verb, &l, &r, c);
}

/* "Patches 1-32 are in misc-next", "Now in devel". */
/* An ordinary release of mainline is where everything ends up. */
static gboolean is_mainline(const struct notice_place *p)
{
	static const char *const names[] = {"mainline", "upstream", "linus",
					    "linus/master", NULL};

	for (guint i = 0; names[i]; i++)
		if ((p->tree && !g_ascii_strcasecmp(p->tree, names[i])) ||
		    (p->branch && !g_ascii_strcasecmp(p->branch, names[i])))
			return TRUE;
	return FALSE;
}

static gboolean judge_in(struct notice *n, const struct notice_sentence *s,
			 guint in, const struct notice_context *c)
{
	struct notice_lead l;

	if (!c->patch || !notice_read_lead(&l, s, in) || l.who ||
	    !notice_place_read(&n->place, s, in) || !n->place.named ||
	    n->place.version || (!n->place.tree && !n->place.branch))
		return FALSE;
	n->kind = is_mainline(&n->place) ? APPLIED_MERGED : APPLIED_APPLIED;
	for (guint k = l.start; k < in; k++)
		if (s->word[k].flags & IS_NUMBER)
			notice_take_number(n, s, k);
	if (notice_has_condition(s, in) || tells_of_trial(s, 0, l.start) ||
	    (l.opened && n->place.end < s->n &&
	     !(s->word[n->place.end].flags & IS_THANKS)))
		return FALSE;
	if (is(&s->word[in], "on"))
		return l.what && l.have && n->place.branch &&
		       (s->thanks || strchr(n->place.branch, '-'));
	return l.what ? l.have || l.now : l.now && l.start == 0;
}

/* "Patch updated and misc-next pushed." */
static gboolean judge_pushed(struct notice *n, const struct notice_sentence *s,
			     guint verb, const struct notice_context *c)
{
	const struct notice_token *t = verb ? &s->word[verb - 1] : NULL;

	if (!c->patch || !t || t->flags || s->word[verb].before ||
	    !is(&s->word[verb], "pushed") || !strpbrk(t->low, "-/") ||
	    !notice_is_tree(t->low) ||
	    (verb + 1 < s->n && !s->word[verb + 1].before &&
	     !(s->word[verb + 1].flags & (IS_THANKS | IS_ADVERB))))
		return FALSE;
	for (guint k = 0; k + 1 < verb; k++)
		if (!(s->word[k].flags & (IS_LEAD | IS_VERB | IS_THANKS)))
			return FALSE;
	n->kind = APPLIED_APPLIED;
	n->place.branch = g_strndup(t->raw, t->len);
	n->place.named = TRUE;
	return TRUE;
}

/* "I'm adding this to for-next". */
static gboolean judge_ing(struct notice *n, const struct notice_sentence *s,
			  guint verb, const struct notice_context *c)
{
	const char *low = s->word[verb].low;
	struct notice_lead l;
	struct notice_rest r;

	n->kind = low[0] == 'q'	  ? APPLIED_QUEUED
		  : low[0] == 'm' ? APPLIED_MERGED
				  : APPLIED_APPLIED;
	return c->patch && notice_read_lead(&l, s, verb) &&
	       (l.who || (l.start == verb && verb + 1 < s->n &&
			  !(s->word[verb + 1].flags & IS_PLACE))) &&
	       !l.noun && notice_read_rest(n, s, verb, &r) &&
	       (n->place.named || (s->thanks && r.clean && r.what));
}

/* "I'll queue it up", "will be merged". */
static gboolean judge_will(struct notice *n, const struct notice_sentence *s,
			   guint will)
{
	guint end = MIN(s->n, will + 1 + WILL_WORDS);

	if (s->denied || (will && is(&s->word[will - 1], "you")))
		return FALSE;
	for (guint k = will + 1; k < end && !s->word[k].before; k++) {
		const struct notice_token *t = &s->word[k];

		if (!(t->flags & (IS_PLAIN | IS_VERB))) {
			if (t->flags & (IS_ADVERB | IS_WHO) || is(t, "be") ||
			    is(t, "to") || is(t, "get") || is(t, "me"))
				continue;
			return FALSE;
		}
		n->kind = APPLIED_PROMISED;
		for (guint to = k + 1; to < s->n && !s->word[to].before; to++)
			if ((s->word[to].flags & IS_TO) &&
			    notice_place_read(&n->place, s, to))
				return TRUE;
		return k + 1 < s->n &&
		       (s->word[k + 1].flags & (IS_POINT | IS_THE | IS_ADVERB));
	}
	return FALSE;
}

/* "all except 1, 6 and 8": the numbers behind it. */
static void take_exceptions(struct notice *n, const struct notice_sentence *s)
{
	guint k;

	for (k = 0; k < s->n; k++)
		if (is(&s->word[k], "except") || is(&s->word[k], "minus") ||
		    (is(&s->word[k], "but") && k && is(&s->word[k - 1], "all")))
			break;
	if (k == s->n)
		return;
	n->except = TRUE;
	n->count = 0;
	memset(n->numbers, 0, sizeof(n->numbers));
	for (k++; k < s->n; k++)
		if (s->word[k].flags & IS_NUMBER)
			notice_number(n, &s->word[k]);
		else if (!(s->word[k].flags &
			   (IS_JOIN | IS_WHAT | IS_THE | IS_TO)))
			return;
}

gboolean notice_judge(struct notice *n, const struct notice_sentence *s,
		      const struct notice_context *c)
{
	*n = (struct notice){0};
	if (s->question || s->raw[1] == '#')
		return FALSE;
	for (guint k = 0; k < s->n; k++) {
		guint flags = s->word[k].flags;
		gboolean found = FALSE;

		if (flags & IS_VERB)
			found = judge_verb(n, s, k, c) ||
				judge_pushed(n, s, k, c);
		else if ((flags & IS_TO) &&
			 (is(&s->word[k], "in") || is(&s->word[k], "on")))
			found = judge_in(n, s, k, c);
		else if (flags & IS_ING)
			found = judge_ing(n, s, k, c);
		else if (flags & IS_WILL)
			found = judge_will(n, s, k);
		if (found && !c->next) {
			take_exceptions(n, s);
			return TRUE;
		}
		notice_clear(n);
	}
	return FALSE;
}

void notice_clear(struct notice *n)
{
	notice_place_clear(&n->place);
	*n = (struct notice){0};
}
