/* view_said.c - notices and commands, and what became of those */
#include "db/commands.h"

#include "bot/view_priv.h"

json_t *view_applied(const struct applied *a)
{
	json_t *o;

	if (!a || a->kind == APPLIED_PROMISED)
		return json_null();
	o = json_object();
	json_object_set_new(o, "kind", view_text(applied_kind_name(a->kind)));
	json_object_set_new(o, "tree", view_text(a->tree));
	json_object_set_new(o, "branch", view_text(a->branch));
	json_object_set_new(o, "commits", view_texts(a->commits));
	json_object_set_new(o, "text", view_text(a->text));
	json_object_set_new(o, "partial", json_boolean(a->partial));
	json_object_set_new(o, "robot", json_boolean(a->robot));
	return o;
}

json_t *view_commands(GPtrArray *commands)
{
	json_t *out = json_array();

	for (guint i = 0; commands && i < commands->len; i++) {
		const struct command *c = commands->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "marker", view_text(c->marker));
		json_object_set_new(o, "verb", view_text(c->verb));
		json_object_set_new(o, "verb_written",
				    view_text(c->verb_written));
		json_object_set_new(o, "args", view_text(c->args));
		json_object_set_new(o, "line", json_integer(c->line));
		json_object_set_new(o, "status",
				    view_text(command_status_name(c->status)));
		json_object_set_new(o, "problem", view_text(c->problem));
		json_array_append_new(out, o);
	}
	return out;
}

json_t *view_outcomes(GPtrArray *commands)
{
	json_t *out = json_array();

	for (guint i = 0; i < commands->len; i++) {
		const struct command_record *c = commands->pdata[i];
		json_t *o = json_object();

		json_object_set_new(o, "message_id", view_text(c->mid));
		json_object_set_new(o, "time", view_date(c->date));
		json_object_set_new(o, "marker", view_text(c->marker));
		json_object_set_new(o, "verb", view_text(c->verb));
		json_object_set_new(o, "verb_written",
				    view_text(c->verb_written));
		json_object_set_new(o, "args", view_text(c->args));
		json_object_set_new(o, "outcome",
				    view_text(
					    command_outcome_name(c->outcome)));
		json_object_set_new(o, "text", view_text(c->text));
		json_array_append_new(out, o);
	}
	return out;
}
