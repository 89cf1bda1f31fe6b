/* tree_walk.c - what is new in a branch, and what is gone from it
 * What the branch contains according to the database is closed: with a commit
 * it has all of its ancestors. So a walk from the new head ends there, and if
 * it does not meet the old head, the branch was rewritten. */
#include <string.h>

#include "db/archive.h"

#include "bot/source.h"
#include "bot/trees_priv.h"

#define BATCH 5000 /* commits of one transaction */

struct walk {
	struct tree_sync *s;
	struct stored_branch *branch;
	const guint8 *head;
	GPtrArray *visits;  /* of struct tree_commit: those of the branch */
	GByteArray *stack;  /* oids to be looked at */
	GHashTable *absent; /* oids that can't be had */
	gboolean met_old;
};

static guint oid_hash(gconstpointer key)
{
	guint hash;

	memcpy(&hash, key, sizeof(hash));
	return hash;
}

static gboolean oid_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, COMMIT_OID_LEN) == 0;
}

GHashTable *tree_seen_new(void)
{
	return g_hash_table_new_full(oid_hash, oid_equal, NULL, g_free);
}

gboolean tree_is_stopped(const struct tree_sync *s, GError **err)
{
	if (!s->opt->stopped || !s->opt->stopped())
		return FALSE;
	g_set_error(err, TREES_ERROR, TREES_ERROR_STOPPED,
		    "tree %s: interrupted", s->setting->tree->name);
	return TRUE;
}

/* ---- one commit */

static gboolean note_damaged(struct walk *w, const guint8 *oid, GError **err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;

	git_oid_fromraw(&id, oid);
	git_oid_tostr(hex, sizeof(hex), &id);
	return archive_problem(w->s->st, "commit", hex, "unreadable",
			       "is no commit that can be read", err);
}

static void visit(struct walk *w, struct tree_commit *c, gboolean known)
{
	c->round = w->s->round;
	c->merged = 0;
	c->known = known;
	g_ptr_array_add(w->visits, c);
	if (c->parents)
		g_byte_array_append(w->stack, c->parent,
				    c->parents * COMMIT_OID_LEN);
}

static void take(struct walk *w, const guint8 *oid, gint64 row, gint64 date,
		 const GByteArray *parents, gboolean known)
{
	struct tree_commit *c = g_malloc0(sizeof(*c) + parents->len);

	c->row = row;
	c->date = date;
	c->parents = parents->len / COMMIT_OID_LEN;
	memcpy(c->oid, oid, COMMIT_OID_LEN);
	if (parents->len)
		memcpy(c->parent, parents->data, parents->len);
	g_hash_table_insert(w->s->seen, c->oid, c);
	visit(w, c, known);
}

static gboolean is_older(const struct walk *w, gint64 date)
{
	return date < w->s->setting->tree->since;
}

static gboolean take_known(struct walk *w, const guint8 *oid, gint64 row,
			   gboolean there, git_odb_object *obj, GError **err)
{
	g_autoptr(GByteArray) parents = g_byte_array_new();
	gint64 date;

	if (!commit_object_parents(git_odb_object_data(obj),
				   git_odb_object_size(obj), parents, &date))
		return note_damaged(w, oid, err);
	if (!is_older(w, date))
		take(w, oid, row, date, parents, there);
	return TRUE;
}

static gboolean take_new(struct walk *w, const guint8 *oid, git_odb_object *obj,
			 GError **err)
{
	g_autoptr(commit_object_auto) c =
		git_odb_object_type(obj) == GIT_OBJECT_COMMIT
			? commit_object_parse(git_odb_object_data(obj),
					      git_odb_object_size(obj))
			: NULL;
	gint64 row;

	if (!c)
		return note_damaged(w, oid, err);
	if (is_older(w, c->commit_date))
		return TRUE;
	row = commit_store_add(w->s->st, oid, c, err);
	if (row < 0)
		return FALSE;
	w->s->counts->commits++;
	take(w, oid, row, c->commit_date, c->parents, FALSE);
	return TRUE;
}

/* Where a shallow clone ends, so does the walk. Anywhere else it is damage. */
static gboolean note_absent(struct walk *w, const guint8 *oid, GError **err)
{
	g_hash_table_add(w->absent, g_memdup2(oid, COMMIT_OID_LEN));
	return git_repository_is_shallow(w->s->repo->repo) == 1 ||
	       note_damaged(w, oid, err);
}

static gboolean step(struct walk *w, const guint8 *oid, GError **err)
{
	struct tree_commit *seen = g_hash_table_lookup(w->s->seen, oid);
	gboolean there = FALSE, ok;
	git_odb_object *obj;
	gint64 row;

	if (seen && seen->round == w->s->round)
		return TRUE;
	/* a branch that had no head has nothing */
	if (seen && !w->branch->has_head) {
		visit(w, seen, FALSE);
		return TRUE;
	}
	row = commit_store_find_in(w->s->st, oid, w->branch->row, &there, err);
	if (row < 0)
		return FALSE;
	if (w->branch->has_head && oid_equal(oid, w->branch->head))
		w->met_old = TRUE;
	if (there && !w->s->deep)
		return TRUE;
	if (seen) {
		visit(w, seen, there);
		return TRUE;
	}
	obj = git_repo_object(w->s->repo, oid, NULL);
	if (!obj)
		return note_absent(w, oid, err);
	ok = row ? take_known(w, oid, row, there, obj, err)
		 : take_new(w, oid, obj, err);
	git_odb_object_free(obj);
	return ok;
}

static gboolean walk_batch(store *st, void *data, GError **err)
{
	struct walk *w = data;
	guint8 oid[COMMIT_OID_LEN];

	(void)st;
	for (guint i = 0; i < BATCH && w->stack->len; i++) {
		guint at = w->stack->len - COMMIT_OID_LEN;

		memcpy(oid, w->stack->data + at, COMMIT_OID_LEN);
		g_byte_array_set_size(w->stack, at);
		if (!step(w, oid, err))
			return FALSE;
	}
	return TRUE;
}

static gboolean walk_all(struct walk *w, GError **err)
{
	g_byte_array_append(w->stack, w->head, COMMIT_OID_LEN);
	while (w->stack->len) {
		if (tree_is_stopped(w->s, err) ||
		    !store_transact(w->s->st, walk_batch, w, err))
			return FALSE;
		if (w->visits->len <= TREES_MAX_COMMITS)
			continue;
		g_set_error(err, TREES_ERROR, TREES_ERROR_UNREAD,
			    "tree %s: %s has more than %d commits; set since",
			    w->s->setting->tree->name, w->branch->name,
			    TREES_MAX_COMMITS);
		return FALSE;
	}
	return TRUE;
}

/* ---- with which first-parent commit each came in */

static struct tree_commit *visit_of(struct walk *w, const guint8 *oid)
{
	struct tree_commit *c = g_hash_table_lookup(w->s->seen, oid);

	return c && c->round == w->s->round ? c : NULL;
}

static GPtrArray *first_parents(struct walk *w)
{
	GPtrArray *chain = g_ptr_array_new();
	struct tree_commit *v = visit_of(w, w->head);

	for (; v; v = v->parents ? visit_of(w, v->parent) : NULL)
		g_ptr_array_add(chain, v);
	return chain;
}

static void push_unmerged(struct walk *w, const struct tree_commit *v,
			  GPtrArray *todo, gint64 date)
{
	for (guint i = 0; i < v->parents; i++) {
		struct tree_commit *up =
			visit_of(w, v->parent + i * COMMIT_OID_LEN);

		if (!up || up->merged)
			continue;
		up->merged = date;
		g_ptr_array_add(todo, up);
	}
}

static void find_merges(struct walk *w)
{
	g_autoptr(GPtrArray) chain = first_parents(w);
	g_autoptr(GPtrArray) todo = g_ptr_array_new();

	for (guint i = chain->len; i-- > 0;) {
		struct tree_commit *v = chain->pdata[i];
		gint64 date = MAX(v->date, 1);

		if (v->merged)
			continue;
		v->merged = date;
		g_ptr_array_add(todo, v);
		while (todo->len) {
			v = g_ptr_array_steal_index_fast(todo, todo->len - 1);
			push_unmerged(w, v, todo, date);
		}
	}
}

/* The children of what is missing tell how far back nothing is. */
static void find_cut(struct walk *w)
{
	if (!g_hash_table_size(w->absent))
		return;
	for (guint n = 0; n < w->visits->len; n++) {
		const struct tree_commit *v = w->visits->pdata[n];

		for (guint i = 0; i < v->parents; i++)
			if (g_hash_table_contains(w->absent,
						  v->parent +
							  i * COMMIT_OID_LEN))
				w->s->cut = MAX(w->s->cut, v->date);
	}
}

/* ---- what is gone */

static gboolean drop_one(struct walk *w, gint64 row, GError **err)
{
	if (row > 0 && !commit_store_gone(w->s->st, row, w->branch->row,
					  w->s->opt->now, err))
		return FALSE;
	w->s->counts->gone += row > 0;
	return row >= 0;
}

/* From the old head all that the new one does not reach; FALSE with err unset:
 * git does not know them any more. */
static gboolean drop_by_git(struct walk *w, GError **err)
{
	git_revwalk *rw = NULL;
	git_oid old, new, id;
	gboolean there, ok;

	git_oid_fromraw(&old, w->branch->head);
	git_oid_fromraw(&new, w->head);
	ok = git_revwalk_new(&rw, w->s->repo->repo) == 0 &&
	     git_revwalk_push(rw, &old) == 0 && git_revwalk_hide(rw, &new) == 0;
	while (ok) {
		int rc = git_revwalk_next(&id, rw);

		if (rc == GIT_ITEROVER)
			break;
		ok = rc == 0 &&
		     drop_one(w,
			      commit_store_find_in(w->s->st, id.id,
						   w->branch->row, &there, err),
			      err);
	}
	git_revwalk_free(rw);
	return ok;
}

static gboolean reach_all(struct walk *w, GHashTable *reached, GError **err)
{
	g_autoptr(GByteArray) stack = g_byte_array_new();
	gint64 date;

	g_byte_array_append(stack, w->head, COMMIT_OID_LEN);
	while (stack->len) {
		guint8 *oid =
			g_memdup2(stack->data + stack->len - COMMIT_OID_LEN,
				  COMMIT_OID_LEN);
		git_odb_object *obj;

		g_byte_array_set_size(stack, stack->len - COMMIT_OID_LEN);
		if (!g_hash_table_add(reached, oid))
			continue;
		obj = git_repo_object(w->s->repo, oid, NULL);
		if (obj)
			commit_object_parents(git_odb_object_data(obj),
					      git_odb_object_size(obj), stack,
					      &date);
		git_odb_object_free(obj);
		if (g_hash_table_size(reached) % BATCH == 0 &&
		    tree_is_stopped(w->s, err))
			return FALSE;
	}
	return TRUE;
}

static gboolean collect_unreached(const guint8 *oid, gint64 row, void *data,
				  GError **err)
{
	gpointer *both = data;

	(void)err;
	if (!g_hash_table_contains(both[0], oid))
		g_array_append_val((GArray *)both[1], row);
	return TRUE;
}

static gboolean drop_by_sweep(struct walk *w, GError **err)
{
	g_autoptr(GHashTable) reached =
		g_hash_table_new_full(oid_hash, oid_equal, g_free, NULL);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(gint64));
	gpointer both[] = {reached, rows};

	if (!reach_all(w, reached, err) ||
	    !commit_store_each(w->s->st, w->branch->row, collect_unreached,
			       both, err))
		return FALSE;
	for (guint i = 0; i < rows->len; i++)
		if (!drop_one(w, g_array_index(rows, gint64, i), err))
			return FALSE;
	return TRUE;
}

static gboolean drop_gone(struct walk *w, GError **err)
{
	GError *why = NULL;

	w->s->counts->rewritten++;
	if (drop_by_git(w, &why))
		return TRUE;
	if (!why)
		return drop_by_sweep(w, err);
	g_propagate_error(err, why);
	return FALSE;
}

/* ---- */

static int by_row(gconstpointer a, gconstpointer b)
{
	const struct tree_commit *x = *(struct tree_commit *const *)a;
	const struct tree_commit *y = *(struct tree_commit *const *)b;

	return (x->row > y->row) - (x->row < y->row);
}

static gboolean add_present(struct walk *w, GError **err)
{
	/* many times faster in the order of the table */
	g_ptr_array_sort(w->visits, by_row);
	for (guint i = 0; i < w->visits->len; i++) {
		const struct tree_commit *v = w->visits->pdata[i];

		if (!commit_store_present(w->s->st, v->row, w->branch->row,
					  v->merged ? v->merged : v->date, err))
			return FALSE;
		w->s->counts->landed += !v->known;
	}
	return TRUE;
}

static gboolean finish(store *st, void *data, GError **err)
{
	struct walk *w = data;

	return (!w->branch->has_head || w->met_old || drop_gone(w, err)) &&
	       add_present(w, err) &&
	       commit_store_head(st, w->branch->row, w->head, err);
}

struct naming {
	gint64 tree;
	const char *name;
	struct stored_branch *branch;
};

static gboolean name_branch(store *st, void *data, GError **err)
{
	struct naming *n = data;

	n->branch = commit_store_branch(st, n->tree, n->name, err);
	return n->branch != NULL;
}

gboolean tree_walk(struct tree_sync *s, const char *name, const guint8 *head,
		   GError **err)
{
	struct naming n = {s->setting->tree->row, name, NULL};
	struct walk w = {.s = s, .head = head};
	gboolean ok = TRUE;

	if (!store_transact(s->st, name_branch, &n, err))
		return FALSE;
	w.branch = n.branch;
	if (s->deep || !n.branch->has_head ||
	    !oid_equal(n.branch->head, head)) {
		s->round++;
		w.visits = g_ptr_array_new();
		w.stack = g_byte_array_new();
		w.absent = g_hash_table_new_full(oid_hash, oid_equal, g_free,
						 NULL);
		ok = walk_all(&w, err);
		if (ok) {
			find_merges(&w);
			find_cut(&w);
			ok = store_transact(s->st, finish, &w, err);
		}
		g_ptr_array_unref(w.visits);
		g_hash_table_unref(w.absent);
		g_byte_array_unref(w.stack);
	}
	stored_branch_free(n.branch);
	return ok;
}
