/* table_stated.c - how often people say that they ran a test
 * "each test was run two times", "tested for 5 times", "average of 10 runs".
 * Says nothing about counts of failures ("4 times out of 6 runs"). */
#include <string.h>

#include "mail/table_runs.h"

#define MAX_LINE  300 /* bytes; longer ones are no prose */
#define MAX_WORDS 200 /* of the lines looked at together */
#define MAX_RUNS  1000
#define MAX_SAID  50 /* times that one message says it */
#define NEAR	  4  /* words between a verb and its number */
#define MIN_HASH  7
#define AROUND	  1 /* lines before and behind */

struct words {
	const char *word[MAX_WORDS];
	guint len[MAX_WORDS];
	guint n;
};

static gboolean is_edge(char c)
{
	return strchr(".,;:()[]\"'`*", c) != NULL;
}

static void add_words(struct words *w, const struct body_line *l)
{
	const char *p = l->text + l->skip, *end = l->text + l->len;

	while (p < end && w->n < MAX_WORDS) {
		const char *start, *stop;

		while (p < end && g_ascii_isspace(*p))
			p++;
		start = p;
		while (p < end && !g_ascii_isspace(*p))
			p++;
		stop = p;
		while (start < stop && is_edge(*start))
			start++;
		while (start < stop && is_edge(stop[-1]))
			stop--;
		w->word[w->n] = start;
		w->len[w->n] = (guint)(stop - start);
		w->n += stop > start;
	}
}

static gboolean is_word(const struct words *w, guint i, const char *word)
{
	return i < w->n && strlen(word) == w->len[i] &&
	       !g_ascii_strncasecmp(word, w->word[i], w->len[i]);
}

static gboolean is_one_of(const struct words *w, guint i,
			  const char *const *list)
{
	for (guint k = 0; list[k]; k++)
		if (is_word(w, i, list[k]))
			return TRUE;
	return FALSE;
}

/* "5", "five", "5x"; 0: no number. */
static guint number(const struct words *w, guint i)
{
	static const char *const names[] = {"one",  "two", "three", "four",
					    "five", "six", "seven", "eight",
					    "nine", "ten"};
	guint64 n = 0;
	guint k;

	if (i >= w->n)
		return 0;
	for (k = 0; k < G_N_ELEMENTS(names); k++)
		if (is_word(w, i, names[k]))
			return k + 1;
	for (k = 0; k < w->len[i] && g_ascii_isdigit(w->word[i][k]); k++)
		n = MIN(n * 10 + (guint64)(w->word[i][k] - '0'), MAX_RUNS + 1);
	if (k < w->len[i] && (w->word[i][k] != 'x' || k + 1 != w->len[i]))
		return 0;
	return n <= MAX_RUNS ? (guint)n : 0;
}

/* "tested only once", "ran a single time" */
static gboolean says_once(const struct words *w, guint i)
{
	static const char *const only[] = {"only", "just", NULL};
	static const char *const times[] = {"time", "run", NULL};

	return (is_word(w, i, "once") && i && is_one_of(w, i - 1, only)) ||
	       (is_word(w, i, "single") && is_one_of(w, i + 1, times));
}

static gboolean has_verb(const struct words *w, guint before)
{
	static const char *const verbs[] = {"run",	"ran",	    "rerun",
					    "re-run",	"reran",    "tested",
					    "test",	"repeated", "repeat",
					    "executed", "measured", "measured",
					    "tests",	"runs",	    NULL};

	for (guint i = 1; i <= NEAR && i <= before; i++)
		if (is_one_of(w, before - i, verbs))
			return TRUE;
	return FALSE;
}

/* The number of runs that is said at word `i`; 0: nothing. */
static guint said(const struct words *w, guint i)
{
	static const char *const not_behind[] = {"out",	    "of",     "faster",
						 "slower",  "more",   "larger",
						 "better",  "higher", "lower",
						 "smaller", "as",     "less",
						 NULL};
	static const char *const each[] = {"each", "per", "every", NULL};
	static const char *const mean[] = {"average", "averages", "averaged",
					   "mean",    "means",	  "median",
					   NULL};
	static const char *const runs[] = {"runs", "iterations", "repetitions",
					   NULL};
	static const char *const run[] = {"run", "iteration", NULL};
	guint n = number(w, i);

	if (says_once(w, i))
		return has_verb(w, i);
	if (!n)
		return 0;
	if (is_word(w, i + 1, "times") || (n == 1 && is_word(w, i + 1, "time")))
		return has_verb(w, i) && !is_one_of(w, i + 2, not_behind) ? n
									  : 0;
	if (!is_one_of(w, i + 1, n == 1 ? run : runs))
		return 0;
	if (is_one_of(w, i + 2, each) || is_one_of(w, i + 3, each))
		return n;
	for (guint k = 1; k <= NEAR && k <= i; k++)
		if (is_one_of(w, i - k, mean))
			return n;
	return 0;
}

static gboolean is_hash(const struct words *w, guint i)
{
	guint k;

	for (k = 0; k < w->len[i] && g_ascii_isxdigit(w->word[i][k]); k++)
		continue;
	return k >= MIN_HASH && k == w->len[i];
}

static void state(struct table *t, const char *commit, guint runs)
{
	int only = commit ? table_find_column(t, commit) : -1;

	for (guint i = 0; i < t->columns->len; i++) {
		struct table_column *c = table_column(t, i);

		if (commit && (int)i != only)
			continue;
		c->runs = runs;
		c->runs_source = TABLE_RUNS_STATED;
	}
}

/* Where the words name commits, only their columns are meant. */
static void apply(GPtrArray *tables, const struct words *w, guint depth,
		  guint runs)
{
	gboolean named = FALSE;

	for (guint k = 0; k <= w->n; k++) {
		g_autofree char *commit = NULL;

		if (k < w->n && !is_hash(w, k))
			continue;
		if (k == w->n && named)
			break;
		if (k < w->n)
			commit = g_strndup(w->word[k], w->len[k]);
		named = TRUE;
		for (guint i = 0; i < tables->len; i++) {
			struct table *t = tables->pdata[i];

			if (t->depth == depth)
				state(t, commit, runs);
		}
	}
}

static gboolean is_prose(const struct body_line *l)
{
	return l->len - l->skip <= MAX_LINE && l->kind != BODY_SIGNATURE &&
	       l->kind != BODY_FOOTER && l->kind != BODY_DIFF &&
	       l->kind != BODY_FORWARD;
}

static gboolean may_say(const struct body_line *l)
{
	const char *text = l->text + l->skip;
	gsize len = l->len - l->skip;

	return is_prose(l) &&
	       (memmem(text, len, "time", 4) || memmem(text, len, "run", 3) ||
		memmem(text, len, "iteration", 9) ||
		memmem(text, len, "repetitions", 11) ||
		memmem(text, len, "once", 4));
}

/* Lines `at` and around it, of the same depth; a blank line parts them. */
static void words_around(const body *b, guint at, struct words *w)
{
	const struct body_line *l = body_line(b, at);
	guint first = at, last = at;

	w->n = 0;
	while (first > 0 && at - first < AROUND) {
		const struct body_line *p = body_line(b, first - 1);

		if (p->depth != l->depth || p->len <= p->skip || !is_prose(p))
			break;
		first--;
	}
	while (last + 1 < body_count(b) && last - at < AROUND) {
		const struct body_line *p = body_line(b, last + 1);

		if (p->depth != l->depth || p->len <= p->skip || !is_prose(p))
			break;
		last++;
	}
	for (guint i = first; i <= last; i++)
		add_words(w, body_line(b, i));
}

void tables_state_runs(GPtrArray *tables, const body *b)
{
	struct words w;
	guint times = 0;

	for (guint i = 0; i < body_count(b) && times < MAX_SAID; i++) {
		guint runs = 0;

		if (!may_say(body_line(b, i)))
			continue;
		words_around(b, i, &w);
		for (guint k = 0; k < w.n && !runs; k++)
			runs = said(&w, k);
		if (!runs)
			continue;
		apply(tables, &w, body_line(b, i)->depth, runs);
		times++;
	}
}
