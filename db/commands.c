/* commands.c - outcomes of commands, as values */
#include <string.h>

#include "db/track_priv.h"

const char *command_outcome_name(enum command_outcome o)
{
	static const char *const names[] = {
		NULL,	   "done", "no-change", "refused", "not-understood",
		"waiting", "held"};

	return names[o];
}

void command_record_free(struct command_record *r)
{
	if (!r)
		return;
	g_free(r->mid);
	g_free(r->marker);
	g_free(r->verb);
	g_free(r->verb_written);
	g_free(r->args);
	g_free(r->text);
	g_free(r->item);
	g_free(r);
}

struct command_record *command_record_new(const struct track_command *c)
{
	struct command_record *r = g_new0(struct command_record, 1);

	r->mid = g_strdup(c->mid);
	r->date = c->date;
	r->marker = g_strdup(c->marker);
	r->verb = g_strdup(c->verb);
	r->verb_written = g_strdup(c->written);
	r->args = g_strdup(c->args);
	r->line = c->line;
	r->outcome = c->outcome;
	r->text = g_strdup(c->text);
	if (c->item && !c->item->dropped)
		r->item = g_strdup(c->item->id);
	return r;
}

static int compare_records(gconstpointer a, gconstpointer b)
{
	const struct command_record *x = *(struct command_record *const *)a;
	const struct command_record *y = *(struct command_record *const *)b;
	int order;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	order = strcmp(x->mid, y->mid);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

GPtrArray *command_records(const struct tracker *t, const char *mid)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(
		(GDestroyNotify)command_record_free);

	for (guint n = 0; n < t->commands->len; n++) {
		const struct track_command *c = t->commands->pdata[n];

		if (!mid || !strcmp(c->mid, mid))
			g_ptr_array_add(all, command_record_new(c));
	}
	g_ptr_array_sort(all, compare_records);
	return all;
}

GPtrArray *command_records_load(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snapshot = db_snapshot_begin(st->state, err);
	g_autoptr(tracker_auto) t = snapshot ? tracker_open(st, err) : NULL;

	return t ? command_records(t, mid) : NULL;
}
