/* derive_patch.c - what a series is assembled from: the patch rows
 * See mail/series.h for the meaning of each fact. */
#include <string.h>

#include "db/db_priv.h"
#include "db/derive.h"

#define PATCH_ID_LEN 20

enum { FILE_CHANGED, FILE_ADDED, FILE_DELETED };

/* " 3 files changed, 5 insertions(+)": how a diffstat ends. */
static gboolean has_diffstat(const char *text)
{
	const char *at = text, *end;

	while ((at = strstr(at, " file"))) {
		end = at + strlen(" file");
		end += *end == 's';
		if (at > text && g_ascii_isdigit(at[-1]) &&
		    g_str_has_prefix(end, " changed"))
			return TRUE;
		at = end;
	}
	return FALSE;
}

static char *tags_of(const struct subject *s)
{
	GString *tags = g_string_new(NULL);
	guint i;

	for (i = 0; i < s->prefixes->len; i++) {
		g_autofree char *low =
			g_utf8_casefold(s->prefixes->pdata[i], -1);

		if (i)
			g_string_append_c(tags, ',');
		g_string_append(tags, low);
	}
	return g_string_free(tags, FALSE);
}

/* "commit <sha> upstream.": the first one. */
static const char *backport_of(const struct reading *r)
{
	const struct commit_ref *c;
	guint i;

	for (i = 0; i < r->commits->len; i++) {
		c = r->commits->pdata[i];
		if (c->role == COMMIT_PARENT)
			return c->id;
	}
	return NULL;
}

static gboolean hex_bytes(const char *hex, guint8 *out, guint n)
{
	guint i;

	if (!hex || strlen(hex) != 2 * n)
		return FALSE;
	for (i = 0; i < n; i++) {
		int high = g_ascii_xdigit_value(hex[2 * i]);
		int low = g_ascii_xdigit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return FALSE;
		out[i] = high << 4 | low;
	}
	return TRUE;
}

static gboolean derive_files(store *st, gint64 node, const struct diff *d,
			     GError **err)
{
	const struct diff_file *f;
	gint64 path, old;
	guint i;

	for (i = 0; d && i < d->files->len; i++) {
		f = d->files->pdata[i];
		path = intern_text(st, INTERN_PATH, f->path, err);
		old = f->old_path
			      ? intern_text(st, INTERN_PATH, f->old_path, err)
			      : DB_NULL;
		if (path < 0 || old == -1 ||
		    !db_run(st->state, err,
			    "INSERT INTO patch_file (node, seq, path, "
			    "old_path, status, binary, insertions, deletions) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			    INT(node), INT(i), INT(path), INT(old),
			    INT(f->added     ? FILE_ADDED
				: f->deleted ? FILE_DELETED
					     : FILE_CHANGED),
			    INT(f->binary), INT(f->insertions),
			    INT(f->deletions)))
			return FALSE;
	}
	return TRUE;
}

static gint64 or_null(int n)
{
	return n < 0 ? DB_NULL : n;
}

static gboolean insert_patch(store *st, gint64 node, const struct reading *r,
			     gboolean diffstat, GError **err)
{
	static const char sql[] =
		"INSERT INTO patch (node, date, sender, author, "
		"author_person, patch_like, reply, version, version_stated, "
		"number, total, rfc, resend, stable, has_diff, has_diffstat, "
		"insertions, deletions, title_key, title, tags, patch_id, "
		"mended_id, blobs, change_id, base_commit, backport_of, "
		"prerequisites, older) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	const struct subject *s = r->subject;
	const struct patch *p = r->patch;
	const struct diff *d = p ? p->diff : NULL;
	const struct address *from = message_from(r->msg);
	const struct address *author = p ? p->author : from;
	const char *title = p && p->title ? p->title : s->base;
	g_autofree char *key = subject_key(title), *tags = tags_of(s);
	g_autofree char *needs = p ? derive_lines(p->prerequisites) : NULL;
	g_autofree char *older = p ? derive_lines(p->older_links) : NULL;
	gint64 date = message_date(r->msg);
	gint64 sender_id = intern_address(st, from->address, err);
	gint64 author_id = intern_address(st, author->address, err);
	gint64 person = intern_person(st, author, err);
	guint8 id[PATCH_ID_LEN], mended[PATCH_ID_LEN], blobs[DIFF_BLOBS_LEN];
	gboolean has_id = d && hex_bytes(d->patch_id, id, sizeof(id));
	gboolean is_mended = d && hex_bytes(d->mended_id, mended, sizeof(id));
	gboolean has_blobs = d && diff_blobs_key(d, blobs);

	return sender_id > 0 && author_id > 0 && person > 0 &&
	       db_run(st->state, err, sql, INT(node),
		      INT(date ? date : DB_NULL), INT(sender_id),
		      INT(author_id), INT(person),
		      INT(r->kind == KIND_PATCH || r->kind == KIND_COVER),
		      INT(s->reply), INT(s->version), INT(s->version_stated),
		      INT(or_null(s->number)), INT(or_null(s->total)),
		      INT(s->rfc), INT(s->resend), INT(s->stable),
		      INT(d != NULL), INT(diffstat),
		      INT(d ? (gint64)d->insertions : DB_NULL),
		      INT(d ? (gint64)d->deletions : DB_NULL), TEXT(key),
		      TEXT(g_str_equal(title, s->base) ? NULL : title),
		      TEXT(tags), BLOB(has_id ? id : NULL, PATCH_ID_LEN),
		      BLOB(is_mended ? mended : NULL, PATCH_ID_LEN),
		      BLOB(has_blobs ? blobs : NULL, DIFF_BLOBS_LEN),
		      TEXT(p ? p->change_id : NULL),
		      TEXT(p ? p->base_commit : NULL), TEXT(backport_of(r)),
		      TEXT(needs), TEXT(older));
}

gboolean derive_patch(store *st, gint64 node, const struct reading *r,
		      GError **err)
{
	const struct subject *s = r->subject;
	gboolean diffstat;

	if (!r->patch && s->reply)
		return TRUE;
	diffstat = has_diffstat(message_body(r->msg));
	if (!r->patch && !s->patch && !s->numbered && !diffstat)
		return TRUE;
	return insert_patch(st, node, r, diffstat, err) &&
	       derive_files(st, node, r->patch ? r->patch->diff : NULL, err);
}
