/* id_set.c - ids in order, each once
 * Most mail has a handful of them; a hash table is made only for more. */
#include "mail/id_set.h"

#include <string.h>

#define FEW 16 /* compared one by one */

static gboolean is_known(const struct id_set *set, const char *id)
{
	if (set->seen)
		return g_hash_table_contains(set->seen, id);
	for (guint i = 0; i < set->ids->len; i++)
		if (strcmp(g_ptr_array_index(set->ids, i), id) == 0)
			return TRUE;
	return FALSE;
}

gboolean id_set_add(struct id_set *set, char *id)
{
	if (is_known(set, id))
		return FALSE;
	g_ptr_array_add(set->ids, id);
	if (set->seen) {
		g_hash_table_add(set->seen, id);
	} else if (set->ids->len > FEW) {
		set->seen = g_hash_table_new(g_str_hash, g_str_equal);
		for (guint i = 0; i < set->ids->len; i++)
			g_hash_table_add(set->seen,
					 g_ptr_array_index(set->ids, i));
	}
	return TRUE;
}

void id_set_reset(struct id_set *set)
{
	id_set_clear(set);
	g_ptr_array_set_size(set->ids, 0);
}

void id_set_clear(struct id_set *set)
{
	g_clear_pointer(&set->seen, g_hash_table_unref);
}
