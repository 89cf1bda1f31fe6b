/* place.c - what one raw mail says of itself as a copy
 * Its date, its List-Id, and the best rank of the lists it was seen on: that
 * by which the primary copy of an id is chosen. */
#include "db/copies.h"
#include "db/db_priv.h"

static gint64 own_list(store *st, const message *msg, GError **err)
{
	GPtrArray *ids = message_list_ids(msg);

	if (!ids->len)
		return DB_NULL;
	return intern_text(st, INTERN_LIST, ids->pdata[0], err);
}

/* Without a Received field the date may hang on what a transport said. */
static gboolean write_facts(store *st, gint64 raw, const struct reading *r,
			    GError **err)
{
	static const char sql[] =
		"UPDATE raw SET date = ?1, clock = ?2, list = ?3, rank = "
		"(SELECT min(coalesce(l.rank, 3)) FROM location x LEFT JOIN "
		"list l ON l.id = CASE x.list WHEN 0 THEN ?3 ELSE x.list END "
		"WHERE x.raw = ?4) WHERE id = ?4";
	gint64 list = own_list(st, r->msg, err);
	gint64 date = message_date(r->msg);

	return list != -1 &&
	       db_run(st->state, err, sql, INT(date ? date : DB_NULL),
		      INT(!header_find(message_header(r->msg), "Received")),
		      INT(list), INT(raw));
}

gboolean place_raw(store *st, gint64 raw, const struct reading *r,
		   enum archive_added *added, GError **err)
{
	return write_facts(st, raw, r, err) &&
	       copies_add(st, raw, r, added, err);
}

gboolean place_again(store *st, gint64 raw, gboolean redate, GError **err)
{
	static const char sql[] =
		"SELECT min(coalesce(l.rank, 3)), w.rank FROM raw w JOIN "
		"location x ON x.raw = w.id LEFT JOIN list l ON l.id = "
		"CASE x.list WHEN 0 THEN w.list ELSE x.list END WHERE w.id = ?";
	g_autoptr(reading_auto) r = NULL;
	g_autoptr(GError) why = NULL;
	g_autoptr(db_rows) rows = NULL;
	gint64 rank, old;

	if (redate) {
		r = raw_read(st, raw, &why);
		if (r)
			return write_facts(st, raw, r, err) &&
			       copies_changed(st, raw, TRUE, err);
		if (!g_error_matches(why, STORE_ERROR, STORE_ERROR_MISSING)) {
			g_propagate_error(err, g_steal_pointer(&why));
			return FALSE;
		}
	}
	rows = db_query(st->state, err, sql, INT(raw));
	if (db_next(rows, err) < 1)
		return FALSE;
	rank = db_int(rows, 0);
	old = db_int(rows, 1);
	g_clear_pointer(&rows, db_rows_done);
	if (rank == old || rank == DB_NULL)
		return TRUE;
	return db_run(st->state, err, "UPDATE raw SET rank = ? WHERE id = ?",
		      INT(rank), INT(raw)) &&
	       copies_changed(st, raw, FALSE, err);
}
