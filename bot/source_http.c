/* source_http.c - mail from a server: not there yet */
#include "bot/remote.h"

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	g_set_error(err, NET_ERROR, NET_ERROR_CONNECT,
		    "source %s: type http is not built yet", r->name);
	return FALSE;
}

const struct remote_ops remote_http = {.type = "http", .read = read_all};
