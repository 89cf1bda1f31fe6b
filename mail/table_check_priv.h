/* table_check_priv.h - the checks of a table, in two files
 * For the table_check*.c files alone. */
#ifndef MAIL_TABLE_CHECK_PRIV_H
#define MAIL_TABLE_CHECK_PRIV_H

#include "mail/table_check.h"

struct check_count {
	guint found; /* also those beyond TABLE_CHECK_MAX */
};

/* Counts a finding; FALSE: there are enough, don't add it. */
gboolean check_room(struct check_count *n);

void check_labels(struct table *t, struct check_count *n);
void check_fails(struct table *t, struct check_count *n, guint row,
		 guint column);
void check_deviation(struct table *t, struct check_count *n, guint row,
		     guint column);
void check_doubles(struct table *t, struct check_count *n);

#endif
