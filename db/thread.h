/* thread.h - threads: union-find with ghosts, cycles broken when read
 * The algorithm of threads-patches 2.2; any order of arrival gives the same
 * partition, parents and order. */
#ifndef DB_THREAD_H
#define DB_THREAD_H

#include <glib.h>

#include "mail/auto.h"
#include "mail/reading.h"

#include "db/store.h"

#define THREAD_MAX_NODES 200000 /* of one thread when it is read */

struct thread_node {
	char *mid;
	gint64 id;
	int parent; /* index into the thread, -1 = a root; cycles broken */
	int depth;
	gboolean ghost;
	gint64 date;	 /* 0 for a ghost */
	char *subject;	 /* NULL for a ghost */
	char *from_name; /* "" if there is none; NULL for a ghost */
	char *from_address;
	enum mail_kind kind;
	guint copies; /* messages that share this id; 1 usually */
};

struct thread {
	GPtrArray *nodes; /* of struct thread_node, display order: depth first,
			   * siblings by (topmost real date, date, id) */
	guint count;	  /* without ghosts */
	int asked; /* by thread_load(): index of the mail that was asked for;
		    * -1: not one of those that were read */
	GHashTable *by_mid; /* of thread_index(), filled when first asked */
	char *root;	    /* its public name: the first root's id */
};

/* The thread that holds `mid` (exact, else case-blind); NULL with err unset
 * if it is not known. You own it. */
struct thread *thread_load(store *st, const char *mid, GError **err);
void thread_free(struct thread *t);
AUTO_STRUCT(thread, thread_free)

/* Index of `mid` in t->nodes, -1 if it is not there. Constant time but for the
 * first call. */
int thread_index(const struct thread *t, const char *mid);

/* Call `fn` for each thread of the database (order unspecified). Stops at
 * FALSE. One at a time in memory. */
gboolean thread_each(store *st,
		     gboolean (*fn)(const struct thread *t, void *data,
				    GError **err),
		     void *data, GError **err);

#endif
