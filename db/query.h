/* query.h - the query language: text to a tree
 * pages-stats.md A4; prefixes of public-inbox/lei and notmuch. No SQL here. */
#ifndef DB_QUERY_H
#define DB_QUERY_H

#include <glib.h>

#include "mail/auto.h"

#define QUERY_MAX_BYTES 1000
#define QUERY_MAX_TERMS 64
#define QUERY_MAX_DEPTH 32

#define QUERY_ERROR (query_error_quark())
GQuark query_error_quark(void);
/* The code is the column, counted from 1; the text says what was expected. */

enum query_op { QUERY_TERM, QUERY_AND, QUERY_OR, QUERY_NOT, QUERY_ALL };

enum query_value {
	QUERY_WORD,
	QUERY_PHRASE,
	QUERY_PREFIX,  /* word* */
	QUERY_RANGE,   /* a..b, either may be empty */
	QUERY_REGEX,   /* /x/ */
	QUERY_COMPARE, /* >5 <-10 >=5 */
};

struct query {
	enum query_op op;
	GPtrArray *parts; /* AND, OR (>= 2), NOT (1): of struct query */
	char *prefix;	  /* TERM: canonical ("s", "f", "is"), "" if none */
	enum query_value kind;
	char *text; /* word, phrase, regex; the low end of a range */
	char *high; /* RANGE: the high end; COMPARE: the number */
	guint column;
	gboolean implicit; /* OR: made of terms of one prefix, no operator */
};

/* Parse; an empty text is QUERY_ALL. `now` resolves relative dates: d: and
 * rt: values arrive as RFC 3339 in text/high. You own the tree. */
struct query *query_parse(const char *text, gint64 now, GError **err);
void query_free(struct query *q);
AUTO_STRUCT(query, query_free)

#endif
