/* report.h - what a robot reported
 * One form for all robots; who reads which mail is in robot.h. */
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

/* A later state of the tree, told by the report itself: "[still regression on
 * linus/master <sha>]". */
enum report_still {
	REPORT_STILL_REGRESSION,
	REPORT_STILL_IMPROVEMENT,
	REPORT_STILL_TEST_FAILED,
	REPORT_STILL_FIXED,
};

struct report_status {
	char *tree;   /* "linus/master"; "fix commit" for a fix */
	char *commit; /* 40 hex; NULL unknown */
	enum report_still status;
};

/* One failure of a functional report, or one line of a build report. */
struct report_error {
	char *text; /* the id "xfstests.generic.475.fail", or the line as
		     * printed, without its ">> " */
	char *file; /* of a build report; NULL unknown */
	guint line, column;    /* from 1; 0 unknown */
	char *tool;	       /* "gcc", "sparse" ...; NULL unknown */
	char *message;	       /* NULL unknown */
	gboolean is_new;       /* FALSE: "<<", or unmarked */
	int fails[2], runs[2]; /* base, culprit: rows of failures; -1 unknown */
};

/* "In addition to that, the commit also has impact on ..." */
struct report_impact {
	enum report_direction direction;
	char *metric;	       /* NULL: "testcase: change" names a failure */
	double change_percent; /* as written; NAN unknown */
	char *testcase;
	char *machine;
	GPtrArray *parameters; /* "key: value" */
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
	GPtrArray *still_on;	 /* of struct report_status */
	GPtrArray *errors;	 /* of struct report_error, in order */
	GPtrArray *impacts;	 /* of struct report_impact */
	char *bug_id; /* the robot's own name of the bug (syzbot: the hex in
		       * its address, bugzilla: the number); NULL none */
	char *title;  /* of a functional, build or boot report, for people */
};

const char *report_category_name(enum report_category c);
const char *report_direction_name(enum report_direction d); /* NULL unknown */

void report_free(struct report *r);
AUTO_STRUCT(report, report_free)

#endif
