/* source_local.c - [source NAME] that is a file or folder of this machine */
#include "bot/remote.h"

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	return source_read_path(r->path, ctx, err);
}

const struct remote_ops remote_mbox = {.type = "mbox", .read = read_all};
const struct remote_ops remote_maildir = {.type = "maildir", .read = read_all};
