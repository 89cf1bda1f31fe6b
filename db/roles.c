/* roles.c - people of the settings: operators, and maintainers of lists */
#include "db/roles.h"

#include <string.h>

#include "db/db_priv.h"

/* "" for operators; a list's name, folded, and an address, by a newline. */
static char *key_of(const char *list, const char *address)
{
	g_autofree char *name = g_ascii_strdown(list, -1);
	g_autofree char *who = g_ascii_strdown(address, -1);

	g_strdelimit(name, "@", '.');
	return g_strconcat(name, "\n", who, NULL);
}

static void add(store *st, const char *list, const char *address)
{
	if (!st->roles)
		st->roles = g_hash_table_new_full(g_str_hash, g_str_equal,
						  g_free, NULL);
	if (*address && g_hash_table_size(st->roles) < ROLES_MAX)
		g_hash_table_add(st->roles, key_of(list, address));
}

void roles_add_operator(store *st, const char *address)
{
	add(st, "", address);
}

void roles_add_maintainer(store *st, const char *list, const char *address)
{
	if (*list)
		add(st, list, address);
}

gboolean roles_has(store *st, const char *list, const char *address)
{
	g_autofree char *key = st->roles ? key_of(list, address) : NULL;

	return key && g_hash_table_contains(st->roles, key);
}

guint roles_count(store *st)
{
	return st->roles ? g_hash_table_size(st->roles) : 0;
}
