/* track_evidence.c - how sure it is that a sender is who he says
 * Of #culprit alone, and only where the settings want to know. */
#include <string.h>

#include "db/track_priv.h"

static enum evidence evidence(struct tracker *t, struct track_command *c)
{
	if (!c->asked && !t->error) {
		c->asked = TRUE;
		roles_evidence(t->st, c->mid, &c->evidence, &t->error);
	}
	return c->evidence;
}

gboolean track_is_forged(struct tracker *t, struct track_command *c)
{
	return evidence(t, c) == EVIDENCE_FAILED;
}

gboolean track_is_sure(struct tracker *t, struct track_command *c, gboolean own)
{
	if (own || strcmp(c->marker, "#culprit") != 0 ||
	    evidence(t, c) >= EVIDENCE_PROVEN)
		return TRUE;
	track_outcome(c, OUTCOME_HELD,
		      "nothing shows that the mail is from its sender, who "
		      "has to confirm it");
	return FALSE;
}
