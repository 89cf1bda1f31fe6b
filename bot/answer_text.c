/* answer_text.c - our words on one command
 * What became of it is decided by the store; this says it. */
#include <string.h>

#include "db/items.h"
#include "db/problems.h"

#include "bot/answer_priv.h"

char *asked_render(struct asked *a, const char *name, json_t *tree,
		   GError **err)
{
	GString *out = g_string_new(NULL);
	gboolean ok = template_render(a->templates, name, tree, out, err);

	json_decref(tree);
	while (out->len && out->str[out->len - 1] == '\n')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, !ok);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

/* ---- what it was before */

/* The last event of that kind before the mail in hand; NULL: none. */
static const char *value_before(const struct item *i, const char *type,
				const char *mid)
{
	const char *value = NULL;

	for (guint n = 0; n < i->events->len; n++) {
		const struct item_event *e = i->events->pdata[n];

		if (!strcmp(e->type, type) && g_strcmp0(e->mid, mid) != 0)
			value = e->text;
	}
	return value;
}

/* Of what can be set back by the same command. */
static char *was(struct asked *a, const struct command *c, const char *item,
		 GError **err)
{
	gboolean many, prio = !strcmp(c->verb, "prio");
	g_autoptr(item_auto) i = NULL;
	const char *value;

	if (!item || (!prio && strcmp(c->verb, "title") != 0))
		return NULL;
	i = item_find(a->st, item, &many, err);
	if (!i)
		return NULL;
	value = value_before(i, c->verb, message_id(a->reading->msg));
	return g_strdup(value ? value : prio ? "normal" : NULL);
}

/* ---- by outcome */

/* The line to send back, with the right verb or marker. */
static char *meant(const struct command *c, const char *verb)
{
	return g_strdup_printf("#culprit %s%s%s", verb, *c->args ? ": " : "",
			       c->args);
}

static char *say_unknown(struct asked *a, const struct command *c, GError **err)
{
	g_autofree char *line = c->nearest ? meant(c, c->nearest) : NULL;

	return asked_render(a, "answer-unknown.txt",
			    json_pack("{s:s, s:o, s:o}", "written",
				      c->verb_written, "nearest",
				      text_or_null(c->nearest), "meant",
				      text_or_null(line)),
			    err);
}

static char *say_malformed(struct asked *a, const struct command *c,
			   GError **err)
{
	const struct command_verb *v = command_verb_named(c->verb);

	return asked_render(a,
			    v ? "answer-malformed.txt" : "answer-refused.txt",
			    json_pack("{s:s, s:s, s:s}", "why", c->problem,
				      "verb", v ? v->name : "", "usage",
				      v ? v->usage : ""),
			    err);
}

static char *say_near(struct asked *a, const struct command *c, GError **err)
{
	g_autofree char *line = meant(c, c->verb);

	return asked_render(a, "answer-near.txt",
			    json_pack("{s:s, s:s}", "why", c->problem, "meant",
				      line),
			    err);
}

static char *say_why(struct asked *a, const char *name, const char *why,
		     GError **err)
{
	return asked_render(a, name, json_pack("{s:s}", "why", why), err);
}

static char *say_done(struct asked *a, const struct command *c,
		      const char *item, GError **err)
{
	g_autofree char *before = was(a, c, item, err);

	if (err && *err)
		return NULL;
	return asked_render(a, "answer-done.txt",
			    json_pack("{s:o, s:o}", "item",
				      text_or_null(strcmp(c->verb, "introduced")
							   ? NULL
							   : item),
				      "was", text_or_null(before)),
			    err);
}

/* ---- what has not been seen */

/* The mail that it answers is still on its way. */
static gboolean may_come(const struct asked *a, GError **err)
{
	const message *msg = a->reading->msg;
	const char *parent = message_parent(msg);
	gint64 date = message_date(msg);
	g_autoptr(stored_message_auto) m = NULL;

	if (!parent || (date && a->now - date > ANSWER_MAX_WAIT))
		return FALSE;
	m = stored_message_load(a->st, parent, err);
	return !m || m->ghost;
}

static const char *why_not_found(const struct command *c)
{
	const struct command_verb *v = command_verb_named(c->verb);

	if (v && *c->args && *c->args != '^' && *c->args != '/' &&
	    (v->args == COMMAND_ARGS_POINTER || v->args == COMMAND_ARGS_REF))
		return "that mail is in none of the lists I read";
	return "this mail answers no report that I track";
}

/* ---- one command */

static const struct command_record *record_of(const struct asked *a,
					      const struct command *c)
{
	for (guint n = 0; n < a->records->len; n++) {
		const struct command_record *r = a->records->pdata[n];

		if (r->line == c->line && !strcmp(r->marker, c->marker) &&
		    !strcmp(r->verb, c->verb) && !strcmp(r->args, c->args))
			return r;
	}
	return NULL;
}

static char *settle(struct answer_command *to, enum command_outcome outcome,
		    const char *text, char *own)
{
	to->outcome = outcome;
	g_free(to->text);
	to->text = g_strdup(text);
	return own;
}

static char *ask(struct asked *a, const struct command *c, const char *verb,
		 struct answer_command *to, GError **err)
{
	g_autofree char *why = NULL, *note = NULL;
	char *own;

	if (strcmp(verb, c->verb) != 0)
		note = g_strdup_printf("No command \"%s\"; taken as \"%s\":",
				       c->verb_written, verb);
	own = asked_question(a, c, verb, note, &why, err);
	if (!why)
		return settle(to, OUTCOME_DONE, "answered", own);
	return settle(to, OUTCOME_REFUSED, why,
		      say_why(a, "answer-refused.txt", why, err));
}

/* By what the store made of it. */
static char *tell(struct asked *a, const struct command *c,
		  const struct command_record *r, struct answer_command *to,
		  GError **err)
{
	GError *failed = NULL;
	gboolean waits;

	switch (r->outcome) {
	case OUTCOME_DONE:
		return settle(to, OUTCOME_DONE, r->text,
			      strcmp(c->verb, "atomic")
				      ? say_done(a, c, r->item, err)
				      : NULL);
	case OUTCOME_NO_CHANGE:
		return settle(to, r->outcome, r->text,
			      say_why(a, "answer-same.txt", r->text, err));
	case OUTCOME_HELD:
		return settle(to, r->outcome, r->text,
			      say_why(a, "answer-held.txt", r->text, err));
	case OUTCOME_WAITING:
		waits = may_come(a, &failed);
		if (failed) {
			g_propagate_error(err, failed);
			return NULL;
		}
		if (waits)
			return settle(to, OUTCOME_WAITING, r->text,
				      asked_render(a, "answer-waiting.txt",
						   json_object(), err));
		return settle(to, OUTCOME_REFUSED, why_not_found(c),
			      say_why(a, "answer-refused.txt", why_not_found(c),
				      err));
	case OUTCOME_NONE:
		return settle(to, OUTCOME_REFUSED,
			      "nothing waits for it, or not by mail",
			      say_why(a, "answer-refused.txt",
				      "nothing waits for it, or not by mail",
				      err));
	default:
		return settle(to, r->outcome, r->text,
			      say_why(a, "answer-refused.txt", r->text, err));
	}
}

static char *say(struct asked *a, const struct command *c,
		 struct answer_command *to, GError **err)
{
	const struct command_record *r = record_of(a, c);

	if (command_is_html(c))
		return settle(to, OUTCOME_REFUSED, c->problem,
			      say_why(a, "answer-refused.txt",
				      "the mail is HTML alone; please send "
				      "plain text",
				      err));
	if (command_is_near_miss(c))
		return settle(to, OUTCOME_NOT_UNDERSTOOD, c->problem,
			      say_near(a, c, err));
	/* too many of them, or atomic: the store tells */
	if (r && r->outcome == OUTCOME_REFUSED)
		return tell(a, c, r, to, err);
	if (c->status == COMMAND_UNKNOWN && asked_is_question(c->nearest))
		return ask(a, c, c->nearest, to, err);
	if (c->status == COMMAND_UNKNOWN)
		return settle(to, OUTCOME_NOT_UNDERSTOOD, c->problem,
			      say_unknown(a, c, err));
	if (c->status == COMMAND_MALFORMED)
		return settle(to, OUTCOME_NOT_UNDERSTOOD, c->problem,
			      say_malformed(a, c, err));
	if (asked_is_question(c->verb))
		return ask(a, c, c->verb, to, err);
	return r ? tell(a, c, r, to, err) : NULL;
}

gboolean asked_answer_command(struct asked *a, guint n, GError **err)
{
	const struct command *c = a->live->pdata[n];
	struct answer_command *to = g_new0(struct answer_command, 1);
	GError *failed = NULL;

	to->verb = g_strdup(c->verb);
	to->verb_written = g_strdup(c->verb_written);
	to->args = g_strdup(c->args);
	g_ptr_array_add(a->answer->commands, to);
	g_ptr_array_add(a->texts, say(a, c, to, &failed));
	if (failed)
		g_propagate_error(err, failed);
	return !failed;
}
