/* inbox_clone.h - bare copies of the repositories of a public-inbox
 * Copies only: whoever deletes one gets it again. */
#ifndef BOT_INBOX_CLONE_H
#define BOT_INBOX_CLONE_H

#include "bot/remote.h"

/* Fetch what is new at `url` to the copy `dir`, which is made if need be, then
 * with mail since r->since only. NET_ERROR_IO with git's words, _TIME,
 * _STOPPED. */
gboolean inbox_clone_fetch(const struct remote *r, const char *url,
			   const char *dir, struct source_context *ctx,
			   GError **err);

#endif
