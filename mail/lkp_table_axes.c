/* lkp_table_axes.c - what a robot writes above its tables
 * The pair of lines with the test's axes, and the list of commits. Lines come
 * one by one; what was seen names the columns of the tables after them. */
#include <string.h>

#include "mail/lkp_table_priv.h"

#define SECTION_LINE 20 /* "=" at least that begin a section */
#define ID_LEAST     7	/* hex digits of a commit */
#define LABEL_LEAST  5	/* characters that two names must share */
#define SUBJECT_MOST 1000
#define AXES_MOST    4000

/* A commit or tag, as listed. */
struct known {
	const char *id;
	const char *subject;  /* NULL */
	const char *equation; /* NULL */
	guint list;	      /* counted from 1; 0: the report's own */
};

enum expecting {
	NOTHING,
	AXES_VALUES, /* the line of keys was read */
	LIST,	     /* "commit:" was read */
};

struct lkp_context {
	GStringChunk *text;
	GArray *known; /* of struct known */
	GString *keys; /* "bs/compiler/..." */
	GString *values;
	GString *entry; /* of the list, perhaps to be continued */
	gboolean axes;	/* keys and values belong together */
	enum expecting expecting;
	guint depth; /* of what is being read */
	guint axes_depth;
	guint lines; /* of it so far */
	gboolean in_list;
	guint lists;  /* begun so far */
	guint listed; /* the last one that a table was given */
};

struct lkp_context *lkp_context_new(void)
{
	struct lkp_context *c = g_new0(struct lkp_context, 1);

	c->text = g_string_chunk_new(512);
	c->known = g_array_new(FALSE, TRUE, sizeof(struct known));
	c->keys = g_string_new(NULL);
	c->values = g_string_new(NULL);
	c->entry = g_string_new(NULL);
	return c;
}

void lkp_context_free(struct lkp_context *c)
{
	if (!c)
		return;
	g_string_chunk_free(c->text);
	g_array_unref(c->known);
	g_string_free(c->keys, TRUE);
	g_string_free(c->values, TRUE);
	g_string_free(c->entry, TRUE);
	g_free(c);
}

/* ---- commits ---- */

static const char *keep(struct lkp_context *c, const char *p, const char *end)
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
static const char *take_subject(struct lkp_context *c, struct known *k,
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
static gboolean take_mark(struct lkp_context *c, struct known *k, const char *p,
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

	return lkp_word_is_hex(text, n, ID_LEAST) &&
	       g_str_has_prefix(text + n, " + ");
}

static void end_entry(struct lkp_context *c)
{
	const char *p = c->entry->str, *end = p + c->entry->len;
	struct known k = {.list = c->in_list ? c->lists : 0};
	gsize n;

	while (p < end && strchr("*-", *p) && lkp_blanks(p + 1, end))
		p += 1 + lkp_blanks(p + 1, end);
	n = lkp_word(p, end);
	if (n && c->known->len < LKP_MAX_KNOWN) {
		k.id = g_string_chunk_insert_len(
			c->text, p, (gssize)(n - (n > 1 && p[n - 1] == ':')));
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
	g_string_truncate(c->entry, 0);
}

/* Whether its subject goes on in the next line. */
static gboolean entry_open(const struct lkp_context *c)
{
	const char *p = memchr(c->entry->str, '(', c->entry->len);
	const char *end = c->entry->str + c->entry->len;

	if (!p || c->lines >= LKP_MAX_WRAP)
		return FALSE;
	if (end - p > 1 && p[1] == '"')
		return !memmem(p + 2, (gsize)(end - p - 2), "\")", 2);
	return end[-1] != ')';
}

static void begin_entry(struct lkp_context *c, const char *p, gsize len)
{
	g_string_truncate(c->entry, 0);
	g_string_append_len(c->entry, p, (gssize)MIN(len, SUBJECT_MOST));
	c->lines = 1;
}

/* A line of the list. FALSE: it is none. */
static gboolean list_line(struct lkp_context *c, const struct lkp_line *l)
{
	gsize n = lkp_word(l->p, l->p + l->len);

	if (l->depth != c->depth || !l->len)
		return FALSE;
	if (c->entry->len && entry_open(c) &&
	    !lkp_word_is_hex(l->p, n, ID_LEAST)) {
		g_string_append_c(c->entry, ' ');
		g_string_append_len(c->entry, l->p,
				    (gssize)MIN(l->len, SUBJECT_MOST));
		c->lines++;
		return TRUE;
	}
	if (c->entry->len)
		end_entry(c);
	if (!c->in_list || *l->p == '=' || lkp_rule_more(l) ||
	    (l->len >= 7 && !memcmp(l->p, "commit:", 7)))
		return FALSE;
	begin_entry(c, l->p, l->len);
	return TRUE;
}

/* "commit: 4c40d6ef... ("subject")": of the report itself. */
static gboolean named_commit(struct lkp_context *c, const struct lkp_line *l)
{
	const char *p = l->p + 7, *end = l->p + l->len;
	gsize n;

	p += lkp_blanks(p, end);
	n = lkp_word(p, end);
	if (!lkp_word_is_hex(p, n, ID_LEAST))
		return FALSE;
	begin_entry(c, p, (gsize)(end - p));
	c->in_list = FALSE;
	return TRUE;
}

/* ---- axes ---- */

static guint slashes(const char *p, gsize len)
{
	guint n = 0;

	for (gsize i = 0; i < len; i++)
		n += p[i] == '/';
	return n;
}

/* "bs/compiler/.../testcase:", perhaps with the values behind it. Bytes of
 * the keys. */
static gsize axis_keys(const struct lkp_line *l)
{
	static const char *const usual[] = {"testcase", "tbox_group", "kconfig",
					    "compiler"};
	gsize n = 0, len = MIN(l->len, AXES_MOST);
	gboolean slash = FALSE;

	while (n < len && (g_ascii_isalnum(l->p[n]) || strchr("_-./", l->p[n])))
		slash |= l->p[n++] == '/';
	if (!slash || n == len || l->p[n] != ':')
		return 0;
	if (n + 1 < len && !lkp_blanks(l->p + n + 1, l->p + len))
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
		if (memmem(l->p, n, usual[i], strlen(usual[i])))
			return n;
	return 0;
}

/* Without "/run", whose value the old one-line form does not print. */
static void take_one_line(struct lkp_context *c, const struct lkp_line *l,
			  gsize keys)
{
	const char *end = l->p + l->len, *p = l->p + keys + 1;
	gsize n = keys;
	guint have;

	p += lkp_blanks(p, end);
	have = slashes(p, (gsize)(end - p));
	if (slashes(l->p, n) == have + 1 && n > 4 &&
	    !memcmp(l->p + n - 4, "/run", 4))
		n -= 4;
	c->axes = slashes(l->p, n) == have;
	g_string_truncate(c->keys, 0);
	g_string_append_len(c->keys, l->p, (gssize)n);
	g_string_truncate(c->values, 0);
	g_string_append_len(c->values, p, MIN(end - p, AXES_MOST));
}

static void values_line(struct lkp_context *c, const struct lkp_line *l)
{
	guint want = slashes(c->keys->str, c->keys->len), have;

	if (!l->len && !c->lines)
		return; /* a mailer's blank line */
	if (!l->len || !lkp_line_near(l, c->axes_depth) ||
	    (l->depth != c->axes_depth &&
	     lkp_word(l->p, l->p + l->len) < l->len) ||
	    c->lines == LKP_MAX_WRAP) {
		c->expecting = NOTHING;
		return;
	}
	if (c->lines++)
		g_string_append_c(c->values, ' ');
	g_string_append_len(c->values, l->p, (gssize)MIN(l->len, AXES_MOST));
	have = slashes(c->values->str, c->values->len);
	c->axes = have == want;
	if (have >= want)
		c->expecting = NOTHING;
}

static void forget_axes(struct lkp_context *c)
{
	c->axes = FALSE;
	g_string_truncate(c->keys, 0);
	g_string_truncate(c->values, 0);
}

static void begin_axes(struct lkp_context *c, const struct lkp_line *l,
		       gsize keys)
{
	forget_axes(c);
	c->axes_depth = l->depth;
	if (keys + 1 < l->len) {
		take_one_line(c, l, keys);
		return;
	}
	g_string_append_len(c->keys, l->p, (gssize)keys);
	c->expecting = AXES_VALUES;
	c->lines = 0;
}

/* ---- both ---- */

/* "commit:", or "kconfig:" where that is what a table compares: alone in its
 * line. */
static gboolean list_head(const struct lkp_line *l)
{
	return (l->len == 7 && !memcmp(l->p, "commit:", 7)) ||
	       (l->len == 8 && !memcmp(l->p, "kconfig:", 8));
}

static void begin(struct lkp_context *c, const struct lkp_line *l)
{
	gsize keys;

	if (*l->p == '=') {
		gsize n = 0;

		while (n < l->len && l->p[n] == '=')
			n++;
		if (n >= SECTION_LINE)
			forget_axes(c);
	} else if (list_head(l)) {
		c->expecting = LIST;
		c->in_list = TRUE;
		c->lists++;
		c->depth = l->depth;
		c->lines = 0;
	} else if (l->len > 7 && !memcmp(l->p, "commit:", 7)) {
		c->depth = l->depth;
		if (named_commit(c, l))
			c->expecting = LIST;
	} else if (g_ascii_islower(*l->p)) {
		keys = axis_keys(l);
		if (keys)
			begin_axes(c, l, keys);
	}
}

void lkp_context_line(struct lkp_context *c, const struct lkp_line *l)
{
	switch (c->expecting) {
	case AXES_VALUES:
		values_line(c, l);
		return;
	case LIST:
		if (list_line(c, l))
			return;
		if (!l->len && !c->lines) {
			c->lines = 1; /* one blank line is forgiven */
			return;
		}
		if (c->entry->len)
			end_entry(c);
		c->expecting = NOTHING;
		break;
	case NOTHING:
		break;
	}
	if (l->len)
		begin(c, l);
}

static gboolean same_name(const char *label, const char *id)
{
	gsize a = strlen(label), b = strlen(id), n = MIN(a, b);

	if (n < LABEL_LEAST)
		return !strcmp(label, id);
	if (lkp_word_is_hex(label, a, ID_LEAST))
		return n >= ID_LEAST && !memcmp(label, id, n);
	/* a tag is only ever cut by the width of its column */
	return b >= a && !memcmp(label, id, n) && (a == b || a >= 16);
}

static void name_by(const struct known *k, struct table *t,
		    struct table_column *column)
{
	gsize n = strlen(k->id);

	if (column->commit && lkp_word_is_hex(k->id, n, ID_LEAST) &&
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
static gboolean name_column(const struct lkp_context *c, struct table *t,
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
static void name_last(const struct lkp_context *c, struct table *t,
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
	if (lkp_word_is_hex(left->id, strlen(left->id), ID_LEAST))
		column->commit = table_keep(t, left->id, strlen(left->id));
	name_by(left, t, column);
}

static void name_columns(const struct lkp_context *c, struct table *t)
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

static void add_axes(struct lkp_context *c, struct table *t)
{
	const char *k = c->keys->str, *v = c->values->str, *ke, *ve;
	struct table_axis axis;

	while (k && v && t->axes->len < TABLE_MAX_AXES) {
		ke = strchr(k, '/');
		ve = strchr(v, '/');
		axis.key = table_keep(t, k, ke ? (gsize)(ke - k) : strlen(k));
		axis.value = table_keep(t, v, ve ? (gsize)(ve - v) : strlen(v));
		g_array_append_val(t->axes, axis);
		k = ke ? ke + 1 : NULL;
		v = ve ? ve + 1 : NULL;
	}
}

/* A list belongs to the first table below it. */
static void add_listed(struct lkp_context *c, struct table *t)
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

void lkp_context_apply(struct lkp_context *c, struct table *t)
{
	if (c->entry->len)
		end_entry(c);
	c->expecting = NOTHING;
	name_columns(c, t);
	add_listed(c, t);
	if (c->axes && c->axes_depth == t->depth)
		add_axes(c, t);
	forget_axes(c);
}
