/* report.h - what a robot reported
 * So far: kernel test robot's performance reports. */
#ifndef MAIL_REPORT_H
#define MAIL_REPORT_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/body.h"
#include "mail/message.h"

enum report_category {
	REPORT_PERFORMANCE,
	REPORT_FUNCTIONAL,
	REPORT_BUILD,
	REPORT_BOOT,
	REPORT_SUMMARY,
};

enum report_direction {
	REPORT_UNKNOWN,
	REPORT_REGRESSION,
	REPORT_IMPROVEMENT,
};

struct report {
	const char *robot; /* "kernel-test-robot" */
	enum report_category category;
	enum report_direction direction; /* by the word, never by the sign */
	char *metric;
	double change_percent; /* signed as the metric moved; NAN unknown */
	char *commit; /* 40 hex; the first "commit:" after the headline */
	char *commit_subject;
	char *base;	 /* first column of the headline's table */
	char *base_tree; /* "GITURL BRANCH" parts */
	char *branch;
	char *patch_url;	/* "patch link:" */
	char *patch_message_id; /* inside it, else In-Reply-To's if a patch */
	char *testcase;
	char *machine;	       /* as told in words */
	char *tbox;	       /* the machine's short name (axis tbox_group) */
	GPtrArray *parameters; /* "key: value" strings, in order */
	char *compiler;
	char *config;
	GPtrArray *tags_offered; /* "Key: value", without the "| " shield */
	GPtrArray *artifacts;	 /* URLs */
};

const char *report_category_name(enum report_category c);
const char *report_direction_name(enum report_direction d); /* NULL unknown */

/* NULL if the message is no report. Decided by the sender's address and the
 * headline sentence at quote depth 0, never by the subject alone. */
struct report *report_parse(const message *msg, const body *b);
void report_free(struct report *r);
AUTO_STRUCT(report, report_free)

#endif
