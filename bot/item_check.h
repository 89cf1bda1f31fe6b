/* item_check.h - may the numbers of an item be trusted
 * Its report and reruns read once more with all that contradicts itself in
 * them, the runs behind each column, and what became of earlier reports of the
 * same test. Judges nothing new. */
#ifndef BOT_ITEM_CHECK_H
#define BOT_ITEM_CHECK_H

#include <glib.h>
#include <jansson.h>

#include "mail/reading.h"

#include "db/items.h"
#include "db/store.h"

/* One mail that measured. */
struct check_mail {
	gboolean report; /* else a rerun */
	struct reading *reading;
};

struct item_check {
	const struct item *item; /* lent */
	GPtrArray *mails;	 /* of struct check_mail, the report first */
	guint tables, findings, rejects;
	guint gone; /* mails whose bytes could not be had */
};

struct item_check *item_check_load(store *st, const struct item *i,
				   GError **err);
void item_check_free(struct item_check *c);
AUTO_STRUCT(item_check, item_check_free)

/* For people, and culprit/check/1. */
char *item_check_text(const struct item_check *c);
json_t *item_check_view(const struct item_check *c);

#endif
