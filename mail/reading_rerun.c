/* reading_rerun.c - does a reply show measurements of its sender's own
 * Looks at one mail alone: that its numbers are those of an earlier mail of
 * the thread only the thread tells (rerun.h). */
#include <string.h>

#include "mail/reading_priv.h"
#include "mail/report_priv.h"

/* A report pasted without marks: the line of its commit; 0 none. */
static guint pasted_report(const body *b)
{
	struct headline h = {0};
	guint commit = 0;

	for (guint n = 0; n < REPORT_MAX_HEADLINES && !commit &&
			  report_next_headline(b, h.line, &h);
	     n++) {
		struct report *r = report_new("", REPORT_PERFORMANCE);

		commit = report_read_commit(r, b, h.line);
		report_free(r);
	}
	report_headline_clear(&h);
	return commit;
}

/* The lines are the sender's own words. */
static gboolean is_own_line(const struct reading *r, guint line)
{
	gsize len;

	return line && line <= body_count(r->body) &&
	       report_line(r->body, line - 1, &len) != NULL;
}

/* The mail quotes the same table. */
static gboolean repeats_quoted(const struct reading *r, const struct table *t)
{
	for (guint i = 0; i < r->tables->len; i++) {
		const struct table *other = g_ptr_array_index(r->tables, i);

		if (other->depth && other->style == t->style &&
		    table_repeats(other, t))
			return TRUE;
	}
	return FALSE;
}

/* Rows without a head may be anybody's; those who run the tests send their
 * own. */
static gboolean may_be_headless(const struct reading *r)
{
	const char *at = strrchr(message_from(r->msg)->address, '@');

	return at && (g_ascii_strcasecmp(at, "@intel.com") == 0 ||
		      g_ascii_strcasecmp(at, "@linux.intel.com") == 0);
}

static gboolean is_own_table(const struct reading *r, const struct table *t)
{
	if (t->depth || t->style == TABLE_FSPERF || !t->rows->len)
		return FALSE;
	if (t->headless && !may_be_headless(r))
		return FALSE;
	return is_own_line(r, t->line) && !repeats_quoted(r, t);
}

gboolean reading_is_rerun(const struct reading *r)
{
	guint pasted;

	if (r->kind != KIND_REPLY || !(r->tables->len || r->samples->len))
		return FALSE;
	pasted = pasted_report(r->body);
	for (guint i = 0; i < r->tables->len; i++) {
		const struct table *t = g_ptr_array_index(r->tables, i);

		if ((!pasted || t->line < pasted) && is_own_table(r, t))
			return TRUE;
	}
	for (guint i = 0; i < r->samples->len; i++) {
		const struct table_samples *s =
			g_ptr_array_index(r->samples, i);

		if (!s->depth && (!pasted || s->line < pasted) &&
		    is_own_line(r, s->line))
			return TRUE;
	}
	return FALSE;
}
