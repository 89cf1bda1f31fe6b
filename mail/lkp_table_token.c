/* lkp_table_token.c - the words of robot tables: numbers, changes, failures
 * Decides by the words alone, never by the columns they stand in: mailers
 * collapse blanks. Knows nothing of tables. */
#include <string.h>

#include "mail/lkp_table_priv.h"

#define MAX_DIGITS 30 /* of one part of a number */
#define MAX_COUNT  6  /* digits of fails and runs, and of a deviation */
#define MAX_SIGN   12 /* bytes of a broken "±" */
#define MAX_UTF8   4

/* Bytes of one blank; 0: none. */
static gsize blank_at(const char *p, const char *end)
{
	const guchar *u = (const guchar *)p;

	if (p == end)
		return 0;
	if (u[0] <= ' ')
		return 1;
	if (u[0] == 0xC2 && end - p >= 2 && u[1] == 0xA0)
		return 2;
	if (end - p < 3)
		return 0;
	if (u[0] == 0xE2 && u[1] == 0x80 &&
	    ((u[2] >= 0x80 && u[2] <= 0x8B) || u[2] == 0xAF))
		return 3;
	return !memcmp(p, "\xE3\x80\x80", 3) || !memcmp(p, "\xEF\xBB\xBF", 3)
		       ? 3
		       : 0;
}

gsize lkp_blanks(const char *p, const char *end)
{
	const char *q = p;
	gsize n;

	while ((n = blank_at(q, end)))
		q += n;
	return (gsize)(q - p);
}

gsize lkp_word(const char *p, const char *end)
{
	const char *q = p;

	while (q < end &&
	       (((guchar)*q > ' ' && (guchar)*q < 0xC2) || !blank_at(q, end)))
		q++;
	return (gsize)(q - p);
}

/* Whether a blank of several bytes ends at `end`. */
static gsize wide_blank_before(const char *p, const char *end)
{
	if (end - p >= 2 && blank_at(end - 2, end) == 2)
		return 2;
	return end - p >= 3 && blank_at(end - 3, end) == 3 ? 3 : 0;
}

gboolean lkp_line_get(const body *b, guint i, struct lkp_line *l)
{
	const struct body_line *line;
	const char *end;
	gsize n;

	if (i >= body_count(b))
		return FALSE;
	line = body_line(b, i);
	l->p = line->text + line->skip;
	end = line->text + line->len;
	l->p += lkp_blanks(l->p, end);
	while (end > l->p) {
		n = (guchar)end[-1] <= ' ' ? 1 : wide_blank_before(l->p, end);
		if (!n)
			break;
		end -= n;
	}
	l->len = (gsize)(end - l->p);
	l->depth = line->depth;
	l->no = i;
	return TRUE;
}

gboolean lkp_line_near(const struct lkp_line *l, guint depth)
{
	return l->depth == depth || !l->depth;
}

static const char *digits(const char *p, const char *end, guint max)
{
	const char *q = p;

	while (q < end && q - p < (gssize)max && g_ascii_isdigit(*q))
		q++;
	return q > p ? q : NULL;
}

/* "12", "0.05", "1.182e+10", without a sign. */
static const char *unsigned_number(const char *p, const char *end)
{
	const char *q = digits(p, end, MAX_DIGITS), *more;

	if (!q)
		return NULL;
	if (q < end && *q == '.') {
		q = digits(q + 1, end, MAX_DIGITS);
		if (!q)
			return NULL;
	}
	if (q < end && (*q == 'e' || *q == 'E')) {
		more = q + 1;
		if (more < end && (*more == '+' || *more == '-'))
			more++;
		return digits(more, end, 3);
	}
	return q;
}

static gboolean at_end(const char *p, const char *end)
{
	return p == end || blank_at(p, end);
}

/* A character beyond ASCII that is neither a blank nor a dash, which could be
 * the sign of a change. */
static gsize foreign(const char *p, const char *end)
{
	const char *q = p + 1;

	if ((guchar)*p < 0x80 || blank_at(p, end))
		return 0;
	while (q < end && q - p < MAX_UTF8 && ((guchar)*q & 0xC0) == 0x80)
		q++;
	if (q - p == 3 && ((!memcmp(p, "\342\200", 2) && (guchar)p[2] >= 0x90 &&
			    (guchar)p[2] <= 0x95) ||
			   !memcmp(p, "\342\210\222", 3)))
		return 0;
	return (gsize)(q - p);
}

/* The sign between a value and its deviation, also where a mailer broke it:
 * read in whatever charset it is one or some characters beyond ASCII, else it
 * was replaced or written in ASCII. */
static gsize plus_minus(const char *p, const char *end)
{
	static const char *const forms[] = {
		"+/-",	      "+/\342\210\222",
		"+-",	      "+\342\210\222",
		"~",	      "??",
		"?",	      "&plusmn;",
		"&#177;",     "&#xb1;",
		"&#xB1;",     "=C2=B1",
		"=c2=b1",     "=B1",
		"\\xc2\\xb1", "\\xb1",
	};
	gsize left = (gsize)(end - p), n = 0, more;

	while (n < MAX_SIGN && n < left && (more = foreign(p + n, end)))
		n += more;
	if (n)
		return n;
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		if (*forms[i] != *p)
			continue;
		n = strlen(forms[i]);
		if (n <= left && !memcmp(p, forms[i], n))
			return n;
	}
	return 0;
}

/* Behind a percentage without any sign: a deviation whose "±" was dropped is
 * followed by a change or the metric, a change by a value. "-0.1" is a change
 * if a value follows that. */
static gboolean lacks_sign(const char *p, const char *end)
{
	gsize n;

	p += lkp_blanks(p, end);
	n = lkp_word(p, end);
	if (!n || *p == '+' || g_ascii_isalpha(*p))
		return n;
	if (*p != '-' || p[n - 1] == '%')
		return *p == '-';
	p += n + lkp_blanks(p + n, end);
	n = lkp_word(p, end);
	return n && unsigned_number(p + (*p == '-'), end) == p + n;
}

/* " ± 24%" behind a value; `p` where there is none. */
static const char *deviation(const char *p, const char *end, int *sd)
{
	const char *q = p + lkp_blanks(p, end), *from;
	gsize n = q < end && !g_ascii_isalnum(*q) ? plus_minus(q, end) : 0;

	*sd = -1;
	from = q + n + lkp_blanks(q + n, end);
	q = digits(from, end, MAX_COUNT);
	if (!q || q == end || *q != '%' || !at_end(q + 1, end))
		return p;
	if (!n && (from == p || !lacks_sign(q + 1, end)))
		return p;
	*sd = 0;
	for (; from < q; from++)
		*sd = *sd * 10 + (*from - '0');
	return q + 1;
}

static const char *value(const char *p, const char *end, struct lkp_cell *c)
{
	const char *q = unsigned_number(p + (p < end && *p == '-'), end);
	const char *after;

	if (!q)
		return NULL;
	c->value = p;
	c->value_len = (gsize)(q - p);
	after = deviation(q, end, &c->sd);
	return after > q || at_end(q, end) ? after : NULL;
}

/* "3:6", or ":6" where nothing failed. */
static const char *failures(const char *p, const char *end, struct lkp_cell *c)
{
	const char *q = p;

	if (q < end && g_ascii_isdigit(*q))
		q = digits(q, end, MAX_COUNT);
	if (q == end || *q != ':')
		return NULL;
	q = digits(q + 1, end, MAX_COUNT);
	if (!q || !at_end(q, end))
		return NULL;
	c->value = p;
	c->value_len = (gsize)(q - p);
	c->sd = -1;
	return q;
}

/* "-33.7%", "+0.5", "+1.2e+102%", "+Inf%"; without a sign only a percentage,
 * as the robot's first program wrote it. */
static const char *change(const char *p, const char *end, gboolean *percent)
{
	gboolean has_sign = p < end && (*p == '+' || *p == '-');
	const char *q = p + has_sign;

	if (end - q >= 3 && (!g_ascii_strncasecmp(q, "inf", 3) ||
			     !g_ascii_strncasecmp(q, "nan", 3)))
		q += 3;
	else
		q = unsigned_number(q, end);
	if (!q)
		return NULL;
	*percent = q < end && *q == '%';
	q += *percent;
	return at_end(q, end) && (has_sign || *percent) ? q : NULL;
}

gboolean lkp_word_is_number(const char *p, gsize len)
{
	struct lkp_cell c;
	gboolean percent;

	return value(p, p + len, &c) || failures(p, p + len, &c) ||
	       change(p, p + len, &percent);
}

gboolean lkp_word_is_hex(const char *p, gsize len, gsize least)
{
	gsize n = 0;

	while (n < len &&
	       (g_ascii_isdigit(p[n]) || (p[n] >= 'a' && p[n] <= 'f')))
		n++;
	return n == len && len >= least && len <= 40;
}

gboolean lkp_row_scan(const char *p, gsize len, guint max, gboolean bare,
		      struct lkp_row *row)
{
	const char *end = p + len, *at, *next;
	gboolean percent;

	row->n = 0;
	row->percent = row->unfinished = row->ends_in_change = FALSE;
	row->kind = TABLE_ROW_PERF;
	at = value(p, end, &row->cells[0]);
	if (!at) {
		row->kind = TABLE_ROW_FAIL;
		at = failures(p, end, &row->cells[0]);
	}
	if (!at)
		return FALSE;
	row->cells[0].change = NULL;
	row->percent = row->cells[0].sd >= 0;
	for (row->n = 1; row->n < MIN(max, TABLE_MAX_COLUMNS); row->n++) {
		struct lkp_cell *c = &row->cells[row->n];

		c->change = at + lkp_blanks(at, end);
		next = change(c->change, end, &percent);
		if (!next && !bare)
			break;
		if (!next) {
			next = c->change;
			c->change = NULL;
			percent = FALSE;
		}
		c->change_len = c->change ? (gsize)(next - c->change) : 0;
		row->percent |= percent;
		next += lkp_blanks(next, end);
		if (next == end && !c->change) {
			break;
		} else if (next == end) {
			row->unfinished = row->ends_in_change = TRUE;
			at = end;
			break;
		}
		next = row->kind == TABLE_ROW_PERF ? value(next, end, c)
						   : failures(next, end, c);
		if (!next)
			break;
		row->percent |= c->sd >= 0;
		at = next;
	}
	row->rest = at + lkp_blanks(at, end);
	row->rest_len = (gsize)(end - row->rest);
	if (row->rest_len && plus_minus(row->rest, end) == row->rest_len) {
		row->unfinished = TRUE; /* wrapped before its deviation */
		row->rest_len = 0;
	}
	return TRUE;
}
