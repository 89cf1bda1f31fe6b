/* commits.c - commits by their names, and what they say of others */
#include "db/commits.h"

#include <string.h>

#include "mail/subject.h"

#include "db/commit_priv.h"

#define HEX_LEN (2 * COMMIT_OID_LEN)

static const char *const says_words[] = {"link",   "closes",  "mentions",
					 "fixes",  "reverts", "backports",
					 "picked", "mentions"};

const char *commit_says_name(enum commit_says says)
{
	return says_words[says];
}

void commit_free(struct commit *c)
{
	if (!c)
		return;
	g_free(c->id);
	g_free(c->subject);
	g_free(c->author_name);
	g_free(c->author_address);
	g_free(c->patch_id);
	g_free(c->trailers);
	g_free(c);
}

struct commit *commit_read(sqlite3_stmt *rows, int col)
{
	struct commit *c = g_new0(struct commit, 1);

	c->row = db_int(rows, col);
	c->id = db_dup(rows, col + 1);
	c->subject = db_dup(rows, col + 2);
	c->author_name = db_dup(rows, col + 3);
	c->author_address = db_dup(rows, col + 4);
	c->author_date = db_int(rows, col + 5);
	c->commit_date = db_int(rows, col + 6);
	c->parents = (guint)db_int(rows, col + 7);
	c->patch_id = db_dup(rows, col + 8);
	c->trailers = db_dup(rows, col + 9);
	return c;
}

struct commit *commit_load(store *st, gint64 row, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT " COMMIT_COLUMNS COMMIT_TABLES
			 "WHERE c.id = ?",
			 INT(row));

	return db_next(rows, err) > 0 ? commit_read(rows, 0) : NULL;
}

gboolean commit_take_ids(sqlite3_stmt *rows, GArray *out, GError **err)
{
	gint64 id;
	int rc;

	while ((rc = db_next(rows, err)) > 0) {
		id = db_int(rows, 0);
		g_array_append_val(out, id);
	}
	return rc == 0;
}

/* ---- by id */

gboolean commit_id_range(const char *prefix, guint8 low[COMMIT_OID_LEN],
			 guint8 high[COMMIT_OID_LEN])
{
	gsize len = strlen(prefix);

	if (len < COMMITS_MIN_PREFIX || len > HEX_LEN)
		return FALSE;
	memset(low, 0, COMMIT_OID_LEN);
	memset(high, 0xff, COMMIT_OID_LEN);
	for (gsize i = 0; i < len; i++) {
		int digit = g_ascii_xdigit_value(prefix[i]);
		int shift = i % 2 ? 0 : 4;

		if (digit < 0)
			return FALSE;
		low[i / 2] |= (guint8)(digit << shift);
		high[i / 2] &= (guint8)(digit << shift | (shift ? 0x0f : 0xf0));
	}
	return TRUE;
}

static gboolean same_title(const char *a, const char *b)
{
	g_autofree char *x = subject_key(a), *y = subject_key(b);

	return g_str_equal(x, y);
}

struct commit *commit_find(store *st, const char *prefix, const char *subject,
			   gboolean *many, GError **err)
{
	guint8 low[COMMIT_OID_LEN], high[COMMIT_OID_LEN];
	g_autoptr(db_rows) rows = NULL;
	g_autoptr(commit_auto) found = NULL;
	gboolean several = FALSE, sure = FALSE;
	int rc;

	if (many)
		*many = FALSE;
	if (!commit_id_range(prefix, low, high))
		return NULL;
	rows = db_query(st->state, err,
			"SELECT " COMMIT_COLUMNS COMMIT_TABLES
			"WHERE c.oid BETWEEN ? AND ? ORDER BY c.oid LIMIT ?",
			BLOB(low, COMMIT_OID_LEN), BLOB(high, COMMIT_OID_LEN),
			INT(COMMITS_MAX));
	while ((rc = db_next(rows, err)) > 0) {
		g_autoptr(commit_auto) c = commit_read(rows, 0);
		gboolean fits = subject && same_title(c->subject, subject);

		if (found && sure == fits)
			several = TRUE;
		if (found && (sure || !fits))
			continue;
		if (fits)
			several = FALSE;
		commit_free(found);
		found = g_steal_pointer(&c);
		sure = fits;
	}
	if (rc < 0)
		return NULL;
	if (many)
		*many = several;
	return several ? NULL : g_steal_pointer(&found);
}

static GPtrArray *take_commits(sqlite3_stmt *rows, GError **err)
{
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func((GDestroyNotify)commit_free);
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, commit_read(rows, 0));
	return rc ? NULL : g_steal_pointer(&out);
}

GPtrArray *commits_by_title(store *st, const char *title, const char *author,
			    GError **err)
{
	g_autofree char *key = subject_key(title);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT " COMMIT_COLUMNS COMMIT_TABLES
			 "WHERE c.title_key = ?1 AND (?2 IS NULL OR "
			 "w.address = ?2 COLLATE NOCASE) "
			 "ORDER BY c.commit_date, c.oid LIMIT ?3",
			 TEXT(key), TEXT(author), INT(COMMITS_MAX));

	return take_commits(rows, err);
}

GPtrArray *commit_files(store *st, const struct commit *c, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	gint64 known = DB_NULL;
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (db_get_int(st->state, &known, err,
		       "SELECT files FROM git_commit WHERE id = ?",
		       INT(c->row)) < 0 ||
	    known == DB_NULL)
		return NULL;
	rows = db_query(st->state, err,
			"SELECT p.text FROM git_file f JOIN git_path p "
			"ON p.id = f.path WHERE f.git_commit = ? "
			"ORDER BY p.text",
			INT(c->row));
	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, db_dup(rows, 0));
	return rc ? NULL : g_steal_pointer(&out);
}

/* ---- what they say */

void commit_saying_free(struct commit_saying *s)
{
	if (!s)
		return;
	commit_free(s->commit);
	g_free(s->id);
	g_free(s->subject);
	g_free(s->mid);
	g_free(s->url);
	g_free(s);
}

#define SAYING_SELECT                                                 \
	"SELECT " COMMIT_COLUMNS ", s.says, s.id, s.subject, s.mid, " \
	"s.url FROM git_saying s JOIN git_commit c "                  \
	"ON c.id = s.git_commit JOIN git_person w ON w.id = c.author "
#define SAYING_ORDER "ORDER BY c.commit_date, c.oid, s.seq LIMIT "

static struct commit_saying *read_saying(sqlite3_stmt *rows)
{
	struct commit_saying *s = g_new0(struct commit_saying, 1);

	s->commit = commit_read(rows, 0);
	s->says = (enum commit_says)db_int(rows, COMMIT_COLUMN_COUNT);
	s->id = db_dup(rows, COMMIT_COLUMN_COUNT + 1);
	s->subject = db_dup(rows, COMMIT_COLUMN_COUNT + 2);
	s->mid = db_dup(rows, COMMIT_COLUMN_COUNT + 3);
	s->url = db_dup(rows, COMMIT_COLUMN_COUNT + 4);
	return s;
}

static GPtrArray *take_sayings(sqlite3_stmt *rows, GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_saying_free);
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, read_saying(rows));
	return rc ? NULL : g_steal_pointer(&out);
}

/* Does this abbreviation mean that commit, and not another that begins so? */
static gboolean is_meant(store *st, const struct commit_saying *s,
			 const char *id, GError **err)
{
	g_autoptr(commit_auto) one = NULL;
	gboolean many;

	if (strlen(s->id) == HEX_LEN)
		return TRUE;
	one = commit_find(st, s->id, s->subject, &many, err);
	return one ? g_str_equal(one->id, id) : !many;
}

/* What gives a wrong id or none, but this title. */
static gboolean add_by_title(store *st, enum commit_says says, const char *id,
			     GPtrArray *out, GError **err)
{
	g_autoptr(commit_auto) c = commit_find(st, id, NULL, NULL, err);
	g_autofree char *key = c ? subject_key(c->subject) : NULL;
	g_autoptr(db_rows) rows = NULL;
	g_autoptr(GPtrArray) some = NULL;

	if (!c)
		return !err || !*err;
	rows = db_query(st->state, err,
			SAYING_SELECT
			"WHERE s.title_key = ?1 AND s.says = ?2 "
			"AND c.id <> ?3 AND c.commit_date >= ?4 " SAYING_ORDER
			"?5",
			TEXT(key), INT(says), INT(c->row), INT(c->commit_date),
			INT(COMMITS_MAX));
	some = take_sayings(rows, err);
	for (guint i = 0; some && i < some->len; i++) {
		struct commit_saying *s = some->pdata[i];
		g_autoptr(commit_auto) named =
			s->id ? commit_find(st, s->id, NULL, NULL, NULL) : NULL;

		if (named)
			continue;
		g_ptr_array_add(out, s);
		some->pdata[i] = NULL;
	}
	return some != NULL;
}

static int by_commit(gconstpointer a, gconstpointer b)
{
	const struct commit_saying *x = *(struct commit_saying *const *)a;
	const struct commit_saying *y = *(struct commit_saying *const *)b;

	if (x->commit->commit_date != y->commit->commit_date)
		return x->commit->commit_date < y->commit->commit_date ? -1 : 1;
	return strcmp(x->commit->id, y->commit->id);
}

GPtrArray *commits_saying(store *st, enum commit_says says, const char *id,
			  GError **err)
{
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_saying_free);
	g_autofree char *low = g_ascii_strdown(id, -1);
	g_autoptr(GPtrArray) some = NULL;
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 SAYING_SELECT
			 "WHERE substr(s.id, 1, 7) = substr(?1, 1, 7) "
			 "AND s.says = ?2 AND substr(?1, 1, length(s.id)) = "
			 "s.id " SAYING_ORDER "?3",
			 TEXT(low), INT(says), INT(COMMITS_MAX));
	GError *error = NULL;

	some = take_sayings(rows, err);
	if (!some)
		return NULL;
	for (guint i = 0; i < some->len; i++) {
		gboolean meant = is_meant(st, some->pdata[i], low, &error);

		if (error) {
			g_propagate_error(err, error);
			return NULL;
		}
		if (!meant)
			continue;
		g_ptr_array_add(out, some->pdata[i]);
		some->pdata[i] = NULL;
	}
	if (!add_by_title(st, says, low, out, err))
		return NULL;
	g_ptr_array_sort(out, by_commit);
	return g_steal_pointer(&out);
}

GPtrArray *commits_linking(store *st, const char *mid, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 SAYING_SELECT
			 "WHERE s.mid = ? COLLATE NOCASE " SAYING_ORDER "?",
			 TEXT(mid), INT(COMMITS_MAX));

	return take_sayings(rows, err);
}

GPtrArray *commits_linking_url(store *st, const char *url, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 SAYING_SELECT
			 "WHERE s.url = ? AND s.mid IS NULL " SAYING_ORDER "?",
			 TEXT(url), INT(COMMITS_MAX));

	return take_sayings(rows, err);
}

GPtrArray *commit_sayings(store *st, const struct commit *c, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 SAYING_SELECT
			 "WHERE s.git_commit = ? ORDER BY s.seq LIMIT ?",
			 INT(c->row), INT(COMMIT_MAX_NOTES));

	return take_sayings(rows, err);
}
