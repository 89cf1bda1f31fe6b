/* reading.h - everything that is understood of one message
 * The one place that decides what kind of mail it is and which parser sees
 * which part of it. */
#ifndef MAIL_READING_H
#define MAIL_READING_H

#include <glib.h>

#include "mail/applied.h"
#include "mail/auto.h"
#include "mail/body.h"
#include "mail/command.h"
#include "mail/commit_ref.h"
#include "mail/links.h"
#include "mail/message.h"
#include "mail/patch.h"
#include "mail/pull.h"
#include "mail/report.h"
#include "mail/robot.h"
#include "mail/subject.h"
#include "mail/table.h"
#include "mail/table_runs.h"
#include "mail/trailers.h"
#include "mail/words.h"

enum mail_kind { /* stored as numbers: append only */
		 KIND_OTHER,
		 KIND_PATCH,
		 KIND_COVER,
		 KIND_PULL,
		 KIND_REPORT,
		 KIND_REPLY,
		 KIND_NOTICE, /* robots' notices that are no reports */
};

struct reading {
	message *msg; /* a reference */
	enum mail_kind kind;
	gboolean rerun; /* a reply with measurements of its sender's own */
	struct subject *subject;
	body *body;
	struct patch *patch; /* KIND_PATCH, KIND_COVER; also a reply that holds
			      * a diff of its sender's own */
	struct pull *pull;
	const struct robot *robot; /* that wrote it; NULL: a person */
	struct report *report;
	GPtrArray *tables;	 /* of struct table */
	GPtrArray *samples;	 /* of struct table_samples */
	GPtrArray *words;	 /* of struct verdict_word */
	GPtrArray *commands;	 /* of struct command */
	struct applied *applied; /* NULL: it tells of no such thing */
	GPtrArray *trailers;	 /* of struct trailer */
	GPtrArray *links;	 /* of struct link */
	GPtrArray *commits;	 /* of struct commit_ref */
	GPtrArray *warnings;	 /* of struct warning: the message's and ours */
};

const char *mail_kind_name(enum mail_kind kind); /* "patch", "cover" ... */

/* Read everything; takes a reference on `msg`. Never NULL. */
struct reading *reading_new(message *msg);
void reading_free(struct reading *r);
AUTO_STRUCT(reading, reading_free)

#endif
