/* verdict_priv.h - what the parts of the rule share */
#ifndef MAIL_VERDICT_PRIV_H
#define MAIL_VERDICT_PRIV_H

#include "mail/verdict.h"

/* Nothing decided, nothing known, no notes. */
void judgement_init(struct judgement *j);

#endif
