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

/* Titles of the lists: is what follows new? -1: no list of errors. */
static int list_of(const char *text, gsize len)
{
	static const char *const fresh[] = {"Error/Warning: (",
					    "Warning: (recently",
					    "Error: (recently"};
	static const char *const other[] = {
		"Unverified ", "Error/Warning ids", "Warning ids",
		"Error ids",   "elapsed time:",	    "configs tested:"};

	for (guint i = 0; i < G_N_ELEMENTS(fresh); i++)
		if (len >= strlen(fresh[i]) &&
		    !memcmp(text, fresh[i], strlen(fresh[i])))
			return TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(other); i++)
		if (len >= strlen(other[i]) &&
		    !memcmp(text, other[i], strlen(other[i])))
			return i == 0 ? FALSE : -1;
	return -2;
}

static void read_errors(struct report *r, const body *b)
{
	int list = -1;

	for (guint i = 0; i < body_count(b); i++) {
		struct report_error *e;
		gsize len;
		const char *text = report_line(b, i, &len);
		int next = text ? list_of(text, len) : -2;

		if (next != -2) {
			list = next;
			continue;
		}
		if (list < 0 || !len || !text)
			continue;
		e = report_add_error(r, text, len, list == TRUE);
		if (e && !e->message)
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
