/* health.c - can everything that the rows refer to be had? */
#include "db/health.h"

#include <string.h>

#include "db/db_priv.h"

void health_place_free(struct health_place *p)
{
	if (!p)
		return;
	g_free(p->kind);
	g_free(p->place);
	g_free(p->fault);
	g_free(p);
}

static void note_fault(struct health_place *p, const GError *why)
{
	p->missing++;
	if (!p->fault)
		p->fault = g_strdup(why->message);
}

/* Fetch some mails, chosen by their ids, which are as good as random. */
static gboolean sample_git(store *st, gint64 source, struct health_place *p,
			   GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT r.oid FROM location l JOIN raw r ON r.id = l.raw "
		"WHERE l.source = ? AND NOT r.spooled ORDER BY r.oid LIMIT ?",
		INT(source), INT(HEALTH_SAMPLE));
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		g_autoptr(GError) why = NULL;
		g_autoptr(GBytes) raw = NULL;
		guint8 wanted[OID_LEN], got[OID_LEN];

		memcpy(wanted, sqlite3_column_blob(rows, 0), OID_LEN);
		raw = st->fetch(st->fetch_data, p->place, wanted, &why);
		if (raw)
			archive_oid(raw, got);
		if (raw && memcmp(got, wanted, OID_LEN))
			g_set_error(&why, STORE_ERROR, STORE_ERROR_MISSING,
				    "%s: a mail has changed", p->place);
		if (why)
			note_fault(p, why);
	}
	return rc == 0;
}

static gboolean add_git(store *st, GPtrArray *places, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT s.id, s.kind, s.place, (SELECT count(*) FROM location "
		"l JOIN raw r ON r.id = l.raw WHERE l.source = s.id AND NOT "
		"r.spooled) FROM source s WHERE s.kind = 'git' ORDER BY 3");
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		struct health_place *p = g_new0(struct health_place, 1);

		g_ptr_array_add(places, p);
		p->kind = db_dup(rows, 1);
		p->place = db_dup(rows, 2);
		p->mails = db_int(rows, 3);
		if (st->fetch && !sample_git(st, db_int(rows, 0), p, err))
			return FALSE;
	}
	return rc == 0;
}

static gboolean count_spooled(store *st, struct health_place *p, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err, "SELECT oid FROM raw WHERE spooled");
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		g_autoptr(GError) why = NULL;
		g_autoptr(GBytes) raw =
			spool_get(st, sqlite3_column_blob(rows, 0), &why);

		p->mails++;
		if (why)
			note_fault(p, why);
	}
	return rc == 0;
}

GPtrArray *health_places(store *st, GError **err)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(
		(GDestroyNotify)health_place_free);
	struct health_place *spool = g_new0(struct health_place, 1);

	spool->kind = g_strdup("spool");
	spool->place = g_strdup(store_spool_path(st));
	if (!add_git(st, places, err) || !count_spooled(st, spool, err)) {
		health_place_free(spool);
		return NULL;
	}
	g_ptr_array_add(places, spool);
	return g_steal_pointer(&places);
}

gboolean health_rebuild(store *st, gboolean *pending, GError **err)
{
	gint64 value;
	int rc = db_get_int(st->state, &value, err,
			    "SELECT 1 FROM meta WHERE key = 'rebuilding'");

	*pending = rc > 0;
	return rc >= 0;
}

gboolean health_gone(store *st, guint64 *mails, GError **err)
{
	gboolean pending = FALSE;
	gint64 n = 0;

	*mails = 0;
	if (!health_rebuild(st, &pending, err))
		return FALSE;
	if (!pending && db_get_int(st->state, &n, err,
				   "SELECT count(*) FROM raw WHERE node IS "
				   "NULL") < 0)
		return FALSE;
	*mails = (guint64)n;
	return TRUE;
}
