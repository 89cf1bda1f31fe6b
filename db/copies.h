/* copies.h - a raw mail's place among the copies of its id: internal to db/ */
#ifndef DB_COPIES_H
#define DB_COPIES_H

#include "mail/reading.h"

#include "db/archive.h"

/* ---- place.c */

/* The derived columns of a raw row. */
struct raw_facts {
	gint64 node, spare, rank, date, list;
};

/* A raw row that has no node yet, its locations written: derive all that
 * follows from it. `list`: the only one it was seen on, if that is known. */
gboolean place_raw(store *st, gint64 raw, const char *list,
		   const struct reading *r, enum archive_added *added,
		   GError **err);
gboolean place_write(store *st, gint64 raw, const struct raw_facts *facts,
		     GError **err);
/* Its locations changed, or (redate) the time it was received. */
gboolean place_again(store *st, gint64 raw, gboolean redate, GError **err);

/* ---- copies.c */

/* Seat a raw that has no node yet; it becomes the primary copy or a spare. */
gboolean copies_add(store *st, gint64 raw, struct raw_facts *facts,
		    const struct reading *r, enum archive_added *added,
		    GError **err);
/* What decides the primary copy changed: choose again. `derive`: this raw's
 * own rows changed, too. */
gboolean copies_changed(store *st, gint64 raw, gboolean derive, GError **err);
/* It is gone everywhere: deletes the raw row. `*ghost`: it was the last. */
gboolean copies_remove(store *st, gint64 raw, gboolean *ghost, GError **err);

/* ---- raw.c: bytes of a raw row, wherever they are */

/* STORE_ERROR_MISSING if nobody has them any more; of the latter two also
 * where the bytes of now are no mail. */
GBytes *raw_load(store *st, gint64 raw, GError **err);
message *raw_message(store *st, gint64 raw, GError **err);
struct reading *raw_read(store *st, gint64 raw, GError **err);

#endif
