/* thread_tree.c - the tree of one thread: cycles broken, put into order
 * Pure: knows no database. Nothing recursive, as threads can be deep. */
#include "db/thread_tree.h"

#include <string.h>

#define NO_DATE G_MAXINT64

struct place {
	gint64 date;	/* own; NO_DATE for ghosts and unknown */
	gint64 topmost; /* of the first real mail below or at it */
	int level;	/* how far below that is */
	int parent;	/* index, -1 = a root */
	int next;	/* unplaced children: a chain in display order */
	int child;
	guint waiting; /* children whose topmost is not known yet */
	gint8 mark;
	const char *mid;
};

enum { UNSEEN, ON_PATH, DONE };

/* Of those on a cycle the first by (date, id) lets go of its parent. */
static void cut_cycle(struct place *p, int start)
{
	int at = start, first = start;

	do {
		if (p[at].date < p[first].date ||
		    (p[at].date == p[first].date &&
		     strcmp(p[at].mid, p[first].mid) < 0))
			first = at;
		at = p[at].parent;
	} while (at != start);
	p[first].parent = -1;
}

static void cut_cycles(struct place *p, guint n)
{
	int at, meets;
	guint i;

	for (i = 0; i < n; i++) {
		for (at = i; at >= 0 && p[at].mark == UNSEEN; at = p[at].parent)
			p[at].mark = ON_PATH;
		meets = at >= 0 && p[at].mark == ON_PATH ? at : -1;
		for (at = i; at >= 0 && p[at].mark == ON_PATH;
		     at = p[at].parent)
			p[at].mark = DONE;
		if (meets >= 0)
			cut_cycle(p, meets);
	}
}

/* Ids of nodes to their index + 1; other names count for the mail. */
static GHashTable *index_ids(const struct tree *tree)
{
	GHashTable *by_id = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct thread_node *n;
	gpointer alias, owner;
	GHashTableIter it;
	guint i;

	for (i = 0; i < tree->nodes->len; i++) {
		n = tree->nodes->pdata[i];
		g_hash_table_insert(by_id, &n->id, GUINT_TO_POINTER(i + 1));
	}
	g_hash_table_iter_init(&it, tree->aliases);
	while (g_hash_table_iter_next(&it, &alias, &owner))
		g_hash_table_insert(by_id, alias,
				    g_hash_table_lookup(by_id, owner));
	return by_id;
}

static GHashTable *index_mails(const struct tree *tree)
{
	GHashTable *by_mid = g_hash_table_new(g_str_hash, g_str_equal);
	struct thread_node *n;
	guint i;

	for (i = 0; i < tree->nodes->len; i++) {
		n = tree->nodes->pdata[i];
		if (!n->ghost)
			g_hash_table_insert(by_mid, n->mid,
					    GUINT_TO_POINTER(i + 1));
	}
	return by_mid;
}

static void claim_parents(const struct tree *tree, struct place *p)
{
	g_autoptr(GHashTable) by_id = index_ids(tree);
	g_autoptr(GHashTable) by_mid = index_mails(tree);
	const struct claim *c = (const struct claim *)tree->claims->data;
	const struct thread_node *n;
	guint i, up;

	for (i = 0; i < tree->nodes->len; i++) {
		n = tree->nodes->pdata[i];
		p[i].mid = n->mid;
		p[i].date = n->ghost || !n->date ? NO_DATE : n->date;
		up = 0;
		if (c[i].marc)
			up = GPOINTER_TO_UINT(
				g_hash_table_lookup(by_mid, c[i].marc));
		if (!up)
			up = GPOINTER_TO_UINT(
				g_hash_table_lookup(by_id, &c[i].parent));
		p[i].parent = up == i + 1 ? -1 : (int)up - 1;
	}
}

/* What `i` passes on to its parent: its own mail, or the highest below. */
static void raise_topmost(struct place *p, int i)
{
	struct place *up = &p[p[i].parent];
	int level = p[i].level + 1;

	if (up->level == 0)
		return; /* real: its own date */
	if (level < up->level ||
	    (level == up->level && p[i].topmost < up->topmost)) {
		up->level = level;
		up->topmost = p[i].topmost;
	}
}

/* From the leaves up; a ghost's level is G_MAXINT until a mail is found. */
static void find_topmost(const struct tree *tree, struct place *p, guint n)
{
	const struct thread_node *node;
	guint i;
	int at;

	for (i = 0; i < n; i++) {
		node = tree->nodes->pdata[i];
		p[i].level = node->ghost ? G_MAXINT - 1 : 0;
		p[i].topmost = p[i].date;
		if (p[i].parent >= 0)
			p[p[i].parent].waiting++;
	}
	for (i = 0; i < n; i++) {
		at = i;
		while (at >= 0 && p[at].mark == DONE && !p[at].waiting) {
			p[at].mark = UNSEEN; /* passed on */
			if (p[at].parent >= 0) {
				raise_topmost(p, at);
				p[p[at].parent].waiting--;
			}
			at = p[at].parent;
		}
	}
}

static int by_place(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct place *p = data;
	const struct place *x = &p[*(const int *)a], *y = &p[*(const int *)b];

	if (x->topmost != y->topmost)
		return x->topmost < y->topmost ? -1 : 1;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return strcmp(x->mid, y->mid);
}

/* Chain each node's children in order; gives the first root. Sorting all at
 * once and chaining from the back keeps every chain sorted. */
static int chain_children(struct place *p, guint n)
{
	g_autofree int *order = g_new(int, n);
	int first = -1, *head;
	guint i;

	for (i = 0; i < n; i++) {
		order[i] = i;
		p[i].child = p[i].next = -1;
	}
	g_qsort_with_data(order, n, sizeof(int), by_place, p);
	for (i = n; i-- > 0;) {
		head = p[order[i]].parent < 0 ? &first
					      : &p[p[order[i]].parent].child;
		p[order[i]].next = *head;
		*head = order[i];
	}
	return first;
}

/* Depth first without a stack: down, else on, else up and on. */
static void lay_out(struct tree *tree, struct place *p, int first,
		    struct thread *t)
{
	g_autofree int *new_index = g_new(int, tree->nodes->len + 1);
	struct thread_node *n;
	int at = first, depth = 0;

	while (at >= 0) {
		n = tree->nodes->pdata[at];
		n->depth = depth;
		n->parent = p[at].parent < 0 ? -1 : new_index[p[at].parent];
		new_index[at] = t->nodes->len;
		t->count += !n->ghost;
		g_ptr_array_add(t->nodes, n);
		if (p[at].child >= 0) {
			at = p[at].child;
			depth++;
			continue;
		}
		while (at >= 0 && p[at].next < 0) {
			at = p[at].parent;
			depth--;
		}
		at = at < 0 ? -1 : p[at].next;
	}
}

struct thread *tree_order(struct tree *tree)
{
	struct thread *t = g_new0(struct thread, 1);
	guint n = tree->nodes->len;
	g_autofree struct place *p = g_new0(struct place, n + 1);
	GDestroyNotify owner;

	claim_parents(tree, p);
	cut_cycles(p, n);
	find_topmost(tree, p, n);
	t->asked = -1;
	t->nodes = g_ptr_array_new_full(n, NULL);
	t->by_mid = g_hash_table_new(g_str_hash, g_str_equal);
	lay_out(tree, p, chain_children(p, n), t);
	/* the nodes change hands */
	owner = tree->free_node;
	g_ptr_array_set_free_func(tree->nodes, NULL);
	g_ptr_array_set_size(tree->nodes, 0);
	g_ptr_array_set_free_func(t->nodes, owner);
	g_assert(t->nodes->len == n);
	t->root = g_strdup(((struct thread_node *)t->nodes->pdata[0])->mid);
	return t;
}
