/* intern.c - names that repeat are kept once: people, paths, keys, lists
 * Remembers the ids of recent ones in memory, INTERN_MAX of each kind. */
#include <string.h>

#include "mail/address.h"

#include "db/db_priv.h"

struct intern {
	GHashTable *ids[INTERN_TABLES]; /* text to id */
	GString *key;
};

static const struct {
	const char *find, *make;
} queries[] = {
	[INTERN_LIST] = {"SELECT id FROM list WHERE name = ?",
			 "INSERT INTO list (name, rank) VALUES (?, ?)"},
	[INTERN_ADDRESS] = {"SELECT id FROM address WHERE text = ?",
			    "INSERT INTO address (text) VALUES (?)"},
	[INTERN_PATH] = {"SELECT id FROM path WHERE text = ?",
			 "INSERT INTO path (text) VALUES (?)"},
	[INTERN_STRING] = {"SELECT id FROM string WHERE text = ?",
			   "INSERT INTO string (text) VALUES (?)"},
};

static struct intern *intern_of(store *st)
{
	struct intern *in = st->intern;
	int i;

	if (in)
		return in;
	in = g_new0(struct intern, 1);
	in->key = g_string_new(NULL);
	for (i = 0; i < INTERN_TABLES; i++)
		in->ids[i] = g_hash_table_new_full(g_str_hash, g_str_equal,
						   g_free, NULL);
	return st->intern = in;
}

static gint64 recall(struct intern *in, enum intern_table table,
		     const char *key)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(in->ids[table], key));
}

static gint64 remember(struct intern *in, enum intern_table table,
		       const char *key, gint64 id)
{
	if (g_hash_table_size(in->ids[table]) >= INTERN_MAX)
		g_hash_table_remove_all(in->ids[table]);
	g_hash_table_insert(in->ids[table], g_strdup(key),
			    GSIZE_TO_POINTER(id));
	return id;
}

int intern_list_rank(const char *name)
{
	static const char *const best[] = {".feeds.kernel.org", ".linux.dev",
					   ".kernel.org"};
	g_autofree char *low = g_ascii_strdown(name, -1);
	guint i;

	for (i = 0; i < G_N_ELEMENTS(best); i++)
		if (g_str_has_suffix(low, best[i]))
			break;
	return i;
}

static gint64 make(store *st, enum intern_table table, const char *text,
		   GError **err)
{
	gboolean ok;

	if (table == INTERN_LIST)
		ok = db_run(st->state, err, queries[table].make, TEXT(text),
			    INT(intern_list_rank(text)));
	else
		ok = db_run(st->state, err, queries[table].make, TEXT(text));
	return ok ? sqlite3_last_insert_rowid(db_handle(st->state)) : -1;
}

gint64 intern_text(store *st, enum intern_table table, const char *text,
		   GError **err)
{
	struct intern *in = intern_of(st);
	gint64 id = recall(in, table, text);
	int rc;

	if (id)
		return id;
	rc = db_get_int(st->state, &id, err, queries[table].find, TEXT(text));
	if (rc == 0)
		id = make(st, table, text, err);
	return rc < 0 || id < 0 ? -1 : remember(in, table, text, id);
}

static gint64 find_person(store *st, gint64 address, const char *name,
			  const char *written, GError **err)
{
	gint64 id;
	int rc;

	rc = db_get_int(st->state, &id, err,
			"SELECT id FROM person WHERE address = ? AND name = ? "
			"AND written = ?",
			INT(address), TEXT(name), TEXT(written));
	if (rc > 0)
		return id;
	if (rc < 0 || !db_run(st->state, err,
			      "INSERT INTO person (address, name, written) "
			      "VALUES (?, ?, ?)",
			      INT(address), TEXT(name), TEXT(written)))
		return -1;
	return sqlite3_last_insert_rowid(db_handle(st->state));
}

gint64 intern_address(store *st, const char *written, GError **err)
{
	g_autofree char *low = g_ascii_strdown(written, -1);

	return intern_text(st, INTERN_ADDRESS, low, err);
}

gint64 intern_person(store *st, const struct address *who, GError **err)
{
	struct intern *in = intern_of(st);
	gint64 id, address;

	g_string_printf(in->key, "%s\n%s", who->address, who->name);
	id = recall(in, INTERN_PERSON, in->key->str);
	if (id)
		return id;
	address = intern_address(st, who->address, err);
	if (address < 0)
		return -1;
	id = find_person(st, address, who->name, who->address, err);
	return id < 0 ? -1 : remember(in, INTERN_PERSON, in->key->str, id);
}

void intern_forget(store *st)
{
	int i;

	for (i = 0; st->intern && i < INTERN_TABLES; i++)
		g_hash_table_remove_all(st->intern->ids[i]);
}

void intern_free(store *st)
{
	struct intern *in = st->intern;
	int i;

	if (!in)
		return;
	for (i = 0; i < INTERN_TABLES; i++)
		g_hash_table_destroy(in->ids[i]);
	g_string_free(in->key, TRUE);
	g_free(in);
	st->intern = NULL;
}
