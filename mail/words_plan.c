/* words_plan.c - what people say they will do, and what they say is meant so
 * "I'll send a v2", "v2 is on its way"; "this regression is expected". What is
 * made of that is not decided here. */
#include <string.h>

#include "mail/words_priv.h"

#define VERB_WORDS   3	/* between "will" and what is done */
#define OBJECT_WORDS 8	/* from there to what is sent */
#define THING_WORDS  4	/* ... to "a fix" */
#define TARGET_WORDS 25 /* ... to the version in which it is done */
#define NEAR_WORDS   3

static gboolean is_any(const struct sentence *s, guint at,
		       const char *const *list)
{
	for (; at < s->n && *list; list++)
		if (!strcmp(s->word[at], *list))
			return TRUE;
	return FALSE;
}

static gboolean begins_any(const struct sentence *s, guint at,
			   const char *const *list)
{
	for (; at < s->n && *list; list++)
		if (g_str_has_prefix(s->word[at], *list))
			return TRUE;
	return FALSE;
}

static gboolean has_near(const struct sentence *s, guint from, guint count,
			 const char *const *list)
{
	for (guint i = from; i < s->n && i < from + count; i++)
		if (is_any(s, i, list))
			return TRUE;
	return FALSE;
}

/* ---- what is to come */

/* "v2", but not the "v5" of "v5.10". */
static gboolean is_numbered(const struct sentence *s, guint at)
{
	const char *w = s->word[at];
	gsize digits = *w == 'v' ? strspn(w + 1, "0123456789") : 0;

	return digits && digits < 3 && !w[1 + digits] && strcmp(w, "v1") &&
	       !(at + 1 < s->n && (g_ascii_isdigit(*s->word[at + 1]) ||
				   !strcmp(s->word[at + 1], "x")));
}

/* "v3", "the next version", "a respin". */
static gboolean is_version(const struct sentence *s, guint at)
{
	static const char *const nouns[] = {"version", "revision", "iteration",
					    "round",   "series",   "patchset",
					    "spin",    "posting",  "submission",
					    "patch",   NULL};
	static const char *const newer[] = {"next",	"new",	   "updated",
					    "another",	"second",  "third",
					    "revised",	"fixed",   "following",
					    "upcoming", "newer",   "proper",
					    "improved", "rebased", NULL};
	static const char *const own[] = {"respin", "reroll", "resend",
					  "repost", NULL};

	return is_numbered(s, at) || is_any(s, at, own) ||
	       (is_any(s, at, nouns) && at &&
		has_near(s, at > 2 ? at - 2 : 0, at > 2 ? 2 : at, newer));
}

static const char *const sends[] = {"send",   "post",	 "submit", "prepare",
				    "cook",   "produce", "roll",   "spin",
				    "resend", "repost",	 "write",  "provide",
				    "make",   "do",	 "sent",   "posted",
				    "issue",  NULL};
/* These alone tell that there will be another one. */
static const char *const again[] = {"resend", "repost", "respin",   "reroll",
				    "rework", "rebase", "resubmit", NULL};
/* Beginnings of what is done to a patch. */
static const char *const mends[] = {
	"fix",	    "chang",	  "updat",   "address", "add",	    "drop",
	"remov",    "renam",	  "correct", "includ",	"split",    "use",
	"mov",	    "adjust",	  "rephras", "reword",	"incorpor", "clean",
	"improv",   "convert",	  "rewrit",  "mention", "document", "explain",
	"handl",    "put",	  "switch",  "replac",	"squash",   "separat",
	"do",	    "restructur", "try",     "make",	"clarif",   "simplif",
	"integrat", "implement",  "extend",  "expand",	"describ",  "get",
	"take",	    "keep",	  "merg",    "fold",	"rework",   "rebas",
	NULL};

/* What the doer will do, from word `at` on. */
static gboolean tells_plan(const struct sentence *s, guint at)
{
	static const char *const skip[] = {"also",	"just",	      "be",
					   "then",	"definitely", "soon",
					   "try",	"to",	      "go",
					   "and",	"of",	      "course",
					   "certainly", "shortly",    "go",
					   "now",	"probably",   NULL};
	static const char *const things[] = {"fix",    "fixes",	  "patch",
					     "series", "patches", "patchset",
					     "fixup",  NULL};
	static const char *const inside[] = {"in", "for", "with", NULL};
	guint verb = at;

	while (verb < s->n && verb < at + VERB_WORDS && is_any(s, verb, skip))
		verb++;
	if (is_any(s, verb, again))
		return TRUE;
	if (is_any(s, verb, sends))
		for (guint i = verb + 1; i < s->n && i <= verb + OBJECT_WORDS;
		     i++)
			if (is_version(s, i) ||
			    (i <= verb + THING_WORDS && is_any(s, i, things) &&
			     strcmp(s->word[verb], "do")))
				return TRUE;
	if (!begins_any(s, verb, mends))
		return FALSE;
	for (guint i = verb + 1; i < s->n && i <= verb + TARGET_WORDS; i++)
		if (is_version(s, i) &&
		    has_near(s, i > NEAR_WORDS ? i - NEAR_WORDS : 0, NEAR_WORDS,
			     inside))
			return TRUE;
	return FALSE;
}

/* Index behind what makes it a plan of the sender: "I'll", "let me"; 0. */
static guint plan_end(const struct sentence *s, guint at)
{
	static const char *const own[] = {"i'll", "we'll", NULL};
	static const char *const will[] = {"will", "shall", NULL};
	static const char *const before[] = {
		"i",	  "we",	   "ok",    "okay",  "sure",   "yes",
		"yeah",	  "yep",   "right", "so",    "and",    "then",
		"thanks", "you",   "but",   "good",  "point",  "catch",
		"ack",	  "noted", "oh",    "sorry", "indeed", "agreed",
		"done",	  "it",	   "this",  "that",  "both",   "all",
		"them",	  "these", "oops",  "true",  "idea",   "suggestion",
		"they",	  NULL};
	static const char *const going[] = {"going", "planning", "plan",
					    "about", "intend",	 "hope",
					    NULL};
	static const char *const me[] = {"i",  "i'm", "we", "we're",
					 "am", "are", NULL};

	if (is_any(s, at, own))
		return at + 1;
	if (is_any(s, at, will) && (!at || is_any(s, at - 1, before)))
		return at + 1;
	if (!strcmp(s->word[at], "let") && at + 1 < s->n &&
	    !strcmp(s->word[at + 1], "me"))
		return at + 2;
	if (is_any(s, at, going) && at && is_any(s, at - 1, me) &&
	    at + 1 < s->n && !strcmp(s->word[at + 1], "to"))
		return at + 2;
	return 0;
}

/* "v2 coming", "new version on its way"; "working on v2". */
static gboolean is_under_way(const struct sentence *s, guint at)
{
	static const char *const soon[] = {"coming",   "incoming", "soon",
					   "shortly",  "follows",  "follow",
					   "tomorrow", "underway", "way",
					   NULL};
	static const char *const work[] = {"working", "preparing", "cooking",
					   "writing", "testing",   NULL};

	static const char *const me[] = {"i'm",	  "am",	 "currently", "already",
					 "we're", "are", NULL};

	if (!is_version(s, at))
		return FALSE;
	if (has_near(s, at + 1, NEAR_WORDS + 1, soon))
		return TRUE;
	for (guint i = at > NEAR_WORDS ? at - NEAR_WORDS : 0; i < at; i++)
		if (is_any(s, i, work) && (!i || is_any(s, i - 1, me)))
			return TRUE;
	return FALSE;
}

/* Nothing is promised on a condition, or by who denies it. */
static gboolean is_doubtful(const struct sentence *s)
{
	static const char *const words[] = {
		"if",	 "whether", "unless", "would",	"could",   "should",
		"might", "may",	    "maybe",  "can",	"cannot",  "can't",
		"won't", "not",	    "don't",  "never",	"please",  "didn't",
		"isn't", "didnt",   "your",   "you'll", "needn't", NULL};

	return has_near(s, 0, s->n, words);
}

gboolean sentence_promises(const struct sentence *s)
{
	for (guint i = 0; i < s->n; i++) {
		guint end = plan_end(s, i);

		if ((end && tells_plan(s, end)) || is_under_way(s, i))
			return !is_doubtful(s);
	}
	return FALSE;
}

/* ---- what is meant so */

#define WHAT                                                              \
	"this|it|that|these|change|regression|regressions|slowdown|drop|" \
	"degradation|behavior|behaviour|result|results|impact|increase|"  \
	"overhead|difference|report"
#define MEANT                                                              \
	"expected|intended|intentional|deliberate|unavoidable|inevitable|" \
	"acceptable"

/* Words up to `end`: "is expected to help", "intended for", "slower than
 * expected", "what I expected" tell what somebody thought. */
static gboolean is_forecast(const struct sentence *s, guint end)
{
	static const char *const before[] = {"as", "than", "i", "we", NULL};
	static const char *const after[] = {"to", "for", NULL};

	static const char *const thought[] = {"expected", "intended", NULL};

	return is_any(s, end - 1, thought) &&
	       (is_any(s, end, after) ||
		(!strcmp(s->word[end - 1], "expected") && end > 1 &&
		 is_any(s, end - 2, before)));
}

gboolean sentence_intends(const struct sentence *s)
{
	static const char *const phrases[] = {
		WHAT " is|was|are|were|seems|looks ~ " MEANT,
		"it's|that's ~ " MEANT,
		MEANT " regression|tradeoff|slowdown|degradation|cost|"
		      "consequence|trade|side",
		"works|working|behaves|behaving as designed|intended",
		"is|was|are|it's|that's|this ~ by design",
		"is|was|are|did|done|it's|that's ~ on purpose",
		"is|are|it's|that's|was ~ tradeoff|tradeoffs",
		"is|are|it's|that's|was ~ trade off|offs",
		"price|cost|penalty ~ pay",
	};
	static const char *const no[] = {"not",	    "never",   "if",
					 "would",   "should",  "unless",
					 "hardly",  "no",      "maybe",
					 "perhaps", "either",  "presume",
					 "cannot",  "whether", "possibly",
					 NULL};

	for (guint i = 0; i < s->n; i++)
		if (is_any(s, i, no) || g_str_has_suffix(s->word[i], "n't"))
			return FALSE;
	for (guint p = 0; p < G_N_ELEMENTS(phrases); p++)
		for (guint i = 0; i < s->n; i++) {
			guint end = phrase_end(s, phrases[p], i);

			if (end && !is_forecast(s, end))
				return TRUE;
		}
	return FALSE;
}
