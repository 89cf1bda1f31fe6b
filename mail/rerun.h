/* rerun.h - which numbers of a thread judge which candidate
 * From a report and the tables of the mails that follow it to verdicts. */
#ifndef MAIL_RERUN_H
#define MAIL_RERUN_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/report.h"
#include "mail/verdict.h"
#include "mail/words.h"

#define RERUN_MAX 100 /* verdicts of one report */

/* A mail as far as it matters here. Everything is lent. */
struct rerun_mail {
	const char *message_id;
	gint64 date;
	const char *subject;
	GPtrArray *tables;  /* of struct table */
	GPtrArray *samples; /* of struct table_samples; NULL none */
	GPtrArray *words;   /* of struct verdict_word; NULL none */
	GPtrArray *titles;  /* char *: titles of patches in the thread up to
			     * this mail; NULL none */
	gboolean tested_by; /* holds a Tested-by of its sender's own */
};

struct rerun {
	char *message_id;
	char *metric;
	char *candidate; /* label or commit of its column; NULL: two columns */
	char *candidate_subject; /* NULL unknown */
	struct judgement judgement;
	guint runs[3];		/* base, culprit, candidate; 0 does not apply */
	GPtrArray *assumptions; /* of char *: "runs=3 assumed" ... */
	gboolean headline;	/* FALSE: another metric, which never decides */
	gboolean other_setup;	/* other machine, parameters ...: says nothing
			       * of the report's own state */
};

/* The mail that the tables of a report stand in, and what follows, in any
 * order. Fills the roles of their columns. Quoted tables, and those that repeat
 * an earlier one's values, are no measurement of their own and not judged.
 * Sorted by (date, Message-ID, table, column). Never NULL. */
GPtrArray *rerun_judge(const struct report *r, const struct rerun_mail *report,
		       const struct rerun_mail *mails, guint count);
void rerun_free(struct rerun *r);
AUTO_STRUCT(rerun, rerun_free)

/* "v5.14-rc3", "next-20210803": a release, so no fix is tested. NULL: no. */
gboolean rerun_is_tag(const char *label);

/* Fills the roles of a table's columns from what the report tells: base,
 * culprit, candidate, other. */
void rerun_roles(struct table *t, const struct report *r,
		 const struct table *of_report, GPtrArray *titles);

#endif
