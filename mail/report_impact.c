/* report_impact.c - the box "the commit also has impact on the following
 * tests": one entry a test, cells between bars */
#include <math.h>
#include <string.h>

#include "mail/report_priv.h"

#define BOX_LINES 2000

/* "| left | right |": both cells trimmed; FALSE if it is no such line. */
static gboolean split_cells(const char *text, gsize len, char **left,
			    char **right)
{
	const char *bar;

	if (len < 3 || text[0] != '|' || text[len - 1] != '|')
		return FALSE;
	bar = memchr(text + 1, '|', len - 2);
	if (!bar)
		return FALSE;
	*left = g_strstrip(g_strndup(text + 1, (gsize)(bar - text - 1)));
	*right = g_strstrip(g_strndup(bar + 1, (gsize)(text + len - 2 - bar)));
	return TRUE;
}

static struct report_impact *impact_add(struct report *r)
{
	struct report_impact *p = g_new0(struct report_impact, 1);

	p->change_percent = NAN;
	p->parameters = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(r->impacts, p);
	return p;
}

static enum report_direction direction_of(const char *word)
{
	if (strcmp(word, "regression") == 0)
		return REPORT_REGRESSION;
	if (strcmp(word, "improvement") == 0)
		return REPORT_IMPROVEMENT;
	return REPORT_UNKNOWN;
}

/* "fio-basic: fio.write_iops -59.9% regression", also of failures:
 * "xfstests: xfstests.generic.475.fail" */
static void read_change(struct report_impact *p, const char *text)
{
	const char *colon = strchr(text, ':');
	g_auto(GStrv) words = NULL;
	guint n = 0;

	if (colon && colon[1] == ' ') {
		p->testcase = g_strndup(text, (gsize)(colon - text));
		text = colon + 1;
	}
	words = g_strsplit_set(text, " \t", 32);
	for (guint i = 0; words[i]; i++) {
		const char *w = words[i];
		char *end;
		double value = g_ascii_strtod(w, &end);

		if (!*w)
			continue;
		if (end != w && *end == '%' && isfinite(value))
			p->change_percent = value;
		else if (direction_of(w))
			p->direction = direction_of(w);
		else if (n++ == 0)
			p->metric = g_strdup(w);
	}
}

/* "disk=1SSD" as the parameters of a report are kept. */
static void read_parameter(struct report_impact *p, const char *text)
{
	const char *equals = strchr(text, '=');

	if (equals && equals > text &&
	    p->parameters->len < REPORT_MAX_PARAMETERS)
		g_ptr_array_add(p->parameters,
				g_strdup_printf("%.*s: %s",
						(int)(equals - text), text,
						equals + 1));
}

void report_read_impacts(struct report *r, const body *b, guint from)
{
	struct report_impact *p = NULL;
	gboolean parameters = FALSE;
	guint end = MIN(body_count(b), from + BOX_LINES);

	for (guint i = from; i < end; i++) {
		g_autofree char *left = NULL;
		g_autofree char *right = NULL;
		gsize len;
		const char *text = report_line(b, i, &len);

		if (!text || !split_cells(text, len, &left, &right))
			continue;
		if (strcmp(left, "testcase: change") == 0) {
			if (r->impacts->len >= REPORT_MAX_IMPACTS)
				return;
			p = impact_add(r);
			read_change(p, right);
		} else if (p && strcmp(left, "test machine") == 0) {
			report_set(&p->machine, g_strdup(right));
		} else if (p && (strcmp(left, "test parameters") == 0 ||
				 (!*left && parameters))) {
			read_parameter(p, right);
		}
		parameters = p && (!*left ||
				   g_str_has_prefix(left, "test parameters"));
	}
}
