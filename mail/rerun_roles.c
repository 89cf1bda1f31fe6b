/* rerun_roles.c - which column of a table is which
 * By commits, subjects and values; never by position alone. */
#include <math.h>
#include <string.h>

#include "mail/rerun_priv.h"
#include "mail/subject.h"

#define COMMIT_PREFIX_MIN 7
#define NEAR		  0.1 /* of the change that was reported */
#define TITLES_MAX	  200 /* of one thread are compared */

gboolean rerun_is_commit(const struct table_column *c, const char *commit)
{
	gsize n;

	if (!commit)
		return FALSE;
	if (c->label && !strcmp(c->label, commit))
		return TRUE;
	if (!c->commit)
		return FALSE;
	n = MIN(strlen(c->commit), strlen(commit));
	return n >= COMMIT_PREFIX_MIN &&
	       !g_ascii_strncasecmp(c->commit, commit, n);
}

const char *rerun_column_name(const struct table_column *c)
{
	return c->label ? c->label : c->commit ? c->commit : "?";
}

gboolean rerun_is_tag(const char *label)
{
	return label && ((label[0] == 'v' && g_ascii_isdigit(label[1])) ||
			 g_str_has_prefix(label, "next-"));
}

static char *title_key(const char *title)
{
	g_autoptr(subject_auto) s = subject_parse(title, NULL);

	return subject_key(s->base);
}

static gboolean same_title(const char *a, const char *b)
{
	g_autofree char *x = NULL, *y = NULL;

	if (!a || !b)
		return FALSE;
	x = title_key(a);
	y = title_key(b);
	return *x && !strcmp(x, y);
}

static gboolean is_posted(const char *subject, GPtrArray *titles)
{
	guint n = titles && subject ? MIN(titles->len, TITLES_MAX) : 0;

	for (guint i = 0; i < n; i++)
		if (same_title(subject, titles->pdata[i]))
			return TRUE;
	return FALSE;
}

/* The base as the report has it; NULL where it tells none. */
static const struct table_column *reported_base(const struct report *r,
						const struct table *of_report)
{
	if (!of_report)
		return NULL;
	for (guint i = 0; i < of_report->columns->len; i++)
		if (!rerun_is_commit(table_column(of_report, i), r->commit))
			return table_column(of_report, i);
	return NULL;
}

static gboolean is_base(const struct table_column *c, const struct report *r,
			const struct table_column *base)
{
	if (rerun_is_commit(c, r->base))
		return TRUE;
	if (!base)
		return FALSE;
	return rerun_is_commit(c, base->commit) ||
	       rerun_is_commit(c, base->label);
}

static gboolean is_patched(const struct table_column *c)
{
	return c->equation ||
	       (c->label && (strstr(c->label, "patch") ||
			     strstr(c->label, "fix") || strchr(c->label, '+')));
}

/* "<= parent commit of 5d0e7b93a2": no title, but what a person wrote. */
static gboolean is_told_parent(const char *subject)
{
	return subject && (strstr(subject, "parent commit of") ||
			   g_str_has_prefix(subject, "parent of") ||
			   g_str_has_prefix(subject, "<= parent"));
}

/* The culprit under another id is its next version: a candidate. */
static enum table_role role_of(const struct table_column *c,
			       const struct report *r,
			       const struct table_column *base)
{
	if (c->equation)
		return TABLE_ROLE_CANDIDATE;
	if (rerun_is_commit(c, r->commit))
		return TABLE_ROLE_CULPRIT;
	if (is_base(c, r, base))
		return TABLE_ROLE_BASE;
	if (base && same_title(c->subject, base->subject))
		return TABLE_ROLE_BASE;
	if (is_told_parent(c->subject))
		return TABLE_ROLE_BASE;
	if (c->commit || rerun_is_tag(c->label) || is_patched(c))
		return TABLE_ROLE_CANDIDATE;
	return c->label ? TABLE_ROLE_OTHER : TABLE_ROLE_UNKNOWN;
}

static int column_of_role(const struct table *t, enum table_role role)
{
	for (guint i = 0; i < t->columns->len; i++)
		if (table_column(t, i)->role == role)
			return (int)i;
	return -1;
}

/* A base that is not the report's: where the report tells none, what stands
 * before the culprit; else the reference of a table which also shows what
 * comes after it. Never a patch of the thread. */
static void find_other_base(struct table *t, const struct table_column *known,
			    const struct report *r, GPtrArray *titles)
{
	int culprit = column_of_role(t, TABLE_ROLE_CULPRIT);
	struct table_column *c;

	if (culprit < 1 || column_of_role(t, TABLE_ROLE_BASE) >= 0)
		return;
	c = table_column(t, known || r->base ? 0 : culprit - 1);
	if (c->role != TABLE_ROLE_CANDIDATE || is_patched(c) ||
	    is_posted(c->subject, titles))
		return;
	if ((known || r->base) && (guint)culprit == t->columns->len - 1)
		return;
	c->role = TABLE_ROLE_BASE;
}

/* The role of the report's column with this value: to the letter, or up to
 * `near` of the change that was reported. */
static enum table_role role_by_value(const struct table_cell *c,
				     const struct table *of_report, guint row,
				     const struct report *r, double near)
{
	enum table_role role = TABLE_ROLE_UNKNOWN;
	double least = INFINITY, width;

	if (of_report->columns->len < 2)
		return role;
	width = fabs(table_cell(of_report, row, 0)->mean -
		     table_cell(of_report, row, 1)->mean);
	for (guint k = 0; k < of_report->columns->len; k++) {
		const struct table_cell *other = table_cell(of_report, row, k);
		double far = g_strcmp0(c->printed, other->printed)
				     ? fabs(c->mean - other->mean)
				     : 0;

		if (far >= least || !(far <= near * width))
			continue;
		least = far;
		role = rerun_is_commit(table_column(of_report, k), r->commit)
			       ? TABLE_ROLE_CULPRIT
			       : TABLE_ROLE_BASE;
	}
	return role;
}

/* Columns without any name: by their values, and what is left beside those. */
static void roles_by_value(struct table *t, const struct report *r,
			   const struct table *of_report)
{
	int row = r->metric ? rerun_find_row(t, r->metric) : -1;
	int of = r->metric && of_report ? rerun_find_row(of_report, r->metric)
					: -1;
	/* of more than two, one is a candidate, which may be near to either */
	double near = t->columns->len == 2 ? NEAR : 0;
	gboolean found = FALSE;

	if (row < 0 || of < 0)
		return;
	for (guint i = 0; i < t->columns->len; i++) {
		struct table_column *c = table_column(t, i);

		c->role = role_by_value(table_cell(t, (guint)row, i), of_report,
					(guint)of, r, near);
		found |= c->role != TABLE_ROLE_UNKNOWN;
	}
	for (guint i = 0; found && i < t->columns->len; i++)
		if (!table_column(t, i)->role)
			table_column(t, i)->role = TABLE_ROLE_CANDIDATE;
}

/* Two columns of the culprit or of the base: something else is compared. */
static void drop_doubled(struct table *t, enum table_role role)
{
	guint n = 0;

	for (guint i = 0; i < t->columns->len; i++)
		n += table_column(t, i)->role == role;
	for (guint i = 0; n > 1 && i < t->columns->len; i++)
		if (table_column(t, i)->role == role)
			table_column(t, i)->role = TABLE_ROLE_OTHER;
}

void rerun_roles(struct table *t, const struct report *r,
		 const struct table *of_report, GPtrArray *titles)
{
	const struct table_column *base = reported_base(r, of_report);
	gboolean named = FALSE;

	for (guint i = 0; i < t->columns->len; i++) {
		struct table_column *c = table_column(t, i);

		c->role = role_of(c, r, base);
		named |= c->role != TABLE_ROLE_UNKNOWN;
	}
	if (!named && t != of_report)
		roles_by_value(t, r, of_report);
	find_other_base(t, base, r, titles);
	drop_doubled(t, TABLE_ROLE_CULPRIT);
	drop_doubled(t, TABLE_ROLE_BASE);
}
