/* item_gate.c - whose word counts when he says that a patch is applied
 * Not the author's own. Where git trees are known, that of people who brought
 * commits into one, and of those of whom git bore out some notices before. All
 * is asked of what is stored, so that the order of arrival does not matter. */
#include <string.h>

#include "mail/applied.h"

#include "db/items_priv.h"

#define PROVEN 3 /* notices that git bore out */

struct item_gate {
	/* beginning of the address to GPtrArray of struct address of
	 * committers, names left out; empty: none is known */
	GHashTable *committers;
	GHashTable *names; /* set of their names: address_name_key() */
	GHashTable *since; /* "Name <address>" to gint64: his word counts for
			    * mails after that */
};

void item_gate_free(struct item_gate *g)
{
	if (!g)
		return;
	g_hash_table_unref(g->committers);
	g_hash_table_unref(g->names);
	g_hash_table_unref(g->since);
	g_free(g);
}

/* Equal for all that address_same_person() takes for one address. */
static char *beginning(const char *address)
{
	return g_ascii_strdown(address, (gssize)strcspn(address, "+@"));
}

static void add_committer(struct item_gate *g, const char *name,
			  const char *address)
{
	char *key = address_name_key(name);
	char *start = beginning(address);
	GPtrArray *some = g_hash_table_lookup(g->committers, start);

	if (key)
		g_hash_table_add(g->names, key);
	if (!some) {
		some = g_ptr_array_new_with_free_func(
			(GDestroyNotify)address_free);
		g_hash_table_insert(g->committers, start, some);
	} else {
		g_free(start);
	}
	g_ptr_array_add(some, address_new("", address));
}

static struct item_gate *load(store *st, GError **err)
{
	struct item_gate *g = g_new0(struct item_gate, 1);
	g_autoptr(db_rows) rows =
		db_query(st->state, err,
			 "SELECT w.name, w.address FROM git_committer c"
			 " JOIN git_person w ON w.id = c.person");
	int rc;

	g->committers =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)g_ptr_array_unref);
	g->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g->since =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	while ((rc = db_next(rows, err)) > 0)
		add_committer(g, db_text(rows, 0), db_text(rows, 1));
	if (!rc)
		return g;
	item_gate_free(g);
	return NULL;
}

static gboolean is_committer(const struct item_gate *g,
			     const struct address *who)
{
	const struct address nameless = {(char *)"", who->address};
	g_autofree char *key = address_name_key(who->name);
	g_autofree char *start = beginning(who->address);
	const GPtrArray *some = g_hash_table_lookup(g->committers, start);

	if (key && g_hash_table_contains(g->names, key))
		return TRUE;
	for (guint n = 0; some && n < some->len; n++)
		if (address_same_person(&nameless, some->pdata[n]))
			return TRUE;
	return FALSE;
}

/* The date of the PROVEN-th notice of that address, of a patch of others or a
 * series of them, that git bears out by patch-id or link. */
static gboolean find_proof(store *st, const char *address, gint64 *since,
			   GError **err)
{
	static const char sql[] =
		"SELECT DISTINCT n.date, n.id FROM applied a"
		" CROSS JOIN message m ON m.node = a.node"
		" CROSS JOIN person w ON w.id = m.person"
		" CROSS JOIN address x ON x.id = w.address"
		" JOIN node n ON n.id = a.node AND n.date NOTNULL"
		" JOIN node t ON t.tid = n.tid"
		" AND (t.id = n.parent OR t.parent = n.parent)"
		" JOIN patch p ON p.node = t.id AND p.has_diff AND NOT p.reply"
		" WHERE x.text = ?1 AND a.kind <= ?2 AND p.sender <> x.id AND (EXISTS"
		" (SELECT 1 FROM git_commit c WHERE c.patch_id = p.patch_id)"
		" OR EXISTS (SELECT 1 FROM git_saying s WHERE s.mid = t.mid"
		" COLLATE NOCASE)) ORDER BY n.date LIMIT ?3";
	g_autofree char *low = g_ascii_strdown(address, -1);
	g_autoptr(db_rows) rows =
		db_query(st->state, err, sql, TEXT(low),
			 INT(APPLIED_PICKED_STABLE), INT(PROVEN));
	guint count = 0;
	int rc;

	*since = G_MAXINT64;
	while ((rc = db_next(rows, err)) > 0)
		if (++count == PROVEN)
			*since = db_int(rows, 0);
	return rc == 0;
}

/* NULL and *err. */
static const gint64 *counts_since(struct item_cache *c, const char *by,
				  const struct address *who, GError **err)
{
	gint64 *since;

	if (!c->gate && !(c->gate = load(c->st, err)))
		return NULL;
	since = g_hash_table_lookup(c->gate->since, by);
	if (since)
		return since;
	since = g_new(gint64, 1);
	*since = G_MININT64;
	if (g_hash_table_size(c->gate->committers) &&
	    !is_committer(c->gate, who) &&
	    !find_proof(c->st, who->address, since, err)) {
		g_free(since);
		return NULL;
	}
	g_hash_table_insert(c->gate->since, g_strdup(by), since);
	return since;
}

gboolean item_gate_ask(struct item_cache *c, const struct item_note *note,
		       const struct item_patch *p, const char **why,
		       GError **err)
{
	const struct address who = {note->name, note->address};
	const struct address author = {p->author_name, p->author_address};
	const gint64 *since;

	*why = NULL;
	if (address_same_person(&who, &author)) {
		*why = "the patch is the sender's own";
		return TRUE;
	}
	since = counts_since(c, note->by, &who, err);
	if (since && *since >= note->time)
		*why = "the sender is not known to bring patches into a tree";
	return since != NULL;
}
