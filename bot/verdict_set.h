/* verdict_set.h - reports among mails, and the reruns that belong to each
 * Without a database: from the mails that are given alone. */
#ifndef BOT_VERDICT_SET_H
#define BOT_VERDICT_SET_H

#include <glib.h>

#include "mail/reading.h"
#include "mail/rerun.h"

typedef struct verdict_set verdict_set;

verdict_set *verdict_set_new(void);
void verdict_set_free(verdict_set *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(verdict_set, verdict_set_free)

/* Adds a mail and owns it; a Message-ID that came before is dropped. */
void verdict_set_add(verdict_set *set, struct reading *r);

/* A report and the verdicts of its reruns. */
struct verdict_report {
	const struct reading *report; /* lent by the set */
	GPtrArray *reruns;	      /* of struct rerun */
};

/* One for each performance or functional report, by (date, Message-ID). A
 * mail belongs to a report if its references lead there, else if it has the
 * report's Message-ID in a link or its commit in a table or its subject. You
 * own the array; the set must outlive it. */
GPtrArray *verdict_set_judge(const verdict_set *set);

#endif
