/* weekly_entry.c - one regression in the weekly report
 * What it is, since when, whom it waits for, what is there against it. Says
 * nothing that the item does not. */
#include "bot/weekly_entry.h"

#include <math.h>
#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"
#include "mail/version_range.h"

#include "bot/rerun_text.h"
#include "bot/wrap_text.h"

#define DAY	    86400
#define FIXES_SHOWN 3 /* the newest */
#define LINKS_SHOWN 5
#define WORD_BYTES  45 /* of a name, in one encoded word */

static void para(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void para(GString *out, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	text_wrap(out, text, "  ");
}

static char *days_ago(gint64 time, gint64 now)
{
	gint64 days = MAX(now - time, 0) / DAY;

	if (!time)
		return g_strdup("at an unknown date");
	if (!days)
		return g_strdup("today");
	return g_strdup_printf("%" G_GINT64_FORMAT " day%s ago", days,
			       days == 1 ? "" : "s");
}

static void add_mail_url(GString *out, const char *mid, const char *indent)
{
	g_autofree char *path = msgid_to_url(mid);

	g_string_append_printf(out, "%shttps://lore.kernel.org/all/%s/\n",
			       indent, path);
}

static void add_urls(GString *out, const struct item *i,
		     const struct weekly_report *r)
{
	if (r->url)
		g_string_append_printf(out, "%s%sr/%s/\n", r->url,
				       g_str_has_suffix(r->url, "/") ? "" : "/",
				       i->id);
	if (i->report_url)
		g_string_append_printf(out, "%s\n", i->report_url);
	else
		add_mail_url(out, i->mid, "");
}

static void add_when(GString *out, const struct item *i, gint64 now)
{
	g_autofree char *reported = days_ago(i->reported, now);
	g_autofree char *latest = days_ago(i->last_activity, now);
	g_autofree char *poked = i->poked ? days_ago(i->poked, now) : NULL;
	const char *by = i->reporter_name && *i->reporter_name
				 ? i->reporter_name
				 : i->reporter_address;

	para(out, "By %s, %s; %u mail%s, the latest %s%s%s.",
	     by ? by : "somebody unknown", reported, i->messages,
	     i->messages == 1 ? "" : "s", latest, poked ? "; poked " : "",
	     poked ? poked : "");
}

static void add_culprit(GString *out, const struct item *i)
{
	if (i->commit && i->commit_subject)
		para(out, "Introduced in %.12s (\"%s\")%s%s%s%s.", i->commit,
		     i->commit_subject, i->describe ? ", " : "",
		     i->describe ? i->describe : "", i->author ? ", by " : "",
		     i->author ? i->author : "");
	else if (i->commit)
		para(out, "Introduced in %.12s.", i->commit);
	else if (i->range)
		para(out, "Introduced in %s; the commit is not known.",
		     i->range);
	else
		para(out, "What introduced it is not known.");
}

static void add_place(GString *out, const struct item *i)
{
	if (i->subsystems->len)
		para(out, "Subsystem: %s%s.", (char *)i->subsystems->pdata[0],
		     i->subsystems->len > 1 ? " and others" : "");
	if (i->testcase && i->metric)
		para(out, "Measured with %s%s%s.", i->testcase,
		     i->tbox ? " on " : "", i->tbox ? i->tbox : "");
}

static void add_waiting(GString *out, const struct item *i, gint64 now)
{
	const struct item_waiting *w = &i->waiting;
	gint64 days = w->since ? MAX(now - w->since, 0) / DAY : 0;
	g_autofree char *since =
		g_strdup_printf(", for %" G_GINT64_FORMAT " day%s", days,
				days == 1 ? "" : "s");

	if (!w->role)
		return;
	para(out, "Waiting for: %s%s%s%s%s%s%s%s.", w->role,
	     w->person && *w->person ? " (" : "", w->person ? w->person : "",
	     w->person && *w->person ? ")" : "", days ? since : "",
	     w->reason ? ": " : "", w->reason ? w->reason : "",
	     i->stalled ? "; nobody has acted for too long" : "");
}

/* "It is in linux (v6.8-rc1), and not in stable-6.7." */
static void add_trees(GString *out, const struct item_fix *fix)
{
	g_autoptr(GString) in = g_string_new(NULL);
	g_autoptr(GString) missing = g_string_new(NULL);

	for (guint n = 0; fix->trees && n < fix->trees->len; n++) {
		const struct item_fix_tree *t = fix->trees->pdata[n];
		GString *where = t->present > 0 ? in : missing;

		if (t->present < 0)
			continue;
		g_string_append_printf(where, "%s%s", where->len ? ", " : "",
				       t->name);
		if (t->present > 0)
			g_string_append_printf(where, " (%s)",
					       t->tag ? t->tag : "no tag yet");
	}
	if (in->len)
		para(out, "It is in %s%s%s.", in->str,
		     missing->len ? ", and not in " : "", missing->str);
}

static const char *role_text(const struct item_fix *fix)
{
	return !strcmp(fix->role, "prerequisite") ? "Needed by the fix"
	       : !strcmp(fix->role, "partial")	  ? "Fix of a part"
						  : "Fix";
}

static void add_fixes(GString *out, const struct item *i)
{
	guint first =
		i->fixes->len > FIXES_SHOWN ? i->fixes->len - FIXES_SHOWN : 0;

	if (first)
		para(out, "%u earlier patch%s that count%s as fixes.", first,
		     first == 1 ? "" : "es", first == 1 ? "s" : "");
	for (guint n = first; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (fix->subject && fix->id)
			para(out, "%s, %s: %.12s (\"%s\")", role_text(fix),
			     fix_status_text(fix), fix->id, fix->subject);
		else
			para(out, "%s, %s: %s", role_text(fix),
			     fix_status_text(fix),
			     fix->subject ? fix->subject
			     : fix->id	  ? fix->id
					  : "not known by name");
		if (fix->mid)
			add_mail_url(out, fix->mid, "  ");
		add_trees(out, fix);
	}
}

static void add_reruns(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];
		g_autofree char *text = NULL;

		if (!r->headline || r->other_setup)
			continue;
		text = rerun_sentence(r);
		para(out, "Rerun: %s.", text);
	}
}

static void add_links(GString *out, const struct item *i)
{
	guint first =
		i->links->len > LINKS_SHOWN ? i->links->len - LINKS_SHOWN : 0;

	for (guint n = first; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];

		para(out, "See also: %s", l->title ? l->title : "");
		g_string_append_printf(out, "  %s\n", l->url);
	}
}

static void add_rest(GString *out, const struct item *i)
{
	if (i->duplicates->len) {
		g_autofree char *text = NULL;

		g_ptr_array_add(i->duplicates, NULL);
		text = g_strjoinv(", ", (char **)i->duplicates->pdata);
		g_ptr_array_remove_index(i->duplicates, i->duplicates->len - 1);
		para(out, "Reported again as %s.", text);
	}
	if (i->prio)
		para(out, "Priority: %s.", i->prio);
	if (i->assignee)
		para(out, "Assigned to %s.", i->assignee);
	if (i->disputed.since)
		para(out, "Disputed by %s%s%s.", i->disputed.by,
		     i->disputed.reason ? ": " : "",
		     i->disputed.reason ? i->disputed.reason : "");
	if (i->backburner)
		para(out, "On the back burner%s%s.",
		     i->backburner_reason ? ": " : "",
		     i->backburner_reason ? i->backburner_reason : "");
}

void weekly_entry(GString *out, const struct item *i,
		  const struct weekly_report *r, gboolean ended)
{
	g_autofree char *title =
		g_strconcat(!ended && i->reported > r->since ? "[ *NEW* ] "
							     : "",
			    i->title, NULL);

	text_heading(out, title, '-');
	add_urls(out, i, r);
	g_string_append_c(out, '\n');
	add_when(out, i, r->now);
	add_culprit(out, i);
	if (ended) {
		para(out, "It ended as %s%s%s.", i->state,
		     i->duplicate_of ? " of " : "",
		     i->duplicate_of ? i->duplicate_of : "");
		add_fixes(out, i);
		return;
	}
	add_place(out, i);
	para(out, "State: %s.", i->state);
	add_waiting(out, i, r->now);
	add_fixes(out, i);
	add_reruns(out, i);
	add_links(out, i);
	add_rest(out, i);
}

gboolean weekly_is_of(const struct item *i, const char *kind)
{
	g_autoptr(version_range_auto) r =
		i->range ? version_range_parse(i->range) : NULL;
	const char *tree = r ? version_range_tree(r) : NULL;
	g_autofree char *long_name = NULL;

	if (tree)
		return !strcmp(tree, kind);
	long_name = g_strconcat("linux-", kind, NULL);
	return i->tree &&
	       (!strcmp(i->tree, kind) || strstr(i->tree, long_name));
}

/* Encoded words of whole characters, each short enough. */
static char *encoded_words(const char *name)
{
	GString *out = g_string_new(NULL);

	while (*name) {
		const char *end = name;
		g_autofree char *base64 = NULL;

		while (*end && g_utf8_next_char(end) - name <= WORD_BYTES)
			end = g_utf8_next_char(end);
		base64 = g_base64_encode((const guchar *)name,
					 (gsize)(end - name));
		g_string_append_printf(out, "%s=?UTF-8?B?%s?=",
				       out->len ? "\n " : "", base64);
		name = end;
	}
	return g_string_free(out, FALSE);
}

char *weekly_phrase(const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	g_autofree char *escaped = NULL;

	g_strdelimit(valid, "\r\n\t", ' ');
	if (!g_str_is_ascii(valid))
		return encoded_words(valid);
	if (!strpbrk(valid, "()<>[]:;@\\,.\""))
		return g_steal_pointer(&valid);
	escaped = g_strescape(valid, NULL);
	return g_strdup_printf("\"%s\"", escaped);
}
