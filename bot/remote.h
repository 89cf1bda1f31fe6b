/* remote.h - [source NAME] of the settings: where new mail is looked for
 * One descriptor a type. Each says mail and then the cursor that covers it,
 * never the other way round, so that a kill at any moment loses and doubles
 * nothing; knows no mail format and no database. docs/sources.md. */
#ifndef BOT_REMOTE_H
#define BOT_REMOTE_H

#include "bot/config.h"
#include "bot/endpoint.h"
#include "bot/net.h"
#include "bot/source.h"

enum remote_auth {
	REMOTE_PASSWORD, /* the best of PLAIN and LOGIN that is offered */
	REMOTE_XOAUTH2,	 /* the secret is an OAuth 2 access token */
};

enum remote_after {
	REMOTE_KEEP, /* the mailbox is opened read-only and stays as it is */
	REMOTE_SEEN, /* mark as seen what is kept for good */
	REMOTE_MOVE, /* move it to `move_to` */
};

struct remote {
	char *name;
	const struct remote_ops *ops;
	struct endpoint *server; /* imap, nntp; else NULL */
	char *url;		 /* http, inbox */
	char *path; /* mbox, maildir: what is read; inbox: where it is cloned */
	char *user; /* NULL: without a login */
	char *password_file, *password_command;
	enum remote_auth auth;
	enum remote_after after;
	char *move_to;
	char **mailboxes, **groups; /* with wildcards; never NULL */
	char *list;		    /* NULL: by List-Id */
	gint64 since;	   /* where the first run starts; 0: at the beginning */
	guint poll;	   /* seconds between two looks */
	guint rate;	   /* messages a second at most; 0: no limit */
	guint64 max_bytes; /* of one message: larger ones are SOURCE_BROKEN */
	guint timeout;	   /* seconds, as in struct endpoint */
	char *ca_file, *proxy, *plain_host; /* http, inbox; see http_get.h */
};
void remote_free(struct remote *r);

struct remote_ops {
	const char *type;
	/* Say all that is new, then return. FALSE with NET_ERROR or
	 * SOURCE_ERROR: what was said before is kept. */
	gboolean (*read)(const struct remote *r, struct source_context *ctx,
			 GError **err);
	/* The same, then hear of more as it comes, and keep() it, until
	 * ctx->cancel: never TRUE. NULL: read() is called every poll. */
	gboolean (*follow)(const struct remote *r, struct source_context *ctx,
			   GError **err);
	/* Say the mails of the thread of `mid`; `*found`: there is one. NULL:
	 * this type can't. */
	gboolean (*thread)(const struct remote *r, const char *mid,
			   struct source_context *ctx, gboolean *found,
			   GError **err);
	/* Connect, log in, look at each group or mailbox, take nothing. `*said`
	 * gets a line, which you own: "logged in, 2 mailboxes, 311 mails". */
	gboolean (*probe)(const struct remote *r, GCancellable *cancel,
			  char **said, GError **err);
};
extern const struct remote_ops remote_imap, remote_nntp, remote_http,
	remote_inbox, remote_mbox, remote_maildir;

/* All of them, in the order of the file, of struct remote; `db_path` is where
 * clones are kept beside. NULL with CONFIG_ERROR_SYNTAX, text with the
 * remedy. */
GPtrArray *remotes_settings(const config *c, const char *db_path, GError **err);

#endif
