/* secret.h - a password from a file or a command; never shown, never stored */
#ifndef BOT_SECRET_H
#define BOT_SECRET_H

#include <gio/gio.h>

#define SECRET_MAX_BYTES   (16 * 1024) /* an OAuth token has about 2,000 */
#define SECRET_MAX_SECONDS 60 /* a command that takes longer is ended */

typedef struct secret secret;

/*
 * The first line of `file`, or of what `command` prints (words as a shell has
 * them, run without a shell, nothing on its standard input). Exactly one of
 * the two is set. NET_ERROR_SECRET: it can't be read, is empty, longer, has a
 * NUL, the command fails or takes too long; NET_ERROR_STOPPED. A file that
 * others can read is refused, with the remedy.
 */
secret *secret_load(const char *file, const char *command, GCancellable *cancel,
		    GError **err);
const char *secret_text(const secret *s); /* lent */
/* Wipes it. */
void secret_free(secret *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(secret, secret_free)

#endif
