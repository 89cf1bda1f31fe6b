/* weekly_report.h - the regression report as a mail
 * What is open, by tree and cycle; what is new, and what ended since the last
 * one. Plain text of 72 columns; the same items give the same text. */
#ifndef BOT_WEEKLY_REPORT_H
#define BOT_WEEKLY_REPORT_H

#include <glib.h>

#define WEEKLY_QUIET_DAYS 90 /* open ones without activity are only counted */
#define WEEKLY_ID_BEGIN	  "regressions-" /* of the Message-ID */

struct weekly_report {
	GPtrArray *items; /* of struct item, those that matched */
	gint64 since;	  /* the last report */
	gint64 now;
	const char *name, *address; /* of the sender; address NULL unknown */
	const char *host;	    /* of its Message-ID; NULL unknown */
	const GPtrArray *to;	    /* of char *: addresses; NULL nobody */
	const char *previous; /* Message-ID of the last report; NULL unknown */
	const char *url;      /* base of the pages; NULL none */
};

/* The whole mail. You own it. */
char *weekly_report_mail(const struct weekly_report *r);
/* Its text alone. */
char *weekly_report_text(const struct weekly_report *r);

#endif
