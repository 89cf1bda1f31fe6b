/* source_priv.h - what the readers of mail sources share */
#ifndef BOT_SOURCE_PRIV_H
#define BOT_SOURCE_PRIV_H

#include "bot/source.h"
#include "bot/unpack.h"

/* ---- saying something to the sink; FALSE: stop, *err is set */
gboolean source_opened(struct source_context *ctx, const char *kind,
		       const char *place, GError **err);
gboolean source_mail(struct source_context *ctx, GBytes *raw, const char *name,
		     guint64 offset, GError **err);
gboolean source_cursor(struct source_context *ctx, const char *cursor,
		       GError **err);
/* A part can't be read; SOURCE_ERROR_STOPPED is passed on as an error. */
gboolean source_broken(struct source_context *ctx, const char *code,
		       GError *part, GError **err);
gboolean source_stopped(struct source_context *ctx, GError **err);

/* ---- files */
enum source_file_form {
	SOURCE_FORM_ANY,    /* a message or an mbox */
	SOURCE_FORM_SINGLE, /* a message, even if it begins with "From " */
};

/* Read an open file, `home` is the folder's (kind, place) of single messages
 * or NULL: then (kind "file", the file itself). NO_MAIL: not a mail. */
struct source_home {
	const char *kind, *place;
	gboolean open; /* OPENED was said last for it */
};
gboolean source_file(unpack *u, enum source_file_form form,
		     struct source_home *home, struct source_context *ctx,
		     GError **err);
