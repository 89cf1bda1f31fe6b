/* pages.h - writes the site: only files whose bytes differ, atomically */
#ifndef BOT_PAGES_H
#define BOT_PAGES_H

#include <glib.h>

#include "db/store.h"

#include "templates/render.h"

#include "bot/config.h"

struct pages_counts {
	guint written, unchanged, removed;
};

/* Write index, one page an item (r/<id>/), one a thread that belongs to an
 * item (t/<2 hex>/<hash>/), problems and about into `dir`. `force` writes
 * files even if equal. Nothing of the clock is in a page. */
gboolean pages_write(store *st, const config *c, template_set *set,
		     const char *dir, gboolean force,
		     struct pages_counts *counts, GError **err);

/* Of an existing site what these mails (Message-IDs) touch, so that it is there
 * soon: their threads, the items in which they count, the lists. Nothing is
 * removed; what else changes by them is for the next pages_write(). */
gboolean pages_write_near(store *st, const config *c, template_set *set,
			  const char *dir, GPtrArray *mids,
			  struct pages_counts *counts, GError **err);

#endif
