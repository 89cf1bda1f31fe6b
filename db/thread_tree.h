/* thread_tree.h - nodes and claims to a tree in display order: internal */
#ifndef DB_THREAD_TREE_H
#define DB_THREAD_TREE_H

#include "db/thread.h"

/* Who a node says its parent is: ids of nodes, cycles and all. */
struct claim {
	gint64 parent; /* DB_NULL (or not of this thread): none */
	char *marc;    /* id that is the parent if it is a real message */
};

struct tree {
	GPtrArray *nodes;    /* of struct thread_node */
	GArray *claims;	     /* of struct claim, one a node */
	GHashTable *aliases; /* ids of other names to the id of the mail */
	GDestroyNotify free_node;
};

struct tree *tree_new(void);
void tree_free(struct tree *tree);
AUTO_STRUCT(tree, tree_free)

/* Takes the nodes (at least one) out of `tree`. Never NULL; linear but for sorting. */
struct thread *tree_order(struct tree *tree);

#endif
