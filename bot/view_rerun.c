/* view_rerun.c - verdicts: culprit/verdict/1 and the reruns of an item */
#include <math.h>

#include "bot/view_priv.h"

static json_t *view_interval(const double ci[2])
{
	if (!isfinite(ci[0]) || !isfinite(ci[1]))
		return json_null();
	return json_pack("[f,f]", ci[0], ci[1]);
}

json_t *view_rerun(const struct rerun *r)
{
	const struct judgement *j = &r->judgement;
	json_t *o = json_object(), *runs = json_array();

	for (guint i = 0; i < G_N_ELEMENTS(r->runs); i++)
		json_array_append_new(runs, r->runs[i]
						    ? json_integer(r->runs[i])
						    : json_null());
	json_object_set_new(o, "message_id", view_text(r->message_id));
	json_object_set_new(o, "metric", view_text(r->metric));
	json_object_set_new(o, "candidate", view_text(r->candidate));
	json_object_set_new(o, "candidate_subject",
			    view_text(r->candidate_subject));
	json_object_set_new(o, "headline", json_boolean(r->headline));
	json_object_set_new(o, "other_setup", json_boolean(r->other_setup));
	json_object_set_new(o, "verdict", view_text(verdict_name(j->verdict)));
	json_object_set_new(o, "ratio", view_number(j->ratio));
	json_object_set_new(o, "ci95", view_interval(j->ci95));
	json_object_set_new(o, "ci95_best", view_interval(j->ci95_best));
	json_object_set_new(o, "p_gate", view_number(j->p_gate));
	json_object_set_new(o, "confidence",
			    view_text(confidence_name(j->confidence)));
	json_object_set_new(o, "runs", runs);
	json_object_set_new(o, "assumptions", view_texts(r->assumptions));
	json_object_set_new(o, "notes", view_texts(j->notes));
	return o;
}

json_t *view_verdict(const struct reading *report, GPtrArray *reruns)
{
	const struct report *p = report->report;
	json_t *o = json_object(), *list = json_array();

	for (guint i = 0; i < reruns->len; i++)
		json_array_append_new(list, view_rerun(reruns->pdata[i]));
	json_object_set_new(o, "schema", view_text("culprit/verdict/1"));
	json_object_set_new(o, "report_message_id",
			    view_text(message_id(report->msg)));
	json_object_set_new(o, "metric", view_text(p->metric));
	json_object_set_new(o, "direction",
			    view_text(report_direction_name(p->direction)));
	json_object_set_new(o, "commit", view_text(p->commit));
	json_object_set_new(o, "reruns", list);
	return o;
}
