/* tree_texts.c - what the head of a tree tells of people and files
 * MAINTAINERS and .mailmap as they are, and which names in MAINTAINERS are
 * directories, so that their patterns mean all that is in them. */
#include <string.h>

#include "db/keepers.h"

#include "bot/trees_priv.h"

#define TEXT_MAX (16 * 1024 * 1024)

struct text {
	struct tree_sync *s;
	const char *path;
	GBytes *bytes; /* NULL: there is none */
	guint8 oid[COMMIT_OID_LEN];
};

static gboolean write_text(store *st, void *data, GError **err)
{
	struct text *t = data;

	return commit_store_text(st, t->s->setting->tree->row, t->path, t->oid,
				 t->bytes, err);
}

static git_tree *tree_at(git_repository *repo, const guint8 *head)
{
	git_commit *c = NULL;
	git_tree *tree = NULL;
	git_oid id;

	git_oid_fromraw(&id, head);
	if (git_commit_lookup(&c, repo, &id) == 0 &&
	    git_commit_tree(&tree, c) != 0)
		tree = NULL;
	git_commit_free(c);
	return tree;
}

static void read_text(struct text *t, const git_tree *tree)
{
	git_tree_entry *entry = NULL;
	git_blob *blob = NULL;

	if (tree && git_tree_entry_bypath(&entry, tree, t->path) == 0 &&
	    git_tree_entry_type(entry) == GIT_OBJECT_BLOB &&
	    git_blob_lookup(&blob, t->s->repo->repo,
			    git_tree_entry_id(entry)) == 0 &&
	    git_blob_rawsize(blob) <= TEXT_MAX) {
		t->bytes = g_bytes_new(git_blob_rawcontent(blob),
				       git_blob_rawsize(blob));
		memcpy(t->oid, git_blob_id(blob)->id, COMMIT_OID_LEN);
	}
	git_blob_free(blob);
	git_tree_entry_free(entry);
}

/* ---- directories */

static gboolean is_directory(const git_tree *tree, const char *path)
{
	git_tree_entry *entry = NULL;
	gboolean is = git_tree_entry_bypath(&entry, tree, path) == 0 &&
		      git_tree_entry_type(entry) == GIT_OBJECT_TREE;

	git_tree_entry_free(entry);
	return is;
}

/* The value of "F:" or "X:" that may name one; NULL. You own it. */
static char *plain_value(const char *line, gsize len)
{
	char *value;

	if (len < 3 || !strchr("FX", line[0]) || line[1] != ':')
		return NULL;
	value = g_strstrip(g_strndup(line + 2, len - 2));
	if (*value && *value != '/' && !strpbrk(value, ".*?") &&
	    !g_str_has_suffix(value, "/"))
		return value;
	g_free(value);
	return NULL;
}

static GBytes *find_directories(const git_tree *tree, GBytes *file)
{
	gsize len;
	const char *text = g_bytes_get_data(file, &len);
	const char *end = text + len;
	GString *names = g_string_new(NULL);

	while (text < end) {
		const char *nl = memchr(text, '\n', (gsize)(end - text));
		gsize n = (gsize)((nl ? nl : end) - text);
		g_autofree char *value = plain_value(text, n);

		if (value && is_directory(tree, value))
			g_string_append_printf(names, "%s\n", value);
		text += n + (nl != NULL);
	}
	return g_string_free_to_bytes(names);
}

static void hash_text(struct text *t)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);
	gsize len, hash = sizeof(t->oid);
	const guchar *data = g_bytes_get_data(t->bytes, &len);

	g_checksum_update(sum, data, (gssize)len);
	g_checksum_get_digest(sum, t->oid, &hash);
}

/* ---- */

gboolean tree_texts(struct tree_sync *s, const guint8 *head, GError **err)
{
	git_tree *tree = tree_at(s->repo->repo, head);
	struct text all[] = {{s, "MAINTAINERS", NULL, {0}},
			     {s, ".mailmap", NULL, {0}},
			     {s, KEEPERS_DIRECTORIES, NULL, {0}}};
	gboolean ok = TRUE;

	read_text(&all[0], tree);
	read_text(&all[1], tree);
	if (all[0].bytes) {
		all[2].bytes = find_directories(tree, all[0].bytes);
		hash_text(&all[2]);
	}
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		ok = ok && store_transact(s->st, write_text, &all[i], err);
		g_clear_pointer(&all[i].bytes, g_bytes_unref);
	}
	git_tree_free(tree);
	return ok;
}
