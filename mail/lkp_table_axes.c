/* lkp_table_axes.c - what a robot writes above its tables
 * The pair of lines with the test's axes, and the list of commits, line by
 * line. What an entry of the list says is read elsewhere. */
#include <string.h>

#include "mail/lkp_table_priv.h"

#define SECTION_LINE 20 /* "=" at least that begin a section */
#define SUBJECT_MOST 1000
#define AXES_MOST    4000

enum expecting {
	NOTHING,
	AXES_VALUES, /* the line of keys was read */
	LIST,	     /* "commit:" was read */
};

struct lkp_context {
	struct lkp_commits *commits;
	GString *keys; /* "bs/compiler/..." */
	GString *values;
	GString *entry; /* of the list, perhaps to be continued */
	gboolean axes;	/* keys and values belong together */
	enum expecting expecting;
	guint depth; /* of what is being read */
	guint axes_depth;
	guint lines; /* of it so far */
	gboolean in_list;
};

struct lkp_context *lkp_context_new(void)
{
	struct lkp_context *c = g_new0(struct lkp_context, 1);

	c->commits = lkp_commits_new();
	c->keys = g_string_new(NULL);
	c->values = g_string_new(NULL);
	c->entry = g_string_new(NULL);
	return c;
}

void lkp_context_free(struct lkp_context *c)
{
	if (!c)
		return;
	lkp_commits_free(c->commits);
	g_string_free(c->keys, TRUE);
	g_string_free(c->values, TRUE);
	g_string_free(c->entry, TRUE);
	g_free(c);
}

/* ---- commits ---- */

static void end_entry(struct lkp_context *c)
{
	lkp_commits_add(c->commits, c->entry->str, c->entry->len, c->in_list);
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
	    !lkp_word_is_hex(l->p, n, LKP_ID_LEAST)) {
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
	if (!lkp_word_is_hex(p, n, LKP_ID_LEAST))
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
		lkp_commits_begin(c->commits);
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

void lkp_context_apply(struct lkp_context *c, struct table *t)
{
	if (c->entry->len)
		end_entry(c);
	c->expecting = NOTHING;
	lkp_commits_name(c->commits, t);
	if (c->axes && c->axes_depth == t->depth)
		add_axes(c, t);
	forget_axes(c);
}
