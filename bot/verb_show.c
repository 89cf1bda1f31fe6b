/* verb_show.c - one tracked item in full */
#include <jansson.h>
#include <string.h>

#include "mail/date.h"
#include "mail/msgid.h"

#include "db/items.h"
#include "db/measures.h"

#include "bot/item_arg.h"
#include "bot/plain_text.h"
#include "bot/rerun_text.h"
#include "bot/verbs.h"
#include "bot/view.h"
#include "bot/wrap_text.h"

static gboolean as_json;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "as one JSON object", NULL},
	{NULL},
};

#define VALUE_AT 13 /* column of what stands behind a label */
#define EVENT_AT 34

static void add(GString *out, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	g_string_append_printf(out, "%-12s ", label);
	text_hang(out, value, VALUE_AT);
}

static void add_mail(GString *out, const char *mid)
{
	g_autofree char *path = msgid_to_url(mid);

	g_string_append_printf(out, "%-12s https://lore.kernel.org/all/%s/\n",
			       "", path);
}

static char *person_text(const char *name, const char *address)
{
	if (!address || !*address)
		return g_strdup(name && *name ? name : NULL);
	return name && *name ? g_strdup_printf("%s <%s>", name, address)
			     : g_strdup_printf("<%s>", address);
}

static void add_report(GString *out, const struct item *i)
{
	g_autofree char *date = date_to_rfc3339(i->reported);
	g_autofree char *by =
		person_text(i->reporter_name, i->reporter_address);
	g_autofree char *text =
		g_strdup_printf("%s%s%s", date ? date : "unknown date",
				by ? " by " : "", by ? by : "");

	add(out, "reported", text);
	if (i->report_url)
		add(out, "", i->report_url);
	else
		add_mail(out, i->mid);
	add(out, "culprit", i->commit);
	if (i->commit_unknown)
		add(out, "", "no tree knows it");
	add(out, "", i->commit_subject);
	add(out, "", i->author);
	add(out, "", i->commit_url);
	add(out, i->commit ? "" : "in", i->describe);
	add(out, "introduced", i->range);
	add(out, "cycle", i->cycle);
	add(out, "base", i->base);
	add(out, "tree", i->tree);
	add(out, "branch", i->branch);
	add(out, "test", i->testcase);
	for (guint n = 0; n < i->parameters->len; n++)
		add(out, "", i->parameters->pdata[n]);
	add(out, "machine", i->tbox);
	add(out, i->tbox ? "" : "machine", i->machine);
}

static void add_trees(GString *out, const struct item_fix *fix)
{
	for (guint n = 0; fix->trees && n < fix->trees->len; n++) {
		const struct item_fix_tree *t = fix->trees->pdata[n];
		g_autofree char *text = fix_tree_text(t);

		add(out, "", text);
		add(out, "", t->url);
	}
}

static void add_waiting(GString *out, const struct item *i)
{
	const struct item_waiting *w = &i->waiting;
	g_autofree char *date = w->role ? date_to_rfc3339(w->since) : NULL;
	g_autofree char *text =
		w->role ? g_strdup_printf("%s%s%s: %s%s%s", w->role,
					  w->person ? ", " : "",
					  w->person ? w->person : "", w->reason,
					  date ? ", since " : "",
					  date ? date : "")
			: NULL;

	add(out, "waits for", text);
	if (text && w->mid && !i->report_url)
		add_mail(out, w->mid);
	if (i->stalled)
		add(out, "", "stalled: longer than it should take");
	if (i->backburner)
		add(out, "can wait",
		    i->backburner_reason ? i->backburner_reason
					 : "on the back burner");
}

static void add_properties(GString *out, const struct item *i)
{
	const struct item_dispute *d = &i->disputed;
	g_autofree char *date = d->since ? date_to_rfc3339(d->since) : NULL;
	g_autofree char *text =
		d->since ? g_strdup_printf("%s%s%s%s%s",
					   d->by ? d->by : "somebody",
					   d->reason ? ": " : "",
					   d->reason ? d->reason : "",
					   date ? ", since " : "",
					   date ? date : "")
			 : NULL;

	add(out, "disputed by", text);
	if (text && d->mid)
		add_mail(out, d->mid);
	add(out, "prio", i->prio);
	add(out, "assigned to", i->assignee);
	for (guint n = 0; n < i->settings->len; n++)
		add(out, n ? "" : "set", i->settings->pdata[n]);
	for (guint n = 0; n < i->people->len; n++) {
		const struct item_person *p = i->people->pdata[n];
		g_autofree char *who = person_text(p->name, p->address);

		if (strcmp(p->role, "cc") && strcmp(p->role, "muted"))
			continue;
		add(out, strcmp(p->role, "cc") ? "muted by" : "told, too", who);
	}
}

static void add_others(GString *out, const struct item *i)
{
	add(out, "same as", i->duplicate_of);
	for (guint n = 0; n < i->duplicates->len; n++)
		add(out, n ? "" : "duplicates", i->duplicates->pdata[n]);
	for (guint n = 0; n < i->links->len; n++) {
		const struct item_link *l = i->links->pdata[n];

		add(out, n ? "" : "links", l->url);
		add(out, "", l->title);
	}
}

static void add_fixes(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->fixes->len; n++) {
		const struct item_fix *fix = i->fixes->pdata[n];
		g_autofree char *date = date_to_rfc3339(fix->date);
		g_autofree char *by =
			person_text(fix->author_name, fix->author_address);
		g_autofree char *who =
			g_strdup_printf("%s%s%s (%s)",
					date ? date : "unknown date",
					by ? " by " : "", by ? by : "",
					fix_status_text(fix));

		add(out, fix->role, fix->subject ? fix->subject : fix->id);
		if (fix->subject)
			add(out, "", fix->id);
		add(out, "", who);
		add_trees(out, fix);
		if (fix->mid)
			add_mail(out, fix->mid);
	}
}

static void add_reruns(GString *out, const struct item *i)
{
	gboolean first = TRUE;

	for (guint n = 0; n < i->reruns->len; n++) {
		const struct rerun *r = i->reruns->pdata[n];
		g_autofree char *text = r->headline ? rerun_sentence(r) : NULL;

		if (!text)
			continue;
		add(out, first ? "reruns" : "", text);
		add_mail(out, r->message_id);
		first = FALSE;
	}
}

static void add_history(GString *out, const struct item *i)
{
	g_autoptr(GPtrArray) lines = history_sentences(i);

	for (guint n = 0; n < lines->len; n++)
		add(out, n ? "" : "history", lines->pdata[n]);
}

static void add_event_text(GString *out, const char *text)
{
	g_string_append_printf(out, "%*s", EVENT_AT, "");
	text_hang(out, text, EVENT_AT);
}

static void add_events(GString *out, const struct item *i)
{
	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];
		g_autofree char *date = date_to_rfc3339(e->time);
		g_autofree char *text =
			g_strdup_printf("%s %-15s %s",
					date ? date : "unknown date", e->type,
					e->by);

		g_string_append_printf(out, "%-12s %s\n", n ? "" : "events",
				       text);
		if (e->text && strcmp(e->type, "reported") &&
		    strcmp(e->type, "bisected"))
			add_event_text(out, e->text);
	}
}

static char *describe(const struct item *i)
{
	GString *out = g_string_new(NULL);
	const char *kind = report_direction_name(i->direction);
	g_autofree char *date = date_to_rfc3339(i->last_activity);
	g_autofree char *thread =
		g_strdup_printf("%u mail%s, last %s", i->messages,
				i->messages == 1 ? "" : "s",
				date ? date : "at an unknown date");

	g_autofree char *more = item_cut_text(i->cut, ", ");
	g_autofree char *cut = more ? g_strconcat("there are more ", more,
						  " than are kept", NULL)
				    : NULL;

	g_string_append_printf(out, "%s\n", i->title);
	add(out, "id", i->id);
	g_string_append_printf(out, "%-12s %s%s%s%s\n", "state", i->state,
			       kind ? ", " : "", kind ? kind : "",
			       i->open ? ", open" : "");
	add(out, "",
	    i->only_said ? "as somebody says; no tree shows it" : NULL);
	add_report(out, i);
	add_waiting(out, i);
	add_properties(out, i);
	add_others(out, i);
	add_fixes(out, i);
	add_reruns(out, i);
	add_history(out, i);
	add(out, "thread", thread);
	add_events(out, i);
	add(out, "cut", cut);
	return g_string_free(out, FALSE);
}

static int print_item(struct session *s, store *st, const struct item *i)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(measures_auto) m = measures_load(st, i->mid, &err);
	g_autofree char *text = NULL;

	if (!m)
		return cli_fail(s->db_path, err);
	text = as_json ? view_line_take(view_item(i, m->tables,
						  config_get(s->config, "bot",
							     NULL, "url")))
		       : plain_text(describe(i));
	return cli_write(text, -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int run(struct session *s)
{
	g_autoptr(item_auto) i = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	i = item_arg(s, st, s->argv[0], &rc);
	return i ? print_item(s, st, i) : rc;
}

const struct verb verb_show = {
	.name = "show",
	.synopsis = "[--json] WHAT",
	.help = "show one tracked item in full",
	.details = "Shows all that is known of a tracked item: what was "
		   "reported, the commit that caused it, the patches that are "
		   "meant to repair it, who tested them, what reruns show, "
		   "other reports of the same test, and the mails that "
		   "say so. WHAT is the item's id, the Message-ID or archive "
		   "link of its report, of a fix, or of another mail in the "
		   "report's thread, the address of its page, the id of "
		   "its commit (7 digits or more), or its whole title.",
	.options = options,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
