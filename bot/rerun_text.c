/* rerun_text.c - verdicts, the history of a report, places of fixes, in words */
#include "bot/rerun_text.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"

static const char *verdict_words(enum verdict v)
{
	switch (v) {
	case VERDICT_RECOVERED:
	case VERDICT_PARTIAL:
	case VERDICT_NOT_RECOVERED:
	case VERDICT_LOST:
		return "of the change is gone";
	case VERDICT_KEPT:
		return "of the improvement is gone";
	default:
		return "of the change";
	}
}

static void add_ratio(GString *out, const struct rerun *r)
{
	const struct judgement *j = &r->judgement;

	if (isfinite(j->ratio))
		g_string_append_printf(out, ", %.0f %% %s", 100 * j->ratio,
				       verdict_words(j->verdict));
	if (isfinite(j->ratio) && isfinite(j->ci95[0]) && isfinite(j->ci95[1]))
		g_string_append_printf(out, " (95 %%: %.0f to %.0f)",
				       100 * j->ci95[0], 100 * j->ci95[1]);
	if (isfinite(j->p_gate))
		g_string_append_printf(out, ", p %.2g", j->p_gate);
}

char *rerun_sentence(const struct rerun *r)
{
	const struct judgement *j = &r->judgement;
	const char *confidence = confidence_name(j->confidence);
	GString *out = g_string_new(verdict_name(j->verdict));

	if (confidence)
		g_string_append_printf(out, ", %s confidence", confidence);
	g_string_append_printf(out, ": %s", r->metric);
	if (r->candidate)
		g_string_append_printf(out, " with %.12s", r->candidate);
	if (r->candidate_subject)
		g_string_append_printf(out, " (\"%s\")", r->candidate_subject);
	add_ratio(out, r);
	return g_string_free(out, FALSE);
}

/* ---- history */

static const char *ordinal(guint n)
{
	if (n % 100 >= 11 && n % 100 <= 13)
		return "th";
	switch (n % 10) {
	case 1:
		return "st";
	case 2:
		return "nd";
	case 3:
		return "rd";
	default:
		return "th";
	}
}

static char *relation_sentence(const struct item_relation *o)
{
	static const char *const words[] = {
		[ITEM_SAME_SERIES] = "the same metric and machine",
		[ITEM_SAME_REPORT] = "the same commit and test, again",
		[ITEM_SAME_COMMIT] = "the same commit, another test",
		[ITEM_CANCELS] = "the opposite change of the same metric and "
				 "machine",
		[ITEM_BISECTED_TWICE] = "the same change, led back to another "
					"commit",
	};
	g_autofree char *date = date_to_rfc3339(o->date);
	const char *kind = report_direction_name(o->direction);
	GString *out = g_string_new(words[o->kind]);

	g_string_append_printf(out, ": %s", o->metric ? o->metric : "");
	if (isfinite(o->change_percent))
		g_string_append_printf(out, " %+.1f%%", o->change_percent);
	if (kind)
		g_string_append_printf(out, " %s", kind);
	if (o->commit)
		g_string_append_printf(out, ", %.12s", o->commit);
	if (isfinite(o->ratio))
		g_string_append_printf(
			out, ", %.0f %% of the earlier change is gone",
			100 * o->ratio);
	g_string_append_printf(out, ", %.10s, %s", date ? date : "no date",
			       o->mid);
	return g_string_free(out, FALSE);
}

GPtrArray *history_sentences(const struct item *i)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

	if (i->series_count > 1)
		g_ptr_array_add(
			out,
			g_strdup_printf("%u%s report of this metric on this "
					"machine, of %u",
					i->series_number,
					ordinal(i->series_number),
					i->series_count));
	if (i->series_retracted)
		g_ptr_array_add(
			out,
			g_strdup_printf("%u of these %u reports %s taken "
					"back",
					i->series_retracted, i->series_count,
					i->series_retracted == 1 ? "was"
								 : "were"));
	for (guint n = 0; n < i->relations->len; n++)
		g_ptr_array_add(out, relation_sentence(i->relations->pdata[n]));
	return out;
}

const char *fix_status_text(const struct item_fix *fix)
{
	return !strcmp(fix->status, "applied") &&
			       !g_strcmp0(fix->basis, "notice")
		       ? "said to be applied"
		       : fix->status;
}

char *fix_tree_text(const struct item_fix_tree *t)
{
	const char *present = t->present > 0	? "yes"
			      : t->present == 0 ? "no"
						: "not looked";

	return g_strdup_printf("%s: %s%s%s", t->name, present,
			       t->tag ? ", since " : "", t->tag ? t->tag : "");
}
