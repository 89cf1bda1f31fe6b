/* query.c - the query language: text to a tree of terms
 * A recursive-descent parser whose depth is bounded by QUERY_MAX_DEPTH. Knows
 * no table and no SQL: who evaluates a tree rejects what it can't answer. */
#include "db/query.h"

#include <string.h>

#include "mail/date.h"

#include "db/query_dates.h"

G_DEFINE_QUARK(query - error - quark, query_error)

/* What a prefix may be followed by beside a word or a phrase. */
enum { PLAIN, DATES, NUMBERS, RANGES };

static const struct {
	const char *name;
	const char *canonical;
	int takes;
} prefixes[] = {
	{"s", "s", PLAIN},
	{"subject", "s", PLAIN},
	{"b", "b", PLAIN},
	{"body", "b", PLAIN},
	{"bs", "bs", PLAIN},
	{"q", "q", PLAIN},
	{"nq", "nq", PLAIN},
	{"f", "f", PLAIN},
	{"from", "f", PLAIN},
	{"t", "t", PLAIN},
	{"to", "t", PLAIN},
	{"c", "c", PLAIN},
	{"cc", "c", PLAIN},
	{"a", "a", PLAIN},
	{"tc", "tc", PLAIN},
	{"l", "l", PLAIN},
	{"list", "l", PLAIN},
	{"m", "m", PLAIN},
	{"mid", "m", PLAIN},
	{"id", "m", PLAIN},
	{"rfc822msgid", "m", PLAIN},
	{"d", "d", DATES},
	{"date", "d", DATES},
	{"rt", "rt", DATES},
	{"n", "n", PLAIN},
	{"dfn", "dfn", PLAIN},
	{"dfa", "dfa", PLAIN},
	{"dfb", "dfb", PLAIN},
	{"dfhh", "dfhh", PLAIN},
	{"dfctx", "dfctx", PLAIN},
	{"dfpre", "dfpre", PLAIN},
	{"dfpost", "dfpost", PLAIN},
	{"dfblob", "dfblob", PLAIN},
	{"patchid", "patchid", PLAIN},
	{"thread", "thread", PLAIN},
	{"is", "is", PLAIN},
	{"tag", "is", PLAIN},
	{"state", "state", PLAIN},
	{"sub", "sub", PLAIN},
	{"person", "person", PLAIN},
	{"trailer", "trailer", PLAIN},
	{"culprit", "culprit", PLAIN},
	{"fix", "fix", PLAIN},
	{"base", "base", PLAIN},
	{"test", "test", PLAIN},
	{"metric", "metric", PLAIN},
	{"machine", "machine", PLAIN},
	{"verdict", "verdict", PLAIN},
	{"tree", "tree", PLAIN},
	{"prio", "prio", PLAIN},
	{"assigned", "assigned", PLAIN},
	{"muted", "muted", PLAIN},
	{"wait", "wait", PLAIN},
	{"series", "series", PLAIN},
	{"change", "change", NUMBERS},
	{"runs", "runs", NUMBERS},
	{"age", "age", NUMBERS},
	{"introduced", "introduced", RANGES},
};

/* Without an operator between them these are alternatives. */
static const char *const alternatives[] = {"is", "state", "sub", "l"};

struct parser {
	const char *text;
	const char *p;
	gint64 now;
	guint terms;
	guint depth;
	GError **err;
};

static guint column_of(const struct parser *ps, const char *at)
{
	return (guint)g_utf8_strlen(ps->text, at - ps->text) + 1;
}

static struct query *query_new(enum query_op op, guint column)
{
	struct query *q = g_new0(struct query, 1);

	q->op = op;
	q->column = column;
	if (op == QUERY_AND || op == QUERY_OR || op == QUERY_NOT)
		q->parts = g_ptr_array_new_with_free_func(
			(GDestroyNotify)query_free);
	return q;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	if (q->parts)
		g_ptr_array_unref(q->parts);
	g_free(q->prefix);
	g_free(q->text);
	g_free(q->high);
	g_free(q);
}

static struct query *fail(struct parser *ps, const char *at,
			  const char *expected)
{
	guint column = column_of(ps, at);

	if (ps->err && !*ps->err)
		g_set_error(ps->err, QUERY_ERROR, (gint)column,
			    "query: column %u: %s", column, expected);
	return NULL;
}

static void skip_blanks(struct parser *ps)
{
	while (g_ascii_isspace(*ps->p))
		ps->p++;
}

/* Length of the bare word at `p`: up to a blank or parenthesis. */
static gsize word_len(const char *p)
{
	gsize n = 0;

	while (p[n] && !g_ascii_isspace(p[n]) && p[n] != '(' && p[n] != ')')
		n++;
	return n;
}

static gboolean at_word(const struct parser *ps, const char *upper,
			const char *lower)
{
	gsize n = word_len(ps->p);

	return (n == strlen(upper) && !strncmp(ps->p, upper, n)) ||
	       (n == strlen(lower) && !strncmp(ps->p, lower, n));
}

static gboolean at_or(const struct parser *ps)
{
	return at_word(ps, "OR", "or") ||
	       (ps->p[0] == '|' && word_len(ps->p) == 1);
}

static gboolean at_and(const struct parser *ps)
{
	return at_word(ps, "AND", "and");
}

static int prefix_named(const char *p, gsize n)
{
	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (strlen(prefixes[i].name) == n &&
		    !strncmp(prefixes[i].name, p, n))
			return (int)i;
	return -1;
}

/* "is:" and nothing behind it. */
static gboolean is_empty_value(const char *p, gsize n)
{
	return n && p[n] == ':' &&
	       (!p[n + 1] || g_ascii_isspace(p[n + 1]) || p[n + 1] == ')') &&
	       prefix_named(p, n) >= 0;
}

/* Index into prefixes, -1 unknown, -2 if the word has no prefix, -4 if its value
 * is missing. */
static int prefix_at(const char *p, gsize *len)
{
	gsize n = 0;

	while (g_ascii_isalnum(p[n]) ||
	       (n && (p[n] == '.' || p[n] == '_' || p[n] == '-')))
		n++;
	*len = n;
	if (is_empty_value(p, n))
		return -4;
	if (!n || p[n] != ':' || !p[n + 1] || g_ascii_isspace(p[n + 1]) ||
	    p[n + 1] == ':' || !strncmp(p + n, "://", 3))
		return -2;
	return prefix_named(p, n);
}

static struct query *date_term(struct parser *ps, struct query *q,
			       const char *at, const char *value)
{
	const char *dots = strstr(value, "..");
	gint64 low = G_MININT64, high = G_MAXINT64, ignored;
	g_autofree char *a = dots ? g_strndup(value, (gsize)(dots - value))
				  : g_strdup(value);
	const char *b = dots ? dots + 2 : a;

	if ((*a && !query_date_span(a, ps->now, &low, &ignored)) ||
	    (*b && !query_date_span(b, ps->now, &ignored, &high)) ||
	    (!*a && !*b)) {
		query_free(q);
		return fail(ps, at,
			    "expected a date: 2024-01-31, 20240131, 7d, "
			    "last.week, or a range A..B of them");
	}
	if (low >= high) {
		query_free(q);
		return fail(ps, at, "the range ends before it begins");
	}
	q->kind = QUERY_RANGE;
	q->text = *a ? date_to_rfc3339(low) : NULL;
	q->high = *b ? date_to_rfc3339(high) : NULL;
	if (!q->text)
		q->text = g_strdup("");
	if (!q->high)
		q->high = g_strdup("");
	return q;
}

static struct query *number_term(struct parser *ps, struct query *q,
				 const char *at, const char *value)
{
	gsize op = strspn(value, "<>=");
	const char *dots = strstr(value, "..");

	if (op > 2 || (op && !value[op]) || (op && *value == '=' && op > 1) ||
	    (op > 1 && value[1] != '=')) {
		query_free(q);
		return fail(ps, at, "expected a number after <, >, <= or >=");
	}
	if (op) {
		q->kind = QUERY_COMPARE;
		q->text = g_strndup(value, op);
		q->high = g_strdup(value + op);
	} else if (dots) {
		q->kind = QUERY_RANGE;
		q->text = g_strndup(value, (gsize)(dots - value));
		q->high = g_strdup(dots + 2);
	} else {
		q->kind = QUERY_WORD;
		q->text = g_strdup(value);
	}
	return q;
}

/* A value up to the closing `quote`, which the cursor stands on. */
static char *quoted(struct parser *ps, char quote)
{
	const char *end = strchr(ps->p + 1, quote);
	char *text;

	if (!end) {
		fail(ps, ps->p,
		     quote == '"' ? "expected a closing quotation mark"
				  : "expected a closing slash");
		return NULL;
	}
	text = g_strndup(ps->p + 1, (gsize)(end - ps->p - 1));
	ps->p = end + 1;
	return text;
}

/* /x/ as a whole word is a regular expression; /x alone is a word. */
static gboolean at_regex(const struct parser *ps)
{
	const char *end = ps->p[0] == '/' ? strchr(ps->p + 1, '/') : NULL;

	return end && end > ps->p + 1 && word_len(end + 1) == 0;
}

static struct query *plain_term(struct parser *ps, struct query *q, int takes,
				const char *at)
{
	g_autofree char *value = NULL;
	gsize n;

	if (*ps->p == '"') {
		q->kind = QUERY_PHRASE;
		q->text = quoted(ps, '"');
	} else if (at_regex(ps)) {
		q->kind = QUERY_REGEX;
		q->text = quoted(ps, '/');
	} else {
		n = word_len(ps->p);
		value = g_strndup(ps->p, n);
		ps->p += n;
		if (takes == NUMBERS)
			return number_term(ps, q, at, value);
		if (takes == RANGES && strstr(value, "..")) {
			q->kind = QUERY_RANGE;
			q->high = g_strdup(strstr(value, "..") + 2);
			*strstr(value, "..") = 0;
			q->text = g_steal_pointer(&value);
			return q;
		}
		q->kind = QUERY_WORD;
		if (n > 1 && value[n - 1] == '*') {
			q->kind = QUERY_PREFIX;
			value[n - 1] = 0;
		}
		q->text = g_steal_pointer(&value);
	}
	if (!q->text || !*q->text) {
		query_free(q);
		return fail(ps, at, "expected a word, a \"phrase\" or /regex/");
	}
	return q;
}

static struct query *parse_term(struct parser *ps)
{
	const char *at = ps->p;
	struct query *q;
	gsize len;
	int i = prefix_at(ps->p, &len);

	if (++ps->terms > QUERY_MAX_TERMS)
		return fail(ps, at, "too many terms (at most 64)");
	if (i == -4)
		return fail(ps, at + len + 1,
			    "expected a value behind the colon; text with a "
			    "colon goes into \"quotation marks\"");
	if (i == -1 &&
	    (!strncmp(ps->p, "param.", 6) || !strncmp(ps->p, "set.", 4)))
		i = -3;
	if (i == -1) {
		g_autofree char *text = g_strdup_printf(
			"unknown prefix %.*s: (\"culprit help search\" and "
			"\"culprit help status\" list them); text with a "
			"colon goes into \"quotation marks\"",
			(int)MIN(len, 20), ps->p);

		return fail(ps, at, text);
	}
	q = query_new(QUERY_TERM, column_of(ps, at));
	if (i == -2) {
		q->prefix = g_strdup("");
		return plain_term(ps, q, PLAIN, at);
	}
	q->prefix = i == -3 ? g_strndup(ps->p, len)
			    : g_strdup(prefixes[i].canonical);
	ps->p += len + 1;
	if (i >= 0 && prefixes[i].takes == DATES) {
		g_autofree char *value = g_strndup(ps->p, word_len(ps->p));

		ps->p += strlen(value);
		return date_term(ps, q, at, value);
	}
	return plain_term(ps, q, i >= 0 ? prefixes[i].takes : PLAIN, at);
}

static struct query *parse_or(struct parser *ps);

static struct query *parse_atom(struct parser *ps)
{
	const char *at = ps->p;
	struct query *q;

	if (*ps->p != '(')
		return parse_term(ps);
	if (++ps->depth > QUERY_MAX_DEPTH)
		return fail(ps, at, "nested too deep (at most 32)");
	ps->p++;
	q = parse_or(ps);
	if (!q)
		return NULL;
	skip_blanks(ps);
	if (*ps->p != ')') {
		query_free(q);
		return fail(ps, ps->p, "expected ')'");
	}
	ps->p++;
	ps->depth--;
	return q;
}

static struct query *parse_not(struct parser *ps)
{
	const char *at;
	struct query *q, *inner;
	gboolean negated = TRUE;

	skip_blanks(ps);
	at = ps->p;
	if (at_word(ps, "NOT", "not"))
		ps->p += 3;
	else if ((*at == '-' || *at == '!') && at[1] &&
		 !g_ascii_isspace(at[1]) && at[1] != ')')
		ps->p++;
	else
		negated = FALSE;
	skip_blanks(ps);
	if (!*ps->p || *ps->p == ')' || at_or(ps) || at_and(ps))
		return fail(ps, ps->p, "expected a term");
	inner = parse_atom(ps);
	if (!inner || !negated)
		return inner;
	q = query_new(QUERY_NOT, column_of(ps, at));
	g_ptr_array_add(q->parts, inner);
	return q;
}

static gboolean alternative_to(const struct query *a, const struct query *b)
{
	if (a->op == QUERY_OR && a->implicit)
		a = a->parts->pdata[0];
	if (a->op != QUERY_TERM || b->op != QUERY_TERM ||
	    strcmp(a->prefix, b->prefix) != 0)
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(alternatives); i++)
		if (!strcmp(a->prefix, alternatives[i]))
			return TRUE;
	return FALSE;
}

/* Put `q` behind the others of an implicit or explicit AND. */
static void and_append(struct query *all, struct query *q, gboolean explicit)
{
	struct query *other, *either;

	for (guint i = 0; !explicit && i < all->parts->len; i++) {
		other = all->parts->pdata[i];
		if (!alternative_to(other, q))
			continue;
		if (other->op == QUERY_OR) {
			g_ptr_array_add(other->parts, q);
			return;
		}
		either = query_new(QUERY_OR, other->column);
		either->implicit = TRUE;
		g_ptr_array_add(either->parts, other);
		g_ptr_array_add(either->parts, q);
		all->parts->pdata[i] = either;
		return;
	}
	g_ptr_array_add(all->parts, q);
}

/* A group of one is its only part. */
static struct query *unwrap(struct query *q)
{
	struct query *only;

	if (q->parts->len != 1)
		return q;
	only = q->parts->pdata[0];
	q->parts->pdata[0] = NULL;
	g_ptr_array_set_free_func(q->parts, NULL);
	query_free(q);
	return only;
}

static struct query *parse_and(struct parser *ps)
{
	struct query *all = query_new(QUERY_AND, column_of(ps, ps->p));
	struct query *q = parse_not(ps);
	gboolean explicit = FALSE;

	while (q) {
		and_append(all, q, explicit);
		skip_blanks(ps);
		explicit = at_and(ps);
		if (explicit)
			ps->p += 3;
		else if (!*ps->p || *ps->p == ')' || at_or(ps))
			return unwrap(all);
		q = parse_not(ps);
	}
	query_free(all);
	return NULL;
}

static struct query *parse_or(struct parser *ps)
{
	struct query *any = query_new(QUERY_OR, column_of(ps, ps->p));
	struct query *q = parse_and(ps);

	while (q) {
		g_ptr_array_add(any->parts, q);
		skip_blanks(ps);
		if (!at_or(ps))
			return unwrap(any);
		ps->p += word_len(ps->p);
		q = parse_and(ps);
	}
	query_free(any);
	return NULL;
}

struct query *query_parse(const char *text, gint64 now, GError **err)
{
	struct parser ps = {text, text, now, 0, 0, err};
	struct query *q;

	if (strlen(text) > QUERY_MAX_BYTES)
		return fail(&ps, text, "longer than 1000 bytes");
	if (!g_utf8_validate(text, -1, NULL)) {
		ps.text = ps.p = "";
		return fail(&ps, ps.p, "expected UTF-8");
	}
	skip_blanks(&ps);
	if (!*ps.p)
		return query_new(QUERY_ALL, 1);
	q = parse_or(&ps);
	if (q && *ps.p) {
		query_free(q);
		return fail(&ps, ps.p, "unexpected ')'");
	}
	return q;
}
