/* migrate.c - versions of the files' schemas
 * A new file is made from the *.sql of this version. The derived tables of the
 * state are never migrated: they are dropped and derived again. */
#include "db/db_priv.h"

static const char *const state_scripts[] = {"/culprit/db/schema.sql",
					    "/culprit/db/derived.sql", NULL};
static const char *const spool_scripts[] = {"/culprit/db/spool.sql", NULL};

const struct db_kind state_kind = {
	.application_id = 0x63756c70, /* "culp" */
	.version = 1,
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
	"('meta', 'list', 'source', 'raw', 'location', 'problem')";

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
		      "date = NULL, clock = 0, list = NULL, hash = NULL, "
		      "loose = NULL");
}
