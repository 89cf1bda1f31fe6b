/* probe.h - do the places of the settings answer? Nothing is taken in. */
#ifndef BOT_PROBE_H
#define BOT_PROBE_H

#include <gio/gio.h>

#include "bot/remote.h"
#include "bot/trees.h"

#define PROBE_AT_ONCE 16 /* the others wait their turn */

/* What was found out about one place. */
struct probe {
	const char *kind; /* "source", "tree" */
	const char *name; /* lent by the settings */
	char *said;	  /* what it has; NULL if it failed */
	GError *error;
};
void probe_free(struct probe *p);

/*
 * Ask all of them at once, each within its time limit or until `cancel`. With
 * `offline` those that are elsewhere are left out. In the order of the
 * settings, sources first. You own the array, of struct probe.
 */
GPtrArray *probe_all(GPtrArray *remotes, GPtrArray *trees, gboolean offline,
		     gboolean (*stopped)(void), GCancellable *cancel);

/* What a person can do about `e`; NULL: the error says it all. */
const char *probe_remedy(const GError *e);

#endif
