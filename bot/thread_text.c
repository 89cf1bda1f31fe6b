/* thread_text.c - a thread for a person to read
 * Whole subjects and names, unlike the overview that lore prints. */
#include "bot/thread_text.h"

#include <string.h>

#include "mail/date.h"

#define INDENT_MAX 20 /* levels drawn; deeper ones stand below each other */

static void add_summary(GString *out, const struct thread *t)
{
	g_autoptr(GHashTable) people =
		g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *from = NULL, *to = NULL;
	gint64 first = 0, last = 0;
	guint unseen = 0;

	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];

		unseen += n->ghost;
		if (n->ghost)
			continue;
		g_hash_table_add(people, n->from_address);
		if (n->date && (!first || n->date < first))
			first = n->date;
		last = MAX(last, n->date);
	}
	from = date_to_overview(first);
	to = date_to_overview(last);
	g_string_append_printf(out, "%u message%s by %u %s", t->count,
			       t->count == 1 ? "" : "s",
			       g_hash_table_size(people),
			       g_hash_table_size(people) == 1 ? "person"
							      : "people");
	if (unseen)
		g_string_append_printf(out, ", %u not seen", unseen);
	if (first && first != last)
		g_string_append_printf(out, ", %s to %s UTC", from, to);
	else if (first)
		g_string_append_printf(out, ", %s UTC", from);
	g_string_append_printf(out, "\n<%s>\n\n", t->root);
}

static void add_node(GString *out, const struct thread_node *n,
		     gboolean current)
{
	g_autofree char *date = date_to_overview(n->date);

	g_string_append_printf(out, "%c%-16s ", current ? '*' : ' ',
			       n->ghost ? ""
			       : date	? date
					: "unknown date");
	for (int i = 1; i < MIN(n->depth, INDENT_MAX); i++)
		g_string_append(out, "  ");
	if (n->depth > 0)
		g_string_append(out, "` ");
	if (n->ghost) {
		g_string_append_printf(out, "(not seen) <%s>\n", n->mid);
		return;
	}
	g_string_append_printf(out, "%s - %s%s\n",
			       *n->subject ? n->subject : "(no subject)",
			       *n->from_name ? n->from_name : n->from_address,
			       n->copies > 1 ? " (several messages share "
					       "this id)"
					     : "");
}

static const char *mid_at(const struct series_set *set, int mail)
{
	return g_array_index(set->mails, struct series_mail, mail).mid;
}

gboolean thread_has_series(const struct series_set *set, const struct series *s,
			   GHashTable *mids)
{
	if (s->cover >= 0 && !s->cover_inherited &&
	    g_hash_table_contains(mids, mid_at(set, s->cover)))
		return TRUE;
	for (guint i = 0; i < s->patches->len; i++) {
		const struct series_patch *p =
			&g_array_index(s->patches, struct series_patch, i);

		if (!p->inherited &&
		    g_hash_table_contains(mids, mid_at(set, p->mail)))
			return TRUE;
	}
	return FALSE;
}

static void add_link(GString *out, const struct series_set *set, int other,
		     const char *label)
{
	const struct series *o = other < 0 ? NULL : set->series->pdata[other];

	if (o)
		g_string_append_printf(out, "\n    %s v%d <%s>", label,
				       o->version, mid_at(set, o->first));
}

static void add_series(GString *out, const struct series_set *set,
		       const struct series *s)
{
	guint inherited = 0;

	for (guint i = 0; i < s->patches->len; i++)
		inherited += g_array_index(s->patches, struct series_patch, i)
				     .inherited;
	g_string_append_printf(out, "series v%d%s: %u of %d patch%s%s",
			       s->version,
			       s->version_inferred ? " (inferred)" : "",
			       s->patches->len, s->total,
			       s->total == 1 ? "" : "es",
			       s->complete ? "" : ", incomplete");
	if (inherited)
		g_string_append_printf(out, ", %u from the version before",
				       inherited);
	if (s->backport_of)
		g_string_append_printf(out, ", backport of %s", s->backport_of);
	add_link(out, set, s->supersedes, "follows");
	add_link(out, set, s->superseded_by, "followed by");
	add_link(out, set, s->resend_of, "sent again:");
	g_string_append_c(out, '\n');
}

char *thread_text(const struct thread *t, const struct series_set *set,
		  const char *mid)
{
	g_autoptr(GHashTable) mids = g_hash_table_new(g_str_hash, g_str_equal);
	GString *out = g_string_new(NULL);
	gboolean any = FALSE;

	add_summary(out, t);
	for (guint i = 0; i < t->nodes->len; i++) {
		const struct thread_node *n = t->nodes->pdata[i];

		g_hash_table_add(mids, n->mid);
		add_node(out, n, !strcmp(n->mid, mid));
	}
	for (guint i = 0; set && i < set->series->len; i++) {
		const struct series *s = set->series->pdata[i];

		if (!thread_has_series(set, s, mids))
			continue;
		if (!any)
			g_string_append_c(out, '\n');
		any = TRUE;
		add_series(out, set, s);
	}
	return g_string_free(out, FALSE);
}
