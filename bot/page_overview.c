/* page_overview.c - a thread as lines: who answered whom */
#include <string.h>

#include "mail/date.h"
#include "mail/subject.h"

#include "bot/page_priv.h"

#define INDENT_MAX 24 /* deeper answers stay at this depth */

/* The subject, or "answer" where it only repeats that of the mail above. */
static char *line_subject(const struct thread *t, const struct thread_node *n)
{
	const struct thread_node *up =
		n->parent >= 0 ? t->nodes->pdata[n->parent] : NULL;
	g_autofree char *own = NULL, *above = NULL;

	if (n->ghost)
		return g_strdup("(a mail that is not in the archive)");
	if (!up || up->ghost || n->kind == KIND_PATCH || n->kind == KIND_COVER)
		return g_strdup(*n->subject ? n->subject : "(no subject)");
	own = subject_normalise(n->subject);
	above = subject_normalise(up->subject);
	if (!g_ascii_strcasecmp(own, above))
		return g_strdup("answer");
	return g_strdup(*n->subject ? n->subject : "(no subject)");
}

static json_t *line(const struct thread *t, const struct thread_node *n,
		    const char *page, const char *here)
{
	g_autofree char *subject = line_subject(t, n);
	g_autofree char *iso = date_to_rfc3339(n->date);
	g_autofree char *day =
		iso ? g_strndup(iso, 10) : g_strdup("          ");
	g_autofree char *indent =
		g_strnfill(2 * (gsize)CLAMP(n->depth, 0, INDENT_MAX), ' ');
	g_autofree char *anchor = page_anchor(n->mid);
	g_autofree char *href = g_strconcat(page, "#", anchor, NULL);
	json_t *o = json_object();

	tree_set(o, "day", json_string(day));
	tree_set(o, "indent", json_string(indent));
	tree_set(o, "subject", tree_text(subject));
	tree_set(o, "from",
		 n->ghost
			 ? json_null()
			 : tree_text(page_name(n->from_name, n->from_address)));
	tree_set(o, "href", n->ghost ? json_null() : tree_text(href));
	tree_set(o, "here", json_boolean(here && !strcmp(here, n->mid)));
	return o;
}

json_t *page_overview(const struct thread *t, const char *page,
		      const char *here, guint max)
{
	json_t *lines = json_array();
	int at = here ? thread_index(t, here) : -1;
	guint from = 0;

	/* of a huge thread that part which is around `here` */
	if (at > (int)max / 2 && t->nodes->len > max)
		from = MIN((guint)at - max / 2, t->nodes->len - max);
	for (guint n = from; n < t->nodes->len && n < from + max; n++)
		json_array_append_new(lines,
				      line(t, t->nodes->pdata[n], page, here));
	return lines;
}
