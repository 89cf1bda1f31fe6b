/* config.c - finding and reading the settings, and asking for one
 * What settings there are is in config_table.c; how a file is read, in
 * config_scan.c. */
#include "bot/config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "bot/config_priv.h"
#include "bot/duration.h"

#define CONFIG_SYSTEM_FILE "/etc/culprit/culprit.conf"

G_DEFINE_QUARK(culprit - config - error, config_error)

static const char *const named_groups[] = {"list", "source", "tree", NULL};

char *config_slot(const char *group, const char *name, const char *key)
{
	return g_strjoin("\n", group, name ? name : "", key, NULL);
}

gboolean config_group_known(const char *group, gboolean *named)
{
	for (const struct config_key *k = config_keys; k->group; k++) {
		if (!g_str_equal(k->group, group))
			continue;
		*named = g_strv_contains(named_groups, group);
		return TRUE;
	}
	return FALSE;
}

const struct config_key *config_key_find(const char *group, const char *key)
{
	g_autofree char *dashed = g_strdelimit(g_strdup(key), "_", '-');

	for (const struct config_key *k = config_keys; k->group; k++)
		if (g_str_equal(k->group, group) && g_str_equal(k->key, dashed))
			return k;
	return NULL;
}

static void group_free(gpointer data)
{
	struct config_group *g = data;

	g_free(g->raw);
	g_free(g->kind);
	g_free(g->name);
	g_free(g);
}

void config_free(config *c)
{
	if (!c)
		return;
	g_free(c->file);
	g_free(c->dir);
	g_ptr_array_unref(c->groups);
	g_hash_table_unref(c->values);
	g_free(c);
}

/* "$XDG_DATA_HOME/", "~/" and paths relative to the file, made absolute. */
static char *resolve_path(const config *c, const char *value)
{
	static const char data_home[] = "$XDG_DATA_HOME/";

	if (g_str_has_prefix(value, data_home))
		return g_build_filename(g_get_user_data_dir(),
					value + strlen(data_home), NULL);
	if (g_str_equal(value, "~") || g_str_has_prefix(value, "~/"))
		return g_build_filename(g_get_home_dir(), value + 1, NULL);
	return g_canonicalize_filename(value, c->dir);
}

static void resolve_all(config *c)
{
	GHashTableIter iter;
	gpointer slot, value;

	g_hash_table_iter_init(&iter, c->values);
	while (g_hash_table_iter_next(&iter, &slot, &value)) {
		g_auto(GStrv) part = g_strsplit(slot, "\n", 3);

		if (config_key_find(part[0], part[2])->type == CONFIG_PATH)
			g_hash_table_iter_replace(&iter,
						  resolve_path(c, value));
	}
}

/* Presets of plain groups; those of named ones are looked up when asked. */
static void add_presets(config *c)
{
	for (const struct config_key *k = config_keys; k->group; k++) {
		g_autofree char *slot = config_slot(k->group, NULL, k->key);

		if (k->preset && !g_strv_contains(named_groups, k->group) &&
		    !g_hash_table_contains(c->values, slot))
			g_hash_table_insert(c->values, g_steal_pointer(&slot),
					    g_strdup(k->preset));
	}
}

/* The file to read when none was named; NULL = built-in defaults. */
static char *search_file(void)
{
	const char *named = g_getenv("CULPRIT_CONFIG");
	char *paths[] = {
		g_strdup(named && *named ? named : NULL),
		g_build_filename(g_get_user_config_dir(), "culprit",
				 "culprit.conf", NULL),
		g_strdup(CONFIG_SYSTEM_FILE),
	};
	char *found = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		if (!found && paths[i] &&
		    g_file_test(paths[i], G_FILE_TEST_EXISTS))
			found = g_steal_pointer(&paths[i]);
		g_free(paths[i]);
	}
	return found;
}

static gboolean unread(const config *c, const char *why, GError **err)
{
	g_set_error(err, CONFIG_ERROR, CONFIG_ERROR_READ, "%s: %s", c->file,
		    why);
	return FALSE;
}

/* One byte more than there may be, so that too many are seen as such. */
static gboolean read_text(const config *c, GByteArray *text, GError **err)
{
	FILE *f = g_fopen(c->file, "re");
	int why;

	if (!f)
		return unread(c, g_strerror(errno), err);
	g_byte_array_set_size(text, CONFIG_MAX_BYTES + 1);
	errno = 0;
	g_byte_array_set_size(text, fread(text->data, 1, text->len, f));
	why = ferror(f) ? errno : 0;
	fclose(f);
	if (why)
		return unread(c, g_strerror(why), err);
	return text->len <= CONFIG_MAX_BYTES ||
	       unread(c,
		      "larger than " G_STRINGIFY(
			      CONFIG_MAX_KIB) " KiB, no "
					      "settings file",
		      err);
}

static gboolean read_file(config *c, GError **err)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	g_autofree char *absolute = g_canonicalize_filename(c->file, NULL);

	g_free(c->dir);
	c->dir = g_path_get_dirname(absolute);
	return read_text(c, text, err) &&
	       config_scan(c, (const char *)text->data, text->len, err);
}

config *config_load(const char *file, GError **err)
{
	g_autoptr(config) c = g_new0(config, 1);

	c->groups = g_ptr_array_new_with_free_func(group_free);
	c->values =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	c->dir = g_get_current_dir();
	c->file = file ? g_strdup(file) : search_file();
	if (c->file && !read_file(c, err))
		return NULL;
	add_presets(c);
	resolve_all(c);
	return g_steal_pointer(&c);
}

const char *config_file(const config *c)
{
	return c->file;
}

char **config_names(const config *c, const char *kind)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < c->groups->len; i++) {
		const struct config_group *g = c->groups->pdata[i];

		if (g->name && g_str_equal(g->kind, kind))
			g_ptr_array_add(names, g_strdup(g->name));
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_steal(names, NULL);
}

const char *config_get(const config *c, const char *group, const char *name,
		       const char *key)
{
	const struct config_key *row = config_key_find(group, key);
	g_autofree char *slot = config_slot(group, name, key);
	const char *value = g_hash_table_lookup(c->values, slot);

	g_assert(row);
	return value ? value : row->preset;
}

char **config_get_list(const config *c, const char *group, const char *name,
		       const char *key)
{
	const char *value = config_get(c, group, name, key);
	g_auto(GStrv) parts = g_strsplit_set(value ? value : "", " \t", -1);
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_ptr_array_add(list, g_strdup(parts[i]));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_steal(list, NULL);
}

gint64 config_get_int(const config *c, const char *group, const char *name,
		      const char *key)
{
	const char *value = config_get(c, group, name, key);
	gint64 n = 0;

	if (value && !duration_parse(value, &n))
		n = g_ascii_strtoll(value, NULL, 10);
	return n;
}
