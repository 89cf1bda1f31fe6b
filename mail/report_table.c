/* report_table.c - the headline's row in the comparison tables
 * Only what the report itself needs: whole tables are read elsewhere. */
#include <math.h>
#include <string.h>

#include "mail/report_priv.h"

#define RULE_DASHES 16
#define SAME_CHANGE 0.05 /* both are rounded to one decimal */
/* Since this day a headline tells the size of the change without its sign. */
#define UNSIGNED_SINCE G_GINT64_CONSTANT(1727740800) /* 2024-10-01 */

struct table_walk {
	const char *head; /* the line above the rule: ids of the columns */
	gsize head_len;
	const char *keys; /* "compiler/kconfig/...:" and its values */
	gsize keys_len;
	const char *values;
	gsize values_len;
};

static gsize word_len(const char *p, gsize len)
{
	gsize n = 0;

	while (n < len && p[n] != ' ' && p[n] != '\t')
		n++;
	return n;
}

static const char *next_word(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static gboolean is_rule(const char *text, gsize len)
{
	gsize n = 0;

	while (n < len && text[n] == '-')
		n++;
	return n >= 5 && n <= RULE_DASHES && len > n + RULE_DASHES &&
	       (text[n] == ' ' || text[n] == '\t') && text[len - 1] == '-';
}

/* "+12.5%": a signed percentage, alone in its word. */
static gboolean is_change(const char *p, gsize n)
{
	return n >= 3 && (*p == '+' || *p == '-') && g_ascii_isdigit(p[1]) &&
	       p[n - 1] == '%';
}

/* The first change of a row that ends in `metric`. */
static gboolean row_change(const char *text, gsize len, const char *metric,
			   double *change)
{
	const char *end = text + len, *p;
	gsize n = strlen(metric);

	if (len < n + 8 || memcmp(end - n, metric, n) != 0 ||
	    !strchr(" \t", end[-(gssize)n - 1]))
		return FALSE;
	for (p = text; p < end; p = next_word(p + n, end)) {
		n = word_len(p, (gsize)(end - p));
		if (is_change(p, n)) {
			*change = g_ascii_strtod(p, NULL);
			return isfinite(*change);
		}
	}
	return FALSE;
}

/* The value of an axis: field for field, keys and values agree. */
static char *axis(const struct table_walk *t, const char *key)
{
	g_autofree char *keys = NULL, *values = NULL;
	g_auto(GStrv) k = NULL;
	g_auto(GStrv) v = NULL;
	guint i;

	if (!t->keys || !t->values)
		return NULL;
	keys = g_strndup(t->keys, t->keys_len - 1);
	values = g_strndup(t->values, t->values_len);
	k = g_strsplit(keys, "/", REPORT_MAX_PARAMETERS);
	v = g_strsplit(values, "/", REPORT_MAX_PARAMETERS);
	if (g_strv_length(k) != g_strv_length(v))
		return NULL;
	for (i = 0; k[i]; i++)
		if (strcmp(k[i], key) == 0)
			return g_strdup(v[i]);
	return NULL;
}

static void take(struct report *r, const struct table_walk *t)
{
	g_free(r->base);
	r->base = g_strndup(t->head, word_len(t->head, t->head_len));
	if (!r->compiler)
		r->compiler = axis(t, "compiler");
	if (!r->config)
		r->config = axis(t, "kconfig");
	if (!r->tbox)
		r->tbox = axis(t, "tbox_group");
}

/* Remember what stands above the rows. */
static void look(struct table_walk *t, const char *text, gsize len,
		 const char *above, gsize above_len)
{
	if (is_rule(text, len)) {
		t->head = above;
		t->head_len = above_len;
	} else if (len > 9 && text[len - 1] == ':' &&
		   memmem(text, len, "/tbox_group/", 12)) {
		t->keys = text;
		t->keys_len = len;
		t->values = NULL;
	} else if (t->keys && !t->values && len) {
		t->values = text;
		t->values_len = len;
	}
}

/* A row of the metric: the first one counts, until one is found whose change
 * is that of the headline. TRUE if it is. */
static gboolean take_row(struct report *r, const struct table_walk *t,
			 const struct headline *h, double change)
{
	gboolean same = fabs(fabs(change) - fabs(h->value)) < SAME_CHANGE;

	if (same || isnan(r->change_percent)) {
		take(r, t);
		r->change_percent = copysign(h->value, change);
	}
	return same;
}

void report_read_tables(struct report *r, const body *b, guint from,
			const struct headline *h, gint64 date)
{
	struct table_walk t = {0};
	const char *above = NULL, *text;
	gsize above_len = 0, len;
	double change;
	guint i;

	for (i = from; i < body_count(b); i++) {
		text = report_line(b, i, &len);
		if (!text)
			continue;
		if (t.head && row_change(text, len, h->metric, &change)) {
			if (take_row(r, &t, h, change))
				break;
		} else {
			look(&t, text, len, above, above_len);
			if (t.head && !r->base)
				take(r, &t);
		}
		above = text;
		above_len = len;
	}
	/* no row: the sign is only sure where it was written */
	if (isnan(r->change_percent) && (h->is_signed || date < UNSIGNED_SINCE))
		r->change_percent = h->value;
}
