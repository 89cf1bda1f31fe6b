/* metric.c - what is known of metrics by their names
 * Asks the rules; which they are stands in config/metrics.conf. */
#include "mail/metric.h"

#include <math.h>
#include <string.h>

#include "mail/metric_priv.h"

static gpointer parse_once(gpointer unused)
{
	g_autofree char *problem = NULL;
	gsize len;
	const char *text = builtin_metrics(&len);
	struct metric_rules *r = metric_rules_parse(text, len, &problem);

	if (!r)
		g_error("metrics.conf: %s", problem);
	return r;
}

static const struct metric_rules *rules(void)
{
	static GOnce once = G_ONCE_INIT;

	return g_once(&once, parse_once, NULL);
}

/* A metric in two parts: "fio" and "write_iops". Those of GNU time have the
 * same rules in every test; without a dot the name is "". */
struct parts {
	char name[METRIC_MAX_NAME + 1];
	const char *rest;
	gboolean is_time;
};

/* FALSE: no section can have that name. */
static gboolean split(const char *metric, struct parts *p)
{
	const char *dot = strchr(metric, '.');
	gsize len = dot ? (gsize)(dot - metric) : 0;

	if (len > METRIC_MAX_NAME)
		return FALSE;
	memcpy(p->name, metric, len);
	p->name[len] = '\0';
	p->rest = dot ? dot + 1 : metric;
	p->is_time =
		!strcmp(p->name, "time") || g_str_has_prefix(p->rest, "time.");
	return TRUE;
}

static const struct metric_section *find_section(const char *name)
{
	const struct metric_section *s =
		g_hash_table_lookup(rules()->sections, name);

	if (s && s->alias)
		s = g_hash_table_lookup(rules()->sections, s->alias);
	return s;
}

static const struct metric_glob *find_glob(const struct metric_section *s,
					   const char *rest)
{
	gsize len = strlen(rest);

	for (guint i = 0; s && i < s->globs->len; i++) {
		const struct metric_glob *g = s->globs->pdata[i];

		if (metric_glob_fits(g, rest, len))
			return g;
	}
	return NULL;
}

static gboolean wild_fits(const struct metric_section *s, const char *name)
{
	struct metric_glob g = {.text = s->name, .len = (guint)strlen(s->name)};

	return metric_glob_fits(&g, name, strlen(name));
}

static const char *renamed(const struct metric_section *s, const char *rest)
{
	const char *now =
		s && s->renames ? g_hash_table_lookup(s->renames, rest) : NULL;

	return now ? now : rest;
}

enum metric_direction metric_direction(const char *metric)
{
	const struct metric_section *s;
	const struct metric_glob *g;
	const char *name, *rest;
	struct parts p;

	if (!split(metric, &p) ||
	    g_hash_table_contains(rules()->monitors, p.name))
		return METRIC_UNKNOWN;
	if (p.is_time) {
		rest = g_str_has_prefix(p.rest, "time.") ? p.rest + 5 : p.rest;
		g = find_glob(find_section("time"), rest);
		return g ? g->direction : METRIC_UNKNOWN;
	}
	s = find_section(p.name);
	rest = renamed(s, p.rest);
	name = s ? s->name : p.name;
	g = find_glob(s, rest);
	for (guint i = 0; !g && *name && i < rules()->wild->len; i++) {
		const struct metric_section *w = rules()->wild->pdata[i];

		if (wild_fits(w, name))
			g = find_glob(w, rest);
	}
	return g ? g->direction : METRIC_UNKNOWN;
}

gboolean metric_is_monitor(const char *metric)
{
	struct parts p;

	return split(metric, &p) &&
	       g_hash_table_contains(rules()->monitors, p.name);
}

static gboolean any_fits(const GPtrArray *globs, const char *metric)
{
	gsize len = strlen(metric);

	for (guint i = 0; i < globs->len; i++)
		if (metric_glob_fits(globs->pdata[i], metric, len))
			return TRUE;
	return FALSE;
}

gboolean metric_is_failure(const char *metric)
{
	return any_fits(rules()->failures, metric) &&
	       !any_fits(rules()->healthy, metric);
}

/* "fio" is the test of "fio-basic", "sysbench-cpu" of "sysbench". */
static gboolean same_test(const char *a, const char *b)
{
	gsize n = MIN(strlen(a), strlen(b));

	return n && !memcmp(a, b, n) && (!a[n] || strchr("-_.", a[n])) &&
	       (!b[n] || strchr("-_.", b[n]));
}

gboolean metric_is_of_test(const char *metric, const char *testcase)
{
	const struct metric_section *s, *test;
	struct parts p;

	if (!split(metric, &p) || !*p.name || p.is_time ||
	    g_hash_table_contains(rules()->monitors, p.name) ||
	    metric_is_failure(metric))
		return FALSE;
	if (!testcase)
		return TRUE;
	s = find_section(p.name);
	test = find_section(testcase);
	return same_test(p.name, testcase) ||
	       same_test(s ? s->name : p.name, test ? test->name : testcase);
}

char *metric_canonical(const char *metric)
{
	const struct metric_section *s;
	struct parts p;

	if (!split(metric, &p))
		return g_strdup(metric);
	s = find_section(p.name);
	if (!s || !*p.name)
		return g_strdup(metric);
	return g_strdup_printf("%s.%s", s->name, renamed(s, p.rest));
}

enum metric_direction metric_direction_by_word(gboolean regression,
					       double change)
{
	if (!isfinite(change) || change == 0)
		return METRIC_UNKNOWN;
	return (change < 0) == !!regression ? METRIC_HIGHER : METRIC_LOWER;
}

char *metric_check(const char *text, gsize len)
{
	g_autoptr(metric_rules_auto) r = NULL;
	char *problem = NULL;

	r = metric_rules_parse(text, len, &problem);
	return problem;
}
