/* outbox_settings.h - what [bot], [send] and [list NAME] allow of our mail */
#ifndef BOT_OUTBOX_SETTINGS_H
#define BOT_OUTBOX_SETTINGS_H

#include "db/outbox.h"

#include "bot/config.h"

struct outbox_policy *outbox_policy_new(const config *c);
void outbox_policy_free(struct outbox_policy *p);
AUTO_STRUCT(outbox_policy, outbox_policy_free)

#endif
