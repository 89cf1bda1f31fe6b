/* maintainers.c - which sections of MAINTAINERS a file or a change is in
 * Of the patterns only those are tried that begin as the path does. */
#include "mail/maintainers.h"

#include <string.h>

#include "mail/maintainers_priv.h"

guint maintainers_count(const maintainers *m)
{
	return m->sections->len;
}

const struct maintainers_section *maintainers_section(const maintainers *m,
						      guint n)
{
	const struct section *s = m->sections->pdata[n];

	return &s->s;
}

const struct maintainers_section *maintainers_find(const maintainers *m,
						   const char *name)
{
	const struct section *s = g_hash_table_lookup(m->names, name);
	g_autofree char *key = NULL;

	if (!s) {
		key = g_utf8_casefold(name, -1);
		s = g_hash_table_lookup(m->names, key);
	}
	return s ? &s->s : NULL;
}

GPtrArray *maintainers_problems(const maintainers *m)
{
	return m->problems;
}

/* ---- one file */

struct hit {
	guint section;
	guint pattern;
	gboolean exact;
};

static const struct pattern *pattern_of(const maintainers *m, guint n)
{
	return &g_array_index(m->patterns, struct pattern, n);
}

static void try_patterns(const maintainers *m, const GArray *numbers,
			 const char *path, guint slashes, GArray *hits)
{
	for (guint i = 0; numbers && i < numbers->len; i++) {
		guint n = g_array_index(numbers, guint, i);
		const struct pattern *p = pattern_of(m, n);
		const struct section *s = m->sections->pdata[p->section];
		struct hit hit = {p->section, n, FALSE};

		if (!pattern_matches(p, path, slashes))
			continue;
		hit.exact = p->type == 'F' && p->depth >= (int)slashes &&
			    s->s.kept && s->has_m;
		g_array_append_val(hits, hit);
	}
}

/* Only the patterns that begin as the path does. */
static void try_beginnings(const maintainers *m, const char *path,
			   guint slashes, GArray *hits)
{
	g_autofree char *begin = g_strdup(path);
	gsize max = MIN(strlen(path), G_N_ELEMENTS(m->lengths) - 1);

	for (gsize len = 0; len <= max; len++) {
		if (!m->lengths[len])
			continue;
		begin[len] = 0;
		try_patterns(m, g_hash_table_lookup(m->by_begin, begin), path,
			     slashes, hits);
		begin[len] = path[len];
	}
}

static int by_section(gconstpointer a, gconstpointer b)
{
	const struct hit *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->pattern < y->pattern ? -1 : x->pattern > y->pattern;
}

static gboolean is_excluded(const maintainers *m, const struct section *s,
			    const char *path, guint slashes)
{
	for (guint i = 0; s->excludes && i < s->count; i++) {
		const struct pattern *p = pattern_of(m, s->first + i);

		if (p->type == 'X' && pattern_matches(p, path, slashes))
			return TRUE;
	}
	return FALSE;
}

static int by_depth(gconstpointer a, gconstpointer b)
{
	const struct maintainers_match *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	return x->section->line < y->section->line ? -1 : 1;
}

GArray *maintainers_of_path(const maintainers *m, const char *path)
{
	GArray *found =
		g_array_new(FALSE, TRUE, sizeof(struct maintainers_match));
	g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(struct hit));
	guint slashes = pattern_slashes(path);
	struct maintainers_match *last = NULL;

	if (!*path || strlen(path) > MAINTAINERS_MAX_PATH)
		return found;
	try_beginnings(m, path, slashes, hits);
	try_patterns(m, m->by_name, path, slashes, hits);
	g_array_sort(hits, by_section);
	for (guint i = 0; i < hits->len; i++) {
		const struct hit *h = &g_array_index(hits, struct hit, i);
		const struct section *s = m->sections->pdata[h->section];
		struct maintainers_match match = {&s->s, 0, 1, FALSE, FALSE};

		if (s->s.hidden)
			continue;
		if (!last || last->section != &s->s) {
			g_array_append_val(found, match);
			last = &g_array_index(found, struct maintainers_match,
					      found->len - 1);
		}
		/* the last pattern of a section that fits tells its depth */
		last->depth = pattern_of(m, h->pattern)->depth;
		last->exact |= h->exact;
	}
	for (guint i = found->len; i-- > 0;) {
		last = &g_array_index(found, struct maintainers_match, i);
		if (is_excluded(m, (const struct section *)last->section, path,
				slashes))
			g_array_remove_index(found, i);
	}
	g_array_sort(found, by_depth);
	return found;
}

/* ---- a change */

/* Lines of a diff that name files or places are not looked at. */
static gboolean is_diff_head(const char *line)
{
	return g_str_has_prefix(line, "+++ ") ||
	       g_str_has_prefix(line, "--- ") || g_str_has_prefix(line, "@@ -");
}

static gboolean word_in(const struct pattern *p, const char *text,
			gboolean is_diff)
{
	const GRegex *regex = is_diff ? p->in_diff : p->regex;

	if (!text || (p->must && !strstr(text, p->must)))
		return FALSE;
	while (*text) {
		gsize len = strcspn(text, "\n");

		if (!(is_diff && is_diff_head(text)) &&
		    g_regex_match_full(regex, text,
				       (gssize)MIN(len, MAINTAINERS_MAX_LINE),
				       0, 0, NULL, NULL))
			return TRUE;
		text += len + (text[len] == '\n');
	}
	return FALSE;
}

static struct maintainers_match *match_for(GHashTable *found,
					   const struct maintainers_section *s)
{
	struct maintainers_match *match = g_hash_table_lookup(found, s);

	if (!match) {
		match = g_new0(struct maintainers_match, 1);
		match->section = s;
		match->depth = -1;
		g_hash_table_insert(found, (gpointer)s, match);
	}
	return match;
}

static void add_files(const maintainers *m, const GPtrArray *files,
		      GHashTable *found)
{
	guint count = files ? MIN(files->len, MAINTAINERS_MAX_FILES) : 0;

	for (guint i = 0; i < count; i++) {
		g_autoptr(GArray) of_path =
			maintainers_of_path(m, files->pdata[i]);

		for (guint n = 0; n < of_path->len; n++) {
			const struct maintainers_match *one =
				&g_array_index(of_path,
					       struct maintainers_match, n);
			struct maintainers_match *all =
				match_for(found, one->section);

			all->files++;
			all->depth = MAX(all->depth, one->depth);
			all->exact |= one->exact;
		}
	}
}

static void add_words(const maintainers *m, const char *text, const char *diff,
		      GHashTable *found)
{
	for (guint i = 0; i < m->by_word->len; i++) {
		const struct pattern *p =
			pattern_of(m, g_array_index(m->by_word, guint, i));
		const struct section *s = m->sections->pdata[p->section];

		if (!s->s.hidden &&
		    (word_in(p, text, FALSE) || word_in(p, diff, TRUE)))
			match_for(found, &s->s)->keyword = TRUE;
	}
}

static int by_files(gconstpointer a, gconstpointer b)
{
	const struct maintainers_match *x = a, *y = b;

	if (x->files != y->files)
		return x->files > y->files ? -1 : 1;
	return by_depth(a, b);
}

GArray *maintainers_of_change(const maintainers *m, const GPtrArray *files,
			      const char *message, const char *diff)
{
	g_autoptr(GHashTable) found =
		g_hash_table_new_full(NULL, NULL, NULL, g_free);
	GArray *matches =
		g_array_new(FALSE, FALSE, sizeof(struct maintainers_match));
	GHashTableIter it;
	gpointer value;

	add_files(m, files, found);
	add_words(m, message, diff, found);
	g_hash_table_iter_init(&it, found);
	while (g_hash_table_iter_next(&it, NULL, &value))
		g_array_append_vals(matches, value, 1);
	g_array_sort(matches, by_files);
	return matches;
}
