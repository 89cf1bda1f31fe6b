/* config_show.c - the settings in force as a file that gives them again */
#include "bot/config_priv.h"

/* GKeyFile's own escapes, so that reading gives the same. */
static char *escape(const char *group, const char *key, const char *value)
{
	g_autoptr(GKeyFile) file = g_key_file_new();

	g_key_file_set_string(file, group, key, value);
	return g_key_file_get_value(file, group, key, NULL);
}

static void show_key(const config *c, const struct config_key *k,
		     const char *name, GString *out)
{
	const char *value = config_get(c, k->group, name, k->key);
	g_autofree char *escaped = NULL;

	if (!value) {
		g_string_append_printf(out, "# %s is not set: %s\n", k->key,
				       k->help);
		return;
	}
	escaped = escape(k->group, k->key, value);
	g_string_append_printf(out, "%s=%s\n", k->key, escaped);
}

static void show_group(const config *c, const char *kind, const char *name,
		       GString *out)
{
	if (out->len)
		g_string_append_c(out, '\n');
	g_string_append_printf(out, name ? "[%s %s]\n" : "[%s]\n", kind, name);
	for (const struct config_key *k = config_keys; k->group; k++)
		if (g_str_equal(k->group, kind))
			show_key(c, k, name, out);
}

char *config_show(const config *c)
{
	GString *out = g_string_new(NULL);
	const char *last = "";

	if (c->file)
		g_string_append_printf(out, "# from %s\n", c->file);
	for (const struct config_key *k = config_keys; k->group; k++) {
		g_auto(GStrv) names = NULL;
		gboolean named;

		if (g_str_equal(k->group, last))
			continue;
		last = k->group;
		config_group_known(k->group, &named);
		if (!named) {
			show_group(c, k->group, NULL, out);
			continue;
		}
		names = config_names(c, k->group);
		for (guint i = 0; names[i]; i++)
			show_group(c, k->group, names[i], out);
	}
	return g_string_free(out, FALSE);
}
