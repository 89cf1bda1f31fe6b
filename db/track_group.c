/* track_group.c - the commands of one mail together
 * One after the other, each for itself; where the mail says `atomic`, all of
 * #culprit or none. A mail with too many of them does nothing at all. */
#include <string.h>

#include "db/track_priv.h"

static gboolean is_own(const struct track_command *c)
{
	return c->status != COMMAND_INERT && !strcmp(c->marker, "#culprit");
}

static gboolean has_failed(const struct track_command *c)
{
	return is_own(c) &&
	       (c->outcome == OUTCOME_REFUSED ||
		c->outcome == OUTCOME_NOT_UNDERSTOOD ||
		c->outcome == OUTCOME_WAITING || c->outcome == OUTCOME_HELD);
}

static void refuse_all(struct track_command **all, guint count)
{
	for (guint n = 0; n < count; n++)
		if (is_own(all[n]))
			track_outcome(all[n], OUTCOME_REFUSED,
				      "more than %u commands in one mail: none "
				      "is done",
				      TRACK_MAX_OWN);
}

/* `why` is the one that failed. */
static void take_back(struct tracker *t, struct track_command **all,
		      guint count, const struct track_command *why)
{
	track_roll_back(t, t->group);
	for (guint n = 0; n < count; n++) {
		struct track_command *c = all[n];

		if (c == why || !is_own(c) || has_failed(c) ||
		    c->outcome == OUTCOME_NONE)
			continue;
		track_outcome(c, OUTCOME_REFUSED,
			      "all or nothing, and \"%s\" of this mail was not "
			      "done",
			      why->written);
	}
}

static void apply_atomic(struct tracker *t, struct track_command **all,
			 guint count)
{
	const struct track_command *failed = NULL;

	t->group = g_ptr_array_new();
	for (guint n = 0; n < count && !t->error; n++) {
		if (!is_own(all[n]))
			continue;
		track_apply(t, all[n]);
		if (!failed && has_failed(all[n]))
			failed = all[n];
	}
	if (failed && !t->error)
		take_back(t, all, count, failed);
	g_clear_pointer(&t->group, g_ptr_array_unref);
	for (guint n = 0; n < count && !t->error; n++)
		if (!is_own(all[n]))
			track_apply(t, all[n]);
}

static void apply_mail(struct tracker *t, struct track_command **all,
		       guint count)
{
	guint own = 0;

	for (guint n = 0; n < count; n++)
		own += is_own(all[n]);
	if (own > TRACK_MAX_OWN)
		refuse_all(all, count);
	if (own && own <= TRACK_MAX_OWN && all[0]->atomic) {
		apply_atomic(t, all, count);
		return;
	}
	for (guint n = 0; n < count && !t->error; n++)
		if (own <= TRACK_MAX_OWN || !is_own(all[n]))
			track_apply(t, all[n]);
}

void track_apply_all(struct tracker *t)
{
	struct track_command **all =
		(struct track_command **)t->commands->pdata;
	guint count = t->commands->len;

	for (guint n = 0, next; n < count && !t->error; n = next) {
		for (next = n + 1;
		     next < count && all[next]->node == all[n]->node;)
			next++;
		apply_mail(t, all + n, next - n);
	}
}
