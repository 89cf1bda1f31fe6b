/* view.h - values to JSON trees: the contract's objects
 * One tree serves `--json`, the HTTP answers and the templates. */
#ifndef BOT_VIEW_H
#define BOT_VIEW_H

#include <glib.h>
#include <jansson.h>

#include "mail/reading.h"
#include "mail/rerun.h"

#include "db/items.h"
#include "db/patches.h"
#include "db/store.h"
#include "db/thread.h"

/* culprit/message/1; with the decoded text where `with_body`. */
json_t *view_message(const struct reading *r, gboolean with_body);
/* Tables, as in culprit/message/1. */
json_t *view_table(const struct table *t);
json_t *view_tables(GPtrArray *tables);
/* culprit/verdict/1; and one rerun of it, as an item has them. */
json_t *view_verdict(const struct reading *report, GPtrArray *reruns);
json_t *view_rerun(const struct rerun *r);
/* culprit/thread/1; `set` may be NULL (then "series" is empty). */
json_t *view_thread(const struct thread *t, const struct series_set *set);
/* culprit/item/1, whole, with `tables` (NULL none) of its report; and its first
 * four lines of fields for lists. */
json_t *view_item(const struct item *i, GPtrArray *tables,
		  const char *base_url);
/* The fixes of an item alone. */
json_t *view_fixes(const struct item *i);
json_t *view_item_short(const struct item *i, const char *base_url);
/* view_dump() of that, made once and lent by the item. */
const char *view_item_line(const struct item *i, const char *base_url);
/* Append culprit/list/1 of them, and a newline. */
void view_items_append(GString *out, GPtrArray *items, const char *base_url);

/* Compact, keys in the order of the contract, one line, no newline. */
char *view_dump(json_t *tree);
/* The same with its newline; takes the reference. */
char *view_line_take(json_t *tree);

/* The overview as lore prints it, seen from `mid`; levels beyond some hundred
 * are drawn as one. Plain text. */
char *view_overview(const struct thread *t, const char *mid);

#endif
