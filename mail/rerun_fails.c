/* rerun_fails.c - rows of failures of a rerun's table, judged */
#include <string.h>

#include "mail/metric.h"
#include "mail/rerun_priv.h"

#define NAME_MIN 6 /* a shorter name is the beginning of too many others */

/* "dmesg.X" and "X" are one failure. */
static const char *bare_name(const char *metric)
{
	static const char *const logs[] = {"dmesg.", "kmsg."};

	for (guint i = 0; i < G_N_ELEMENTS(logs); i++)
		if (g_str_has_prefix(metric, logs[i]))
			return metric + strlen(logs[i]);
	return metric;
}

static gboolean same_failure(const char *a, const char *b)
{
	const char *x = bare_name(a), *y = bare_name(b);
	gsize n = MIN(strlen(x), strlen(y));

	return n >= NAME_MIN && !strncmp(x, y, n);
}

static gboolean is_reported(const struct report *r, const char *metric)
{
	for (guint i = 0; r->errors && i < r->errors->len; i++) {
		const struct report_error *e = r->errors->pdata[i];

		if (e->text && same_failure(e->text, metric))
			return TRUE;
	}
	return (r->metric && same_failure(r->metric, metric)) ||
	       (r->title && same_failure(r->title, metric));
}

/* The row of what was reported, else the first that is a failure at all. */
static int find_row(const struct table *t, const struct report *r,
		    gboolean *headline)
{
	int first = -1;

	*headline = TRUE;
	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_row *row = table_row(t, i);

		if (row->kind != TABLE_ROW_FAIL)
			continue;
		if (is_reported(r, row->metric))
			return (int)i;
		if (first < 0 && metric_is_failure(row->metric))
			first = (int)i;
	}
	*headline = FALSE;
	return first;
}

/* "x.pass" counts what went well. */
static struct failures counts(const struct table *t, int row, int column)
{
	const struct table_cell *c = table_cell(t, (guint)row, (guint)column);
	struct failures f = {c->fails, c->runs};

	if (g_str_has_suffix(table_row(t, (guint)row)->metric, ".pass"))
		f.fails = f.runs - f.fails;
	return f;
}

/* How often it failed at the culprit when it was reported. */
static gboolean reported_counts(const struct judging *j, const struct place *of,
				struct failures *f)
{
	if (of->table && of->row >= 0 && of->culprit >= 0) {
		*f = counts(of->table, of->row, of->culprit);
		return f->runs > 0;
	}
	for (guint i = 0; j->r->errors && i < j->r->errors->len; i++) {
		const struct report_error *e = j->r->errors->pdata[i];

		if (e->runs[1] > 0) {
			*f = (struct failures){e->fails[1], e->runs[1]};
			return TRUE;
		}
	}
	return FALSE;
}

struct sides {
	struct failures base, culprit, before;
	gboolean has_base, has_culprit, has_before;
	gboolean headline, other_setup;
	const char *differs;
};

static struct rerun *add(struct judging *j, const struct place *at, int column,
			 const struct sides *s)
{
	struct rerun *x;

	if (!rerun_is_new(j, at, column))
		return NULL;
	x = rerun_add(j, at, column);
	if (!x)
		return NULL;
	x->headline = s->headline;
	x->other_setup = s->other_setup;
	if (s->other_setup)
		g_ptr_array_add(x->assumptions,
				g_strconcat("other configuration: ", s->differs,
					    NULL));
	if (s->has_base)
		x->runs[0] = (guint)MAX(s->base.runs, 0);
	if (s->has_culprit)
		x->runs[1] = (guint)MAX(s->culprit.runs, 0);
	return x;
}

static void judge_candidate(struct judging *j, const struct place *at,
			    int column, const struct sides *s)
{
	struct failures d = counts(at->table, at->row, column);
	struct rerun *x;

	if (!s->has_culprit && !s->has_before)
		return;
	x = add(j, at, column, s);
	if (!x)
		return;
	if (!s->has_culprit) {
		x->runs[1] = (guint)MAX(s->before.runs, 0);
		g_ptr_array_add(x->assumptions,
				g_strdup("culprit from the report"));
	}
	x->runs[2] = (guint)MAX(d.runs, 0);
	verdict_judge_failures(s->has_base ? &s->base : NULL,
			       s->has_culprit ? &s->culprit : &s->before, &d,
			       &x->judgement);
}

static gboolean repeats_report(const struct place *at, const struct place *of,
			       const struct sides *s)
{
	struct failures b, c;

	if (!of->table || of->row < 0 || of->base < 0 || of->culprit < 0 ||
	    !s->has_base)
		return FALSE;
	b = counts(of->table, of->row, of->base);
	c = counts(of->table, of->row, of->culprit);
	return b.fails == s->base.fails && b.runs == s->base.runs &&
	       c.fails == s->culprit.fails && c.runs == s->culprit.runs;
}

static struct place place_of(const struct rerun_mail *mail,
			     const struct table *t, int row, struct sides *s)
{
	struct place at = {t, mail, row, -1, -1};

	for (guint i = 0; i < t->columns->len; i++) {
		enum table_role role = table_column(t, i)->role;

		if (role == TABLE_ROLE_BASE) {
			at.base = (int)i;
			s->base = counts(t, row, at.base);
			s->has_base = TRUE;
		} else if (role == TABLE_ROLE_CULPRIT) {
			at.culprit = (int)i;
			s->culprit = counts(t, row, at.culprit);
			s->has_culprit = TRUE;
		}
	}
	return at;
}

void rerun_judge_fails(struct judging *j, const struct rerun_mail *mail,
		       const struct table *t)
{
	struct sides s = {.has_base = FALSE};
	struct place at, of = {.table = NULL, .row = -1};
	int row = find_row(t, j->r, &s.headline);
	g_autofree char *differs = NULL;
	gboolean candidates = FALSE;
	struct rerun *x;

	if (row < 0)
		return;
	at = place_of(mail, t, row, &s);
	rerun_reported(j->r, j->report, t, table_row(t, (guint)row)->metric,
		       &of);
	s.has_before = reported_counts(j, &of, &s.before);
	s.other_setup = rerun_other_setup(j, t, &differs);
	s.differs = differs;
	for (guint i = 0; i < t->columns->len; i++)
		if (table_column(t, i)->role == TABLE_ROLE_CANDIDATE) {
			judge_candidate(j, &at, (int)i, &s);
			candidates = TRUE;
		}
	if (candidates || at.culprit < 0 || repeats_report(&at, &of, &s))
		return;
	x = add(j, &at, -1, &s);
	if (x)
		verdict_judge_again(s.has_before ? &s.before : NULL,
				    s.has_base ? &s.base : NULL, &s.culprit,
				    &x->judgement);
}
