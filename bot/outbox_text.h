/* outbox_text.h - mail of the outbox for persons and programs */
#ifndef BOT_OUTBOX_TEXT_H
#define BOT_OUTBOX_TEXT_H

#include <jansson.h>

#include "db/outbox_queue.h"

/* culprit/outbox/1; `history` (of struct outbox_event) may be NULL: then
 * without it and without the mail. */
json_t *outbox_view(const struct outbox_entry *e, GPtrArray *history);

/* Some lines: what it is, why, to whom, and how it begins. */
void outbox_text(GString *out, const struct outbox_entry *e);
/* All of it: that, its history and the mail. */
void outbox_text_whole(GString *out, const struct outbox_entry *e,
		       GPtrArray *history);

/* The mail as it would go out; NULL: it can't be written. You own it. */
char *outbox_eml(const struct outbox_entry *e);

/* What would go out against what was approved, as a unified diff; NULL: the
 * same. You own it. */
char *outbox_diff(const struct outbox_entry *e);

#endif
