/* check_text.c - an item's numbers and what is wrong with them, in words */
#include <math.h>
#include <string.h>

#include "mail/date.h"

#include "bot/item_check.h"
#include "bot/rerun_text.h"

static void add(GString *out, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void add(GString *out, const char *label, const char *format, ...)
{
	va_list args;

	g_string_append_printf(out, "  %-10s ", label);
	va_start(args, format);
	g_string_append_vprintf(out, format, args);
	va_end(args);
	g_string_append_c(out, '\n');
}

static const char *runs_words(enum table_runs_source s)
{
	switch (s) {
	case TABLE_RUNS_STATED:
		return "as the mail says";
	case TABLE_RUNS_FAIL_TABLE:
		return "by the rows of failures";
	case TABLE_RUNS_RAW:
		return "by the single values in the mail";
	case TABLE_RUNS_INFERRED:
		return "as the printed numbers suggest";
	default:
		return "not known";
	}
}

static const char *column_name(const struct table_column *k)
{
	return k->label ? k->label : k->commit ? k->commit : "?";
}

static void add_column(GString *out, const struct table *t, guint column,
		       int row)
{
	const struct table_column *k = table_column(t, column);
	const struct table_cell *c =
		row >= 0 ? table_cell(t, (guint)row, column) : NULL;
	const char *role = table_role_name(k->role);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "%.12s", column_name(k));
	if (role)
		g_string_append_printf(line, " (%s)", role);
	if (k->runs)
		g_string_append_printf(line, ": %u run%s, %s", k->runs,
				       k->runs == 1 ? "" : "s",
				       runs_words(k->runs_source));
	else
		g_string_append(line, ": number of runs not known");
	if (c && c->printed && isfinite(c->mean)) {
		g_string_append_printf(line, "; %s", c->printed);
		if (isfinite(c->sd_pct))
			g_string_append_printf(line, " ± %g%%", c->sd_pct);
		else
			g_string_append(line, ", deviation not printed");
	}
	add(out, "column", "%s", line->str);
}

static void add_table(GString *out, const struct table *t, const char *metric)
{
	int row = metric ? table_find(t, metric) : -1;

	add(out, "table", "line %u%s, %u rows%s%s", t->line,
	    t->depth ? ", quoted" : "", t->rows->len,
	    row >= 0 || !metric ? "" : "; the metric is not in it",
	    t->elided ? "; rows were left out" : "");
	for (guint k = 0; k < t->columns->len; k++)
		add_column(out, t, k, row);
	for (guint n = 0; n < t->findings->len; n++) {
		const struct table_finding *f = t->findings->pdata[n];

		add(out, "finding", "%s: %s", f->code, f->text);
	}
	for (guint n = 0; n < t->rejects->len; n++) {
		const struct table_reject *r = t->rejects->pdata[n];

		add(out, "unread", "line %u: %s", r->line, r->reason);
	}
}

static void add_mail(GString *out, const struct check_mail *m,
		     const char *metric)
{
	const struct reading *r = m->reading;
	g_autofree char *date = date_to_rfc3339(message_date(r->msg));

	g_string_append_printf(out, "\n%s <%s>, %s\n",
			       m->report ? "report" : "rerun",
			       message_id(r->msg), date ? date : "no date");
	if (!r->tables->len)
		add(out, "table", "none");
	for (guint n = 0; n < r->tables->len; n++)
		add_table(out, r->tables->pdata[n], metric);
}

static void add_verdicts(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];
		g_autofree char *text = r->headline ? rerun_sentence(r) : NULL;

		if (text)
			add(out, "verdict", "%s", text);
		for (guint k = 0; text && k < r->judgement.notes->len; k++)
			add(out, "", "%s",
			    (char *)r->judgement.notes->pdata[k]);
	}
}

static void add_history(GString *out, const struct item *i)
{
	g_autoptr(GPtrArray) lines = history_sentences(i);

	if (!i->series_key)
		add(out, "series",
		    "not known: the mail does not tell test "
		    "and machine");
	else if (!lines->len)
		add(out, "series", "the first report of this test");
	for (guint n = 0; n < lines->len; n++)
		add(out, n ? "" : "series", "%s", (char *)lines->pdata[n]);
}

char *item_check_text(const struct item_check *c)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%s\n%s\n", c->item->title, c->item->id);
	if (c->findings)
		add(out, "numbers", "%u contradiction%s in %u table%s",
		    c->findings, c->findings == 1 ? "" : "s", c->tables,
		    c->tables == 1 ? "" : "s");
	else
		add(out, "numbers", "%s",
		    c->tables ? "no contradiction" : "no table");
	if (c->rejects)
		add(out, "", "%u line%s could not be read", c->rejects,
		    c->rejects == 1 ? "" : "s");
	if (c->gone)
		add(out, "", "%u mail%s could not be had", c->gone,
		    c->gone == 1 ? "" : "s");
	add_verdicts(out, c->item);
	add_history(out, c->item);
	for (guint n = 0; n < c->mails->len; n++)
		add_mail(out, c->mails->pdata[n], c->item->metric);
	return g_string_free(out, FALSE);
}
