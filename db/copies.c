/* copies.c - several raw mails with one Message-ID: which is the primary
 * The smallest of (rank of its lists, date, content hash, blob id), so that
 * the order of arrival can't matter. Hashes are computed only where an id has
 * more than one raw mail. Everything shown of a message comes from its
 * primary copy; the references of all of them join threads. */
#include "db/copies.h"

#include <string.h>

#include "db/db_priv.h"
#include "db/derive.h"
#include "db/union.h"

#define HASH_LEN 32

struct copy {
	gint64 raw;
	gint64 rank;
	gint64 date; /* G_MAXINT64: none */
	guint8 oid[OID_LEN];
	gboolean hashed;
	guint8 hash[HASH_LEN];
	guint8 loose[HASH_LEN];
};

static void read_copy(db_rows *rows, struct copy *c)
{
	*c = (struct copy){
		.raw = db_int(rows, 0),
		.rank = db_int(rows, 1),
		.date = db_int(rows, 2) == DB_NULL ? G_MAXINT64
						   : db_int(rows, 2),
		.hashed = sqlite3_column_bytes(rows, 4) == HASH_LEN &&
			  sqlite3_column_bytes(rows, 5) == HASH_LEN,
	};
	if (sqlite3_column_bytes(rows, 3) == OID_LEN)
		memcpy(c->oid, sqlite3_column_blob(rows, 3), OID_LEN);
	if (c->hashed) {
		memcpy(c->hash, sqlite3_column_blob(rows, 4), HASH_LEN);
		memcpy(c->loose, sqlite3_column_blob(rows, 5), HASH_LEN);
	}
}

#define COPY_COLUMNS "id, rank, date, oid, hash, loose"

static gboolean load_copy(store *st, gint64 raw, struct copy *c, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT " COPY_COLUMNS " FROM raw WHERE id = ?",
			 INT(raw));

	if (db_next(rows, err) < 1)
		return FALSE;
	read_copy(rows, c);
	return TRUE;
}

static int compare(const struct copy *a, const struct copy *b)
{
	int order;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->date != b->date)
		return a->date < b->date ? -1 : 1;
	order = memcmp(a->hash, b->hash, HASH_LEN);
	return order ? order : memcmp(a->oid, b->oid, OID_LEN);
}

/* Bytes that are gone can't be compared: such a copy stands for itself.
 * `msg`: the mail if it is at hand. */
static gboolean hash_copy(store *st, struct copy *c, const message *msg,
			  GError **err)
{
	g_autoptr(message) own = NULL;
	g_autoptr(GError) why = NULL;

	if (c->hashed)
		return TRUE;
	if (!msg)
		msg = own = raw_message(st, c->raw, &why);
	if (msg) {
		message_content_hash(msg, c->hash);
		message_loose_hash(msg, c->loose);
	} else if (g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		memcpy(c->hash, c->oid, OID_LEN);
		memcpy(c->loose, c->oid, OID_LEN);
	} else {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	c->hashed = TRUE;
	return db_run(st->state, err,
		      "UPDATE raw SET hash = ?, loose = ? WHERE id = ?",
		      BLOB(c->hash, HASH_LEN), BLOB(c->loose, HASH_LEN),
		      INT(c->raw));
}

static gboolean set_spare(store *st, gint64 raw, gint64 node, gboolean spare,
			  GError **err)
{
	return db_run(st->state, err,
		      "UPDATE raw SET node = ?, spare = ? WHERE id = ?",
		      INT(node), INT(spare), INT(raw));
}

/* `raw` becomes what is shown of the node. */
static gboolean show(store *st, gint64 node, gint64 raw,
		     const struct reading *r, gint64 copies, GError **err)
{
	return derive_node(st, node, raw, r, err) &&
	       derive_rows(st, node, r, copies, err);
}

static gboolean promote(store *st, gint64 node, gint64 raw,
			const struct reading *r, gint64 copies, GError **err)
{
	return set_spare(st, raw, node, FALSE, err) &&
	       derive_forget(st, node, err) &&
	       show(st, node, raw, r, copies, err);
}

static gint64 primary_of(store *st, gint64 node, GError **err)
{
	gint64 raw = -1;

	if (db_get_int(st->state, &raw, err,
		       "SELECT raw FROM node WHERE id = ?", INT(node)) < 1)
		return -1;
	return raw == DB_NULL ? 0 : raw;
}

static gint64 count_copies(store *st, gint64 node, gint64 primary, GError **err)
{
	gint64 n = 1;

	if (db_get_int(st->state, &n, err,
		       "SELECT count(DISTINCT loose) FROM (SELECT loose FROM "
		       "raw WHERE node = ?1 AND spare = 1 UNION ALL "
		       "SELECT loose FROM raw WHERE id = ?2)",
		       INT(node), INT(primary)) < 0)
		return -1;
	return MAX(n, 1);
}

/* 1 if a copy with that loose hash is there already. */
static int known_content(store *st, gint64 node, const struct copy *primary,
			 const struct copy *c, GError **err)
{
	gint64 id;

	if (memcmp(primary->loose, c->loose, HASH_LEN) == 0)
		return 1;
	return db_get_int(st->state, &id, err,
			  "SELECT id FROM raw WHERE node = ? AND spare = 1 "
			  "AND loose = ? AND id <> ? LIMIT 1",
			  INT(node), BLOB(c->loose, HASH_LEN), INT(c->raw));
}

static gboolean add_further(store *st, gint64 node, gint64 primary, gint64 raw,
			    const struct reading *r, enum archive_added *added,
			    GError **err)
{
	struct copy old, c;
	gint64 copies = 1;
	int known;

	if (!load_copy(st, primary, &old, err) ||
	    !load_copy(st, raw, &c, err) || !hash_copy(st, &old, NULL, err) ||
	    !hash_copy(st, &c, r->msg, err) ||
	    db_get_int(st->state, &copies, err,
		       "SELECT copies FROM message WHERE node = ?",
		       INT(node)) < 0)
		return FALSE;
	known = known_content(st, node, &old, &c, err);
	if (known < 0)
		return FALSE;
	*added = known ? ARCHIVE_SEEN : ARCHIVE_COPY;
	copies += !known;
	if (compare(&c, &old) < 0)
		return set_spare(st, primary, node, TRUE, err) &&
		       promote(st, node, raw, r, copies, err);
	return known || db_run(st->state, err,
			       "UPDATE message SET copies = ? WHERE node = ?",
			       INT(copies), INT(node));
}

/* A further one is a spare until it proves to be the better. */
gboolean copies_add(store *st, gint64 raw, struct raw_facts *facts,
		    const struct reading *r, enum archive_added *added,
		    GError **err)
{
	gint64 primary;

	facts->node = union_add(st, raw, r->msg, err);
	primary = facts->node < 0 ? -1 : primary_of(st, facts->node, err);
	facts->spare = primary > 0;
	if (primary < 0 || !place_write(st, raw, facts, err))
		return FALSE;
	if (primary)
		return add_further(st, facts->node, primary, raw, r, added,
				   err);
	*added = ARCHIVE_NEW;
	return show(st, facts->node, raw, r, 1, err) &&
	       union_real(st, facts->node, message_id(r->msg), err);
}

/* The best of the node's copies, hashed if there are several. */
static gboolean elect(store *st, gint64 node, gint64 primary, struct copy *best,
		      guint *count, GError **err)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct copy));
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT " COPY_COLUMNS
			 " FROM raw WHERE id = ?2 UNION ALL "
			 "SELECT " COPY_COLUMNS
			 " FROM raw WHERE node = ?1 AND spare = 1",
			 INT(node), INT(primary));
	struct copy c;
	guint i;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		read_copy(rows, &c);
		g_array_append_val(all, c);
	}
	if (rc < 0)
		return FALSE;
	*count = all->len;
	for (i = 0; i < all->len; i++) {
		c = g_array_index(all, struct copy, i);
		if (all->len > 1 && !hash_copy(st, &c, NULL, err))
			return FALSE;
		if (i == 0 || compare(&c, best) < 0)
			*best = c;
	}
	return TRUE;
}

/* The reading of a raw; FALSE only for other reasons than that it is gone. */
static gboolean read_if_there(store *st, gint64 raw, struct reading **r,
			      GError **err)
{
	g_autoptr(GError) why = NULL;

	*r = raw_read(st, raw, &why);
	if (*r || g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING))
		return TRUE;
	g_propagate_error(err, g_steal_pointer(&why));
	return FALSE;
}

gboolean copies_changed(store *st, gint64 raw, gboolean derive, GError **err)
{
	g_autoptr(reading_auto) r = NULL;
	gint64 node, primary, copies;
	struct copy best;
	guint count;

	if (db_get_int(st->state, &node, err,
		       "SELECT node FROM raw WHERE id = ?", INT(raw)) < 1)
		return FALSE;
	if (node == DB_NULL)
		return TRUE;
	primary = primary_of(st, node, err);
	if (primary < 0 || !elect(st, node, primary, &best, &count, err))
		return FALSE;
	if (best.raw == primary && !(derive && primary == raw))
		return TRUE;
	if (!read_if_there(st, best.raw, &r, err))
		return FALSE;
	if (!r)
		return TRUE; /* the primary copy stays, which can be read */
	copies = count_copies(st, node, primary, err);
	return copies > 0 &&
	       (best.raw == primary ||
		set_spare(st, primary, node, TRUE, err)) &&
	       promote(st, node, best.raw, r, copies, err);
}

static gboolean make_ghost(store *st, gint64 node, GError **err)
{
	return db_run(st->state, err,
		      "UPDATE node SET raw = NULL, date = NULL, "
		      "parent = NULL, marc = NULL WHERE id = ?",
		      INT(node)) &&
	       derive_forget(st, node, err);
}

/* The primary copy went; another takes its place if it can be read. */
static gboolean succeed(store *st, gint64 node, gint64 raw, gint64 copies,
			GError **err)
{
	g_autoptr(reading_auto) r = NULL;

	if (!read_if_there(st, raw, &r, err) || !make_ghost(st, node, err))
		return FALSE;
	return !r || (set_spare(st, raw, node, FALSE, err) &&
		      show(st, node, raw, r, copies, err));
}

gboolean copies_remove(store *st, gint64 raw, gboolean *ghost, GError **err)
{
	gint64 node, primary, copies;
	struct copy best;
	guint count;

	*ghost = FALSE;
	if (db_get_int(st->state, &node, err,
		       "SELECT node FROM raw WHERE id = ?", INT(raw)) < 1)
		return FALSE;
	if (node == DB_NULL)
		return db_run(st->state, err, "DELETE FROM raw WHERE id = ?",
			      INT(raw));
	primary = primary_of(st, node, err);
	if (primary < 0 || !union_remove(st, raw, node, err) ||
	    !db_run(st->state, err, "DELETE FROM raw WHERE id = ?", INT(raw)) ||
	    !elect(st, node, primary, &best, &count, err))
		return FALSE;
	*ghost = count == 0;
	if (*ghost)
		return make_ghost(st, node, err);
	copies = count_copies(st, node, primary, err);
	if (copies < 0)
		return FALSE;
	if (primary == raw)
		return succeed(st, node, best.raw, copies, err);
	return db_run(st->state, err,
		      "UPDATE message SET copies = ? WHERE node = ?",
		      INT(copies), INT(node));
}
