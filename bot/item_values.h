/* item_values.h - what a query may ask of an item: words, texts, numbers
 * Internal to bot/item_match.c. */
#ifndef BOT_ITEM_VALUES_H
#define BOT_ITEM_VALUES_H

#include <glib.h>

#include "db/items.h"

#define ITEM_STATE_NAMES                                             \
	"reported, bisected, fix-posted, rerun-failed, fix-tested, " \
	"applied, fixed, stable-pending, duplicate, resolved, "      \
	"inconclusive, expected"
#define ITEM_IS_NAMES                                                                             \
	"open, closed, stalled, backburner, disputed, assigned, muted, regression, improvement, " \
	"verified, inconsistent, perf, func, " ITEM_STATE_NAMES

gboolean item_state_known(const char *name);
/* is:WHAT; -1: there is no such thing. `i` NULL: is there? */
int item_is(const struct item *i, const char *what);

/* verdict:NAME */
gboolean item_verdict_known(const char *name);
gboolean item_has_verdict(const struct item *i, const char *name);

/* The texts that a prefix looks at; NULL: it looks at none. Appends lent ones,
 * perhaps NULL. `*commit`: hex digits are the beginning of an id. */
typedef void (*item_texts_fn)(const struct item *i, GPtrArray *out);
item_texts_fn item_texts(const char *prefix, gboolean *commit);

/* The numbers that a prefix compares: change, runs, age (seconds, at `now`).
 * FALSE: it compares none. Appends to an array of double; `i` may be NULL. */
gboolean item_numbers(const struct item *i, const char *prefix, gint64 now,
		      GArray *out);

/* tree:NAME=yes, tree:NAME=no: a fix is there; there is one, and it is not
 * there. What was not looked at is neither. FALSE: no such value. */
gboolean item_tree_parse(const char *value, char **name, gboolean *present);
gboolean item_in_tree(const struct item *i, const char *name, gboolean present);

/* introduced:A..B, or of one tag: low = high. Either end may be "". */
gboolean item_introduced_in(const struct item *i, const char *low,
			    const char *high);

#endif
