/* source.h - where mail comes from
 * A source hands over bytes and positions; it never parses mail and knows
 * nothing of the database. */
#ifndef BOT_SOURCE_H
#define BOT_SOURCE_H

#include <gio/gio.h>

#include "db/archive.h"

#define SOURCE_MAX_MAIL	   (128 * 1024 * 1024) /* larger: skipped, reported */
#define SOURCE_MAX_FILES   (16 * 1024 * 1024)  /* of one folder */
#define SOURCE_MAX_DEPTH   32		       /* folders within folders */
#define SOURCE_MAX_COMMITS (64 * 1024 * 1024)  /* of one git archive */
#define SOURCE_MAX_EPOCHS  10000	       /* of one inbox */

#define SOURCE_ERROR (source_error_quark())
GQuark source_error_quark(void);
enum source_error {
	SOURCE_ERROR_OPEN,    /* missing, unreadable, not of this kind */
	SOURCE_ERROR_READ,    /* broke off: truncated, damaged */
	SOURCE_ERROR_NO_MAIL, /* readable, but holds no mail */
	SOURCE_ERROR_MISSING, /* an object that a git archive names is not there */
	SOURCE_ERROR_STOPPED, /* the sink or an interrupt said so */
};

enum source_event_type {
	SOURCE_AFRESH,	/* (kind, place) is read from its beginning */
	SOURCE_AGAIN,	/* ... from where something could not be read, if so */
	SOURCE_MAIL,	/* a message */
	SOURCE_DELETED, /* `oid` is gone from (kind, place) */
	SOURCE_CURSOR,	/* what came before is covered by `cursor` */
	SOURCE_BROKEN,	/* a part can't be read; the rest goes on */
	SOURCE_SKIPPED, /* `name` is no mail and does not look like it */
};

/* A word for a SOURCE_ERROR, "no-mail", "missing", "damaged", "unreadable", or
 * a NET_ERROR. */
const char *source_error_code(const GError *e);

/* One thing a source says. Everything is lent for the call. */
struct source_event {
	enum source_event_type type;
	const char *kind, *place; /* "git", "mbox", "file", "maildir", "mh",
				   * "stdin"; absolute path, "-" for stdin;
				   * "imap", "nntp", "http": a URL */
	GBytes *raw;		  /* MAIL; NULL where in_git */
	const guint8 *oid;	  /* MAIL in_git, DELETED */
	gint64 received;	  /* MAIL: 0 = unknown */
	gboolean in_git;	  /* MAIL: source_git_fetch() has the bytes */
	const char *name;	  /* MAIL: file it was in, NULL = the place */
	guint64 offset;		  /* MAIL: where in that file it begins */
	const char *cursor;	  /* CURSOR */
	const char *code;	  /* BROKEN: "truncated", "unreadable" ... */
	const GError *error;	  /* BROKEN */
};

/* FALSE stops the source: interrupted, or the database failed. */
typedef gboolean (*source_sink)(const struct source_event *ev, void *data);

/* What a source may ask of its caller; any but the sink may be NULL, `git`
 * only where no path is a git repository. */
struct source_context {
	source_sink sink;
	/* Position stored for (kind, place), NULL if never read. You own it. */
	char *(*cursor_of)(const char *kind, const char *place, void *data);
	/* Oids recorded for (kind, place), GBytes keys: a rewritten git archive
	 * is compared. You own the table; NULL if the database failed. */
	GHashTable *(*oids_of)(const char *kind, const char *place, void *data);
	gboolean (*stopped)(void); /* an interrupt came */
	GCancellable *cancel;	   /* the same for who waits for a server */
	/* TRUE: all that was said so far is kept for good. Only then may a
	 * server be told to mark or move it. FALSE: the database failed. */
	gboolean (*keep)(void *data, GError **err);
	/* So many more messages are to come, before the first of them; for
	 * progress only. */
	void (*expect)(guint64 mails, void *data);
	/* Message-IDs of threads of reports that were never asked of the
	 * archive `place`, at most `max`, strings; you own it. NULL: none. */
	GPtrArray *(*wanted)(const char *place, guint max, void *data);
	void *git;  /* source_git_cache_new() */
	void *data; /* for the functions above */
};

/*
 * Read whatever `path` is ("-": stdin): a message file, an mbox, either of
 * them packed; a Maildir, an MH folder, a folder of message files; a git
 * repository that is a public-inbox of version 1 or an epoch of version 2, or
 * a folder with such epochs. Folders are read with what is below them.
 * Parts that can't be read are SOURCE_BROKEN and the rest goes on. FALSE: the
 * path as a whole can't be read, or has no mail, or the sink stopped it; what
 * was handed over before stays valid.
 */
gboolean source_read_path(const char *path, struct source_context *ctx,
			  GError **err);

/* archive_fetch_fn over libgit2, repositories cached: the blob `oid` of the
 * repository at `place`. SOURCE_ERROR_MISSING, SOURCE_ERROR_READ (damaged:
 * every so often the bytes are hashed, and always after a wrong one),
 * SOURCE_ERROR_OPEN. */
GBytes *source_git_fetch(void *cache, const char *place,
			 const guint8 oid[OID_LEN], GError **err);
void *source_git_cache_new(void);
void source_git_cache_free(void *cache);

#endif
