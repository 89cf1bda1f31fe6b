/* commit_places.c - trees, and which of them has a commit, under which id
 * "Not looked" is not "no". */
#include <string.h>

#include "mail/subject.h"

#include "db/commit_priv.h"

static const char *const role_names[] = {"mainline", "next", "stable",
					 "subsystem"};
static const char *const same_names[] = {"id", "backport", "picked", "change",
					 "amended"};

const char *tree_role_name(enum tree_role role)
{
	return role_names[role];
}

const char *commit_same_name(enum commit_same same)
{
	return same_names[same];
}

/* ---- trees */

void code_tree_free(struct code_tree *t)
{
	if (!t)
		return;
	g_free(t->name);
	g_free(t->place);
	g_free(t->weburl);
	g_free(t);
}

char *code_tree_url(const struct code_tree *t, const char *id)
{
	return t->weburl && id ? g_strconcat(t->weburl, id, NULL) : NULL;
}

static gint64 or_zero(gint64 n)
{
	return n == DB_NULL ? 0 : n;
}

static struct code_tree *read_tree(sqlite3_stmt *rows)
{
	struct code_tree *t = g_new0(struct code_tree, 1);

	t->row = db_int(rows, 0);
	t->name = db_dup(rows, 1);
	t->place = db_dup(rows, 2);
	t->role = (enum tree_role)db_int(rows, 3);
	t->order = (int)db_int(rows, 4);
	t->weburl = db_dup(rows, 5);
	t->since = or_zero(db_int(rows, 6));
	t->looked = or_zero(db_int(rows, 7));
	return t;
}

GPtrArray *trees_load(store *st, GError **err)
{
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func((GDestroyNotify)code_tree_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT id, name, place, role, rank, weburl, since, "
			 "looked FROM git_tree WHERE configured "
			 "ORDER BY role, rank, name");
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, read_tree(rows));
	return rc ? NULL : g_steal_pointer(&out);
}

char *tree_file(store *st, const char *tree, const char *path, char **oid,
		GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT x.text, lower(hex(x.oid)) FROM git_text x "
		"JOIN git_tree t ON t.id = x.tree WHERE t.configured AND "
		"(?1 IS NULL OR t.name = ?1) AND x.path = ?2 "
		"ORDER BY t.role, t.rank, t.name LIMIT 1",
		TEXT(tree), TEXT(path));

	if (db_next(rows, err) <= 0)
		return NULL;
	if (oid)
		*oid = db_dup(rows, 1);
	return g_strndup(sqlite3_column_blob(rows, 0),
			 (gsize)sqlite3_column_bytes(rows, 0));
}

/* ---- one commit in one tree */

void commit_place_free(struct commit_place *p)
{
	if (!p)
		return;
	code_tree_free(p->tree);
	commit_free(p->commit);
	g_free(p->branch);
	g_free(p->tag);
	g_free(p);
}

/* A commit that is the one asked for, or stands for it. */
struct alike {
	gint64 row;
	enum commit_same same;
};

/* Where it is in a tree, the present before the past. */
static gboolean look(store *st, const struct alike *a, struct commit_place *p,
		     gboolean *found, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT b.name, p.merged, p.gone FROM git_presence p "
		"JOIN git_branch b ON b.id = p.branch WHERE p.git_commit = ?1 "
		"AND b.tree = ?2 ORDER BY p.gone IS NOT NULL, p.gone DESC, "
		"p.merged, b.name LIMIT 1",
		INT(a->row), INT(p->tree->row));
	int rc = db_next(rows, err);

	*found = FALSE;
	if (rc <= 0)
		return rc == 0;
	/* what was there once does not hide what is there now */
	if (p->commit &&
	    (p->present == KNOWN_YES || db_int(rows, 2) != DB_NULL))
		return TRUE;
	g_free(p->branch);
	commit_free(p->commit);
	p->same = a->same;
	p->branch = db_dup(rows, 0);
	p->merged = db_int(rows, 1);
	p->left = or_zero(db_int(rows, 2));
	p->present = p->left ? KNOWN_NO : KNOWN_YES;
	p->commit = commit_load(st, a->row, err);
	*found = p->present == KNOWN_YES;
	return p->commit != NULL;
}

static gboolean find_tag(store *st, struct commit_place *p, GError **err)
{
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (!p->commit)
		return TRUE;
	rows = db_query(st->state, err,
			"SELECT t.name, t.date FROM git_tagged g JOIN git_tag "
			"t ON t.id = g.tag WHERE g.git_commit = ? AND "
			"g.tree = ?",
			INT(p->commit->row), INT(p->tree->row));
	rc = db_next(rows, err);
	if (rc > 0) {
		p->tag = db_dup(rows, 0);
		p->tag_date = db_int(rows, 1);
	}
	return rc >= 0;
}

/* ---- those that stand for it */

static void add_alike(GArray *out, gint64 row, enum commit_same same)
{
	struct alike a = {row, same};

	for (guint i = 0; i < out->len; i++)
		if (g_array_index(out, struct alike, i).row == row)
			return;
	g_array_append_val(out, a);
}

static gboolean add_sayers(store *st, const char *id, enum commit_says says,
			   enum commit_same same, GArray *out, GError **err)
{
	g_autoptr(GPtrArray) some = commits_saying(st, says, id, err);

	for (guint i = 0; some && i < some->len; i++) {
		const struct commit_saying *s = some->pdata[i];

		/* another title: it only speaks of it */
		if (says == SAYS_PICKED || s->id)
			add_alike(out, s->commit->row, same);
	}
	return some != NULL;
}

/* What it was made of itself: the original of a backport. */
static gboolean add_originals(store *st, const struct commit *c, GArray *out,
			      GError **err)
{
	g_autoptr(GPtrArray) says = commit_sayings(st, c, err);

	for (guint i = 0; says && i < says->len; i++) {
		const struct commit_saying *s = says->pdata[i];
		g_autoptr(commit_auto) o = NULL;

		if (!s->id ||
		    (s->says != SAYS_BACKPORTS && s->says != SAYS_PICKED))
			continue;
		o = commit_find(st, s->id, s->subject, NULL, NULL);
		if (o)
			add_alike(out, o->row,
				  s->says == SAYS_PICKED ? SAME_PICKED
							 : SAME_BACKPORT);
	}
	return says != NULL;
}

/* Same author and title: rebased if the change is the same, amended if not. */
static gboolean add_twins(store *st, const struct commit *c, GArray *out,
			  GError **err)
{
	g_autofree char *key = subject_key(c->subject);
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT o.id, o.patch_id IS NOT NULL AND o.patch_id IS "
		"c.patch_id FROM git_commit c JOIN git_commit o "
		"ON o.title_key = ?2 AND o.author = c.author AND o.id <> c.id "
		"AND o.parents < 2 WHERE c.id = ?1 AND c.parents < 2 "
		"ORDER BY 2 DESC, o.author_date = c.author_date DESC, "
		"abs(o.commit_date - c.commit_date), o.oid LIMIT ?3",
		INT(c->row), TEXT(key), INT(COMMITS_MAX));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		add_alike(out, db_int(rows, 0),
			  db_int(rows, 1) ? SAME_CHANGE : SAME_AMENDED);
	return rc == 0;
}

/* In the order in which they are believed. */
static GArray *alike_to(store *st, const struct commit *c, GError **err)
{
	g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(struct alike));

	add_alike(out, c->row, SAME_ID);
	if (!add_sayers(st, c->id, SAYS_BACKPORTS, SAME_BACKPORT, out, err) ||
	    !add_sayers(st, c->id, SAYS_PICKED, SAME_PICKED, out, err) ||
	    !add_originals(st, c, out, err) || !add_twins(st, c, out, err))
		return NULL;
	return g_steal_pointer(&out);
}

static gboolean find_place(store *st, GArray *alike, struct commit_place *p,
			   GError **err)
{
	gboolean found = FALSE;

	for (guint i = 0; i < alike->len && !found; i++)
		if (!look(st, &g_array_index(alike, struct alike, i), p, &found,
			  err))
			return FALSE;
	return find_tag(st, p, err);
}

/* Nothing was found there: is that known, or was it not looked at? */
static enum known absent(const struct code_tree *t, const struct commit *c)
{
	return t->looked && (!t->since || c->commit_date >= t->since)
		       ? KNOWN_NO
		       : KNOWN_NOT;
}

GPtrArray *commit_places(store *st, const struct commit *c, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(GPtrArray) trees = snap ? trees_load(st, err) : NULL;
	g_autoptr(GArray) alike = trees ? alike_to(st, c, err) : NULL;
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)commit_place_free);

	if (!alike)
		return NULL;
	for (guint i = 0; i < trees->len; i++) {
		struct commit_place *p = g_new0(struct commit_place, 1);

		p->tree = trees->pdata[i];
		trees->pdata[i] = NULL;
		p->present = absent(p->tree, c);
		g_ptr_array_add(out, p);
		if (!find_place(st, alike, p, err))
			return NULL;
	}
	return g_steal_pointer(&out);
}

/* ---- */

static int is_present(store *st, gint64 row, GError **err)
{
	gint64 one;

	return db_get_int(st->state, &one, err,
			  "SELECT 1 FROM git_presence WHERE git_commit = ? "
			  "AND gone IS NULL LIMIT 1",
			  INT(row));
}

struct commit *commit_follow(store *st, const struct commit *c,
			     enum commit_same *same, GError **err)
{
	g_autoptr(GArray) twins =
		g_array_new(FALSE, FALSE, sizeof(struct alike));
	int rc = is_present(st, c->row, err);

	if (rc || !add_twins(st, c, twins, err))
		return NULL;
	for (guint i = 0; i < twins->len; i++) {
		const struct alike *a = &g_array_index(twins, struct alike, i);

		rc = is_present(st, a->row, err);
		if (rc < 0)
			return NULL;
		if (!rc)
			continue;
		*same = a->same;
		return commit_load(st, a->row, err);
	}
	return NULL;
}

char *commit_describe(store *st, const struct commit *c, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT t.name FROM git_tagged g JOIN git_tag t ON t.id = "
		"g.tag JOIN git_tree r ON r.id = g.tree WHERE "
		"g.git_commit = ? AND r.configured "
		"ORDER BY r.role, r.rank, r.name LIMIT 1",
		INT(c->row));

	return db_next(rows, err) > 0 ? db_dup(rows, 0) : NULL;
}

/* ---- tags */

void tag_free(struct tag *t)
{
	if (!t)
		return;
	g_free(t->name);
	g_free(t->id);
	g_free(t->tree);
	g_free(t);
}

#define TAG_SELECT                                                     \
	"SELECT t.name, lower(hex(t.oid)), t.date, r.name, EXISTS ("   \
	"SELECT 1 FROM git_commit c JOIN git_presence p "              \
	"ON p.git_commit = c.id JOIN git_branch b ON b.id = p.branch " \
	"WHERE c.oid = t.oid AND b.tree = t.tree AND p.gone IS NULL) " \
	"FROM git_tag t JOIN git_tree r ON r.id = t.tree AND r.configured "

static struct tag *read_tag(sqlite3_stmt *rows)
{
	struct tag *t = g_new0(struct tag, 1);

	t->name = db_dup(rows, 0);
	t->id = db_dup(rows, 1);
	t->date = db_int(rows, 2);
	t->tree = db_dup(rows, 3);
	t->in_branch = db_int(rows, 4) != 0;
	return t;
}

struct tag *tag_find(store *st, const char *name, GError **err)
{
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 TAG_SELECT "WHERE t.name = ? "
				    "ORDER BY 5 DESC, r.role, r.rank, r.name "
				    "LIMIT 1",
			 TEXT(name));

	return db_next(rows, err) > 0 ? read_tag(rows) : NULL;
}

GPtrArray *tags_load(store *st, const char *tree, GError **err)
{
	g_autoptr(GPtrArray) out =
		g_ptr_array_new_with_free_func((GDestroyNotify)tag_free);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 TAG_SELECT "WHERE r.name = ? ORDER BY t.date, t.name",
			 TEXT(tree));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(out, read_tag(rows));
	return rc ? NULL : g_steal_pointer(&out);
}
