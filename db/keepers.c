/* keepers.c - MAINTAINERS and .mailmap of the git trees, parsed once
 * Asks for the bytes only where the blob is another one than last time. */
#include "db/keepers.h"

#include <string.h>

#include "db/commits.h"
#include "db/db_priv.h"

struct keepers {
	char *maintainers_oid, *mailmap_oid, *directories_oid; /* "" none */
	GHashTable *directories; /* set of names; NULL none */
	maintainers *maintainers;
	mailmap *mailmap;
	GPtrArray *refused; /* why MAINTAINERS is none that can be read */
};

static void keepers_free(void *data)
{
	struct keepers *k = data;

	g_free(k->maintainers_oid);
	g_free(k->mailmap_oid);
	g_free(k->directories_oid);
	g_clear_pointer(&k->directories, g_hash_table_unref);
	maintainers_free(k->maintainers);
	mailmap_free(k->mailmap);
	g_clear_pointer(&k->refused, g_ptr_array_unref);
	g_free(k);
}

static struct keepers *keepers_of(store *st)
{
	if (!st->keepers) {
		st->keepers = g_new0(struct keepers, 1);
		st->keepers_free = keepers_free;
	}
	return st->keepers;
}

/* The text if it is another than that of `*oid`, which is set to it. */
static char *changed_text(store *st, const char *path, char **oid,
			  gboolean *changed, GError **err)
{
	g_autoptr(db_rows) rows = db_query(
		st->state, err,
		"SELECT lower(hex(x.oid)) FROM git_text x "
		"JOIN git_tree t ON t.id = x.tree WHERE t.configured "
		"AND x.path = ?1 ORDER BY t.role, t.rank, t.name LIMIT 1",
		TEXT(path));
	int rc = db_next(rows, err);
	const char *now = rc > 0 ? db_text(rows, 0) : "";

	*changed = rc >= 0 && g_strcmp0(*oid, now) != 0;
	if (!*changed)
		return NULL;
	g_free(*oid);
	*oid = g_strdup(now);
	return *now ? tree_file(st, NULL, path, NULL, err) : NULL;
}

/* TRUE: they are others than last time. */
static gboolean take_directories(store *st, struct keepers *k, GError **err)
{
	gboolean changed;
	g_autofree char *text =
		changed_text(st, KEEPERS_DIRECTORIES, &k->directories_oid,
			     &changed, err);
	g_auto(GStrv) names = text ? g_strsplit(text, "\n", -1) : NULL;

	if (changed)
		g_clear_pointer(&k->directories, g_hash_table_unref);
	if (names)
		k->directories = g_hash_table_new_full(g_str_hash, g_str_equal,
						       g_free, NULL);
	for (guint n = 0; names && names[n]; n++)
		g_hash_table_add(k->directories, g_strdup(names[n]));
	return changed;
}

static gboolean is_directory(const char *path, void *data)
{
	const struct keepers *k = data;

	return k->directories && g_hash_table_contains(k->directories, path);
}

/* One beyond its bounds is none. */
static void take_maintainers(struct keepers *k, const char *text)
{
	g_autoptr(GError) why = NULL;

	k->maintainers =
		maintainers_parse(text, strlen(text), is_directory, k, &why);
	if (k->maintainers)
		return;
	k->refused = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(k->refused, g_strdup(why->message));
}

const maintainers *keepers_maintainers(store *st, GError **err)
{
	struct keepers *k = keepers_of(st);
	g_autofree char *text = NULL;
	gboolean changed;

	/* other directories: all patterns are made anew */
	if (take_directories(st, k, err))
		g_clear_pointer(&k->maintainers_oid, g_free);
	text = changed_text(st, "MAINTAINERS", &k->maintainers_oid, &changed,
			    err);
	if (changed) {
		g_clear_pointer(&k->maintainers, maintainers_free);
		g_clear_pointer(&k->refused, g_ptr_array_unref);
	}
	if (text)
		take_maintainers(k, text);
	return k->maintainers;
}

GPtrArray *keepers_problems(store *st, GError **err)
{
	const maintainers *m = keepers_maintainers(st, err);

	return m ? maintainers_problems(m) : keepers_of(st)->refused;
}

const mailmap *keepers_mailmap(store *st, GError **err)
{
	struct keepers *k = keepers_of(st);
	gboolean changed;
	g_autofree char *text =
		changed_text(st, ".mailmap", &k->mailmap_oid, &changed, err);

	if (changed)
		g_clear_pointer(&k->mailmap, mailmap_free);
	if (text)
		k->mailmap = mailmap_parse(text, strlen(text));
	return k->mailmap;
}
