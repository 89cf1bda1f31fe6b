/* view_report.c - a robot's report: part of culprit/message/1 */
#include <math.h>

#include "bot/view_priv.h"

/* "key: value" strings as an object. */
static json_t *view_parameters(GPtrArray *pairs)
{
	json_t *out = json_object();

	for (guint i = 0; pairs && i < pairs->len; i++) {
		g_auto(GStrv) half = g_strsplit(pairs->pdata[i], ": ", 2);

		if (half[0] && half[1])
			json_object_set_new(out, half[0], view_text(half[1]));
	}
	return out;
}

static json_t *view_still_on(GPtrArray *all)
{
	static const char *const names[] = {
		[REPORT_STILL_REGRESSION] = "regression",
		[REPORT_STILL_IMPROVEMENT] = "improvement",
		[REPORT_STILL_TEST_FAILED] = "test-failed",
		[REPORT_STILL_FIXED] = "fixed",
	};
	json_t *out = json_array();

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_status *s = all->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "tree", view_text(s->tree));
		json_object_set_new(o, "commit", view_text(s->commit));
		json_object_set_new(o, "status", view_text(names[s->status]));
		json_array_append_new(out, o);
	}
	return out;
}

/* What is new: what the report is about. */
static json_t *view_errors(GPtrArray *all)
{
	json_t *out = json_array();

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_error *e = all->pdata[i];

		if (e->is_new)
			json_array_append_new(out, view_text(e->text));
	}
	return out;
}

static json_t *positive_or_null(gint64 n)
{
	return n > 0 ? json_integer(n) : json_null();
}

static json_t *pair_or_null(const int n[2])
{
	json_t *out;

	if (n[0] < 0 && n[1] < 0)
		return json_null();
	out = json_array();
	for (guint i = 0; i < 2; i++)
		json_array_append_new(out, n[i] < 0 ? json_null()
						    : json_integer(n[i]));
	return out;
}

static json_t *view_details(GPtrArray *all)
{
	json_t *out = json_array();

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_error *e = all->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "text", view_text(e->text));
		json_object_set_new(o, "file", view_text(e->file));
		json_object_set_new(o, "line", positive_or_null(e->line));
		json_object_set_new(o, "column", positive_or_null(e->column));
		json_object_set_new(o, "tool", view_text(e->tool));
		json_object_set_new(o, "message", view_text(e->message));
		json_object_set_new(o, "new", json_boolean(e->is_new));
		json_object_set_new(o, "fails", pair_or_null(e->fails));
		json_object_set_new(o, "runs", pair_or_null(e->runs));
		json_array_append_new(out, o);
	}
	return out;
}

static json_t *view_impacts(GPtrArray *all)
{
	json_t *out = json_array();

	for (guint i = 0; all && i < all->len; i++) {
		const struct report_impact *p = all->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "direction",
				    view_text(report_direction_name(
					    p->direction)));
		json_object_set_new(o, "metric", view_text(p->metric));
		json_object_set_new(o, "change_percent",
				    view_number(p->change_percent));
		json_object_set_new(o, "testcase", view_text(p->testcase));
		json_object_set_new(o, "machine", view_text(p->machine));
		json_object_set_new(o, "parameters",
				    view_parameters(p->parameters));
		json_array_append_new(out, o);
	}
	return out;
}

static void add_report_head(json_t *o, const struct report *p)
{
	json_object_set_new(o, "robot", view_text(p->robot));
	json_object_set_new(o, "category",
			    view_text(report_category_name(p->category)));
	json_object_set_new(o, "direction",
			    view_text(report_direction_name(p->direction)));
	json_object_set_new(o, "metric", view_text(p->metric));
	json_object_set_new(o, "change_percent",
			    view_number(p->change_percent));
	json_object_set_new(o, "commit", view_text(p->commit));
	json_object_set_new(o, "commit_subject", view_text(p->commit_subject));
	json_object_set_new(o, "base", view_text(p->base));
	json_object_set_new(o, "base_tree", view_text(p->base_tree));
	json_object_set_new(o, "branch", view_text(p->branch));
	json_object_set_new(o, "patch_message_id",
			    view_text(p->patch_message_id));
	json_object_set_new(o, "patch_url", view_text(p->patch_url));
}

json_t *view_report(const struct report *p)
{
	json_t *o;

	if (!p)
		return json_null();
	o = json_object();
	add_report_head(o, p);
	json_object_set_new(o, "testcase", view_text(p->testcase));
	json_object_set_new(o, "machine", view_text(p->machine));
	json_object_set_new(o, "parameters", view_parameters(p->parameters));
	json_object_set_new(o, "compiler", view_text(p->compiler));
	json_object_set_new(o, "config", view_text(p->config));
	json_object_set_new(o, "artifacts", view_texts(p->artifacts));
	json_object_set_new(o, "still_on", view_still_on(p->still_on));
	json_object_set_new(o, "tags_offered", view_texts(p->tags_offered));
	json_object_set_new(o, "errors", view_errors(p->errors));
	json_object_set_new(o, "error_details", view_details(p->errors));
	json_object_set_new(o, "impacts", view_impacts(p->impacts));
	json_object_set_new(o, "bug_id", view_text(p->bug_id));
	json_object_set_new(o, "title", view_text(p->title));
	return o;
}
