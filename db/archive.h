/* archive.h - raw mail: what was seen, where its bytes are
 * The truth from which everything else is derived. Each distinct byte string
 * is one `raw` row, addressed by its git blob id; where it was seen (source,
 * list) are `location` rows. Bytes stay in the git archive, else in the spool
 * (zstd). */
#ifndef DB_ARCHIVE_H
#define DB_ARCHIVE_H

#include <glib.h>

#include "mail/reading.h"

#include "db/store.h"

#define OID_LEN 20 /* SHA-1 of "blob <len>\0" + bytes, as git has it */

/* Git's blob id of some bytes. */
void archive_oid(GBytes *raw, guint8 oid[OID_LEN]);

/* ---- sources: an epoch, an mbox file, a Maildir ... and how far we are */

/* Find or create; `kind` is "git", "mbox", "file", "maildir", "mh", "stdin";
 * `place` an absolute path or URL; `list` may be NULL. -1 and *err. */
gint64 archive_source(store *st, const char *kind, const char *place,
		      const char *list, GError **err);
/* The opaque position that the source's reader stored, NULL if none. */
char *archive_cursor(store *st, gint64 source, GError **err);
/* Inside the transaction that stored the mail it stands for. */
gboolean archive_set_cursor(store *st, gint64 source, const char *cursor,
			    GError **err);

/* ---- adding */

enum archive_added {
	ARCHIVE_NEW,  /* a Message-ID not seen before */
	ARCHIVE_SEEN, /* these bytes or this content were known */
	ARCHIVE_COPY, /* same id, other content: kept as a copy */
};

/* Fast path before any parsing: if these bytes are known, record that
 * `source`/`list` has them, too (`received` as in struct archive_incoming).
 * `*known` tells; FALSE also where a rebuild could not get at the bytes: then
 * archive_add() makes up for it. In a transaction. */
gboolean archive_note(store *st, const guint8 oid[OID_LEN], gint64 source,
		      const char *list, gint64 received, gboolean *known,
		      GError **err);

struct archive_incoming {
	const struct reading *reading;
	const guint8 *oid; /* OID_LEN bytes */
	gint64 source;
	const char *list; /* as given or configured, else NULL: List-Id */
	gint64 received;  /* 0 unknown */
	gboolean in_git;  /* bytes stay at the source; else spooled */
};

/* Store one message and all that derives from it. In a transaction. The
 * primary copy of an id is chosen independent of order: smallest of (list
 * preference, date, content hash). */
gboolean archive_add(store *st, const struct archive_incoming *in,
		     enum archive_added *added, GError **err);

/* `source` no longer has these bytes (a deletion in an epoch). The message
 * becomes a ghost if nowhere else has it. `*gone` tells. In a transaction. */
gboolean archive_remove(store *st, const guint8 oid[OID_LEN], gint64 source,
			gboolean *gone, GError **err);

/* All oids that `source` is recorded to have: array of 20-byte keys as a set
 * (GBytes keys) for comparing a rewritten epoch. */
GHashTable *archive_source_oids(store *st, gint64 source, GError **err);

/* Something that could not be taken in at all: shown by `problems`. What is
 * not UTF-8 in `place` and `text` is made so. */
gboolean archive_problem(store *st, const char *kind, const char *place,
			 const char *code, const char *text, GError **err);

/* `place` is read from its beginning: what was told of it and its parts goes,
 * since what still holds will be told again. In a transaction. */
gboolean archive_forget_problems(store *st, const char *place, GError **err);

/* Only of its parts that could not be read. In a transaction. */
gboolean archive_forget_unread(store *st, const char *place, GError **err);

/* A problem whose code begins so is one of a whole path, and goes when the
 * path is read without it. In a transaction. */
#define ARCHIVE_PATH_CODE "path-"
gboolean archive_forget_path(store *st, const char *place, GError **err);
/* The places of such codes, as strings. You own the array. */
GPtrArray *archive_bad_paths(store *st, GError **err);

/* ---- reading back */

/* How to get at bytes that stay in a git archive: the blob `oid` of the
 * repository at `place`. NULL and *err if it can't be had. */
typedef GBytes *(*archive_fetch_fn)(void *data, const char *place,
				    const guint8 oid[OID_LEN], GError **err);
void archive_set_fetch(store *st, archive_fetch_fn fn, void *data);

/* The raw bytes of the primary copy; NULL with err unset if not known. */
GBytes *archive_raw(store *st, const char *mid, GError **err);
/* Every stored copy's bytes, primary first. */
GPtrArray *archive_copies(store *st, const char *mid, GError **err);

/* ---- deriving again */

/* Throw away all that is derived and derive it again from each raw row in the
 * order it first came; not of a damaged database or spool, which fail as in
 * store_check() before anything is thrown away. One transaction per batch; a
 * killed rebuild is completed by the next run. Mail whose bytes can't be had
 * is told as a problem and passed over, see health_gone(); who has it is read
 * from the beginning by the next import. `progress` may be NULL. */
gboolean archive_rebuild(store *st, store_progress progress, void *data,
			 GError **err);

#endif
