/* item_ref.c - strings that many items share */
#include "db/items_priv.h"

char *item_ref(const char *text)
{
	return text ? g_ref_string_new(text) : NULL;
}

char *item_ref_column(db_rows *rows, int col)
{
	return item_ref(db_text(rows, col));
}

char *item_ref_again(char *ref)
{
	return ref ? g_ref_string_acquire(ref) : NULL;
}

void item_ref_drop(char *ref)
{
	if (ref)
		g_ref_string_release(ref);
}

char *item_ref_person(const char *name, const char *address)
{
	g_autofree char *by =
		address ? g_strdup_printf("%s <%s>", name ? name : "", address)
			: g_strdup(name ? name : "");

	return g_ref_string_new(g_strchug(by));
}
