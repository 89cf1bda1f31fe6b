/* search_file.c - the full text file: opened, thrown away, and blamed
 * It holds nothing that can't be made again; but what is not a full text of
 * ours is never removed. Opening it writes nothing once it is there. */
#include <glib/gstdio.h>
#include <string.h>

#include "db/search_priv.h"

#define FTS_APPLICATION_ID 0x63756674 /* "cuft" */
#define FTS_VERSION	   1

static const char *const fts_scripts[] = {"/culprit/db/fts.sql", NULL};
static const struct db_kind fts_kind = {
	.application_id = FTS_APPLICATION_ID,
	.version = FTS_VERSION,
	.scripts = fts_scripts,
	.cache_kib = 8192,
};

static void search_free(void *data)
{
	struct search *s = data;

	db_close(s->fts);
	g_hash_table_unref(s->queue);
	g_free(s);
}

static struct search *unopened(store *st)
{
	struct search *s = st->search;

	if (s)
		return s;
	s = g_new0(struct search, 1);
	s->queue = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					 (GDestroyNotify)search_doc_free);
	st->search_free = search_free;
	return st->search = s;
}

GHashTable *search_queued(store *st)
{
	return unopened(st)->queue;
}

/* ---- throwing it away */

/* By its name where nobody chose it, else by what it begins with. */
static gboolean is_ours(store *st, const char *path)
{
	static const char magic[] = "SQLite format 3";
	const gsize at = 68; /* application id, high byte first */
	g_autofree char *bytes = NULL;
	guint32 id;
	FILE *f;
	gsize got;

	if (!st->fts_named)
		return TRUE;
	f = g_fopen(path, "re");
	if (!f)
		return FALSE;
	bytes = g_malloc0(at + sizeof(id));
	got = fread(bytes, 1, at + sizeof(id), f);
	fclose(f);
	memcpy(&id, bytes + at, sizeof(id));
	return got == at + sizeof(id) && !memcmp(bytes, magic, sizeof(magic)) &&
	       GUINT32_FROM_BE(id) == FTS_APPLICATION_ID;
}

static gboolean discard(store *st, GError **err)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	const char *path = store_fts_path(st);

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return TRUE;
	if (!is_ours(st, path)) {
		g_set_error(err, STORE_ERROR, STORE_ERROR_CORRUPT,
			    "%s: is no full text of culprit, so it is left "
			    "alone; remove it or set fts to another path",
			    path);
		return FALSE;
	}
	for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *file = g_strconcat(path, suffixes[i], NULL);

		g_unlink(file);
	}
	return TRUE;
}

gboolean search_discard(store *st, GError **err)
{
	g_clear_pointer(&unopened(st)->fts, db_close);
	return discard(st, err);
}

/* ---- opening */

static db *open_file(store *st, gboolean *transient, GError **err)
{
	const char *path = store_fts_path(st);
	g_autoptr(GError) why = NULL;
	db *fts = db_open(path, &fts_kind, st->mode, &why);

	if (!fts && st->mode == STORE_WRITE && why &&
	    why->domain == STORE_ERROR &&
	    (why->code == STORE_ERROR_CORRUPT ||
	     why->code == STORE_ERROR_SCHEMA)) {
		if (!discard(st, err))
			return NULL;
		g_message("%s; the full text is made again", why->message);
		g_clear_error(&why);
		fts = db_open(path, &fts_kind, st->mode, &why);
	}
	*transient = !fts && !why;
	if (*transient)
		fts = db_open(":memory:", &fts_kind, STORE_WRITE, &why);
	if (!fts)
		g_propagate_error(err, g_steal_pointer(&why));
	return fts;
}

struct search *search_of(store *st, GError **err)
{
	struct search *s = unopened(st);
	g_autoptr(db) fts = NULL;

	if (s->fts)
		return s;
	fts = open_file(st, &s->transient, err);
	if (!fts ||
	    !db_run(fts, err, "ATTACH ?1 AS state", TEXT(db_path(st->state))) ||
	    (st->mode == STORE_WRITE &&
	     !db_script(fts, "PRAGMA main.synchronous = NORMAL", err)))
		return NULL;
	s->fts = g_steal_pointer(&fts);
	return s;
}

/* ---- whose fault it is */

gboolean search_blame(store *st, GError **err)
{
	g_autoptr(GError) state = NULL;

	if (!err || !g_error_matches(*err, STORE_ERROR, STORE_ERROR_CORRUPT) ||
	    !unopened(st)->fts)
		return FALSE;
	g_clear_error(err);
	if (!db_check(st->state, &state))
		g_propagate_error(err, g_steal_pointer(&state));
	else
		g_set_error(err, STORE_ERROR, STORE_ERROR_CORRUPT,
			    "%s: the full text is damaged; culprit index "
			    "--again makes it anew",
			    store_fts_path(st));
	return FALSE;
}
