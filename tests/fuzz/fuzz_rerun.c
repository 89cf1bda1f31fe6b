/* fuzz_rerun.c - any two texts as a report's tables and a rerun's */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mail/rerun.h"
#include "mail/table_runs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct rerun *r)
{
	const struct judgement *j = &r->judgement;

	g_assert(r->message_id && r->metric && verdict_name(j->verdict));
	g_assert(isnan(j->ratio) || isfinite(j->ratio));
	g_assert(isnan(j->p_gate) || (j->p_gate >= 0 && j->p_gate <= 1));
	g_assert(isnan(j->ci95[0]) == isnan(j->ci95[1]));
	g_assert(isnan(j->ci95[0]) || j->ci95[0] <= j->ci95[1]);
	g_assert(!j->confidence || j->verdict != VERDICT_INCONCLUSIVE);
}

/* The commit and metric that the first table would be a report of. */
static void take_headline(GPtrArray *tables, struct report *r)
{
	const struct table *t = tables->len ? tables->pdata[0] : NULL;

	if (!t || t->columns->len < 2 || !t->rows->len)
		return;
	r->commit = (char *)table_column(t, 1)->commit;
	r->metric = (char *)table_row(t, 0)->metric;
	if (table_row(t, 0)->kind == TABLE_ROW_FAIL)
		r->category = REPORT_FUNCTIONAL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *raw = g_strndup((const char *)data, size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	const char *cut = strstr(text, "\n\f\n");
	gsize first = cut ? (gsize)(cut - text) + 1 : strlen(text) / 2;
	g_autoptr(body) a = body_parse(text, first);
	g_autoptr(body) b = body_parse(text + first, strlen(text) - first);
	g_autoptr(GPtrArray) reported = tables_read(a);
	g_autoptr(GPtrArray) rerun = tables_read(b);
	g_autoptr(GPtrArray) samples = table_samples_read(b);
	struct report r = {.category = REPORT_PERFORMANCE,
			   .direction = REPORT_REGRESSION,
			   .change_percent = NAN};
	struct rerun_mail report = {.message_id = "a", .tables = reported};
	struct rerun_mail mail = {.message_id = "b",
				  .tables = rerun,
				  .samples = samples};
	g_autoptr(GPtrArray) out = NULL;

	table_samples_bind(rerun, samples);
	take_headline(reported, &r);
	out = rerun_judge(&r, &report, &mail, 1);
	g_assert(out->len <= RERUN_MAX);
	for (guint i = 0; i < out->len; i++)
		check(out->pdata[i]);
	return 0;
}
