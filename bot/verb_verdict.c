/* verb_verdict.c - judge reruns from the tables of mail; no database */
#include "bot/mail_files.h"
#include "bot/plain_text.h"
#include "bot/rerun_text.h"
#include "bot/verbs.h"
#include "bot/verdict_set.h"
#include "bot/view.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json,
	 "one JSON object a line for each report", NULL},
	{NULL},
};

static gboolean collect(struct reading *r, void *data)
{
	verdict_set_add(data, r);
	return TRUE;
}

static void add_list(GString *out, const char *what, GPtrArray *texts)
{
	for (guint i = 0; texts && i < texts->len; i++)
		g_string_append_printf(out, "      %s: %s\n", what,
				       (const char *)texts->pdata[i]);
}

static void add_rerun(GString *out, const struct rerun *r)
{
	g_autofree char *sentence = rerun_sentence(r);

	g_string_append_printf(out, "  %s\n    %s%s\n", r->message_id,
			       r->headline ? "" : "beside it, ", sentence);
	add_list(out, "assumed", r->assumptions);
	add_list(out, "note", r->judgement.notes);
}

static char *as_text(const struct verdict_report *v, gboolean first)
{
	const struct report *p = v->report->report;
	const char *kind = report_direction_name(p->direction);
	GString *out = g_string_new(first ? "" : "\n");

	g_string_append_printf(out, "%s %s of %s, commit %s\n",
			       report_category_name(p->category),
			       kind ? kind : "report",
			       p->metric ? p->metric : "a test",
			       p->commit ? p->commit : "unknown");
	g_string_append_printf(out, "  reported in %s\n",
			       message_id(v->report->msg));
	for (guint i = 0; i < v->reruns->len; i++)
		add_rerun(out, v->reruns->pdata[i]);
	if (!v->reruns->len)
		g_string_append(out, "  no rerun\n");
	plain_text(out->str);
	return g_string_free(out, FALSE);
}

static char *as_line(const struct verdict_report *v)
{
	return view_line_take(view_verdict(v->report, v->reruns));
}

static int run(struct session *s)
{
	g_autoptr(verdict_set) set = verdict_set_new();
	g_autoptr(GPtrArray) reports = NULL;
	int rc = mail_files_read(s->argv, s->argc, collect, set);

	reports = verdict_set_judge(set);
	for (guint i = 0; i < reports->len; i++) {
		const struct verdict_report *v = reports->pdata[i];
		g_autofree char *text = as_json ? as_line(v) : as_text(v, !i);

		if (!cli_write(text, -1))
			return EXIT_UNREAD;
	}
	if (rc == EXIT_DONE && !reports->len) {
		cli_error("verdict: no report among these mails");
		return EXIT_NONE;
	}
	return rc;
}

const struct verb verb_verdict = {
	.name = "verdict",
	.synopsis = "[--json] FILE...",
	.help = "judge from the numbers whether reruns show a fix",
	.details = "Reads a report and the mails that follow it, in any order, "
		   "and judges every rerun by its tables: does the change that "
		   "was reported show again, and how much of it is gone with a "
		   "fix. The ratio is 1 where the metric is fully back and 0 "
		   "where it is as bad as at the culprit. What was assumed is "
		   "told with each verdict. Needs no database. Exit code 1 if "
		   "there is no report among the mails.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
