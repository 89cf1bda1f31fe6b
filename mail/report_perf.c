/* report_perf.c - reports with a headline: which sentence counts, and what
 * the tables tell about it
 * The word gives the direction, the row of the table the sign. */
#include <math.h>
#include <string.h>

#include "mail/metric.h"
#include "mail/report_priv.h"
#include "mail/table_check.h"

#define SAME_CHANGE 0.05 /* both are rounded to one decimal */
/* Since this day a headline tells the size of the change without its sign. */
#define UNSIGNED_SINCE G_GINT64_CONSTANT(1727740800) /* 2024-10-01 */
#define SUBJECT_ID     7 /* characters of a commit's id in a subject */

/* ---- which headline */

/* The id of the subject: "[tag] 0123456789: ...". */
static gboolean names_commit(const struct subject *s, const char *commit)
{
	gsize n = strcspn(s->base, ": ");

	return n >= SUBJECT_ID && n <= REPORT_HEX_FULL &&
	       g_ascii_strncasecmp(s->base, commit, n) == 0;
}

/* The title of the patch that is answered. */
static gboolean names_title(const struct subject *s, const char *title)
{
	g_autoptr(subject_auto) t = NULL;

	if (!title || !s->base[0])
		return FALSE;
	t = subject_parse(title, NULL);
	return strcmp(t->base, s->base) == 0;
}

struct choice {
	struct headline head;
	struct report *report;
	guint below; /* line of its commit */
	gboolean sure;
};

/* Takes the next sentence with a commit into `c` if it is the better one. */
static void consider(struct choice *c, const struct subject *s, const body *b,
		     struct headline *next)
{
	struct report *r = report_new("kernel-test-robot",
				      next->kind == HEADLINE_PERFORMANCE
					      ? REPORT_PERFORMANCE
					      : REPORT_FUNCTIONAL);
	guint at = report_read_commit(r, b, next->line);
	gboolean sure = at && (names_commit(s, r->commit) ||
			       names_title(s, r->commit_subject));

	if (!at || (c->report && (!sure || c->sure))) {
		report_free(r);
		return;
	}
	report_free(c->report);
	report_headline_clear(&c->head);
	c->report = r;
	c->below = at;
	c->sure = sure;
	c->head = *next;
	memset(next, 0, sizeof(*next));
	next->line = c->head.line;
}

struct report *report_read_headline(const message *msg, const struct subject *s,
				    const body *b, GPtrArray *tables)
{
	struct choice c = {0};
	struct headline next = {0};
	struct report *r;

	for (guint n = 0; n < REPORT_MAX_HEADLINES && !c.sure &&
			  report_next_headline(b, next.line, &next);
	     n++)
		consider(&c, s, b, &next);
	report_headline_clear(&next);
	r = c.report;
	if (!r)
		return NULL;
	report_read_block(r, b, c.below);
	report_read_rest(r, b, c.below);
	report_read_patch(r, msg, s);
	report_set(&r->compiler, g_strdup(c.head.compiler));
	if (r->category == REPORT_PERFORMANCE) {
		r->direction = c.head.direction;
		r->metric = g_strdup(c.head.metric);
		report_read_tables(r, tables, &c.head, message_date(msg));
		report_read_impacts(r, b, c.below);
	} else {
		report_read_failures(r, s, b, tables, &c.head);
	}
	report_headline_clear(&c.head);
	return r;
}

/* ---- its tables */

static const char *axis_of(const struct table *t, const char *key)
{
	return t->axes ? table_axis(t, key) : NULL;
}

static void take_axes(struct report *r, const struct table *t)
{
	report_set(&r->compiler, g_strdup(axis_of(t, "compiler")));
	report_set(&r->config, g_strdup(axis_of(t, "kconfig")));
	report_set(&r->tbox, g_strdup(axis_of(t, "tbox_group")));
}

static void take_base(struct report *r, const struct table *t)
{
	const struct table_column *c = table_column(t, 0);

	if (c->commit || c->label) {
		g_free(r->base);
		r->base = g_strdup(c->commit ? c->commit : c->label);
	}
}

void report_set_roles(const struct report *r, struct table *t)
{
	int culprit = table_find_column(t, r->commit);

	if (culprit <= 0)
		return;
	for (guint i = 0; i < t->columns->len; i++)
		table_column(t, i)->role = i == 0 ? TABLE_ROLE_BASE
					   : i == (guint)culprit
						   ? TABLE_ROLE_CULPRIT
						   : TABLE_ROLE_OTHER;
}

/* The change of the headline's metric in the culprit's column; NAN none. */
static double change_in(const struct report *r, const struct table *t)
{
	int row = table_find(t, r->metric);
	int column = table_find_column(t, r->commit);

	if (row < 0 || t->columns->len < 2)
		return NAN;
	return table_cell(t, (guint)row, column > 0 ? (guint)column : 1)
		->change;
}

/* The table that shows the headline: its change if one does, else the first
 * with its metric. */
static struct table *headline_table(const struct report *r, GPtrArray *tables,
				    const struct headline *h)
{
	struct table *first = NULL;

	for (guint i = 0; i < tables->len; i++) {
		struct table *t = g_ptr_array_index(tables, i);
		double change;

		if (t->depth || t->line < h->line)
			continue;
		change = change_in(r, t);
		if (isnan(change))
			continue;
		if (fabs(fabs(change) - fabs(h->value)) < SAME_CHANGE)
			return t;
		first = first ? first : t;
	}
	return first;
}

/* Of a metric that is known by no pattern the headline tells it. */
static void learn_direction(const struct report *r, struct table *t)
{
	int at = table_find(t, r->metric);
	struct table_row *row = at < 0 ? NULL : table_row(t, (guint)at);

	if (row && !row->direction)
		row->direction = metric_direction_by_word(
			r->direction == REPORT_REGRESSION, change_in(r, t));
}

void report_read_tables(struct report *r, GPtrArray *tables,
			const struct headline *h, gint64 date)
{
	struct table *t = headline_table(r, tables, h);

	for (guint i = 0; i < tables->len; i++) {
		struct table *own = g_ptr_array_index(tables, i);

		if (own->depth || own->style == TABLE_FSPERF)
			continue;
		report_set_roles(r, own);
		if (!t && !r->base && own->line >= h->line && own->columns->len)
			take_base(r, own);
	}
	if (t) {
		take_base(r, t);
		take_axes(r, t);
		learn_direction(r, t);
		/* a change of nothing has no sign */
		if (change_in(r, t) != 0)
			r->change_percent = copysign(h->value, change_in(r, t));
		else if (h->is_signed)
			r->change_percent = h->value;
		if (isfinite(h->value))
			table_check_headline(t, r->metric, h->value,
					     h->direction == REPORT_REGRESSION);
		return;
	}
	/* no row: the sign is only sure where it was written */
	if (h->is_signed || date < UNSIGNED_SINCE)
		r->change_percent = h->value;
}
