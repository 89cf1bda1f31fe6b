/* commit_items.h - what mail and items say of a commit, known or not */
#ifndef DB_COMMIT_ITEMS_H
#define DB_COMMIT_ITEMS_H

#include "mail/commit_ref.h"

#include "db/commits.h"
#include "db/items.h"

#define COMMIT_MAX_MENTIONS 50

/* A mail that names it. */
struct commit_mention {
	char *mid;
	char *subject; /* of the mail */
	enum commit_role role;
	gint64 date;
};
void commit_mention_free(struct commit_mention *m);

/* Mails that name the commit whose id begins with `prefix`, in whatever
 * length, the oldest COMMIT_MAX_MENTIONS. Of struct commit_mention. */
GPtrArray *commit_mentions(store *st, const char *prefix, GError **err);

/* An item that the commit brought, or that it repairs. */
struct commit_item {
	struct item *item;
	gboolean culprit;   /* else it is among the fixes */
	const char *status; /* of that fix */
};
void commit_item_free(struct commit_item *i);

/* Items of the commit whose id begins so; `c` (NULL: not known) tells what it
 * repairs. Those it brought first. Of struct commit_item. */
GPtrArray *commit_items(store *st, const char *prefix, const struct commit *c,
			GError **err);

#endif
