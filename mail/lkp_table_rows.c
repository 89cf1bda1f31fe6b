/* lkp_table_rows.c - is it a row, and putting it into its table
 * A row that is not whole is never completed by guessing. */
#include <math.h>
#include <string.h>

#include "mail/lkp_table_priv.h"

#define MAX_ELISION 40 /* bytes of a line that stands for rows left out */
#define MAX_NUMBER  64 /* bytes of a number, by the grammar */
#define LEAST_WORDS 3  /* value, change, value */

gsize lkp_row_metric(const struct lkp_row *row)
{
	gsize n = lkp_word(row->rest, row->rest + row->rest_len);
	gboolean letter = FALSE;

	if (!n || n > TABLE_MAX_METRIC || lkp_word_is_number(row->rest, n))
		return 0;
	for (gsize i = 0; i < n && !letter; i++)
		letter = g_ascii_isalpha(row->rest[i]);
	/* "5.0 is what we see" */
	if (n < row->rest_len && !memchr(row->rest, '.', n))
		return 0;
	return letter ? n : 0;
}

/* Whether what follows the cells begins with a change: its value is none. */
static gboolean is_change(const struct lkp_row *row)
{
	gsize n = lkp_word(row->rest, row->rest + row->rest_len);

	return n && row->rest[n - 1] == '%';
}

const char *lkp_row_fault(const struct lkp_row *row, guint columns)
{
	if (row->n < columns && row->rest_len &&
	    g_ascii_isdigit(row->rest[0]) && !is_change(row))
		return "no change between values";
	if (row->n < columns)
		return "fewer values than columns";
	if (lkp_row_metric(row))
		return NULL;
	if (row->rest_len > TABLE_MAX_METRIC)
		return "metric too long";
	if (row->rest_len && strchr("+-", row->rest[0]))
		return "more values than columns";
	return "no metric";
}

gboolean lkp_row_like(const struct lkp_row *row)
{
	gsize n = lkp_word(row->rest, row->rest + row->rest_len);

	return row->n > 1 || row->unfinished || row->percent ||
	       row->kind == TABLE_ROW_FAIL ||
	       (n && lkp_word_is_number(row->rest, n));
}

gboolean lkp_row_short(const struct lkp_row *row, guint columns)
{
	return !row->rest_len && row->n <= columns;
}

gboolean lkp_row_dotted(const struct lkp_row *row)
{
	gsize n = lkp_row_metric(row);

	return n && memchr(row->rest, '.', n - 1);
}

gboolean lkp_row_alone(const struct lkp_row *row)
{
	return row->n > 1 && row->percent && lkp_row_dotted(row);
}

/* Bytes of "e" in "1.5e", "x" in "0x10", "nan", "inf"; 0: other letters. */
static gsize number_letters(const char *p, gsize i, gsize n)
{
	gsize k = i;

	while (k < n && g_ascii_isalpha(p[k]))
		k++;
	if (k - i == 1)
		return i && g_ascii_isdigit(p[i - 1]) && strchr("eExX", p[i]);
	return k - i == 3 && (!g_ascii_strncasecmp(p + i, "nan", 3) ||
			      !g_ascii_strncasecmp(p + i, "inf", 3))
		       ? 3
		       : 0;
}

/* "12", "1,234.5", "nan%", "0x10", a broken sign: no word of a sentence. */
static gboolean number_like(const char *p, gsize n, gboolean *change)
{
	gsize letters;

	for (gsize i = 0; i < n; i++) {
		if (!g_ascii_isalpha(p[i]))
			continue;
		letters = number_letters(p, i, n);
		if (!letters)
			return FALSE;
		i += letters - 1;
	}
	*change |= memchr(p, '%', n) || memchr(p, ':', n) ||
		   (n > 1 && strchr("+-", *p));
	return TRUE;
}

gboolean lkp_line_broken(const struct lkp_line *l)
{
	const char *p = l->p, *end = l->p + l->len;
	gboolean change = FALSE, letter = FALSE;
	guint words = 0;
	gsize n = 0;

	if (l->len > LKP_MAX_LINE)
		return FALSE;
	for (; p < end; p += n + lkp_blanks(p + n, end), words++) {
		n = lkp_word(p, end);
		if (!number_like(p, n, &change))
			break;
	}
	for (gsize i = 0; p < end && i < n; i++)
		letter |= g_ascii_isalpha(p[i]);
	return words >= LEAST_WORDS && change && letter &&
	       memchr(p, '.', n - 1);
}

static double number(const char *p, gsize len)
{
	char text[MAX_NUMBER];

	if (len >= sizeof(text))
		return NAN;
	memcpy(text, p, len);
	text[len] = '\0';
	return g_ascii_strtod(text, NULL);
}

static void fill_counts(struct table_cell *to, const struct lkp_cell *c)
{
	const char *colon = memchr(c->value, ':', c->value_len);

	to->fails = (gint32)g_ascii_strtoll(c->value, NULL, 10);
	to->runs = (gint32)g_ascii_strtoll(colon + 1, NULL, 10);
	if (colon == c->value)
		to->fails = 0;
}

static void fill_change(struct table *t, struct table_cell *to,
			const struct lkp_cell *c, gboolean fail)
{
	gboolean percent = c->change[c->change_len - 1] == '%';

	to->change_printed = table_keep(t, c->change, c->change_len);
	to->change = number(c->change, c->change_len - percent);
	to->change_kind =
		percent && !fail ? TABLE_CHANGE_PERCENT : TABLE_CHANGE_POINTS;
	if (fail)
		return;
	to->base_zero = percent && (!isfinite(to->change) ||
				    fabs(to->change) >= LKP_ZERO_BASE);
	if (!isfinite(to->change))
		to->change = NAN;
}

void lkp_row_add(struct table *t, const struct lkp_row *row, guint line)
{
	gsize n = lkp_row_metric(row);
	const char *end = row->rest + row->rest_len, *note = row->rest + n;
	struct table_row *r =
		table_add_row(t, row->kind, row->rest, n, line + 1);
	guint at = t->rows->len - 1;

	note += lkp_blanks(note, end);
	if (note < end)
		r->note = table_keep(t, note, (gsize)(end - note));
	for (guint i = 0; i < t->columns->len; i++) {
		const struct lkp_cell *c = &row->cells[i];
		struct table_cell *to = table_cell(t, at, i);

		to->printed = table_keep(t, c->value, c->value_len);
		if (row->kind == TABLE_ROW_FAIL)
			fill_counts(to, c);
		else
			to->mean = number(c->value, c->value_len);
		if (c->sd >= 0)
			to->sd_pct = c->sd;
		if (c->change)
			fill_change(t, to, c, row->kind == TABLE_ROW_FAIL);
	}
}

gboolean lkp_line_elides(const struct lkp_line *l)
{
	static const char *const words[] = {"snip",    "snipped", "skip",
					    "skipped", "cut",	  "trimmed"};
	static const char frame[] = " \t[](){}<>-=~*_/.";
	const char *p = l->p, *end = l->p + l->len;
	gboolean dots = FALSE;
	gsize n;

	if (!l->len || l->len > MAX_ELISION)
		return FALSE;
	for (; p < end; p++) {
		if (*p == '.' && p + 1 < end && p[1] == '.')
			dots = TRUE;
		if (end - p >= 3 && !memcmp(p, "\342\200\246", 3)) {
			dots = TRUE; /* U+2026 */
			p += 2;
		} else if (!strchr(frame, *p)) {
			break;
		}
	}
	while (end > p && strchr(frame, end[-1]))
		end--;
	n = (gsize)(end - p);
	if (!n)
		return dots;
	if (n == l->len)
		return FALSE; /* a word in a sentence of its own */
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (strlen(words[i]) == n &&
		    !g_ascii_strncasecmp(p, words[i], n))
			return TRUE;
	return FALSE;
}
