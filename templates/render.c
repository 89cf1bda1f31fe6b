/* render.c - sets of templates: found by name, compiled once, rendered
 * The only file of the renderer that reads files. */
#include "templates/render.h"

#include <string.h>

#include "templates/template_priv.h"

#define RESOURCE_PATH "/culprit/templates/"

G_DEFINE_QUARK(template - error - quark, template_error)

struct template_set {
	template_lookup_fn lookup;
	void *data;
	char *dir;	    /* files here override the compiled-in ones */
	GHashTable *texts;  /* name to text; NULL text = there is none */
	GHashTable *parsed; /* "NAME\nESCAPE\nCONTEXT" to struct template */
	gboolean strict;
};

/* The resource can't be asked for before it is registered. */
static void register_once(void)
{
	static gsize once;

	if (!g_once_init_enter(&once))
		return;
	culprit_templates_register_resource();
	g_once_init_leave(&once, 1);
}

static template_set *set_new(void)
{
	template_set *set = g_new0(template_set, 1);

	register_once();
	set->texts =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	set->parsed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)template_free);
	set->strict = TRUE;
	return set;
}

template_set *template_set_new(template_lookup_fn lookup, void *data)
{
	template_set *set = set_new();

	set->lookup = lookup;
	set->data = data;
	return set;
}

template_set *template_set_open(const char *dir)
{
	template_set *set = set_new();

	set->dir = g_strdup(dir);
	return set;
}

void template_set_free(template_set *set)
{
	if (!set)
		return;
	g_hash_table_unref(set->parsed);
	g_hash_table_unref(set->texts);
	g_free(set->dir);
	g_free(set);
}

void template_set_strict(template_set *set, gboolean strict)
{
	set->strict = strict;
}

gboolean template_is_strict(const template_set *set)
{
	return set->strict;
}

static gboolean name_is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

/* From the folder of the operator; NULL with err unset: not there. */
static char *read_file(const char *dir, const char *name, GError **err)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autoptr(GError) error = NULL;
	char *text = NULL;
	gsize len;

	if (g_file_get_contents(path, &text, &len, &error)) {
		if (g_utf8_validate_len(text, len, NULL))
			return text;
		g_free(text);
		g_set_error(err, TEMPLATE_ERROR, TEMPLATE_ERROR_SYNTAX,
			    "%s: not UTF-8 text", path);
	} else if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
		g_set_error(err, TEMPLATE_ERROR, TEMPLATE_ERROR_NAME, "%s",
			    error->message);
	}
	return NULL;
}

static char *read_resource(const char *name)
{
	g_autofree char *path = g_strconcat(RESOURCE_PATH, name, NULL);
	g_autoptr(GBytes) bytes =
		g_resource_lookup_data(culprit_templates_get_resource(), path,
				       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
	gsize len;
	const char *text;

	if (!bytes)
		return NULL;
	text = g_bytes_get_data(bytes, &len);
	return g_strndup(text, len);
}

/* NULL with err unset: no such template. Lent by the set. */
static const char *set_text(template_set *set, const char *name, GError **err)
{
	GError *error = NULL;
	char *text = NULL;

	if (g_hash_table_contains(set->texts, name))
		return g_hash_table_lookup(set->texts, name);
	if (set->lookup)
		text = g_strdup(set->lookup(name, set->data));
	else if (set->dir && name_is_plain(name))
		text = read_file(set->dir, name, &error);
	if (error) {
		g_propagate_error(err, error);
		return NULL;
	}
	if (!text && !set->lookup && name_is_plain(name))
		text = read_resource(name);
	g_hash_table_insert(set->texts, g_strdup(name), text);
	return text;
}

const struct template *template_get(template_set *set, const char *name,
				    enum template_escape escape,
				    const struct html *start, GError **err)
{
	g_autofree char *key = g_strdup_printf("%s\n%d\n%u", name, (int)escape,
					       start ? html_key(start) : 0);
	struct template *t = g_hash_table_lookup(set->parsed, key);
	const char *text;

	if (t)
		return t;
	text = set_text(set, name, err);
	if (!text)
		return NULL;
	t = template_parse(name, text, escape, start, err);
	if (t)
		g_hash_table_insert(set->parsed, g_steal_pointer(&key), t);
	return t;
}

static enum template_escape escape_of(const char *name)
{
	if (g_str_has_suffix(name, ".html"))
		return TEMPLATE_HTML;
	if (g_str_has_suffix(name, ".xml") || g_str_has_suffix(name, ".atom") ||
	    g_str_has_suffix(name, ".svg"))
		return TEMPLATE_XML;
	return TEMPLATE_TEXT;
}

gboolean template_render(template_set *set, const char *name, json_t *data,
			 GString *out, GError **err)
{
	enum template_escape escape = escape_of(name);
	GError *error = NULL;
	const struct template *t =
		template_get(set, name, escape, NULL, &error);

	if (t)
		return template_run(set, t, escape, data, out, err);
	if (!error)
		g_set_error(&error, TEMPLATE_ERROR, TEMPLATE_ERROR_NAME,
			    "%s: no such template", name);
	g_propagate_error(err, error);
	return FALSE;
}

gboolean template_render_text(template_set *set, const char *text,
			      enum template_escape escape, json_t *data,
			      GString *out, GError **err)
{
	struct template *t = template_parse("(text)", text, escape, NULL, err);
	gboolean ok = t && template_run(set, t, escape, data, out, err);

	template_free(t);
	return ok;
}

/* ---- checking all of them */

static void add_names(GHashTable *names, const char *name)
{
	if (name_is_plain(name) && *name != '_')
		g_hash_table_add(names, g_strdup(name));
}

static GList *known_names(template_set *set)
{
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) compiled = NULL;
	g_autoptr(GDir) dir = NULL;
	GHashTableIter iter;
	gpointer key, text;
	const char *name;
	GList *list;

	if (!set->lookup)
		compiled = g_resource_enumerate_children(
			culprit_templates_get_resource(), RESOURCE_PATH,
			G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
	for (guint i = 0; compiled && compiled[i]; i++)
		add_names(names, compiled[i]);
	dir = set->dir ? g_dir_open(set->dir, 0, NULL) : NULL;
	while (dir && (name = g_dir_read_name(dir)))
		add_names(names, name);
	g_hash_table_iter_init(&iter, set->texts);
	while (g_hash_table_iter_next(&iter, &key, &text))
		if (text)
			add_names(names, key);
	list = g_hash_table_get_keys(names);
	g_hash_table_steal_all(names);
	return g_list_sort(list, (GCompareFunc)strcmp);
}

/* Queue the partials of `t` that were not seen in their context. */
static gboolean check_partials(template_set *set, const struct template *t,
			       enum template_escape escape, GHashTable *seen,
			       GPtrArray *queue, GError **err)
{
	for (guint i = 0; i < t->tokens->len; i++) {
		const struct token *tok =
			&g_array_index(t->tokens, struct token, i);
		const struct template *part;
		GError *error = NULL;

		if (tok->type != TOKEN_PARTIAL)
			continue;
		part = template_get(set, tok->path[0], escape, &tok->html,
				    &error);
		if (!part && !error)
			g_set_error(&error, TEMPLATE_ERROR, TEMPLATE_ERROR_NAME,
				    "%s:%u: \"%s\" is no known partial",
				    t->name, tok->line, tok->path[0]);
		if (error) {
			g_propagate_error(err, error);
			return FALSE;
		}
		if (g_hash_table_add(seen, (gpointer)part))
			g_ptr_array_add(queue, (gpointer)part);
	}
	return TRUE;
}

static gboolean check_one(template_set *set, const char *name, GError **err)
{
	enum template_escape escape = escape_of(name);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) queue = g_ptr_array_new();
	const struct template *t = template_get(set, name, escape, NULL, err);

	if (!t)
		return FALSE;
	g_ptr_array_add(queue, (gpointer)t);
	for (guint i = 0; i < queue->len; i++)
		if (!check_partials(set, queue->pdata[i], escape, seen, queue,
				    err))
			return FALSE;
	return TRUE;
}

gboolean template_set_check(template_set *set, GError **err)
{
	GList *names = known_names(set);
	gboolean ok = TRUE;

	for (GList *l = names; l && ok; l = l->next)
		ok = check_one(set, l->data, err);
	g_list_free_full(names, g_free);
	return ok;
}
