/* lkp_table_print.c - a table as the robot prints it
 * From the printed strings where there are some, so that nothing is rounded a
 * second time; else from the numbers. */
#include <math.h>
#include <string.h>

#include "mail/lkp_table_priv.h"

#define FIRST_WIDTH  16 /* of the first label */
#define LABEL_WIDTH  27 /* of the others */
#define OLDER_WIDTH  26 /* before 2019-03 */
#define VALUE_WIDTH  10
#define COUNT_WIDTH  11	    /* of fails */
#define SECTION	     89	    /* of "=" */
#define SHORT_COMMIT 10	    /* characters of a commit in the list */
#define SMALL	     1000.0 /* below it values have two decimals */
#define LARGE	     1e8
#define LARGE_CHANGE 1e5
#define HIDDEN_SD    2.0 /* percent; what is not above it is not printed */
#define BLANK_SD     "      "
#define BLANK_CHANGE "            "

void lkp_print_value(GString *out, double mean)
{
	if (fabs(mean) < SMALL)
		g_string_append_printf(out, "%10.2f", mean);
	else if (fabs(mean) > LARGE)
		g_string_append_printf(out, "%10.4g", mean);
	else
		g_string_append_printf(out, "%10.0f", trunc(mean));
}

static void print_sd(GString *out, double sd_pct)
{
	g_string_append_printf(out, " " LKP_PLUS_MINUS "%3.0f%%",
			       trunc(sd_pct));
}

void lkp_print_sd(GString *out, double sd_pct)
{
	if (sd_pct > HIDDEN_SD)
		print_sd(out, sd_pct);
	else
		g_string_append(out, BLANK_SD);
}

void lkp_print_change(GString *out, double change, enum table_change kind)
{
	if (fabs(change) >= LARGE_CHANGE)
		g_string_append_printf(out, "%+10.2g", change);
	else
		g_string_append_printf(out, "%+10.1f", change);
	g_string_append(out, kind == TABLE_CHANGE_PERCENT ? "% " : "  ");
}

static void print_perf_cell(GString *out, const struct table_cell *c,
			    gboolean first)
{
	if (!first && c->change_printed) {
		gsize n = strlen(c->change_printed);
		gboolean percent = n && c->change_printed[n - 1] == '%';

		g_string_append_printf(out, "%10.*s%c ", (int)(n - percent),
				       c->change_printed, percent ? '%' : ' ');
	} else if (!first && isnan(c->change)) {
		g_string_append(out, BLANK_CHANGE);
	} else if (!first) {
		lkp_print_change(out, c->change,
				 (enum table_change)c->change_kind);
	}
	if (c->printed)
		g_string_append_printf(out, "%10s", c->printed);
	else
		lkp_print_value(out, c->mean);
	/* what was printed is truncated: 2 may have been 2.9 */
	if (c->printed && isfinite(c->sd_pct))
		print_sd(out, c->sd_pct);
	else
		lkp_print_sd(out, c->sd_pct);
}

static void print_fail_cell(GString *out, const struct table_cell *c,
			    gboolean first)
{
	const char *colon = c->printed ? strchr(c->printed, ':') : NULL;

	if (!first && c->change_printed) {
		gsize n = strlen(c->change_printed);

		g_string_append_printf(
			out, "%10.*s%% ",
			(int)(n - (n && c->change_printed[n - 1] == '%')),
			c->change_printed);
	} else if (!first && isnan(c->change)) {
		g_string_append(out, BLANK_CHANGE);
	} else if (!first) {
		g_string_append_printf(out, "%10.0f%% ", c->change);
	}
	if (colon) {
		g_string_append_printf(out, "%11.*s:%-4s",
				       (int)(colon - c->printed), c->printed,
				       colon + 1);
	} else if (c->fails > 0) {
		g_string_append_printf(out, "%11d:%-4d", c->fails, c->runs);
	} else {
		g_string_append_printf(out, "%11s:%-4d", "", c->runs);
	}
}

static void print_row(GString *out, const struct table *t, guint row)
{
	const struct table_row *r = table_row(t, row);

	for (guint i = 0; i < t->columns->len; i++) {
		if (r->kind == TABLE_ROW_FAIL)
			print_fail_cell(out, table_cell(t, row, i), !i);
		else
			print_perf_cell(out, table_cell(t, row, i), !i);
	}
	g_string_append_printf(out, "  %s\n", r->metric);
}

static void repeat(GString *out, const char *text, guint n)
{
	while (n--)
		g_string_append(out, text);
}

static int label_width(const struct table *t)
{
	gsize longest = 0;

	for (guint i = 1; i < t->columns->len; i++) {
		const char *label = table_column(t, i)->label;

		longest = MAX(longest, label ? strlen(label) : 0);
	}
	return longest == OLDER_WIDTH || (t->style == TABLE_LKP_OLD &&
					  longest < LABEL_WIDTH)
		       ? OLDER_WIDTH
		       : LABEL_WIDTH;
}

static void print_labels(GString *out, const struct table *t)
{
	int width = label_width(t);

	for (guint i = 0; i < t->columns->len; i++) {
		const char *label = table_column(t, i)->label;
		int w = i ? width : FIRST_WIDTH;

		g_string_append_printf(out, "%*.*s ", w, w, label ? label : "");
	}
	g_string_append_c(out, '\n');
	for (guint i = 0; i < t->columns->len; i++) {
		repeat(out, "-", i ? (guint)width : FIRST_WIDTH);
		g_string_append_c(out, ' ');
	}
	g_string_append_c(out, '\n');
}

static void print_perf_head(GString *out, const struct table *t)
{
	guint more = t->columns->len - 1;

	g_string_append(out, "         %stddev");
	repeat(out,
	       t->plain_change ? "      change         %stddev"
			       : "     %change         %stddev",
	       more);
	g_string_append(out, "\n             \\  ");
	repeat(out, "        |                \\  ", more);
	g_string_append_c(out, '\n');
}

static void print_fail_head(GString *out, const struct table *t)
{
	guint more = t->columns->len - 1;

	g_string_append(out, "       fail:runs");
	repeat(out, "  %reproduction    fail:runs", more);
	g_string_append(out, "\n           |    ");
	repeat(out, "         |             |    ", more);
	g_string_append_c(out, '\n');
}

static void print_rows(GString *out, const struct table *t,
		       enum table_row_kind kind)
{
	gboolean head = t->headless;

	for (guint i = 0; i < t->rows->len; i++) {
		if (table_row(t, i)->kind != kind)
			continue;
		if (!head && kind == TABLE_ROW_FAIL)
			print_fail_head(out, t);
		else if (!head)
			print_perf_head(out, t);
		head = TRUE;
		print_row(out, t, i);
	}
}

static void print_axes(GString *out, const struct table *t)
{
	repeat(out, "=", SECTION);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < t->axes->len; i++)
		g_string_append_printf(
			out, "%s%s", i ? "/" : "",
			g_array_index(t->axes, struct table_axis, i).key);
	g_string_append(out, ":\n  ");
	for (guint i = 0; i < t->axes->len; i++)
		g_string_append_printf(
			out, "%s%s", i ? "/" : "",
			g_array_index(t->axes, struct table_axis, i).value);
	g_string_append(out, "\n\n");
}

static void print_commits(GString *out, const struct table *t)
{
	g_string_append(out, "commit: \n");
	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_column *c = table_column(t, i);
		const char *id = c->commit ? c->commit : c->label;

		if (c->commit && (c->subject || c->equation))
			g_string_append_printf(out, "  %.*s", SHORT_COMMIT, id);
		else
			g_string_append_printf(out, "  %s", id);
		if (c->subject)
			g_string_append_printf(out, " (\"%s\")", c->subject);
		if (c->equation)
			g_string_append_printf(out, " = %s", c->equation);
		g_string_append_c(out, '\n');
	}
	g_string_append_c(out, '\n');
}

void lkp_table_print(const struct table *t, gboolean axes, GString *out)
{
	if (axes && t->axes->len)
		print_axes(out, t);
	if (axes && !t->headless)
		print_commits(out, t);
	if (!t->headless)
		print_labels(out, t);
	print_rows(out, t, TABLE_ROW_FAIL);
	print_rows(out, t, TABLE_ROW_PERF);
}
