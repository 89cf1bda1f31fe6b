/* config_scan.c - a settings file, line by line
 * GKeyFile reads the values but knows no line numbers: what it would pass
 * over or report without one is found here first. */
#include <string.h>

#include "mail/suggest.h"

#include "bot/config_priv.h"
#include "bot/duration.h"

struct scan {
	config *config;
	struct config_group *group; /* that the line belongs to */
	GHashTable *lines;	    /* config_slot() to the line it is in */
	GKeyFile *file;
	guint line;
	GError **err;
};

static gboolean complain(struct scan *s, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

static gboolean complain(struct scan *s, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(s->err, CONFIG_ERROR, CONFIG_ERROR_SYNTAX, "%s:%u: %s",
		    s->config->file, s->line, text);
	return FALSE;
}

/* "; did you mean X?", else "; there are A, B, C". */
static char *remedy(const char *word, GPtrArray *known)
{
	const char *near;
	g_autofree char *all = NULL;

	g_ptr_array_add(known, NULL);
	near = suggest_nearest(word, (const char *const *)known->pdata);
	if (near)
		return g_strdup_printf("did you mean %s?", near);
	all = g_strjoinv(", ", (char **)known->pdata);
	return g_strdup_printf("there are %s", all);
}

static char *group_remedy(const char *kind)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (const struct config_key *k = config_keys; k->group; k++)
		if (k == config_keys || !g_str_equal(k[-1].group, k->group))
			g_ptr_array_add(known, (char *)k->group);
	return remedy(kind, known);
}

static char *key_remedy(const char *group, const char *key)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	if (g_str_equal(key, "password"))
		return g_strdup("a password is never written here: use "
				"password-command or password-file");
	for (const struct config_key *k = config_keys; k->group; k++)
		if (g_str_equal(k->group, group))
			g_ptr_array_add(known, (char *)k->key);
	return remedy(key, known);
}

static char *enum_check(const struct config_key *row, const char *value)
{
	g_auto(GStrv) choices = g_strsplit(row->choices, "|", -1);
	g_autofree char *all = NULL;

	if (g_strv_contains((const char *const *)choices, value))
		return NULL;
	all = g_strjoinv(", ", choices);
	return g_strdup_printf("must be one of %s", all);
}

static char *list_check(const struct config_key *row, const char *value)
{
	g_auto(GStrv) parts = g_strsplit_set(value, " \t", -1);

	for (guint i = 0; row->choices && parts[i]; i++) {
		char *wrong = *parts[i] ? enum_check(row, parts[i]) : NULL;

		if (wrong)
			return wrong;
	}
	return NULL;
}

char *config_key_check(const struct config_key *row, const char *value)
{
	gint64 n;

	switch (row->type) {
	case CONFIG_ENUM:
		return enum_check(row, value);
	case CONFIG_LIST:
		return list_check(row, value);
	case CONFIG_INT:
		if (g_ascii_string_to_signed(value, 10, G_MININT, G_MAXINT, &n,
					     NULL))
			return NULL;
		return g_strdup("must be a whole number like 3");
	case CONFIG_DURATION:
		if (duration_parse(value, &n))
			return NULL;
		return g_strdup("must be a span of time like " DURATION_FORMS);
	case CONFIG_STRING:
	case CONFIG_PATH:
		return NULL;
	}
	g_assert_not_reached();
}

static struct config_group *group_named(config *c, const char *kind,
					const char *name)
{
	for (guint i = 0; i < c->groups->len; i++) {
		struct config_group *g = c->groups->pdata[i];

		if (g_str_equal(g->kind, kind) && !g_strcmp0(g->name, name))
			return g;
	}
	return NULL;
}

/* `text` is "[...]" with the blanks around it removed. */
static gboolean scan_group(struct scan *s, const char *text)
{
	gsize len = strlen(text);
	g_autofree char *raw = NULL, *kind = NULL, *name = NULL, *hint = NULL;
	struct config_group *before;
	gboolean named;

	if (text[len - 1] != ']' || strcspn(text + 1, "[]") != len - 2 ||
	    strchr(text, '\t'))
		return complain(s, "a group must look like [store] or "
				   "[list NAME]");
	raw = g_strndup(text + 1, len - 2);
	kind = g_strndup(raw, strcspn(raw, " "));
	name = g_strstrip(g_strdup(raw + strlen(kind)));
	if (!config_group_known(kind, &named)) {
		hint = group_remedy(kind);
		return complain(s, "[%s] is no group of settings; %s", raw,
				hint);
	}
	if (named && !*name)
		return complain(s, "[%s] needs a name; write [%s NAME]", kind,
				kind);
	if (!named && *name)
		return complain(s, "[%s] takes no name; write [%s]", kind,
				kind);
	if (!named)
		g_clear_pointer(&name, g_free);
	before = group_named(s->config, kind, name);
	if (before)
		return complain(s,
				"[%s] stands here again after line %u; join "
				"the two",
				raw, before->line);
	s->group = g_new0(struct config_group, 1);
	s->group->raw = g_steal_pointer(&raw);
	s->group->kind = g_steal_pointer(&kind);
	s->group->name = g_steal_pointer(&name);
	s->group->line = s->line;
	g_ptr_array_add(s->config->groups, s->group);
	return TRUE;
}

/* Take the value as GKeyFile reads it (\s, \n and their like). */
static gboolean take_value(struct scan *s, const struct config_key *row,
			   const char *written)
{
	const struct config_group *g = s->group;
	g_autofree char *slot = config_slot(g->kind, g->name, row->key);
	guint before = GPOINTER_TO_UINT(g_hash_table_lookup(s->lines, slot));
	g_autofree char *value = NULL, *wrong = NULL;
	g_autoptr(GError) bad = NULL;

	if (before)
		return complain(s,
				"%s is set again after line %u; keep one of "
				"the two",
				row->key, before);
	g_hash_table_insert(s->lines, g_strdup(slot),
			    GUINT_TO_POINTER(s->line));
	value = g_key_file_get_string(s->file, g->raw, written, &bad);
	if (!value || bad)
		return complain(s,
				"%s has a value with a bad escape; a "
				"backslash is written \\\\",
				row->key);
	g_strstrip(value);
	if (!*value)
		return TRUE;
	wrong = config_key_check(row, value);
	if (wrong)
		return complain(s, "%s=%s: %s", row->key, value, wrong);
	g_hash_table_insert(s->config->values, g_steal_pointer(&slot),
			    g_steal_pointer(&value));
	return TRUE;
}

static gboolean scan_key(struct scan *s, const char *text)
{
	const char *equals = strchr(text, '=');
	g_autofree char *key = NULL, *hint = NULL;
	const struct config_key *row;

	if (!equals || equals == text)
		return complain(s, "neither [GROUP] nor KEY=VALUE; a comment "
				   "begins with #");
	key = g_strstrip(g_strndup(text, equals - text));
	if (!s->group)
		return complain(s,
				"%s stands before the first group; begin "
				"with a line like [store]",
				key);
	row = config_key_find(s->group->kind, key);
	if (!row) {
		hint = key_remedy(s->group->kind, key);
		return complain(s, "%s is no setting of [%s]; %s", key,
				s->group->kind, hint);
	}
	return take_value(s, row, key);
}

/* GKeyFile's view of the text. Where it finds no sense, the lines tell a
 * better reason, so its errors wait until they have been looked at. */
static GKeyFile *key_file(const char *text, gsize len)
{
	GKeyFile *file = g_key_file_new();

	g_key_file_load_from_data(file, text, len, G_KEY_FILE_NONE, NULL);
	return file;
}

static gboolean scan_line(struct scan *s, const char *line, gsize len)
{
	g_autofree char *text = NULL;

	if (memchr(line, '\0', len) || !g_utf8_validate(line, len, NULL))
		return complain(s, "not UTF-8 text; save the file as UTF-8");
	text = g_strstrip(g_strndup(line, len));
	for (const char *p = text; *p; p++)
		if (g_ascii_iscntrl(*p) && *p != '\t')
			return complain(s, "a control character; remove it");
	if (!*text || *text == '#')
		return TRUE;
	return *text == '[' ? scan_group(s, text) : scan_key(s, text);
}

gboolean config_scan(config *c, const char *text, gsize len, GError **err)
{
	struct scan s = {.config = c, .err = err};
	const char *end = text + len;
	gboolean ok = TRUE;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	s.lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s.file = key_file(text, end - text);
	while (ok && text < end) {
		const char *eol = memchr(text, '\n', end - text);

		eol = eol ? eol : end;
		s.line++;
		ok = scan_line(&s, text, eol - text);
		text = eol + 1;
	}
	g_hash_table_unref(s.lines);
	g_key_file_unref(s.file);
	return ok;
}
