/* table.h - comparison tables of measurements, whichever robot printed them
 * The values as mailed and as numbers. Nothing here judges them. */
#ifndef MAIL_TABLE_H
#define MAIL_TABLE_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/body.h"

#define TABLE_MAX_TABLES  200	 /* of one message */
#define TABLE_MAX_COLUMNS 64	 /* of one table */
#define TABLE_MAX_ROWS	  100000 /* of one message; later ones are rejects */
#define TABLE_MAX_REJECTS 1000	 /* of one message; more are only counted */
#define TABLE_MAX_METRIC  400	 /* bytes of a metric's name */
#define TABLE_MAX_AXES	  64

enum table_style {
	TABLE_LKP,
	TABLE_LKP_OLD, /* before 2017-08: "±  0%" and "change" without % */
	TABLE_FSPERF,
	TABLE_OTHER,
};

enum table_row_kind {
	TABLE_ROW_PERF,
	TABLE_ROW_FAIL, /* fails:runs */
};

enum table_change {
	TABLE_CHANGE_NONE, /* the first column */
	TABLE_CHANGE_PERCENT,
	TABLE_CHANGE_POINTS, /* the metric is a percentage itself */
};

enum table_role {
	TABLE_ROLE_UNKNOWN,
	TABLE_ROLE_BASE,
	TABLE_ROLE_CULPRIT,
	TABLE_ROLE_CANDIDATE,
	TABLE_ROLE_OTHER,
};

enum table_runs_source {
	TABLE_RUNS_UNKNOWN,
	TABLE_RUNS_STATED,
	TABLE_RUNS_FAIL_TABLE,
	TABLE_RUNS_RAW,
	TABLE_RUNS_INFERRED,
};

enum metric_direction {
	METRIC_UNKNOWN,
	METRIC_HIGHER, /* is better */
	METRIC_LOWER,
};

/* All strings are lent by the table. */
struct table_cell {
	const char *printed; /* as mailed, without its "±": "4.12e+08" */
	const char *change_printed; /* "-33.7%", "+0.5"; NULL none */
	double mean;		    /* NAN in a row of failures */
	double sd_pct;		    /* of the mean; NAN not shown */
	double change;		    /* percent or points; NAN none */
	gint32 fails;		    /* -1: no row of failures */
	gint32 runs;		    /* -1: no row of failures */
	guint8 change_kind;	    /* enum table_change */
	guint8 base_zero; /* change against a base of exactly 0: no number */
};

struct table_row {
	const char *metric;
	const char *note; /* what a person wrote behind it; NULL */
	guint line;	  /* of the body, from 1; of a wrapped row the first */
	guint8 kind;	  /* enum table_row_kind */
	guint8 direction; /* enum metric_direction */
	guint8 notable;	  /* fsperf marked it with "**" */
};

struct table_column {
	const char *label;    /* as printed, cut by the robot; NULL unknown */
	const char *commit;   /* the fullest id known, at least the label if
			      * that is hex; NULL: none */
	const char *subject;  /* NULL unknown */
	const char *equation; /* "bd4a633b6f + patch [1]"; NULL none */
	enum table_role role;
	guint runs; /* 0 unknown */
	enum table_runs_source runs_source;
};

struct table_axis {
	const char *key;
	const char *value;
};

struct table_reject {
	guint line; /* from 1 */
	char *text; /* without its quote prefix */
	const char *reason;
};

struct table_finding {
	const char *code; /* contract 2: change-mismatch ... */
	int row;	  /* index from 0; -1: the table as a whole */
	char *text;
};

struct table {
	enum table_style style;
	char *title;	       /* fsperf; NULL none */
	guint depth;	       /* quote level */
	guint line;	       /* of its first line that was read, from 1 */
	gboolean headless;     /* rows without a head: labels are NULL */
	gboolean elided;       /* somebody left rows out ("....") */
	gboolean plain_change; /* the head says "change", not "%change" */
	GArray *axes;	       /* of struct table_axis, as printed */
	GPtrArray *listed;     /* commits and tags of the list above; lent */
	GArray *columns;       /* of struct table_column */
	GArray *rows;	       /* of struct table_row */
	GArray *cells;	       /* of struct table_cell, row by row */
	GPtrArray *rejects;    /* of struct table_reject */
	GPtrArray *findings;   /* of struct table_finding; see table_check.h */
	GStringChunk *text;    /* holds the strings */
};

/* Every table of a body, top down, at any quote depth, with the number of
 * runs, directions and findings; no roles. Time is linear in the body. Never
 * NULL. */
GPtrArray *tables_read(const body *b);

struct table *table_new(enum table_style style, guint columns);
void table_free(struct table *t);
AUTO_STRUCT(table, table_free)

/* Appends a row and its cells, which begin empty: NULL, NAN, -1. Lent until
 * the next call. */
struct table_row *table_add_row(struct table *t, enum table_row_kind kind,
				const char *metric, gsize len, guint line);
void table_add_reject(struct table *t, guint line, const char *text, gsize len,
		      const char *reason);
void table_add_finding(struct table *t, const char *code, int row,
		       const char *format, ...) G_GNUC_PRINTF(4, 5);
/* A copy of `text` that lives as long as the table. */
const char *table_keep(struct table *t, const char *text, gsize len);

static inline struct table_row *table_row(const struct table *t, guint row)
{
	return &g_array_index(t->rows, struct table_row, row);
}

static inline struct table_column *table_column(const struct table *t,
						guint column)
{
	return &g_array_index(t->columns, struct table_column, column);
}

static inline struct table_cell *table_cell(const struct table *t, guint row,
					    guint column)
{
	return &g_array_index(t->cells, struct table_cell,
			      row * t->columns->len + column);
}

/* Index of the first row of `metric`; -1 none. */
int table_find(const struct table *t, const char *metric);
/* Value of an axis; NULL none. */
const char *table_axis(const struct table *t, const char *key);
/* The column of a commit (each may be the prefix of the other, 7 characters
 * at least), of its label, or of a tag; -1 none. */
int table_find_column(const struct table *t, const char *commit);

/* TRUE if `b` (perhaps quoted, collapsed, shortened) shows the same
 * measurements as `a`: labels agree where both have some, and every row of
 * the shorter one stands in the other with the same printed values. */
gboolean table_repeats(const struct table *a, const struct table *b);

const char *table_style_name(enum table_style s);	/* "lkp" ... */
const char *table_row_kind_name(enum table_row_kind k); /* "perf" "fail" */
const char *table_change_name(enum table_change c);	/* NULL: none */
const char *table_role_name(enum table_role r);		/* NULL: unknown */
const char *table_runs_source_name(enum table_runs_source s); /* NULL */
const char *metric_direction_name(enum metric_direction d);   /* NULL */

#endif
