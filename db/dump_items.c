/* dump_items.c - the items in bulk, sorted bytewise by Message-ID */
#include <string.h>

#include "db/items.h"
#include "db/problems.h"

static int by_mid(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	return strcmp(x->mid, y->mid);
}

/* Message-ID, id, state, open 0 or 1, culprit or "-". */
gboolean dump_items(store *st, GString *out, GError **err)
{
	g_autoptr(GPtrArray) items = items_load(st, err);

	if (!items)
		return FALSE;
	g_ptr_array_sort(items, by_mid);
	for (guint n = 0; n < items->len; n++) {
		const struct item *i = items->pdata[n];

		g_string_append_printf(out, "%s\t%s\t%s\t%d\t%s\n", i->mid,
				       i->id, i->state, i->open,
				       i->commit ? i->commit : "-");
	}
	return TRUE;
}
