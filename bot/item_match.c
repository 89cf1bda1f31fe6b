/* item_match.c - a query tree over the values of one item
 * The tree's depth is bounded by QUERY_MAX_DEPTH, so walking it recurses. */
#include "bot/item_match.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"
#include "mail/version_range.h"

#include "db/commits.h"

#include "bot/duration.h"
#include "bot/item_values.h"

#define PARAM "param."
#define SET   "set."

/* What one pattern may cost on one text, in steps of PCRE2. */
#define MATCH_LIMIT "(*LIMIT_MATCH=20000)(*LIMIT_DEPTH=20000)"

struct item_matcher {
	store *st; /* NULL: its trees are not asked for */
	const struct query *query;
	gint64 now;
	const char *me;
	GHashTable *patterns; /* struct query to GRegex */
};

/* ---- is the query one about items */

static gboolean fail(const struct query *q, GError **err, const char *why)
{
	g_set_error(err, QUERY_ERROR, (gint)q->column,
		    "query: column %u: %s%s%s", q->column, q->prefix,
		    *q->prefix ? ": " : "", why);
	return FALSE;
}

static gboolean add_pattern(item_matcher *m, const struct query *q,
			    GError **err)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strconcat(MATCH_LIMIT, q->text, NULL);
	GRegex *regex = g_regex_new(text, G_REGEX_CASELESS | G_REGEX_OPTIMIZE,
				    0, &error);
	const char *reason;

	if (!regex) {
		reason = g_strrstr(error->message, ": ");
		return fail(q, err, reason ? reason + 2 : error->message);
	}
	g_hash_table_insert(m->patterns, (gpointer)q, regex);
	return TRUE;
}

/* A number, or a span of time: seconds. */
static gboolean read_number(const struct query *q, const char *text, double *v)
{
	gint64 seconds = 0;
	char *end = NULL;

	if (!strcmp(q->prefix, "age")) {
		gboolean ok = duration_parse(text, &seconds);

		*v = (double)seconds;
		return ok;
	}
	*v = g_ascii_strtod(text, &end);
	return end != text && !*end && isfinite(*v);
}

static gboolean check_number(const struct query *q, const char *text,
			     GError **err)
{
	double v;

	if ((!*text && q->kind == QUERY_RANGE) || read_number(q, text, &v))
		return TRUE;
	if (!strcmp(q->prefix, "age"))
		return fail(q, err,
			    "a span of time was expected, as in >14d, <=2w "
			    "or 7d..30d");
	return fail(q, err, "a number was expected, as in >5, <-10 or 5..20");
}

static gboolean check_order(const struct query *q, GError **err)
{
	double low, high;

	if (!*q->text && !*q->high)
		return fail(q, err, "a range from or to something is expected");
	return !*q->text || !*q->high || !read_number(q, q->text, &low) ||
			       !read_number(q, q->high, &high) || low <= high
		       ? TRUE
		       : fail(q, err, "the range ends before it begins");
}

static gboolean check_numbers(const struct query *q, GError **err)
{
	if (q->kind == QUERY_RANGE)
		return check_number(q, q->text, err) &&
		       check_number(q, q->high, err) && check_order(q, err);
	return check_number(q, q->kind == QUERY_COMPARE ? q->high : q->text,
			    err);
}

static gboolean check_tag(const struct query *q, const char *text, GError **err)
{
	struct version v;
	gboolean known = version_parse(text, &v) && v.kind != VERSION_COMMIT;

	version_clear(&v);
	return known || !*text ? TRUE
			       : fail(q, err,
				      "a tag or two were expected, as in v6.3, "
				      "v6.2..v6.3 or next-20230511");
}

static gboolean check_tree_name(const item_matcher *m, const struct query *q,
				const char *name, GError **err)
{
	g_autoptr(GPtrArray) trees = trees_load(m->st, err);
	g_autoptr(GString) why = g_string_new(NULL);

	if (!trees)
		return FALSE;
	g_string_printf(why, "no git tree \"%s\" is known; there %s", name,
			trees->len ? "are: " : "is none");
	for (guint n = 0; n < trees->len; n++) {
		const struct code_tree *t = trees->pdata[n];

		if (!g_ascii_strcasecmp(t->name, name))
			return TRUE;
		g_string_append_printf(why, "%s%s", n ? ", " : "", t->name);
	}
	return fail(q, err, why->str);
}

static gboolean check_tree(const item_matcher *m, const struct query *q,
			   GError **err)
{
	g_autofree char *name = NULL;
	gboolean present;

	if (!item_tree_parse(q->text, &name, &present))
		return fail(q, err,
			    "expected the name of a tree with =yes or =no, "
			    "or a word of its address");
	return !m->st || check_tree_name(m, q, name, err);
}

static gboolean match_tree(const struct query *q, const struct item *i)
{
	g_autofree char *name = NULL;
	gboolean present;

	return item_tree_parse(q->text, &name, &present) &&
	       item_in_tree(i, name, present);
}

/* A part of a role will do: wait:author. */
static gboolean check_role(const struct query *q, GError **err)
{
	static const char roles[] =
		"addressee, assignee, culprit-author, fix-author, maintainer, "
		"reporter, stable, tracker";
	g_autofree char *text = NULL;

	if (strstr(roles, q->text) && !strpbrk(q->text, ", "))
		return TRUE;
	text = g_strconcat("expected one of ", roles, NULL);
	return fail(q, err, text);
}

/* A prefix whose values are words of a list. -1: it is none of these. */
static int check_word(const struct query *q, GError **err)
{
	gboolean plain = q->kind == QUERY_WORD || q->kind == QUERY_PHRASE;

	if (!strcmp(q->prefix, "is"))
		return plain && item_is(NULL, q->text) >= 0
			       ? TRUE
			       : fail(q, err, "expected one of " ITEM_IS_NAMES);
	if (!strcmp(q->prefix, "state"))
		return plain && item_state_known(q->text)
			       ? TRUE
			       : fail(q, err,
				      "expected one of " ITEM_STATE_NAMES);
	if (!strcmp(q->prefix, "verdict"))
		return plain && item_verdict_known(q->text)
			       ? TRUE
			       : fail(q, err,
				      "expected one of recovered, partial, "
				      "not-recovered, inconclusive, "
				      "not-reproduced, reproduced, kept, lost");
	if (!strcmp(q->prefix, "wait") && plain)
		return check_role(q, err);
	return -1;
}

static gboolean is_me(const struct query *q)
{
	return !strcmp(q->prefix, "person") && q->kind == QUERY_WORD &&
	       !g_ascii_strcasecmp(q->text, "me");
}

static gboolean check_term(item_matcher *m, const struct query *q, GError **err)
{
	int word = check_word(q, err);
	gboolean commit;

	if (word >= 0)
		return word;
	if (!strcmp(q->prefix, "d"))
		return q->kind == QUERY_RANGE
			       ? TRUE
			       : fail(q, err, "a range of dates was expected");
	if (item_numbers(NULL, q->prefix, 0, NULL))
		return check_numbers(q, err);
	if (!strcmp(q->prefix, "introduced"))
		return check_tag(q, q->text, err) &&
		       (q->kind != QUERY_RANGE ||
			(check_tag(q, q->high, err) &&
			 (*q->text || *q->high || check_tag(q, "?", err))));
	if (!strcmp(q->prefix, "tree") && strchr(q->text, '='))
		return check_tree(m, q, err);
	if (!item_texts(q->prefix, &commit) &&
	    !g_str_has_prefix(q->prefix, PARAM) &&
	    !g_str_has_prefix(q->prefix, SET))
		return fail(
			q, err,
			"not known of items; expected is, state, s, sub, list, "
			"metric, test, machine, param.KEY, series, "
			"culprit, base, introduced, tree, fix, person, "
			"wait, prio, assigned, muted, set.KEY, "
			"verdict, change, runs, age, d, m or a "
			"word");
	if (is_me(q) && !m->me)
		return fail(q, err,
			    "who \"me\" is, is not known here; set user.email "
			    "in git's settings, or write an address");
	if (q->kind == QUERY_REGEX)
		return add_pattern(m, q, err);
	if (q->kind == QUERY_RANGE || q->kind == QUERY_COMPARE)
		return fail(q, err, "a word or phrase was expected");
	return TRUE;
}

static gboolean check(item_matcher *m, const struct query *q, GError **err)
{
	if (q->op == QUERY_TERM)
		return check_term(m, q, err);
	for (guint n = 0; q->parts && n < q->parts->len; n++)
		if (!check(m, q->parts->pdata[n], err))
			return FALSE;
	return TRUE;
}

item_matcher *item_matcher_new(store *st, const struct query *q, gint64 now,
			       const char *me, GError **err)
{
	g_autoptr(item_matcher) m = g_new0(item_matcher, 1);

	m->st = st;
	m->query = q;
	m->now = now;
	m->me = me;
	m->patterns = g_hash_table_new_full(NULL, NULL, NULL,
					    (GDestroyNotify)g_regex_unref);
	return check(m, q, err) ? g_steal_pointer(&m) : NULL;
}

void item_matcher_free(item_matcher *m)
{
	if (!m)
		return;
	g_hash_table_unref(m->patterns);
	g_free(m);
}

/* ---- comparing */

static gboolean is_hex(const char *text)
{
	return *text && !text[strspn(text, "0123456789abcdefABCDEF")];
}

/* A word of the text begins with it. */
static gboolean has_word_begin(const char *text, const char *begin)
{
	gsize len = strlen(begin);
	const char *p = text;

	while ((p = strstr(p, begin))) {
		if (p == text || !g_ascii_isalnum(p[-1]))
			return TRUE;
		p += MAX(len, 1);
	}
	return FALSE;
}

static gboolean text_matches(const item_matcher *m, const struct query *q,
			     const char *text, gboolean commit)
{
	g_autofree char *folded = NULL, *wanted = NULL;
	const GRegex *regex = g_hash_table_lookup(m->patterns, q);

	if (regex)
		return g_regex_match(regex, text, 0, NULL);
	folded = g_utf8_casefold(text, -1);
	wanted = g_utf8_casefold(q->text, -1);
	if (commit && is_hex(q->text) && is_hex(text))
		return g_str_has_prefix(folded, wanted) ||
		       g_str_has_prefix(wanted, folded);
	if (q->kind == QUERY_PREFIX)
		return has_word_begin(folded, wanted);
	return strstr(folded, wanted) != NULL;
}

/* An address, or "Name <address>". */
static gboolean is_address_of(const char *text, const char *address)
{
	const char *open = strrchr(text, '<');
	gsize len = strlen(address);

	if (!open)
		return !g_ascii_strcasecmp(text, address);
	return !g_ascii_strncasecmp(open + 1, address, len) &&
	       open[1 + len] == '>';
}

/* param.KEY:VALUE looks at one parameter of the test, set.KEY:VALUE at what
 * commands set. */
static gboolean match_pair(const item_matcher *m, const struct query *q,
			   const GPtrArray *pairs, gsize skip)
{
	const char *key = q->prefix + skip;
	gsize len = strlen(key);

	for (guint n = 0; n < pairs->len; n++) {
		const char *p = pairs->pdata[n];

		if (!g_ascii_strncasecmp(p, key, len) && p[len] == ':' &&
		    text_matches(m, q, p + len + 1, FALSE))
			return TRUE;
	}
	return FALSE;
}

static gboolean match_texts(const item_matcher *m, const struct query *q,
			    const struct item *i)
{
	gboolean commit = FALSE, me = is_me(q);
	item_texts_fn fn = item_texts(q->prefix, &commit);
	g_autoptr(GPtrArray) texts = g_ptr_array_new();

	fn(i, texts);
	for (guint n = 0; n < texts->len; n++)
		if (texts->pdata[n] &&
		    (me ? is_address_of(texts->pdata[n], m->me)
			: text_matches(m, q, texts->pdata[n], commit)))
			return TRUE;
	return FALSE;
}

static gboolean match_date(const struct query *q, const struct item *i)
{
	gint64 low, high;

	if (!i->reported)
		return FALSE;
	if (*q->text && date_from_rfc3339(q->text, &low) && i->reported < low)
		return FALSE;
	return !*q->high || !date_from_rfc3339(q->high, &high) ||
	       i->reported < high;
}

/* A plain span of time is that day (hour, week ...) of age. */
static gboolean equals(const struct query *q, double v, double n)
{
	return strcmp(q->prefix, "age") != 0
		       ? v == n
		       : v >= n && v < n + (double)MIN(n, 86400);
}

static gboolean compare(const struct query *q, double v)
{
	double n = 0, high = 0;

	if (q->kind == QUERY_RANGE)
		return (!*q->text || (read_number(q, q->text, &n) && v >= n)) &&
		       (!*q->high ||
			(read_number(q, q->high, &high) && v <= high));
	read_number(q, q->kind == QUERY_COMPARE ? q->high : q->text, &n);
	if (q->kind != QUERY_COMPARE)
		return equals(q, v, n);
	if (!strcmp(q->text, ">"))
		return v > n;
	if (!strcmp(q->text, ">="))
		return v >= n;
	if (!strcmp(q->text, "<"))
		return v < n;
	if (!strcmp(q->text, "<="))
		return v <= n;
	return equals(q, v, n);
}

static gboolean match_numbers(const item_matcher *m, const struct query *q,
			      const struct item *i)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));

	item_numbers(i, q->prefix, m->now, values);
	for (guint n = 0; n < values->len; n++)
		if (compare(q, g_array_index(values, double, n)))
			return TRUE;
	return FALSE;
}

static gboolean match_term(const item_matcher *m, const struct query *q,
			   const struct item *i)
{
	if (!strcmp(q->prefix, "is"))
		return item_is(i, q->text) > 0;
	if (!strcmp(q->prefix, "state"))
		return !strcmp(i->state, q->text);
	if (!strcmp(q->prefix, "verdict"))
		return item_has_verdict(i, q->text);
	if (!strcmp(q->prefix, "d"))
		return match_date(q, i);
	if (!strcmp(q->prefix, "introduced"))
		return item_introduced_in(i, q->text,
					  q->kind == QUERY_RANGE ? q->high
								 : q->text);
	if (item_numbers(NULL, q->prefix, 0, NULL))
		return match_numbers(m, q, i);
	if (!strcmp(q->prefix, "tree") && strchr(q->text, '='))
		return match_tree(q, i);
	if (g_str_has_prefix(q->prefix, PARAM))
		return match_pair(m, q, i->parameters, strlen(PARAM));
	if (g_str_has_prefix(q->prefix, SET))
		return match_pair(m, q, i->settings, strlen(SET));
	return match_texts(m, q, i);
}

static gboolean match(const item_matcher *m, const struct query *q,
		      const struct item *i)
{
	gboolean any = FALSE, all = TRUE;

	if (q->op == QUERY_ALL)
		return TRUE;
	if (q->op == QUERY_TERM)
		return match_term(m, q, i);
	for (guint n = 0; n < q->parts->len; n++) {
		gboolean one = match(m, q->parts->pdata[n], i);

		any = any || one;
		all = all && one;
	}
	return q->op == QUERY_NOT ? !any : q->op == QUERY_AND ? all : any;
}

gboolean item_matches(const item_matcher *m, const struct item *i)
{
	return match(m, m->query, i);
}

GPtrArray *items_matching(store *st, GPtrArray *items, const char *query,
			  gint64 now, const char *me, GError **err)
{
	g_autoptr(query_auto) q = query_parse(query, now, err);
	g_autoptr(item_matcher) m =
		q ? item_matcher_new(st, q, now, me, err) : NULL;
	GPtrArray *found;

	if (!m)
		return NULL;
	found = g_ptr_array_new();
	for (guint n = 0; n < items->len; n++)
		if (item_matches(m, items->pdata[n]))
			g_ptr_array_add(found, items->pdata[n]);
	return found;
}
