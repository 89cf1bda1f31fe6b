/* archive.c - raw mail as it comes, goes, and is asked for
 * Keeps the truth (raw, location, source); copies.c and derive.c make of it
 * what is shown. */
#include "db/archive.h"

#include <string.h>

#include "db/copies.h"
#include "db/db_priv.h"

/* ---- sources */

struct source_args {
	const char *kind, *place, *list;
	gint64 id;
};

static gboolean find_source(store *st, void *data, GError **err)
{
	struct source_args *a = data;
	gint64 list = DB_NULL;

	if (a->list) {
		list = intern_text(st, INTERN_LIST, a->list, err);
		if (list < 0)
			return FALSE;
	}
	return db_run(st->state, err,
		      "INSERT INTO source (kind, place, list) "
		      "VALUES (?, ?, ?) ON CONFLICT (kind, place) DO UPDATE "
		      "SET list = coalesce(excluded.list, list)",
		      TEXT(a->kind), TEXT(a->place), INT(list)) &&
	       db_get_int(st->state, &a->id, err,
			  "SELECT id FROM source WHERE kind = ? AND place = ?",
			  TEXT(a->kind), TEXT(a->place)) > 0;
}

gint64 archive_source(store *st, const char *kind, const char *place,
		      const char *list, GError **err)
{
	struct source_args a = {kind, place, list, -1};

	return store_write(st, find_source, &a, err) ? a.id : -1;
}

char *archive_cursor(store *st, gint64 source, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT cursor FROM source WHERE id = ?", INT(source));

	return db_next(rows, err) > 0 ? db_dup(rows, 0) : NULL;
}

gboolean archive_set_cursor(store *st, gint64 source, const char *cursor,
			    GError **err)
{
	return db_run(st->state, err,
		      "UPDATE source SET cursor = ? WHERE id = ?", TEXT(cursor),
		      INT(source));
}

GHashTable *archive_source_oids(store *st, gint64 source, GError **err)
{
	g_autoptr(GHashTable) oids =
		g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				      (GDestroyNotify)g_bytes_unref, NULL);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT DISTINCT w.oid FROM location l JOIN raw w "
			 "ON w.id = l.raw WHERE l.source = ?",
			 INT(source));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_hash_table_add(oids,
				 g_bytes_new(sqlite3_column_blob(rows, 0),
					     sqlite3_column_bytes(rows, 0)));
	return rc < 0 ? NULL : g_steal_pointer(&oids);
}

/* Names of files are bytes; what is shown of them is text. */
static char *shown(const char *bytes)
{
	return g_utf8_make_valid(bytes ? bytes : "", -1);
}

gboolean archive_problem(store *st, const char *kind, const char *place,
			 const char *code, const char *text, GError **err)
{
	g_autofree char *where = shown(place);
	g_autofree char *line = shown(text);

	return db_run(st->state, err,
		      "INSERT OR IGNORE INTO problem VALUES (?, ?, ?, ?)",
		      TEXT(kind), TEXT(where), TEXT(code), TEXT(line));
}

gboolean archive_forget_problems(store *st, const char *place, GError **err)
{
	g_autofree char *where = shown(place);

	return db_run(st->state, err,
		      "DELETE FROM problem WHERE kind IN ('message', 'source') "
		      "AND place = ?",
		      TEXT(where));
}

gboolean archive_forget_unread(store *st, const char *place, GError **err)
{
	g_autofree char *where = shown(place);

	return db_run(st->state, err,
		      "DELETE FROM problem WHERE kind = 'source' AND place = ? "
		      "AND code IN ('missing', 'damaged', 'unreadable')",
		      TEXT(where));
}

gboolean archive_forget_path(store *st, const char *place, GError **err)
{
	g_autofree char *where = shown(place);

	return db_run(st->state, err,
		      "DELETE FROM problem WHERE kind = 'source' AND place = ? "
		      "AND code GLOB '" ARCHIVE_PATH_CODE "*'",
		      TEXT(where));
}

GPtrArray *archive_bad_paths(store *st, GError **err)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT DISTINCT place FROM problem WHERE kind = "
			 "'source' AND place NOTNULL "
			 "AND code GLOB '" ARCHIVE_PATH_CODE "*'");
	int more;

	while ((more = db_next(rows, err)) > 0)
		g_ptr_array_add(places, db_dup(rows, 0));
	return more < 0 ? NULL : g_steal_pointer(&places);
}

/* ---- adding */

static char *oid_hex(const guint8 *oid)
{
	GString *hex = g_string_sized_new(OID_LEN * 2);
	guint i;

	for (i = 0; i < OID_LEN; i++)
		g_string_append_printf(hex, "%02x", oid[i]);
	return g_string_free(hex, FALSE);
}

void archive_oid(GBytes *raw, guint8 oid[OID_LEN])
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);
	gsize len, out = OID_LEN;
	const guint8 *bytes = g_bytes_get_data(raw, &len);
	char head[32];
	int n = g_snprintf(head, sizeof(head), "blob %" G_GSIZE_FORMAT, len);

	g_checksum_update(sum, (const guchar *)head, n + 1);
	if (len)
		g_checksum_update(sum, bytes, len);
	g_checksum_get_digest(sum, oid, &out);
}

/* 0: not given. */
static gint64 given_list(store *st, const char *list, GError **err)
{
	return list ? intern_text(st, INTERN_LIST, list, err) : 0;
}

static gboolean add_location(store *st, gint64 raw, gint64 source, gint64 list,
			     gboolean *added, GError **err)
{
	if (!db_run(st->state, err,
		    "INSERT OR IGNORE INTO location VALUES (?, ?, ?)", INT(raw),
		    INT(source), INT(list)))
		return FALSE;
	*added = sqlite3_changes(db_handle(st->state)) > 0;
	return TRUE;
}

struct known_raw {
	gint64 id, spooled, received, date, node;
};

static int find_known(store *st, const guint8 *oid, struct known_raw *k,
		      GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, spooled, received, date, node FROM raw "
			 "WHERE oid = ?",
			 BLOB(oid, OID_LEN));
	int rc = db_next(rows, err);

	if (rc > 0)
		*k = (struct known_raw){db_int(rows, 0), db_int(rows, 1),
					db_int(rows, 2), db_int(rows, 3),
					db_int(rows, 4)};
	return rc;
}

/* The earliest time of receipt counts; it may decide the mail's date. */
static gboolean note_received(store *st, const struct known_raw *k,
			      gint64 received, gboolean *redate, GError **err)
{
	if (!received || (k->received != DB_NULL && k->received <= received))
		return TRUE;
	*redate = k->date == k->received ||
		  k->date > received + MESSAGE_DATE_SLACK;
	return db_run(st->state, err,
		      "UPDATE raw SET received = ? WHERE id = ?", INT(received),
		      INT(k->id));
}

gboolean archive_note(store *st, const guint8 oid[OID_LEN], gint64 source,
		      const char *list, gint64 received, gboolean *known,
		      GError **err)
{
	gboolean added = FALSE, redate = FALSE;
	struct known_raw k;
	int rc = find_known(st, oid, &k, err);
	gint64 on;

	*known = rc > 0 && k.node != DB_NULL;
	st->asked = rc == 0;
	memcpy(st->unknown, oid, OID_LEN);
	if (rc <= 0)
		return rc == 0;
	on = given_list(st, list, err);
	if (on < 0 || !add_location(st, k.id, source, on, &added, err) ||
	    !note_received(st, &k, received, &redate, err))
		return FALSE;
	return !*known || !(added || redate) ||
	       place_again(st, k.id, redate, err);
}

static gint64 insert_raw(store *st, const struct archive_incoming *in,
			 GError **err)
{
	GBytes *bytes = message_raw(in->reading->msg);

	if (!in->in_git && !spool_put(st, in->oid, bytes, err))
		return -1;
	if (!db_run(st->state, err,
		    "INSERT INTO raw (oid, size, spooled, received) "
		    "VALUES (?, ?, ?, ?)",
		    BLOB(in->oid, OID_LEN), INT(g_bytes_get_size(bytes)),
		    INT(!in->in_git),
		    INT(in->received ? in->received : DB_NULL)))
		return -1;
	return sqlite3_last_insert_rowid(db_handle(st->state));
}

/* The row is there, but its bytes could not be had when all was derived. */
static gboolean give_bytes(store *st, const struct known_raw *k,
			   const struct archive_incoming *in, GError **err)
{
	g_autofree char *name = oid_hex(in->oid);

	if (!in->in_git &&
	    (!spool_put(st, in->oid, message_raw(in->reading->msg), err) ||
	     !db_run(st->state, err, "UPDATE raw SET spooled = 1 WHERE id = ?",
		     INT(k->id))))
		return FALSE;
	return db_run(st->state, err,
		      "DELETE FROM problem WHERE kind = 'message' AND "
		      "place = ? AND code = 'bytes-gone'",
		      TEXT(name));
}

/* The row to be derived; -1 and *err. `fresh`: none is there. */
static gint64 raw_row(store *st, const struct archive_incoming *in,
		      gboolean fresh, GError **err)
{
	struct known_raw k;
	int rc = fresh ? 0 : find_known(st, in->oid, &k, err);

	if (rc == 0)
		return insert_raw(st, in, err);
	return rc > 0 && give_bytes(st, &k, in, err) ? k.id : -1;
}

gboolean archive_add(store *st, const struct archive_incoming *in,
		     enum archive_added *added, GError **err)
{
	/* usually archive_note() just did not find it */
	gboolean missing =
		st->asked && memcmp(st->unknown, in->oid, OID_LEN) == 0;
	gboolean known = FALSE;
	gint64 raw, on;

	if (!missing && !archive_note(st, in->oid, in->source, in->list,
				      in->received, &known, err))
		return FALSE;
	st->asked = FALSE;
	*added = ARCHIVE_SEEN;
	if (known)
		return TRUE;
	raw = raw_row(st, in, missing, err);
	on = raw < 0 ? -1 : given_list(st, in->list, err);
	return on >= 0 && add_location(st, raw, in->source, on, &known, err) &&
	       place_raw(st, raw, in->list, in->reading, added, err);
}

/* ---- removing */

/* The last git archive that has these bytes lets them go, but they were seen
 * elsewhere, too: keep them. What can't be had any more is told. */
static gboolean rescue(store *st, gint64 raw, const guint8 *oid, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autofree char *name = NULL;
	gint64 others = 0;

	if (db_get_int(st->state, &others, err,
		       "SELECT count(DISTINCT s.id) FROM location l JOIN "
		       "source s ON s.id = l.source WHERE l.raw = ? AND "
		       "s.kind = 'git'",
		       INT(raw)) < 0)
		return FALSE;
	if (others > 1)
		return TRUE;
	bytes = raw_load(st, raw, &why);
	if (bytes)
		return spool_put(st, oid, bytes, err) &&
		       db_run(st->state, err,
			      "UPDATE raw SET spooled = 1 WHERE id = ?",
			      INT(raw));
	if (!g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	name = oid_hex(oid);
	return archive_problem(st, "message", name, "bytes-gone", why->message,
			       err);
}

gboolean archive_remove(store *st, const guint8 oid[OID_LEN], gint64 source,
			gboolean *gone, GError **err)
{
	gint64 here = 0, elsewhere = 0;
	struct known_raw k;
	int rc = find_known(st, oid, &k, err);

	*gone = FALSE;
	if (rc <= 0)
		return rc == 0;
	if (db_get_int(st->state, &here, err,
		       "SELECT count(*) FROM location "
		       "WHERE raw = ? AND source = ?",
		       INT(k.id), INT(source)) < 0 ||
	    db_get_int(st->state, &elsewhere, err,
		       "SELECT count(*) FROM location "
		       "WHERE raw = ? AND source <> ?",
		       INT(k.id), INT(source)) < 0)
		return FALSE;
	if (!here)
		return TRUE;
	if (elsewhere && !k.spooled && !rescue(st, k.id, oid, err))
		return FALSE;
	if (!db_run(st->state, err,
		    "DELETE FROM location WHERE raw = ? AND source = ?",
		    INT(k.id), INT(source)))
		return FALSE;
	if (elsewhere)
		return place_again(st, k.id, FALSE, err);
	if (k.spooled)
		spool_drop(st, oid);
	return copies_remove(st, k.id, gone, err);
}

/* ---- reading back */

GBytes *archive_raw(store *st, const char *mid, GError **err)
{
	gint64 node, raw;

	if (node_find(st, mid, &node, err) < 1 ||
	    db_get_int(st->state, &raw, err,
		       "SELECT raw FROM node WHERE id = ?", INT(node)) < 1 ||
	    raw == DB_NULL)
		return NULL;
	return raw_load(st, raw, err);
}

/* One raw of each different mail, the primary copy first. */
static GArray *copies_of(store *st, gint64 node, GError **err)
{
	static const char sql[] =
		"SELECT id, loose FROM (SELECT * FROM raw WHERE id = "
		"(SELECT raw FROM node WHERE id = ?1) UNION ALL SELECT * FROM "
		"raw WHERE node = ?1 AND spare = 1) "
		"ORDER BY spare, rank, date IS NULL, date, hash, oid";
	g_autoptr(GArray) raws = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				      (GDestroyNotify)g_bytes_unref, NULL);
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(node));
	gint64 raw;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		raw = db_int(rows, 0);
		if (g_hash_table_add(
			    seen, g_bytes_new(sqlite3_column_blob(rows, 1),
					      sqlite3_column_bytes(rows, 1))))
			g_array_append_val(raws, raw);
	}
	return rc < 0 ? NULL : g_steal_pointer(&raws);
}

GPtrArray *archive_copies(store *st, const char *mid, GError **err)
{
	g_autoptr(GPtrArray) copies =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	g_autoptr(GArray) raws = NULL;
	gint64 node = 0;
	GBytes *bytes;
	guint i;

	if (node_find(st, mid, &node, err) < 1)
		return NULL;
	raws = copies_of(st, node, err);
	for (i = 0; raws && i < raws->len; i++) {
		bytes = raw_load(st, g_array_index(raws, gint64, i), err);
		if (!bytes)
			return NULL;
		g_ptr_array_add(copies, bytes);
	}
	return raws && copies->len ? g_steal_pointer(&copies) : NULL;
}
