/* answer_mail.c - the texts of all commands as one mail, or why there is none
 * Each text stands under its own command, to the author alone. */
#include <string.h>

#include "mail/recipients.h"
#include "mail/subject.h"

#include "bot/answer_priv.h"

#define FEW_SLIPS 1 /* near misses told to one sender in a week */

static const struct answer_command *at(const struct asked *a, guint n)
{
	return a->answer->commands->pdata[n];
}

static gboolean is_mistake(const struct answer_command *c)
{
	return c->outcome == OUTCOME_REFUSED ||
	       c->outcome == OUTCOME_NOT_UNDERSTOOD;
}

static gboolean has(const struct asked *a, enum command_outcome outcome)
{
	for (guint n = 0; n < a->answer->commands->len; n++)
		if (at(a, n)->outcome == outcome)
			return TRUE;
	return FALSE;
}

static gboolean has_question(const struct asked *a)
{
	for (guint n = 0; n < a->live->len; n++) {
		const struct command *c = a->live->pdata[n];

		if (asked_is_question(c->verb) || asked_is_question(c->nearest))
			return TRUE;
	}
	return FALSE;
}

/* ---- whether */

static gboolean is_near_miss_alone(const struct asked *a)
{
	return a->live->len && command_is_near_miss(a->live->pdata[0]);
}

/* Success is seen on the page; who is new here, or asks for it, is told. */
static char *why_silent(const struct asked *a)
{
	if (a->forged && !has_question(a))
		return g_strdup("forged: the signature of its sender's domain "
				"is false");
	if (is_near_miss_alone(a) && a->past.slips >= FEW_SLIPS)
		return g_strdup("near miss: told within the last week");
	if (has(a, OUTCOME_HELD) || has(a, OUTCOME_REFUSED) ||
	    has(a, OUTCOME_NOT_UNDERSTOOD) || has_question(a))
		return NULL;
	if (has(a, OUTCOME_DONE) || has(a, OUTCOME_NO_CHANGE)) {
		if (!a->past.mails || a->past.receipts)
			return NULL;
		return g_strdup("done: the page shows it, and no receipts are "
				"wanted");
	}
	return g_strdup("waits: the mail that it answers has not been seen");
}

/* ---- the body */

static void add_pointer(const struct asked *a, GString *text)
{
	const char *url = config_get(a->config, "bot", NULL, "url");

	if (url)
		g_string_append_printf(text, "\n\nCommands: %s%shelp", url,
				       g_str_has_suffix(url, "/") ? "" : "/");
	else
		g_string_append(text, "\n\n\"#culprit help\" tells the "
				      "commands.");
}

/* The last mistake; -1: none. */
static int last_mistake(const struct asked *a)
{
	int last = -1;

	for (guint n = 0; n < a->answer->commands->len; n++)
		if (is_mistake(at(a, n)) && a->texts->pdata[n])
			last = (int)n;
	return last;
}

static gboolean is_many(const struct asked *a)
{
	return a->live->len > 10;
}

struct parts {
	GArray *anchors;  /* of struct quote_anchor; texts lent by: */
	GPtrArray *texts; /* of GString */
};

static GString *text_of(struct parts *p, const struct command *c)
{
	struct quote_anchor anchor = {c->line, c->last, ""};
	struct quote_anchor *last =
		p->anchors->len
			? &g_array_index(p->anchors, struct quote_anchor,
					 p->anchors->len - 1)
			: NULL;
	GString *text;

	/* two commands on one line */
	if (last && c->line <= last->last) {
		last->last = MAX(last->last, c->last);
		text = p->texts->pdata[p->texts->len - 1];
		g_string_append(text, "\n\n");
		return text;
	}
	g_array_append_val(p->anchors, anchor);
	text = g_string_new(NULL);
	g_ptr_array_add(p->texts, text);
	return text;
}

static void free_text(gpointer data)
{
	g_string_free(data, TRUE);
}

/* Of too many commands only the first is quoted. */
static void collect(const struct asked *a, struct parts *p)
{
	int mistake = is_many(a) ? 0 : last_mistake(a);
	guint n = is_many(a) ? 1 : a->live->len;

	p->anchors = g_array_new(FALSE, FALSE, sizeof(struct quote_anchor));
	p->texts = g_ptr_array_new_with_free_func(free_text);
	for (guint i = 0; i < n; i++) {
		GString *text;

		if (!a->texts->pdata[i])
			continue;
		text = text_of(p, a->live->pdata[i]);
		g_string_append(text, a->texts->pdata[i]);
		if (mistake == (int)i)
			add_pointer(a, text);
	}
	for (guint i = 0; i < p->texts->len; i++)
		g_array_index(p->anchors, struct quote_anchor, i).text =
			((GString *)p->texts->pdata[i])->str;
}

/* ---- to whom */

static void keep_people(const struct asked *a, GPtrArray *people)
{
	for (guint i = people->len; i-- > 0;) {
		const struct address *x = people->pdata[i];

		if (asked_is_list(a, x->address))
			g_ptr_array_remove_index(people, i);
	}
}

/* The author alone; where something has to be confirmed, whom From names: a
 * Reply-To is nobody's proof. */
static void set_recipients(const struct asked *a, struct outgoing *m)
{
	const struct address *from = message_from(a->reading->msg);

	keep_people(a, m->to);
	if (m->to->len && a->answer->kind != ANSWER_HELD)
		return;
	g_ptr_array_set_size(m->to, 0);
	if (*from->address && !asked_is_list(a, from->address) &&
	    !recipients_is_own(from->address, (const char *const *)a->own->all))
		g_ptr_array_add(m->to, address_copy(from));
}

static void add_headers(const struct asked *a, struct outgoing *m)
{
	g_ptr_array_add(m->extra, g_strdup("Auto-Submitted: auto-replied"));
	g_ptr_array_add(m->extra, g_strconcat("X-Culprit-Bot: ",
					      a->own->from->address, NULL));
	if (a->answer->item)
		g_ptr_array_add(m->extra, g_strconcat("X-Culprit-Regression: ",
						      a->answer->item, NULL));
}

static void set_subject(const struct asked *a, struct outgoing *m)
{
	g_autofree char *was = m->subject;

	if (a->answer->kind == ANSWER_HELD)
		m->subject = g_strconcat("Confirm: ", was, NULL);
	else
		m->subject = g_steal_pointer(&was);
}

static const char *why_told(const struct asked *a)
{
	if (a->answer->kind == ANSWER_HELD)
		return "unproven: its sender has to confirm it";
	if (is_many(a))
		return "too many commands: none is done";
	if (is_near_miss_alone(a))
		return "near miss: something that is nearly a command";
	if (has(a, OUTCOME_REFUSED) || has(a, OUTCOME_NOT_UNDERSTOOD))
		return "mistake: a command was not executed";
	if (has_question(a))
		return "question: its sender asks for it";
	return "receipt: what was done";
}

static gboolean compose(struct asked *a, GError **err)
{
	struct answer *to = a->answer;
	struct parts p;

	collect(a, &p);
	to->mail = reply_new(a->reading->msg,
			     (const struct quote_anchor *)p.anchors->data,
			     p.anchors->len, &a->own->reply, err);
	g_array_unref(p.anchors);
	g_ptr_array_unref(p.texts);
	if (!to->mail)
		return FALSE;
	g_ptr_array_set_size(to->mail->cc, 0);
	set_recipients(a, to->mail);
	set_subject(a, to->mail);
	add_headers(a, to->mail);
	return own_mail_sign(to->mail, a->config, NULL, err);
}

enum outbox_kind asked_draft_kind(const struct asked *a)
{
	if (a->answer->kind == ANSWER_HELD)
		return OUTBOX_CONFIRM;
	if (has(a, OUTCOME_DONE))
		return has_question(a) ? OUTBOX_ANSWER : OUTBOX_RESULT;
	return has(a, OUTCOME_REFUSED) || has(a, OUTCOME_NOT_UNDERSTOOD)
		       ? OUTBOX_MISTAKE
		       : OUTBOX_RESULT;
}

gboolean asked_compose(struct asked *a, GError **err)
{
	struct answer *to = a->answer;

	to->reason = why_silent(a);
	if (to->reason)
		return TRUE;
	to->kind = has(a, OUTCOME_HELD) ? ANSWER_HELD : ANSWER_PRIVATE;
	if (!compose(a, err))
		return FALSE;
	if (to->mail->to->len) {
		to->reason = g_strdup(why_told(a));
		return TRUE;
	}
	g_clear_pointer(&to->mail, outgoing_free);
	to->kind = ANSWER_NONE;
	to->reason = g_strdup("nobody to answer: its author is a list, a "
			      "robot's box or not known");
	return TRUE;
}
