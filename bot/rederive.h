/* rederive.h - a rebuild, and what an interrupted one left to do */
#ifndef BOT_REDERIVE_H
#define BOT_REDERIVE_H

#include "bot/cli.h"

/* Derive everything again, with a bar where stderr is a terminal; a rebuild
 * that was interrupted is gone on with. `*messages`: how many were derived.
 * TRUE also when a signal stopped it. */
gboolean rederive_all(const struct session *s, store *st, guint *messages,
		      GError **err);

/* Before anything is added: if a rebuild was interrupted, say so and do the
 * rest of it. */
gboolean rederive_rest(const struct session *s, store *st, GError **err);

/* The full text brought up to date, with the same bar. */
gboolean rederive_text(const struct session *s, store *st, guint *messages,
		       GError **err);

#endif
