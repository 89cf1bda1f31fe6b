/* item_values.c - what a query may ask of an item
 * Values only; how they are compared is in bot/item_match.c. */
#include "bot/item_values.h"

#include <math.h>
#include <string.h>

#include "mail/version_range.h"

/* ---- words */

gboolean item_state_known(const char *name)
{
	static const char *const states[] = {
		"reported",   "bisected", "fix-posted",	  "rerun-failed",
		"fix-tested", "applied",  "fixed",	  "stable-pending",
		"duplicate",  "resolved", "inconclusive", "expected",
		NULL};

	return g_strv_contains(states, name);
}

static gboolean is_open(const struct item *i)
{
	return i->open;
}

static gboolean is_closed(const struct item *i)
{
	return !i->open;
}

static gboolean is_stalled(const struct item *i)
{
	return i->stalled;
}

static gboolean is_backburner(const struct item *i)
{
	return i->backburner;
}

static gboolean is_disputed(const struct item *i)
{
	return i->disputed.since != 0;
}

static gboolean is_assigned(const struct item *i)
{
	return i->assignee != NULL;
}

/* Somebody wants no mail of it. */
static gboolean is_muted(const struct item *i)
{
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		if (!strcmp(p->role, "muted"))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_regression(const struct item *i)
{
	return i->direction == REPORT_REGRESSION;
}

static gboolean is_improvement(const struct item *i)
{
	return i->direction == REPORT_IMPROVEMENT;
}

static gboolean is_perf(const struct item *i)
{
	return i->robot && i->category == REPORT_PERFORMANCE;
}

static gboolean is_func(const struct item *i)
{
	return i->robot && i->category != REPORT_PERFORMANCE;
}

/* Numbers say that the change is gone. */
static gboolean is_verified(const struct item *i)
{
	return item_has_verdict(i, verdict_name(VERDICT_RECOVERED)) ||
	       item_has_verdict(i, verdict_name(VERDICT_LOST));
}

static gboolean is_inconsistent(const struct item *i)
{
	return i->inconsistent;
}

static const struct {
	const char *name;
	gboolean (*is)(const struct item *i);
} kinds[] = {
	{"open", is_open},
	{"closed", is_closed},
	{"stalled", is_stalled},
	{"backburner", is_backburner},
	{"disputed", is_disputed},
	{"assigned", is_assigned},
	{"muted", is_muted},
	{"regression", is_regression},
	{"improvement", is_improvement},
	{"verified", is_verified},
	{"inconsistent", is_inconsistent},
	{"perf", is_perf},
	{"performance", is_perf},
	{"func", is_func},
	{"functional", is_func},
};

int item_is(const struct item *i, const char *what)
{
	for (guint n = 0; n < G_N_ELEMENTS(kinds); n++)
		if (!strcmp(what, kinds[n].name))
			return i && kinds[n].is(i);
	if (item_state_known(what))
		return i && !strcmp(i->state, what);
	return -1;
}

/* ---- verdicts */

gboolean item_verdict_known(const char *name)
{
	for (int v = VERDICT_INCONCLUSIVE; v <= VERDICT_LOST; v++)
		if (!strcmp(name, verdict_name((enum verdict)v)))
			return TRUE;
	return FALSE;
}

/* Of the metric that was reported, on the machine it was reported of. */
static gboolean decides(const struct rerun *r)
{
	return r->headline && !r->other_setup;
}

gboolean item_has_verdict(const struct item *i, const char *name)
{
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];

		if (decides(r) &&
		    !strcmp(name, verdict_name(r->judgement.verdict)))
			return TRUE;
	}
	return FALSE;
}

/* ---- texts */

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

		g_ptr_array_add(out, fix->id);
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
	g_ptr_array_add(out, i->reporter_name);
	g_ptr_array_add(out, i->reporter_address);
	if (i->waiting.role)
		g_ptr_array_add(out, i->waiting.person);
}

static void texts_mid(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->mid);
}

static void texts_sub(const struct item *i, GPtrArray *out)
{
	for (guint n = 0; n < i->subsystems->len; n++)
		g_ptr_array_add(out, i->subsystems->pdata[n]);
}

static void texts_list(const struct item *i, GPtrArray *out)
{
	for (guint n = 0; n < i->lists->len; n++)
		g_ptr_array_add(out, i->lists->pdata[n]);
}

static void texts_wait(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, (gpointer)i->waiting.role);
}

static void texts_prio(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, (gpointer)i->prio);
}

static void texts_assigned(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->assignee);
}

static void texts_muted(const struct item *i, GPtrArray *out)
{
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];

		if (strcmp(p->role, "muted") != 0)
			continue;
		g_ptr_array_add(out, p->name);
		g_ptr_array_add(out, p->address);
	}
}

static void texts_series(const struct item *i, GPtrArray *out)
{
	g_ptr_array_add(out, i->series_key);
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
	texts_sub(i, out);
}

static const struct {
	const char *prefix;
	item_texts_fn texts;
	gboolean commit;
} fields[] = {
	{"", texts_all, FALSE},
	{"s", texts_subject, FALSE},
	{"m", texts_mid, FALSE},
	{"metric", texts_metric, FALSE},
	{"test", texts_test, FALSE},
	{"machine", texts_machine, FALSE},
	{"tree", texts_tree, FALSE},
	{"base", texts_base, TRUE},
	{"fix", texts_fix, TRUE},
	{"culprit", texts_culprit, TRUE},
	{"person", texts_person, FALSE},
	{"sub", texts_sub, FALSE},
	{"l", texts_list, FALSE},
	{"wait", texts_wait, FALSE},
	{"series", texts_series, FALSE},
	{"prio", texts_prio, FALSE},
	{"assigned", texts_assigned, FALSE},
	{"muted", texts_muted, FALSE},
};

item_texts_fn item_texts(const char *prefix, gboolean *commit)
{
	for (guint n = 0; n < G_N_ELEMENTS(fields); n++)
		if (!strcmp(fields[n].prefix, prefix)) {
			*commit = fields[n].commit;
			return fields[n].texts;
		}
	return NULL;
}

/* ---- numbers */

static void add_runs(const struct item *i, GArray *out)
{
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];
		guint least = 0;

		for (guint k = 0; k < G_N_ELEMENTS(r->runs); k++)
			if (r->runs[k] && (!least || r->runs[k] < least))
				least = r->runs[k];
		if (decides(r) && least) {
			double v = least;

			g_array_append_val(out, v);
		}
	}
}

gboolean item_numbers(const struct item *i, const char *prefix, gint64 now,
		      GArray *out)
{
	if (!strcmp(prefix, "change")) {
		if (i && !isnan(i->change_percent))
			g_array_append_val(out, i->change_percent);
		return TRUE;
	}
	if (!strcmp(prefix, "age")) {
		double age = i ? (double)(now - i->reported) : 0;

		if (i && i->reported)
			g_array_append_val(out, age);
		return TRUE;
	}
	if (strcmp(prefix, "runs") != 0)
		return FALSE;
	if (i)
		add_runs(i, out);
	return TRUE;
}

/* ---- where fixes are */

gboolean item_tree_parse(const char *value, char **name, gboolean *present)
{
	const char *is = strrchr(value, '=');

	if (!is || is == value)
		return FALSE;
	*present = !strcmp(is, "=yes");
	if (!*present && strcmp(is, "=no") != 0)
		return FALSE;
	*name = g_strndup(value, (gsize)(is - value));
	return TRUE;
}

gboolean item_in_tree(const struct item *i, const char *name, gboolean present)
{
	gboolean yes = FALSE, no = FALSE;

	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		for (guint k = 0; fix->trees && k < fix->trees->len; k++) {
			const struct item_fix_tree *t = fix->trees->pdata[k];

			if (g_ascii_strcasecmp(t->name, name) != 0)
				continue;
			yes |= t->present > 0;
			no |= t->present == 0;
		}
	}
	return present ? yes : no && !yes;
}

/* ---- releases */

/* v6.2-rc3 is of v6.2. */
static gboolean leads_to(const struct version *v, const struct version *release)
{
	return release->release && v->kind == VERSION_MAINLINE &&
	       !memcmp(v->number, release->number, sizeof(v->number));
}

/* Not before `low`, and not after `high`; NULL: no such bound. */
static gboolean is_between(const struct version_range *r,
			   const struct version *low,
			   const struct version *high)
{
	const struct version *from = r->range ? &r->from : &r->to;
	const struct version *to = &r->to;

	if (low && (from->kind == VERSION_UNKNOWN ||
		    version_compare(from, low) < (r->range ? 0 : 1)))
		return FALSE;
	return !high || (!r->open && to->kind != VERSION_UNKNOWN &&
			 version_compare(to, high) <= 0);
}

gboolean item_introduced_in(const struct item *i, const char *low,
			    const char *high)
{
	const char *when = i->describe ? i->describe : i->range;
	g_autoptr(version_range_auto) r =
		when ? version_range_parse(when) : NULL;
	struct version a, b;
	gboolean in;

	if (!r)
		return FALSE;
	version_parse(low, &a);
	version_parse(high, &b);
	if (*low && !strcmp(low, high))
		in = !version_compare(&r->to, &b) || leads_to(&r->to, &b);
	else
		in = is_between(r, *low ? &a : NULL, *high ? &b : NULL);
	version_clear(&a);
	version_clear(&b);
	return in && r->to.kind != VERSION_COMMIT;
}
