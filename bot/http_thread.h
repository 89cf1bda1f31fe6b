/* http_thread.h - threads of a public-inbox, by a mail in them */
#ifndef BOT_HTTP_THREAD_H
#define BOT_HTTP_THREAD_H

#include "bot/http_inbox.h"

#define HTTP_THREAD_MAX 20 /* threads fetched for what is missing, at once */

/* As remote_ops.thread. */
gboolean http_thread_read(const struct remote *r, const char *mid,
			  struct source_context *ctx, gboolean *found,
			  GError **err);
/* Threads of which ctx->wanted() has mails, each asked for once in the life
 * of the database. */
gboolean http_thread_wanted(struct http_inbox *h, GError **err);

#endif
