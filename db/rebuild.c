/* rebuild.c - all derived rows once more, from the stored raw mail
 * While meta has 'rebuilding', some raw rows are not derived yet; the next
 * rebuild goes on with those. */
#include "db/copies.h"
#include "db/db_priv.h"
#include "db/health.h"

#define REBUILD_BATCH 1000 /* mails of one transaction */

struct rebuild {
	gint64 last; /* raw row looked at */
	guint done, all;
	gboolean more;
};

gboolean rebuild_begin(store *st, GError **err)
{
	gint64 mark;
	int begun = db_get_int(st->state, &mark, err,
			       "SELECT value FROM meta "
			       "WHERE key = 'rebuilding'");

	if (begun)
		return begun > 0;
	return migrate_drop_derived(st, err) &&
	       db_run(st->state, err,
		      "DELETE FROM problem WHERE code = 'bytes-gone'") &&
	       db_run(st->state, err,
		      "INSERT INTO meta VALUES ('rebuilding', 1)") &&
	       db_run(st->state, err,
		      "INSERT INTO meta VALUES ('generation', 1) "
		      "ON CONFLICT (key) DO UPDATE SET value = value + 1");
}

static gboolean start(store *st, void *data, GError **err)
{
	struct rebuild *b = data;
	gint64 all = 0;

	if (!rebuild_begin(st, err) ||
	    db_get_int(st->state, &all, err,
		       "SELECT count(*) FROM raw WHERE node IS NULL") < 0)
		return FALSE;
	b->all = all;
	return TRUE;
}

static char *hex_of(store *st, gint64 raw)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, NULL,
			 "SELECT lower(hex(oid)) FROM raw WHERE id = ?",
			 INT(raw));

	return db_next(rows, NULL) > 0 ? db_dup(rows, 0) : NULL;
}

/* The next import shall look at all that has it, should it be there by then. */
static gboolean note_gone(store *st, gint64 raw, const GError *why,
			  GError **err)
{
	g_autofree char *name = hex_of(st, raw);

	return archive_problem(st, "message", name, "bytes-gone", why->message,
			       err) &&
	       db_run(st->state, err,
		      "UPDATE source SET cursor = NULL WHERE cursor IS NOT "
		      "NULL AND id IN (SELECT source FROM location WHERE "
		      "raw = ?)",
		      INT(raw));
}

static gboolean derive_one(store *st, gint64 raw, GError **err)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(reading_auto) r = raw_read(st, raw, &why);
	enum archive_added added;

	if (r)
		return place_raw(st, raw, NULL, r, &added, err);
	if (!g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
		g_propagate_error(err, g_steal_pointer(&why));
		return FALSE;
	}
	return note_gone(st, raw, why, err);
}

static gboolean next_raw(store *st, struct rebuild *b, GError **err)
{
	gint64 raw;
	int rc = db_get_int(st->state, &raw, err,
			    "SELECT id FROM raw WHERE id > ? AND "
			    "node IS NULL ORDER BY id LIMIT 1",
			    INT(b->last));

	b->more = rc > 0;
	if (rc <= 0)
		return rc == 0;
	b->last = raw;
	b->done++;
	return derive_one(st, raw, err);
}

static gboolean derive_batch(store *st, void *data, GError **err)
{
	struct rebuild *b = data;
	guint i;

	b->more = TRUE;
	for (i = 0; b->more && i < REBUILD_BATCH; i++)
		if (!next_raw(st, b, err))
			return FALSE;
	return b->more || db_run(st->state, err,
				 "DELETE FROM meta WHERE key = 'rebuilding'");
}

/* What can't be read shall not be thrown away, for it would not come again. */
static gboolean can_start(store *st, GError **err)
{
	gboolean pending;

	return health_rebuild(st, &pending, err) &&
	       (pending || store_check(st, err));
}

gboolean archive_rebuild(store *st, store_progress progress, void *data,
			 GError **err)
{
	struct rebuild b = {.more = TRUE};

	if (!can_start(st, err) || !store_transact(st, start, &b, err))
		return FALSE;
	while (b.more) {
		if (!store_transact(st, derive_batch, &b, err))
			return FALSE;
		if (progress && !progress(b.done, b.all, data))
			break;
	}
	return TRUE;
}
