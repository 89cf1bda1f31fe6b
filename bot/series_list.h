/* series_list.h - a test through time: its reports and all that was measured
 * A series is one metric of one test on one machine (mail/test_key.h). */
#ifndef BOT_SERIES_LIST_H
#define BOT_SERIES_LIST_H

#include <glib.h>
#include <jansson.h>

#include "mail/auto.h"

#include "db/items.h"
#include "db/store.h"

#define SERIES_LIST_MAX 200 /* of one question */

struct series_of_test {
	const char *key;    /* lent by the items */
	GPtrArray *reports; /* of struct item, by date; lent */
	GPtrArray *values;  /* of struct observation */
};

struct series_list {
	GPtrArray *series; /* of struct series_of_test, in the order of found */
	gboolean cut;	   /* there are more than SERIES_LIST_MAX */
};

/* The series of the items `found`, each whole: with all reports among `all`,
 * which outlives the result. */
struct series_list *series_list_load(store *st, GPtrArray *all,
				     GPtrArray *found, GError **err);
void series_list_free(struct series_list *l);
AUTO_STRUCT(series_list, series_list_free)

void series_text(GString *out, const struct series_of_test *s);
/* A line for each value: key, date, metric, commit, role, value as printed,
 * deviation, runs, Message-ID. */
void series_tsv(GString *out, const struct series_of_test *s);
/* An object of culprit/series/1. */
json_t *series_view(const struct series_of_test *s);

#endif
