/* lkp_table.c - the tables of kernel test robot mails: the walk over a body
 * Lines open, fill and close tables; what a line is, others decide. A row
 * that was wrapped is put together here. */
#include "mail/lkp_table.h"

#include <math.h>
#include <string.h>

#include "mail/lkp_table_priv.h"

#define LOOK_BACK	 250 /* bytes from a "%" to the begin of its line */
#define HEAD_BLANKS	 3   /* between the rule and the first row */
#define ROW_BLANKS	 1   /* between two rows; more end the table */
#define OLD_DEVIATION	 1   /* was shown only while all were */
#define REJECT_TEXT_MOST 500 /* bytes */
#define MARK_MOST	 4   /* bytes in front of a row */

struct walk {
	const body *b;
	GPtrArray *tables;
	struct lkp_context *context;
	struct table *open; /* in `tables` once it has a row or a reject */
	gboolean listed;    /* it is there */
	gboolean headed;    /* a rule or a head told its columns */
	gboolean full;	    /* it is told that there are too many tables */
	guint blanks;	    /* lines since the last one of the table */
	guint rows;	    /* of the message */
	GString *joined;    /* the lines of a wrapped row */
};

/* ---- cheap test ---- */

/* Begin of the text of the line in which `at` stands, without quote marks;
 * NULL if that is far away. */
static const char *line_begin(const char *from, const char *at)
{
	const char *p, *low = at - from > LOOK_BACK ? at - LOOK_BACK : from;

	p = memrchr(low, '\n', (gsize)(at - low));
	if (!p && low > from)
		return NULL;
	p = p ? p + 1 : low;
	while (p < at &&
	       (strchr(" \t>|", *p) ||
		(g_ascii_isupper(*p) && at - p > 3 && memchr(p, '>', 4)) ||
		*p == '\302' || *p == '\240'))
		p++;
	return p;
}

gboolean lkp_table_likely(const body *b)
{
	const struct body_line *last;
	const char *from, *end, *p, *begin;

	if (!body_count(b))
		return FALSE;
	last = body_line(b, body_count(b) - 1);
	from = body_line(b, 0)->text;
	end = last->text + last->len;
	for (p = from; (p = memchr(p, '%', (gsize)(end - p))); p++) {
		if (end - p > 7 && !memcmp(p, "%stddev", 7))
			return TRUE;
		if (p == from || !g_ascii_isdigit(p[-1]))
			continue;
		begin = line_begin(from, p);
		if (begin &&
		    (g_ascii_isdigit(*begin) || *begin == ':' || *begin == '-'))
			return TRUE;
	}
	return FALSE;
}

/* ---- opening and closing ---- */

static void end_style(struct table *t)
{
	if (t->plain_change)
		t->style = TABLE_LKP_OLD;
	for (guint i = 0; i < t->cells->len; i++)
		if (g_array_index(t->cells, struct table_cell, i).sd_pct <=
		    OLD_DEVIATION)
			t->style = TABLE_LKP_OLD;
}

static void close_table(struct walk *w)
{
	if (w->open && w->listed)
		end_style(w->open);
	else
		table_free(w->open);
	w->open = NULL;
	w->listed = FALSE;
}

static void open_table(struct walk *w, guint columns, const struct lkp_line *l)
{
	close_table(w);
	w->open = table_new(TABLE_LKP, columns);
	w->open->depth = l->depth;
	w->open->line = l->no + 1;
	w->blanks = 0;
	w->headed = FALSE;
}

/* The table has labels above line `at`, or is one without a head. */
static void head_table(struct walk *w, guint at, gboolean strict)
{
	struct table *t = w->open;
	guint line = t->line;

	w->headed = TRUE;
	if (lkp_labels_read(w->b, at, strict, t)) {
		lkp_context_apply(w->context, t);
		return;
	}
	t->line = line;
	t->headless = TRUE;
}

static void list_table(struct walk *w)
{
	if (!w->listed)
		g_ptr_array_add(w->tables, w->open);
	w->listed = TRUE;
}

/* ---- rows ---- */

static void reject(struct walk *w, const struct lkp_line *l, const char *reason)
{
	gsize len = MIN(l->len, REJECT_TEXT_MOST);

	while (len && len < l->len && ((guchar)l->p[len] & 0xC0) == 0x80)
		len--;
	list_table(w);
	table_add_reject(w->open, l->no + 1, l->p, len, reason);
}

/* A row that ends too early goes on in the next lines: looks if it is whole
 * with them. The number of lines it takes; 0: it is not. */
static guint join(struct walk *w, const struct lkp_line *l, guint columns,
		  struct lkp_row *row)
{
	gboolean bare = w->open && w->open->plain_change;
	struct lkp_line next;

	g_string_truncate(w->joined, 0);
	g_string_append_len(w->joined, l->p, (gssize)l->len);
	for (guint n = 1; n < LKP_MAX_WRAP; n++) {
		if (!lkp_line_get(w->b, l->no + n, &next) || !next.len ||
		    w->joined->len + next.len > LKP_MAX_LINE)
			return 0;
		if (!lkp_line_near(&next, l->depth))
			return 0;
		g_string_append_c(w->joined, ' ');
		g_string_append_len(w->joined, next.p, (gssize)next.len);
		lkp_row_scan(w->joined->str, w->joined->len, columns, bare,
			     row);
		if (!lkp_row_fault(row, columns) && lkp_row_dotted(row))
			return n + 1;
		if (!lkp_row_short(row, columns))
			return 0;
	}
	return 0;
}

/* A line of a table with a head: the number of lines read, 0 if it is no row.
 */
static guint read_row(struct walk *w, const struct lkp_line *l)
{
	guint columns = w->open->columns->len, used = 1;
	const char *fault;
	struct lkp_row row;

	if (!lkp_row_scan(l->p, MIN(l->len, LKP_MAX_LINE), columns,
			  w->open->plain_change, &row))
		return 0;
	fault = lkp_row_fault(&row, columns);
	if (l->len > LKP_MAX_LINE) {
		fault = "line too long";
	} else if (fault && lkp_row_short(&row, columns)) {
		used = join(w, l, columns, &row);
		if (used)
			fault = NULL;
	}
	if (!fault && w->rows >= TABLE_MAX_ROWS)
		fault = "too many rows in one message";
	if (fault) {
		if (!lkp_row_like(&row))
			return 0;
		reject(w, l, fault);
		return 1;
	}
	lkp_row_add(w->open, &row, l->no);
	w->rows++;
	list_table(w);
	return used;
}

/* A row of which no head is known: continues such a table, or begins one. */
static guint read_alone(struct walk *w, const struct lkp_line *l)
{
	struct lkp_row row;
	guint used = 1;

	if (l->len > LKP_MAX_LINE ||
	    !lkp_row_scan(l->p, l->len, TABLE_MAX_COLUMNS, FALSE, &row))
		return 0;
	if (row.n > 1 && lkp_row_short(&row, row.n)) {
		used = join(w, l, row.n + row.ends_in_change, &row);
		if (used && row.rest_len != lkp_row_metric(&row))
			return 0; /* a sentence goes on, no row */
	}
	if (!used || !lkp_row_alone(&row) || w->rows >= TABLE_MAX_ROWS)
		return 0;
	if (!w->open || row.n != w->open->columns->len) {
		open_table(w, row.n, l);
		w->open->headless = TRUE;
	}
	lkp_row_add(w->open, &row, l->no);
	w->rows++;
	list_table(w);
	return used;
}

/* A row behind somebody's mark, as "=> 14349 -5.7% 13527 ...". */
static guint read_marked(struct walk *w, const struct lkp_line *l)
{
	const char *end = l->p + l->len;
	gsize n = lkp_word(l->p, end);
	struct lkp_line row = *l;
	struct lkp_row cells;

	if (n > MARK_MOST)
		return 0;
	for (gsize i = 0; i < n; i++)
		if (!strchr("*=<>|!#~+-", l->p[i]))
			return 0;
	row.p += n + lkp_blanks(l->p + n, end);
	row.len = (gsize)(end - row.p);
	if (row.len > LKP_MAX_LINE ||
	    !lkp_row_scan(row.p, row.len, w->open->columns->len,
			  w->open->plain_change, &cells) ||
	    lkp_row_fault(&cells, w->open->columns->len))
		return 0;
	return read_row(w, &row);
}

/* A line that has all of a row but numbers that can be read. */
static guint read_broken(struct walk *w, const struct lkp_line *l)
{
	if (!lkp_line_broken(l))
		return 0;
	reject(w, l, "not a number");
	return 1;
}

static gboolean begins_row(const struct lkp_line *l)
{
	return l->len &&
	       (g_ascii_isdigit(*l->p) || *l->p == ':' || *l->p == '-');
}

/* ---- lines ---- */

/* A line while no table is open: the number of lines read. */
static guint outer_line(struct walk *w, const struct lkp_line *l)
{
	struct lkp_line more;
	gboolean plain;
	guint n, used = 1;

	if (begins_row(l)) {
		n = lkp_rule_columns(l);
		if (n) {
			if (lkp_line_get(w->b, l->no + 1, &more) &&
			    lkp_line_near(&more, l->depth) &&
			    lkp_rule_more(&more)) {
				n += lkp_rule_more(&more);
				used = 2;
			}
			open_table(w, MIN(n, TABLE_MAX_COLUMNS), l);
			head_table(w, l->no, FALSE);
			return used;
		}
		n = read_alone(w, l);
		if (n)
			return n;
	}
	if (lkp_head_line(l, &n, &plain) && n >= 2) {
		open_table(w, n, l);
		w->open->plain_change = plain;
		head_table(w, l->no, TRUE);
		return 1;
	}
	lkp_context_line(w->context, l);
	return 1;
}

/* Blank lines end a table sooner when it has rows. */
static void blank_line(struct walk *w)
{
	guint most = w->listed ? ROW_BLANKS : HEAD_BLANKS;

	if (++w->blanks > most)
		close_table(w);
}

/* A line while a table is open: the number of lines read; 0: the line ended
 * the table. */
static guint inner_line(struct walk *w, const struct lkp_line *l)
{
	struct table *t = w->open;
	gboolean plain;
	guint used = 0, n;

	if (!l->len) {
		blank_line(w);
		return 1;
	}
	if (l->depth <= t->depth && lkp_line_elides(l)) {
		t->elided = TRUE;
		used = 1;
	} else if (!lkp_line_near(l, t->depth)) {
		used = 0;
	} else if (l->depth == t->depth && begins_row(l)) {
		if (lkp_rule_columns(l))
			used = 0;
		else if (w->headed)
			used = read_row(w, l);
		else
			used = read_alone(w, l);
	} else if (lkp_head_line(l, &n, &plain)) {
		t->plain_change |= plain;
		used = 1;
	} else if (lkp_head_bars(l)) {
		used = 1;
	}
	if (!used && l->depth == t->depth && w->headed)
		used = read_marked(w, l) || read_broken(w, l);
	if (used)
		w->blanks = 0;
	else
		close_table(w);
	return used;
}

/* A table for which there is no room. */
static void further_table(struct walk *w, const struct lkp_line *l)
{
	if (w->full || !lkp_rule_columns(l))
		return;
	w->full = TRUE;
	w->open = g_ptr_array_index(w->tables, w->tables->len - 1);
	w->listed = TRUE;
	reject(w, l, "too many tables in one message");
	w->open = NULL;
	w->listed = FALSE;
}

void lkp_tables_read(const body *b, GPtrArray *tables)
{
	struct walk w = {.b = b, .tables = tables};
	struct lkp_line l;
	guint i = 0, used;

	w.context = lkp_context_new();
	w.joined = g_string_new(NULL);
	while (lkp_line_get(b, i, &l)) {
		used = w.open ? inner_line(&w, &l) : 0;
		if (!used && tables->len < TABLE_MAX_TABLES)
			used = outer_line(&w, &l);
		else if (!used)
			further_table(&w, &l);
		i += MAX(used, 1);
	}
	close_table(&w);
	lkp_context_free(w.context);
	g_string_free(w.joined, TRUE);
}
