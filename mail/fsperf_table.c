/* fsperf_table.c - the tables of fsperf, the btrfs performance tests
 *
 *	NAME results
 *	    metric       baseline   current     stdev      diff
 *	=======================================================
 *	write_iops       25270.10   25553.43   310.21     1.12%
 *
 * The deviation came later, "**" marks a change beyond it. Only blanks part
 * the cells, so it does not matter what mailers made of them. */
#include "mail/fsperf_table.h"

#include <math.h>
#include <string.h>

#define MAX_LINE   1000 /* bytes; a longer line is no row */
#define MAX_WORDS  16	/* of a line */
#define MAX_TITLE  200	/* bytes */
#define TITLE_NEAR 3	/* lines between a title and its table */
#define MIN_RULE   8	/* "========" */
#define MAX_GAP	   200	/* lines of an answer inside a table */
#define ESCAPE	   '\033'
#define PERCENT	   100.0

/* A line as words, without the colours of a terminal. */
struct line {
	char text[MAX_LINE + 1];
	const char *words[MAX_WORDS];
	guint n;
	guint depth;
	gboolean is_blank;
};

struct reader {
	const body *b;
	guint at; /* index of the next line */
	struct table *t;
	gboolean has_stdev;
};

/* Length of "\033[92m" at `p`, also where a mailer dropped the escape. */
static gsize colour(const char *p, const char *end)
{
	const char *q = p;

	if (q < end && *q == ESCAPE)
		q++;
	if (q == end || *q++ != '[')
		return 0;
	while (q < end && (g_ascii_isdigit(*q) || *q == ';'))
		q++;
	return q < end && *q == 'm' ? (gsize)(q - p) + 1 : 0;
}

static gsize blank(const char *p, const char *end)
{
	if (strchr(" \t\r", *p))
		return 1;
	return end - p >= 2 && !memcmp(p, "\302\240", 2) ? 2 : 0;
}

static void copy_words(struct line *l, const char *p, const char *end)
{
	char *out = l->text;
	gboolean in_word = FALSE;
	gsize n;

	while (p < end) {
		n = colour(p, end);
		if (n) {
			p += n;
			continue;
		}
		n = blank(p, end);
		if (!n && !in_word && l->n < MAX_WORDS)
			l->words[l->n++] = out;
		in_word = !n;
		*out++ = n ? '\0' : *p;
		p += MAX(n, 1);
	}
	*out = '\0';
}

/* FALSE: there is no such line, or it is too long. */
static gboolean get_line(const body *b, guint i, struct line *l)
{
	const struct body_line *from;

	l->n = 0;
	l->is_blank = TRUE;
	if (i >= body_count(b))
		return FALSE;
	from = body_line(b, i);
	l->depth = from->depth;
	l->is_blank = FALSE;
	if (from->len - from->skip > MAX_LINE)
		return FALSE;
	copy_words(l, from->text + from->skip, from->text + from->len);
	l->is_blank = !l->n;
	return TRUE;
}

static gboolean is_number(const char *word)
{
	const char *p = word + (*word == '-' || *word == '+');
	char *end;

	if (!strcmp(p, "nan") || !strcmp(p, "inf"))
		return TRUE;
	if (!g_ascii_isdigit(*p) || strpbrk(p, "xX"))
		return FALSE;
	g_ascii_strtod(p, &end);
	return !*end;
}

/* "-14.75%", "-14.75%**" */
static gboolean is_diff(const char *word, gboolean *notable, gsize *len)
{
	const char *percent = strchr(word, '%');
	char number[32];

	if (!percent || percent - word >= (gssize)sizeof(number))
		return FALSE;
	*len = (gsize)(percent - word) + 1;
	g_strlcpy(number, word, *len);
	*notable = !strcmp(percent + 1, "**");
	return is_number(number) && (*notable || !percent[1]);
}

static gboolean is_rule(const struct line *l, gsize least)
{
	return l->n == 1 && strlen(l->words[0]) >= least &&
	       !l->words[0][strspn(l->words[0], "=")];
}

/* Words that a head begins with; `from` are already seen. */
static guint head_words(const struct line *l, guint from, gboolean *has_stdev)
{
	static const char *const words[] = {"metric", "baseline", "current",
					    "stdev", "diff"};
	guint n = from, k = 0;

	while (k < l->n && n < G_N_ELEMENTS(words)) {
		if (!strcmp(l->words[k], words[n])) {
			*has_stdev = *has_stdev || n == 3;
			k++;
		} else if (n != 3) {
			break;
		}
		n++;
	}
	return k == l->n ? n : 0;
}

/* Cheap, since every line is asked. */
static gboolean begins_head(const struct body_line *l)
{
	const char *p = l->text + l->skip, *end = l->text + l->len;
	gsize n;

	while (p < end && (n = blank(p, end)))
		p += n;
	return end - p > 6 && !memcmp(p, "metric", 6);
}

/* The lines of a head, which may be wrapped, and of its rule; 0: none. */
static guint head_lines(const body *b, guint i, gboolean *has_stdev)
{
	struct line l;
	guint n, lines = 1, depth;

	*has_stdev = FALSE;
	if (!begins_head(body_line(b, i)) || !get_line(b, i, &l) || !l.n ||
	    strcmp(l.words[0], "metric") != 0)
		return 0;
	depth = l.depth;
	n = head_words(&l, 0, has_stdev);
	if (n >= 3 && n < 5 && get_line(b, i + 1, &l) && l.depth == depth) {
		n = head_words(&l, n, has_stdev);
		lines++;
	}
	if (n != 5)
		return 0;
	for (gsize least = MIN_RULE; get_line(b, i + lines, &l) &&
				     l.depth == depth && is_rule(&l, least);
	     least = 1)
		lines++;
	return lines;
}

/* One row as words; FALSE: it is none. `cells`: numbers behind the name. */
static gboolean is_row(const struct line *l, guint cells)
{
	gboolean notable;
	gsize len;

	if (l->n < cells + 1 || is_number(l->words[0]))
		return FALSE;
	for (guint i = 1; i < cells; i++)
		if (!is_number(l->words[i]))
			return FALSE;
	return is_diff(l->words[cells], &notable, &len);
}

static guint cells_of(const struct reader *r)
{
	return r->has_stdev ? 4 : 3;
}

static const char *keep(struct table *t, const char *text)
{
	return table_keep(t, text, strlen(text));
}

static void set_value(struct table *t, struct table_cell *c, const char *word)
{
	c->printed = keep(t, word);
	c->mean = g_ascii_strtod(word, NULL);
	if (!isfinite(c->mean))
		c->mean = NAN;
}

/* What stands behind the change: "**" or a person's note. */
static void set_rest(struct table *t, struct table_row *row,
		     const struct line *l, guint from)
{
	g_autoptr(GString) note = g_string_new(NULL);

	if (from < l->n && !strcmp(l->words[from], "**")) {
		row->notable = TRUE;
		from++;
	}
	for (; from < l->n; from++)
		g_string_append_printf(note, "%s%s", note->len ? " " : "",
				       l->words[from]);
	if (note->len)
		row->note = keep(t, note->str);
}

static void add_row(struct reader *r, const struct line *l, guint line)
{
	struct table *t = r->t;
	guint cells = cells_of(r), row = t->rows->len;
	struct table_row *added = table_add_row(t, TABLE_ROW_PERF, l->words[0],
						strlen(l->words[0]), line + 1);
	struct table_cell *base = table_cell(t, row, 0);
	struct table_cell *now = table_cell(t, row, 1);
	gboolean notable;
	gsize len;

	set_value(t, base, l->words[1]);
	set_value(t, now, l->words[2]);
	if (r->has_stdev && base->mean != 0)
		base->sd_pct = PERCENT * g_ascii_strtod(l->words[3], NULL) /
			       fabs(base->mean);
	if (!isfinite(base->sd_pct))
		base->sd_pct = NAN;
	is_diff(l->words[cells], &notable, &len);
	now->change_printed = table_keep(t, l->words[cells], len);
	now->change = g_ascii_strtod(l->words[cells], NULL);
	if (!isfinite(now->change))
		now->change = NAN;
	now->change_kind = TABLE_CHANGE_PERCENT;
	now->base_zero = base->mean == 0 && now->mean != 0;
	added->notable = notable;
	set_rest(t, added, l, cells + 1);
}

/* Rows that were wrapped: the rest of the numbers in the next line. */
static gboolean join(const struct reader *r, const struct line *first,
		     const struct line *second, struct line *both)
{
	if (first->n + second->n > MAX_WORDS || second->is_blank ||
	    second->depth != first->depth)
		return FALSE;
	*both = *first;
	memcpy(both->words + both->n, second->words,
	       second->n * sizeof(*second->words));
	both->n += second->n;
	return is_row(both, cells_of(r)) && first->n <= cells_of(r);
}

/* The end of a metric's name that did not fit into its column. */
static gboolean is_name_rest(const struct line *l)
{
	return l->n == 1 && !is_number(l->words[0]) &&
	       !l->words[0][strspn(l->words[0],
				   "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

static void append_name(struct table *t, const char *rest)
{
	struct table_row *row = table_row(t, t->rows->len - 1);
	g_autofree char *name = g_strconcat(row->metric, rest, NULL);

	row->metric = table_keep(t, name, MIN(strlen(name), TABLE_MAX_METRIC));
}

static gboolean is_elided(const struct line *l)
{
	return l->n && (!strncmp(l->words[0], "...", 3) ||
			g_str_has_prefix(l->words[0], "[snip") ||
			g_str_has_prefix(l->words[0], "<snip"));
}

/* Numbers that can be no prose. */
static gboolean is_like_row(const struct line *l)
{
	gboolean notable;
	gsize len;
	guint numbers = 0;

	for (guint i = 1; i < l->n; i++)
		numbers += is_number(l->words[i]) ||
			   is_diff(l->words[i], &notable, &len);
	return numbers >= 2 && 2 * numbers >= l->n;
}

static void reject(struct reader *r, const char *reason)
{
	const struct body_line *from = body_line(r->b, r->at);

	table_add_reject(r->t, r->at + 1, from->text + from->skip,
			 from->len - from->skip, reason);
}

/* Behind a blank line or an answer in between the same table may go on. */
static gboolean goes_on(struct reader *r)
{
	struct line l;
	guint i = r->at;
	gboolean has_stdev;

	for (;; i++) {
		if (i >= body_count(r->b) || i > r->at + MAX_GAP)
			return FALSE;
		if (!get_line(r->b, i, &l))
			continue;
		if (l.depth == r->t->depth && l.n)
			break;
		if (l.depth > r->t->depth)
			return FALSE;
	}
	if (!is_row(&l, cells_of(r)) || head_lines(r->b, i, &has_stdev))
		return FALSE;
	r->at = i;
	return TRUE;
}

/* TRUE: the line belonged to the table, and `at` is behind it. */
static gboolean read_line(struct reader *r, const struct line *l)
{
	struct line next, both;

	if (is_row(l, cells_of(r))) {
		add_row(r, l, r->at);
	} else if (get_line(r->b, r->at + 1, &next) &&
		   join(r, l, &next, &both)) {
		add_row(r, &both, r->at++);
	} else if (r->t->rows->len && is_name_rest(l)) {
		append_name(r->t, l->words[0]);
	} else if (is_elided(l)) {
		r->t->elided = TRUE;
	} else if (is_like_row(l)) {
		reject(r, "not a name, values and a change in percent");
	} else {
		return FALSE;
	}
	r->at++;
	return TRUE;
}

static void read_rows(struct reader *r, guint *left)
{
	struct line l;

	while (r->at < body_count(r->b) && *left) {
		if (!get_line(r->b, r->at, &l) || l.is_blank ||
		    l.depth != r->t->depth) {
			if (!goes_on(r))
				return;
			continue;
		}
		if (!read_line(r, &l))
			return;
		(*left)--;
	}
}

/* "dbench60 results" */
static char *find_title(const body *b, guint head, guint depth)
{
	for (guint i = head; i > 0 && head - i < TITLE_NEAR; i--) {
		struct line l;
		g_autoptr(GString) title = g_string_new(NULL);

		if (!get_line(b, i - 1, &l) || l.depth != depth)
			return NULL;
		if (l.is_blank)
			continue;
		if (l.n < 2 || l.n == MAX_WORDS ||
		    strcmp(l.words[l.n - 1], "results") != 0)
			return NULL;
		for (guint k = 0; k + 1 < l.n; k++)
			g_string_append_printf(title, "%s%s", k ? " " : "",
					       l.words[k]);
		return title->len <= MAX_TITLE
			       ? g_string_free(g_steal_pointer(&title), FALSE)
			       : NULL;
	}
	return NULL;
}

static struct table *begin_table(struct reader *r, guint head)
{
	struct table *t = table_new(TABLE_FSPERF, 2);

	t->line = head + 1;
	t->depth = body_line(r->b, head)->depth;
	t->title = find_title(r->b, head, t->depth);
	table_column(t, 0)->label = "baseline";
	table_column(t, 1)->label = "current";
	return t;
}

gboolean fsperf_table_likely(const body *b)
{
	guint n = body_count(b);
	const struct body_line *last = n ? body_line(b, n - 1) : NULL;
	const char *text = n ? body_line(b, 0)->text : NULL;

	return n && memmem(text, (gsize)(last->text + last->len - text),
			   "baseline", 8) != NULL;
}

void fsperf_tables_read(const body *b, GPtrArray *tables)
{
	struct reader r = {.b = b};
	guint left = TABLE_MAX_ROWS, lines;

	while (r.at < body_count(b) && tables->len < TABLE_MAX_TABLES) {
		lines = head_lines(b, r.at, &r.has_stdev);
		if (!lines) {
			r.at++;
			continue;
		}
		r.t = begin_table(&r, r.at);
		r.at += lines;
		read_rows(&r, &left);
		if (r.t->rows->len || r.t->rejects->len)
			g_ptr_array_add(tables, r.t);
		else
			table_free(r.t);
	}
}
