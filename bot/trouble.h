/* trouble.h - a path that could not be read, kept for `problems` */
#ifndef BOT_TROUBLE_H
#define BOT_TROUBLE_H

#include <glib.h>

#include "db/store.h"

/* Record that `path` could not be read, as a SOURCE_ERROR tells; not if it is
 * a stream or is not there: then there is nothing to come back to. `why` NULL:
 * it can be read again. */
gboolean trouble_set_path(store *st, const char *path, const GError *why,
			  GError **err);
/* The same of [source NAME], as a SOURCE_ERROR or NET_ERROR tells. */
gboolean trouble_set_source(store *st, const char *name, const GError *why,
			    GError **err);

/* Sources that are not among `remotes` (of struct remote) any more can't be in
 * trouble. */
gboolean trouble_keep_sources(store *st, GPtrArray *remotes, GError **err);

#endif
