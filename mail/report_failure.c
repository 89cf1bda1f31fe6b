/* report_failure.c - what failed in a functional report, and how often
 * Ids from the headline, the subject, rows of failures, the box of earlier
 * years and the log of xfstests. */
#include <string.h>

#include "mail/report_priv.h"

#define LOG_LINES 5000 /* looked at for "Failures:" */
#define MAX_IDS	  100

/* ---- ids */

/* Without what a row of failures puts before an id. */
static const char *bare_id(const char *id)
{
	static const char *const prefixes[] = {"dmesg.", "kmsg.", "dmesg_",
					       "kmsg_"};

	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(id, prefixes[i]))
			return id + strlen(prefixes[i]);
	return id;
}

static struct report_error *find_id(const struct report *r, const char *id)
{
	for (guint i = 0; i < r->errors->len && i < MAX_IDS; i++) {
		struct report_error *e = r->errors->pdata[i];

		if (strcmp(bare_id(e->text), bare_id(id)) == 0)
			return e;
	}
	return NULL;
}

static struct report_error *add_id(struct report *r, const char *id)
{
	struct report_error *e = find_id(r, id);

	if (e || r->errors->len >= MAX_IDS)
		return e;
	return report_add_error(r, id, strlen(id), TRUE);
}

/* Words that are ids: a dot, colon or underscore inside. */
static gboolean is_id(const char *word)
{
	gsize n = strlen(word);

	return n > 3 && strpbrk(word, ".:_") && word[n - 1] != ':' &&
	       word[n - 1] != '.';
}

/* "A and B", "A, B", "A B": each; or the whole where words are no ids. */
static void add_ids(struct report *r, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t,", 64);
	gboolean all = TRUE;

	for (guint i = 0; words[i]; i++)
		all = all && (!*words[i] || is_id(words[i]) ||
			      strcmp(words[i], "and") == 0 ||
			      strcmp(words[i], "&") == 0);
	if (!all) {
		if (*text)
			add_id(r, text);
		return;
	}
	for (guint i = 0; words[i]; i++)
		if (is_id(words[i]))
			add_id(r, words[i]);
}

/* "[tag] 0123456789: ID ID" */
static void read_subject(struct report *r, const struct subject *s)
{
	const char *colon = strchr(s->base, ':');
	gsize n = colon ? (gsize)(colon - s->base) : 0;
	g_autofree char *rest = NULL;

	if (n < 7 || n > REPORT_HEX_FULL || !report_is_hex(s->base, n))
		return;
	rest = g_strstrip(g_strdup(colon + 1));
	add_ids(r, rest);
}

/* ---- how often */

static gboolean is_failure(const char *metric)
{
	return g_str_has_prefix(metric, "dmesg.") ||
	       g_str_has_prefix(metric, "kmsg.") ||
	       (g_str_has_prefix(metric, "last_state.") &&
		strcmp(metric, "last_state.is_incomplete_run") != 0) ||
	       g_str_has_suffix(metric, ".fail");
}

static void take_cell(struct report_error *e, guint which,
		      const struct table_cell *c)
{
	e->fails[which] = c->fails;
	e->runs[which] = c->runs;
}

static gboolean adds_failures(const struct table *t, guint row, int base,
			      int culprit)
{
	int before = base < 0 ? 0 : table_cell(t, row, (guint)base)->fails;

	return table_cell(t, row, (guint)culprit)->fails > MAX(before, 0);
}

/* The culprit's column is known by its id, else it is the second one; it may
 * be the first of a table that compares fixes with it. */
static void read_rows(struct report *r, const struct table *t)
{
	int found = table_find_column(t, r->commit);
	int culprit = found < 0 ? 1 : found;
	int base = culprit > 0 ? 0 : -1;

	if (t->columns->len < 2)
		return;
	if (found > 0)
		report_set(&r->base, g_strdup(table_column(t, 0)->commit));
	for (guint i = 0; i < t->rows->len; i++) {
		const struct table_row *row = table_row(t, i);
		struct report_error *e;

		if (row->kind != TABLE_ROW_FAIL)
			continue;
		e = find_id(r, row->metric);
		/* failures that the culprit doesn't add are none of its */
		if (!e && is_failure(row->metric) &&
		    adds_failures(t, i, base, culprit))
			e = add_id(r, row->metric);
		if (!e || e->runs[1] >= 0)
			continue;
		take_cell(e, 1, table_cell(t, i, (guint)culprit));
		if (base >= 0)
			take_cell(e, 0, table_cell(t, i, (guint)base));
	}
}

/* ---- the box: "| boot_failures | 0 | 6 |" */

/* The numbers of the last two cells; FALSE if they are none. */
static gboolean read_counts(char *const *cells, int counts[2])
{
	for (guint k = 0; k < 2; k++) {
		char *end;
		gint64 n;

		g_strstrip(cells[2 + k]);
		n = g_ascii_strtoll(cells[2 + k], &end, 10);
		if (end != cells[2 + k] && *end)
			return FALSE;
		/* an empty cell is none */
		counts[k] = (int)CLAMP(n, 0, 1000000);
	}
	return TRUE;
}

static void read_box_row(struct report *r, char *const *cells, int runs[2])
{
	const char *id = g_strstrip(cells[1]);
	int counts[2];
	struct report_error *e;

	g_strstrip(cells[2]);
	/* the head: the ids of base and culprit */
	if (!*id && strlen(cells[2]) >= 7 &&
	    report_is_hex(cells[2], strlen(cells[2])))
		report_set(&r->base, g_strdup(cells[2]));
	if (!*id || !read_counts(cells, counts))
		return;
	if (strcmp(id, "boot_successes") == 0 ||
	    strcmp(id, "boot_failures") == 0) {
		for (guint k = 0; k < 2; k++)
			runs[k] = MAX(runs[k], 0) + counts[k];
		return;
	}
	e = find_id(r, id);
	if (!e && counts[1] > counts[0])
		e = add_id(r, id);
	for (guint k = 0; e && k < 2; k++) {
		e->fails[k] = counts[k];
		e->runs[k] = runs[k];
	}
}

static void read_box(struct report *r, const body *b)
{
	int runs[2] = {-1, -1};
	guint end = MIN(body_count(b), LOG_LINES);

	for (guint i = 0; i < end; i++) {
		g_auto(GStrv) cells = NULL;
		gsize len;
		const char *text = report_line(b, i, &len);
		g_autofree char *line = NULL;

		if (!text || len < 8 || *text != '|' || text[len - 1] != '|')
			continue;
		line = g_strndup(text, len);
		cells = g_strsplit(line, "|", 6);
		if (g_strv_length(cells) == 5)
			read_box_row(r, cells, runs);
	}
}

/* ---- "Failures: btrfs/020 generic/475" of ./check */

static void add_test(struct report *r, const char *test)
{
	g_autofree char *id = NULL;

	if (!strchr(test, '/'))
		return;
	id = g_strdup_printf("%s.%s.fail",
			     r->testcase ? r->testcase : "xfstests", test);
	g_strdelimit(id, "/", '.');
	add_id(r, id);
}

static void read_log(struct report *r, const body *b)
{
	guint end = MIN(body_count(b), LOG_LINES);

	for (guint i = 0; i < end; i++) {
		g_autofree char *line = NULL;
		g_auto(GStrv) tests = NULL;

		if (!report_starts(b, i, "Failures: "))
			continue;
		line = report_joined(b, i, 1);
		tests = g_strsplit(line + strlen("Failures: "), " ", 64);
		for (guint k = 0; tests[k]; k++)
			add_test(r, tests[k]);
	}
}

/* A machine that didn't come up. */
static gboolean is_boot(const struct report *r)
{
	for (guint i = 0; i < r->errors->len; i++) {
		const struct report_error *e = r->errors->pdata[i];

		if (strstr(e->text, "_in_boot_stage") ||
		    strcmp(e->text, "last_state.booting") == 0)
			return TRUE;
	}
	return FALSE;
}

void report_read_failures(struct report *r, const struct subject *s,
			  const body *b, GPtrArray *tables,
			  const struct headline *h)
{
	const struct report_error *first;

	if (h->ids)
		add_ids(r, h->ids);
	read_subject(r, s);
	for (guint i = 0; i < tables->len; i++) {
		struct table *t = g_ptr_array_index(tables, i);

		if (t->depth || t->style == TABLE_FSPERF)
			continue;
		report_set_roles(r, t);
		read_rows(r, t);
	}
	read_box(r, b);
	read_log(r, b);
	if (r->testcase && strcmp(r->testcase, "boot") == 0 && is_boot(r))
		r->category = REPORT_BOOT;
	first = r->errors->len ? r->errors->pdata[0] : NULL;
	report_set(&r->title,
		   g_strdup(first ? first->text : r->commit_subject));
}
