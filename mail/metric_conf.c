/* metric_conf.c - reading metrics.conf
 * Its grammar is told at the top of that file. */
#include <string.h>

#include "mail/metric_priv.h"

struct conf {
	struct metric_rules *rules;
	struct metric_section *section; /* NULL before the first */
	GHashTable *seen; /* patterns of this section, against doubles */
	guint patterns;	  /* of the whole file */
	GString *problem; /* of this line; empty: none */
};

static void glob_free(void *data)
{
	struct metric_glob *g = data;

	g_free(g->text);
	g_free(g);
}

static void section_free(void *data)
{
	struct metric_section *s = data;

	g_free(s->name);
	g_free(s->alias);
	g_ptr_array_unref(s->globs);
	g_clear_pointer(&s->renames, g_hash_table_unref);
	g_free(s);
}

void metric_rules_free(struct metric_rules *r)
{
	if (!r)
		return;
	g_hash_table_unref(r->sections);
	g_ptr_array_unref(r->wild);
	g_hash_table_unref(r->monitors);
	g_ptr_array_unref(r->failures);
	g_ptr_array_unref(r->healthy);
	g_free(r);
}

static struct metric_rules *rules_new(void)
{
	struct metric_rules *r = g_new0(struct metric_rules, 1);

	r->sections = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					    section_free);
	r->wild = g_ptr_array_new();
	r->monitors =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r->failures = g_ptr_array_new_with_free_func(glob_free);
	r->healthy = g_ptr_array_new_with_free_func(glob_free);
	return r;
}

gboolean metric_glob_fits(const struct metric_glob *g, const char *text,
			  gsize len)
{
	const char *star = NULL;
	gsize p = 0, t = 0, back = 0;

	if (g->is_tail)
		return len >= g->len - 1 &&
		       memcmp(text + len - (g->len - 1), g->text + 1,
			      g->len - 1) == 0;
	while (t < len) {
		if (p < g->len && g->text[p] == '*') {
			star = g->text + p++;
			back = t;
		} else if (p < g->len && g->text[p] == text[t]) {
			p++;
			t++;
		} else if (star) {
			p = (gsize)(star - g->text) + 1;
			t = ++back;
		} else {
			return FALSE;
		}
	}
	while (p < g->len && g->text[p] == '*')
		p++;
	return p == g->len;
}

static void add_glob(struct conf *c, GPtrArray *to, const char *text,
		     enum metric_direction direction)
{
	struct metric_glob *g;

	if (++c->patterns > METRIC_MAX_PATTERNS) {
		g_string_assign(c->problem, "too many patterns");
		return;
	}
	if (!g_hash_table_add(c->seen, g_strdup(text))) {
		g_string_printf(c->problem, "\"%s\" stands here twice", text);
		return;
	}
	g = g_new(struct metric_glob, 1);
	g->text = g_strdup(text);
	g->len = (guint)strlen(text);
	g->is_tail = *text == '*' && !strchr(text + 1, '*');
	g->direction = direction;
	g_ptr_array_add(to, g);
}

static void begin_section(struct conf *c, const char *line)
{
	gsize len = strlen(line);
	struct metric_section *s;
	g_autofree char *name = NULL;

	if (len < 2 || line[len - 1] != ']' || strpbrk(line, " \t") ||
	    len - 2 > METRIC_MAX_NAME) {
		g_string_assign(c->problem, "not the name of a test");
		return;
	}
	name = g_strndup(line + 1, len - 2);
	if (g_hash_table_contains(c->rules->sections, name)) {
		g_string_printf(c->problem, "a second [%s]", name);
		return;
	}
	if (g_hash_table_size(c->rules->sections) >= METRIC_MAX_SECTIONS) {
		g_string_assign(c->problem, "too many sections");
		return;
	}
	s = g_new0(struct metric_section, 1);
	s->globs = g_ptr_array_new_with_free_func(glob_free);
	s->name = g_steal_pointer(&name);
	g_hash_table_insert(c->rules->sections, s->name, s);
	if (strchr(s->name, '*'))
		g_ptr_array_add(c->rules->wild, s);
	g_hash_table_remove_all(c->seen);
	c->section = s;
}

static void read_alias(struct conf *c, char **words)
{
	struct metric_section *s = c->section;

	if (g_strv_length(words) != 2 || s->alias || s->globs->len ||
	    s->renames || strchr(words[1], '*'))
		g_string_assign(c->problem, "an alias is one name, alone in "
					    "its section");
	else
		s->alias = g_strdup(words[1]);
}

static void read_rename(struct conf *c, char **words)
{
	struct metric_section *s = c->section;

	if (g_strv_length(words) != 3) {
		g_string_assign(c->problem, "expected: rename OLD NEW");
		return;
	}
	if (!s->renames)
		s->renames = g_hash_table_new_full(g_str_hash, g_str_equal,
						   g_free, g_free);
	if (!g_hash_table_insert(s->renames, g_strdup(words[1]),
				 g_strdup(words[2])))
		g_string_printf(c->problem, "\"%s\" is renamed twice",
				words[1]);
}

static void read_in_section(struct conf *c, char **words)
{
	static const char *const names[] = {"unknown", "higher", "lower", NULL};
	struct metric_section *s = c->section;
	int direction = -1;

	for (int i = 0; names[i]; i++)
		if (!strcmp(words[0], names[i]))
			direction = i;
	if (s->alias) {
		g_string_assign(c->problem, "more than the alias");
	} else if (!strcmp(words[0], "alias")) {
		read_alias(c, words);
	} else if (!strcmp(words[0], "rename")) {
		read_rename(c, words);
	} else if (direction < 0 || !words[1]) {
		g_string_printf(c->problem, "\"%s\": no such line", words[0]);
	} else {
		for (guint i = 1; words[i] && !c->problem->len; i++)
			add_glob(c, s->globs, words[i],
				 (enum metric_direction)direction);
	}
}

static void read_on_top(struct conf *c, char **words)
{
	struct metric_rules *r = c->rules;
	GPtrArray *to = NULL;

	if (!strcmp(words[0], "failure"))
		to = r->failures;
	else if (!strcmp(words[0], "healthy"))
		to = r->healthy;
	else if (strcmp(words[0], "monitor") != 0) {
		g_string_printf(c->problem, "\"%s\": no such line", words[0]);
		return;
	}
	for (guint i = 1; words[i] && !c->problem->len; i++) {
		if (to)
			add_glob(c, to, words[i], METRIC_UNKNOWN);
		else if (!g_hash_table_add(r->monitors, g_strdup(words[i])))
			g_string_printf(c->problem, "\"%s\" stands here twice",
					words[i]);
	}
}

static void read_line(struct conf *c, char *line)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) words = NULL;
	g_auto(GStrv) parts = NULL;

	g_strdelimit(g_strstrip(line), "\t", ' ');
	if (!*line || *line == '#')
		return;
	if (*line == '[') {
		begin_section(c, line);
		return;
	}
	parts = g_strsplit(line, " ", -1);
	for (guint i = 0; parts[i]; i++)
		if (*parts[i])
			g_strv_builder_add(builder, parts[i]);
	words = g_strv_builder_end(builder);
	if (c->section)
		read_in_section(c, words);
	else
		read_on_top(c, words);
}

static gboolean read_lines(struct conf *c, const char *text, gsize len,
			   char **problem)
{
	const char *p = text, *end = text + len, *eol;

	for (guint n = 1; p < end; n++, p = eol + 1) {
		g_autofree char *line = NULL;

		eol = memchr(p, '\n', (gsize)(end - p));
		if (!eol)
			eol = end;
		if (eol - p > METRIC_MAX_LINE)
			g_string_assign(c->problem, "the line is too long");
		else if (memchr(p, '\0', (gsize)(eol - p)) ||
			 !g_utf8_validate(p, eol - p, NULL))
			g_string_assign(c->problem, "not text");
		else
			line = g_strndup(p, (gsize)(eol - p));
		if (line)
			read_line(c, line);
		if (c->problem->len) {
			*problem = g_strdup_printf("line %u: %s", n,
						   c->problem->str);
			return FALSE;
		}
	}
	return TRUE;
}

/* Each alias must lead to a section that is none itself. */
static gboolean check_aliases(const struct metric_rules *r, char **problem)
{
	GHashTableIter i;
	gpointer value;

	g_hash_table_iter_init(&i, r->sections);
	while (g_hash_table_iter_next(&i, NULL, &value)) {
		const struct metric_section *s = value, *to;

		if (!s->alias)
			continue;
		to = g_hash_table_lookup(r->sections, s->alias);
		if (!to || to->alias) {
			*problem = g_strdup_printf("[%s]: no section [%s]",
						   s->name, s->alias);
			return FALSE;
		}
	}
	return TRUE;
}

struct metric_rules *metric_rules_parse(const char *text, gsize len,
					char **problem)
{
	g_autoptr(metric_rules_auto) rules = rules_new();
	struct conf c = {.rules = rules};
	gboolean ok;

	*problem = NULL;
	c.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c.problem = g_string_new(NULL);
	ok = read_lines(&c, text, len, problem) &&
	     check_aliases(rules, problem);
	g_hash_table_unref(c.seen);
	g_string_free(c.problem, TRUE);
	return ok ? g_steal_pointer(&rules) : NULL;
}
