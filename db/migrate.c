/* migrate.c - versions of the files' schemas
 * A new file is made from the *.sql of this version. The derived tables of the
 * state are never migrated: they are dropped, and the rebuild that is then
 * marked as begun derives them again. */
#include "db/db_priv.h"

static const char *const state_scripts[] = {"/culprit/db/schema.sql",
					    "/culprit/db/commits.sql",
					    "/culprit/db/outbox.sql",
					    "/culprit/db/derived.sql", NULL};
static const char *const spool_scripts[] = {"/culprit/db/spool.sql", NULL};

const struct db_kind state_kind = {
	.application_id = 0x63756c70, /* "culp" */
	.version = 4, /* 1: without measurements and commits; 2: without
		       * committers, and ids in notices; 3: without outbox */
	.scripts = state_scripts,
	.cache_kib = 64 * 1024,
};

const struct db_kind spool_kind = {
	.application_id = 0x63757370, /* "cusp" */
	.version = 1,
	.scripts = spool_scripts,
	.cache_kib = 4 * 1024,
};

/* All that is not the truth: whatever tables another version had. */
static const char derived_names[] =
	"SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') "
	"AND name NOT LIKE 'sqlite_%' AND name NOT IN "
	"('meta', 'list', 'source', 'raw', 'location', 'problem') "
	"AND name NOT LIKE 'git\\_%' ESCAPE '\\' "
	"AND name NOT IN ('outbox', 'outbox_rcpt', 'outbox_log', "
	"'outbox_bounce', 'outbox_loop', 'outbox_stop')";

static char *drop_statements(store *st, GError **err)
{
	g_autoptr(db_rows) rows = db_query(st->state, err, derived_names);
	g_autoptr(GString) drops = g_string_new(NULL);
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_string_append_printf(drops, "DROP %s \"%s\";",
				       db_text(rows, 0), db_text(rows, 1));
	return rc < 0 ? NULL : g_string_free(g_steal_pointer(&drops), FALSE);
}

gboolean migrate_drop_derived(store *st, GError **err)
{
	g_autofree char *drops = drop_statements(st, err);

	if (!drops || !db_script(st->state, drops, err) ||
	    !db_script_resource(st->state, "/culprit/db/derived.sql", err))
		return FALSE;
	intern_forget(st);
	st->next_node = 0;
	return db_run(st->state, err,
		      "UPDATE raw SET node = NULL, spare = 0, rank = 3, "
		      "date = NULL, list = NULL, hash = NULL, "
		      "loose = NULL");
}

/* The truth has been the same since version 1, but for what git trees have. */
static gboolean carry_over(store *st, void *data, GError **err)
{
	g_autofree char *mark =
		g_strdup_printf("PRAGMA user_version = %d", state_kind.version);
	gint64 version = 0;

	(void)data;
	/* another program may have done it in the meantime */
	return db_get_int(st->state, &version, err, "PRAGMA user_version") >=
		       0 &&
	       (version == state_kind.version ||
		(db_run(st->state, err,
			"DELETE FROM meta WHERE key = 'rebuilding'") &&
		 db_run(st->state, err,
			"CREATE INDEX IF NOT EXISTS location_source "
			"ON location (source)") &&
		 db_script_resource(st->state, "/culprit/db/commits.sql",
				    err) &&
		 db_script_resource(st->state, "/culprit/db/outbox.sql", err) &&
		 rebuild_begin(st, err) && db_script(st->state, mark, err)));
}

gboolean migrate_state(store *st, GError **err)
{
	gint64 version = 0;

	if (db_get_int(st->state, &version, err, "PRAGMA user_version") < 0)
		return FALSE;
	return version == state_kind.version ||
	       store_transact(st, carry_over, NULL, err);
}
