/* words_phrase.c - what one sentence says about a fix
 * A table of phrases, and one word that has many meanings. */
#include <string.h>

#include "mail/words_priv.h"

#define GAP_WORDS      3 /* that "~" stands for at most */
#define NEGATION_WORDS 3 /* before a phrase */
#define NEAR_WORDS     3 /* behind one */
#define QUESTION_MIN   3 /* words */

#define NOTHING WORD_QUESTION /* said when denied: nothing */

enum need {
	ALWAYS,
	IF_TESTED, /* somebody tells of a test of his own */
	IF_ISSUE,  /* an issue is named */
	AT_START,  /* of the sentence or after a colon */
};

/* Words of a phrase: "a|b" either, "a*" a beginning, "~" up to GAP_WORDS. */
struct phrase {
	enum verdict_word_kind kind;
	enum verdict_word_kind denied; /* what it says after a "not" */
	enum need need;
	guint keys; /* one of them is in every sentence that it fits */
	const char *text;
};

#define PATCH \
	"patch|patches|patchset|series|fix|commit|change|it|this|that|diff"
/* No "reproducer": that there is none says nothing of the issue. */
#define REPRODUCE                                                 \
	"reproduce|reproduces|reproduced|reproducing|reproduci*|" \
	"reproducable|reproduceable|reproduction"
#define ISSUE                                                                  \
	"issue*|regression*|problem*|bug*|warning*|fail*|crash*|error*|hang*|" \
	"splat*|panic*|oops*|deadlock*|leak*|assert*|drop"

/* In the order of weight: the first that fits is what a sentence says. */
static const struct phrase phrases[] = {
	{WORD_RETRACTED, NOTHING, ALWAYS, KEY_FALSE,
	 "this|it|that|report is|was ~ false positive|alarm"},
	{WORD_RETRACTED, NOTHING, ALWAYS, KEY_SORRY,
	 "sorry|apologies ~ noise|false"},
	{WORD_RETRACTED, NOTHING, ALWAYS, KEY_IGNORE,
	 "please|just ignore|disregard ~ report|mail|email|message|noise"},
	{WORD_RETRACTED, NOTHING, AT_START, KEY_IGNORE,
	 "please|pls ignore|disregard this|it|the|that|my"},
	{WORD_RETRACTED, NOTHING, ALWAYS, KEY_RETRACT,
	 "retract|withdraw|retracting|withdrawing ~ report|patch*|series"},

	{WORD_NOT_REPRODUCED, NOTHING, ALWAYS, KEY_REPRODUC,
	 "can|could|did|do|does|was|were|am|been not ~ " REPRODUCE},
	{WORD_NOT_REPRODUCED, NOTHING, ALWAYS, KEY_REPRODUC,
	 "cannot|can't|couldn't|didn't|don't|doesn't|wasn't|haven't "
	 "~ " REPRODUCE},
	{WORD_NOT_REPRODUCED, NOTHING, ALWAYS, KEY_REPRODUC,
	 "unable|failed|fail to " REPRODUCE},
	{WORD_NOT_REPRODUCED, NOTHING, ALWAYS, KEY_REPRODUC,
	 "not reproducible|reproducable"},
	{WORD_NOT_REPRODUCED, NOTHING, IF_TESTED, KEY_REGRESS,
	 "there|is|was|see|found|shows ~ no regression"},

	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_STILL,
	 "still exist*|trigger*|happen*|fail*|crash*|hang*|occur*|"
	 "regress*|panic*|" REPRODUCE},
	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_STILL,
	 "still can|could|do|be trigger*|" REPRODUCE},
	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_STILL,
	 "still ~ trigger*|" REPRODUCE " ~ " ISSUE},
	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_STILL, "still ~ regression*"},
	{WORD_TESTED_BAD, NOTHING, IF_ISSUE, KEY_STILL,
	 "still see|seeing|hit|hitting|get|getting|observe*|there|present"},
	{WORD_TESTED_BAD, NOTHING, IF_ISSUE, KEY_FIX,
	 "did|does|do|could|can not ~ fix|solve|resolve|cure|restore"},
	{WORD_TESTED_BAD, NOTHING, IF_ISSUE, KEY_FIX,
	 "didn't|doesn't|don't|couldn't|can't|cannot ~ "
	 "fix|solve|resolve|cure|restore"},
	{WORD_TESTED_BAD, NOTHING, IF_TESTED, KEY_FIX | KEY_HELP,
	 "didn't|doesn't|not ~ help|fix|solve"},
	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_FIX | KEY_GONE,
	 "is|was|are not fixed|gone|resolved|solved"},
	{WORD_TESTED_BAD, NOTHING, ALWAYS, KEY_FIX | KEY_GONE,
	 "isn't|wasn't|aren't fixed|gone|resolved|solved"},
	{WORD_TESTED_BAD, NOTHING, IF_TESTED, KEY_DIFFERENCE,
	 "made|makes|make no difference"},

	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_GONE,
	 ISSUE " is|are|was|were|has|have|seems ~ gone|disappeared|vanished"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, IF_TESTED, KEY_FIX,
	 ISSUE " is|are|was|were|has|have|seems ~ fixed|resolved|solved"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_GONE,
	 ISSUE " disappear*|disappeared|vanished"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_GONE,
	 ISSUE " went|goes|gone ~ away"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_PERFORMANCE,
	 "performance ~ restored|recovered|back"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, IF_TESTED, KEY_FIX,
	 PATCH " ~ fixes|fixed|resolves|resolved|solves|solved|cures|cured"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, IF_TESTED, KEY_FIX,
	 "fixes|fixed|resolves|resolved|solves|solved ~ " ISSUE},
	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_FIX,
	 "fixes|fixed|solves|solved ~ for me|us"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, ALWAYS, KEY_WORKS,
	 "works|worked for me|us"},
	{WORD_TESTED_OK, WORD_TESTED_BAD, IF_TESTED, KEY_WORKS,
	 "works|working|worked fine|well|great|good|perfectly|now"},
	{WORD_TESTED_OK, NOTHING, ALWAYS, KEY_LONGER,
	 "no longer see|trigger*|happen*|occur*|crash*|fail*|hang*|" REPRODUCE},
	{WORD_TESTED_OK, WORD_TESTED_BAD, IF_TESTED, KEY_PASS,
	 "tests|xfstests|fstests ~ pass|passes|passed"},

	{WORD_CHANGES_REQUESTED, NOTHING, ALWAYS, KEY_PLEASE,
	 "please ~ resend|respin|rebase|rework|split|repost"},
	{WORD_CHANGES_REQUESTED, NOTHING, ALWAYS, KEY_PLEASE,
	 "please ~ send ~ v2|v3|v4|v5|v6|version|again"},
	{WORD_CHANGES_REQUESTED, NOTHING, AT_START, KEY_PLEASE,
	 "please fix|drop|remove|add|change|use|move|rename|update|address"},
	{WORD_CHANGES_REQUESTED, NOTHING, ALWAYS, KEY_NEED,
	 "needs|need ~ rework*|respin|resend|rebase|rebased"},
	{WORD_CHANGES_REQUESTED, NOTHING, ALWAYS, KEY_NEED, "needs more work"},
	{WORD_CHANGES_REQUESTED, NOTHING, ALWAYS, KEY_CHANGES,
	 "changes requested"},
};

/* What makes a sentence a condition, a wish, a plan: no claim. */
static const char *const conditions[] = {
	"if",	  "whether", "unless",	  "should",   "would",	 "could",
	"hope",	  "hoping",  "hopefully", "will",     "might",	 "ensure",
	"until",  "suppose", "assume",	  "assuming", "unclear", "wonder",
	"likely", "perhaps", "maybe",	  "needed"};

/* People at work on it: the issue is there, but nothing was tested. */
static const char *const at_work[] = {"tracking",      "trying",    "looking",
				      "investigating", "debugging", "working",
				      "call",	       "waiting"};

static const char *const tested_words[] = {
	"tested",     "test",	    "tests",	"testing", "confirm",
	"confirmed",  "confirms",   "verified", "verify",  "tried",
	"ran",	      "rerun",	    "reran",	"indeed",  "applied",
	"applying",   "reproducer", "retested", "retest",  "revalidated",
	"performance"};

/* ---- phrases */

/* Called for every word and phrase: tokens are too short for calls. */
static gboolean word_fits(const char *word, const char *token, gsize len)
{
	while (len) {
		gsize n = 0;
		gboolean open;

		while (n < len && token[n] != '|')
			n++;
		open = n && token[n - 1] == '*';
		if ((*word == *token || n == (gsize)open) &&
		    !strncmp(word, token, n - open) && (open || !word[n]))
			return TRUE;
		if (n == len)
			return FALSE;
		token += n + 1;
		len -= n + 1;
	}
	return FALSE;
}

guint phrase_end(const struct sentence *s, const char *text, guint at)
{
	guint gap = 0;

	while (*text) {
		gsize len = 0;

		while (text[len] && text[len] != ' ')
			len++;
		if (len == 1 && *text == '~') {
			gap = GAP_WORDS;
		} else {
			while (at < s->n && gap &&
			       !word_fits(s->word[at], text, len)) {
				at++;
				gap--;
			}
			if (at >= s->n || !word_fits(s->word[at], text, len))
				return 0;
			at++;
			gap = 0;
		}
		text += len;
		text += *text == ' ';
	}
	return at;
}

static gboolean is_one_of(const char *word, const char *const *list, gsize n)
{
	for (gsize i = 0; i < n; i++)
		if (!strcmp(word, list[i]))
			return TRUE;
	return FALSE;
}

static gboolean is_denial(const char *word)
{
	static const char *const list[] = {"not",     "never", "no",
					   "nor",     "none",  "without",
					   "neither", "cannot"};
	gsize n = strlen(word);

	return is_one_of(word, list, G_N_ELEMENTS(list)) ||
	       (n > 3 && !strcmp(word + n - 3, "n't"));
}

static gboolean is_denied(const struct sentence *s, guint from, guint to)
{
	for (guint i = from > NEGATION_WORDS ? from - NEGATION_WORDS : 0;
	     i < to; i++)
		if (is_denial(s->word[i]))
			return TRUE;
	return FALSE;
}

/* "to confirm that it fixes" */
static gboolean is_plan(const struct sentence *s, guint at)
{
	static const char *const verbs[] = {"confirm", "verify", "test",
					    "check", "see"};

	return at && !strcmp(s->word[at - 1], "to") &&
	       is_one_of(s->word[at], verbs, G_N_ELEMENTS(verbs));
}

/* "could not" tells of what was tried. */
static gboolean is_past(const struct sentence *s, guint at)
{
	return at + 1 < s->n && !strcmp(s->word[at], "could") &&
	       !strcmp(s->word[at + 1], "not");
}

static gboolean is_conditional(const struct sentence *s, guint to)
{
	for (guint i = 0; i < to; i++) {
		gsize n = strlen(s->word[i]);

		if (is_plan(s, i) ||
		    (!is_past(s, i) && is_one_of(s->word[i], conditions,
						 G_N_ELEMENTS(conditions))) ||
		    (n > 3 && !strcmp(s->word[i] + n - 3, "'ll")))
			return TRUE;
	}
	return FALSE;
}

static gboolean tells_of_test(const struct sentence *s)
{
	for (guint i = 0; i < s->n; i++)
		if (is_one_of(s->word[i], tested_words,
			      G_N_ELEMENTS(tested_words)))
			return TRUE;
	return FALSE;
}

static gboolean names_issue(const struct sentence *s)
{
	for (guint i = 0; i < s->n; i++)
		if (word_fits(s->word[i], ISSUE, strlen(ISSUE)))
			return TRUE;
	return FALSE;
}

static gboolean is_met(const struct sentence *s, enum need need, guint at)
{
	switch (need) {
	case IF_TESTED:
		return tells_of_test(s);
	case IF_ISSUE:
		return names_issue(s);
	case AT_START:
		return s->colon[at];
	default:
		return TRUE;
	}
}

static gboolean is_at_work(const struct sentence *s)
{
	for (guint i = 0; i < s->n; i++)
		if (is_one_of(s->word[i], at_work, G_N_ELEMENTS(at_work)))
			return TRUE;
	return FALSE;
}

/* "can't reproduce it reliably": now and then it is there; "often it doesn't":
 * that is about more than this. */
static gboolean is_at_times(const struct sentence *s, guint from, guint to)
{
	static const char *const rare[] = {"always",	   "reliably", "every",
					   "consistently", "easily",   "often",
					   "sometimes",	   "usually"};
	static const char *const general[] = {"often", "sometimes", "usually",
					      "cases"};

	for (guint i = from; i < s->n && i < to + NEAR_WORDS; i++)
		if (is_one_of(s->word[i], rare, G_N_ELEMENTS(rare)))
			return TRUE;
	for (guint i = 0; i < from; i++)
		if (is_one_of(s->word[i], general, G_N_ELEMENTS(general)) ||
		    (!strcmp(s->word[i], "case") &&
		     !strcmp(s->word[i + 1], "where")))
			return TRUE;
	return FALSE;
}

/* "I don't know how to reproduce it", "it needs no cancel to reproduce"; of
 * others: "interesting that you could not reproduce"; "no regression tests". */
static gboolean is_other_matter(const struct sentence *s, guint from, guint to)
{
	static const char *const words[] = {"know", "how",  "need", "needs",
					    "sure", "want", "wants"};

	for (guint i = from; i < to; i++)
		if (is_one_of(s->word[i], words, G_N_ELEMENTS(words)))
			return TRUE;
	return (from && !strcmp(s->word[from - 1], "you")) ||
	       (to < s->n && g_str_has_prefix(s->word[to], "test"));
}

static gboolean holds(const struct sentence *s, const struct phrase *x,
		      guint from, guint to)
{
	if (!is_met(s, x->need, from))
		return FALSE;
	if (x->kind == WORD_CHANGES_REQUESTED)
		return !is_denied(s, from, to);
	if (is_conditional(s, to) ||
	    (x->kind == WORD_NOT_REPRODUCED &&
	     (is_at_times(s, from, to) || is_other_matter(s, from, to))))
		return FALSE;
	return x->kind != WORD_TESTED_BAD || !is_at_work(s);
}

static gboolean find_phrase(const struct sentence *s,
			    enum verdict_word_kind *kind)
{
	for (guint p = 0; p < G_N_ELEMENTS(phrases); p++) {
		const struct phrase *x = &phrases[p];

		for (guint i = 0; (x->keys & s->keys) && i < s->n; i++) {
			guint end = phrase_end(s, x->text, i);

			if (!end || !holds(s, x, i, end))
				continue;
			*kind = x->denied != NOTHING && is_denied(s, i, end)
					? x->denied
					: x->kind;
			return TRUE;
		}
	}
	return FALSE;
}

/* ---- refusals: one word, which also means other things */

static const char *const before_nak[] = {
	"so",  "hence",	 "therefore", "thus", "sorry",	    "clear",
	"big", "strong", "hard",      "firm", "definitely", "absolutely",
	"a",   "an",	 "is",	      "it's", "that's",	    "this",
	"i",   "iow",	 "imo",	      "imho", "and",	    "but",
	"ok",  "yes",	 "well",      "also", "still",	    "my"};
#define STRONG_BEFORE 12 /* so many of them need no beginning before them */

/* "NAK.", "so NACK on this", "as I said: clear NAK for". */
static gboolean is_nak(const struct sentence *s, guint *at)
{
	static const char *const naks[] = {"nak",   "nack",   "nacked",
					   "naked", "naking", "nacking"};

	for (guint i = 0; i < s->n; i++) {
		gboolean strong = FALSE;
		guint k = i;

		if (!is_one_of(s->word[i], naks, G_N_ELEMENTS(naks)))
			continue;
		*at = i;
		while (!s->colon[k] && is_one_of(s->word[k - 1], before_nak,
						 G_N_ELEMENTS(before_nak))) {
			k--;
			strong |= is_one_of(s->word[k], before_nak,
					    STRONG_BEFORE);
		}
		if (s->colon[k] || strong)
			return TRUE;
	}
	return FALSE;
}

/* A refusal is shouted, or is a whole sentence. */
static gboolean is_loud(const struct sentence *s, guint at)
{
	for (const char *p = s->text; p + 2 < s->text + s->len; p++)
		if (!strncmp(p, "NAK", 3) || !strncmp(p, "NACK", 4))
			return TRUE;
	return at == 0 &&
	       (s->n == 1 || !strcmp(s->word[1], "on") ||
		!strcmp(s->word[1], "to") || !strcmp(s->word[1], "by"));
}

/* "NAK, I should have tested this": the sender takes his own back. */
static gboolean is_own(const struct sentence *s, guint at)
{
	static const char *const words[] = {"should",  "should've", "forgot",
					    "missed",  "sent",	    "messed",
					    "screwed", "made",	    "meant"};

	return at + 2 < s->n && !strcmp(s->word[at + 1], "i") &&
	       is_one_of(s->word[at + 2], words, G_N_ELEMENTS(words));
}

gboolean sentence_judge(const struct sentence *s, enum verdict_word_kind *kind)
{
	guint at;

	if (s->question) {
		*kind = WORD_QUESTION;
		return s->n >= QUESTION_MIN;
	}
	if (!s->keys)
		return FALSE;
	if ((s->keys & KEY_NAK) && is_nak(s, &at) && is_loud(s, at) &&
	    !is_denied(s, at, at)) {
		*kind = is_own(s, at) ? WORD_RETRACTED : WORD_NAK;
		return TRUE;
	}
	if (find_phrase(s, kind))
		return TRUE;
	*kind = WORD_PROMISED;
	if ((s->keys & KEY_PLAN) && sentence_promises(s))
		return TRUE;
	*kind = WORD_INTENDED;
	return (s->keys & KEY_MEANT) && sentence_intends(s);
}
