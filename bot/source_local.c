/* source_local.c - [source NAME] that is a file or folder of this machine */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/remote.h"

static gboolean read_all(const struct remote *r, struct source_context *ctx,
			 GError **err)
{
	return source_read_path(r->path, ctx, err);
}

static gboolean probe_path(const struct remote *r, GCancellable *cancel,
			   char **said, GError **err)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat sb;
	gboolean ok = fd >= 0 && fstat(fd, &sb) == 0;

	if (ok)
		*said = g_strdup_printf("readable: %s%s", r->path,
					S_ISDIR(sb.st_mode) ? "/" : "");
	else
		g_set_error(err, SOURCE_ERROR, SOURCE_ERROR_OPEN, "%s: %s",
			    r->path, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

const struct remote_ops remote_mbox = {.type = "mbox",
				       .read = read_all,
				       .probe = probe_path};
const struct remote_ops remote_maildir = {.type = "maildir",
					  .read = read_all,
					  .probe = probe_path};
