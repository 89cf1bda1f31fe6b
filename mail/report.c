/* report.c - the value: a robot's report, and the names of its enums
 * Knows no robot. */
#include "mail/report.h"

#include <math.h>

#include "mail/report_priv.h"

const char *report_category_name(enum report_category c)
{
	static const char *const names[] = {"performance", "functional",
					    "build", "boot", "summary"};

	return names[c];
}

const char *report_direction_name(enum report_direction d)
{
	static const char *const names[] = {NULL, "regression", "improvement"};

	return names[d];
}

static void status_free(struct report_status *s)
{
	g_free(s->tree);
	g_free(s->commit);
	g_free(s);
}

static void impact_free(struct report_impact *p)
{
	g_free(p->metric);
	g_free(p->testcase);
	g_free(p->machine);
	g_ptr_array_unref(p->parameters);
	g_free(p);
}

void report_error_free(struct report_error *e)
{
	if (!e)
		return;
	g_free(e->text);
	g_free(e->file);
	g_free(e->tool);
	g_free(e->message);
	g_free(e);
}

struct report *report_new(const char *robot, enum report_category category)
{
	struct report *r = g_new0(struct report, 1);

	r->robot = robot;
	r->category = category;
	r->change_percent = NAN;
	r->parameters = g_ptr_array_new_with_free_func(g_free);
	r->tags_offered = g_ptr_array_new_with_free_func(g_free);
	r->artifacts = g_ptr_array_new_with_free_func(g_free);
	r->still_on =
		g_ptr_array_new_with_free_func((GDestroyNotify)status_free);
	r->errors = g_ptr_array_new_with_free_func(
		(GDestroyNotify)report_error_free);
	r->impacts =
		g_ptr_array_new_with_free_func((GDestroyNotify)impact_free);
	return r;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	g_free(r->metric);
	g_free(r->commit);
	g_free(r->commit_subject);
	g_free(r->base);
	g_free(r->base_tree);
	g_free(r->branch);
	g_free(r->patch_url);
	g_free(r->patch_message_id);
	g_free(r->testcase);
	g_free(r->machine);
	g_free(r->tbox);
	g_free(r->compiler);
	g_free(r->config);
	g_free(r->bug_id);
	g_free(r->title);
	g_ptr_array_unref(r->parameters);
	g_ptr_array_unref(r->tags_offered);
	g_ptr_array_unref(r->artifacts);
	g_ptr_array_unref(r->still_on);
	g_ptr_array_unref(r->errors);
	g_ptr_array_unref(r->impacts);
	g_free(r);
}
