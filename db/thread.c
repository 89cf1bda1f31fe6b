/* thread.c - threads as they are read
 * Loads the nodes of one thread, gives ghosts the parents that their referrers
 * claim, and orders the tree (thread_tree.c). Nothing is stored: all of it is
 * a function of the set of mails. */
#include "db/thread.h"

#include <string.h>

#include "db/db_priv.h"
#include "db/fold.h"
#include "db/thread_tree.h"
#include "db/union.h"

static void node_free(gpointer data)
{
	struct thread_node *n = data;

	g_free(n->mid);
	g_free(n->subject);
	g_free(n->from_name);
	g_free(n->from_address);
	g_free(n);
}

void thread_free(struct thread *t)
{
	if (!t)
		return;
	g_hash_table_unref(t->by_mid);
	g_ptr_array_unref(t->nodes);
	g_free(t->root);
	g_free(t);
}

int thread_index(const struct thread *t, const char *mid)
{
	gpointer at;

	if (!g_hash_table_size(t->by_mid))
		for (guint i = 0; i < t->nodes->len; i++) {
			struct thread_node *n = t->nodes->pdata[i];

			g_hash_table_insert(t->by_mid, n->mid,
					    GUINT_TO_POINTER(i));
		}
	return g_hash_table_lookup_extended(t->by_mid, mid, NULL, &at)
		       ? GPOINTER_TO_INT(at)
		       : -1;
}

/* A ghost that is a further Message-ID of a mail: that mail's node. Of several
 * mails the earliest: (date, id) decides. */
static int find_owner(store *st, gint64 ghost, gint64 *owner, GError **err)
{
	return db_get_int(st->state, owner, err,
			  "SELECT n.id FROM ref r JOIN raw w ON w.id = r.raw "
			  "JOIN node n ON n.id = w.node WHERE r.node = ? AND "
			  "r.seq <= ? AND w.spare = 0 "
			  "ORDER BY n.date IS NULL, n.date, n.mid LIMIT 1",
			  INT(ghost), INT(UNION_OWN_SEQ));
}

int node_find(store *st, const char *mid, gint64 *node, GError **err)
{
	gint64 raw;
	int rc = db_get_int(st->state, node, err,
			    "SELECT id FROM node WHERE mid = ?", TEXT(mid));

	/* links are often written in lower case */
	if (rc == 0)
		rc = fold_find(st, mid, node, err);
	if (rc > 0)
		rc = db_get_int(st->state, &raw, err,
				"SELECT raw FROM node WHERE id = ?",
				INT(*node));
	if (rc > 0 && raw == DB_NULL && find_owner(st, *node, node, err) < 0)
		return -1;
	return rc;
}

#define NODE_COLUMNS                                                    \
	"n.id, n.mid, n.tid, n.raw IS NULL, n.date, n.parent, n.marc, " \
	"m.subject, m.kind, m.copies, p.name, p.written "
#define NODE_TABLES                                         \
	"FROM node n LEFT JOIN message m ON m.node = n.id " \
	"LEFT JOIN person p ON p.id = m.person "

static void add_node(struct tree *tree, db_rows *rows)
{
	struct thread_node *n = g_new0(struct thread_node, 1);
	struct claim c = {.parent = db_int(rows, 5), .marc = db_dup(rows, 6)};
	gint64 date = db_int(rows, 4);

	n->id = db_int(rows, 0);
	n->mid = db_dup(rows, 1);
	n->ghost = db_int(rows, 3);
	n->date = date == DB_NULL ? 0 : date;
	n->parent = -1;
	if (!n->ghost) {
		n->subject = g_strdup(db_text(rows, 7) ? db_text(rows, 7) : "");
		n->kind = db_int(rows, 8) == DB_NULL ? KIND_OTHER
						     : db_int(rows, 8);
		n->copies = MAX(db_int(rows, 9), 1);
		n->from_name =
			g_strdup(db_text(rows, 10) ? db_text(rows, 10) : "");
		n->from_address =
			g_strdup(db_text(rows, 11) ? db_text(rows, 11) : "");
	}
	g_ptr_array_add(tree->nodes, n);
	g_array_append_val(tree->claims, c);
}

/* A ghost hangs below what stands before it in the References of the earliest
 * mail that names it: (date, id) decides. */
static gboolean claim_ghost(store *st, const struct thread_node *n,
			    struct claim *c, GError **err)
{
	static const char sql[] =
		"SELECT p.node FROM ref r JOIN raw w ON w.id = r.raw "
		"JOIN node n ON n.id = w.node "
		"JOIN ref p ON p.raw = r.raw AND p.seq = r.seq - 1 "
		"WHERE r.node = ? AND r.seq > 0 AND w.spare = 0 "
		"ORDER BY n.date IS NULL, n.date, n.mid LIMIT 1";

	return db_get_int(st->state, &c->parent, err, sql, INT(n->id)) >= 0;
}

/* Nodes that are other names of a mail stand for it and are not shown. */
static void drop_aliases(struct tree *tree)
{
	struct claim *c = (struct claim *)tree->claims->data;
	guint i, kept = 0;

	for (i = 0; i < tree->nodes->len; i++) {
		struct thread_node *n = tree->nodes->pdata[i];

		if (g_hash_table_contains(tree->aliases, &n->id)) {
			node_free(n);
			continue;
		}
		tree->nodes->pdata[kept] = n;
		c[kept++] = c[i];
	}
	/* what lies behind was moved or freed */
	g_ptr_array_set_free_func(tree->nodes, NULL);
	g_ptr_array_set_size(tree->nodes, kept);
	g_ptr_array_set_free_func(tree->nodes, node_free);
	g_array_set_size(tree->claims, kept);
}

static struct thread *finish(store *st, struct tree *tree, GError **err)
{
	struct thread_node *n;
	gint64 owner;
	guint i;
	int rc;

	for (i = 0; i < tree->nodes->len; i++) {
		n = tree->nodes->pdata[i];
		if (!n->ghost)
			continue;
		rc = find_owner(st, n->id, &owner, err);
		if (rc > 0)
			g_hash_table_insert(tree->aliases,
					    g_memdup2(&n->id, sizeof(n->id)),
					    g_memdup2(&owner, sizeof(owner)));
		else if (rc < 0 || !claim_ghost(st, n,
						&g_array_index(tree->claims,
							       struct claim, i),
						err))
			return NULL;
	}
	if (g_hash_table_size(tree->aliases))
		drop_aliases(tree);
	return tree_order(tree);
}

struct tree *tree_new(void)
{
	struct tree *tree = g_new0(struct tree, 1);

	tree->free_node = node_free;
	tree->nodes = g_ptr_array_new_with_free_func(node_free);
	tree->claims = g_array_new(FALSE, FALSE, sizeof(struct claim));
	tree->aliases = g_hash_table_new_full(g_int64_hash, g_int64_equal,
					      g_free, g_free);
	return tree;
}

void tree_free(struct tree *tree)
{
	guint i;

	if (!tree)
		return;
	for (i = 0; i < tree->claims->len; i++)
		g_free(g_array_index(tree->claims, struct claim, i).marc);
	g_array_unref(tree->claims);
	g_hash_table_destroy(tree->aliases);
	g_ptr_array_unref(tree->nodes);
	g_free(tree);
}

static struct thread *load(store *st, gint64 node, GError **err)
{
	static const char sql[] =
		"SELECT " NODE_COLUMNS NODE_TABLES
		"WHERE n.tid = (SELECT tid FROM node WHERE id = ?1) LIMIT ?2";
	g_autoptr(tree_auto) tree = tree_new();
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, INT(node), INT(THREAD_MAX_NODES));
	int rc;

	while ((rc = db_next(rows, err)) > 0)
		add_node(tree, rows);
	return rc < 0 || !tree->nodes->len ? NULL : finish(st, tree, err);
}

static int index_of(const struct thread *t, gint64 node)
{
	for (guint i = 0; i < t->nodes->len; i++)
		if (((struct thread_node *)t->nodes->pdata[i])->id == node)
			return (int)i;
	return -1;
}

struct thread *thread_load(store *st, const char *mid, GError **err)
{
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	struct thread *t;
	gint64 node;

	if (!snap || node_find(st, mid, &node, err) < 1)
		return NULL;
	t = load(st, node, err);
	if (t)
		t->asked = index_of(t, node);
	return t;
}

static gboolean hand_over(store *st, struct tree *tree,
			  gboolean (*fn)(const struct thread *, void *,
					 GError **),
			  void *data, GError **err)
{
	g_autoptr(thread_auto) t = NULL;

	if (!tree->nodes->len)
		return TRUE;
	t = finish(st, tree, err);
	return t && fn(t, data, err);
}

gboolean thread_each(store *st,
		     gboolean (*fn)(const struct thread *t, void *data,
				    GError **err),
		     void *data, GError **err)
{
	static const char sql[] =
		"SELECT " NODE_COLUMNS NODE_TABLES "ORDER BY n.tid, n.id";
	g_autoptr(db_snapshot) snap = db_snapshot_begin(st->state, err);
	g_autoptr(tree_auto) tree = tree_new();
	g_autoptr(db_once) rows = NULL;
	gint64 tid = -1;
	int rc;

	if (snap)
		rows = db_query_once(st->state, err, sql, DB_ARGS());
	while ((rc = db_next(rows, err)) > 0) {
		if (db_int(rows, 2) != tid) {
			if (!hand_over(st, tree, fn, data, err))
				return FALSE;
			tree_free(tree);
			tree = tree_new();
			tid = db_int(rows, 2);
		}
		if (tree->nodes->len < THREAD_MAX_NODES)
			add_node(tree, rows);
	}
	return rc == 0 && hand_over(st, tree, fn, data, err);
}
