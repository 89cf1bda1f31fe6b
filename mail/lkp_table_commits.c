/* lkp_table_commits.c - the commits that a mail names, and their columns
 * Reads single entries of lists; knows nothing of the lines between them. */
#include <string.h>

#include "mail/lkp_table_priv.h"

#define LABEL_LEAST 5 /* characters that two names must share */

/* A commit or tag, as listed. */
struct known {
	const char *id;
	const char *subject;  /* NULL */
	const char *equation; /* NULL */
	guint list;	      /* counted from 1; 0: the report's own */
};

struct lkp_commits {
	GStringChunk *text;
	GArray *known; /* of struct known */
	guint lists;   /* begun so far */
	guint listed;  /* the last one that a table was given */
};

struct lkp_commits *lkp_commits_new(void)
{
	struct lkp_commits *c = g_new0(struct lkp_commits, 1);

	c->text = g_string_chunk_new(512);
	c->known = g_array_new(FALSE, TRUE, sizeof(struct known));
	return c;
}

void lkp_commits_free(struct lkp_commits *c)
{
	if (!c)
		return;
	g_string_chunk_free(c->text);
	g_array_unref(c->known);
	g_free(c);
}

void lkp_commits_begin(struct lkp_commits *c)
{
	c->lists++;
}

static const char *keep(struct lkp_commits *c, const char *p, const char *end)
{
	while (end > p && strchr(" \t", end[-1]))
		end--;
	p += lkp_blanks(p, end);
	if (end <= p)
		return NULL;
	return g_string_chunk_insert_len(c->text, p, end - p);
}

/* `("a "quoted" subject")`, `(subject)`, `subject`: without its frame. The
 * end of what belongs to it. */
static const char *take_subject(struct lkp_commits *c, struct known *k,
				const char *p, const char *end)
{
	const char *last = end, *from = p;

	if (*p == '(') {
		for (last = end; last > p && last[-1] != ')'; last--)
			;
		if (last == p) /* cut off */
			last = end + 1;
		from = p + 1;
		last--;
	}
	if (last > from + 1 && *from == '"') {
		from++;
		if (last[-1] == '"')
			last--;
	}
	k->subject = keep(c, from, MIN(last, end));
	while (last < end && strchr("\")", *last))
		last++;
	return MIN(last, end);
}

/* "= bd4a633b6f + patch [1]" is an equation; what an arrow points out, as in
 * "<= parent commit of 4c40d6efc8", stands for a subject that is missing. */
static gboolean take_mark(struct lkp_commits *c, struct known *k, const char *p,
			  const char *end)
{
	static const char *const marks[] = {"<==", "<=", "<-", "->", "=>", "="};
	const char *text;

	for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
		gsize n = strlen(marks[i]);

		if ((gsize)(end - p) <= n || memcmp(p, marks[i], n) != 0)
			continue;
		while (p + n < end && p[n] == '-')
			n++;
		text = keep(c, p + n, end);
		if (*p == '=' && p[1] != '>')
			k->equation = text;
		else if (!k->subject)
			k->subject = text;
		return TRUE;
	}
	return FALSE;
}

/* "bd4a633b6f + patch" in the place of a subject, or behind an arrow. */
static gboolean is_sum(const char *text)
{
	const char *end = text + strlen(text);
	gsize n = lkp_word(text, end);

	return lkp_word_is_hex(text, n, LKP_ID_LEAST) &&
	       g_str_has_prefix(text + n, " + ");
}

void lkp_commits_add(struct lkp_commits *c, const char *text, gsize len,
		     gboolean listed)
{
	const char *p = text, *end = text + len;
	struct known k = {.list = listed ? c->lists : 0};
	gsize n;

	while (p < end && strchr("*-", *p) && lkp_blanks(p + 1, end))
		p += 1 + lkp_blanks(p + 1, end);
	n = lkp_word(p, end);
	if (!n || c->known->len >= LKP_MAX_KNOWN)
		return;
	k.id = g_string_chunk_insert_len(c->text, p,
					 (gssize)(n -
						  (n > 1 && p[n - 1] == ':')));
	p += n + lkp_blanks(p + n, end);
	if (p < end && !take_mark(c, &k, p, end)) {
		p = take_subject(c, &k, p, end);
		p += lkp_blanks(p, end);
		take_mark(c, &k, p, end);
	}
	if (k.subject && !k.equation && is_sum(k.subject)) {
		k.equation = k.subject;
		k.subject = NULL;
	}
	g_array_append_val(c->known, k);
}

static gboolean same_name(const char *label, const char *id)
{
	gsize a = strlen(label), b = strlen(id), n = MIN(a, b);

	if (n < LABEL_LEAST)
		return !strcmp(label, id);
	if (lkp_word_is_hex(label, a, LKP_ID_LEAST))
		return n >= LKP_ID_LEAST && !memcmp(label, id, n);
	/* a tag is only ever cut by the width of its column */
	return b >= a && !memcmp(label, id, n) && (a == b || a >= 16);
}

static void name_by(const struct known *k, struct table *t,
		    struct table_column *column)
{
	gsize n = strlen(k->id);

	if (column->commit && lkp_word_is_hex(k->id, n, LKP_ID_LEAST) &&
	    n > strlen(column->commit))
		column->commit = table_keep(t, k->id, n);
	if (!column->subject && k->subject)
		column->subject = table_keep(t, k->subject, strlen(k->subject));
	if (!column->equation && k->equation)
		column->equation =
			table_keep(t, k->equation, strlen(k->equation));
}

/* The list nearest above the table decides, what the report says of its commit
 * only where no list does. */
static gboolean name_column(const struct lkp_commits *c, struct table *t,
			    struct table_column *column)
{
	gboolean found = FALSE;

	for (int listed = TRUE; listed >= FALSE; listed--)
		for (guint i = c->known->len; i--;) {
			const struct known *k =
				&g_array_index(c->known, struct known, i);

			if ((k->list > 0) != listed ||
			    !same_name(column->label, k->id))
				continue;
			name_by(k, t, column);
			found |= k->list == c->lists;
		}
	return found;
}

/* Where the list has as many entries as the table has columns, and one of
 * each is left, they belong together: a tag that is listed by its commit. */
static void name_last(const struct lkp_commits *c, struct table *t,
		      struct table_column *column)
{
	const struct known *left = NULL;
	guint entries = 0;

	for (guint i = 0; i < c->known->len; i++) {
		const struct known *k =
			&g_array_index(c->known, struct known, i);
		gboolean used = FALSE;

		if (!k->list || k->list != c->lists)
			continue;
		entries++;
		for (guint n = 0; n < t->columns->len; n++)
			used |= same_name(table_column(t, n)->label, k->id);
		if (!used)
			left = k;
	}
	if (entries != t->columns->len || !left || column->commit)
		return;
	if (lkp_word_is_hex(left->id, strlen(left->id), LKP_ID_LEAST))
		column->commit = table_keep(t, left->id, strlen(left->id));
	name_by(left, t, column);
}

static void name_columns(const struct lkp_commits *c, struct table *t)
{
	struct table_column *other = NULL;
	guint others = 0;

	for (guint i = 0; i < t->columns->len; i++) {
		if (name_column(c, t, table_column(t, i)))
			continue;
		other = table_column(t, i);
		others++;
	}
	if (others == 1 && t->columns->len > 1)
		name_last(c, t, other);
}

/* A list belongs to the first table below it. */
static void add_listed(struct lkp_commits *c, struct table *t)
{
	for (guint i = 0; i < c->known->len; i++) {
		const struct known *k =
			&g_array_index(c->known, struct known, i);

		if (k->list > c->listed && k->list == c->lists)
			g_ptr_array_add(t->listed,
					(char *)table_keep(t, k->id,
							   strlen(k->id)));
	}
	c->listed = c->lists;
}

void lkp_commits_name(struct lkp_commits *c, struct table *t)
{
	name_columns(c, t);
	add_listed(c, t);
}
