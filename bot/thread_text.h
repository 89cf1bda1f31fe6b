/* thread_text.h - a thread for a person to read */
#ifndef BOT_THREAD_TEXT_H
#define BOT_THREAD_TEXT_H

#include "db/patches.h"
#include "db/thread.h"

/* A line that sums up, the tree, and a line for each series; `mid` is marked.
 * `set` may be NULL. You own the text. */
char *thread_text(const struct thread *t, const struct series_set *set,
		  const char *mid);

/* Has the series a cover or patch of its own among these ids? */
gboolean thread_has_series(const struct series_set *set, const struct series *s,
			   GHashTable *mids);

#endif
