/* applied_refuse.c - "doesn't apply to misc-next", "I've dropped it again"
 * Only of patches, and only where a clause begins: code is dropped, and rules
 * don't apply, in every other mail. */
#include <string.h>

#include "mail/applied_priv.h"

#define CLAUSE_WORDS 10

static gboolean is(const struct notice_token *t, const char *word)
{
	return !strcmp(t->low, word);
}

static gboolean is_what(const struct notice_token *t)
{
	return t->flags & (IS_WHAT | IS_POINT | IS_NUMBER);
}

/* Where the clause begins that holds word `at`. */
static guint clause(const struct notice_sentence *s, guint at)
{
	while (at && !s->word[at].before)
		at--;
	return at;
}

static gboolean is_noun(const struct notice_token *t)
{
	return (t->flags & IS_NUMBER) || g_str_has_prefix(t->low, "patch") ||
	       is(t, "series");
}

static void find_place(struct notice *n, const struct notice_sentence *s,
		       guint from)
{
	for (guint k = from; k < s->n && k < from + CLAUSE_WORDS; k++)
		if ((s->word[k].flags & IS_TO || is(&s->word[k], "from") ||
		     is(&s->word[k], "of") || is(&s->word[k], "against") ||
		     is(&s->word[k], "current")) &&
		    notice_place_read(&n->place, s, k))
			return;
}

/* "does not", "didn't", "fails to", "no longer", before word `apply`. */
static guint denial(const struct notice_sentence *s, guint apply)
{
	const struct notice_token *t;
	guint k = apply;

	while (k && (s->word[k - 1].flags & IS_ADVERB))
		k--;
	if (!k || s->word[k].before)
		return 0;
	t = &s->word[k - 1];
	if ((t->flags & IS_DENY) && g_str_has_suffix(t->low, "n't"))
		return k - 1;
	if (k < 2 || t->before)
		return 0;
	if ((is(t, "not") || is(t, "longer")) ||
	    (is(t, "to") && (g_str_has_prefix(s->word[k - 2].low, "fail"))))
		return k - 2;
	return 0;
}

static gboolean is_how(const struct notice_token *t)
{
	return (t->flags & IS_ADVERB) || is(t, "cleanly") || is(t, "anymore") ||
	       is(t, "any") || is(t, "more") || is(t, "longer") ||
	       is(t, "directly");
}

static gboolean judge_apply(struct notice *n, const struct notice_sentence *s,
			    guint apply, const struct notice_context *c)
{
	guint start = clause(s, apply), end = denial(s, apply), k;

	if (!c->patch || !end || end <= start)
		return FALSE;
	for (k = start; k < end; k++)
		if (!(s->word[k].flags & IS_LEAD))
			return FALSE;
	if (!is_what(&s->word[end - 1]))
		return FALSE;
	n->kind = APPLIED_REJECTED;
	for (k = apply + 1; k < s->n && !s->word[k].before; k++)
		if (!is_how(&s->word[k]))
			break;
	if (k < s->n && !s->word[k].before &&
	    !(s->word[k].flags & (IS_TO | IS_TAIL | IS_JOIN | IS_COND)) &&
	    !is(&s->word[k], "against"))
		return FALSE;
	find_place(n, s, k);
	return k == s->n || s->word[k].before || !(s->word[k].flags & IS_TO) ||
	       n->place.named || is(&s->word[k], "on");
}

/* What was taken out must be a patch, or where it was a tree. */
static gboolean judge_out(struct notice *n, const struct notice_sentence *s,
			  guint verb, const struct notice_context *c)
{
	guint start = verb, k;
	gboolean who = FALSE, what = FALSE, noun = FALSE, have = FALSE;

	while (start && !s->word[start].before &&
	       (s->word[start - 1].flags & IS_LEAD)) {
		start--;
		if (s->word[start].flags & IS_JOIN)
			break;
		who |= (s->word[start].flags & IS_WHO) != 0;
		have |= (s->word[start].flags & IS_HAVE) != 0;
		noun |= is_noun(&s->word[start]);
		what |= is_what(&s->word[start]);
	}
	if (start && !s->word[start].before &&
	    !(s->word[start].flags & IS_JOIN))
		return FALSE;
	for (k = verb + 1; k < s->n && !s->word[k].before; k++) {
		if (!(s->word[k].flags & (IS_POINT | IS_THE | IS_WHAT |
					  IS_COUNT | IS_NUMBER | IS_ADVERB)))
			break;
		noun |= is_noun(&s->word[k]);
		what |= is_what(&s->word[k]);
	}
	n->kind = APPLIED_REVERTED;
	if (k < s->n &&
	    (is(&s->word[k], "from") ||
	     (is(&s->word[k], "in") && is(&s->word[verb], "reverted") &&
	      (who || have))) &&
	    notice_place_read(&n->place, s, k))
		return n->place.named &&
		       (noun || n->place.tree || n->place.branch);
	if (!c->patch ||
	    (k < s->n && !s->word[k].before &&
	     !(s->word[k].flags & (IS_THANKS | IS_TAIL | IS_JOIN))))
		return FALSE;
	if (noun)
		return who || have || s->thanks;
	return c->stable && (start == 0 || what);
}

gboolean notice_refused(struct notice *n, const struct notice_sentence *s,
			const struct notice_context *c)
{
	*n = (struct notice){0};
	if (s->question)
		return FALSE;
	for (guint k = 0; k < s->n; k++) {
		gboolean found = FALSE;

		if (s->word[k].flags & IS_COND)
			return FALSE;
		if (is(&s->word[k], "apply"))
			found = judge_apply(n, s, k, c);
		else if (s->word[k].flags & IS_OUT)
			found = judge_out(n, s, k, c);
		if (found)
			return TRUE;
		notice_clear(n);
	}
	return FALSE;
}
