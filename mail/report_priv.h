/* report_priv.h - reading a robot's lines: cursors over unquoted text
 * For the report_*.c files alone. */
#ifndef MAIL_REPORT_PRIV_H
#define MAIL_REPORT_PRIV_H

#include "mail/report.h"

#define REPORT_MAX_HEADLINES  20 /* sentences looked at in one mail */
#define REPORT_MAX_PARAMETERS 64
#define REPORT_MAX_ARTIFACTS  32
#define REPORT_MAX_TAGS	      16
#define REPORT_MAX_SUBJECT    1000 /* bytes of a commit's title */

struct headline {
	guint line;   /* behind the sentence */
	double value; /* as written, with its sign */
	gboolean is_signed;
	enum report_direction direction;
	char *metric;
};

/* Content of a line that the robot itself wrote, blanks trimmed at both ends;
 * NULL if it is quoted, forwarded, signature or footer. */
const char *report_line(const body *b, guint i, gsize *len);

/* The next headline sentence at or after line `from`. */
gboolean report_next_headline(const body *b, guint from, struct headline *h);

/* "key: value" if the line begins with one of the NULL-terminated `keys`
 * (with their colon): the value. You own it. */
char *report_value(const body *b, guint i, const char *const *keys);

/* report_table.c: what the comparison tables below line `from` tell about
 * the headline's metric: base, and the change, whose sign counts. Fills in
 * base, change_percent, compiler and config of `r` where still missing. */
void report_read_tables(struct report *r, const body *b, guint from,
			const struct headline *h, gint64 date);

#endif
