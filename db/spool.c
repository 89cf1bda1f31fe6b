/* spool.c - raw mail that no git archive holds, zstd-compressed
 * A file of its own with a transaction of its own, committed before the state
 * that refers to it. Opened when first needed. */
#include <zstd.h>

#include "db/db_priv.h"

#define SPOOL_LEVEL	3
#define SPOOL_MAX_BYTES (1024 * 1024 * 1024) /* of one mail, unpacked */

struct spool {
	db *d;
	gboolean open;	    /* in a transaction */
	GPtrArray *dropped; /* GBytes: oids to delete after the commit */
	ZSTD_CCtx *pack;
	ZSTD_DCtx *unpack;
	GByteArray *buffer;
};

static void spool_free(struct spool *s)
{
	if (!s)
		return;
	db_close(s->d);
	g_ptr_array_unref(s->dropped);
	ZSTD_freeCCtx(s->pack);
	ZSTD_freeDCtx(s->unpack);
	g_byte_array_unref(s->buffer);
	g_free(s);
}

static struct spool *opened(store *st, GError **err)
{
	struct spool *s;
	db *d;

	if (st->spool)
		return st->spool;
	d = db_open(store_spool_path(st), &spool_kind, st->mode, err);
	if (!d)
		return NULL;
	s = g_new0(struct spool, 1);
	s->d = d;
	s->dropped =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	s->pack = ZSTD_createCCtx();
	s->unpack = ZSTD_createDCtx();
	s->buffer = g_byte_array_new();
	st->spool = s;
	return s;
}

db *spool_db(store *st, GError **err)
{
	struct spool *s = opened(st, err);

	return s ? s->d : NULL;
}

void spool_close(store *st)
{
	g_clear_pointer(&st->spool, spool_free);
}

static gboolean begin(struct spool *s, GError **err)
{
	if (!s->open)
		s->open = db_run(s->d, err, "BEGIN IMMEDIATE");
	return s->open;
}

gboolean spool_put(store *st, const guint8 *oid, GBytes *raw, GError **err)
{
	struct spool *s = opened(st, err);
	gsize len, packed;
	const void *bytes = g_bytes_get_data(raw, &len);

	if (!s || !begin(s, err))
		return FALSE;
	g_byte_array_set_size(s->buffer, ZSTD_compressBound(len));
	packed = ZSTD_compressCCtx(s->pack, s->buffer->data, s->buffer->len,
				   bytes, len, SPOOL_LEVEL);
	if (ZSTD_isError(packed)) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_IO, "%s: %s",
			    db_path(s->d), ZSTD_getErrorName(packed));
		return FALSE;
	}
	return db_run(s->d, err, "INSERT OR REPLACE INTO blob VALUES (?, ?, ?)",
		      BLOB(oid, OID_LEN), INT((gint64)len),
		      BLOB(s->buffer->data, (int)packed));
}

static GBytes *unpack(struct spool *s, db_rows *rows, GError **err)
{
	gint64 size = db_int(rows, 0);
	g_autofree void *data = NULL;
	gsize len = 0;

	if (size >= 0 && size <= SPOOL_MAX_BYTES) {
		data = g_malloc(size + 1);
		len = ZSTD_decompressDCtx(s->unpack, data, size,
					  sqlite3_column_blob(rows, 1),
					  sqlite3_column_bytes(rows, 1));
	}
	if (!data || ZSTD_isError(len) || len != (gsize)size) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_MISSING,
			    "%s: a stored mail is damaged", db_path(s->d));
		return NULL;
	}
	return g_bytes_new_take(g_steal_pointer(&data), len);
}

GBytes *spool_get(store *st, const guint8 *oid, GError **err)
{
	g_autoptr(GError) why = NULL;
	struct spool *s = opened(st, &why);
	g_autoptr(db_rows) rows = NULL;
	int rc = 0;

	if (why) {
		g_propagate_error(err, g_steal_pointer(&why));
		return NULL;
	}
	if (s) {
		rows = db_query(s->d, err,
				"SELECT size, data FROM blob WHERE oid = ?",
				BLOB(oid, OID_LEN));
		rc = db_next(rows, err);
	}
	if (rc > 0)
		return unpack(s, rows, err);
	if (rc == 0)
		g_set_error(err, STORE_ERROR, STORE_ERROR_MISSING,
			    "%s: a stored mail is gone", store_spool_path(st));
	return NULL;
}

void spool_drop(store *st, const guint8 *oid)
{
	struct spool *s = opened(st, NULL);

	if (s)
		g_ptr_array_add(s->dropped, g_bytes_new(oid, OID_LEN));
}

gboolean spool_commit(store *st, GError **err)
{
	struct spool *s = st->spool;

	if (!s || !s->open)
		return TRUE;
	if (!db_run(s->d, err, "COMMIT"))
		return FALSE;
	s->open = FALSE;
	return TRUE;
}

/* Still wanted if the same bytes came again; nobody may add them meanwhile,
 * so both files are locked. */
static void delete_unused(store *st, struct spool *s, const guint8 *oid)
{
	gint64 id;

	if (db_get_int(st->state, &id, NULL,
		       "SELECT id FROM raw WHERE oid = ? AND spooled = 1",
		       BLOB(oid, OID_LEN)) == 0)
		db_run(s->d, NULL, "DELETE FROM blob WHERE oid = ?",
		       BLOB(oid, OID_LEN));
}

void spool_purge(store *st)
{
	struct spool *s = st->spool;
	guint i;

	if (!s || !s->dropped->len)
		return;
	if (db_run(st->state, NULL, "BEGIN IMMEDIATE") && begin(s, NULL)) {
		for (i = 0; i < s->dropped->len; i++)
			delete_unused(st, s,
				      g_bytes_get_data(s->dropped->pdata[i],
						       NULL));
		spool_commit(st, NULL);
	}
	spool_rollback(st);
	if (!sqlite3_get_autocommit(db_handle(st->state)))
		db_run(st->state, NULL, "ROLLBACK");
}

void spool_rollback(store *st)
{
	struct spool *s = st->spool;

	if (!s)
		return;
	if (s->open && !sqlite3_get_autocommit(db_handle(s->d)))
		db_run(s->d, NULL, "ROLLBACK");
	s->open = FALSE;
	g_ptr_array_set_size(s->dropped, 0);
}
