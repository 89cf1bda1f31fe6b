/* item_subsystems.c - whose files an item is about, and people by .mailmap
 * The files of the culprit, as git or its patch has them; where neither is
 * known those of the fix. */
#include <string.h>

#include "mail/address.h"
#include "mail/subject.h"

#include "db/commits.h"
#include "db/items_priv.h"
#include "db/keepers.h"

static gboolean read_keepers(struct item_cache *c, GError **err)
{
	g_autoptr(GError) error = NULL;

	if (c->asked_keepers)
		return TRUE;
	c->keepers = keepers_maintainers(c->st, &error);
	if (!error)
		c->mailmap = keepers_mailmap(c->st, &error);
	c->asked_keepers = !error;
	if (error)
		g_propagate_error(err, g_steal_pointer(&error));
	return c->asked_keepers;
}

/* ---- files */

static gboolean files_of_commit(store *st, const char *id, GPtrArray **files,
				GError **err)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(commit_auto) commit =
		id ? commit_find(st, id, NULL, NULL, &error) : NULL;

	if (commit)
		*files = commit_files(st, commit, &error);
	if (error)
		g_propagate_error(err, g_steal_pointer(&error));
	return !error;
}

/* Paths of the patches that `which` names by ?1. */
#define PATHS_OF(which)                                                \
	"SELECT DISTINCT p.text FROM patch_file f JOIN path p ON p.id" \
	" IN (f.path, f.old_path) WHERE f.node IN (" which ")"         \
	" ORDER BY 1 LIMIT 10000"

static const char by_mid[] = PATHS_OF("SELECT id FROM node WHERE mid = ?1");
static const char by_title[] =
	PATHS_OF("SELECT node FROM patch WHERE title_key = ?1 AND has_diff"
		 " LIMIT 20");

static gboolean files_of_patch(store *st, const char *sql, const char *what,
			       GPtrArray **files, GError **err)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(db_rows) rows = NULL;
	int rc;

	if (!what || !*what || *files)
		return TRUE;
	rows = db_query(st->state, err, sql, TEXT(what));
	while ((rc = db_next(rows, err)) > 0)
		g_ptr_array_add(found, db_dup(rows, 0));
	if (rc == 0 && found->len)
		*files = g_steal_pointer(&found);
	return rc == 0;
}

static gboolean files_of_fixes(store *st, const struct item *i,
			       GPtrArray **files, GError **err)
{
	for (guint n = i->fixes->len; n-- > 0 && !*files;) {
		const struct item_fix *fix = i->fixes->pdata[n];

		if (!files_of_commit(st, fix->id, files, err) ||
		    !files_of_patch(st, by_mid, fix->mid, files, err))
			return FALSE;
	}
	return TRUE;
}

/* NULL with err unset: not known. */
static GPtrArray *files_of(store *st, const struct item *i, GError **err)
{
	g_autofree char *key =
		i->commit_subject ? subject_key(i->commit_subject) : NULL;
	GPtrArray *files = NULL;

	if (files_of_commit(st, i->commit, &files, err) &&
	    files_of_patch(st, by_mid, i->patch_mid, &files, err) &&
	    files_of_patch(st, by_title, key, &files, err) &&
	    files_of_fixes(st, i, &files, err))
		return files;
	g_clear_pointer(&files, g_ptr_array_unref);
	return NULL;
}

GPtrArray *item_files(store *st, gint64 node, const char *commit, GError **err)
{
	static const char sql[] =
		"SELECT coalesce(r.patch_mid, p.mid), r.commit_subject"
		" FROM report r JOIN node n ON n.id = r.node"
		" LEFT JOIN node p ON p.id = n.parent WHERE r.node = ?1";
	g_autoptr(item_auto) i = item_new();
	g_autoptr(db_rows) rows = db_query(st->state, err, sql, INT(node));
	int rc = db_next(rows, err);

	if (rc < 0)
		return NULL;
	i->commit = g_strdup(commit);
	if (rc) {
		i->patch_mid = db_dup(rows, 0);
		i->commit_subject = db_dup(rows, 1);
	}
	return files_of(st, i, err);
}

/* ---- sections */

static char *person_text(const struct maintainers_person *p, const mailmap *map)
{
	const char *name = p->name, *address = p->address;

	mailmap_apply(map, &name, &address);
	return *name ? g_strdup_printf("%s <%s>", name, address)
		     : g_strdup(address);
}

static void take_sections(struct item_cache *c, struct item *i,
			  const GPtrArray *files)
{
	g_autoptr(GArray) found =
		maintainers_of_change(c->keepers, files, NULL, NULL);

	for (guint n = 0; n < MIN(found->len, ITEM_MAX_SUBSYSTEMS); n++) {
		const struct maintainers_section *s =
			g_array_index(found, struct maintainers_match, n)
				.section;

		g_ptr_array_add(i->subsystems, g_strdup(s->title));
		if (!i->maintainer && s->m->len)
			i->maintainer = person_text(s->m->pdata[0], c->mailmap);
	}
}

/* Whoever keeps it is not waited for: it may be another one's. */
static void take_hint(struct item_cache *c, struct item *i)
{
	const char *title = i->commit_subject ? i->commit_subject : i->subject;
	const struct maintainers_section *s =
		title ? maintainers_hint(c->keepers, title) : NULL;

	if (!s)
		return;
	g_ptr_array_add(i->subsystems, g_strdup(s->title));
	i->subsystems_guessed = TRUE;
}

/* ---- people */

/* Two shared strings. */
static void map_shared(const mailmap *map, char **name, char **address)
{
	const char *new_name = *name ? *name : "", *new_address = *address;
	char *old_name = *name, *old_address = *address;

	if (!new_address || !mailmap_apply(map, &new_name, &new_address))
		return;
	*name = item_ref(new_name);
	*address = item_ref(new_address);
	item_ref_drop(old_name);
	item_ref_drop(old_address);
}

static void map_reporter(const mailmap *map, struct item *i)
{
	const char *name = i->reporter_name ? i->reporter_name : "";
	const char *address = i->reporter_address;
	char *old_name = i->reporter_name, *old_address = i->reporter_address;

	if (!address || !mailmap_apply(map, &name, &address))
		return;
	i->reporter_name = g_strdup(name);
	i->reporter_address = g_strdup(address);
	g_free(old_name);
	g_free(old_address);
}

static void map_author(const mailmap *map, struct item *i)
{
	g_autoptr(address_auto) a =
		i->author ? address_parse_person(i->author, NULL) : NULL;
	const char *name = a ? a->name : "", *address = a ? a->address : "";

	if (!a || !mailmap_apply(map, &name, &address))
		return;
	g_free(i->author);
	i->author = g_strdup_printf("%s <%s>", name, address);
}

/* One person of one role under two addresses is there once. */
static void map_people(const mailmap *map, struct item *i)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	map_reporter(map, i);
	map_author(map, i);
	for (guint n = 0; n < i->fixes->len; n++) {
		struct item_fix *fix = i->fixes->pdata[n];

		map_shared(map, &fix->author_name, &fix->author_address);
	}
	for (guint n = 0; n < i->people->len;) {
		struct item_person *p = i->people->pdata[n];
		g_autofree char *lower = NULL;

		map_shared(map, &p->name, &p->address);
		lower = p->address ? g_ascii_strdown(p->address, -1) : NULL;
		if (g_hash_table_add(seen,
				     g_strconcat(p->role, " ", lower, NULL)))
			n++;
		else
			g_ptr_array_remove_index(i->people, n);
	}
}

gboolean item_find_subsystems(struct item_cache *c, struct item_facts *f,
			      GError **err)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) files = NULL;

	if (!read_keepers(c, err))
		return FALSE;
	if (c->mailmap)
		map_people(c->mailmap, f->item);
	if (!c->keepers)
		return TRUE;
	files = files_of(c->st, f->item, &error);
	if (files)
		take_sections(c, f->item, files);
	else if (!error)
		take_hint(c, f->item);
	if (error)
		g_propagate_error(err, g_steal_pointer(&error));
	return !error;
}
