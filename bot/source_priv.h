/* source_priv.h - what the readers of mail sources share */
#ifndef BOT_SOURCE_PRIV_H
#define BOT_SOURCE_PRIV_H

#include "bot/source.h"
#include "bot/unpack.h"

/* A kind of folder or file that holds mail. */
struct source_ops {
	const char *name;
	/* TRUE if the folder `path` (absolute) is one of these. */
	gboolean (*probe)(const char *path);
	/* Hand everything after the stored position to the sink. NO_MAIL if
	 * there is nothing that looks like mail. */
	gboolean (*read)(const char *path, struct source_context *ctx,
			 GError **err);
	gboolean nested; /* folders in it are looked at, too */
};
extern const struct source_ops source_maildir, source_mh, source_folder,
	source_inbox, source_git;

/* ---- saying something; FALSE: stop, and *err is set */
gboolean source_say(struct source_context *ctx, const struct source_event *ev,
		    GError **err);
gboolean source_afresh(struct source_context *ctx, const char *kind,
		       const char *place, GError **err);
gboolean source_cursor(struct source_context *ctx, const char *kind,
		       const char *place, const char *cursor, GError **err);
/* The stored position, NULL if there is none. You own it. */
char *source_position(struct source_context *ctx, const char *kind,
		      const char *place);
/* Takes `*part`, the reason. SOURCE_ERROR_STOPPED is no broken part: it is
 * passed on as an error. */
gboolean source_broken(struct source_context *ctx, const char *kind,
		       const char *place, GError **part, GError **err);

/* ---- names in a folder */
typedef gboolean (*source_name_fn)(const char *name);
/* Entries but "." and ".." for which `want` is TRUE, sorted by bytes; NULL
 * with SOURCE_ERROR_OPEN. Owns its strings. */
GPtrArray *source_names(const char *folder, source_name_fn want, GError **err);

/* ---- files */

/* Bytes of a file or stream as a growing window. */
struct source_stream {
	unpack *from; /* lent */
	GByteArray *bytes;
	gsize pos;     /* bytes before it are done with */
	guint64 start; /* where bytes->data[0] is in the unpacked stream */
	gboolean end;  /* nothing follows bytes */
};
void source_stream_init(struct source_stream *s, unpack *from);
void source_stream_clear(struct source_stream *s);
/* At least one byte more, or `end`. */
gboolean source_stream_more(struct source_stream *s, GError **err);
/* Go on at `offset` of a plain file. */
gboolean source_stream_seek(struct source_stream *s, guint64 offset,
			    GError **err);
const char *source_stream_data(const struct source_stream *s, gsize *len);

enum source_form {
	SOURCE_FORM_ANY,    /* a message, known by its fields, or an mbox */
	SOURCE_FORM_SINGLE, /* a message, whatever it begins with */
};
/* Where the messages of single files belong; an mbox is its own place. */
struct source_home {
	const char *kind, *place;
	enum source_form form;
};
/* The messages of an open file. NO_MAIL: not a mail or empty. */
gboolean source_file(unpack *from, const struct source_home *home,
		     struct source_context *ctx, GError **err);
/* The messages of the mbox that `s` stands at; (kind "mbox", its file) unless
 * `home` is a stream. */
gboolean source_mbox(struct source_stream *s, const struct source_home *home,
		     struct source_context *ctx, GError **err);

#endif
