/* items.h - tracked items as they follow from the stored facts
 * So far an item is a performance report of the kernel test robot. */
#ifndef DB_ITEMS_H
#define DB_ITEMS_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/report.h"

#include "db/store.h"

struct item {
	char *id; /* "201703-k4f2q7m3xa", of the report's Message-ID alone */
	char *mid;
	char *thread_root;
	char *title; /* "<metric> <change> on <testcase>/<machine>" */
	char *subject;
	enum report_category category;
	enum report_direction direction;
	char *metric;
	double change_percent; /* NAN unknown */
	char *commit, *commit_subject, *base, *tree, *branch;
	char *testcase, *machine;
	char *reporter_name, *reporter_address;
	char *patch_mid; /* the patch it answers, NULL unknown */
	char *state;	 /* contract section 4 */
	gint64 reported, last_activity;
	guint messages; /* real mails of the thread */
};
void item_free(struct item *i);
AUTO_STRUCT(item, item_free)

/* 10 lower-case base32 characters of SHA-256(id) behind the month of `date`;
 * `chars` more where two collide. */
char *item_id(const char *mid, gint64 date, guint chars);

/* All items, newest activity first, then by id. */
GPtrArray *items_load(store *st, GError **err);
/* By item id, Message-ID, URL, commit id (prefix of 7 or more) or unique
 * title; NULL with err unset: not found or not unique (`*many` is set). */
struct item *item_find(store *st, const char *what, gboolean *many,
		       GError **err);

#endif
