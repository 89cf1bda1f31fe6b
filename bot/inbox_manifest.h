/* inbox_manifest.h - which repositories a public-inbox consists of
 * Its manifest.js.gz: packed JSON, an object with a member for each. */
#ifndef BOT_INBOX_MANIFEST_H
#define BOT_INBOX_MANIFEST_H

#include <glib.h>

#define INBOX_MANIFEST_MAX (64 * 1024 * 1024) /* unpacked */

struct inbox_epoch {
	guint number;
	char *fingerprint; /* of all its refs; NULL: it does not tell */
	gint64 modified;   /* 0: it does not tell */
};

/*
 * The epochs, of struct inbox_epoch, oldest first: members ".../git/N.git",
 * with `path` only those that begin with "PATH/git/". You own it. NULL with
 * NET_ERROR_REPLY: it is no manifest; NET_ERROR_REFUSED: it is of several
 * inboxes; NET_ERROR_LIMIT; `name` is for the text.
 */
GPtrArray *inbox_manifest_parse(GByteArray *bytes, const char *path,
				const char *name, GError **err);

#endif
