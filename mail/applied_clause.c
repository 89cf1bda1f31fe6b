/* applied_clause.c - what stands before a verb and what behind it
 * Words that are known, a few that are not; must not decide what it means. */
#include <string.h>

#include "mail/applied_priv.h"

#define ADJECTIVES 3 /* words that are not known, before a noun */

static gboolean is(const struct notice_token *t, const char *word)
{
	return !strcmp(t->low, word);
}

/* ---- numbers */

static void set_bit(struct notice *n, guint64 k)
{
	if (k >= NOTICE_NUMBERS || (n->numbers[k / 8] & (1 << k % 8)))
		return;
	n->numbers[k / 8] |= (guint8)(1 << k % 8);
	n->count++;
}

/* "2-4", "1..3"; but "2/5" is the second of five. */
void notice_number(struct notice *n, const struct notice_token *t)
{
	const char *p = t->low;
	guint64 last = 0;
	gboolean range = FALSE;

	while (*p) {
		char *end;
		guint64 k;

		if (!g_ascii_isdigit(*p)) {
			range = *p == '-' || *p == '.';
			p++;
			continue;
		}
		k = g_ascii_strtoull(p, &end, 10);
		set_bit(n, k);
		for (last++; range && last < k && last < NOTICE_NUMBERS; last++)
			set_bit(n, last);
		last = k;
		p = end;
		if (*p == '/' && g_ascii_isdigit(p[1]))
			p += 1 + strspn(p + 1, "0123456789");
	}
}

/* "the first two", "the rest": not all of them. */
gboolean notice_is_portion(const struct notice_sentence *s, guint k)
{
	static const char *const words[] = {"first",	 "second",    "last",
					    "rest",	 "remaining", "part",
					    "partially", NULL};

	if (k && is(&s->word[0], "with") && !s->word[k].before)
		return FALSE;
	for (guint i = 0; words[i]; i++)
		if (is(&s->word[k], words[i]))
			return TRUE;
	return FALSE;
}

/* "all 4", "the 3 patches": how many; "the first 3": the others not. */
void notice_take_number(struct notice *n, const struct notice_sentence *s,
			guint k)
{
	const struct notice_token *t = &s->word[k];
	const struct notice_token *before = k && !t->before ? t - 1 : NULL;
	guint64 first;

	if (k + 1 < s->n && is(t + 1, "patches") && !strpbrk(t->low, "-,/.") &&
	    !(before && is(before, "first")))
		return; /* "2 patches applied" */
	if (!before || strlen(t->low) > 3 ||
	    !(before->flags & (IS_THE | IS_POINT | IS_COUNT))) {
		notice_number(n, t);
		return;
	}
	if (!is(before, "first"))
		return;
	first = g_ascii_strtoull(t->low, NULL, 10);
	for (guint64 i = 1; i <= first && i < NOTICE_NUMBERS; i++)
		set_bit(n, i);
}

/* ---- before the verb */

static void note_lead(struct notice_lead *l, const struct notice_token *t)
{
	l->who |= (t->flags & IS_WHO) != 0;
	l->have |= (t->flags & IS_HAVE) != 0;
	l->what |= (t->flags & (IS_WHAT | IS_POINT | IS_NUMBER)) != 0;
	l->noun |= (t->flags & (IS_WHAT | IS_NUMBER)) || is(t, "all") ||
		   is(t, "both");
	l->now |= (t->flags & IS_ADVERB) != 0;
	l->past |= is(t, "i") || is(t, "we");
	l->soft |= (t->flags & IS_SOFT) != 0;
}

static gboolean continues(const struct notice_sentence *s, guint k)
{
	const struct notice_token *t = &s->word[k];

	if (!t->before)
		return TRUE;
	/* "1, 2 and 4 applied", "Thanks, applied" */
	return (t->before == BREAK_COMMA && (t->flags & IS_NUMBER) &&
		(s->word[k - 1].flags & IS_NUMBER)) ||
	       (s->word[k - 1].flags & IS_COUNT && t->before == BREAK_PAREN);
}

/* "The split lockdep patches": any few words before the noun. */
static gboolean is_adjective(struct notice_lead *l,
			     const struct notice_sentence *s, guint k)
{
	if (s->word[k].entry || s->word[k].flags || !l->noun ||
	    l->words++ >= ADJECTIVES)
		return FALSE;
	l->loose = TRUE;
	return TRUE;
}

static gboolean has_verb(const struct notice_sentence *s, guint from, guint to)
{
	for (guint k = from; k < to; k++)
		if (s->word[k].flags & (IS_VERB | IS_OUT | IS_COND | IS_WILL |
					IS_DENY | IS_WHO | IS_TRIAL))
			return TRUE;
	return FALSE;
}

/* FALSE: something stands there that has no place in a notice. */
gboolean notice_read_lead(struct notice_lead *l,
			  const struct notice_sentence *s, guint verb)
{
	guint k = verb, back;

	*l = (struct notice_lead){0};
	while (k && continues(s, k)) {
		const struct notice_token *t = &s->word[k - 1];

		if (!(t->flags & IS_LEAD) && !is_adjective(l, s, k - 1))
			break;
		k--;
		/* before an "and" is another thing */
		if ((t->flags & IS_JOIN) &&
		    !(k && (s->word[k - 1].flags & IS_NUMBER))) {
			l->joined = TRUE;
			break;
		}
		note_lead(l, t);
	}
	l->start = k;
	l->past &= !l->have;
	/* "is added": what? "now that it is in": when? */
	if ((s->word[k].flags & IS_HAVE && !(s->word[k].flags & IS_POINT) &&
	     k < verb) ||
	    (is(&s->word[k], "now") && k + 1 < s->n &&
	     is(&s->word[k + 1], "that")))
		return FALSE;
	for (back = k; l->joined && !(l->who && is(&s->word[k], "so")) &&
		       back && continues(s, back);
	     back--)
		if (s->word[back - 1].flags & (IS_WILL | IS_COND))
			return FALSE;
	/* "Qu sent the fix, that's in X": another one */
	for (back = 0; back < k && is(&s->word[k + l->joined], "that's");
	     back++)
		if (!(s->word[back].flags & IS_LEAD))
			return FALSE;
	if (l->joined || k == 0 || !continues(s, k))
		return TRUE;
	/* "With some touches the series has been added to X" */
	l->loose = l->opened = is(&s->word[0], "with") ||
			       is(&s->word[0], "up") ||
			       is(&s->word[0], "after");
	return l->opened && !has_verb(s, 0, k);
}

/* ---- behind the verb */

/* "in my patch", "to the original series". */
static guint skip_patch(const struct notice_sentence *s, guint i)
{
	static const char *const words[] = {"original",	 "previous", "first",
					    "offending", "other",    "same",
					    "last",	 "initial",  NULL};
	gboolean known = TRUE;

	for (; known && i < s->n && !s->word[i].before; i++) {
		const struct notice_token *t = &s->word[i];

		if (t->raw[-1] == '"') /* its title */
			return s->n;

		if (t->flags & (IS_WHAT | IS_NUMBER) || is(t, "it"))
			return i + 1;
		known = t->flags & (IS_THE | IS_POINT);
		for (guint k = 0; words[k] && !known; k++)
			known = is(t, words[k]);
	}
	return 0;
}

/* A name that nothing is known of: "Applied to dma-buf, thanks". */
static gboolean read_any_name(struct notice *n, const struct notice_sentence *s,
			      guint i, struct notice_rest *r)
{
	guint k = i + 1;
	const struct notice_token *t;

	if (k < s->n && (s->word[k].flags & IS_THE))
		k++;
	if (k >= s->n || s->word[k].before > BREAK_NONE)
		return FALSE;
	t = &s->word[k];
	if (t->flags || t->len < 2 || t->raw[-1] == '"' ||
	    (t->low[0] == 'v' && g_ascii_isdigit(t->low[1])))
		return FALSE;
	if (k + 1 < s->n && s->word[k + 1].before == BREAK_PAREN &&
	    !s->word[k + 1].flags && notice_is_tree(s->word[k + 1].low)) {
		n->place.tree = g_strndup(t->raw, t->len);
		t = &s->word[++k]; /* "arm64 (for-next/core)" */
	} else if (k + 1 < s->n && s->word[k + 1].before != BREAK_COMMA &&
		   s->word[k + 1].before != BREAK_PAREN &&
		   !(s->word[k + 1].flags & (IS_THANKS | IS_TAIL | IS_TO))) {
		return FALSE;
	}
	n->place.branch = g_strndup(t->raw, t->len);
	n->place.end = k + 1;
	r->told = TRUE;
	return TRUE;
}

/* "with an ack to pci/pm": neither known nor a path of the source. */
static gboolean read_topic(struct notice *n, const struct notice_sentence *s,
			   guint i)
{
	const struct notice_token *t = i < s->n ? &s->word[i] : NULL;

	if (!t || t->flags || t->before || !is(t - 1, "to") ||
	    !strchr(t->low, '/') || strpbrk(t->low, ".(:") ||
	    t->low[t->len - 1] == '/' || g_str_has_prefix(t->low, "fs/") ||
	    g_str_has_prefix(t->low, "drivers/") ||
	    g_str_has_prefix(t->low, "include/") ||
	    g_str_has_prefix(t->low, "/"))
		return FALSE;
	n->place.branch = g_strndup(t->raw, t->len);
	n->place.end = i + 1;
	return TRUE;
}

/* A place further on: "as topic branch to for-next". */
static void find_place(struct notice *n, const struct notice_sentence *s,
		       guint i, struct notice_rest *r)
{
	for (guint k = i; k < s->n && !r->told; k++) {
		if (k > i && s->word[k].before > BREAK_PAREN)
			return;
		if (!(s->word[k].flags & IS_TO))
			continue;
		r->to = k;
		r->told = notice_place_read(&n->place, s, k) ||
			  read_topic(n, s, k + 1);
	}
}

gboolean notice_has_condition(const struct notice_sentence *s, guint from)
{
	for (guint k = from; k < s->n; k++) {
		if (k > from &&
		    (s->word[k].before || (s->word[k].flags & IS_JOIN)))
			return FALSE;
		if (s->word[k].flags & (IS_COND | IS_DENY))
			return TRUE;
	}
	return FALSE;
}

/* "for the next merge window" */
static gboolean is_next_pull(const struct notice_sentence *s, guint i)
{
	static const char *const words[] = {"pull", "merge",   "release",
					    "rc",   "cycle",   "request",
					    "push", "version", NULL};

	i++;
	while (i < s->n &&
	       ((s->word[i].flags & IS_THE) || is(&s->word[i], "next") ||
		is(&s->word[i], "upcoming")))
		i++;
	for (guint k = 0; words[k] && i < s->n; k++)
		if (is(&s->word[i], words[k]))
			return TRUE;
	return FALSE;
}

static gboolean is_one_of(const struct notice_sentence *s, guint i,
			  const char *const *words)
{
	for (; i < s->n && *words; words++)
		if (is(&s->word[i], *words))
			return TRUE;
	return FALSE;
}

/* "in this series", "in previous updates": not where, but which or when; the
 * word behind it, or 0. */
static guint skip_series(const struct notice_sentence *s, guint i)
{
	static const char *const which[] = {"this", "the", "that", "your",
					    NULL};
	static const char *const sets[] = {"series", "patchset", "set",
					   "thread", "pull",	 NULL};
	static const char *const times[] = {"previous", "last",	   "latest",
					    "recent",	"earlier", NULL};
	static const char *const news[] = {"update",   "updates", "release",
					   "releases", "push",	  "batch",
					   "pull",     NULL};

	if (!is(&s->word[i], "in") && !is(&s->word[i], "from"))
		return 0;
	if (is_one_of(s, i + 1, which) && is_one_of(s, i + 2, sets))
		return i + 3;
	i += i + 1 < s->n && is(&s->word[i + 1], "the");
	return is_one_of(s, i + 1, times) && is_one_of(s, i + 2, news) ? i + 3
								       : 0;
}

/* "to the rest" */
static gboolean is_rest(const struct notice_sentence *s, guint i)
{
	return is(&s->word[i], "to") && i + 2 < s->n &&
	       is(&s->word[i + 1], "the") &&
	       (is(&s->word[i + 2], "rest") || is(&s->word[i + 2], "others"));
}

static gboolean read_place(struct notice *n, const struct notice_sentence *s,
			   const struct notice_token *verb,
			   struct notice_rest *r)
{
	guint i = r->end, end;

	r->to = i;
	if (notice_place_read(&n->place, s, i)) {
		r->told = TRUE;
		r->end = n->place.end;
		return TRUE;
	}
	if (is(verb, "folded") || is(verb, "squashed")) {
		end = i + 1 == s->n || s->word[i + 1].before ||
				      (s->word[i + 1].flags & IS_JOIN)
			      ? i + 1 /* "folded in" */
			      : skip_patch(s, i + 1);
		if (end) {
			r->what = TRUE;
			r->end = end;
			return TRUE;
		}
	}
	if (is(verb, "added") && is_rest(s, i)) {
		r->pile = TRUE;
		r->end = i + 3;
		return TRUE;
	}
	end = skip_series(s, i);
	if (end) {
		r->what = TRUE;
		r->end = end;
		return TRUE;
	}
	if (verb->entry->kind == APPLIED_QUEUED && is(&s->word[i], "for") &&
	    i + 1 < s->n && (s->word[i + 1].flags & IS_THANKS)) {
		r->end = i + 1; /* for which, he forgot */
		return TRUE;
	}
	if (verb->entry->kind == APPLIED_QUEUED && is_next_pull(s, i)) {
		r->told = TRUE;
		r->end = s->n;
		return TRUE;
	}
	if (i + 1 == s->n &&
	    (is(&s->word[i], "to") || is(&s->word[i], "into"))) {
		n->open = r->told = TRUE;
		r->end = s->n;
		return TRUE;
	}
	if ((verb->entry->weight == WEIGHT_STRONG || is(verb, "pushed")) &&
	    !is(&s->word[i], "on") && !is(&s->word[i], "for") &&
	    read_any_name(n, s, i, r)) {
		r->end = n->place.end;
		return TRUE;
	}
	return FALSE;
}

/* "the required changes": a word between that is not known. */
static gboolean is_described(const struct notice_sentence *s, guint at)
{
	guint end = MIN(s->n, at + 1 + ADJECTIVES);

	if (s->word[at].flags || s->word[at].entry || s->word[at].before)
		return FALSE;
	for (guint k = at; k && k + ADJECTIVES > at; k--)
		if (s->word[k - 1].flags & (IS_THE | IS_POINT)) {
			for (k = at + 1; k < end && !s->word[k].before; k++)
				if (s->word[k].flags)
					return (s->word[k].flags & IS_WHAT) &&
					       !is(&s->word[k], "page");
			return FALSE;
		} else if (s->word[k - 1].flags) {
			return FALSE;
		}
	return FALSE;
}

/* "1 and 3 applied": which ones is told before the verb. */
static gboolean has_number_before(const struct notice_sentence *s, guint verb)
{
	while (verb && !s->word[verb].before &&
	       (s->word[verb - 1].flags & IS_LEAD))
		if (s->word[--verb].flags & IS_NUMBER)
			return TRUE;
	return FALSE;
}

/* FALSE: a word that has no place behind the verb of a notice. */
gboolean notice_read_rest(struct notice *n, const struct notice_sentence *s,
			  guint verb, struct notice_rest *r)
{
	*r = (struct notice_rest){.end = verb + 1};
	while (r->end < s->n) {
		const struct notice_token *t = &s->word[r->end];

		if (t->before && (r->told || !(t->flags & IS_NUMBER)))
			break;
		if (t->flags & IS_THANKS)
			break;
		if ((t->flags & IS_TO) && !r->told) {
			if (!read_place(n, s, &s->word[verb], r))
				return FALSE;
			continue;
		}
		if (t->flags & IS_TO && r->told)
			return !notice_has_condition(s, r->end);
		if (t->flags & (IS_COND | IS_DENY) ||
		    (r->told && (t->flags & IS_HAVE) && !(t->flags & IS_POINT)))
			return FALSE; /* "patches merged for 5.5 are": which? */
		if ((t->flags & IS_JOIN) && r->what && r->end + 1 < s->n &&
		    (s->word[r->end + 1].flags & IS_NUMBER)) {
			r->end++; /* "patches 1 and 2" */
			continue;
		}
		if (t->flags & (IS_TAIL | IS_JOIN)) {
			find_place(n, s, r->end, r);
			r->clean = n->place.end &&
				   (n->place.end == s->n ||
				    (s->word[n->place.end].flags & IS_THANKS));
			/* what he adds takes nothing back of what he told */
			return (r->end > verb + 1 && n->place.named &&
				n->place.end <= r->end) ||
			       has_number_before(s, verb) ||
			       !notice_has_condition(s, r->end);
		}
		if (!t->flags && !t->entry && !r->told && r->what &&
		    notice_is_tree(t->low) && strchr(t->low, '-') &&
		    notice_place_read(&n->place, s, r->end - 1)) {
			r->told = TRUE; /* "added it misc-next" */
			r->end = n->place.end;
			continue;
		}
		if (is_described(s, r->end)) {
			r->loose = TRUE;
			r->end++;
			continue;
		}
		if (!(t->flags & (IS_POINT | IS_THE | IS_WHAT | IS_COUNT |
				  IS_ADVERB | IS_NUMBER | IS_PLACE)))
			return n->place.named; /* whatever he adds */
		if (t->flags & IS_NUMBER && !r->told)
			notice_take_number(n, s, r->end);
		n->some |= notice_is_portion(s, r->end) && !r->told;
		r->what |= (t->flags & (IS_POINT | IS_WHAT | IS_NUMBER)) != 0;
		r->soft |= (t->flags & IS_SOFT) != 0;
		r->end++;
	}
	r->clean = r->end == s->n || (s->word[r->end].flags & IS_THANKS);
	return TRUE;
}
