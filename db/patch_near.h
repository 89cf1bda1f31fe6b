/* patch_near.h - which threads hold patches that bear on each other
 * Only for db/patch*.c. */
#ifndef DB_PATCH_NEAR_H
#define DB_PATCH_NEAR_H

#include "db/patch_facts.h"

/* Threads of one closure; beyond it the rest is left out. */
#define NEAR_MAX_THREADS 2000

/*
 * Follow, from the patches in the thread of `node`, everything by which
 * series are grouped or linked (time, title, change-id, patch-id, links), and
 * append the facts found to set->mails: of each thread those of the senders
 * concerned.
 */
gboolean near_load(store *st, struct series_set *set, gint64 node,
		   GError **err);

#endif
