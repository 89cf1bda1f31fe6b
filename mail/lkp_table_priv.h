/* lkp_table_priv.h - between the parts of the reader of robot tables */
#ifndef MAIL_LKP_TABLE_PRIV_H
#define MAIL_LKP_TABLE_PRIV_H

#include "mail/lkp_table.h"

#define LKP_MAX_LINE   4096 /* bytes; a longer line is no row */
#define LKP_MAX_KNOWN  500  /* commits named in one message */
#define LKP_ID_LEAST   7    /* hex digits of a commit */
#define LKP_MAX_WRAP   3    /* lines that one row, subject or axis may take */
#define LKP_ZERO_BASE  1e80 /* percent: the base was exactly 0 */
#define LKP_PLUS_MINUS "\302\261"

/* Content of a line of the body, without its quote prefix and outer blanks. */
struct lkp_line {
	const char *p;
	gsize len;
	guint depth;
	guint no; /* index in the body */
};

struct lkp_cell {
	const char *value; /* "4.12e+08", "3:6", ":6" */
	gsize value_len;
	int sd;		    /* -1 not shown */
	const char *change; /* NULL: none */
	gsize change_len;
};

/* The beginning of a line as cells; slices of that line. */
struct lkp_row {
	enum table_row_kind kind;
	guint n;
	gboolean percent;	 /* some "%" stood there */
	gboolean unfinished;	 /* ends within a cell */
	gboolean ends_in_change; /* the next cell's value is missing */
	const char *rest;	 /* what follows the cells: metric, note */
	gsize rest_len;
	struct lkp_cell cells[TABLE_MAX_COLUMNS];
};

/* lkp_table_token.c */
/* Bytes of blanks at `p`: also tabs, and the blanks of Unicode. */
gsize lkp_blanks(const char *p, const char *end);
/* Bytes of the word at `p`. */
gsize lkp_word(const char *p, const char *end);
gboolean lkp_line_get(const body *b, guint i, struct lkp_line *l);
/* Whether a line may belong to one of that depth: what a mailer wraps of a
 * quoted line may lose its mark. */
gboolean lkp_line_near(const struct lkp_line *l, guint depth);
gboolean lkp_word_is_number(const char *p, gsize len);
gboolean lkp_word_is_hex(const char *p, gsize len, gsize least);
/* FALSE if the text does not begin with a cell. At most `max` cells. `bare`:
 * changes may be left out. */
gboolean lkp_row_scan(const char *p, gsize len, guint max, gboolean bare,
		      struct lkp_row *row);

/* lkp_table_rows.c */
/* Bytes of the metric at the head of `row->rest`; 0: there is none. */
gsize lkp_row_metric(const struct lkp_row *row);
/* NULL: a whole row of `columns` cells. */
const char *lkp_row_fault(const struct lkp_row *row, guint columns);
/* Whether it looks like one, whole or not. */
gboolean lkp_row_like(const struct lkp_row *row);
/* Whether it may go on in the next line. */
gboolean lkp_row_short(const struct lkp_row *row, guint columns);
/* Whether its metric is sure to be none of a sentence's words. */
gboolean lkp_row_dotted(const struct lkp_row *row);
/* Whether it is a row of a table although no head is known. */
gboolean lkp_row_alone(const struct lkp_row *row);
void lkp_row_add(struct table *t, const struct lkp_row *row, guint line);
/* Whether a line is a row, but for numbers that are none. */
gboolean lkp_line_broken(const struct lkp_line *l);
/* "....", "[snip]". */
gboolean lkp_line_elides(const struct lkp_line *l);

/* lkp_table_head.c */
/* "---------------- ---------------------------": its columns; 0 is none. */
guint lkp_rule_columns(const struct lkp_line *l);
/* A further piece of a rule that was wrapped. */
guint lkp_rule_more(const struct lkp_line *l);
/* "%stddev %change %stddev", or a piece of it: the columns it names. `plain`:
 * "change". */
gboolean lkp_head_line(const struct lkp_line *l, guint *columns,
		       gboolean *plain);
/* "\ | \" below it. */
gboolean lkp_head_bars(const struct lkp_line *l);
/* The labels that stand above line `at` of the body. `strict`: they must look
 * like commits or tags. FALSE: nothing fits. */
gboolean lkp_labels_read(const body *b, guint at, gboolean strict,
			 struct table *t);

/* lkp_table_commits.c */
struct lkp_commits;
struct lkp_commits *lkp_commits_new(void);
void lkp_commits_free(struct lkp_commits *c);
/* A list begins, whose entries are `listed`. */
void lkp_commits_begin(struct lkp_commits *c);
/* `4c40d6ef ("subject")` and its other forms. Not `listed`: the report names
 * its commit. */
void lkp_commits_add(struct lkp_commits *c, const char *text, gsize len,
		     gboolean listed);
/* Gives the columns of `t` what is known of their commits, and `t` the last
 * list if no table had it. */
void lkp_commits_name(struct lkp_commits *c, struct table *t);

/* lkp_table_axes.c: what stands above tables, in the order of lines */
struct lkp_context;
struct lkp_context *lkp_context_new(void);
void lkp_context_free(struct lkp_context *c);
/* A line that belongs to no table. */
void lkp_context_line(struct lkp_context *c, const struct lkp_line *l);
/* Names the columns of `t` by the commits seen so far, and gives it the axes,
 * which are then used up. */
void lkp_context_apply(struct lkp_context *c, struct table *t);

#endif
