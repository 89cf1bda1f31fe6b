/* verb_why.c - what was done with a message, and by which rule */
#include "mail/date.h"
#include "mail/msgid.h"

#include "db/commands.h"
#include "db/items.h"
#include "db/problems.h"
#include "db/said.h"

#include "bot/answer.h"
#include "bot/plain_text.h"
#include "bot/verbs.h"

static void add_list(GString *out, const char *label, GPtrArray *strings)
{
	for (guint i = 0; i < strings->len; i++)
		g_string_append_printf(out, "%-10s%s\n", i ? "" : label,
				       (const char *)strings->pdata[i]);
}

static void add_thread(GString *out, const struct stored_message *m)
{
	if (m->parent)
		g_string_append_printf(
			out,
			"parent    <%s>\n          by its References and "
			"In-Reply-To\n",
			m->parent);
	else
		g_string_append(out, "parent    none: it begins its thread\n");
	if (m->thread_root && !g_str_equal(m->thread_root, m->mid))
		g_string_append_printf(out, "thread    <%s>\n", m->thread_root);
}

static void add_item(GString *out, const struct stored_message *m)
{
	g_autofree char *cut = item_cut_text(m->item_cut, ", ");

	if (m->item && m->is_report)
		g_string_append_printf(
			out,
			"item      %s\n          it is the report: a robot's "
			"address and headline\n",
			m->item);
	else if (m->item)
		g_string_append_printf(
			out,
			"item      %s\n          it is in the thread of the "
			"report, or in one that it watches\n",
			m->item);
	else
		g_string_append(out, "item      none: neither a report nor "
				     "in the thread of one\n");
	if (cut)
		g_string_append_printf(out,
				       "          of that item only the "
				       "earliest are kept: %s\n",
				       cut);
}

static void add_commands(GString *out, const struct stored_message *m)
{
	for (guint n = 0; n < m->commands->len; n++) {
		const struct command_record *c = m->commands->pdata[n];
		const char *outcome = command_outcome_name(c->outcome);

		g_string_append_printf(out,
				       "%-10s%s %s%s%s\n          %s: %s\n",
				       n ? "" : "commands", c->marker,
				       c->verb_written, *c->args ? " " : "",
				       c->args,
				       outcome ? outcome : "nothing done",
				       c->text);
	}
}

/* What it says of a patch, and what its words did to the item. */
static void add_said(GString *out, const struct said *s, const struct item *i,
		     const char *mid)
{
	const struct applied *a = s->applied;

	if (a)
		g_string_append_printf(out, "says      %s%s%s%s%s: %s\n",
				       applied_kind_name(a->kind),
				       a->tree ? ", tree " : "",
				       a->tree ? a->tree : "",
				       a->branch ? ", branch " : "",
				       a->branch ? a->branch : "", a->text);
	for (guint n = 0; i && n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		if (!g_strcmp0(e->mid, mid))
			g_string_append_printf(out, "event     %s%s%s\n",
					       e->type, e->text ? ": " : "",
					       e->text ? e->text : "");
	}
}

static char *explain(const struct stored_message *m, const struct said *s,
		     const struct item *i)
{
	g_autofree char *date = date_to_rfc3339(m->date);
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "message   <%s>\n", m->mid);
	if (m->ghost) {
		g_string_append(out, "kind      ghost: others refer to it; it "
				     "has not been seen\n");
		add_thread(out, m);
		return g_string_free(out, FALSE);
	}
	g_string_append_printf(out, "kind      %s\n", m->kind);
	g_string_append_printf(out, "subject   %s\n", m->subject);
	g_string_append_printf(out, "date      %s\n", date ? date : "unknown");
	add_list(out, "lists", m->lists);
	add_list(out, "kept in", m->places);
	if (m->copies > 1)
		g_string_append_printf(
			out,
			"copies    %u with this id and other content; all "
			"kept\n",
			m->copies);
	add_thread(out, m);
	add_item(out, m);
	add_commands(out, m);
	add_said(out, s, i, m->mid);
	add_list(out, "tables", m->measures);
	add_list(out, "verdicts", m->verdicts);
	add_list(out, "warnings", m->warnings);
	return g_string_free(out, FALSE);
}

/* What decided whether it was to be answered; nothing where nobody answers. */
static gboolean add_answer(GString *out, struct session *s, store *st,
			   const struct stored_message *m, GError **err)
{
	g_autofree char *why = NULL;

	if (m->ghost || !config_get(s->config, "bot", NULL, "address"))
		return TRUE;
	why = answer_why(st, s->config, m->mid, err);
	if (why)
		g_string_append_printf(out, "answer    %s\n", why);
	return why || !*err;
}

static int print_message(struct session *s, store *st,
			 const struct stored_message *m)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *text = NULL;
	GString *out;
	gboolean many;
	g_autoptr(said_auto) said = said_load(st, m->mid, &err);
	g_autoptr(item_auto) i =
		said && m->item ? item_find(st, m->item, &many, &err) : NULL;

	if (err)
		return cli_fail(s->db_path, err);
	text = explain(m, said, i);
	out = g_string_new(text);
	if (!add_answer(out, s, st, m, &err)) {
		g_string_free(out, TRUE);
		return cli_fail(s->db_path, err);
	}
	g_free(text);
	text = g_string_free(out, FALSE);
	return cli_write(plain_text(text), -1) ? EXIT_DONE : EXIT_UNREAD;
}

static int run(struct session *s)
{
	g_autofree char *mid = msgid_from_text(s->argv[0]);
	struct stored_message *m;
	g_autoptr(GError) err = NULL;
	g_autoptr(store) st = NULL;
	int rc;

	st = cli_store(s, STORE_READ, &rc);
	if (!st)
		return rc;
	m = stored_message_load(st, mid ? mid : s->argv[0], &err);
	if (!m && err)
		return cli_fail(NULL, err);
	if (!m) {
		cli_error("%s: no such message is known", s->argv[0]);
		return EXIT_NONE;
	}
	rc = print_message(s, st, m);
	stored_message_free(m);
	return rc;
}

const struct verb verb_why = {
	.name = "why",
	.synopsis = "MSGID",
	.help = "tell what was done with a message, and by which rule",
	.details = "Tells what is known of one message: where it was seen and "
		   "is kept, what kind of mail it is, why it stands where it "
		   "does in its thread, whether it belongs to a tracked item "
		   "and why, what it says became of a patch and whether that "
		   "counts, and what is odd about it. MSGID is a Message-ID, "
		   "with or without brackets, or a link to an archive.",
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
