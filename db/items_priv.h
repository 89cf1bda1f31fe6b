/* items_priv.h - shared by the files that make items, by nobody else */
#ifndef DB_ITEMS_PRIV_H
#define DB_ITEMS_PRIV_H

#include "db/db_priv.h"
#include "db/items.h"
#include "db/thread.h"

/* What an item is made of while it is folded. */
struct item_facts {
	struct item *item;
	gint64 node;	 /* of the report */
	gint64 tid;	 /* of its thread */
	gint64 reporter; /* id of the reporter's address */
};

/* Threads read while items are made. */
struct item_threads {
	store *st;
	GHashTable *by_tid; /* gint64 to struct thread */
};
void item_threads_init(struct item_threads *threads, store *st);
void item_threads_clear(struct item_threads *threads);
/* The thread `tid` that holds `mid`. Lent until the next call; NULL and *err. */
const struct thread *item_threads_get(struct item_threads *threads, gint64 tid,
				      const char *mid, GError **err);

/* ---- item_fixes.c: fill item->fixes, and add their events */
gboolean item_find_fixes(struct item_threads *threads,
			 const struct item_facts *f, GError **err);

/* ---- item_fold.c */
struct item *item_new(void);
void item_add_event(struct item *i, const char *type, gint64 time,
		    const char *by, const char *mid, const char *commit,
		    const char *text);
void item_add_person(struct item *i, const char *name, const char *address,
		     const char *role);
/* Sort the events; state, last activity and whether it is open from them. */
void item_fold(struct item *i);
char *item_title(const struct item *i);
void item_fix_free(struct item_fix *fix);

#endif
