/* item_match.c - a query tree over the values of one item
 * The tree's depth is bounded by QUERY_MAX_DEPTH, so walking it recurses. */
#include "bot/item_match.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"

#define STATE_NAMES                                                  \
	"reported, bisected, fix-posted, rerun-failed, fix-tested, " \
	"applied, fixed, stable-pending, duplicate, resolved, "      \
	"inconclusive, expected"
#define IS_NAMES \
	"open, closed, regression, improvement, performance, " STATE_NAMES

#define PARAM "param."

struct item_matcher {
	const struct query *query;
	GHashTable *patterns; /* struct query to GRegex */
};

/* ---- what there is to compare with */

static gboolean is_state(const char *name)
{
	static const char *const states[] = {
		"reported",   "bisected", "fix-posted",	  "rerun-failed",
		"fix-tested", "applied",  "fixed",	  "stable-pending",
		"duplicate",  "resolved", "inconclusive", "expected",
		NULL};

	return g_strv_contains(states, name);
}

/* -1: there is no such thing. */
static int is_what(const struct item *i, const char *what)
{
	static const char *const perf[] = {"performance", "perf", NULL};

	if (!strcmp(what, "open"))
		return i && i->open;
	if (!strcmp(what, "closed"))
		return i && !i->open;
	if (!strcmp(what, "regression"))
		return i && i->direction == REPORT_REGRESSION;
	if (!strcmp(what, "improvement"))
		return i && i->direction == REPORT_IMPROVEMENT;
	if (g_strv_contains(perf, what))
		return i && i->category == REPORT_PERFORMANCE;
	if (is_state(what))
		return i && !strcmp(i->state, what);
	return -1;
}

/* The texts of an item that a prefix looks at; NULL ones are skipped. */
typedef void (*texts_fn)(const struct item *i, GPtrArray *out);

static void texts_subject(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->title);
	g_ptr_array_add(out, i->subject);
}

static void texts_metric(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->metric);
}

static void texts_machine(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->machine);
	if (i->tbox)
		g_ptr_array_add(out, i->tbox);
}

static void texts_test(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->testcase);
	for (guint n = 0; n < i->parameters->len; n++)
		g_ptr_array_add(out, i->parameters->pdata[n]);
}

static void texts_tree(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->tree);
	g_ptr_array_add(out, i->branch);
}

static void texts_base(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->base);
}

static void texts_culprit(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->commit);
	g_ptr_array_add(out, i->commit_subject);
}

static void texts_fix(const struct item *i, GPtrArray *out)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		g_ptr_array_add(out, fix->subject);
		g_ptr_array_add(out, fix->mid);
	}
}

static void texts_person(const struct item *i, GPtrArray *out)
{
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		g_ptr_array_add(out, p->name);
		g_ptr_array_add(out, p->address);
	}
	g_ptr_array_add(out, i->author);
}

static void texts_mid(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->mid);
}

static void texts_all(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->id);
	texts_mid(i, out);
	texts_subject(i, out);
	texts_test(i, out);
	texts_culprit(i, out);
	texts_fix(i, out);
	texts_person(i, out);
}

static const struct {
	const char *prefix;
	texts_fn texts;
	gboolean commit; /* a value of hex digits is the beginning of an id */
} fields[] = {
	{"", texts_all, FALSE},		 {"s", texts_subject, FALSE},
	{"m", texts_mid, FALSE},	 {"metric", texts_metric, FALSE},
	{"test", texts_test, FALSE},	 {"machine", texts_machine, FALSE},
	{"tree", texts_tree, FALSE},	 {"base", texts_base, TRUE},
	{"fix", texts_fix, FALSE},	 {"culprit", texts_culprit, TRUE},
	{"person", texts_person, FALSE},
};

static int field_of(const char *prefix)
{
	for (guint n = 0; n < G_N_ELEMENTS(fields); n++)
		if (!strcmp(fields[n].prefix, prefix))
			return (int)n;
	return -1;
}

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
	GRegex *regex =
		g_regex_new(q->text, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0,
			    &error);

	if (!regex)
		return fail(q, err, error->message);
	g_hash_table_insert(m->patterns, (gpointer)q, regex);
	return TRUE;
}

static gboolean check_number(const struct query *q, const char *text,
			     GError **err)
{
	char *end = NULL;

	if (!*text && q->kind == QUERY_RANGE)
		return TRUE;
	g_ascii_strtod(text, &end);
	return end != text && !*end
		       ? TRUE
		       : fail(q, err,
			      "a number was expected, as in >5, <-10 "
			      "or 5..20");
}

static gboolean check_change(const struct query *q, GError **err)
{
	if (q->kind == QUERY_RANGE)
		return check_number(q, q->text, err) &&
		       check_number(q, q->high, err);
	if (q->kind == QUERY_COMPARE)
		return check_number(q, q->high, err);
	return check_number(q, q->text, err);
}

static gboolean check_term(item_matcher *m, const struct query *q, GError **err)
{
	gboolean plain = q->kind == QUERY_WORD || q->kind == QUERY_PHRASE;

	if (!strcmp(q->prefix, "is"))
		return plain && is_what(NULL, q->text) >= 0
			       ? TRUE
			       : fail(q, err, "expected one of " IS_NAMES);
	if (!strcmp(q->prefix, "state"))
		return plain && is_state(q->text)
			       ? TRUE
			       : fail(q, err, "expected one of " STATE_NAMES);
	if (!strcmp(q->prefix, "d"))
		return q->kind == QUERY_RANGE
			       ? TRUE
			       : fail(q, err, "a range of dates was expected");
	if (!strcmp(q->prefix, "change"))
		return check_change(q, err);
	if (field_of(q->prefix) < 0 && !g_str_has_prefix(q->prefix, PARAM))
		return fail(q, err,
			    "not known of items; expected is, state, s, "
			    "metric, test, machine, culprit, base, tree, fix, "
			    "person, param.KEY, change, d, m or a word");
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

item_matcher *item_matcher_new(const struct query *q, GError **err)
{
	g_autoptr(item_matcher) m = g_new0(item_matcher, 1);

	m->query = q;
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

/* param.KEY:VALUE looks at one parameter of the test. */
static gboolean match_param(const item_matcher *m, const struct query *q,
			    const struct item *i)
{
	const char *key = q->prefix + strlen(PARAM);
	gsize len = strlen(key);

	for (guint n = 0; n < i->parameters->len; n++) {
		const char *p = i->parameters->pdata[n];

		if (!g_ascii_strncasecmp(p, key, len) && p[len] == ':' &&
		    text_matches(m, q, p + len + 1, FALSE))
			return TRUE;
	}
	return FALSE;
}

static gboolean match_texts(const item_matcher *m, const struct query *q,
			    const struct item *i)
{
	int field = field_of(q->prefix);
	g_autoptr(GPtrArray) texts = g_ptr_array_new();

	fields[field].texts(i, texts);
	for (guint n = 0; n < texts->len; n++)
		if (texts->pdata[n] &&
		    text_matches(m, q, texts->pdata[n], fields[field].commit))
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

static gboolean match_change(const struct query *q, const struct item *i)
{
	double v = i->change_percent, n;

	if (isnan(v))
		return FALSE;
	if (q->kind == QUERY_RANGE)
		return (!*q->text || v >= g_ascii_strtod(q->text, NULL)) &&
		       (!*q->high || v <= g_ascii_strtod(q->high, NULL));
	if (q->kind != QUERY_COMPARE)
		return v == g_ascii_strtod(q->text, NULL);
	n = g_ascii_strtod(q->high, NULL);
	if (!strcmp(q->text, ">"))
		return v > n;
	if (!strcmp(q->text, ">="))
		return v >= n;
	if (!strcmp(q->text, "<"))
		return v < n;
	if (!strcmp(q->text, "<="))
		return v <= n;
	return v == n;
}

static gboolean match_term(const item_matcher *m, const struct query *q,
			   const struct item *i)
{
	if (!strcmp(q->prefix, "is"))
		return is_what(i, q->text) > 0;
	if (!strcmp(q->prefix, "state"))
		return !strcmp(i->state, q->text);
	if (!strcmp(q->prefix, "d"))
		return match_date(q, i);
	if (!strcmp(q->prefix, "change"))
		return match_change(q, i);
	if (g_str_has_prefix(q->prefix, PARAM))
		return match_param(m, q, i);
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

GPtrArray *items_matching(GPtrArray *items, const char *query, gint64 now,
			  GError **err)
{
	g_autoptr(query_auto) q = query_parse(query, now, err);
	g_autoptr(item_matcher) m = q ? item_matcher_new(q, err) : NULL;
	GPtrArray *found;

	if (!m)
		return NULL;
	found = g_ptr_array_new();
	for (guint n = 0; n < items->len; n++)
		if (item_matches(m, items->pdata[n]))
			g_ptr_array_add(found, items->pdata[n]);
	return found;
}
