/* tree_settings.c - [tree NAME] of the settings, made sense of */
#include <string.h>

#include "mail/date.h"

#include "bot/trees.h"

#define CLONES "-trees" /* beside the database */

void tree_setting_free(struct tree_setting *t)
{
	if (!t)
		return;
	code_tree_free(t->tree);
	g_strfreev(t->branches);
	g_free(t->repository);
	g_free(t);
}

static gboolean complain(const config *c, const char *name, const char *what,
			 GError **err)
{
	g_set_error(err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX, "%s: [tree %s] %s",
		    config_file(c), name, what);
	return FALSE;
}

static gboolean begins_with_any(const char *name, const char *const *words)
{
	for (guint i = 0; words[i]; i++)
		if (g_str_has_prefix(name, words[i]))
			return TRUE;
	return FALSE;
}

static enum tree_role role_of_name(const char *name)
{
	static const char *const mainline[] = {"mainline", "linus", "torvalds",
					       NULL};
	static const char *const next[] = {"next", "linux-next", NULL};
	static const char *const stable[] = {"stable", "linux-stable",
					     "longterm", NULL};

	if (begins_with_any(name, mainline))
		return TREE_MAINLINE;
	if (begins_with_any(name, next))
		return TREE_NEXT;
	return begins_with_any(name, stable) ? TREE_STABLE : TREE_SUBSYSTEM;
}

static enum tree_role role_of(const config *c, const char *name)
{
	const char *role = config_get(c, "tree", name, "role");

	for (int i = TREE_MAINLINE; role && i <= TREE_SUBSYSTEM; i++)
		if (g_str_equal(role, tree_role_name((enum tree_role)i)))
			return (enum tree_role)i;
	return role_of_name(name);
}

static gboolean read_since(const config *c, const char *name, gint64 *since,
			   GError **err)
{
	const char *text = config_get(c, "tree", name, "since");
	g_autofree char *day =
		text ? g_strconcat(text, "T00:00:00Z", NULL) : NULL;

	if (!text || date_from_rfc3339(text, since) ||
	    date_from_rfc3339(day, since))
		return TRUE;
	return complain(c, name, "since: must be a date like 2020-01-31", err);
}

/* A name may hold anything but a slash must not lead elsewhere. */
static char *clone_of(const char *db_path, const char *name)
{
	g_autofree char *folder = g_strconcat(db_path, CLONES, NULL);
	g_autofree char *plain = g_uri_escape_string(name, " ", FALSE);
	g_autofree char *file =
		g_strconcat(*plain == '.' ? "%" : "", plain, ".git", NULL);

	return g_build_filename(folder, file, NULL);
}

static gboolean is_web(const char *url)
{
	return !url || g_str_has_prefix(url, "https://") ||
	       g_str_has_prefix(url, "http://");
}

static struct tree_setting *read_setting(const config *c, const char *name,
					 const char *db_path, GError **err)
{
	const char *path = config_get(c, "tree", name, "path");
	const char *url = config_get(c, "tree", name, "url");
	struct tree_setting *t = g_new0(struct tree_setting, 1);
	gint64 limit = config_get_int(c, "tree", name, "timeout");

	t->tree = g_new0(struct code_tree, 1);
	t->tree->name = g_strdup(name);
	t->tree->place = g_strdup(path ? path : url);
	t->tree->weburl = g_strdup(config_get(c, "tree", name, "weburl"));
	t->tree->role = role_of(c, name);
	t->tree->order = (int)config_get_int(c, "tree", name, "order");
	t->branches = config_get_list(c, "tree", name, "branches");
	t->remote = !path;
	t->repository = path ? g_strdup(path) : clone_of(db_path, name);
	t->timeout = (guint)CLAMP(limit, 1, G_MAXINT);
	t->poll = (guint)CLAMP(config_get_int(c, "tree", name, "poll"), 1,
			       G_MAXINT);
	if (path && url)
		complain(c, name, "has a path and a url; keep one of the two",
			 err);
	else if (!path && !url)
		complain(c, name, "needs a path or a url", err);
	else if (url && *url == '-')
		complain(c, name, "url: must not begin with -", err);
	else if (!is_web(t->tree->weburl))
		complain(c, name, "weburl: must begin with https:// or http://",
			 err);
	else if (read_since(c, name, &t->tree->since, err))
		return t;
	tree_setting_free(t);
	return NULL;
}

GPtrArray *trees_settings(const config *c, const char *db_path, GError **err)
{
	g_auto(GStrv) names = config_names(c, "tree");
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(
		(GDestroyNotify)tree_setting_free);
	struct tree_setting *t;

	for (guint i = 0; names[i]; i++) {
		t = read_setting(c, names[i], db_path, err);
		if (!t)
			return NULL;
		g_ptr_array_add(out, t);
	}
	return g_steal_pointer(&out);
}
