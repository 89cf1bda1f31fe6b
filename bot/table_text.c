/* table_text.c - a comparison table for people to read
 * Widths are counted in characters; nothing is cut. */
#include "bot/table_text.h"

#include <math.h>
#include <string.h>

#include "mail/metric.h"

#include "bot/plain_text.h"

#define WIDE_METRIC 60 /* longer names push their line */

static int width(const char *text)
{
	return (int)g_utf8_strlen(text, -1);
}

static void pad(GString *out, int n)
{
	for (; n > 0; n--)
		g_string_append_c(out, ' ');
}

static void add_right(GString *out, const char *text, int w)
{
	pad(out, w - width(text));
	g_string_append(out, text);
}

static void add_left(GString *out, const char *text, int w)
{
	g_string_append(out, text);
	pad(out, w - width(text));
}

/* "4177 ±  2%", "3:14" */
static char *value_text(const struct table_cell *c, gboolean any_sd)
{
	if (c->runs >= 0)
		return g_strdup_printf("%d:%d", MAX(c->fails, 0), c->runs);
	if (!c->printed)
		return g_strdup("");
	if (isfinite(c->sd_pct))
		return g_strdup_printf("%s ±%3.0f%%", c->printed, c->sd_pct);
	return g_strconcat(c->printed, any_sd ? "      " : "", NULL);
}

/* What the robot printed; a change against nothing is told in words. */
static char *change_text(const struct table_cell *c)
{
	if (c->base_zero)
		return g_strdup("new");
	return g_strdup(c->change_printed ? c->change_printed : "");
}

static const char *column_name(const struct table *t, guint i, char *number)
{
	const struct table_column *c = table_column(t, i);

	if (c->label)
		return c->label;
	g_snprintf(number, 16, "column %u", i + 1);
	return number;
}

static void add_column(GString *out, const struct table *t, guint i)
{
	const struct table_column *c = table_column(t, i);
	const char *role = table_role_name(c->role);
	const char *source = table_runs_source_name(c->runs_source);
	char number[16];

	g_string_append_printf(out, "  %-9s  ", role ? role : "-");
	add_left(out, column_name(t, i, number), 27);
	if (c->runs)
		g_string_append_printf(out, "  %u run%s (%s)", c->runs,
				       c->runs == 1 ? "" : "s",
				       source ? source : "unknown");
	if (c->subject)
		g_string_append_printf(out, "  %s", c->subject);
	if (c->equation)
		g_string_append_printf(out, "  = %s", c->equation);
	g_string_append_c(out, '\n');
}

static void add_head(GString *out, const struct table *t)
{
	const char *test = table_axis(t, "testcase");
	const char *machine = table_axis(t, "tbox_group");

	g_string_append_printf(out, "%s table, line %u",
			       table_style_name(t->style), t->line);
	if (t->depth)
		g_string_append_printf(out, ", quoted %u deep", t->depth);
	if (t->title)
		g_string_append_printf(out, ": %s", t->title);
	if (test)
		g_string_append_printf(out, ": %s", test);
	if (machine)
		g_string_append_printf(out, " on %s", machine);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < t->columns->len; i++)
		add_column(out, t, i);
}

static gboolean is_shown(const struct table *t, guint row, gboolean all)
{
	const struct table_row *r = table_row(t, row);

	return all || r->kind == TABLE_ROW_FAIL || t->style == TABLE_FSPERF ||
	       t->headless || !metric_is_monitor(r->metric);
}

struct widths {
	int metric;
	int value[TABLE_MAX_COLUMNS];
	int change[TABLE_MAX_COLUMNS];
	gboolean sd[TABLE_MAX_COLUMNS]; /* some value shows its deviation */
};

static void measure(struct widths *w, const struct table *t, gboolean all)
{
	for (guint n = 0; n < t->rows->len; n++) {
		if (!is_shown(t, n, all))
			continue;
		w->metric = MAX(w->metric, width(table_row(t, n)->metric));
		for (guint i = 0; i < t->columns->len; i++) {
			const struct table_cell *c = table_cell(t, n, i);
			g_autofree char *value = value_text(c, TRUE);
			g_autofree char *change = change_text(c);

			w->sd[i] = w->sd[i] || isfinite(c->sd_pct);
			w->value[i] = MAX(w->value[i], width(value));
			w->change[i] = MAX(w->change[i], width(change));
		}
	}
	w->metric = MIN(w->metric, WIDE_METRIC);
}

static void add_row(GString *out, const struct table *t, guint n,
		    const struct widths *w)
{
	const struct table_row *r = table_row(t, n);

	g_string_append(out, "  ");
	add_left(out, r->metric, w->metric);
	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_cell *c = table_cell(t, n, i);
		g_autofree char *value = value_text(c, w->sd[i]);
		g_autofree char *change = change_text(c);

		if (i) {
			g_string_append(out, "  ");
			add_right(out, change, w->change[i]);
		}
		g_string_append(out, "  ");
		add_right(out, value, w->value[i]);
	}
	if (r->notable)
		g_string_append(out, "  **");
	if (r->note)
		g_string_append_printf(out, "  %s", r->note);
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static void add_rows(GString *out, const struct table *t, gboolean all)
{
	struct widths w = {0};
	guint hidden = 0;

	measure(&w, t, all);
	for (guint n = 0; n < t->rows->len; n++) {
		if (is_shown(t, n, all))
			add_row(out, t, n, &w);
		else
			hidden++;
	}
	if (hidden)
		g_string_append_printf(out,
				       "  (%u more row%s of monitors: --all)\n",
				       hidden, hidden == 1 ? "" : "s");
}

static void add_notes(GString *out, const struct table *t)
{
	for (guint i = 0; i < t->rejects->len; i++) {
		const struct table_reject *r = t->rejects->pdata[i];

		g_string_append_printf(out, "  not read, line %u (%s): %s\n",
				       r->line, r->reason, r->text);
	}
	for (guint i = 0; i < t->findings->len; i++) {
		const struct table_finding *f = t->findings->pdata[i];

		g_string_append_printf(out, "  %s: %s\n", f->code, f->text);
	}
}

void table_text(GString *out, const struct table *t, gboolean all)
{
	g_autoptr(GString) text = g_string_new(NULL);

	add_head(text, t);
	add_rows(text, t, all);
	add_notes(text, t);
	g_string_append(out, plain_text(text->str));
}
