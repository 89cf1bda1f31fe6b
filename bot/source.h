/* source.h - where mail comes from: one descriptor of functions a source
 * A source hands over bytes and positions; it never parses mail. */
#ifndef BOT_SOURCE_H
#define BOT_SOURCE_H

#include <glib.h>

#include "db/archive.h"

#define SOURCE_ERROR (source_error_quark())
GQuark source_error_quark(void);
enum source_error {
	SOURCE_ERROR_OPEN,    /* missing, unreadable, not of this kind */
	SOURCE_ERROR_READ,    /* broke off: truncated, damaged */
	SOURCE_ERROR_NO_MAIL, /* readable, but holds no mail */
};

/* One thing a source says. */
struct source_event {
	enum {
		SOURCE_MAIL,	/* raw is a message */
		SOURCE_DELETED, /* oid is gone from the source */
		SOURCE_CURSOR,	/* everything before is covered by `cursor` */
		SOURCE_OPENED,	/* further events belong to (kind, place) */
		SOURCE_BROKEN,	/* part can't be read; `error`; goes on */
	} type;
	GBytes *raw;	   /* lent for the call; NULL where `known` said so */
	const guint8 *oid; /* git blob id if the source knows it, else NULL */
	gint64 received;
	gboolean in_git;
	const char *kind, *place; /* OPENED */
	const char *cursor;	  /* CURSOR */
	const GError *error;	  /* BROKEN */
};

/* FALSE stops the source (interrupted or a database error). */
typedef gboolean (*source_sink)(const struct source_event *ev, void *data);

struct source_context;

struct source_ops {
	const char *name; /* "mbox", "maildir", "mh", "git", "file", "stdin" */
	/* TRUE if `path` looks like one. NULL: chosen by name only. */
	gboolean (*probe)(const char *path);
	/* Hand everything after `cursor_of(kind, place)` to the sink. */
	gboolean (*read)(const char *path, struct source_context *ctx,
			 GError **err);
};

/* What a source may ask of its caller. */
struct source_context {
	source_sink sink;
	/* Position stored for (kind, place), NULL if never read. You own it. */
	char *(*cursor_of)(const char *kind, const char *place, void *data);
	/* TRUE if these bytes are stored already: git blobs need not be read. */
	gboolean (*known)(const guint8 oid[OID_LEN], void *data);
	/* Oids recorded for (kind, place): a rewritten epoch is compared. */
	GHashTable *(*oids_of)(const char *kind, const char *place, void *data);
	void *data;
};

/* Read whatever `path` is ("-": stdin). Compressed files are unpacked on the
 * fly. Errors as above; what was handed over before an error stays valid. */
gboolean source_read_path(const char *path, struct source_context *ctx,
			  GError **err);

/* archive_fetch_fn over libgit2, repositories cached. */
GBytes *source_git_fetch(void *cache, const char *place,
			 const guint8 oid[OID_LEN], GError **err);
void *source_git_cache_new(void);
void source_git_cache_free(void *cache);

#endif
