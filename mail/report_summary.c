/* report_summary.c - what the kernel test robot found in a whole tree
 * "[tree:branch] BUILD REGRESSION <sha>" and its lists. */
#include <string.h>

#include "mail/report_priv.h"

static gboolean is_summary(const struct subject *s)
{
	return g_str_has_prefix(s->base, "BUILD SUCCESS") ||
	       g_str_has_prefix(s->base, "BUILD REGRESSION") ||
	       g_str_has_prefix(s->base, "BUILD INCOMPLETE") ||
	       g_str_has_prefix(s->base, "BUILD DONE");
}

/* "branch HEAD: SHA40  subject" */
static void read_head(struct report *r, const char *value)
{
	gsize n = strcspn(value, " \t");

	if (n != REPORT_HEX_FULL || !report_is_hex(value, n))
		return;
	report_set(&r->commit, g_ascii_strdown(value, (gssize)n));
	report_set(&r->commit_subject, g_strdup(report_skip_blanks(value + n)));
}

static gboolean starts_any(const char *text, gsize len,
			   const char *const *words)
{
	for (; *words; words++)
		if (len >= strlen(*words) &&
		    memcmp(text, *words, strlen(*words)) == 0)
			return TRUE;
	return FALSE;
}

enum list {
	LIST_SAME, /* the line is no title */
	LIST_NONE,
	LIST_NEW,
	LIST_UNVERIFIED,
};

/* "Error/Warning: (recently discovered and may have been fixed)", "Warning in
 * current branch:" */
static enum list list_of(const char *text, gsize len)
{
	static const char *const kinds[] = {"Error/Warning", "Warning", "Error",
					    NULL};
	static const char *const other[] = {"Error/Warning ids",
					    "Error/Warning reports:",
					    "Warning ids",
					    "Warning reports:",
					    "Error ids",
					    "Error reports:",
					    "elapsed time:",
					    "configs tested:",
					    NULL};

	if (len >= 11 && memcmp(text, "Unverified ", 11) == 0)
		return LIST_UNVERIFIED;
	if (starts_any(text, len, other))
		return LIST_NONE;
	if (starts_any(text, len, kinds) &&
	    (memmem(text, len, ": (recently ", 12) ||
	     memmem(text, len, " in current branch:", 19) ||
	     (len == 14 && text[13] == ':')))
		return LIST_NEW;
	return LIST_SAME;
}

static void read_errors(struct report *r, const body *b)
{
	enum list list = LIST_NONE;

	for (guint i = 0; i < body_count(b); i++) {
		struct report_error *e;
		gsize len;
		const char *text = report_line(b, i, &len);
		enum list next = text ? list_of(text, len) : LIST_SAME;

		if (next != LIST_SAME) {
			list = next;
			continue;
		}
		if (list == LIST_NONE || !text || !len)
			continue;
		e = report_add_error(r, text, len, list == LIST_NEW);
		if (e)
			report_split_error(e, NULL, NULL);
	}
}

static void read_reports(struct report *r, const body *b)
{
	static const char lore[] = "https://lore.kernel.org/";

	for (guint i = 0; i < body_count(b); i++) {
		gsize len;
		const char *text = report_line(b, i, &len);

		if (text && len > strlen(lore) &&
		    memcmp(text, lore, strlen(lore)) == 0)
			report_add_urls(r, text, len);
	}
}

struct report *report_read_summary(const message *msg, const struct subject *s,
				   const body *b)
{
	static const char *const tree[] = {"tree/branch:", NULL};
	static const char *const head[] = {"branch HEAD:", NULL};
	guint end = MIN(body_count(b), 20);
	struct report *r;

	if (!is_summary(s))
		return NULL;
	r = report_new("kernel-test-robot", REPORT_SUMMARY);
	if (g_str_has_prefix(s->base, "BUILD REGRESSION"))
		r->direction = REPORT_REGRESSION;
	for (guint i = 0; i < end; i++) {
		g_autofree char *where = report_value(b, i, tree);
		g_autofree char *value = report_value(b, i, head);
		g_autofree char *line = report_joined(b, i, 1);

		if (where)
			report_read_tree(r, where);
		/* a message of the program may stand in its place */
		if (line && !r->base_tree)
			report_read_tree(r, line);
		if (value)
			read_head(r, value);
	}
	read_errors(r, b);
	read_reports(r, b);
	report_set(&r->title, g_strdup(s->base));
	return r;
}
