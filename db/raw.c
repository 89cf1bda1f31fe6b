/* raw.c - the bytes of a raw mail, wherever they are
 * In the spool, else in one of the git archives it was seen in. */
#include <string.h>

#include "db/copies.h"
#include "db/db_priv.h"

void archive_set_fetch(store *st, archive_fetch_fn fn, void *data)
{
	st->fetch = fn;
	st->fetch_data = data;
}

static GBytes *from_git(store *st, gint64 raw, const guint8 *oid, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT DISTINCT s.place FROM location l JOIN source s "
		"ON s.id = l.source WHERE l.raw = ? AND "
		"s.kind = 'git' ORDER BY s.id",
		INT(raw));
	g_autofree char *reason = NULL;
	GBytes *bytes = NULL;
	int rc;

	while (!bytes && (rc = db_next(rows, err)) > 0) {
		g_autoptr(GError) why = NULL;

		if (st->fetch)
			bytes = st->fetch(st->fetch_data, db_text(rows, 0), oid,
					  &why);
		if (why && !reason)
			reason = g_strdup(why->message);
	}
	if (bytes || rc < 0)
		return bytes;
	if (reason)
		g_set_error_literal(err, STORE_ERROR, STORE_ERROR_MISSING,
				    reason);
	else
		g_set_error(err, STORE_ERROR, STORE_ERROR_MISSING,
			    "%s: raw mail %" G_GINT64_FORMAT
			    " is in no archive any more",
			    st->path, raw);
	return NULL;
}

static GBytes *load(store *st, gint64 raw, gint64 *received, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT oid, spooled, received FROM raw WHERE id = ?",
			 INT(raw));
	guint8 oid[OID_LEN];
	gint64 spooled;
	int rc = db_next(rows, err);

	if (rc < 0)
		return NULL;
	if (rc == 0 || sqlite3_column_bytes(rows, 0) != OID_LEN) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_MISSING,
			    "%s: raw mail %" G_GINT64_FORMAT " is not there",
			    st->path, raw);
		return NULL;
	}
	memcpy(oid, sqlite3_column_blob(rows, 0), OID_LEN);
	spooled = db_int(rows, 1);
	*received = db_int(rows, 2) == DB_NULL ? 0 : db_int(rows, 2);
	g_clear_pointer(&rows, db_rows_done);
	return spooled ? spool_get(st, oid, err) : from_git(st, raw, oid, err);
}

GBytes *raw_load(store *st, gint64 raw, GError **err)
{
	gint64 received;

	return load(st, raw, &received, err);
}

message *raw_message(store *st, gint64 raw, GError **err)
{
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) why = NULL;
	message *msg;
	gint64 received;

	bytes = load(st, raw, &received, err);
	if (!bytes)
		return NULL;
	/* it was a mail when it came: these are not the bytes of then */
	msg = message_parse(bytes, received, &why);
	if (!msg)
		g_set_error(err, STORE_ERROR, STORE_ERROR_MISSING,
			    "%s: raw mail %" G_GINT64_FORMAT
			    " can't be read any more: %s",
			    st->path, raw, why->message);
	return msg;
}

struct reading *raw_read(store *st, gint64 raw, GError **err)
{
	g_autoptr(message) msg = raw_message(st, raw, err);

	return msg ? reading_new(msg) : NULL;
}
