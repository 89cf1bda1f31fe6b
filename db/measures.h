/* measures.h - stored measurements: tables of messages, series through time */
#ifndef DB_MEASURES_H
#define DB_MEASURES_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/table.h"
#include "mail/table_runs.h"
#include "mail/words.h"

#include "db/store.h"

/* What a message measured and said: struct table, struct table_samples,
 * struct verdict_word. Rows of monitors, rejects and findings are not there.
 * Arrays are never NULL. */
struct measures {
	GPtrArray *tables;
	GPtrArray *samples;
	GPtrArray *words;
};
/* By Message-ID; an unknown one has none of them. NULL and *err. */
struct measures *measures_load(store *st, const char *mid, GError **err);
void measures_free(struct measures *m);
AUTO_STRUCT(measures, measures_free)

/* One measurement of a series: a column of a table in some mail. The same
 * commit, printed value and environment count once, where they were first
 * seen. */
struct observation {
	char *mid;
	gint64 date; /* 0 unknown */
	char *metric;
	char *label;  /* NULL unknown */
	char *commit; /* NULL unknown */
	char *printed;
	double mean;
	double sd_pct; /* NAN not shown */
	guint runs;    /* 0 unknown */
	enum table_role role;
	char *strict; /* of test_key */
};
void observation_free(struct observation *o);

/* By (date, Message-ID, place in the mail). */
GPtrArray *observations_load(store *st, const char *series, GError **err);

#endif
