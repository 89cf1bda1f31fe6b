/* maintainers_parse.c - the text of MAINTAINERS to sections and patterns
 * Part of maintainers.h. Blank lines and comments divide nothing: a section is
 * the lines "X: value" behind the last line that is none of these. */
#include <string.h>

#include "mail/error.h"
#include "mail/maintainers_priv.h"

#define SLUG_MAX 64

struct reader {
	maintainers *m;
	struct section *section; /* NULL: no line of it yet */
	char *title;		 /* NULL: none seen yet */
	guint title_line, line;
	char *name; /* of P: on the line before */
	maintainers_dir_fn is_dir;
	void *data;
};

static gboolean fail(GError **err, const char *what, gint max)
{
	g_set_error(err, MAIL_ERROR, MAIL_ERROR_LIMIT,
		    "MAINTAINERS: more than %d %s", max, what);
	return FALSE;
}

/* ---- names for pages */

static char *slug_of(const char *title)
{
	GString *s = g_string_new(NULL);

	for (const char *p = title; *p; p++) {
		char c = g_ascii_tolower(*p);

		if (g_ascii_isalnum(c) || (c == '.' && s->len))
			g_string_append_c(s, c);
		else if (s->len && s->str[s->len - 1] != '-')
			g_string_append_c(s, '-');
	}
	while (s->len && strchr("-.", s->str[s->len - 1]))
		g_string_truncate(s, s->len - 1);
	if (!s->len)
		g_string_assign(s, "section");
	return g_string_free(s, FALSE);
}

/* Unique, and a function of the titles up to this one. */
static void give_slug(maintainers *m, struct section *s)
{
	g_autofree char *plain = slug_of(s->s.title);
	g_autofree char *hash = NULL;
	g_autofree char *key = NULL;
	guint again = 0;

	s->s.slug = g_strdup(plain);
	while (strlen(s->s.slug) > SLUG_MAX ||
	       g_hash_table_contains(m->names, s->s.slug)) {
		g_free(key);
		g_free(hash);
		key = g_strdup_printf("%s\n%u", s->s.title, again++);
		hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key,
						     -1);
		g_free(s->s.slug);
		s->s.slug =
			g_strdup_printf("%.*s-%.8s", SLUG_MAX - 9, plain, hash);
	}
	g_hash_table_insert(m->names, g_strdup(s->s.slug), s);
}

static void give_names(maintainers *m)
{
	for (guint i = 0; i < m->sections->len; i++)
		give_slug(m, m->sections->pdata[i]);
	for (guint i = 0; i < m->sections->len; i++)
		maintainers_add_title(m, m->sections->pdata[i]);
	for (guint i = 0; i < m->sections->len; i++) {
		struct section *s = m->sections->pdata[i];
		g_autofree char *key = g_utf8_casefold(s->s.title, -1);

		if (!g_hash_table_contains(m->names, key))
			g_hash_table_insert(m->names, g_steal_pointer(&key), s);
	}
}

/* ---- sections */

/* One that means every file is no subsystem. */
static gboolean means_all(const maintainers *m, const struct section *s)
{
	guint all = 0;

	if (!g_ascii_strcasecmp(s->s.title, "THE REST"))
		return TRUE;
	for (guint i = 0; i < s->count; i++) {
		const struct pattern *p =
			&g_array_index(m->patterns, struct pattern,
				       s->first + i);

		if (p->type == 'X')
			continue;
		if (p->type != 'F' || !p->text ||
		    (strcmp(p->text, "*") != 0 && strcmp(p->text, "*/") != 0))
			return FALSE;
		all++;
	}
	return all > 0;
}

static void end_section(struct reader *r)
{
	struct section *s = r->section;

	if (!s)
		return;
	s->count = r->m->patterns->len - s->first;
	s->s.hidden = means_all(r->m, s);
	maintainers_section_end(s);
	r->section = NULL;
}

static gboolean begin_section(struct reader *r, GError **err)
{
	if (r->m->sections->len >= MAINTAINERS_MAX_SECTIONS)
		return fail(err, "sections", MAINTAINERS_MAX_SECTIONS);
	r->section = maintainers_section_new(r->title, r->title_line);
	r->section->first = r->m->patterns->len;
	g_ptr_array_add(r->m->sections, r->section);
	return TRUE;
}

/* ---- patterns */

static void add_to_index(maintainers *m, const struct pattern *p, guint n)
{
	GArray *of_type = p->type == 'N'   ? m->by_name
			  : p->type == 'K' ? m->by_word
					   : NULL;
	g_autofree char *begin = NULL;

	if (p->type == 'X' || p->how == PATTERN_UNUSABLE)
		return;
	if (!of_type) {
		begin = pattern_begin(p);
		m->lengths[strlen(begin)] = TRUE;
		of_type = g_hash_table_lookup(m->by_begin, begin);
	}
	if (!of_type) {
		of_type = g_array_new(FALSE, FALSE, sizeof(guint));
		g_hash_table_insert(m->by_begin, g_steal_pointer(&begin),
				    of_type);
	}
	g_array_append_val(of_type, n);
}

static gboolean add_pattern(struct reader *r, char type, const char *value,
			    GError **err)
{
	g_autoptr(GError) why = NULL;
	struct pattern p;
	guint n = r->m->patterns->len;

	if (n >= MAINTAINERS_MAX_PATTERNS)
		return fail(err, "patterns", MAINTAINERS_MAX_PATTERNS);
	pattern_init(&p, type, value, r->is_dir, r->data, &why);
	p.section = r->m->sections->len - 1;
	p.line = r->line;
	if (why)
		g_ptr_array_add(r->m->problems,
				g_strdup_printf("line %u: %c: %s", r->line,
						type, why->message));
	r->section->excludes += type == 'X';
	g_array_append_val(r->m->patterns, p);
	add_to_index(r->m, &p, n);
	return TRUE;
}

/* ---- lines */

static gboolean add_value(struct reader *r, char type, const char *value,
			  GError **err)
{
	g_autofree char *name = g_steal_pointer(&r->name);

	if (!r->section && (!r->title || !begin_section(r, err)))
		return !r->title;
	if (strchr("FXNK", type))
		return add_pattern(r, type, value, err);
	if (type == 'P')
		r->name = g_strdup(value);
	else
		maintainers_section_add(r->section, type, value, name);
	return TRUE;
}

static gboolean read_line(struct reader *r, char *line, GError **err)
{
	r->line++;
	g_strchomp(line);
	if (line[0] >= 'A' && line[0] <= 'Z' && line[1] == ':')
		return add_value(r, line[0], g_strchug(line + 2), err);
	if (!*line || line[strspn(line, " \t")] == '#')
		return TRUE;
	end_section(r);
	g_clear_pointer(&r->name, g_free);
	g_free(r->title);
	r->title = g_strdup(line);
	r->title_line = r->line;
	return TRUE;
}

static maintainers *maintainers_new(void)
{
	maintainers *m = g_new0(maintainers, 1);

	m->sections = g_ptr_array_new_with_free_func(
		(GDestroyNotify)maintainers_section_free);
	m->patterns = g_array_new(FALSE, FALSE, sizeof(struct pattern));
	g_array_set_clear_func(m->patterns, (GDestroyNotify)pattern_clear);
	m->by_begin = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_array_unref);
	m->by_name = g_array_new(FALSE, FALSE, sizeof(guint));
	m->by_word = g_array_new(FALSE, FALSE, sizeof(guint));
	m->by_title = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_ptr_array_unref);
	m->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	m->problems = g_ptr_array_new_with_free_func(g_free);
	return m;
}

maintainers *maintainers_parse(const char *text, gsize len,
			       maintainers_dir_fn is_dir, void *data,
			       GError **err)
{
	g_autoptr(maintainers) m = maintainers_new();
	struct reader r = {.m = m, .is_dir = is_dir, .data = data};
	const char *end = text + len;
	gboolean ok = len <= MAINTAINERS_MAX_BYTES ||
		      fail(err, "bytes", MAINTAINERS_MAX_BYTES);

	while (ok && text < end) {
		const char *nl = memchr(text, '\n', (gsize)(end - text));
		gsize n = (gsize)((nl ? nl : end) - text);
		g_autofree char *line = g_strndup(text, n);

		ok = read_line(&r, line, err);
		text += n + 1;
	}
	end_section(&r);
	g_free(r.title);
	g_free(r.name);
	if (!ok)
		return NULL;
	give_names(m);
	return g_steal_pointer(&m);
}

void maintainers_free(maintainers *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->sections);
	g_array_unref(m->patterns);
	g_hash_table_unref(m->by_begin);
	g_array_unref(m->by_name);
	g_array_unref(m->by_word);
	g_hash_table_unref(m->by_title);
	g_hash_table_unref(m->names);
	g_ptr_array_unref(m->problems);
	g_free(m);
}
