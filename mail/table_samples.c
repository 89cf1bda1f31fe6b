/* table_samples.c - raw values in a mail, run by run
 *
 *	"stress-ng.aiol.ops_per_sec": [
 *	  77.1,
 *	  194.2
 *	],
 *
 * Also as grep prints them, with a file before each line, and on one line. An
 * array that is not closed is dropped: its number of runs is unknown. */
#include <math.h>
#include <string.h>

#include "mail/table_check.h"
#include "mail/table_runs.h"

#define MAX_SAMPLES 200	 /* arrays of one message */
#define MAX_VALUES  2000 /* of one array */
#define MAX_LINE    2000 /* bytes */
#define MAX_ABOVE   3	 /* lines looked at for a commit */
#define MIN_HASH    7
#define MAX_HASH    40

struct slice {
	const char *p, *end;
};

static struct slice content(const struct body_line *l)
{
	return (struct slice){l->text + l->skip, l->text + l->len};
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && g_ascii_isspace(*p))
		p++;
	return p;
}

/* `"metric": [` anywhere in the line: its name, what stands before it and
 * what behind. */
static gboolean find_head(struct slice line, struct slice *before,
			  struct slice *name, struct slice *rest)
{
	const char *open =
		line.end - line.p > MAX_LINE
			? NULL
			: memchr(line.p, '"', (gsize)(line.end - line.p));
	const char *close, *p;

	if (!open)
		return FALSE;
	close = memchr(open + 1, '"', (gsize)(line.end - open - 1));
	if (!close || close - open - 1 > TABLE_MAX_METRIC)
		return FALSE;
	p = skip_blanks(close + 1, line.end);
	if (p == line.end || *p != ':')
		return FALSE;
	p = skip_blanks(p + 1, line.end);
	if (p == line.end || *p != '[')
		return FALSE;
	*before = (struct slice){line.p, open};
	*name = (struct slice){open + 1, close};
	*rest = (struct slice){p + 1, line.end};
	return memchr(name->p, '.', (gsize)(name->end - name->p)) &&
	       !memchr(name->p, ' ', (gsize)(name->end - name->p));
}

/* A commit or a tag in a text: the last one. NULL none. */
static char *find_label(struct slice s)
{
	const char *p = s.p;
	char *found = NULL;

	while (p < s.end) {
		const char *start = p;
		gboolean hex = TRUE, tag;

		while (p < s.end && (g_ascii_isalnum(*p) || *p == '.' ||
				     (*p == '-' && *start == 'v'))) {
			hex = hex && g_ascii_isxdigit(*p);
			p++;
		}
		tag = p - start >= 3 && *start == 'v' &&
		      g_ascii_isdigit(start[1]) &&
		      memchr(start, '.', (gsize)(p - start));
		if (tag ||
		    (hex && p - start >= MIN_HASH && p - start <= MAX_HASH)) {
			g_free(found);
			found = g_strndup(start, (gsize)(p - start));
		}
		p += p == start || p < s.end;
	}
	return found;
}

/* The commit that a file's name or a line above the array tells. */
static char *label_of(const body *b, guint head, struct slice before,
		      const struct table_samples *last, guint last_end)
{
	const struct body_line *l = body_line(b, head);
	char *label = find_label(before);

	for (guint i = head; i > 0 && head - i < MAX_ABOVE && !label; i--) {
		const struct body_line *above = body_line(b, i - 1);

		if (above->depth != l->depth)
			break;
		if (last && i - 1 <= last_end)
			return g_strdup(last->label);
		if (above->len - above->skip <= MAX_LINE)
			label = find_label(content(above));
	}
	return label;
}

/* What stands behind grep's "file-" or "file-12-". */
static struct slice without_file(struct slice line, struct slice before)
{
	gsize len = (gsize)(before.end - before.p);

	while (len && (g_ascii_isspace(before.p[len - 1]) ||
		       strchr(":-", before.p[len - 1])))
		len--;
	if (len && (gsize)(line.end - line.p) > len &&
	    !memcmp(line.p, before.p, len) && strchr(":-", line.p[len]))
		line.p += len + 1;
	return line;
}

/* Adds values up to "]" or the end. FALSE: something else stands there. */
static gboolean add_values(GArray *values, struct slice s, gboolean *closed)
{
	while (!*closed) {
		char number[40];
		char *end;
		double v;
		gsize n = 0;

		while (s.p < s.end && (g_ascii_isspace(*s.p) || *s.p == ','))
			s.p++;
		if (s.p == s.end)
			return TRUE;
		if (*s.p == ']') {
			*closed = TRUE;
			return TRUE;
		}
		while (s.p + n < s.end && n + 1 < sizeof(number) &&
		       (g_ascii_isalnum(s.p[n]) || strchr("+-.", s.p[n]))) {
			number[n] = s.p[n];
			n++;
		}
		number[n] = '\0';
		v = g_ascii_strtod(number, &end);
		if (!n || *end || !isfinite(v) || strpbrk(number, "xX") ||
		    values->len >= MAX_VALUES)
			return FALSE;
		g_array_append_val(values, v);
		s.p += n;
	}
	return TRUE;
}

/* The values behind the head at `*at`, which becomes the last line read. */
static GArray *read_values(const body *b, guint *at, struct slice before,
			   struct slice rest)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	guint depth = body_line(b, *at)->depth, i = *at;
	gboolean closed = FALSE, ok = add_values(values, rest, &closed);

	while (ok && !closed && ++i < body_count(b)) {
		const struct body_line *l = body_line(b, i);

		ok = l->len - l->skip <= MAX_LINE &&
		     (l->depth == depth || l->len <= l->skip) &&
		     add_values(values, without_file(content(l), before),
				&closed);
	}
	if (closed && values->len) {
		*at = i;
		return values;
	}
	g_array_unref(values);
	return NULL;
}

static gboolean likely(const body *b)
{
	guint n = body_count(b);
	const struct body_line *last = n ? body_line(b, n - 1) : NULL;
	const char *text = n ? body_line(b, 0)->text : NULL;
	gsize len = n ? (gsize)(last->text + last->len - text) : 0;

	return n &&
	       (memmem(text, len, "\":", 2) || memmem(text, len, "\" :", 3));
}

static struct table_samples *samples_new(struct slice name, GArray *values,
					 guint line, guint depth)
{
	struct table_samples *s = g_new0(struct table_samples, 1);

	s->metric = g_strndup(name.p, (gsize)(name.end - name.p));
	s->values = values;
	s->line = line;
	s->depth = depth;
	return s;
}

GPtrArray *table_samples_read(const body *b)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)table_samples_free);
	struct table_samples *last = NULL;
	guint last_end = 0;

	if (!likely(b))
		return out;
	for (guint i = 0; i < body_count(b) && out->len < MAX_SAMPLES; i++) {
		const struct body_line *l = body_line(b, i);
		struct slice before, name, rest;
		struct table_samples *s;
		guint head = i;
		GArray *values;

		if (!find_head(content(l), &before, &name, &rest))
			continue;
		values = read_values(b, &i, before, rest);
		if (!values)
			continue;
		s = samples_new(name, values, head + 1, l->depth);
		s->label = label_of(b, head, before, last, last_end);
		g_ptr_array_add(out, s);
		last = s;
		last_end = i;
	}
	return out;
}

void table_samples_free(struct table_samples *s)
{
	if (!s)
		return;
	g_free(s->metric);
	g_free(s->label);
	g_array_unref(s->values);
	g_free(s);
}

static double mean_of(const GArray *values)
{
	double sum = 0;

	for (guint i = 0; i < values->len; i++)
		sum += g_array_index(values, double, i);
	return sum / values->len;
}

static gboolean is_printed_as(double mean, const char *printed)
{
	struct interval i = table_interval(printed);

	return mean >= i.lo - 1e-9 * fabs(mean) &&
	       mean <= i.hi + 1e-9 * fabs(mean);
}

/* The one column of a row whose mean these values have; -1 none or several. */
static int column_of(const struct table *t, guint row,
		     const struct table_samples *s)
{
	double mean = mean_of(s->values);
	int named = s->label ? table_find_column(t, s->label) : -1;
	int found = -1;

	for (guint i = 0; i < t->columns->len; i++) {
		const struct table_cell *c = table_cell(t, row, i);

		if ((named >= 0 && (int)i != named) || !c->printed ||
		    !is_printed_as(mean, c->printed))
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

void table_samples_bind(GPtrArray *tables, GPtrArray *samples)
{
	for (guint k = 0; k < samples->len; k++) {
		const struct table_samples *s = samples->pdata[k];

		for (guint i = 0; i < tables->len; i++) {
			struct table *t = tables->pdata[i];
			int row = table_find(t, s->metric);
			int column = row < 0 ? -1 : column_of(t, (guint)row, s);

			if (column < 0)
				continue;
			table_column(t, (guint)column)->runs = s->values->len;
			table_column(t, (guint)column)->runs_source =
				TABLE_RUNS_RAW;
		}
	}
}
