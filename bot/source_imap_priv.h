/* source_imap_priv.h - what the parts of the IMAP source share */
#ifndef BOT_SOURCE_IMAP_PRIV_H
#define BOT_SOURCE_IMAP_PRIV_H

#include "bot/imap_session.h"

/* One mailbox that is read. */
struct imap_reader {
	const struct remote *r;
	struct source_context *ctx;
	imap_session *s;  /* lent */
	const char *name; /* lent */
	char *place;	  /* its URL */
	guint32 validity;
	guint32 uid;	 /* all up to here was handed over */
	guint32 settled; /* ... and marked or moved, where that is wanted */
	gboolean said;	 /* something since the last keep() */
	guint64 taken;	 /* messages */
};

/* The mailboxes of the settings with the wildcards made out and what a public
 * archive has beyond them; owns its strings. FALSE with NET_ERROR_REFUSED:
 * there is no such mailbox. */
GPtrArray *imap_names(imap_session *s, const struct remote *r, GError **err);
/* Can imap_names() give more another time? */
gboolean imap_names_can_grow(const imap_session *s, const struct remote *r);
/* Open one; if that can't be, the error says what to do about it. */
gboolean imap_names_open(imap_session *s, const char *name, gboolean write,
			 struct imap_box *box, GError **err);

/* Open a mailbox and look where reading it goes on. */
gboolean imap_reader_open(struct imap_reader *rd, const struct remote *r,
			  struct source_context *ctx, imap_session *s,
			  const char *name, GError **err);
/* It could not be opened or read: a problem. */
gboolean imap_reader_refused(struct imap_reader *rd, const GError *why,
			     GError **err);
void imap_reader_clear(struct imap_reader *rd);
/* Hand over all that is new. */
gboolean imap_reader_take(struct imap_reader *rd, GError **err);

/* Each of the names `from` and on, one after the other. One that can't be
 * opened is a problem and keeps none of the others back; if none of `names`
 * can, it is an error. `*taken` grows by the messages handed over. */
gboolean imap_read_names(imap_session *s, const struct remote *r,
			 struct source_context *ctx, GPtrArray *names,
			 guint from, guint64 *taken, GError **err);

/* remote_ops.follow */
gboolean imap_follow(const struct remote *r, struct source_context *ctx,
		     GError **err);

#endif
