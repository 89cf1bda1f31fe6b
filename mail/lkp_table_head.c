/* lkp_table_head.c - the lines between the labels and the rows
 * Labels, rule, "%stddev" and "fail:runs" with their bars; each of them may
 * be missing or wrapped. */
#include <string.h>

#include "mail/lkp_table_priv.h"

#define RULE_FIRST 8  /* dashes at least below the first label (16) */
#define RULE_NEXT  16 /* and below the others (26 or 27) */
#define RULE_MOST  40 /* a longer one is a line across the mail */
#define LABEL_MOST 80 /* bytes */
#define LABEL_GAP  1  /* blank lines between labels and rule */

static guint dashes(const struct lkp_line *l, gsize first)
{
	const char *p = l->p, *end = l->p + l->len, *q;
	guint groups = 0;

	for (; p < end; p = q + lkp_blanks(q, end)) {
		for (q = p; q < end && *q == '-'; q++)
			;
		if ((gsize)(q - p) < (groups ? RULE_NEXT : first) ||
		    q - p > RULE_MOST || (q < end && !lkp_blanks(q, end)))
			return 0;
		groups++;
	}
	return groups;
}

guint lkp_rule_columns(const struct lkp_line *l)
{
	guint n = l->len && *l->p == '-' ? dashes(l, RULE_FIRST) : 0;

	return n >= 2 && n <= TABLE_MAX_COLUMNS ? n : 0;
}

guint lkp_rule_more(const struct lkp_line *l)
{
	return l->len && *l->p == '-' ? dashes(l, RULE_NEXT) : 0;
}

static gboolean word_is(const char *p, gsize n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

gboolean lkp_head_line(const struct lkp_line *l, guint *columns,
		       gboolean *plain)
{
	const char *p = l->p, *end = l->p + l->len;
	guint words = 0;
	gsize n;

	*columns = 0;
	*plain = FALSE;
	if (!l->len || (*p != '%' && *p != 'f'))
		return FALSE;
	for (; p < end; p += n + lkp_blanks(p + n, end), words++) {
		n = lkp_word(p, end);
		if (word_is(p, n, "%stddev") || word_is(p, n, "fail:runs"))
			*columns += *columns < TABLE_MAX_COLUMNS;
		else if (words && word_is(p, n, "change"))
			*plain = TRUE;
		else if (!word_is(p, n, "%change") &&
			 !word_is(p, n, "%reproduction"))
			return FALSE;
	}
	return TRUE;
}

gboolean lkp_head_bars(const struct lkp_line *l)
{
	const char *p = l->p, *end = l->p + l->len;

	while (p < end && (*p == '\\' || *p == '|')) {
		p++;
		p += lkp_blanks(p, end);
	}
	return l->len && p == end;
}

struct words {
	const char *at[TABLE_MAX_COLUMNS];
	gsize len[TABLE_MAX_COLUMNS];
	guint n;
};

static gboolean label_like(const char *p, gsize n, gboolean strict)
{
	if (n > LABEL_MOST || *p == '-' || strchr(":,;", p[n - 1]))
		return FALSE;
	if (!strict || lkp_word_is_hex(p, n, 7))
		return TRUE;
	return (n >= 3 && *p == 'v' && g_ascii_isdigit(p[1])) ||
	       (n > 5 && !memcmp(p, "next-", 5));
}

/* The words of a line; FALSE if there are more than `most`. */
static gboolean words_of(const struct lkp_line *l, guint most, gboolean strict,
			 struct words *w)
{
	const char *p = l->p, *end = l->p + l->len;
	gsize n;

	for (w->n = 0; p < end; p += n + lkp_blanks(p + n, end)) {
		n = lkp_word(p, end);
		if (w->n == most || !label_like(p, n, strict))
			return FALSE;
		w->at[w->n] = p;
		w->len[w->n++] = n;
	}
	return TRUE;
}

static void put_labels(struct table *t, const struct words *w, guint from)
{
	for (guint i = 0; i < w->n; i++) {
		struct table_column *c = table_column(t, from + i);

		c->label = table_keep(t, w->at[i], w->len[i]);
		if (lkp_word_is_hex(w->at[i], w->len[i], 7))
			c->commit = c->label;
	}
}

gboolean lkp_labels_read(const body *b, guint at, gboolean strict,
			 struct table *t)
{
	guint columns = t->columns->len, gap = LABEL_GAP, wrap = LKP_MAX_WRAP;
	struct lkp_line l;
	struct words w[LKP_MAX_WRAP];
	guint found = 0, lines = 0;

	while (at-- && lines < wrap && found < columns) {
		if (!lkp_line_get(b, at, &l) ||
		    (l.len && !lkp_line_near(&l, t->depth)))
			return FALSE;
		if (!l.len) {
			if (!gap-- || lines)
				return FALSE;
			continue;
		}
		if (l.len > LKP_MAX_LINE ||
		    !words_of(&l, columns - found,
			      strict || lines || l.depth != t->depth,
			      &w[lines]))
			return FALSE;
		found += w[lines++].n;
		t->line = at + 1;
	}
	if (found != columns)
		return FALSE;
	for (found = 0; lines--; found += w[lines].n)
		put_labels(t, &w[lines], found);
	return TRUE;
}
