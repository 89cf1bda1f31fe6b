/* roles.c - people of the settings: operators, and maintainers of lists */
#include "db/roles.h"

#include <string.h>

#include "db/db_priv.h"

struct roles_trust {
	char **authserv, **sealers, *host;
};

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

/* ---- evidence of a sender */

static void trust_free(struct roles_trust *t)
{
	if (!t)
		return;
	g_strfreev(t->authserv);
	g_strfreev(t->sealers);
	g_free(t->host);
	g_free(t);
}

void roles_free(store *st)
{
	g_clear_pointer(&st->roles, g_hash_table_unref);
	g_clear_pointer(&st->trust, trust_free);
}

void roles_set_trust(store *st, const struct evidence_trust *trust)
{
	struct roles_trust *t = g_new0(struct roles_trust, 1);

	t->authserv = g_strdupv((char **)trust->authserv);
	t->sealers = g_strdupv((char **)trust->sealers);
	t->host = g_strdup(trust->host);
	trust_free(st->trust);
	st->trust = t;
}

gboolean roles_evidence(store *st, const char *mid, enum evidence *e,
			GError **err)
{
	const struct roles_trust *t = st->trust;
	struct evidence_trust trust;
	g_autoptr(GBytes) raw = NULL;
	g_autoptr(message) msg = NULL;

	*e = EVIDENCE_PROVEN;
	if (!t)
		return TRUE;
	raw = archive_raw(st, mid, err);
	if (!raw)
		return !err || !*err;
	trust.authserv = (const char *const *)t->authserv;
	trust.sealers = (const char *const *)t->sealers;
	trust.host = t->host;
	msg = message_parse(raw, 0, NULL);
	*e = msg ? evidence_of(msg, &trust, NULL) : EVIDENCE_NONE;
	return TRUE;
}
